r"""Poisson's equation on a disc, on scattered nodes by RBF-FD: Δu = f inside, u given on the circle.

The Laplacian is an element of the basis of O(2), `basis.on_cloud` gives its sparse matrix. Polyharmonic splines r⁵ with
polynomials of degree p have errors that fall like h^p or better.

    python examples/poisson_disc.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import pdobasis

Array = NDArray[np.float64]


def nodes(count: int) -> tuple[Array, NDArray[np.bool_]]:
    """About so many nodes in rings of 6k, turned at random, and which of them lie on the circle."""
    rings = round((-3 + np.sqrt(9 + 12 * (count - 1))) / 6)
    rng = np.random.default_rng(0)
    points, on_circle = [np.zeros((1, 2))], [False]
    for k in range(1, rings + 1):
        angles = 2 * np.pi * (np.arange(6 * k) / (6 * k) + rng.uniform())
        points.append(k / rings * np.stack([np.cos(angles), np.sin(angles)], axis=1))
        on_circle += [k == rings] * (6 * k)
    return np.concatenate(points), np.array(on_circle)


def exact(points: Array) -> Array:
    x, y = points.T
    return np.asarray(np.exp(x) * np.cos(2 * y) + np.sin(3 * x + y))


def right_side(points: Array) -> Array:
    x, y = points.T
    return np.asarray(-3 * np.exp(x) * np.cos(2 * y) - 10 * np.sin(3 * x + y))


def solve(count: int, degree: int) -> tuple[Array, Array]:
    """(nodes, errors)."""
    from scipy.sparse.linalg import spsolve

    points, on_circle = nodes(count)
    inside = ~on_circle
    basis = pdobasis.solve("O(2)", "trivial", "trivial", order=2)
    # twice as many neighbours as polynomials
    neighbours = (degree + 1) * (degree + 2)
    # high degrees have condition numbers up to 3e10, which cost digits that are not needed here
    options: dict[str, Any] = {"phi": "phs5", "degree": degree, "max_condition": 1e12}
    (_, laplacian) = basis.on_cloud(points, neighbours, targets=points[inside], **options)
    matrix = laplacian.matrix.tocsc()
    u = exact(points)
    known = matrix[:, on_circle] @ u[on_circle]
    found = u.copy()
    found[inside] = spsolve(matrix[:, inside], right_side(points[inside]) - known)
    return points, found - u


def main() -> None:
    from figures import new, save  # type: ignore[import-not-found]

    counts, degrees = [400, 800, 1500, 3000, 6000], [4, 6, 8]
    figure, (left, right) = new(2)
    for degree, colour in zip(degrees, ("#b2182b", "#67a9cf", "#2166ac"), strict=True):
        sizes, errors = [], []
        for count in counts:
            points, error = solve(count, degree)
            sizes.append(len(points))
            errors.append(float(np.abs(error).max()))
        slope = -2 * np.polyfit(np.log(sizes), np.log(errors), 1)[0]
        print(
            f"degree {degree}: "
            + ", ".join(f"{n}: {e:.1e}" for n, e in zip(sizes, errors, strict=True))
            + f"; order {slope:.1f}"
        )
        left.loglog(sizes, errors, "o-", color=colour, label=f"degree {degree}, order {slope:.1f}")
    left.set(xlabel="nodes", ylabel="largest error", xticks=sizes, xticklabels=sizes)
    left.minorticks_off()
    left.legend(fontsize=8)
    shown = right.scatter(*points.T, c=np.log10(np.abs(error) + 1e-16), s=3, cmap="viridis")
    figure.colorbar(shown, ax=right, label="log₁₀ of the error, degree 8")
    right.set(aspect="equal", title=f"{len(points)} nodes")
    save(figure, "poisson-disc.png")


if __name__ == "__main__":
    main()
