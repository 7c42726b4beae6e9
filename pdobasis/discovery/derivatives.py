"""Derivatives of frames: by waves along periodic axes, by differences of high order along open ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

import numpy as np

from pdobasis.discovery.recording import Array

REACH = 9
"""Points of a difference."""


class Derivatives:
    """∂^α of arrays (…, x2, x1)."""

    def __init__(self, axes: Sequence[Array], periodic: Sequence[bool]) -> None:
        self.axes: tuple[Array, ...] = tuple(axes)
        self.periodic: tuple[bool, ...] = tuple(periodic)
        self.known: dict[tuple[int, int], Array] = {}

    def __call__(self, array: Array, alpha: Sequence[int]) -> Array:
        out = array
        for k, order in enumerate(alpha):
            if not order:
                continue
            axis = array.ndim - 1 - k
            if self.periodic[k]:
                out = by_waves(out, axis, order, self.axes[k])
            else:
                if (k, order) not in self.known:
                    self.known[k, order] = differences(self.axes[k], order)
                moved = np.tensordot(self.known[k, order], out, axes=(1, axis))
                out = np.moveaxis(moved, 0, axis)
        return out


def by_waves(array: Array, axis: int, order: int, places: Array) -> Array:
    """The derivative of the sum of waves through the values along a periodic axis."""
    n = array.shape[axis]
    factor = (2j * np.pi * np.fft.rfftfreq(n, places[1] - places[0])) ** order
    if order % 2 and n % 2 == 0:  # the highest frequency has no odd derivative
        factor[-1] = 0
    shape = [1] * array.ndim
    shape[axis] = len(factor)
    moved = np.fft.rfft(array, axis=axis) * factor.reshape(shape)
    return np.asarray(np.fft.irfft(moved, n=n, axis=axis))


def differences(places: Array, order: int) -> Array:
    """The matrix of a derivative, exact for polynomials of degree below ``REACH``; one-sided near the ends.

    >>> x = np.linspace(0, 1, 12)
    >>> bool(np.allclose(differences(x, 2) @ x**5, 20 * x**3))
    True
    """
    n = len(places)
    reach = min(REACH, n)
    out = np.zeros((n, n))
    for i, x in enumerate(places):
        first = min(max(i - reach // 2, 0), n - reach)
        near = places[first : first + reach]
        scale = float(near[-1] - near[0])
        powers = np.vander((near - x) / scale, reach, increasing=True).T
        wanted = np.zeros(reach)
        wanted[order] = factorial(order) / scale**order
        out[i, first : first + reach] = np.linalg.solve(powers, wanted)
    return out
