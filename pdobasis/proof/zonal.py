r"""The parities of the irreps of a large representation of O(3), from what rotations about one axis leave fixed.

Let Z turn about an axis, X and Y about the others, $C = -(X^2 + Y^2 + Z^2)$, and f the mirror of a plane that holds
the axis. An irrep of order l has one line with $Zv = 0$, on which C is $l(l+1)$; f is minus one times the half turn
that takes the axis to its negative, which is $(-1)^l$ there. So $\epsilon = (-1)^l f$ is what -1 is in this irrep, and
$s_l = \mathrm{tr}(f|_{Zv = 0,\, C = l(l+1)})$ follows from $\mathrm{tr}(f C^j) = \sum_l s_l\,(l(l+1))^j$ on that space,
which is small. The $s_l$ are whole numbers of at most the size: they are known when they are known modulo a prime.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import RATIONALS, join
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.proof.action import lie_on_space
from pdobasis.proof.equations import Triples
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.modular import Place, filled, place, residues
from pdobasis.proof.nullity import added, connected, product
from pdobasis.proof.sparse import entries
from pdobasis.proof.weights import weights
from pdobasis.representations.representation import Representation

BITS = 27
TERMS = 1 << 9
"""Products of residues of so many bits whose sum int64 holds."""
AT_ONCE = 1 << 21
PLANES = {(0, 1), (0, 2), (1, 2)}
"""The coordinate planes in which generators turn; the mirror turns x3 over, and holds the axes x1 and x2."""


def parities(rep: Representation, top: int) -> list[int] | None:
    """$s_0, \\dots, s_{top}$; None where generators are others, or a prime is missing.

    The weights of all rotations are known to be whole numbers of at most ``top``.
    """
    lie = _by_planes(rep)
    if lie is None:
        return None
    mirror = matrices_of(rep)[0]
    field = RATIONALS
    for m in (*lie.values(), mirror):
        field = join(field, m.field)
    try:
        at = place(field, 0, BITS)
        turns = {plane: _image(m, at) for plane, m in lie.items()}
        flip = _image(mirror, at)
    except ExactnessError:
        return None
    p, size = at.prime, rep.size
    if p <= 2 * max(size, (top + 1) ** 2):
        return None
    # the axis about which the matrices fall into the smaller parts
    axis = min(((0, 2), (1, 2)), key=lambda own: _effort(turns[own], size))
    fixed, starts = _fixed(turns.pop(axis), size, p)
    # every irrep has one: a vector that is missed, or one too many, would make another count
    plain = weights(rep, False)
    if plain is None or len(starts) != plain.table.get(0, 0):
        return None
    squares = _minus_squares(fixed, list(turns.values()), size, p)
    casimir = _inside(squares, fixed, starts, size, p)
    turned = product(fixed, _transposed(flip), size, p)
    mirrored = _inside(turned, fixed, starts, size, p)
    if casimir is None or mirrored is None:
        return None
    traces = _traces(mirrored, casimir, len(starts), top, p)
    return None if traces is None else _solved(traces, size, p)


def _minus_squares(
    vectors: Triples, matrices: Sequence[Triples], size: int, p: int
) -> Triples:
    """$-(X^2 + Y^2)v$ for every vector, not added up."""
    found = []
    for m in matrices:
        across = _transposed(m)
        once = added(product(vectors, across, size, p), size, p)
        found.append(product(once, across, size, p))
    rows, columns, values = (np.concatenate(own) for own in zip(*found, strict=True))
    return rows, columns, p - values


def _by_planes(rep: Representation) -> dict[tuple[int, int], ExactArray] | None:
    """What the turns of the three coordinate planes are, each up to its sign, which its square forgets."""
    found = {}
    for x, image in zip(lie_on_space(rep.group), rep.lie, strict=True):
        rows, columns, values = entries(x)
        if not values.field.is_rational or values.denominator != 1:
            return None
        numbers = values.numerators[:, 0].tolist()
        if len(rows) == 2 and sorted(numbers) == [-1, 1]:
            found[int(rows[0]), int(columns[0])] = image
    return found if set(found) == PLANES else None


def _image(m: ExactArray, at: Place) -> Triples:
    """Without what is zero modulo the prime: a column of multiples of it has no entries."""
    rows, columns, values = entries(m)
    return added((rows, columns, residues(values, at)), len(m), at.prime)


def _transposed(m: Triples) -> Triples:
    order = np.argsort(m[1], kind="stable")
    return m[1][order], m[0][order], m[2][order]


def _effort(m: Triples, size: int) -> int:
    return sum(len(np.unique(part[1])) ** 2 for part in connected(m, size))


def _fixed(m: Triples, size: int, p: int) -> tuple[Triples, IndexArray]:
    """The vectors v with m v = 0 as (vector, column, residue), and where each has 1 and the others have 0."""
    alone = np.flatnonzero(np.bincount(m[1], minlength=size) == 0)
    starts = alone.tolist()
    rows, columns, values = list(range(len(starts))), [*starts], [1] * len(starts)
    for part in connected(m, size):
        names, column = np.unique(part[1], return_inverse=True)
        own, row = np.unique(part[0], return_inverse=True)
        triples = zip(row.tolist(), column.tolist(), part[2].tolist(), strict=True)
        solutions, nullity = filled((len(own), len(names)), triples, p).nullspace()
        if not nullity:
            continue
        reduced, _ = solutions.transpose().rref()
        for line in reduced.table()[:nullity]:
            numbers = [int(v) for v in line]
            places = [k for k, v in enumerate(numbers) if v]
            rows += [len(starts)] * len(places)
            columns += names[places].tolist()
            values += [numbers[k] for k in places]
            starts.append(int(names[places[0]]))
    found = np.array(rows), np.array(columns), np.array(values)
    return found, np.array(starts, dtype=np.int64)


def _inside(
    images: Triples, fixed: Triples, starts: IndexArray, size: int, p: int
) -> Triples | None:
    """The coordinates of the images of the fixed vectors; None where one is not fixed."""
    whole = added(images, size, p)
    number = np.full(size, -1)
    number[starts] = np.arange(len(starts))
    kept = np.flatnonzero(number[whole[1]] >= 0)
    inside = whole[0][kept], number[whole[1][kept]], whole[2][kept]
    again = product(inside, _sorted(fixed), len(starts), p)
    both = zip(whole, (again[0], again[1], p - again[2]), strict=True)
    rows, columns, values = (np.concatenate(own) for own in both)
    return None if len(added((rows, columns, values), size, p)[0]) else inside


def _sorted(m: Triples) -> Triples:
    order = np.argsort(m[0], kind="stable")
    return m[0][order], m[1][order], m[2][order]


def _traces(
    first: Triples, step: Triples, size: int, top: int, p: int
) -> list[int] | None:
    """tr(f C^j) for j up to ``top``, some rows of f at a time."""
    rows, columns, values = _transposed(step)
    heads = np.flatnonzero(np.diff(rows, prepend=-1))
    if int(np.diff(heads, append=len(rows)).max(initial=0)) > TERMS:
        return None
    out = [0] * (top + 1)
    several = max(1, AT_ONCE // max(1, len(rows), size))
    for start in range(0, size, several):
        own = np.flatnonzero((start <= first[0]) & (first[0] < start + several))
        count = min(several, size - start)
        table: IntArray = np.zeros((size, count), dtype=np.int64)
        table[first[1][own], first[0][own] - start] = first[2][own]
        for j in range(top + 1):
            if j:
                moved = np.zeros_like(table)
                if len(rows):
                    terms = values[:, None] * table[columns]
                    moved[rows[heads]] = np.add.reduceat(terms, heads) % p
                table = moved
            out[j] += int(table[start + np.arange(count), np.arange(count)].sum())
    return out


def _solved(traces: Sequence[int], size: int, p: int) -> list[int] | None:
    """The whole numbers of at most the size; None where there are none."""
    from flint import nmod_mat

    count = len(traces)
    powers = [pow(k * (k + 1), j, p) for j in range(count) for k in range(count)]
    # the k(k + 1) are different modulo the prime, too
    system = nmod_mat(count, count, powers, p)
    right = nmod_mat(count, 1, [t % p for t in traces], p)
    found = [int(v) for v in system.solve(right).entries()]
    signed = [v - p * (2 * v > p) for v in found]
    return signed if all(abs(v) <= size for v in signed) else None
