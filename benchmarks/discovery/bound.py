r"""How well could anyone know Swift–Hohenberg's coefficients? python -m benchmarks.discovery.bound

[--seed 100] [--points 48] [--frames 60]

The bound of Cramér and Rao: with white noise of variance $\sigma^2$ on all frames, no unbiased estimate of the
coefficients c and the unknown start has a smaller covariance than $\sigma^2 (J^T J)^{-1}$, J being the derivative of
all frames by both. The tangent equation $\partial_t w = L w + (2 g u - 3 u^2) w + \partial F / \partial c$ is solved
beside the equation, for every coefficient and every wave of the start.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

import numpy as np

from benchmarks.discovery.systems import Array, Complex, System, Torus, swift_hohenberg

TERMS = ("u", "∂_i ∂_i u", "∂_i ∂_i ∂_j ∂_j u", "u²", "u³")
STEP, EVERY = 0.1, 2
"""Of time, and how many make a frame."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--points", type=int, default=48)
    parser.add_argument("--frames", type=int, default=60)
    given = parser.parse_args()
    system = swift_hohenberg(seed=100 + given.seed, n=given.points, frames=given.frames)
    least = bound(system)
    for level in (0.2, 0.4, 0.8):
        print(json.dumps({"noise": level, **{text: level * e for text, e in least.items()}}, ensure_ascii=False))


def bound(system: System) -> dict[str, float]:
    """The least standard error of every coefficient, as a part of it, for noise as large as the field."""
    covariance = system.data["u"].var() * np.linalg.inv(information(system))
    errors = np.sqrt(np.diag(covariance)[: len(TERMS)])
    return {text: float(e / abs(system.truth["u"][text])) for text, e in zip(TERMS, errors, strict=True)}


def information(system: System) -> Array:
    """JᵀJ of coefficients, then waves of the start."""
    n = len(system.axes[0])
    box = Torus(n, 2, 16 * np.pi)
    truth = system.truth["u"]
    linear = truth["u"] - truth["∂_i ∂_i u"] * box.square + truth["∂_i ∂_i ∂_j ∂_j u"] * box.square**2
    tangents = np.concatenate([np.zeros((len(TERMS), n, n), dtype=complex), _waves(box)])
    # the solution and all tangents are one state
    state = np.concatenate([box.hat(system.data["u"][0]), tangents])

    def products(v: Complex) -> Complex:
        u = box.real(v[0])
        own = box.hat(truth["u²"] * u**2 + truth["u³"] * u**3)
        moved = box.hat((2 * truth["u²"] * u + 3 * truth["u³"] * u**2) * box.real(v[1:]))
        parts = [v[0], -box.square * v[0], box.square**2 * v[0], box.hat(u**2), box.hat(u**3)]
        moved[: len(TERMS)] += np.array(parts)
        return np.concatenate([own[None], moved])

    out = np.zeros((len(tangents),) * 2)
    for k in range(len(system.times)):
        j = box.real(state[1:]).reshape(len(tangents), -1)
        out += j @ j.T
        if k + 1 < len(system.times):
            state = _frame(state, linear, products)
    return out


def _frame(v: Complex, linear: Array, products: Callable[[Complex], Complex]) -> Complex:
    """RK4 on exp(-Lt) v, without keeping anything of the way."""
    half, full = np.exp(linear * STEP / 2), np.exp(linear * STEP)
    for _ in range(EVERY):
        a = products(v)
        b = products(half * (v + STEP / 2 * a))
        c = products(half * v + STEP / 2 * b)
        d = products(full * v + STEP * half * c)
        v = full * v + STEP / 6 * (full * a + 2 * half * (b + c) + d)
    return v


def _waves(box: Torus) -> Complex:
    """An orthonormal basis of all real fields that the solver keeps, in waves."""
    n, done, out = box.n, set(), []
    for i, j in map(tuple, np.argwhere(box.kept)):
        other = ((-i) % n, (-j) % n)
        if (i, j) in done:
            continue
        done |= {(i, j), other}
        for phase in (1.0, 1j)[: 1 if (i, j) == other else 2]:
            one = np.zeros((n, n), dtype=complex)
            one[i, j] = phase
            one[other] = np.conj(phase)
            field = np.fft.ifft2(one).real
            out.append(np.fft.fft2(field / np.linalg.norm(field)))
    return np.array(out)


if __name__ == "__main__":
    main()
