r"""Lattices of any basis, and windows of their points.

The points are $A n$ for $n \in \mathbb{Z}^d$, the columns of A being exact vectors. A matrix g maps them to themselves
when $M = A^{-1} g A$ has whole entries and determinant ±1. If g keeps lengths then $M^T (A^T A) M = A^T A$: there are
finitely many such M, and they are found by their columns, which are lattice vectors of given lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import floor, prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError, require_type
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.numbers import sign, to_float
from pdobasis.exact.writing import number_text
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.groups.membership import contains
from pdobasis.groups.rows import as_matrix
from pdobasis.stencils.errors import GridError, StencilError
from pdobasis.stencils.lattice_symmetry import inverse_of, whole_matrix

Node = tuple[int, ...]
Symmetry = tuple[ExactArray, NDArray[np.int64]]

MAX_NODES = 20_000
"""Points of one window, or of one search for short vectors."""


@dataclass(frozen=True, eq=False, repr=False)
class Lattice:
    """The points A n; ``vectors`` are the columns of A, as rows of numbers or of texts such as "sqrt(3)/2".

    >>> hexagonal = Lattice.named("hexagonal")
    >>> len(hexagonal.point_group), len(Lattice.named("fcc").point_group)
    (12, 48)
    >>> len(hexagonal.ball(1)), len(hexagonal.ball("sqrt(3)"))
    (7, 13)

    Parameters
    ----------
    vectors : rows of numbers or str
        Exactly.
    name : str
        For its repr.
    """

    vectors: Any
    name: str = "lattice"

    def __post_init__(self) -> None:
        rows = self.vectors
        if not isinstance(rows, ExactArray):
            rows = as_matrix(rows)
        if len(rows.shape) != 2 or rows.shape[0] != rows.shape[1]:
            raise GridError(
                f"a lattice needs d vectors of d entries, got shape {rows.shape}"
            )
        if np.linalg.matrix_rank(to_float(rows)) < rows.shape[0]:
            raise GridError("the vectors of a lattice have to be independent")
        object.__setattr__(self, "vectors", rows)

    @classmethod
    def named(cls, name: str) -> Lattice:
        """square, hexagonal, cubic, bcc or fcc; neighbours of the first three are at distance 1, cubes have side 2.

        Parameters
        ----------
        name : str
            One of these.

        Returns
        -------
        Lattice
            With its usual vectors.

        Raises
        ------
        SpecError
            Another name.

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> Lattice.named("square")
        <Lattice square: [[1., 0.], [0., 1.]]>
        """
        known = {
            "square": [[1, 0], [0, 1]],
            "hexagonal": [[1, 0], ["1/2", "sqrt(3)/2"]],
            "cubic": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            "bcc": [[-1, 1, 1], [1, -1, 1], [1, 1, -1]],
            "fcc": [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
        }
        if name not in known:
            raise SpecError(
                f"unknown lattice {name!r:.40}: {', '.join(known)}, or Lattice(vectors)"
            )
        return cls(known[name], name)

    @classmethod
    def read(cls, value: Any) -> Lattice:
        """A lattice, one by name, its vectors as rows, or all of them in a text: ``"1,0; 1/2,sqrt(3)/2"``.

        Parameters
        ----------
        value : Lattice, str or sequence of vectors
            As above.

        Returns
        -------
        Lattice
            The lattice itself, or a new one.

        Raises
        ------
        SpecError
            An unknown name, or what is none of these.
        GridError
            Vectors that are not independent, or not d of d entries.

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> Lattice.read("1,0; 1/2,sqrt(3)/2") == Lattice.named("hexagonal")
        True
        """
        if isinstance(value, Lattice):
            return value
        if isinstance(value, str) and ";" not in value and "," not in value:
            return cls.named(value.strip())
        if isinstance(value, str):
            value = [row.split(",") for row in value.split(";")]
        if isinstance(value, ExactArray) or (
            isinstance(value, Sequence)
            and value
            and all(isinstance(row, Sequence) for row in value)
        ):
            return cls(value)
        raise SpecError(
            f"a lattice is a name, a Lattice or its vectors (as '1,0; 1/2,sqrt(3)/2'), got {value!r:.40}"
        )

    @classmethod
    def rectangular(cls, *spacing: Any) -> Lattice:
        """Steps along the axes, x1 first.

        Parameters
        ----------
        *spacing : number or str
            One for each axis.

        Returns
        -------
        Lattice
            With vectors along the axes.

        Raises
        ------
        GridError
            A spacing that is no number.

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> len(Lattice.rectangular(1, "1/2").point_group), len(Lattice.rectangular(1, 1).point_group)
        (4, 8)
        """
        rows = [
            [h * (i == j) for j in range(len(spacing))]
            for i, h in enumerate(map(_number, spacing))
        ]
        return cls([[str(v) for v in row] for row in rows], "rectangular")

    def scaled(self, factor: Any) -> Lattice:
        """Every vector so many times as long.

        Parameters
        ----------
        factor : number
            Positive.

        Returns
        -------
        Lattice
            Of the same name.

        Raises
        ------
        GridError
            What is no positive number.

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> Lattice.named("square").scaled("1/2").texts
        (('1/2', '0'), ('0', '1/2'))
        """
        length = _number(factor)
        if length <= 0:
            raise GridError(f"a lattice is scaled by a positive number, got {factor}")
        if length == 1:
            return self
        return Lattice(self.vectors.scale(length), self.name)

    @cached_property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The vectors as exact texts: what a file holds, and what a lattice is known by."""
        every = range(self.dim)
        return tuple(
            tuple(number_text(self.vectors[i, j]) for j in every) for i in every
        )

    def __eq__(self, other: object) -> bool:
        """A lattice is known by its vectors; its name is no part of it."""
        if not isinstance(other, Lattice):
            return NotImplemented
        return self.texts == other.texts

    def __hash__(self) -> int:
        return hash(self.texts)

    def __repr__(self) -> str:
        rows = np.array2string(to_float(self.vectors), precision=4, separator=", ")
        return f"<Lattice {self.name}: {' '.join(rows.split())}>"

    @property
    def dim(self) -> int:
        """The dimension of space."""
        return int(self.vectors.shape[0])

    @cached_property
    def matrix(self) -> ExactArray:
        """A."""
        found: ExactArray = self.vectors.T
        return found

    @cached_property
    def inverse(self) -> ExactArray:
        """The inverse of the matrix of the lattice."""
        return self.matrix.inverse()

    @cached_property
    def gram(self) -> ExactArray:
        """A^T A: lengths and angles."""
        return self.matrix.T @ self.matrix

    @cached_property
    def metric(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """(A^T A)^{-1}, with |k|² = k^T M k for frequencies k over the dual basis; None if it is not rational."""
        inverse = self.gram.inverse()
        if not inverse.is_rational:
            return None
        rows = range(self.dim)
        return tuple(tuple(inverse[i, j].fraction() for j in rows) for i in rows)

    def coordinates(self, nodes: Sequence[Node]) -> NDArray[np.float64]:
        """A n, each rounded once.

        Parameters
        ----------
        nodes : sequence of nodes
            Whole numbers n.

        Returns
        -------
        numpy.ndarray
            float64 (nodes, d).

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> Lattice.named("bcc").coordinates([(1, 1, 0)]).tolist()
        [[0.0, 0.0, 2.0]]
        """
        return to_float(integers(self._whole_nodes(nodes)) @ self.vectors)

    def _whole_nodes(self, nodes: Iterable[Sequence[int]]) -> NDArray[np.int64]:
        """int64 (nodes, d); what is none is refused."""
        found = None
        if isinstance(nodes, Iterable) and not isinstance(nodes, (str, bytes)):
            listed = list(nodes)
            if not listed:
                return np.zeros((0, self.dim), dtype=np.int64)
            with suppress(ValueError):  # rows of different lengths
                found = np.asarray(listed)
        shape = (None, None) if found is None else found.shape
        if found is None or found.dtype.kind not in "iu" or shape[1:] != (self.dim,):
            raise GridError(
                f"nodes of this lattice have {self.dim} whole coordinates each, got {nodes!r:.60}"
            )
        return found.astype(np.int64)

    def distances(self, nodes: Sequence[Node]) -> NDArray[np.float64]:
        """|A n|, from its exact square: nodes of one distance have the same number.

        Parameters
        ----------
        nodes : sequence of nodes
            In steps along the vectors.

        Returns
        -------
        array
            One distance each.

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> Lattice.named("hexagonal").distances([(0, 0), (1, 0), (-1, 1)]).tolist()
        [0.0, 1.0, 1.0]
        """
        own = integers(np.array(nodes, dtype=np.int64))
        squares = (own @ self.gram) * own
        total = sum((squares[:, i] for i in range(1, self.dim)), squares[:, 0])
        return np.sqrt(to_float(total))

    @cached_property
    def volume(self) -> float:
        """Of one cell."""
        return float(abs(np.linalg.det(to_float(self.matrix))))

    @cached_property
    def lengths(self) -> tuple[float, ...]:
        """Of the vectors."""
        return tuple(float(sqrt(v)) for v in np.diag(to_float(self.gram)))

    @cached_property
    def point_group(self) -> tuple[NDArray[np.int64], ...]:
        """All M of whole numbers with M^T (A^T A) M = A^T A, exactly."""
        gram = to_float(self.gram)
        columns = [self._of_length(j) for j in range(self.dim)]
        out = []
        for found in _bases(columns, gram):
            m = np.array(found, dtype=np.int64).T
            # Floating point found it; the number field decides.
            if (integers(m.T) @ self.gram @ integers(m)).equals(self.gram):
                out.append(m)
        return tuple(out)

    def symmetries(self, group: Group) -> tuple[Symmetry, ...]:
        """(g, A^{-1} g A) for all elements of the group that map the lattice to itself.

        Parameters
        ----------
        group : Group
            Any; of a continuous one those in the point group of the lattice.

        Returns
        -------
        tuple of pairs
            Exact matrices, and whole numbers.

        Raises
        ------
        SpecError
            The group acts in another dimension.
        StencilError
            The group is infinite and keeps no length.

        Examples
        --------
        >>> from pdobasis import Lattice, group
        >>> hexagonal = Lattice.named("hexagonal")
        >>> [len(hexagonal.symmetries(group(name))) for name in ("C4", "C6", "D12", "O(2)")]
        [2, 6, 12, 12]
        """
        require_type(group, Group, "group", "a Group, as group('D4') makes it")
        if group.dim != self.dim:
            raise SpecError(
                f"{group.name} acts in dimension {group.dim}, the lattice lies in {self.dim}"
            )
        if group.is_finite:
            table = closure(group).matrices
            pairs = [(table[k], self.whole(table[k])) for k in range(len(table))]
            return tuple((g, m) for g, m in pairs if m is not None)
        if not group.is_orthogonal:
            raise StencilError(
                f"{group.name} keeps no length and is infinite: it may share infinitely many symmetries with a lattice"
            )
        moved = [
            (self.matrix @ integers(m) @ self.inverse, m) for m in self.point_group
        ]
        return tuple((g, m) for g, m in moved if contains(group, g))

    def whole(self, g: ExactArray) -> NDArray[np.int64] | None:
        """A^{-1} g A, if it has whole entries and determinant ±1.

        Parameters
        ----------
        g : ExactArray
            A matrix.

        Returns
        -------
        numpy.ndarray or None
            int64 (d, d).

        Examples
        --------
        >>> from pdobasis import Lattice, group
        >>> Lattice.named("hexagonal").whole(group("C6").generators[0]).tolist()
        [[0, -1], [1, 1]]
        >>> Lattice.named("square").whole(group("C6").generators[0]) is None
        True
        """
        return whole_matrix(self.inverse @ g @ self.matrix)

    def box(self, size: int | Sequence[int]) -> tuple[Node, ...]:
        """All n with |n_i| ≤ (size_i - 1)/2.

        Parameters
        ----------
        size : int or sequence of int
            Odd numbers of nodes, one or one for each vector.

        Returns
        -------
        tuple of nodes
            In order.

        Raises
        ------
        GridError
            An even size, or too many nodes.

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> len(Lattice.named("square").box((3, 5)))
        15
        """
        sizes = (size,) * self.dim if isinstance(size, int) else tuple(size)
        if len(sizes) != self.dim or any(n < 1 or n % 2 == 0 for n in sizes):
            raise GridError(f"a box has {self.dim} odd sizes, got {size}")
        _require_few(prod(sizes))
        return tuple(product(*(range(-(n // 2), n // 2 + 1) for n in sizes)))

    def ball(self, radius: Any) -> tuple[Node, ...]:
        """All points with |A n| ≤ r, exactly.

        Parameters
        ----------
        radius : number or str
            As "sqrt(3)".

        Returns
        -------
        tuple of nodes
            In order.

        Raises
        ------
        SpecError
            A text that is no number.
        GridError
            Too many nodes.

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> Lattice.named("square").ball(1)
        ((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0))
        """
        bound = as_matrix(
            [[radius if isinstance(radius, (int, str)) else str(_number(radius))]]
        )
        square = (bound @ bound)[0, 0]
        out = []
        for n in self._near(float(to_float(bound)[0, 0])):
            row = integers([list(n)])
            length = (row @ self.gram @ row.T)[0, 0]
            if sign(square - length) >= 0:
                out.append(n)
        return tuple(out)

    def closed(self, nodes: Iterable[Sequence[int]], group: Group) -> tuple[Node, ...]:
        """The nodes of one's own, and all that the shared symmetries make of them.

        Parameters
        ----------
        nodes : iterable of nodes
            One's own.
        group : Group
            Whose symmetries are shared.

        Returns
        -------
        tuple of nodes
            In order.

        Raises
        ------
        GridError
            Nodes of another dimension.

        Examples
        --------
        >>> from pdobasis import Lattice, group
        >>> Lattice.named("square").closed([(0, 0), (1, 0)], group("C2"))
        ((-1, 0), (0, 0), (1, 0))
        """
        own = self._whole_nodes(nodes)
        moved = {
            tuple(n) for _, m in self.symmetries(group) for n in (own @ m.T).tolist()
        }
        _require_few(len(moved))
        return tuple(sorted(moved))

    def kept(self, nodes: Iterable[Node], group: Group) -> tuple[Node, ...]:
        """The nodes that all shared symmetries leave among them.

        Parameters
        ----------
        nodes : iterable of nodes
            Of a window.
        group : Group
            Whose symmetries are shared.

        Returns
        -------
        tuple of nodes
            In order.

        Examples
        --------
        >>> from pdobasis import Lattice, group
        >>> Lattice.named("square").kept([(0, 0), (1, 0), (-1, 0), (0, 1)], group("C2"))
        ((-1, 0), (0, 0), (1, 0))
        """
        given = self._whole_nodes(nodes)
        own = {tuple(n) for n in given.tolist()}
        for _, m in self.symmetries(group):
            back = inverse_of(m)
            own &= {tuple(n) for n in (given @ back.T).tolist()}
        return tuple(sorted(own))

    def shells(self, nodes: Sequence[Node]) -> dict[Node, int]:
        """The nodes, with their distances from the origin numbered from 0.

        Parameters
        ----------
        nodes : sequence of nodes
            Of a window.

        Returns
        -------
        dict
            By node.

        Examples
        --------
        >>> from pdobasis import Lattice
        >>> Lattice.named("square").shells([(0, 0), (1, 0), (0, 1), (1, 1)])
        {(0, 0): 0, (1, 0): 1, (0, 1): 1, (1, 1): 2}
        """
        lengths = np.linalg.norm(self.coordinates(nodes), axis=1)
        # Distances that differ, differ by far more than rounding.
        numbers = np.unique(np.round(lengths, 9), return_inverse=True)[1]
        return {node: int(s) for node, s in zip(nodes, numbers, strict=True)}

    def _of_length(self, j: int) -> list[Node]:
        """Lattice vectors as long as basis vector j, up to rounding."""
        gram = to_float(self.gram)
        length = gram[j, j]
        near = self._near(float(np.sqrt(length)) * (1 + 1e-9))
        squares = np.einsum("ni,ij,nj->n", near, gram, near)
        return [
            n
            for n, s in zip(near, squares, strict=True)
            if abs(s - length) < 1e-9 * length
        ]

    def _near(self, radius: float) -> list[Node]:
        """All n in a box that holds the ball: |n_i|² ≤ r² (A^T A)^{-1}_ii."""
        inverse = np.linalg.inv(to_float(self.gram))
        reach = [floor(radius * np.sqrt(inverse[i, i]) + 1e-9) for i in range(self.dim)]
        _require_few(prod(2 * r + 1 for r in reach))
        return list(product(*(range(-r, r + 1) for r in reach)))


def _bases(
    columns: Sequence[Sequence[Node]],
    gram: NDArray[np.float64],
    start: tuple[Node, ...] = (),
) -> Iterator[tuple[Node, ...]]:
    """One vector of each list with the inner products of the basis, up to rounding."""
    k = len(start)
    if k == len(columns):
        yield start
        return
    for n in columns[k]:
        products = [np.array(n) @ gram @ np.array(other) for other in start]
        if all(abs(p - gram[k, j]) < 1e-9 * gram[k, k] for j, p in enumerate(products)):
            yield from _bases(columns, gram, (*start, n))


def _number(value: Any) -> Fraction:
    try:
        if isinstance(value, float):  # 0.1 means 1/10, as elsewhere
            value = repr(value)
        return Fraction(value)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        raise GridError(
            f"a length is a number such as 1, 0.5 or '1/3', got {value!r:.40}"
        ) from None


def _require_few(nodes: int) -> None:
    if nodes > MAX_NODES:
        raise GridError(
            f"{nodes:,} points are too many for a window (at most {MAX_NODES:,})"
        )
