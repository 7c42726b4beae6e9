"""Learn what is missing in an equation, through the time steps of a solver.

A flow follows ∂_t u = -(u·∇)u + ν Δu + a u - b |u|² u. The solver knows its advection only. A :class:`TermLayer` adds a
combination of all terms of O(2) with at most three factors and two derivatives; its coefficients are learned from
pairs of states that are some RK4 steps apart, and what was learned is printed as an equation.

    python examples/learn_closure.py
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

import pdobasis
from pdobasis.nn import TermLayer, TermsFunction, rk4

STEP, STEPS, POINTS = 0.02, 4, 24
TRUTH = {"∂_j ∂_j u_i": 0.05, "u_i": 0.5, "u_i u_j u_j": -0.4}


def smooth(generator: torch.Generator, batch: int) -> Tensor:
    """Random fields of low frequencies."""
    noise = torch.randn(batch, 2, POINTS, POINTS, generator=generator, dtype=torch.float64)
    k = torch.fft.fftfreq(POINTS, 1 / POINTS, dtype=torch.float64)
    low = torch.exp(-(k[:, None] ** 2 + k**2) / 4)
    out = torch.fft.ifft2(torch.fft.fft2(noise) * low).real
    scaled: Tensor = out / out.std()
    return scaled


def march(rate: Callable[[Tensor], Tensor], u: Tensor) -> Tensor:
    for _ in range(STEPS):
        u = rk4(rate, u, STEP)
    return u


def learn(rounds: int = 60, seed: int = 0) -> TermLayer:
    generator = torch.Generator().manual_seed(seed)
    spacing = 2 * torch.pi / POINTS
    every = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 3, 2, max_total=2)
    known = TermsFunction(every, spacing)
    texts = [term.text for term in every]
    true = torch.tensor([TRUTH.get(text, 0.0) for text in texts], dtype=torch.float64)
    advection = torch.zeros_like(true)
    advection[texts.index("u_j ∂_j u_i")] = -1

    def exact(u: Tensor) -> Tensor:
        found: Tensor = torch.tensordot(true + advection, known({"u": u}), dims=1)
        return found

    start = smooth(generator, 6)
    with torch.no_grad():
        end = march(exact, start)
        end = end + 1e-3 * torch.randn(end.shape, generator=generator, dtype=end.dtype)

    layer = TermLayer(every, spacing).double()
    layer.calibrate({"u": start})

    def rate(u: Tensor) -> Tensor:
        values = known({"u": u})
        found: Tensor = torch.tensordot(layer.coefficients + advection, values, dims=1)
        return found

    optimizer = torch.optim.LBFGS(layer.parameters(), max_iter=rounds, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = 1e4 * (march(rate, start) - end).square().mean()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    # small terms are left out, and the others fitted again
    for part in (0.02, 0.02, 0.0):
        optimizer.step(closure)  # type: ignore[no-untyped-call]
        layer.keep(part)
    return layer


def main() -> None:
    layer = learn()
    print("closure learned through", STEPS, "RK4 steps:", layer.equation())


if __name__ == "__main__":
    main()
