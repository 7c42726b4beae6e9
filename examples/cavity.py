r"""The flow in a square whose lid moves, at Re = 100, beside the table of Ghia, Ghia and Shin (1982).

Stream function and vorticity on all nodes of a grid: Δψ = -ω, u·∇ω = Δω / Re with u = (∂₂ψ, -∂₁ψ). The matrices are
those of Laplacian and gradient with one-sided ends (`basis.matrix`); on the walls ψ = 0 and
ω = -(8ψ₁ - ψ₂)/2h² + 3ψ'/h, with ψ' inwards, which is -1 at the lid. Newton's method.

    python examples/cavity.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import pdobasis

Array = NDArray[np.float64]

# u along the vertical and v along the horizontal line through the middle, Re = 100, on a grid of 129 × 129 points
GHIA_U = [
    *[(0.0547, -0.03717), (0.0625, -0.04192), (0.0703, -0.04775), (0.1016, -0.06434), (0.1719, -0.10150)],
    *[(0.2813, -0.15662), (0.4531, -0.21090), (0.5000, -0.20581), (0.6172, -0.13641), (0.7344, 0.00332)],
    *[(0.8516, 0.23151), (0.9531, 0.68717), (0.9609, 0.73722), (0.9688, 0.78871), (0.9766, 0.84123)],
]
GHIA_V = [
    *[(0.0625, 0.09233), (0.0703, 0.10091), (0.0781, 0.10890), (0.0938, 0.12317), (0.1563, 0.16077)],
    *[(0.2266, 0.17507), (0.2344, 0.17527), (0.5000, 0.05454), (0.8047, -0.24533), (0.8594, -0.22445)],
    *[(0.9063, -0.16914), (0.9453, -0.10313), (0.9531, -0.08864), (0.9609, -0.07391), (0.9688, -0.05906)],
]


def solve(n: int, reynolds: float = 100.0, tolerance: float = 1e-10) -> tuple[Array, Array, Array, int]:
    """(ψ, u, v, steps of Newton) at n × n nodes, x1 along the last axis."""
    from scipy.sparse import bmat, csr_array, diags_array
    from scipy.sparse.linalg import splu

    h = 1 / (n - 1)
    options: dict[str, Any] = {"size": 3, "boundary": "one-sided", "spacing": f"1/{n - 1}"}
    laplacian = pdobasis.solve("O(2)", "trivial", "trivial", order=2).matrix((n, n), **options)[1].matrix
    gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1).matrix((n, n), **options)[0].matrix
    d1, d2 = gradient[: n * n], gradient[n * n :]

    inside = np.zeros((n, n))
    inside[1:-1, 1:-1] = 1
    middle, edge = diags_array(inside.ravel()), diags_array(1 - inside.ravel())
    walls, lid = _wall(n, h)

    psi, omega = np.zeros(n * n), np.zeros(n * n)
    for step in range(1, 30):  # noqa: B007 - how many were needed
        u, v = d2 @ psi, -(d1 @ psi)
        first = middle @ (laplacian @ psi + omega) + edge @ psi
        transport = laplacian @ omega / reynolds - u * (d1 @ omega) - v * (d2 @ omega)
        second = middle @ transport + edge @ omega + walls @ psi - lid
        # the derivatives of both by ψ and ω
        by_psi = diags_array(d2 @ omega) @ d1 - diags_array(d1 @ omega) @ d2
        by_omega = laplacian / reynolds - diags_array(u) @ d1 - diags_array(v) @ d2
        jacobian = bmat(
            [[middle @ laplacian + edge, middle], [middle @ by_psi + walls, middle @ by_omega + edge]], format="csc"
        )
        change = splu(csr_array(jacobian).tocsc()).solve(-np.concatenate([first, second]))
        psi, omega = psi + change[: n * n], omega + change[n * n :]
        if np.abs(change).max() < tolerance * np.abs(omega).max():
            break
    u, v = (d2 @ psi).reshape(n, n), -(d1 @ psi).reshape(n, n)
    # on the walls the velocities are given, not differences of ψ
    u[[0, -1]], u[:, [0, -1]], v[[0, -1]], v[:, [0, -1]] = 0, 0, 0, 0
    u[-1] = 1
    return psi.reshape(n, n), u, v, step


def _wall(n: int, h: float) -> tuple[Any, Array]:
    """(M, b): ω + M ψ = b on the walls."""
    from scipy.sparse import lil_array

    matrix, right = lil_array((n * n, n * n)), np.zeros((n, n))
    number = np.arange(n * n).reshape(n, n)
    for k in range(1, n - 1):
        for line in (number[:, k], number[::-1, k], number[k], number[k, ::-1]):
            matrix[line[0], line[1]] = 4 / h**2
            matrix[line[0], line[2]] = -1 / (2 * h**2)
    right[-1, 1:-1] = -3 / h
    return matrix.tocsr(), right.ravel()


def against_table(u: Array, v: Array) -> tuple[Array, Array]:
    """The differences to the table, along both lines; cubic splines between nodes."""
    from scipy.interpolate import CubicSpline

    n = len(u)
    line = np.linspace(0, 1, n)
    out = []
    for values, table in ((u[:, n // 2], GHIA_U), (v[n // 2], GHIA_V)):
        places, expected = np.array(table).T
        out.append(CubicSpline(line, values)(places) - expected)
    return out[0], out[1]


def main() -> None:
    from figures import new, save  # type: ignore[import-not-found]

    for n in (33, 65, 129):
        psi, u, v, steps = solve(n)
        du, dv = against_table(u, v)
        across, along = u[:, n // 2], v[n // 2]
        print(
            f"n = {n}: {steps} steps; differs from the table by {np.abs(du).max():.4f} (u), {np.abs(dv).max():.4f} (v)"
        )
        print(f"  least ψ {psi.min():.5f}, u {across.min():.5f}, v {along.min():.5f}; largest v {along.max():.5f}")
    line = np.linspace(0, 1, n)
    figure, (left, right) = new(2)
    left.contour(
        line,
        line,
        psi,
        levels=[-0.1, -0.08, -0.06, -0.04, -0.02, -0.005, -0.0005, 1e-6, 3e-6],
        colors="#2166ac",
        linestyles="solid",
    )
    left.set(aspect="equal", title="stream lines, Re = 100", xlabel="x1", ylabel="x2")
    right.plot(line, u[:, n // 2], color="#b2182b", label="u(1/2, s)")
    right.plot(line, v[n // 2], color="#2166ac", label="v(s, 1/2)")
    for table in (GHIA_U, GHIA_V):
        right.plot(*np.array(table).T, "ko", markersize=4, fillstyle="none", label="Ghia et al." * (table is GHIA_U))
    right.set(xlabel="s", title="through the middle, 129 × 129 nodes")
    right.legend()
    save(figure, "cavity.png")


if __name__ == "__main__":
    main()
