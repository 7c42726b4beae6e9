"""The main job: recordings in, an equation out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pdobasis.bounds.estimate import cost
from pdobasis.bounds.watch import step
from pdobasis.discovery.candidates import Candidates, Rep, candidates
from pdobasis.discovery.columns import Columns, Plan, Weights, columns
from pdobasis.discovery.functions import RADII, Radii, test_functions
from pdobasis.discovery.moments import Moments, Total, moments
from pdobasis.discovery.recording import Array, Recording
from pdobasis.discovery.result import Equation, FoundTerm, Size
from pdobasis.discovery.search import Model, choose, criteria, path
from pdobasis.discovery.smoothing import Smoothed, is_periodic, smoothed
from pdobasis.discovery.uncertainty import (
    frequencies,
    noise_errors,
    size_errors,
    standard_errors,
)
from pdobasis.errors import SpecError
from pdobasis.groups.group import Group

AGAIN = 3
"""How often noise is put on once more."""
REPLICATES = 10
"""The same for standard errors, of the chosen terms only."""
TILES: dict[int, tuple[int, ...]] = {1: (8, 4), 2: (5, 2, 2), 3: (5, 2, 2, 2)}
"""Tiles along time, …, x2, x1."""


def sides(found: Candidates, ready: Smoothed, own: Equation) -> tuple[Array, Array]:
    """∂_t and the right-hand side, both integrated against the same test functions."""
    plan = Plan(found, True, ready.recording.dim)
    time, space, _, _ = test_functions(plan, ready, RADII[0])
    values = columns(plan, ready.recording, ready.periodic, time, space).values
    c = np.array([t.coefficient for t in own.every])
    return values[-1].ravel(), np.tensordot(c, values[:-1], axes=1).ravel()


@dataclass(frozen=True, eq=False)
class Fit:
    """One choice of test functions: moments, the model, the settings in words."""

    moments: Moments
    models: list[list[Model]]
    """The best of every size."""
    model: Model
    settings: dict[str, Any]
    radii: Radii | None


def discover(
    recordings: Recording | Sequence[Recording],
    group: str | Group,
    fields: Mapping[str, Rep],
    *,
    target: str | None = None,
    degree: int = 3,
    derivatives: int = 2,
    max_total: int | None = None,
    constants: Mapping[str, Rep] | None = None,
    weights: str | None = None,
    weak: bool = True,
    smooth: bool = True,
    periodic: bool | None = None,
    samples: int = 40,
    seed: int = 0,
) -> Equation:
    """The equation ∂_t ``target`` = Σ c_k T_k that the data support, among all terms that the symmetry allows.

    ``max_total`` bounds the derivatives of a term together, ``derivatives`` if it is not given. ``weak`` integrates
    against test functions, whose size is chosen by what it leaves unexplained. ``periodic`` is seen from the data.
    """
    every = [recordings] if isinstance(recordings, Recording) else list(recordings)
    if not every:
        raise SpecError("no recording is given")
    name = target or next(iter(fields))
    step("listing candidates")
    found = candidates(
        group,
        fields,
        name,
        degree,
        derivatives,
        max_total=derivatives if max_total is None else max_total,
        constants=constants,
        values=every[0].constants,
        weights=weights,
        dim=every[0].dim,
    )
    ready = [prepared(r, periodic, smooth) for r in every]
    return equation(found, ready, weak=weak, samples=samples, seed=seed)


def equation(
    found: Candidates,
    ready: Sequence[Smoothed],
    *,
    weak: bool = True,
    samples: int = 40,
    seed: int = 0,
) -> Equation:
    """The equation, for candidates and smoothed recordings."""
    dim = found.question.group.dim
    for r in ready:
        if r.recording.dim != dim:
            raise SpecError(
                f"{r.recording.source} has {r.recording.dim} axes of space, {found.question.group.name} acts on {dim}"
            )
    _require(found, ready, weak)
    every = fits(found, ready, weak, seed)
    best = _agreed(every)
    step("measuring stability")
    share = frequencies(best.moments, complexity(found), samples, seed)
    errors = _errors(found, ready, every, best, weak, seed)
    return _told(found, ready, best, errors, share, weak)


def _require(found: Candidates, ready: Sequence[Smoothed], weak: bool) -> None:
    """Refuse what would take too long: models grow term by term, and every monomial is integrated at all points."""
    plan = Plan(found, weak, found.question.group.dim)
    integrals = sum(map(len, plan.jobs.values())) * (len(RADII) if weak else 1)
    points, values = 0.0, 0.0
    for r in ready:
        own = float(np.prod([len(r.recording.times), *r.recording.grid]))
        points += own * sum(f.rep.size for f in found.question.fields)
        values += own * integrals * (1 + AGAIN * r.is_noisy)
    candidates = float(len(found))
    features = {"one": 1.0, "candidates": candidates, "values": values}
    features["points"] = points
    cost("discover", features).require(
        f"a search among {len(found)} candidates",
        "lower degree=, derivatives= or max_total=, or give fewer frames",
    )


def complexity(found: Candidates) -> list[float]:
    """Of models that explain as much, the one with fewer derivatives and factors is taken, then with fewer others.

    A field that spreads by itself is simpler than one that another field spreads.
    """
    target = found.names.index(found.target)
    out = []
    for t in found.terms:
        others = sum(jet.field != target for jet in t.multidegree.jets)
        out.append(2 * t.multidegree.total + t.multidegree.degree + 0.5 * others)
    return out


def prepared(given: Recording, periodic: bool | None, smooth: bool) -> Smoothed:
    """Without noise as far as it can be told, and with what is known of its boundary."""
    step("looking at noise")
    wraps = is_periodic(given)
    if periodic is not None:
        wraps = (periodic,) * given.dim
    return smoothed(given, wraps, smooth)


def fits(
    found: Candidates, ready: Sequence[Smoothed], weak: bool, seed: int
) -> list[Fit]:
    """One for every size of test functions that fits into the data."""
    dim = found.question.group.dim
    plan = Plan(found, weak, dim)
    simple = complexity(found)
    out: list[Fit] = []
    for radii in RADII if weak else (None,):
        step("integrating terms" if weak else "evaluating terms")
        rng = np.random.default_rng(seed)
        every: Moments | None = None
        settings: dict[str, Any] = {}
        for r in ready:
            time, space, rows, settings = test_functions(plan, r, radii)
            some = _moments(plan, r, time, space, rows, rng)
            every = some if every is None else every.joined(some)
        if every is None:
            continue
        if any(settings == f.settings for f in out):
            continue
        total = every.total()
        models = path(total)
        own = choose(models, total.rows, simple)
        out.append(Fit(every, models, own, settings, radii))
    return out


def _agreed(fits: Sequence[Fit]) -> Fit:
    """The model that most test functions lead to, with those that leave least of it."""
    votes = [sum(f.model.terms == o.model.terms for o in fits) for f in fits]
    return min(
        zip(votes, fits, strict=True), key=lambda pair: (-pair[0], pair[1].model.score)
    )[1]


def _moments(
    plan: Plan,
    ready: Smoothed,
    time: Weights,
    space: Sequence[Weights],
    rows: float,
    rng: np.random.Generator,
) -> Moments:
    pieces = TILES.get(ready.recording.dim, (5, *[2] * ready.recording.dim))

    def made(given: Recording) -> Columns:
        return columns(plan, given, ready.periodic, time, space)

    times = AGAIN if ready.is_noisy else 0
    again = (made(ready.again(rng)) for _ in range(times))
    return moments(made(ready.recording), again, pieces, rows)


def _errors(
    found: Candidates,
    ready: Sequence[Smoothed],
    every: Sequence[Fit],
    best: Fit,
    weak: bool,
    seed: int,
) -> Array:
    """Standard errors of the coefficients of the model that was chosen, in the order of its terms."""
    if not best.model.terms:
        return np.zeros(0)
    tiles = standard_errors(best.moments, best.model)
    sizes = size_errors(best.moments, [f.moments for f in every], best.model)
    if not any(r.is_noisy for r in ready):
        return np.asarray(np.hypot(tiles, sizes))
    step("putting on other noise")
    grams = _grams(found, ready, best, weak, seed)
    noise = noise_errors(best.moments, best.model, grams)
    return np.asarray(np.hypot(np.maximum(tiles, noise), sizes))


def _grams(
    found: Candidates, ready: Sequence[Smoothed], best: Fit, weak: bool, seed: int
) -> list[Array]:
    """Moments of the chosen columns, with other noise on the smoothed fields."""
    dim = found.question.group.dim
    whole = Plan(found, weak, dim)
    plan = Plan(found.some(best.model.terms), weak, dim)
    rng = np.random.default_rng([seed, 1])
    places = [test_functions(whole, r, best.radii)[:2] for r in ready]
    out = []
    for _ in range(REPLICATES):
        gram = np.zeros((plan.count + 1,) * 2)
        for r, (time, space) in zip(ready, places, strict=True):
            own = columns(plan, r.again(rng), r.periodic, time, space).values
            rows = own.reshape(len(own), -1)
            gram += rows @ rows.T
        out.append(gram)
    return out


def _told(
    found: Candidates,
    ready: Sequence[Smoothed],
    best: Fit,
    errors: Array,
    share: Array | None,
    weak: bool,
) -> Equation:
    total = best.moments.total()
    chosen = best.model.terms
    scale = total.lengths[-1] / total.lengths[:-1]
    known = dict(
        zip(chosen, zip(best.model.coefficients, errors, strict=True), strict=True)
    )
    listed = []
    for k, term in enumerate(found.terms):
        c, e = known.get(k, (0.0, 0.0))
        part = None if share is None else float(share[k])
        listed.append(FoundTerm(term, float(c * scale[k]), float(e * scale[k]), part))
    e = np.append(best.model.coefficients, -1.0)
    index = [*chosen, total.size]
    left = float(np.sqrt(max(e @ total.gram[np.ix_(index, index)] @ e, 0.0)))
    noise = {
        name: float(np.sqrt(np.mean([r.noise[name] ** 2 for r in ready])))
        for name in ready[0].noise
    }
    return Equation(
        found.target,
        _indices(found),
        tuple(listed),
        left,
        best.model.ratio,
        noise,
        "weak" if weak else "strong",
        found.question.group.name,
        best.settings,
        _sizes(found, best, total),
    )


def _sizes(found: Candidates, best: Fit, total: Total) -> tuple[Size, ...]:
    """The model that was chosen, and the best of the other sizes, up to two terms more."""
    out = []
    for own in best.models:
        seen = [m for m in own if m.visible]
        if not seen or len(seen[0].terms) > len(best.model.terms) + 2:
            continue
        taken = len(seen[0].terms) == len(best.model.terms)
        model = best.model if taken else seen[0]
        texts = tuple(found.terms[k].text for k in model.terms)
        out.append(
            Size(texts, model.ratio, *criteria(model, total.rows, len(found)), taken)
        )
    return tuple(out)


def _indices(found: Candidates) -> str:
    """The free indices, where terms are written with them: _i for a vector."""
    from pdobasis.nonlinear.tensors import tensor_type

    size = found.question.out.size
    if size == 1 or tensor_type(found.question.out) is None:
        return ""
    if all(t.indexed is None for t in found.terms if t.name != "constant"):
        return ""
    order, total = 0, 1
    while total < size and order < 4:
        order += 1
        total *= found.question.group.dim
    return "_" + "ijkl"[:order]
