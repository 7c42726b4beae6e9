r"""The echelon form of the constraint on SO(3) and O(3), without a linear system: from the symbols between irreps.

In rational bases (:mod:`pdobasis.representations.rational_bases`) the P of order n are spanned by $T \chi\, r^{2k} U$,
with maps T from irreps to $\rho_{out}$, U from $\rho_{in}$ to irreps, and the closed forms $\chi$ of order $n - 2k$
between these. All of that is had modulo primes, where only their echelon form is wanted: it does not depend on what
spans the space. A dense system grows with the cube of its unknowns, this with the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.groups.classical import turns_space
from pdobasis.groups.lie import generating_indices
from pdobasis.linear.dense_residues import Residues, product, reduced
from pdobasis.linear.lane_stages import TooLargeError
from pdobasis.linear.lanes import lane
from pdobasis.linear.lifted_span import echelon_of_span
from pdobasis.linear.sparse import Sparse, no_entries
from pdobasis.operators.laplacian import radius
from pdobasis.operators.symbols import dense
from pdobasis.representations.decomposition import Summand
from pdobasis.representations.rational_bases import (
    Numbers,
    norms,
    rational_basis,
    rooted,
)
from pdobasis.representations.zonal_maps import Maps, maps_from_irreps
from pdobasis.solvers.batch import Batch, Task
from pdobasis.solvers.rotations import RationalDecomposition, decomposed
from pdobasis.solvers.spherical import between
from pdobasis.values import dataclass

MAX_CELLS = 40_000_000
"""Numbers of all elements, zeros as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """Two irreps, and all symbols between them: (row, column, monomial) of each."""

    source: Summand
    target: Summand
    symbols: tuple[ExactArray, ...]

    @property
    def dimension(self) -> int:
        return len(self.symbols) * self.source.multiplicity * self.target.multiplicity


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The P of one task as products of maps and symbols between irreps."""

    task: Task
    source: RationalDecomposition
    target: RationalDecomposition
    links: tuple[Link, ...]

    @property
    def dimension(self) -> int:
        return sum(link.dimension for link in self.links)

    def span(self, p: int) -> Residues | None:
        """One P a row, in the order of the unknowns; None where p divides a denominator."""
        check()
        ends = [(link.source, link.target) for link in self.links]
        left = _maps(self.target, [b for _, b in ends], p)
        right = _maps(self.source, [a for a, _ in ends], p)
        if left is None or right is None:
            return None
        right = _adjoint(self.source, right, p)
        if right is None:
            return None
        rows = []
        for link in self.links:
            outer, inner = left[link.target.name], right[link.source.name]
            for chi in link.symbols:
                rows.append(self._products(outer, _image(chi, p), inner, p))
        return np.concatenate(rows)

    def _products(
        self, outer: Residues, chi: Residues, inner: Residues, p: int
    ) -> Residues:
        """T chi U for all T (harmonic, row, copy) and U (harmonic, column, copy)."""
        (s, rows, copies_out), (t, columns, copies_in) = outer.shape, inner.shape
        monomials = chi.shape[2]
        middle = product(
            chi.transpose(0, 2, 1).reshape(s * monomials, t),
            inner.reshape(t, columns * copies_in),
            p,
        )
        found = product(outer.reshape(s, -1).T, middle.reshape(s, -1), p)
        apart = found.reshape(rows, copies_out, monomials, columns, copies_in)
        places = (0, 3, 2) if self.task.is_row_major else (3, 0, 2)
        return apart.transpose(1, 4, *places).reshape(copies_out * copies_in, -1)


def through_irreps(batch: Batch) -> Sparse | None:
    """The null space of the constraint of one task; None where it is not of this kind, or too large."""
    if len(batch.tasks) > 1 or turns_space(batch.group) is None:
        return None
    (task,) = batch.tasks
    bases = rational_basis(task.rep_in), rational_basis(task.rep_out)
    if bases[0] is None or bases[1] is None:
        return None
    source, target = decomposed(bases[0]), decomposed(bases[1])
    if source is None or target is None:
        return None
    found = Links(task, source, target, tuple(_links(task, source, target)))
    field = _field(batch)
    if not found.dimension:
        return no_entries((0, task.unknowns), field)
    if found.dimension * task.unknowns > MAX_CELLS:
        return None
    try:
        vectors = echelon_of_span(found.span)
    except (TooLargeError, ExactnessError):  # the linear system has the answer
        return None
    return _with_roots(task, vectors, bases[0].squares, bases[1].squares, field)


def _links(
    task: Task, source: RationalDecomposition, target: RationalDecomposition
) -> Iterator[Link]:
    orders = range(task.order % 2, task.order + 1, 2)
    for b in target.summands:
        for a in source.summands:
            if not a.may_meet(b, orders):
                continue
            terms = source.terms[a.name], target.terms[b.name]
            known = between(task.group, *terms, orders)
            symbols = [
                _raised(dense(chi)[0], n, task.order)
                for n, chi in zip(orders, known, strict=True)
                if chi.size
            ]
            if symbols:
                yield Link(a, b, tuple(symbols))


def _raised(chi: ExactArray, order: int, wanted: int) -> ExactArray:
    """Times the power of r^2 that makes the order the wanted one."""
    for n in range(order, wanted, 2):
        chi = chi @ integers(radius(3, n))
    return chi


def _maps(side: RationalDecomposition, used: list[Summand], p: int) -> Maps | None:
    once = {s.name: s for s in used}
    irreps = [(s.name, s.irrep, s.multiplicity) for s in once.values()]
    degrees = tuple(sorted({s.degree or 0 for s in side.summands}))
    return maps_from_irreps(side.rep, degrees, irreps, p)


def _adjoint(side: RationalDecomposition, maps: Maps, p: int) -> Maps | None:
    r"""The maps $M_\psi^{-1} T^T M$ to the irreps, one for each from them."""
    metric = _residues(side.basis.metric, p)
    out = {}
    for name, own in maps.items():
        lowered = _residues([1 / v for v in norms(side.terms[name].degree)], p)
        if metric is None or lowered is None:
            return None
        scaled = reduced(own * metric[None, :, None], p)
        out[name] = reduced(scaled * lowered[:, None, None], p)
    return out


def _residues(values: Numbers | list[Fraction], p: int) -> Residues | None:
    if any(v.denominator % p == 0 for v in values):
        return None
    found = [v.numerator * pow(v.denominator, -1, p) % p for v in values]
    return reduced(np.array(found, dtype=np.float64), p)


def _image(chi: ExactArray, p: int) -> Residues:
    """Of whole numbers."""
    flat = lane(p).images(chi.reshape(-1))
    if flat is None:  # closed forms are scaled to integers
        raise TooLargeError
    return flat.reshape(chi.shape)


def _field(batch: Batch) -> Field:
    """That of the constraint."""
    matrices = [m for rep in batch.reps for m in rep.matrices()]
    for k in generating_indices(batch.group):
        matrices += [rep.lie[k] for rep in batch.reps]
    return reduce(join, (m.field for m in matrices), RATIONALS)


def _with_roots(
    task: Task, vectors: Sparse, squares_in: Numbers, squares_out: Numbers, field: Field
) -> Sparse | None:
    r"""$D_{out} P D_{in}^{-1}$, every P divided by what its first coefficient was multiplied by."""
    if len({*squares_in, *squares_out}) == 1:
        return replace(vectors, values=vectors.values.over(field))
    rows, columns = task.shape
    place = vectors.columns // task.monomials
    if task.is_row_major:
        row, column = np.divmod(place, columns)
    else:
        column, row = np.divmod(place, rows)
    first = np.searchsorted(vectors.rows, vectors.rows)
    values = rooted(
        vectors.values, (row, column), first, (squares_in, squares_out), field
    )
    return replace(vectors, values=values)
