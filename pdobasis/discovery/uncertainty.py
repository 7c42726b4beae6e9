r"""How sure: standard errors of coefficients, and how often a term is chosen from half of the data.

Three things make coefficients uncertain, and each is measured by itself, all for columns of length 1:

- what a model leaves, from tile to tile (:func:`standard_errors`);
- noise, put on once more (:func:`noise_errors`). Test functions are longer than tiles in time and overlap, so that
  tiles are not independent, and their spread alone is too small; noise that is put on has all these correlations. Both
  measure the same thing where noise is all that is left, so the larger one is taken;
- what is systematic, quadrature and what smoothing takes away: it differs with the size of test functions
  (:func:`size_errors`), and is added as a square.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.discovery.moments import Moments
from pdobasis.discovery.recording import Array
from pdobasis.discovery.search import KAPPA, Model, choose, fitted, path

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


def noise_errors(own: Moments, model: Model, grams: Sequence[Array]) -> Array:
    r"""$A^{-1} C A^{-1}$ with C the covariance of $\psi = G_{Sb} - G_{SS}\, c$ over fields with other noise.

    ``grams`` are those of the chosen columns, the target last. Where J is above 1, more than noise is left, and C grows
    with it.
    """
    total = own.total()
    index = [*model.terms, total.size]
    lengths = total.lengths[index]
    scale = np.outer(lengths, lengths)
    c = np.array(model.coefficients)
    kappa = float(np.clip(model.ratio, 0, KAPPA))
    a = (total.gram - kappa * total.noise)[np.ix_(index[:-1], index[:-1])]
    scores = []
    for gram in grams:
        g = gram / scale
        scores.append(g[:-1, -1] - g[:-1, :-1] @ c)
    middle = np.atleast_2d(np.cov(np.array(scores), rowvar=False))
    inverse = np.linalg.pinv(a)
    found = np.diag(inverse @ middle @ inverse) * max(1.0, model.ratio)
    return np.asarray(np.sqrt(np.maximum(found, 0)))


def size_errors(own: Moments, every: Sequence[Moments], model: Model) -> Array:
    """Standard deviation of the coefficients over test functions of several sizes, scaled as those of ``own``."""
    if len(every) < 2:
        return np.zeros(len(model.terms))
    chosen = list(model.terms)
    found = []
    for some in every:
        total = some.total()
        scale = total.lengths[-1] / total.lengths[chosen]
        found.append(np.array(fitted(total, model.terms).coefficients) * scale)
    lengths = own.total().lengths
    return np.asarray(np.std(found, axis=0, ddof=1) * lengths[chosen] / lengths[-1])


def frequencies(
    own: Moments, complexity: Sequence[float], samples: int, seed: int
) -> Array | None:
    """In which part of ``samples`` random halves of the tiles each term is chosen."""
    if not samples:
        return None
    out = np.zeros(own.size)
    rng = np.random.default_rng(seed)
    count = len(own.gram)
    for _ in range(samples):
        check()
        some = rng.permutation(count)[: max(1, count // 2)]
        total = own.total(some)
        model = choose(path(total, NARROW, every=0), total.rows, complexity)
        out[list(model.terms)] += 1
    return out / samples
