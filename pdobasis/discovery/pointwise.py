"""The strong form: terms at points, and ∂_t by differences of high order of fields that are smoothed before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pdobasis.discovery.derivatives import differences
from pdobasis.discovery.recording import Array
from pdobasis.errors import SpecError

PER_AXIS = 20
"""Points of an axis of space that are taken."""
END = 4
"""Frames at both ends whose derivatives are one-sided, and left out."""


@dataclass(frozen=True, eq=False)
class Points:
    """Values at some places, and derivatives by a matrix."""

    chosen: Array
    places: Array
    derivative: Array | None = None

    @property
    def centres(self) -> Array:
        return np.asarray(self.places[self.chosen.astype(np.int64)])

    def weights(self, order: int) -> Array:
        rows = self.chosen.astype(np.int64)
        if order == 0:
            return np.asarray(np.eye(len(self.places))[rows])
        if order != 1 or self.derivative is None:
            raise SpecError("the strong form differentiates fields, not test functions")
        return np.asarray(self.derivative[rows])


def points_of(places: Array) -> Points:
    """Evenly chosen points of an axis of space."""
    n = len(places)
    count = min(n, PER_AXIS)
    return Points(np.unique(np.linspace(0, n - 1, count).round()), places)


def instants(times: Array) -> Points:
    """All frames but those at the ends. Fields are smoothed by then, so differences need not be."""
    end = min(END, (len(times) - 1) // 4)
    inner = np.arange(end, len(times) - end, dtype=np.float64)
    return Points(inner, times, differences(times, 1))
