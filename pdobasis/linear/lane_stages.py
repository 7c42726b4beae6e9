r"""The stages of a large system modulo primes, at all places side by side, component by component.

Only the last result is lifted to K, and checked there exactly; where square roots only scale equations and unknowns,
over Q.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.exact.array import exact
from pdobasis.exact.field import Field
from pdobasis.exact.types import IndexArray
from pdobasis.linear.elimination import eliminate
from pdobasis.linear.gauge import Gauge, find_gauge
from pdobasis.linear.lane_matrix import Components, LaneMatrix
from pdobasis.linear.lanes import Lanes, Residues, lanes
from pdobasis.linear.null_space import null_space
from pdobasis.linear.remainders import Remainders
from pdobasis.linear.sparse import Sparse, annihilates, collapse, join_systems
from pdobasis.linear.stages import null_space_in_stages

MANY_PLACES = 4
"""Degrees of a field from which it is worth to look for a scaling that makes the system rational."""
MAX_PRIMES = 24
"""Small ones, beyond which large ones are taken."""
MAX_CELLS = 6_000_000
"""Residues in the work space of components that are eliminated side by side."""
LARGEST = 40_000_000
"""Residues in that of a single one."""


def by_lanes(stages: Sequence[Sparse], field: Field) -> Sparse:
    """The solutions of all stages: modulo one small prime after the other, or as many large ones as it takes."""
    gauge = _gauge(stages, field)
    if gauge is not None:
        rational = [gauge.rational(stage) for stage in stages]
        return gauge.restore(null_space_in_stages(rational))
    with suppress(TooLargeError):
        found = _by_primes(stages, field)
        if found is not None:
            return found
    return null_space(join_systems(stages))


def _gauge(stages: Sequence[Sparse], field: Field) -> Gauge | None:
    """Of all stages together, where the places of the field would be many."""
    if field.degree < MANY_PLACES:
        return None
    return find_gauge(collapse(join_systems(stages)))


class TooLargeError(Exception):
    """A component is too large to be spread out: sparse methods take it."""


def _by_primes(stages: Sequence[Sparse], field: Field) -> Sparse | None:
    """None where the field is too large, or the primes do not suffice.

    What is lifted may be believed because it is checked: reduction modulo p
    loses no solution, so if all vectors are solutions over K they are all.
    """
    known: LaneMatrix | None = None
    numbers: Remainders | None = None
    for index in range(MAX_PRIMES):
        arithmetic = lanes(field, index)
        if arithmetic is None:
            return None
        solutions = _solutions(stages, arithmetic)
        # an unlucky prime has more solutions, or others: the fewest are believed
        if solutions is None or (known and solutions.shape[0] > known.shape[0]):
            continue
        p = arithmetic.prime.prime
        values = arithmetic.coordinates(solutions.values)
        if known is None or numbers is None or not _is_alike(known, solutions):
            known, numbers = solutions, Remainders(values.ravel(), p)
        else:
            numbers.add(values.ravel(), p)
        fractions = numbers.fractions()
        if fractions is None:
            continue
        whole, denominator = numbers.written(fractions)
        lifted = exact(whole.reshape(values.shape), denominator, field)
        found = Sparse(known.rows, known.columns, lifted, known.shape)
        # modulo the primes so far these are the solutions: multiples of p are left
        if all(annihilates(stage, found, numbers.modulus) for stage in stages):
            return found
    return None


def _is_alike(a: LaneMatrix, b: LaneMatrix) -> bool:
    """Whether entries stand in the same places."""
    if a.shape != b.shape or len(a.rows) != len(b.rows):
        return False
    return np.array_equal(a.rows, b.rows) and np.array_equal(a.columns, b.columns)


def _solutions(stages: Sequence[Sparse], arithmetic: Lanes) -> LaneMatrix | None:
    """Of all stages, in all lanes; sorted by row and column."""
    solutions: LaneMatrix | None = None
    for stage in stages:
        check()
        images = arithmetic.images(stage.values)
        if images is None:
            return None
        system = LaneMatrix(stage.rows, stage.columns, images, stage.shape)
        if solutions is not None:
            system = system.times(solutions.transposed(), arithmetic)
        found = null_space_modulo(system.collapsed(arithmetic), arithmetic)
        if found is None:
            return None
        # Echelon forms compose: combinations of solutions are an echelon form
        # again, and no new elimination is needed.
        if solutions is not None:
            found = found.times(solutions, arithmetic).collapsed(arithmetic)
        solutions = found
    return solutions


def null_space_modulo(matrix: LaneMatrix, arithmetic: Lanes) -> LaneMatrix | None:
    """Component by component, components of like size side by side."""
    free = np.ones(matrix.shape[1], dtype=bool)
    if (matrix.rows[1:] != matrix.rows[:-1]).all():
        # Every equation has one entry, which says that an unknown is zero.
        free[matrix.columns] = False
        return _echelon(free, [], len(arithmetic))
    parts = Components(matrix)
    free[parts.zero] = False
    pieces: list[tuple[IndexArray, IndexArray, Residues]] = []
    for members in _side_by_side(parts, len(arithmetic)):
        check()
        matrices, names = parts.dense(members)
        reduced = eliminate(matrices, arithmetic)
        if reduced is None:
            return None
        free[names[reduced.pivots]] = False
        weights = reduced.weights
        which, pivot, column = np.nonzero(weights.any(axis=0))
        own = weights[:, which, pivot, column]
        pieces.append((names[which, column], names[which, pivot], own))
    return _echelon(free, pieces, len(arithmetic))


def _side_by_side(parts: Components, lanes: int) -> Iterator[IndexArray]:
    """Components of like size, as many as there is room for."""
    for members in parts.classes():
        height, width = parts.size(members)
        cells = lanes * (height + width) * width
        if cells > LARGEST:
            raise TooLargeError
        step = max(1, MAX_CELLS // cells)
        for first in range(0, len(members), step):
            yield members[first : first + step]


def _echelon(
    free: IndexArray,
    pieces: Sequence[tuple[IndexArray, IndexArray, Residues]],
    count: int,
) -> LaneMatrix:
    """The vectors e_f + sum of weights e_c, sorted by row and column.

    ``pieces`` are (free column f, pivot column c, weights in all lanes).
    """
    width = len(free)
    own = np.flatnonzero(free)
    shape = (len(own), width)
    ones = np.ones((count, len(own)))
    pieces = [piece for piece in pieces if len(piece[0])]
    if not pieces:
        return LaneMatrix(np.arange(len(own)), own, ones, shape)
    rows = np.concatenate([own, *(f for f, _, _ in pieces)])
    columns = np.concatenate([own, *(c for _, c, _ in pieces)])
    values = np.concatenate([ones, *(w for _, _, w in pieces)], axis=1)
    # A vector is numbered by its free column, where it starts.
    order = np.argsort(rows * width + columns)
    number = np.cumsum(free) - 1
    return LaneMatrix(number[rows[order]], columns[order], values[:, order], shape)
