r"""Taylor–Green vortices carried by a mean flow, on an Arakawa C-grid with exported stencils of order 2 and 4.

u = U + sin(x - Ut) cos(y - Vt) e^{-2νt}, v = V - cos(x - Ut) sin(y - Vt) e^{-2νt} solves the Navier–Stokes equations
exactly. Velocities live on the faces of a cell, pressures in its middle; gradient and divergence are elements of bases
of D4 with the places of their components, and velocities come to other faces by interpolation (the operator 1 between
places). Runge–Kutta of order 4 with a projection at every stage, whose Poisson equation div grad p is solved by FFT.

    python examples/taylor_green.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import pdobasis
from pdobasis.handover import StencilSet

Array = NDArray[np.float64]
FACES = [("1/2", 0), (0, "1/2")]
MEAN = (1.0, 0.5)
VISCOSITY = 0.05


@dataclass(frozen=True)
class Scheme:
    """The operators on a periodic grid of n × n cells, as functions of arrays (components, n, n)."""

    n: int
    gradient: Callable[[Array], Array]
    divergence: Callable[[Array], Array]
    laplacian: Callable[[Array], Array]
    derivatives: Callable[[Array], Array]
    across: Callable[[Array], Array]
    poisson: Array

    @classmethod
    def of_order(cls, order: int, n: int) -> Scheme:
        """``order`` + 1 points: 2 of 3 between faces and middles, 3 on one place."""
        size = order + 1
        step = 2 * np.pi / n

        def periodic(stencils: StencilSet) -> Callable[[Array], Array]:
            apply = stencils.to("numpy")
            return lambda field: apply(field, padding="wrap")

        to_faces = pdobasis.solve("D4", "trivial", "vector", order=1)[0]
        from_faces = pdobasis.solve("D4", "vector", "trivial", order=1)[0]
        diffusion = pdobasis.operator("d1^2 + d2^2, 0; 0, d1^2 + d2^2")
        # every derivative of every component, where it lives: d1 u, d2 u, d1 v, d2 v
        all_first = pdobasis.operator("d1, 0; d2, 0; 0, d1; 0, d2", dim=2)
        swapped = pdobasis.operator("0, 1; 1, 0", dim=2)
        gradient = periodic(to_faces.stencil_set("fd", size, out_offsets=FACES, spacing=step))
        divergence = periodic(from_faces.stencil_set("fd", size, in_offsets=FACES, spacing=step))
        unit = np.zeros((1, n, n))
        unit[0, 0, 0] = 1
        symbol = np.fft.fft2(divergence(gradient(unit))[0])
        return cls(
            n,
            gradient,
            divergence,
            periodic(diffusion.stencil_set("fd", size, spacing=step)),
            periodic(all_first.stencil_set("fd", size, spacing=step)),
            # v where u is, and u where v is
            periodic(swapped.stencil_set("fd", size, in_offsets=FACES, out_offsets=FACES, spacing=step)),
            symbol.real,
        )

    def exact(self, t: float) -> Array:
        h = 2 * np.pi / self.n
        y, x = h * np.mgrid[0 : self.n, 0 : self.n]
        decay = np.exp(-2 * VISCOSITY * t)
        u = MEAN[0] + decay * np.sin(x + h / 2 - MEAN[0] * t) * np.cos(y - MEAN[1] * t)
        v = MEAN[1] - decay * np.cos(x - MEAN[0] * t) * np.sin(y + h / 2 - MEAN[1] * t)
        return np.stack([u, v])

    def projected(self, velocity: Array) -> Array:
        """Without divergence: the discrete one is zero to rounding."""
        source = np.fft.fft2(self.divergence(velocity)[0])
        pressure = np.zeros_like(source)
        # the mean of a pressure is nothing that a flow sees
        np.divide(source, self.poisson, out=pressure, where=np.abs(self.poisson) > 1e-9 * np.abs(self.poisson).max())
        return velocity - self.gradient(np.fft.ifft2(pressure).real[None])

    def rate(self, velocity: Array) -> Array:
        """-(u·∇)u + ν Δu, projected."""
        d1u, d2u, d1v, d2v = self.derivatives(velocity)
        (u, v), (v_at_u, u_at_v) = velocity, self.across(velocity)
        advection = np.stack([u * d1u + v_at_u * d2u, u_at_v * d1v + v * d2v])
        return self.projected(VISCOSITY * self.laplacian(velocity) - advection)

    def run(self, t: float, courant: float = 0.5) -> Array:
        velocity = self.projected(self.exact(0.0))
        h = 2 * np.pi / self.n
        # advection, and diffusion: ν times the largest eigenvalue of the Laplacian, 32/3h², has to stay below 2.78/dt
        steps = int(np.ceil(t / min(courant * h, h**2 / (4 * VISCOSITY))))
        dt = t / steps
        for _ in range(steps):
            k1 = self.rate(velocity)
            k2 = self.rate(velocity + dt / 2 * k1)
            k3 = self.rate(velocity + dt / 2 * k2)
            k4 = self.rate(velocity + dt * k3)
            velocity = velocity + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return velocity


def errors(order: int, sizes: list[int], t: float = 1.0) -> list[float]:
    """The largest error of the velocity at time t."""
    out = []
    for n in sizes:
        scheme = Scheme.of_order(order, n)
        out.append(float(np.abs(scheme.run(t) - scheme.exact(t)).max()))
    return out


def observed(found: list[float]) -> list[float]:
    """The orders of convergence between sizes that double."""
    return [float(np.log2(a / b)) for a, b in pairwise(found)]


def main() -> None:
    from figures import new, save  # type: ignore[import-not-found]

    sizes = [16, 32, 64, 128]
    figure, (left, right) = new(2)
    for order, colour in ((2, "#b2182b"), (4, "#2166ac")):
        found = errors(order, sizes)
        print(f"order {order}: " + ", ".join(f"n = {n}: {e:.2e}" for n, e in zip(sizes, found, strict=True)))
        print("  observed orders " + ", ".join(f"{p:.2f}" for p in observed(found)))
        left.loglog(sizes, found, "o-", color=colour, label=f"order {order}")
        left.loglog(sizes, found[-1] * (sizes[-1] / np.array(sizes)) ** order, ":", color=colour)
    left.set(xlabel="cells along an axis", ylabel="largest error at t = 1", xticks=sizes, xticklabels=sizes)
    left.minorticks_off()
    left.legend()
    scheme = Scheme.of_order(4, 64)
    velocity = scheme.run(1.0)
    print(f"divergence at the end: {np.abs(scheme.divergence(velocity)).max():.1e}")
    _, d2u, d1v, _ = scheme.derivatives(velocity)
    right.imshow(d1v - d2u, origin="lower", cmap="RdBu_r", extent=(0, 2 * np.pi, 0, 2 * np.pi))
    right.set(title="vorticity at t = 1", xlabel="x1", ylabel="x2")
    save(figure, "taylor-green.png")


if __name__ == "__main__":
    main()
