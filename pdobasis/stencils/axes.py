r"""Derivatives along one axis as sparse matrices, with what happens at its two ends.

An axis holds the points $x_1 < … < x_N$ of an array and, at an end with given values, one more point that is not in
the array. Every point takes its derivative of order m from a window of nodes around it, with exact weights for
polynomials: ``size`` nodes in the middle, moved inwards near an end, and one node more there where m is even, so that
the order of accuracy is the same everywhere: size − m for odd m and size − m + 1 for even m, on uniform axes.
Derivatives may be taken elsewhere than at the nodes: halfway between two of them the window has size − 1.

An end may state its accuracy: p nodes more than m near it. An axis with ``sbp`` at both ends has derivatives that
fulfil summation by parts (`pdobasis.stencils.sbp`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from pdobasis.errors import SpecError
from pdobasis.stencils.errors import GridError, StencilTooSmallError
from pdobasis.stencils.finite_difference import fornberg_weights
from pdobasis.stencils.sbp import sbp_derivative, sbp_norm

PERIODIC, ONE_SIDED, DIRICHLET, NEUMANN, SBP = (
    "periodic",
    "one-sided",
    "dirichlet",
    "neumann",
    "sbp",
)
CONDITIONS = (PERIODIC, ONE_SIDED, DIRICHLET, NEUMANN, SBP)
HAS_VALUES = (DIRICHLET, NEUMANN)

Sparse = Any
"""A matrix of scipy.sparse, in rows."""


@dataclass(frozen=True)
class Axis:
    """Points of one coordinate, those with given values included, and the conditions at the lower and the upper end.

    >>> Axis.uniform(3, Fraction(1), ("dirichlet", "one-sided"), 3).derivative(2).toarray()
    array([[ 1., -2.,  1.,  0.],
           [ 0.,  1., -2.,  1.],
           [-1.,  4., -5.,  2.]])
    """

    nodes: tuple[Fraction, ...]
    ends: tuple[str, str]
    size: int
    period: Fraction | None = None
    step: Fraction | None = None
    """Where the points are even but for given ones, and windows that are not grow to keep the order of accuracy."""
    accuracy: tuple[int | None, int | None] = (None, None)
    """What is stated for derivatives near both ends; None: that of the middle."""

    def __post_init__(self) -> None:
        if any(a >= b for a, b in zip(self.nodes, self.nodes[1:], strict=False)):
            raise GridError("the points of an axis have to grow")
        if PERIODIC in self.ends and (
            self.ends != (PERIODIC, PERIODIC) or self.period is None
        ):
            raise SpecError(
                "an axis is periodic at both ends or at none, and then uniform"
            )
        if SBP in self.ends and (self.ends != (SBP, SBP) or self.step is None):
            raise SpecError(
                "an axis has summation by parts at both ends or at none, and then is uniform"
            )
        if self.size < 3 or self.size % 2 == 0:
            raise GridError(
                f"a window has an odd number of nodes, 3 or more, got {self.size}"
            )
        if len(self.nodes) < self.size + 1:
            raise GridError(
                f"an axis of {len(self.nodes)} points is too short for windows of {self.size} nodes and one more at "
                f"its ends: use {self.size + 1} points or more"
            )

    @classmethod
    def uniform(
        cls,
        count: int,
        step: Fraction,
        ends: tuple[str, str],
        size: int,
        accuracy: tuple[int | None, int | None] = (None, None),
    ) -> Axis:
        """``count`` points of the array, the first at 0."""
        low, high = (int(end in HAS_VALUES) for end in ends)
        nodes = tuple(step * k for k in range(-low, count + high))
        period = None
        if PERIODIC in ends:
            period = step * count
        return cls(nodes, ends, size, period, step, accuracy)

    @property
    def inside(self) -> slice:
        """The points of the array among the nodes."""
        low, high = (int(end in HAS_VALUES) for end in self.ends)
        return slice(low, len(self.nodes) - high)

    @property
    def count(self) -> int:
        return len(self.nodes[self.inside])

    @property
    def points(self) -> tuple[Fraction, ...]:
        """The points of the array."""
        return self.nodes[self.inside]

    def derivative(
        self, order: int, targets: tuple[Fraction, ...] | None = None
    ) -> Sparse:
        """From values at all nodes to the derivative at the points of the array, or at other places."""
        from scipy.sparse import csr_matrix

        if SBP in self.ends:
            return _divided(self.weighted(order), self.norm)
        at = targets
        if at is None:
            at = self.points
        unit, _ = self.in_units
        rows, columns, values = [], [], []
        known: dict[tuple[Fraction | int, ...], list[tuple[int, float]]] = {}
        units = self._units(at)
        middle = self._middle(units)
        for row in (*range(middle.start + 1), *range(middle.stop, len(at))):
            if row == len(at):
                continue
            low, offsets = self._window(units[row], order)
            if offsets not in known:
                exact = fornberg_weights([x * unit for x in offsets], order)[order]
                known[offsets] = [(j, float(w)) for j, w in enumerate(exact) if w]
            for j, weight in known[offsets]:
                rows.append(row)
                columns.append((low + j) % len(self.nodes))
                values.append(weight)
        place, shape = (rows, columns), (len(at), len(self.nodes))
        if not middle:
            return csr_matrix((values, place), shape=shape)
        return csr_matrix(_repeated(values, place, middle), shape=shape)

    def _middle(self, targets: Sequence[Fraction | int]) -> range:
        """Rows far from both ends of a uniform axis, which all have the window of the first of them, moved."""
        far = 2 * self.size + max(a or 0 for a in self.accuracy) + 4
        rows = range(far, len(targets) - far)
        # Steps are two units, of the points and of the nodes.
        if self.step is None or len(rows) < far:
            return range(len(targets), len(targets))
        even = np.diff(np.array(targets[far:-far], dtype=object)) == 2
        if not even.all():
            return range(len(targets), len(targets))
        return rows

    @cached_property
    def in_units(self) -> tuple[Fraction, tuple[Fraction | int, ...]]:
        """A unit, and the nodes in it: half a step of a uniform axis, where whole numbers are compared sooner."""
        if self.step is None:
            return Fraction(1), self.nodes
        return self.step / 2, self._units(self.nodes)

    def _units(self, places: Sequence[Fraction]) -> tuple[Fraction | int, ...]:
        if self.step is None:
            return tuple(places)
        half = self.step / 2
        top, bottom = half.numerator, half.denominator
        # x / half in whole numbers, where it is one: by hand, since fractions look for common factors each time.
        moved = [divmod(x.numerator * bottom, x.denominator * top) for x in places]
        if not any(rest for _, rest in moved):
            return tuple(whole for whole, _ in moved)
        return tuple(x / half for x in places)

    @cached_property
    def norm(self) -> list[float]:
        """The weights h of the points in the discrete energy, of a periodic axis or one with summation by parts."""
        if self.period is not None:
            return [float(self.period / len(self.nodes))] * len(self.nodes)
        if self.step is None or SBP not in self.ends:
            raise SpecError(
                "only periodic axes and those with sbp at both ends have an energy"
            )
        return [float(self.step * h) for h in sbp_norm(len(self.nodes), self.size)]

    def weighted(self, order: int) -> Sparse:
        """H times the derivative: skew for m = 1 and symmetric for m = 0, 2, bit by bit, but for the ends."""
        from scipy.sparse import csr_matrix, diags

        if self.period is not None:
            return csr_matrix(diags(self.norm) @ self.derivative(order))
        if self.step is None:
            raise SpecError("summation by parts needs a uniform axis")
        total = len(self.nodes)
        # Rows in the middle are alike: few points stand for many.
        short = min(total, 6 * self.size)
        entries = sbp_derivative(short, self.size, order)
        scale = self.step ** (1 - order)
        values = [float(v * scale) for v in entries.values()]
        rows, columns = (list(line) for line in zip(*entries, strict=True))
        middle = short // 2
        behind = [row > middle for row in rows]
        for line in (rows, columns):
            line[:] = [
                k + (total - short) * late for k, late in zip(line, behind, strict=True)
            ]
        alike = range(middle, middle + 1 + total - short)
        return csr_matrix(
            _repeated(values, (rows, columns), alike), shape=(total, total)
        )

    @cached_property
    def extension(self) -> tuple[Sparse, Sparse]:
        """(E, F): the values at all nodes are E u + F g, for u in the array and g given at the two ends."""
        from scipy.sparse import csr_matrix, lil_matrix

        total = len(self.nodes)
        start = self.inside.start
        every = np.arange(self.count)
        copies = (np.ones(self.count), (every + start, every))
        own: Sparse = csr_matrix(copies, shape=(total, self.count))
        given = lil_matrix((total, 2))
        if NEUMANN in self.ends:
            own = own.tolil()
        for end, condition in enumerate(self.ends):
            place = (0, total - 1)[end]
            if condition == DIRICHLET:
                given[place, end] = 1.0
            if condition == NEUMANN:
                near = self._end_nodes(end)
                weights = fornberg_weights(
                    [self.nodes[j] - self.nodes[place] for j in near], 1
                )[1]
                # The derivative outwards is g: solved for the value at the end itself, which comes first.
                given[place, end] = (-1, 1)[end] / float(weights[0])
                for j, weight in zip(near[1:], weights[1:], strict=True):
                    own[place, j - start] = -float(weight / weights[0])
        return own.tocsr(), given.tocsr()

    def _end_nodes(self, end: int) -> list[int]:
        """The node at an end and those next to it; none has a given value but itself.

        On n nodes the value at the end has an error of order n, which second derivatives divide by the square of the
        step: for their accuracy in the middle, size − 1, it takes n = size + 1, and p + 2 for a stated one.
        """
        last = len(self.nodes) - 1
        most = last + int(self.ends[1 - end] not in HAS_VALUES)
        stated = self.accuracy[end]
        if stated is not None and stated + 2 > most:
            raise GridError(
                f"an axis of {last + 1} points is too short for {stated + 2} nodes near its ends: use more points"
            )
        count = min(self.size + 1, most)
        if stated is not None:
            count = stated + 2
        if end == 0:
            return list(range(count))
        return [last - j for j in range(count)]

    def _window(
        self, target: Fraction | int, order: int
    ) -> tuple[int, tuple[Fraction | int, ...]]:
        """The number of the first node, and where all are seen from the target, in units."""
        nodes = self.in_units[1]
        if self.period is not None:
            return self._around(target, order)
        total = len(nodes)
        k = bisect_left(nodes, target)
        on_node = k < total and nodes[k] == target
        if order == 0 and on_node:
            return k, (0,)
        length = self.size
        if not on_node:  # as many nodes on either side
            length -= 1
        self._require_size(order, length)
        low = k - length // 2
        inside = low >= 0 and low + length <= total
        offsets = tuple(x - target for x in nodes[low : low + length]) if inside else ()
        uneven = self.step is not None and offsets != tuple(-x for x in offsets[::-1])
        if not inside or uneven:
            # Without symmetry around the target no moment vanishes by itself: a node more has to do it.
            length += (length - order) % 2
            stated = self.accuracy[int(2 * k >= total)]
            if stated is not None:
                length = stated + order
            if length > total:
                raise GridError(
                    f"an axis of {total} points is too short for {length} nodes near its ends: use more points"
                )
            low = min(max(k - length // 2, 0), total - length)
            offsets = tuple(x - target for x in nodes[low : low + length])
        return low, offsets

    def _around(
        self, target: Fraction | int, order: int
    ) -> tuple[int, tuple[Fraction | int, ...]]:
        """The window on a periodic axis, whose steps are two units."""
        k, rest = divmod(target - self.in_units[1][0], 2)
        if not rest and order == 0:
            return int(k), (0,)
        half = self.size // 2
        around = range(-half, half + 1)
        if rest:
            around = range(1 - half, half + 1)
        self._require_size(order, len(around))
        return int(k) + around[0], tuple(2 * j - rest for j in around)

    def _require_size(self, order: int, length: int) -> None:
        if order >= length:
            needed = order + 1 + self.size - length
            raise StencilTooSmallError(order, 0, length, needed + (needed + 1) % 2)


def _repeated(
    values: list[float], place: tuple[list[int], list[int]], rows: range
) -> tuple[Any, tuple[Any, Any]]:
    """The entries of a matrix where all of these rows have those of the first, moved along with the row."""
    own = np.array(values)
    row, column = (np.array(line, dtype=np.int64) for line in place)
    first = row == rows.start
    moved = np.arange(1, len(rows))[:, None]
    return (
        np.concatenate([own, np.tile(own[first], len(rows) - 1)]),
        (
            np.concatenate([row, (row[first] + moved).ravel()]),
            np.concatenate([column, (column[first] + moved).ravel()]),
        ),
    )


def _divided(matrix: Sparse, norm: Sequence[float]) -> Sparse:
    """H^{-1} times a matrix in rows."""
    from scipy.sparse import csr_matrix, diags

    return csr_matrix(diags([1 / h for h in norm]) @ matrix)


def axis_of(
    points: Sequence[Any],
    ends: tuple[str, str],
    size: int,
    accuracy: tuple[int | None, int | None] = (None, None),
) -> Axis:
    """An axis through points of one's own, those with given values included."""
    try:
        nodes = tuple(Fraction(x) for x in points)
    # What is no number; a float that is not finite.
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise GridError("the points of an axis have to be finite numbers") from None
    return Axis(nodes, ends, size, accuracy=accuracy)
