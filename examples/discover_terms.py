"""Which equation is this? Sparse regression over all terms that a symmetry allows.

A flocking model of Toner and Tu, dv/dt = -λ (v·∇)v + a v - b |v|² v + D Δv + E ∇(∇·v), is sampled at random smooth
fields with noise, and found again by sequentially thresholded least squares (STLSQ) among all terms of O(2) with
at most three factors and two derivatives: once in the textbook form, once in the echelon form.

    python examples/discover_terms.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import pdobasis

TRUTH = {
    "v_j ∂_j v_i": -0.8,
    "v_i": 0.5,
    "v_i v_j v_j": -0.6,
    "∂_j ∂_j v_i": 0.3,
    "∂_i ∂_j v_j": 0.2,
}
NOISE = 0.01
THRESHOLD = 0.05


def smooth_field(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Two components of a few low frequencies."""
    x = 2 * np.pi * np.arange(n) / n
    out = np.zeros((2, n, n))
    for c in range(2):
        for _ in range(6):
            k, phase = rng.integers(-3, 4, 2), rng.uniform(0, 2 * np.pi)
            wave = k[0] * x[None, :] + k[1] * x[:, None] + phase
            out[c] += rng.normal() * np.cos(wave) / 2
    return out


def stlsq(columns: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least squares, small coefficients of normalised columns set to zero, again and again."""
    lengths = np.linalg.norm(columns, axis=0)
    scaled = columns / lengths
    active = np.ones(columns.shape[1], dtype=bool)
    out = np.zeros(columns.shape[1])
    for _ in range(20):
        out[:] = 0
        out[active] = np.linalg.lstsq(scaled[:, active], target, rcond=None)[0]
        kept = np.abs(out) > THRESHOLD * np.abs(out).max()
        if (kept == active).all():
            break
        active = kept
    return np.asarray(out / lengths)


def discover(form: str, seed: int = 0) -> tuple[pdobasis.Terms, NDArray[np.float64], float]:
    """(terms, coefficients, relative error of the prediction)."""
    rng = np.random.default_rng(seed)
    n = 48
    field = smooth_field(rng, n)
    step = 2 * np.pi / n
    known = pdobasis.terms("O(2)", {"v": "vector"}, "vector", 3, 2, max_total=2)
    values = known.evaluate({"v": field}, spacing=step)
    exact = sum(TRUTH.get(t.text, 0.0) * values[k] for k, t in enumerate(known))
    target = exact + NOISE * np.std(exact) * rng.normal(size=exact.shape)
    found = pdobasis.terms("O(2)", {"v": "vector"}, "vector", 3, 2, max_total=2, form=form)
    columns = found.evaluate({"v": field}, spacing=step).reshape(len(found), -1).T
    weights = stlsq(columns, target.ravel())
    error = np.linalg.norm(columns @ weights - exact.ravel()) / np.linalg.norm(exact)
    return found, weights, float(error)


def main() -> None:
    for form in ("textbook", "echelon"):
        found, weights, error = discover(form)
        active = np.count_nonzero(weights)
        print(f"{form}: {active} of {len(found)} terms, error {error:.4f}")
        for term, weight in zip(found, weights, strict=True):
            if weight:
                text = term.text if len(term.text) <= 60 else term.text[:57] + "..."
                print(f"  {weight:+.4f}  {text}")


if __name__ == "__main__":
    main()
