r"""Heat on a hexagonal lattice, beside a square one with as many nodes: the error of a spreading blob is round.

The array of a hexagonal lattice is in skew coordinates, its group has whole numbers as matrices (hexagonal.yaml), and
the Laplacian on the window that is closed under it has seven points: (2/3a²) Σ (neighbour - middle). Its leading error
is a multiple of Δ², which is round; that of the five points of a square is not.

    python examples/hexagonal_heat.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import pdobasis

Array = NDArray[np.float64]
GROUP = Path(__file__).resolve().parent / "hexagonal.yaml"


@dataclass(frozen=True)
class Lattice:
    """Places of the nodes (2, n, n) around the middle, and the Laplacian on periodic arrays (1, n, n)."""

    places: Array
    laplacian: Callable[[Array], Array]
    turns: int


def square(n: int, h: float) -> Lattice:
    stencil = pdobasis.solve("D4", "trivial", "trivial", order=2)[1].stencil_set("fd", 3, spacing=h)
    apply = stencil.to("numpy")
    y, x = h * (np.mgrid[0:n, 0:n] - n // 2)
    return Lattice(np.stack([x, y]), lambda u: apply(u, padding="wrap"), 4)


def hexagonal(n: int, h: float) -> Lattice:
    """With cells of the same area: neighbours are a = h (4/3)^(1/4) apart."""
    a = h * (4 / 3) ** 0.25
    basis = pdobasis.solve(str(GROUP), "trivial", "trivial", order=2)
    apply = basis.stencil_set("fd", 3, window="closed").to("numpy")
    # the second axis of the lattice lies at 120°; the element has neighbours of weight 1/2 for a = 1
    second, first = np.mgrid[0:n, 0:n] - n // 2
    places = a * np.stack([first - second / 2, np.sqrt(3) / 2 * second])
    return Lattice(places, lambda u: apply(u, [0, 4 / 3 / a**2], "wrap"), 6)


def blob(places: Array, variance: float) -> Array:
    """A Gaussian of heat 1."""
    return np.asarray(np.exp(-(places**2).sum(axis=0) / (2 * variance)) / (2 * np.pi * variance))


def run(lattice: Lattice, h: float, start: float, t: float) -> Array:
    """The error at time t, relative to the largest value; Runge–Kutta of order 4 with steps that cost nothing."""
    u = blob(lattice.places, start)[None]
    steps = int(np.ceil(t / (0.1 * h**2)))
    dt = t / steps
    for _ in range(steps):
        k1 = lattice.laplacian(u)
        k2 = lattice.laplacian(u + dt / 2 * k1)
        k3 = lattice.laplacian(u + dt / 2 * k2)
        k4 = lattice.laplacian(u + dt * k3)
        u = u + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    exact = blob(lattice.places, start + 2 * t)
    return np.asarray((u[0] - exact) / exact.max())


def not_round(lattice: Lattice, error: Array, variance: float) -> float:
    """The largest part of the error that turns with the lattice, f(r) cos mθ beside g(r), by least squares.

    Both f and g are sums of powers times the Gaussian at the end, as the errors of finite differences are.
    """
    x, y = lattice.places.reshape(2, -1) / np.sqrt(variance)
    near = np.hypot(x, y) < 4
    r, angle = np.hypot(x, y)[near], np.arctan2(y, x)[near]
    gauss, m = np.exp(-(r**2) / 2), lattice.turns
    round_part = [gauss * r ** (2 * j) for j in range(6)]
    turning = [gauss * r ** (m + 2 * j) * np.cos(m * angle) for j in range(3)]
    columns = np.stack([*round_part, *turning], axis=1)
    lengths = np.linalg.norm(columns, axis=0)
    found = np.linalg.lstsq(columns / lengths, error.ravel()[near], rcond=None)[0] / lengths
    return float(np.abs(columns[:, 6:] @ found[6:]).max())


def compare(n: int, t: float = 0.01, variance: float = 0.01) -> dict[str, tuple[float, float]]:
    """(largest error, largest part that is not round) of both lattices, with n nodes along a unit of length."""
    h, size = 1 / n, int(1.6 * n) // 2 * 2
    out = {}
    for name, lattice in (("square", square(size, h)), ("hexagonal", hexagonal(size, h))):
        error = run(lattice, h, variance, t)
        out[name] = float(np.abs(error).max()), not_round(lattice, error, variance + 2 * t)
    return out


def main() -> None:
    from figures import new, save  # type: ignore[import-not-found]

    for n in (16, 32, 64):
        print(f"n = {n}: " + "; ".join(f"{k}: error {a:.1e}, not round {b:.1e}" for k, (a, b) in compare(n).items()))
    n = 16
    h = 1 / n
    figure, panels = new(2)
    for panel, (name, lattice) in zip(
        panels, (("square", square(48, h)), ("hexagonal", hexagonal(48, h))), strict=True
    ):
        error = run(lattice, h, 0.01, 0.01)
        marker = {"square": "s", "hexagonal": "h"}[name]
        shown = panel.scatter(
            *lattice.places.reshape(2, -1), c=error.ravel(), s=55, marker=marker, cmap="RdBu_r", vmin=-0.025, vmax=0.025
        )
        panel.set(aspect="equal", xlim=(-0.6, 0.6), ylim=(-0.6, 0.6), title=f"{name} lattice: error / largest value")
    figure.colorbar(shown, ax=panels)
    save(figure, "hexagonal-heat.png")


if __name__ == "__main__":
    main()
