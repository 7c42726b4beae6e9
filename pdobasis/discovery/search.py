r"""The best model of every size, and how many terms the data support.

For a set S of terms the coefficients are those of corrected moments,
$c = (G - \kappa N)_{SS}^{-1} (G - \kappa N)_{Sb}$, and the model is judged by what is left, compared with what noise
alone would leave:

$$J = \frac{e^T G\, e}{e^T N e}, \qquad e = (c, -1).$$

J is near 1 when a model is true, whatever the noise. But large coefficients of noisy columns explain anything, with
much noise: so models are compared by $J \sqrt{e^T G\, e}$. A further term has to make that smaller by a small part
where J is near 1, and by about one half where much is left that no noise explains: then what is wrong is not the choice
of terms.

A smaller score may come from less noise alone. So a further term must pay by an information criterion, too: with a
known covariance of the noise of all columns, -2 log L = n J for n independent rows, the sum of squared distances of the
errors-in-variables model, and the extended BIC of k out of p terms is

$$n J + k \log n + 2 \log \binom{p}{k}.$$
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, lgamma, log, sqrt

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.watch import check
from pdobasis.discovery.moments import FLOOR, Total
from pdobasis.discovery.recording import Array

LARGEST = 12
"""Terms of a model."""
BEAM = 6
"""Models of a size that are gone on with."""
KAPPA = 1.25
"""Noise is taken off at most this many times: J itself, where it is near 1."""
VISIBLE = 0.5
"""Part of a combination of columns that may be noise."""
GAIN, HALVED = 0.05, 0.7
"""Logarithm of J that a term is worth: where J comes near 1, and where it stays large."""
EXPLAINED = 0.8
"""J below which nothing is left to explain."""
CLOSE = 5e-4
"""Part of the target that nobody asks to explain."""
ALIKE, BOTH_TRUE = 1.05, 1.25
"""Models of one size whose scores differ by less: the simplest is taken; where noise explains all that both leave."""
SMALL, EVERY = 4, 60_000
"""Sizes of which all sets are tried, where there are no more than so many."""

Set = tuple[int, ...]
Pools = dict[int, dict[Set, "Model"]]


@dataclass(frozen=True)
class Model:
    """A set of terms, J, coefficients for columns of length 1; whether its columns stand out of noise.

    ``score`` is smaller for better models, whatever their size.
    """

    terms: Set
    ratio: float
    score: float
    coefficients: tuple[float, ...]
    visible: bool = True


def path(
    total: Total, beam: int = BEAM, largest: int = LARGEST, every: int = EVERY
) -> list[list[Model]]:
    """The best models found of every size, from 0.

    Terms that nearly cancel are found from above only, others sooner from below: so all terms are left out one by one,
    then models grow from nothing, terms are exchanged, and the larger models shrink once more. Of small sets, where
    there are no more than ``every`` of a size, all are tried.
    """
    pools: Pools = {0: {(): _fit(total, np.zeros((1, 0), dtype=np.int64))[0]}}
    usable = [int(k) for k in np.flatnonzero(np.diag(total.noise)[:-1] < VISIBLE)]
    for chosen in _eliminated(total, usable, largest):
        _offer(pools, _fit(total, np.array([chosen], dtype=np.int64)), beam)
    for size in range(1, min(largest, len(usable)) + 1):
        check()
        if size <= SMALL and comb(len(usable), size) <= every:
            grown = set(combinations(usable, size))
        else:
            grown = _grown(pools.get(size - 1, {}), usable)
        _offer(pools, _fit_all(total, grown - set(pools.get(size, {}))), beam)
        _exchange(total, pools, size, usable, beam)
    for size in sorted(pools, reverse=True):
        if size < 2:
            break
        check()
        less = {tuple(k for k in own if k != out) for own in pools[size] for out in own}
        before = _first(pools[size - 1])
        _offer(pools, _fit_all(total, less - set(pools[size - 1])), beam)
        if _first(pools[size - 1]) != before:
            _exchange(total, pools, size - 1, usable, beam)
    return [_sorted(pools[size]) for size in sorted(pools)]


def choose(
    models: list[list[Model]], rows: float, complexity: Sequence[float]
) -> Model:
    """The smallest model that no larger one is sufficiently better than; of those that are alike the simplest."""
    best = []
    for own in models:
        seen = [m for m in own if m.visible]
        if seen:
            best.append((len(seen[0].terms), seen))
    for size, own in best:
        if all(
            not _beats(o[0], own[0], rows, len(complexity)) for n, o in best if n > size
        ):
            return _simplest(own, rows, complexity)
    return best[-1][1][0]


def criteria(model: Model, rows: float, candidates: int) -> tuple[float, float, float]:
    """AIC, BIC and the extended BIC, with -2 log L = n J."""
    k = len(model.terms)
    misfit = rows * model.ratio
    bic = misfit + k * log(max(rows, 3.0))
    return misfit + 2 * k, bic, bic + 2 * _log_comb(candidates, k)


def _simplest(own: Sequence[Model], rows: float, complexity: Sequence[float]) -> Model:
    """Of models of one size that are as good as the first.

    Of a true model n J is a sum of n squares of normal numbers, and J = 1 ± √(2/n): up to two of these deviations noise
    explains all that is left.
    """
    best = own[0]
    noise_alone = 1 + 2 * sqrt(2 / max(rows, 3.0))
    alike = []
    for m in own:
        factor = ALIKE
        if max(m.ratio, best.ratio) <= noise_alone:
            factor = BOTH_TRUE
        if m.score <= factor * best.score:
            alike.append(m)
    return min(alike, key=lambda m: (sum(complexity[k] for k in m.terms), m.score))


def _beats(larger: Model, smaller: Model, rows: float, candidates: int) -> bool:
    gained = log(smaller.score / larger.score)
    more = len(larger.terms) - len(smaller.terms)
    if gained <= more * _needed(larger.ratio, rows):
        return False
    many = max(rows, 3.0)
    paid = many * (smaller.ratio - max(larger.ratio, EXPLAINED))
    choices = _log_comb(candidates, len(larger.terms))
    choices -= _log_comb(candidates, len(smaller.terms))
    return paid > more * log(many) + 2 * choices


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _needed(ratio: float, rows: float) -> float:
    above = max(0.0, 1 - 1 / max(ratio, 1.0))
    many = max(rows, 3.0)
    return GAIN + 2 * log(many) / many + HALVED * above**2


def _sorted(pool: dict[Set, Model]) -> list[Model]:
    return sorted(pool.values(), key=lambda m: (not m.visible, m.score, m.terms))


def _first(pool: dict[Set, Model]) -> Set:
    return _sorted(pool)[0].terms


def _offer(pools: Pools, models: Iterable[Model], beam: int) -> None:
    """Keep the best of every size."""
    for m in models:
        pools.setdefault(len(m.terms), {})[m.terms] = m
    for size, pool in pools.items():
        if len(pool) > beam:
            pools[size] = {m.terms: m for m in _sorted(pool)[:beam]}


def _grown(pool: dict[Set, Model], usable: Sequence[int]) -> set[Set]:
    return {tuple(sorted((*own, k))) for own in pool for k in usable if k not in own}


def _exchange(
    total: Total, pools: Pools, size: int, usable: Sequence[int], beam: int
) -> None:
    """Each term of the best model exchanged for each other, as long as that helps."""
    for _ in range(4):
        best = _first(pools[size])
        rests = {tuple(k for k in best if k != out): pools[size][best] for out in best}
        others = _grown(rests, usable) - set(pools[size])
        _offer(pools, _fit_all(total, others), beam)
        if _first(pools[size]) == best:
            return


def _eliminated(total: Total, usable: Sequence[int], largest: int) -> Iterable[Set]:
    """All terms, without the one that costs least, again and again."""
    left = list(usable)
    if not left:
        return
    index = np.array([*left, total.size])
    g, n = total.gram[np.ix_(index, index)], total.noise[np.ix_(index, index)]
    worst = _largest(g[None, :-1, :-1], n[None, :-1, :-1])[0]
    kappa = min(1.0, VISIBLE / max(worst, 1e-300))
    m = g - kappa * n
    inverse = np.linalg.inv(m[:-1, :-1] + RIDGE * np.eye(len(left)))
    while len(left) > 1:
        if len(left) <= largest:
            yield tuple(left)
        c = inverse @ m[:-1, -1]
        out = int(np.argmin(c**2 / np.maximum(np.diag(inverse), 1e-300)))
        keep = np.arange(len(left)) != out
        # the inverse without a row and column, by the formula of Schur
        inverse = inverse - np.outer(inverse[:, out], inverse[out]) / inverse[out, out]
        inverse = inverse[np.ix_(keep, keep)]
        m = m[np.ix_(np.append(keep, True), np.append(keep, True))]
        left.pop(out)
    yield tuple(left)


RIDGE = 1e-11
"""So that columns that are equal have an inverse."""


def fitted(total: Total, terms: Set) -> Model:
    """The model of these terms."""
    return _fit(total, np.array([terms], dtype=np.int64))[0]


def _fit_all(total: Total, sets: Iterable[Set]) -> list[Model]:
    chosen = np.array(sorted(sets), dtype=np.int64)
    if not len(chosen):
        return []
    return _fit(total, chosen)


def _fit(total: Total, sets: NDArray[np.int64]) -> list[Model]:
    """All sets of one size at once."""
    g, n = total.gram, total.noise
    size = sets.shape[1]
    if not size:
        score = _score(np.array([g[-1, -1]]), np.array([n[-1, -1]]))[0]
        return [Model((), float(g[-1, -1] / n[-1, -1]), float(score), ())]
    rows, cols = sets[:, :, None], sets[:, None, :]
    gs, ns = g[rows, cols], n[rows, cols]
    gb, nb = g[sets, -1], n[sets, -1]
    worst = _largest(gs, ns)
    ridge = RIDGE * np.eye(size)
    kappa = np.ones(len(sets))
    for _ in range(3):
        # where columns are noise, no more is taken off than leaves a positive form
        kappa = np.minimum(kappa, VISIBLE / np.maximum(worst, 1e-300))
        k = kappa[:, None]
        m = gs - k[..., None] * ns + ridge
        c = np.linalg.solve(m, (gb - k * nb)[..., None])[..., 0]
        rest = _quadratic(g[-1, -1], gb, gs, c)
        noise = _quadratic(n[-1, -1], nb, ns, c)
        kappa = np.clip(rest / noise, 0, KAPPA)
    score = _score(rest, noise, FLOOR**2 * (c**2).sum(axis=1))
    return [
        Model(tuple(map(int, s)), float(r), float(f), tuple(map(float, own)), bool(v))
        for s, r, f, own, v in zip(
            sets, rest / noise, score, c, worst < VISIBLE, strict=True
        )
    ]


def _score(rest: Array, noise: Array, floor: Array | float = 0.0) -> Array:
    """J √(what is left), where neither counts below what noise explains."""
    measured = EXPLAINED * (noise - floor)
    left = np.maximum(np.maximum(rest, measured), CLOSE**2)
    return np.asarray(np.maximum(rest / noise, EXPLAINED) * np.sqrt(left))


def _largest(gs: Array, ns: Array) -> Array:
    r"""$\max_c c^T N c / c^T G c$: how much of a combination of columns is noise."""
    lower = np.linalg.cholesky(gs + RIDGE * np.eye(gs.shape[-1]))
    half = np.linalg.solve(lower, ns)
    white = np.linalg.solve(lower, np.swapaxes(half, 1, 2))
    return np.asarray(np.linalg.eigvalsh(white)[:, -1])


def _quadratic(corner: float, side: Array, inner: Array, c: Array) -> Array:
    r"""$(c, -1)^T M (c, -1)$."""
    own = np.einsum("bi,bij,bj->b", c, inner, c)
    return np.asarray(own - 2 * np.einsum("bi,bi->b", c, side) + corner)
