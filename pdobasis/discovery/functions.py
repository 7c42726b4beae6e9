r"""Which test functions: as wide as the field asks for.

A bump $(1 - s^2)^p$ of radius R weighs a wave of wave number k by about $\exp(-k^2 R^2 / 4p)$. One that is much wider
than the waves of a field sees hardly anything of them, but as much noise: then $u$, $\Delta u$ and $\Delta^2 u$ of a
pattern of one wave length are not told apart. So the radius is $R = c \sqrt{2p} / k$ with c near 1, for the root
k of the mean square of wave numbers of the field; but no wider than good averages need, and no narrower than can be
integrated. Without noise wide ones are better: they see least of what a grid cuts off.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from pdobasis.discovery.bumps import Axis, axis_of
from pdobasis.discovery.columns import Plan, Weights
from pdobasis.discovery.pointwise import instants, points_of
from pdobasis.discovery.recording import Array, Recording
from pdobasis.discovery.smoothing import Smoothed

Radii = tuple[float, int]
RADII: tuple[Radii, ...] = ((0.8, 16), (1.2, 12), (1.2, 24))
"""Test functions that are tried: c along space, and frames along time."""
WIDEST, NARROWEST = 10, 3
"""Points along space: c times so many at most, and at least."""
POWER = 6
"""p along time."""
MOST_ROWS = 20_000
"""Test functions of one recording."""


def test_functions(
    plan: Plan, ready: Smoothed, radii: Radii | None
) -> tuple[Weights, list[Weights], float, dict[str, Any]]:
    """(weights in time, in space, independent rows, settings)."""
    given = ready.recording
    if radii is None:
        places = [points_of(x) for x in given.axes]
        moments_in_time = instants(given.times)
        rows = float(np.prod([len(p.centres) for p in places]))
        return moments_in_time, [*places], rows * len(moments_in_time.centres), {}
    ratio, long = radii
    mean = float(given.times[-1] - given.times[0]) / (len(given.times) - 1)
    long = min(long, (len(given.times) - 1) // 3)
    time = axis_of(given.times, long * mean, POWER, long * mean / 3, False, "t")
    power = plan.highest + 4
    wide = _wide(ready, plan.names[plan.target], ratio, power)
    stride = 2.0
    while True:
        space: list[Axis] = []
        for k, x in enumerate(given.axes):
            own = wide[k] * given.steps[k]
            space.append(
                axis_of(x, own, power, own / stride, ready.periodic[k], f"x{k + 1}")
            )
        rows = len(time.centres) * int(np.prod([len(s.centres) for s in space]))
        if rows <= MOST_ROWS or stride < 0.5:
            break
        stride *= 0.8
    settings = {"radius_t": float(time.bump.radius), "powers": [POWER, power]}
    for k, s in enumerate(space):
        settings[f"radius_x{k + 1}"] = float(s.bump.radius)
    return time, [*space], rows * plan.size / 4, settings


def _wide(ready: Smoothed, name: str, ratio: float, power: int) -> list[float]:
    """Points along x1, x2, …"""
    out = []
    for k, number in enumerate(wave_numbers(ready.recording, name)):
        fitting = float(WIDEST)
        if ready.is_noisy:
            fitting = sqrt(2 * power) / max(float(number), 1e-12)
        # derivatives of bumps on an open axis are summed at points, which few points do badly
        least = NARROWEST if ready.periodic[k] else max(NARROWEST, power / 2)
        own = max(ratio * min(WIDEST, fitting), least)
        out.append(min(own, len(ready.recording.axes[k]) // 3))
    return out


def wave_numbers(given: Recording, name: str) -> Array:
    r"""Along x1, x2, …: roots of mean squares of the wave numbers of a field, for points 1 apart.

    They are multiplied by $\sqrt{d}$: a field that turns in all directions alike has $|k|$ along each axis.

    >>> x = np.arange(24.0)
    >>> wave = np.cos(2 * np.pi * x / 24)[None, None, :] * np.ones((9, 1, 1))
    >>> number = wave_numbers(Recording({"u": wave}, np.arange(9.0), (x,)), "u")
    >>> bool(np.allclose(number, 2 * np.pi / 24, atol=0.01))
    True
    """
    dim = given.dim
    grid = tuple(range(1, dim + 1))
    whole, bent = 0.0, np.zeros(dim)
    for frame in given.fields[
        name
    ]:  # one by one: all at once take as much memory again
        whole += float(frame.var(axis=grid).sum())
        for k in range(dim):
            step = np.diff(frame, axis=-1 - k)
            bent[k] += float((step**2).mean(axis=grid).sum())
    return np.asarray(np.sqrt(dim * bent / max(whole, 1e-300)))
