"""How sure: standard errors of coefficients, and how often a term is chosen from half of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.discovery.moments import Moments
from pdobasis.discovery.recording import Array
from pdobasis.discovery.search import KAPPA, Model, choose, path

NARROW = 2
"""Models of a size that are gone on with, in one of many searches."""


def standard_errors(own: Moments, model: Model) -> Array:
    r"""The sandwich $A^{-1} (\sum_b \psi_b \psi_b^T) A^{-1}$ over tiles b, which need not be independent inside.

    $A = (G - \kappa N)_{SS}$, and $\psi_b = (G_b - \kappa N_b)_{Sb} - (G_b - \kappa N_b)_{SS}\, c$ is what tile b alone
    would change.
    """
    if not model.terms:
        return np.zeros(0)
    total = own.total()
    chosen = list(model.terms)
    scale = np.outer(total.lengths, total.lengths)
    kappa = float(np.clip(model.ratio, 0, KAPPA))
    tiles = (own.gram - kappa * own.noise) / scale
    c = np.array(model.coefficients)
    inner = tiles[:, chosen][:, :, chosen]
    scores = tiles[:, chosen, -1] - inner @ c
    a = inner.sum(axis=0)
    count = len(tiles)
    middle = scores.T @ scores * count / max(count - len(chosen), 1)
    inverse = np.linalg.pinv(a)
    return np.asarray(np.sqrt(np.maximum(np.diag(inverse @ middle @ inverse), 0)))


def frequencies(
    own: Moments, complexity: Sequence[float], samples: int, seed: int
) -> Array:
    """In which part of ``samples`` random halves of the tiles each term is chosen."""
    out = np.zeros(own.size)
    if not samples:
        return out
    rng = np.random.default_rng(seed)
    count = len(own.gram)
    for _ in range(samples):
        check()
        some = rng.permutation(count)[: max(1, count // 2)]
        total = own.total(some)
        model = choose(path(total, NARROW), total.rows, complexity)
        out[list(model.terms)] += 1
    return out / samples
