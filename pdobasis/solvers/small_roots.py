r"""Representations that are rational up to square roots, $\rho = N\rho_0 N^{-1}$ with $N = \mathrm{diag}(\sqrt{c_i})$.

Orthonormal bases of irreps are of this kind (E of the cubic groups). The symbols between them are $N_{out} P
N_{in}^{-1}$, P between the rational ones; scaling unknowns scales the vectors of an echelon form, which start with 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import squarefree
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import Field
from pdobasis.exact.roots import with_root
from pdobasis.exact.scattered import Scattered
from pdobasis.operators.symbols import Symbols
from pdobasis.representations.representation import Representation
from pdobasis.solvers.batch import Task
from pdobasis.solvers.small_actions import Whole, as_exact, from_rows
from pdobasis.values import dataclass

MOST = 8
"""Sizes up to which square roots are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Unrooted:
    """rho_0, and the numbers c."""

    rep: Representation
    classes: tuple[int, ...]


@remembered
def unrooted(rep: Representation) -> Unrooted | None:
    """None where a representation of a finite group is not of this kind, or not small."""
    if all(m.is_rational for m in rep.generators):
        return Unrooted(rep, (1,) * rep.size)
    if rep.size > MOST or any(m.field.conductor > 1 for m in rep.generators):
        return None
    found = without_roots(rep.generators, rep.size)
    if found is None:
        return None
    own, classes = found
    generators = tuple(map(as_exact, own))
    return Unrooted(replace(rep, generators=generators, term=None), classes)


def without_roots(
    matrices: Sequence[ExactArray], size: int
) -> tuple[list[Whole], tuple[int, ...]] | None:
    """The same of matrices, in Python's integers."""
    if any(isinstance(m, Scattered) for m in matrices):
        return None
    roots, tables = [], []
    for m in matrices:
        own = _roots(m)
        if own is None:
            return None
        roots.append(own)
        # one coordinate of every number is not zero
        tables.append([list(map(sum, row)) for row in m.numerators.tolist()])
    classes = _classes(roots, size)
    if classes is None:
        return None
    pairs = zip(tables, matrices, strict=True)
    found = [_divided(table, m.denominator, classes) for table, m in pairs]
    return found, tuple(classes)


Roots = dict[tuple[int, int], int]
"""The radicand of every entry that is not zero."""


def _roots(m: ExactArray) -> Roots | None:
    """None where an entry is no multiple of one square root."""
    out: Roots = {}
    radicands = radicands_of(m.field)
    if radicands is None:
        return None
    for i, row in enumerate(m.numerators.tolist()):
        for j, number in enumerate(row):
            places = [k for k, v in enumerate(number) if v]
            if len(places) > 1:
                return None
            if places:
                out[i, j] = radicands[places[0]]
    return out


def radicands_of(field: Field) -> tuple[int, ...] | None:
    r"""The squares of the basis of a field, where these are whole numbers: $\sqrt2$ and $\sqrt3$ are twice a cosine."""
    if field.conductor == 1:
        return tuple(field.radicands)
    known = {8: 2, 12: 3}
    if field.degree != 2 or field.conductor not in known:
        return None
    return 1, known[field.conductor]


def _classes(roots: Sequence[Roots], size: int) -> list[int] | None:
    """c with sqrt(c_i c_j) a rational multiple of the root of entry (i, j); None where there are none."""
    found = [0] * size
    joined: list[Roots] = [{} for _ in range(size)]
    for own in roots:
        for (i, j), r in own.items():
            joined[i][i, j] = joined[j][j, i] = r
    for start in range(size):
        if found[start]:
            continue
        found[start] = 1
        waiting = [start]
        # the list grows while it is read
        for i in waiting:
            for (_, there), r in joined[i].items():
                if not found[there]:
                    found[there] = squarefree(found[i] * r)[1]
                    waiting.append(there)
    for own in roots:
        for (i, j), r in own.items():
            if squarefree(found[i] * found[j])[1] != r:
                return None
    return found


def _divided(table: list[list[int]], denominator: int, classes: Sequence[int]) -> Whole:
    r"""$\rho_{0,ij} = \rho_{ij} \sqrt{c_j/c_i}$, where $\rho_{ij} = q \sqrt{c_i c_j}/g$ with $g = \gcd(c_i, c_j)$."""
    rows = []
    for i, row in zip(classes, table, strict=True):
        pairs = zip(row, classes, strict=True)
        rows.append([v * (j // gcd(i, j)) for v, j in pairs])
    return from_rows(rows, denominator)


def rooted(part: Symbols, task: Task, field: Field) -> Symbols:
    """What the symbols between rational representations are between those of a task."""
    sides = unrooted(task.rep_in), unrooted(task.rep_out)
    columns, rows = (own.classes if own is not None else () for own in sides)
    values = part.coefficients
    if {*rows, *columns} == {1} or not part.size:
        return replace(part, coefficients=values.over(field))
    entries = list(
        zip(part.element.tolist(), part.row.tolist(), part.column.tolist(), strict=True)
    )
    first: dict[int, tuple[int, int]] = {}
    # a vector starts at its first unknown
    for k, r, c in entries:
        if not task.is_row_major and k in first:
            first[k] = min(first[k], (r, c), key=lambda place: place[::-1])
        else:
            first.setdefault(k, (r, c))
    factors = []
    for k, r, c in entries:
        r0, c0 = first[k]
        q = Fraction(rows[r] * columns[c0], rows[r0] * columns[c])
        factor, rest = with_root(q)
        factors.append((factor, field.radicands.index(rest)))
    common = lcm(*(factor.denominator for factor, _ in factors))
    zero = [0] * field.degree
    table = []
    for (factor, place), line in zip(
        factors, values.numerators[..., 0].tolist(), strict=True
    ):
        scale = int(factor * common)
        table.append([[*zero[:place], v * scale, *zero[place + 1 :]] for v in line])
    numbers = np.array(table, dtype=object)
    scaled = exact(numbers, values.denominator * common, field)
    return replace(part, coefficients=scaled)
