r"""Test functions: $\varphi(s) = (1 - s^2)^p$ on $|s| \le 1$, their derivatives, and integrals as matrices.

Where $\varphi$ ends inside, the trapezoidal rule is accurate to the order p + 1, since all lower derivatives vanish at
both ends. On a periodic axis the derivative is that of the sum of waves through the samples of $\varphi$: then
$\int \varphi^{(k)} f = (-1)^k \int \varphi f^{(k)}$ exactly, for all waves of the grid and bumps of few points too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial

from pdobasis.discovery.derivatives import by_waves
from pdobasis.discovery.recording import Array
from pdobasis.errors import SpecError

FINE = 8
"""Points of quadrature for each interval of uneven times."""


@dataclass(frozen=True)
class Bump:
    """Radius (in the unit of the axis) and power p; the integral is 1."""

    radius: float
    power: int

    def values(self, x: Array, order: int) -> Array:
        """The derivative of this order."""
        base = Polynomial([1, 0, -1]) ** self.power
        whole = base.integ()
        factor = 1 / (float(whole(1) - whole(-1)) * self.radius)
        s = x / self.radius
        own = base.deriv(order) if order else base
        inside = np.abs(s) < 1
        found = own(np.where(inside, s, 0)) * factor / self.radius**order
        return np.asarray(np.where(inside, found, 0.0))


@dataclass(frozen=True, eq=False)
class Axis:
    """Places of data along one axis, and centres of test functions."""

    places: Array
    centres: Array
    bump: Bump
    period: float | None = None

    def weights(self, order: int) -> Array:
        r"""W with $(Wf)_q = (-1)^k \int \varphi^{(k)}(x - c_q) f = \int \varphi\, f^{(k)}$: (centres, places)."""
        places = self.places
        if not _is_even(places):
            return self._uneven(order)
        step = (places[-1] - places[0]) / (len(places) - 1)
        away = places[None, :] - self.centres[:, None]
        if self.period is not None:
            away -= self.period * np.round(away / self.period)
            sampled = step * self.bump.values(away, 0)
            return np.asarray((-1) ** order * by_waves(sampled, 1, order, places))
        return np.asarray((-1) ** order * step * self.bump.values(away, order))

    def _uneven(self, order: int) -> Array:
        """The interpolating spline of degree 5 is integrated, on a fine grid."""
        from scipy.interpolate import make_interp_spline

        n = len(self.places)
        fine = np.linspace(self.places[0], self.places[-1], FINE * (n - 1) + 1)
        spline = make_interp_spline(self.places, np.eye(n), k=min(5, n - 1))
        away = fine[None, :] - self.centres[:, None]
        weights = (-1) ** order * (fine[1] - fine[0]) * self.bump.values(away, order)
        return np.asarray(weights @ spline(fine))


def axis_of(
    places: Array, radius: float, power: int, stride: float, periodic: bool, name: str
) -> Axis:
    """Centres ``stride`` apart, as many as have room; a period has no ends."""
    step = (places[-1] - places[0]) / (len(places) - 1)
    bump = Bump(radius, power)
    if periodic:
        period = step * len(places)
        count = max(1, round(period / stride))
        centres = places[0] + period * np.arange(count) / count
        return Axis(places, centres, bump, period)
    first, last = places[0] + radius, places[-1] - radius
    if first > last:
        raise SpecError(
            f"a test function of radius {radius:g} has no room along {name} ({places[0]:g} to {places[-1]:g})"
        )
    count = 1 + int((last - first) / stride)
    return Axis(places, np.linspace(first, last, count), bump)


def _is_even(places: Array) -> bool:
    steps = np.diff(places)
    return bool(np.allclose(steps, steps.mean(), rtol=1e-4, atol=0))
