r"""A representation of a group: one matrix for each generator and each Lie generator, or permutations."""

from __future__ import annotations

from dataclasses import field
from functools import reduce
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import RepresentationError, require_type
from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    exact,
    identity,
    integers,
    same_denominator,
)
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.scattered import Scattered, scattered
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group, rounded
from pdobasis.representations.hypothesis import BY_CONSTRUCTION, Hypothesis
from pdobasis.representations.terms import Term
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from pdobasis.representations.parts import Part

FEW = 12
"""Sizes up to which rows are looked at as lists."""
WORTH_TAKING_APART = 20
"""Sizes from which it is asked whether the basis falls apart under the generators."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Representation:
    r"""Invariants: ``generators`` (``lie``) hold $\rho(g)$ ($d\rho(X)$) in the order of the group's generators.

    ``permutations[s][i]`` is the index that generator s sends i to, when the basis is permuted and the group is
    finite; then ``generators`` stays empty and matrices are made on demand. ``term`` evaluates at any matrix.

    The recipe is ``spec``, a text of the grammar; for one's ``own`` the text is only a name, and the matrices are the
    recipe. A representation is known by its matrices: two with the same ones are equal, however they are written.

    Attributes
    ----------
    group : Group
        G.
    spec : str
        How it is written.
    size : int
        The dimension.
    generators, lie : tuple of ExactArray
        As above.
    permutations : tuple or None
        As above.
    term : Term or None
        A formula in g.
    own : bool
        Whether the matrices are the recipe.
    hypothesis : Hypothesis or None
        How it is known that products go to products.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> rotation, = field_type("irrep(1)", "C4")
    >>> rotation.size, rotation.is_permutation
    (2, False)
    """

    is_charged_once: ClassVar[bool] = True

    group: Group
    spec: str
    size: int
    generators: tuple[ExactArray, ...] = ()
    lie: tuple[ExactArray, ...] = ()
    permutations: tuple[tuple[int, ...], ...] | None = None
    term: Term | None = None
    own: bool = False
    hypothesis: Hypothesis = BY_CONSTRUCTION
    _hash: int | None = field(default=None, init=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Representation):
            return NotImplemented
        if self is other:
            return True
        # different hashes spare the comparison of matrices in a common field, which may be large
        if hash(self) != hash(other):
            return False
        # permutations are made wherever the matrices are permutations: so both have them or neither
        return (
            self.size == other.size
            and self.group == other.group
            and self.permutations == other.permutations
            and self.generators == other.generators
            and self.lie == other.lie
        )

    def __hash__(self) -> int:
        if self._hash is None:
            # the rest seldom tells more
            first = (*self.generators, *self.lie)[:3]
            parts = (
                self.size,
                self.group,
                self.permutations or (),
                *map(rounded, first),
            )
            object.__setattr__(self, "_hash", hash(parts))
        return self._hash or 0

    def _repr_html_(self) -> str:
        from pdobasis.notebook.groups import representation_html

        return representation_html(self)

    def __repr__(self) -> str:
        """What makes it again, where its text does."""
        if self.own:
            return (
                f"<Representation {self.spec} of {self.group.name}, size {self.size}>"
            )
        return f"field_type({self.spec!r}, {self.group!r})[0]"

    def __str__(self) -> str:
        return self.spec

    @property
    def is_permutation(self) -> bool:
        """Whether the group permutes the basis."""
        return self.permutations is not None

    @property
    def field(self) -> Field:
        """The smallest field that holds all entries."""
        return reduce(join, (m.field for m in (*self.generators, *self.lie)), RATIONALS)

    def matrices(self) -> tuple[ExactArray, ...]:
        """rho of every generator.

        Returns
        -------
        tuple of ExactArray
            In the order of the group's generators.

        Examples
        --------
        >>> from pdobasis import field_type
        >>> field_type("regular", "C2")[0].matrices()[0]
        <ExactArray [[0, 1], [1, 0]]>
        """
        if self.permutations is None:
            return self.generators
        return tuple(permutation_matrix(p) for p in self.permutations)

    def at(self, g: ExactArray) -> ExactArray:
        """rho(g) for any g in the group.

        Parameters
        ----------
        g : ExactArray
            An element of the group.

        Returns
        -------
        ExactArray
            Its matrix.

        Raises
        ------
        RepresentationError
            It is not among the elements by which the representation is defined.

        Examples
        --------
        >>> from pdobasis import field_type, group
        >>> turn = group("C4").elements[2]
        >>> field_type("regular", "C4")[0].at(turn).shape
        (4, 4)
        """
        require_type(
            g, ExactArray, "g", "an exact matrix, as the generators of a group"
        )
        if self.term is not None:
            return self.term.at(g)
        if not self.group.is_finite:
            raise RepresentationError(
                f"{self.spec} of {self.group.name} is known on its generators only"
            )
        index = closure(self.group).find(g)
        if index is None:
            raise RepresentationError(
                f"a matrix is not in {self.group.name}, so {self.spec} is not defined there"
            )
        result = identity(self.size)
        images = self.matrices()
        for s in closure(self.group).word(index):
            result = result @ images[s]
        return result

    def derivative(self, x: ExactArray) -> ExactArray:
        """d rho(X) for any X in the Lie algebra.

        Parameters
        ----------
        x : ExactArray
            An element of the Lie algebra.

        Returns
        -------
        ExactArray
            The derivative of rho(exp tX) at t = 0.

        Raises
        ------
        RepresentationError
            There is no formula to differentiate.

        Examples
        --------
        >>> from pdobasis import field_type, group
        >>> so2 = group("SO(2)")
        >>> field_type("irrep(2)", so2)[0].derivative(so2.lie[0])
        <ExactArray [[0, -2], [2, 0]]>
        """
        require_type(
            x, ExactArray, "x", "an exact matrix, as the generators of a group"
        )
        if self.term is None:
            raise RepresentationError(
                f"{self.spec} of {self.group.name} has no formula to differentiate"
            )
        return self.term.derivative(x)


def from_term(group: Group, term: Term, spec: str) -> Representation:
    """Evaluate a formula at the generators; permutation matrices are recognised."""
    generators = tuple(term.at(g) for g in group.generators)
    lie = tuple(term.derivative(x) for x in group.lie)
    images = (*generators, *lie)
    if not images:
        images = (term.at(identity(group.dim, group.field)),)
    size = images[0].shape[0]
    permutations = _permutations(group, generators)
    if permutations is not None:
        return Representation(group, spec, size, permutations=permutations, term=term)
    return Representation(group, spec, size, generators, lie, None, term)


def from_matrices(
    group: Group,
    spec: str,
    size: int,
    generators: tuple[ExactArray, ...],
    lie: tuple[ExactArray, ...] = (),
    *,
    own: bool = False,
    hypothesis: Hypothesis = BY_CONSTRUCTION,
) -> Representation:
    """From one matrix for each generator; the caller has checked that it is a representation."""
    permutations = _permutations(group, generators)
    if permutations is not None:
        return Representation(
            group,
            spec,
            size,
            permutations=permutations,
            own=own,
            hypothesis=hypothesis,
        )
    return Representation(
        group, spec, size, generators, lie, own=own, hypothesis=hypothesis
    )


def _permutations(
    group: Group, generators: tuple[ExactArray, ...]
) -> tuple[tuple[int, ...], ...] | None:
    """The generators as permutations; None where one is none, or where there is a Lie algebra."""
    if not group.is_finite:
        return None
    out = []
    for m in generators:
        permutation = as_permutation(m)
        if permutation is None:
            return None
        out.append(permutation)
    return tuple(out)


def all_matrices(rep: Representation) -> ExactArray:
    """rho(g) for all elements of a finite group, (|G|, size, size)."""
    # equal representations may be written in different fields
    return _all_matrices(rep, join(rep.field, RATIONALS))


@remembered
def _all_matrices(rep: Representation, field: Field) -> ExactArray:
    images = tuple(m.over(field) for m in rep.matrices())
    if rep.size < WORTH_TAKING_APART or not images:
        return closure(rep.group).evaluate(images, identity(rep.size, field))
    # tensors of an axis and a plane, say: small matrices cost little
    parts = all_parts(rep)
    numbers, denominator, _ = same_denominator([part.dense() for part in parts])
    shape = (len(numbers[0]), rep.size, rep.size, field.degree)
    out = np.zeros(shape, dtype=np.result_type(np.int64, *numbers))
    for part, block in zip(parts, numbers, strict=True):
        own = part.places.reshape(-1)
        out[:, own[:, None], own] = block
    return exact(out, denominator, field)


def all_parts(rep: Representation) -> tuple[Part, ...]:
    """rho(g) for all elements of a finite group, without the zeros between parts of the basis and blocks of these."""
    return _all_parts(rep, join(rep.field, RATIONALS))


@remembered
def _all_parts(rep: Representation, field: Field) -> tuple[Part, ...]:
    # loaded for large representations and round orbits, which a short command has none of
    from pdobasis.representations.parts import as_one_block, parts_of

    if rep.size < WORTH_TAKING_APART or not rep.matrices():
        return (as_one_block(_all_matrices(rep, field)),)
    return parts_of([m.over(field) for m in rep.matrices()], closure(rep.group))


@remembered
def moves_blocks(rep: Representation) -> bool:
    """Whether some of the parts have blocks that elements take to each other; nothing is multiplied for that."""
    images = rep.matrices()
    if rep.size < WORTH_TAKING_APART or not images:
        return False
    from pdobasis.representations.parts import blocks_of, unmixed

    return len(blocks_of(images)) > len(unmixed(images))


def all_entries(
    rep: Representation, elements: IndexArray
) -> tuple[tuple[IndexArray, IndexArray, IndexArray], ExactArray]:
    """What is not zero in rho of some elements: (number of the element, row, column), and the values."""
    found = [part.entries(elements) for part in all_parts(rep)]
    g, row, column = map(
        np.concatenate, zip(*(places for places, _ in found), strict=True)
    )
    return (g, row, column), concatenate([values for _, values in found])


def image_of(rep: Representation, index: int) -> ExactArray:
    """rho of one element, of whom all are there."""
    if rep.size < WORTH_TAKING_APART:
        return all_matrices(rep)[index]
    (_, row, column), values = all_entries(rep, np.array([index]))
    return scattered((rep.size, rep.size), row, column, values)


@remembered
def all_permutations(rep: Representation) -> IndexArray:
    """Where every element sends every index, (|G|, size), for a permutation representation."""
    table = closure(rep.group)
    out = np.empty((len(table), rep.size), dtype=np.int64)
    out[0] = np.arange(rep.size)
    images = [np.array(p, dtype=np.int64) for p in rep.permutations or ()]
    # level by level of the spanning tree: the parents are done before their children
    for level in table.levels:
        for s, image in enumerate(images):
            members = level[table.via[level] == s]
            out[members] = image[out[table.parent[members]]]
    return out


@remembered
def permutation_matrix(p: tuple[int, ...]) -> ExactArray:
    """The matrix with e_i -> e_{p[i]}."""
    m = np.zeros((len(p), len(p)), dtype=np.int64)
    m[list(p), range(len(p))] = 1
    return integers(m)


def as_permutation(m: ExactArray) -> tuple[int, ...] | None:
    """Where the matrix sends every basis vector; None where it does not permute them."""
    if isinstance(m, Scattered):
        return _few_as_permutation(m)
    values = m.numerators
    if m.denominator != 1 or (values.shape[-1] > 1 and values[..., 1:].any()):
        return None
    plain = values[..., 0]
    if len(plain) <= FEW:
        return _small_as_permutation(plain.tolist())
    ones = plain == 1
    zeros = plain == 0
    if not (zeros | ones).all():
        return None
    in_columns = ones.sum(axis=0)
    in_rows = ones.sum(axis=1)
    if not (in_columns == 1).all() or not (in_rows == 1).all():
        return None
    return tuple(int(i) for i in plain.argmax(axis=0))


def _small_as_permutation(rows: list[list[int]]) -> tuple[int, ...] | None:
    """The same, without NumPy: most matrices are told from permutations by a row."""
    to = [-1] * len(rows)
    for i, row in enumerate(rows):
        if row.count(0) != len(row) - 1 or 1 not in row:
            return None
        j = row.index(1)
        if to[j] >= 0:
            return None
        to[j] = i
    return tuple(to)


def _few_as_permutation(m: Scattered) -> tuple[int, ...] | None:
    """The same, from the non-zeros alone."""
    every = np.arange(len(m))
    # places grow row by row
    if not np.array_equal(m.rows, every):
        return None
    order = np.argsort(m.columns)
    values = m.values.numerators
    is_one = m.denominator == 1 and bool((values[:, 0] == 1).all())
    if not is_one or values[:, 1:].any() or not (m.columns[order] == every).all():
        return None
    return tuple(order.tolist())
