r"""Elastic waves in a cubic crystal, in the plane (001): slowness by Christoffel's equation, and the fronts of a pulse.

ρ ∂²u/∂t² = D u, where D is the sum of three elements of the basis of D4 from vectors to vectors of order 2:
(C₁₁∂₁² + C₄₄∂₂², (C₁₂ + C₄₄)∂₁∂₂; (C₁₂ + C₄₄)∂₁∂₂, C₄₄∂₁² + C₁₁∂₂²). All operators of order 2 with this symmetry are
sums of three elements: a cubic crystal has three constants. Leapfrog in time.

    python examples/cubic_crystal.py
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import pdobasis

Array = NDArray[np.float64]
# copper: 10¹¹ Pa and 10³ kg/m³, so that velocities are in 10⁴ m/s
C11, C12, C44, DENSITY = 1.684, 1.214, 0.754, 8.96


def elasticity(size: int, spacing: float) -> Callable[[Array], Array]:
    """D / ρ on periodic arrays (2, n, n), by the weights of the elements that make it up."""
    basis = pdobasis.solve("D4", "vector", "vector", order=2)
    wanted = f"{C11}*d1^2 + {C44}*d2^2, {C12 + C44:.3f}*d1*d2; {C12 + C44:.3f}*d1*d2, {C44}*d1^2 + {C11}*d2^2"
    # exact numbers: the operator is a sum of elements, or this is refused
    weights = [float(number) / DENSITY for number in basis.coordinates(pdobasis.operator(wanted))]
    apply = basis.stencil_set("fd", size, spacing=spacing).to("numpy")
    return lambda field: apply(field, weights, "wrap")


def christoffel(direction: Array) -> tuple[Array, Array]:
    """The squared velocities of plane waves in a direction, quasi-longitudinal last; their polarisations as columns."""
    a, b = direction / np.linalg.norm(direction)
    mixed = (C12 + C44) * a * b
    squares, polarisations = np.linalg.eigh(
        np.array([[C11 * a**2 + C44 * b**2, mixed], [mixed, C44 * a**2 + C11 * b**2]]) / DENSITY
    )
    return np.asarray(squares), np.asarray(polarisations)


def measured_slowness(n: int, size: int, wave: tuple[int, int], which: int, steps: int = 60) -> tuple[float, float]:
    """(slowness of a plane wave that is stepped through time, Christoffel's) for the wave vector 2π ``wave``."""
    h = 1 / n
    operator = elasticity(size, h)
    k = 2 * np.pi * np.array(wave, dtype=float)
    squares, polarisations = christoffel(k)
    y, x = np.mgrid[0:n, 0:n] * h
    shape = polarisations[:, which, None, None] * np.cos(k[0] * x + k[1] * y)
    dt = 0.05 * h / np.sqrt(C11 / DENSITY)
    # at rest at the beginning: half a step of the leapfrog
    old, now = shape, shape + dt**2 / 2 * operator(shape)
    heights = [np.sum(shape * old), np.sum(shape * now)]
    for _ in range(steps):
        old, now = now, 2 * now - old + dt**2 * operator(now)
        heights.append(np.sum(shape * now))
    a = np.array(heights)
    # a(t) = cos ωt: a(t + dt) + a(t - dt) = 2 cos(ω dt) a(t)
    cosine = np.dot(a[2:] + a[:-2], a[1:-1]) / (2 * np.dot(a[1:-1], a[1:-1]))
    frequency = np.arccos(cosine) / dt
    return float(np.linalg.norm(k) / frequency), float(1 / np.sqrt(squares[which]))


def pulse(n: int, size: int, reach: float) -> tuple[Array, float]:
    """(the displacement after a pulse in the middle, the time): until the fastest wave has come to ``reach``."""
    h = 1 / n
    operator = elasticity(size, h)
    y, x = np.mgrid[0:n, 0:n] * h - 0.5
    blob = np.exp(-(x**2 + y**2) / (2 * (2.5 * h) ** 2))
    old = np.stack([blob, 0.6 * blob])
    fastest = np.sqrt(max(christoffel(np.array([1.0, 1.0]))[0].max(), C11 / DENSITY))
    steps = int(np.ceil(reach / fastest / (0.4 * h / fastest)))
    dt = reach / fastest / steps
    now = old + dt**2 / 2 * operator(old)
    for _ in range(steps - 1):
        old, now = now, 2 * now - old + dt**2 * operator(now)
    return now, dt * steps


def wave_surface(which: int, points: int = 721) -> Array:
    """Group velocities, the gradient of ω(k) by k: where a pulse has come to after a unit of time, (2, points)."""
    angles = np.linspace(0, 2 * np.pi, points)
    out = []
    for angle in angles:
        n = np.array([np.cos(angle), np.sin(angle)])
        squares, polarisations = christoffel(n)
        p, speed = polarisations[:, which], np.sqrt(squares[which])
        # d(pᵀ Γ(k) p)/dk / 2ω
        mixed = (C12 + C44) * p[0] * p[1]
        first = C11 * p[0] ** 2 * n[0] + C44 * p[1] ** 2 * n[0] + mixed * n[1]
        second = C44 * p[0] ** 2 * n[1] + C11 * p[1] ** 2 * n[1] + mixed * n[0]
        out.append([first / speed / DENSITY, second / speed / DENSITY])
    return np.array(out).T


WAVES = [(4, 0), (4, 1), (4, 2), (3, 2), (4, 3), (3, 3), (3, 4), (2, 3), (2, 4), (1, 4), (0, 4)]


def main() -> None:
    from figures import new, save  # type: ignore[import-not-found]

    figure, (left, right) = new(2)
    angles = np.linspace(0, 2 * np.pi, 361)
    for which, colour, name in ((1, "#2166ac", "quasi-longitudinal"), (0, "#b2182b", "quasi-transverse")):
        slow = [1 / np.sqrt(christoffel(np.array([np.cos(t), np.sin(t)]))[0][which]) for t in angles]
        left.plot(slow * np.cos(angles), slow * np.sin(angles), color=colour, label=name)
        for size in (3, 5):
            found = [measured_slowness(64, size, wave, which) for wave in WAVES]
            worst = max(abs(a / b - 1) for a, b in found)
            print(f"{name}, {size} points: slowness within {worst:.1e} of Christoffel's in {len(WAVES)} directions")
        for (a, _), wave in zip(found, WAVES, strict=True):
            direction = np.array(wave) / np.linalg.norm(wave)
            left.plot(*(a * direction), "o", color=colour, markersize=4)
    left.set(
        aspect="equal",
        title="slowness: curves exact, points measured",
        xlabel="s₁ (10⁻⁴ s/m)",
        ylabel="s₂",
        ylim=(-7, 5.3),
    )
    left.legend(fontsize=8, loc="lower left")
    field, t = pulse(240, 5, 0.4)
    right.imshow(np.hypot(*field) ** 0.5, origin="lower", cmap="magma", extent=(-0.5, 0.5, -0.5, 0.5))
    for which, colour in ((1, "#92c5de"), (0, "#f4a582")):
        right.plot(*(t * wave_surface(which)), color=colour, linewidth=0.8)
    right.set(title="a pulse, and the fronts of ray theory", xlabel="x1", ylabel="x2")
    save(figure, "cubic-crystal.png")


if __name__ == "__main__":
    main()
