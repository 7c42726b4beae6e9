"""Equations whose answer is known, solved by Fourier series in space and an integrating factor with RK4 in time.

The linear part is exact, products are dealiased by the 2/3 rule. A system gives fields (time, components, …, x2, x1),
its times, its axes and the true coefficients by the text of the term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class System:
    """A solution, and the question that it answers; ``truth`` has the terms of every target."""

    name: str
    group: str
    fields: dict[str, str]
    data: dict[str, Array]
    times: Array
    axes: tuple[Array, ...]
    degree: int
    derivatives: int
    truth: dict[str, dict[str, float]]

    def noisy(self, level: float, seed: int) -> dict[str, Array]:
        """Fields with white noise of ``level`` times the standard deviation of each."""
        rng = np.random.default_rng(seed)
        out = {}
        for name, u in self.data.items():
            out[name] = u + level * u.std() * rng.normal(size=u.shape)
        return out

    def arrays(self, level: float, seed: int) -> dict[str, Array]:
        """What an .npz holds."""
        own = {f"x{k + 1}": x for k, x in enumerate(self.axes)}
        return {**self.noisy(level, seed), "t": self.times, **own}


class Torus:
    """Wave numbers of a periodic box whose last axis is x1."""

    def __init__(self, n: int, dim: int, length: float = 2 * np.pi) -> None:
        self.n, self.dim = n, dim
        one = 2 * np.pi / length * np.fft.fftfreq(n, 1 / n)
        grids = np.meshgrid(*[one] * dim, indexing="ij")
        self.k = tuple(reversed(grids))
        self.square = sum(k**2 for k in self.k)
        cut = 2 * np.pi / length * n / 3
        self.kept = np.all([np.abs(k) < cut for k in self.k], axis=0)
        self.axes = (length * np.arange(n) / n,) * dim
        self.grid_axes = tuple(range(-dim, 0))

    def hat(self, u: Array) -> Complex:
        return np.asarray(np.fft.fftn(u, axes=self.grid_axes) * self.kept)

    def real(self, u: Complex) -> Array:
        return np.asarray(np.fft.ifftn(u, axes=self.grid_axes).real)

    def d(self, u: Complex, axis: int) -> Array:
        return self.real(1j * self.k[axis] * u)

    def smooth(self, rng: np.random.Generator, components: int, highest: float) -> Array:
        """Random fields of standard deviation 1 with wave numbers around ``highest``."""
        noise = rng.normal(size=(components, *[self.n] * self.dim))
        one = 2 * np.pi / (self.axes[0][1] * self.n)
        shape = np.exp(-self.square / (2 * (highest * one) ** 2))
        out = self.real(np.fft.fftn(noise, axes=self.grid_axes) * shape * self.kept)
        out -= out.mean(axis=self.grid_axes, keepdims=True)
        return np.asarray(out / out.std())


def march(
    u: Complex,
    linear: Array,
    nonlinear: Callable[[Complex], Complex],
    dt: float,
    every: int,
    frames: int,
) -> list[Complex]:
    """RK4 on exp(-Lt) û."""
    half, full = np.exp(linear * dt / 2), np.exp(linear * dt)
    out = [u]
    for _ in range(frames - 1):
        for _ in range(every):
            a = nonlinear(u)
            b = nonlinear(half * (u + dt / 2 * a))
            c = nonlinear(half * u + dt / 2 * b)
            d = nonlinear(full * u + dt * half * c)
            u = full * u + dt / 6 * (full * a + 2 * half * (b + c) + d)
        out.append(u)
    return out


def _times(frames: int, step: float) -> Array:
    return np.asarray(step * np.arange(frames), dtype=np.float64)


def burgers(seed: int = 0, n: int = 64, frames: int = 80) -> System:
    """∂_t u = -(u·∇)u + ν Δu."""
    box, nu = Torus(n, 2), 0.05
    rng = np.random.default_rng(seed)

    def products(v: Complex) -> Complex:
        u = box.real(v)
        return -box.hat(u[0] * box.d(v, 0) + u[1] * box.d(v, 1))

    path = march(box.hat(box.smooth(rng, 2, 2.0)), -nu * box.square, products, 0.005, 4, frames)
    data = np.array([box.real(v) for v in path])
    truth = {"u": {"u_j ∂_j u_i": -1.0, "∂_j ∂_j u_i": nu}}
    times = _times(frames, 0.02)
    return System("Burgers", "O(2)", {"u": "vector"}, {"u": data}, times, box.axes, 3, 2, truth)


def toner_tu(seed: int = 0, n: int = 64, frames: int = 80) -> System:
    """∂_t v = -λ (v·∇)v + a v - b |v|² v + D Δv + E ∇(∇·v)."""
    box = Torus(n, 2)
    lam, a, b, diffusion, compression = 0.8, 0.5, 0.6, 0.05, 0.03
    rng = np.random.default_rng(seed)

    def products(v: Complex) -> Complex:
        u = box.real(v)
        divergence = 1j * (box.k[0] * v[0] + box.k[1] * v[1])
        gradient = np.stack([1j * k * divergence for k in box.k])
        own = -lam * (u[0] * box.d(v, 0) + u[1] * box.d(v, 1)) - b * (u**2).sum(axis=0) * u
        return np.asarray(box.hat(own) + compression * gradient)

    path = march(box.hat(box.smooth(rng, 2, 2.0)), a - diffusion * box.square, products, 0.005, 8, frames)
    data = np.array([box.real(v) for v in path])
    truth = {
        "u": {
            "u_j ∂_j u_i": -lam,
            "u_i": a,
            "u_i u_j u_j": -b,
            "∂_j ∂_j u_i": diffusion,
            "∂_i ∂_j u_j": compression,
        }
    }
    times = _times(frames, 0.04)
    return System("Toner–Tu", "O(2)", {"u": "vector"}, {"u": data}, times, box.axes, 3, 2, truth)


def _flow(seed: int, n: int, frames: int, nu: float) -> tuple[Torus, Array, Array, Array, Array]:
    """(box, vorticity, velocity, pressure, times) of a decaying flow."""
    box = Torus(n, 2)
    rng = np.random.default_rng(seed)
    inverse = 1 / np.where(box.square > 0, box.square, np.inf)

    def velocity(w: Complex) -> Complex:
        return np.stack([1j * box.k[1] * w[0] * inverse, -1j * box.k[0] * w[0] * inverse])

    def products(w: Complex) -> Complex:
        u = box.real(velocity(w))
        return -box.hat(u[0] * box.d(w, 0) + u[1] * box.d(w, 1))

    start = box.smooth(rng, 1, 2.5)
    start *= 1.0 / box.real(velocity(box.hat(start))).std()
    path = march(box.hat(start), -nu * box.square, products, 0.005, 6, frames)
    w = np.array([box.real(v) for v in path])
    u = np.array([box.real(velocity(v)) for v in path])
    p = []
    for v in path:
        own = velocity(v)
        g = [[box.d(own[j], i) for j in range(2)] for i in range(2)]
        source = np.sum([g[i][j] * g[j][i] for i in range(2) for j in range(2)], axis=0)
        p.append(box.real(box.hat(source)[None] * inverse))
    return box, w, u, np.array(p), _times(frames, 0.03)


def vorticity(seed: int = 0, n: int = 64, frames: int = 80) -> System:
    """∂_t w = -(u·∇)w + ν Δw; w takes a sign under reflections."""
    box, w, u, _, times = _flow(seed, n, frames, 0.02)
    truth = {"w": {"∂_i w u_i": -1.0, "∂_i ∂_i w": 0.02}}
    fields = {"w": "det", "u": "vector"}
    return System("Navier–Stokes (vorticity)", "O(2)", fields, {"w": w, "u": u}, times, box.axes, 2, 2, truth)


def velocity(seed: int = 0, n: int = 64, frames: int = 80) -> System:
    """∂_t u = -(u·∇)u - ∇p + ν Δu."""
    box, _, u, p, times = _flow(seed, n, frames, 0.02)
    truth = {"u": {"u_j ∂_j u_i": -1.0, "∂_j ∂_j u_i": 0.02, "∂_i p": -1.0}}
    fields = {"u": "vector", "p": "trivial"}
    return System("Navier–Stokes (velocity)", "O(2)", fields, {"u": u, "p": p}, times, box.axes, 2, 2, truth)


def _reaction(
    box: Torus,
    start: Array,
    diffusion: tuple[float, ...],
    rate: Callable[[Array], Array],
    dt: float,
    every: int,
    frames: int,
) -> Array:
    linear = -np.array(diffusion).reshape(-1, *[1] * box.dim) * box.square
    path = march(box.hat(start), linear, lambda v: box.hat(rate(box.real(v))), dt, every, frames)
    return np.array([box.real(v) for v in path])


def gray_scott(seed: int = 0, n: int = 64, frames: int = 100) -> System:
    """∂_t u = D Δu - u v² + F (1 - u), ∂_t v = E Δv + u v² - (F + k) v."""
    box = Torus(n, 2, 100.0)
    rng = np.random.default_rng(seed)
    feed, kill, du, dv = 0.037, 0.06, 0.2, 0.1
    lump = box.smooth(rng, 1, 4.0)[0] > 0.8
    start = np.stack([1 - 0.5 * lump, 0.25 * lump])
    start = box.real(box.hat(start) * np.exp(-1.0 * box.square))

    def rate(u: Array) -> Array:
        made = u[0] * u[1] ** 2
        return np.stack([feed * (1 - u[0]) - made, made - (feed + kill) * u[1]])

    first = _reaction(box, start, (du, dv), rate, 0.5, 100, 2)[-1]
    data = _reaction(box, first, (du, dv), rate, 0.5, 8, frames)
    truth = {
        "u": {"∂_i ∂_i u": du, "u v²": -1.0, "u": -feed, "1": feed},
        "v": {"∂_i ∂_i v": dv, "u v²": 1.0, "v": -(feed + kill)},
    }
    fields = {"u": "trivial", "v": "trivial"}
    arrays = {"u": data[:, :1], "v": data[:, 1:]}
    return System("Gray–Scott", "O(2)", fields, arrays, _times(frames, 4.0), box.axes, 3, 2, truth)


def swift_hohenberg(seed: int = 0, n: int = 64, frames: int = 80) -> System:
    """∂_t u = r u - (1 + Δ)² u + g u² - u³."""
    box = Torus(n, 2, 16 * np.pi)
    rng = np.random.default_rng(seed)
    r, g = 0.3, 0.5
    linear = r - (1 - box.square) ** 2
    start = 0.4 * box.smooth(rng, 1, 8.0)
    path = march(box.hat(start), linear, lambda v: box.hat(g * box.real(v) ** 2 - box.real(v) ** 3), 0.05, 4, frames)
    data = np.array([box.real(v) for v in path])
    truth = {"u": {"u": r - 1, "∂_i ∂_i u": -2.0, "∂_i ∂_i ∂_j ∂_j u": -1.0, "u²": g, "u³": -1.0}}
    times = _times(frames, 0.2)
    return System("Swift–Hohenberg", "O(2)", {"u": "trivial"}, {"u": data}, times, box.axes, 3, 4, truth)


def reaction_3d(seed: int = 0, n: int = 24, frames: int = 50) -> System:
    """FitzHugh and Nagumo in space: ∂_t u = D Δu + u - u³ - v, ∂_t v = E Δv + a u - b v."""
    box = Torus(n, 3, 20.0)
    rng = np.random.default_rng(seed)
    start = box.smooth(rng, 2, 2.0)

    def rate(u: Array) -> Array:
        return np.stack([u[0] - u[0] ** 3 - u[1], 0.5 * u[0] - 0.4 * u[1]])

    data = _reaction(box, start, (0.5, 0.2), rate, 0.02, 5, frames)
    truth = {
        "u": {"∂_i ∂_i u": 0.5, "u": 1.0, "u³": -1.0, "v": -1.0},
        "v": {"∂_i ∂_i v": 0.2, "u": 0.5, "v": -0.4},
    }
    fields = {"u": "trivial", "v": "trivial"}
    arrays = {"u": data[:, :1], "v": data[:, 1:]}
    return System("reaction–diffusion in 3-D", "O(3)", fields, arrays, _times(frames, 0.1), box.axes, 3, 2, truth)


SYSTEMS: dict[str, Callable[..., System]] = {
    "burgers": burgers,
    "vorticity": vorticity,
    "velocity": velocity,
    "gray_scott": gray_scott,
    "toner_tu": toner_tu,
    "swift_hohenberg": swift_hohenberg,
    "reaction_3d": reaction_3d,
}
