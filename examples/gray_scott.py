r"""Gray and Scott's reaction on a coarse grid: what grows from a disc is round, if the Laplacian is.

∂u/∂t = D Δu - u v² + F (1 - u), ∂v/∂t = D/2 Δv + u v² - (F + k) v. Nothing in the equations knows directions, so that a
front that starts as a circle stays one. On a coarse grid the Laplacian with five points makes a square of it; the
isotropic one with nine ([1 4 1; 4 -20 4; 1 4 1]/6) is far rounder, at the same resolution.

    python examples/gray_scott.py
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

import pdobasis

Array = NDArray[np.float64]
FEED, KILL = 0.025, 0.05
REGION = 128
"""The length of the periodic region, in cells of the coarsest grid."""


def run(steps: int, isotropic: int | None, fine: Fraction = Fraction(1), diffusion: float = 0.05) -> Array:
    """v after so many steps of time 1, with ``fine`` cells along a unit of length."""
    basis = pdobasis.solve("D4", "trivial", "trivial", order=2)
    apply = basis.stencil_set("fd", 3, isotropic=isotropic, spacing=1 / fine).to("scipy")
    n = int(REGION * fine)
    y, x = (np.mgrid[0:n, 0:n] - n // 2) / float(fine)
    disc = 0.5 * (1 - np.tanh((np.hypot(x, y) - 6) / 1.5))
    u, v = 1 - 0.5 * disc, 0.25 * disc
    for _ in range(steps):
        du, dv = diffusion * apply(np.stack([u, v])[:, None], [0, 1])[:, 0]
        reaction = u * v**2
        u, v = u + du - reaction + FEED * (1 - u), v + dv / 2 + reaction - (FEED + KILL) * v
    return np.asarray(v)


def front(v: Array, level: float = 0.1) -> tuple[float, float]:
    """Where v falls below the level along the axis and along the diagonal, in units of length from the middle."""
    middle, h = len(v) // 2, REGION / len(v)
    along, across = v[middle, middle:], np.diagonal(v)[middle:]
    return h * _last(along, level), h * float(np.sqrt(2)) * _last(across, level)


def _last(values: Array, level: float) -> float:
    k = int(np.flatnonzero(values > level)[-1])
    return k + float((values[k] - level) / (values[k] - values[k + 1]))


def main() -> None:
    from figures import new, save  # type: ignore[import-not-found]

    figure, panels = new(5, width=2.4, height=2.7)
    shown = iter(panels)
    for fine in (Fraction(1), Fraction(3, 2), Fraction(2)):
        for name, isotropic in (("plain, 5 points", None), ("isotropic, 9 points", 4)):
            v = run(1500, isotropic, fine)
            axis, diagonal = front(v)
            print(
                f"h = {1 / fine}, {name}: front at {axis:.2f} (axis) and {diagonal:.2f} (diagonal), "
                f"{diagonal / axis:.3f}"
            )
            if fine == 2 and isotropic is None:
                continue
            panel = next(shown)
            panel.imshow(v, origin="lower", cmap="viridis")
            panel.set(title=f"h = {1 / fine}: {name}", xticks=[], yticks=[])
            panel.title.set_fontsize(9)
    save(figure, "gray-scott.png")


if __name__ == "__main__":
    main()
