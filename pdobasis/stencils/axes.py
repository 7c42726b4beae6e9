r"""Derivatives along one axis as sparse matrices, with what happens at its two ends.

An axis holds the points $x_1 < … < x_N$ of an array and, at an end with given values, one more point that is not in
the array. Every point takes its derivative of order m from a window of nodes around it, with exact weights for
polynomials: ``size`` nodes in the middle, moved inwards near an end, and one node more there where m is even, so that
the order of accuracy is the same everywhere: size − m for odd m and size − m + 1 for even m, on uniform axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pdobasis.errors import SpecError
from pdobasis.stencils.errors import GridError, StencilTooSmallError
from pdobasis.stencils.finite_difference import fornberg_weights

PERIODIC, ONE_SIDED, DIRICHLET, NEUMANN = (
    "periodic",
    "one-sided",
    "dirichlet",
    "neumann",
)
CONDITIONS = (PERIODIC, ONE_SIDED, DIRICHLET, NEUMANN)
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

    def __post_init__(self) -> None:
        if any(a >= b for a, b in zip(self.nodes, self.nodes[1:], strict=False)):
            raise GridError("the points of an axis have to grow")
        if PERIODIC in self.ends and (
            self.ends != (PERIODIC, PERIODIC) or self.period is None
        ):
            raise SpecError(
                "an axis is periodic at both ends or at none, and then uniform"
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
        cls, count: int, step: Fraction, ends: tuple[str, str], size: int
    ) -> Axis:
        """``count`` points of the array, the first at 0."""
        low, high = (int(end in HAS_VALUES) for end in ends)
        nodes = tuple(step * k for k in range(-low, count + high))
        period = None
        if PERIODIC in ends:
            period = step * count
        return cls(nodes, ends, size, period)

    @property
    def inside(self) -> slice:
        """The points of the array among the nodes."""
        low, high = (int(end in HAS_VALUES) for end in self.ends)
        return slice(low, len(self.nodes) - high)

    @property
    def count(self) -> int:
        return len(self.nodes[self.inside])

    def derivative(self, order: int) -> Sparse:
        """From values at all nodes to the derivative at the points of the array."""
        from scipy.sparse import csr_matrix

        rows, columns, values = [], [], []
        known: dict[tuple[Fraction, ...], tuple[Fraction, ...]] = {}
        for row, k in enumerate(range(*self.inside.indices(len(self.nodes)))):
            window, offsets = self._window(k, order)
            if offsets not in known:
                known[offsets] = fornberg_weights(offsets, order)[order]
            for column, weight in zip(window, known[offsets], strict=True):
                if weight:
                    rows.append(row)
                    columns.append(column)
                    values.append(float(weight))
        return csr_matrix(
            (values, (rows, columns)), shape=(self.count, len(self.nodes))
        )

    @cached_property
    def extension(self) -> tuple[Sparse, Sparse]:
        """(E, F): the values at all nodes are E u + F g, for u in the array and g given at the two ends."""
        from scipy.sparse import lil_matrix

        total = len(self.nodes)
        own, given = lil_matrix((total, self.count)), lil_matrix((total, 2))
        start = self.inside.start
        for k in range(self.count):
            own[k + start, k] = 1.0
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
        """The node at an end and those next to it; none has a given value but itself."""
        if end == 0:
            return list(range(self.size))
        last = len(self.nodes) - 1
        return [last - j for j in range(self.size)]

    def _window(self, k: int, order: int) -> tuple[list[int], tuple[Fraction, ...]]:
        """Numbers of the nodes, and where they are seen from node k."""
        total, half = len(self.nodes), self.size // 2
        if order == 0:
            return [k], (Fraction(0),)
        if order >= self.size:
            raise StencilTooSmallError(order, 0, self.size, order + 1)
        if self.period is not None:
            step = self.period / total
            around = range(-half, half + 1)
            return [(k + j) % total for j in around], tuple(step * j for j in around)
        low, length = k - half, self.size
        if low < 0 or low + length > total:
            length += (order + 1) % 2
            low = min(max(low, 0), total - length)
        window = list(range(low, low + length))
        return window, tuple(self.nodes[j] - self.nodes[k] for j in window)


def axis_of(points: Sequence[Any], ends: tuple[str, str], size: int) -> Axis:
    """An axis through points of one's own, those with given values included."""
    try:
        nodes = tuple(Fraction(x) for x in points)
    # What is no number; a float that is not finite.
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise GridError("the points of an axis have to be finite numbers") from None
    return Axis(nodes, ends, size)
