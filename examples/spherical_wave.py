r"""A spherical wave in space, by the isotropic Laplacian and by the plain one: who keeps the sphere?

∂²u/∂t² = Δu from a Gaussian at rest: u(r, t) = ((r - t) g(r - t) + (r + t) g(r + t)) / 2r exactly. Both stencils have
three points along every axis and an error of order 2; that of the isotropic one is a multiple of Δ², the same in all
directions. Leapfrog, whose own error is of the opposite sign, and round as well.

    python examples/spherical_wave.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import pdobasis

Array = NDArray[np.float64]
WIDTH = 2.5
"""Of the pulse, in cells."""


def radii(n: int) -> Array:
    z, y, x = np.mgrid[0:n, 0:n, 0:n] - n // 2
    return np.asarray(np.sqrt(x**2 + y**2 + z**2))


def exact(radius: Array, t: float) -> Array:
    def odd(s: Array) -> Array:
        return np.asarray(s * np.exp(-(s**2) / (2 * WIDTH**2)))

    # not at the middle, where it is a limit
    r = np.maximum(radius, 1e-9)
    return np.asarray((odd(r - t) + odd(r + t)) / (2 * r))


def run(n: int, t: float, isotropic: int | None, dt: float = 0.25) -> Array:
    """u at time t (in cells) on n³ points."""
    basis = pdobasis.solve("O(3)", "trivial", "trivial", order=2)
    apply = basis.stencil_set("fd", 3, isotropic=isotropic).to("scipy")
    old = exact(radii(n), 0.0)[None]
    steps = round(t / dt)
    now = old + dt**2 / 2 * apply(old, [0, 1])
    for _ in range(steps - 1):
        old, now = now, 2 * now - old + dt**2 * apply(now, [0, 1])
    return np.asarray(now[0])


def spread(u: Array, t: float) -> float:
    """The largest minus the smallest value at exactly one distance, against the largest of the wave."""
    n = len(u)
    squares = np.round(radii(n) ** 2).astype(int).ravel()
    order = np.argsort(squares, kind="stable")
    starts = np.flatnonzero(np.diff(squares[order], prepend=-1))
    values = u.ravel()[order]
    differences = np.maximum.reduceat(values, starts) - np.minimum.reduceat(values, starts)
    front = np.abs(np.sqrt(squares[order][starts]) - t) < 3 * WIDTH
    return float(differences[front].max() / np.abs(exact(radii(n), t)).max())


def compare(n: int, t: float) -> dict[str, tuple[float, float]]:
    """(largest error, spread over directions) of both, against the largest value of the wave."""
    radius = radii(n)
    exactly = exact(radius, t)
    largest = np.abs(exactly).max()
    out = {}
    for name, isotropic in (("plain", None), ("isotropic", 4)):
        u = run(n, t, isotropic)
        out[name] = float(np.abs(u - exactly).max() / largest), spread(u, t)
    return out


def main() -> None:
    from figures import new, save  # type: ignore[import-not-found]

    n, t = 72, 24.0
    radius = radii(n)
    exactly = exact(radius, t)
    line = np.linspace(12, 32, 400)
    figure, panels = new(4, width=3.0, height=3.1)
    for k, (name, isotropic) in enumerate((("plain, 7 points", None), ("isotropic, 27 points", 4))):
        u = run(n, t, isotropic)
        error = np.abs(u - exactly).max() / np.abs(exactly).max()
        print(f"{name}: error {error:.3f}, spread over directions {spread(u, t):.1e}")
        panels[2 * k].imshow((u - exactly)[n // 2], origin="lower", cmap="RdBu_r", vmin=-0.008, vmax=0.008)
        panels[2 * k].set(title=f"{name}: error", xticks=[], yticks=[])
        near = (radius > 12) & (radius < 32)
        panels[2 * k + 1].plot(radius[near], u[near], ".", markersize=0.4, color="#2166ac", rasterized=True)
        panels[2 * k + 1].plot(line, exact(line, t), color="#b2182b", linewidth=1)
        panels[2 * k + 1].set(xlabel="distance (cells)", title="all points, and exact", ylim=(-0.045, 0.035))
    long = run(n, t, 4, dt=0.8)
    error = np.abs(long - exactly).max() / np.abs(exactly).max()
    print(f"isotropic, steps of 0.8 cells: error {error:.3f}, spread over directions {spread(long, t):.1e}")
    save(figure, "spherical-wave.png")


if __name__ == "__main__":
    main()
