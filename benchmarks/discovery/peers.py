"""PySINDy's generic libraries on the same data: the same degrees and derivatives, every component by itself.

PySINDy leaves its threshold to the user. All of ``THRESHOLDS`` are fitted, and one is taken by a rule:

- *best*: the one with the fewest wrong and missing terms. It knows the answer, so it is a bound of what a user reaches.
- *BIC*: the least n log(RSS/n) + k log n, summed over coordinates.
- *held-out*: by five folds, the fewest terms within one standard error of the least held-out error.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.discovery.systems import Array, System
from pdobasis.discovery.candidates import candidates
from pdobasis.exact.scalars import float_of

THRESHOLDS = np.geomspace(1e-3, 10, 16)
"""Of features of length 1, as a part of the length of the rate."""
MORE = "PySINDy, weak, more domains"
DOMAINS = {"PySINDy, weak": {2: 600, 3: 300}, MORE: {2: 1000, 3: 500}}
"""Test functions of the weak library, by dimension."""
WIDTH = 1 / 6
"""Half a domain along each axis, as a part of the box; of 1/8, 1/6, 1/5 the best on Burgers."""
MOST_ROWS = 6_000
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Features:
    """PySINDy's columns and rates, and the processor time that they took."""

    names: list[str]
    theta: Array
    rate: Array
    seconds: float


def features(system: System, arrays: dict[str, Array], method: str) -> Features:
    import pysindy as ps

    start = time.process_time()
    stacked = np.concatenate([arrays[name] for name in system.fields], axis=1)
    # (time, coordinates, …, x2, x1) to (x1, x2, …, time, coordinates)
    u = np.ascontiguousarray(stacked.transpose().swapaxes(-1, -2))
    names: list[str] = []
    columns: list[Array] = []
    # products of fields alone have one factor more than those in front of a derivative
    parts = [(system.degree, 0), (system.degree - 1, system.derivatives)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for degree, order in parts:
            library = _library(ps, system, degree, order, DOMAINS.get(method))
            library.fit([ps.AxesArray(u, ps.utils.comprehend_axes(u))])
            own = np.asarray(library.transform(u))
            for k, name in enumerate(library.get_feature_names()):
                if name not in names:
                    names.append(name)
                    columns.append(own[..., k].ravel())
        if method in DOMAINS:
            rate = np.asarray(library.convert_u_dot_integral(u))
        else:
            rate = np.asarray(ps.FiniteDifference(axis=-2)._differentiate(u, t=system.times))
    rate = rate.reshape(-1, u.shape[-1])
    some = np.random.default_rng(0).permutation(len(rate))[:MOST_ROWS]
    theta = np.stack([c[some] for c in columns], axis=1)
    return Features(names, theta, rate[some], time.process_time() - start)


def answers(system: System, own: Features, target: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """(rule, what it finds: candidates, right, wrong, true, error, seconds)."""
    import pysindy as ps

    start = time.process_time()
    truth = _truth(system, target, list(system.fields))
    lengths = np.linalg.norm(own.theta, axis=0)
    lengths[lengths == 0] = 1
    theta = own.theta / lengths
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = [{c: _fit(ps, theta, own.rate[:, c], t) for c in truth} for t in THRESHOLDS]
        judged = [_judged(own.names, {c: x / lengths for c, x in f.items()}, truth) for f in fitted]
        chosen = {
            "best": min(range(len(judged)), key=lambda k: _badness(judged[k])),
            "BIC": min(range(len(fitted)), key=lambda k: _bic(theta, own.rate, fitted[k])),
            "held-out": _held_out(ps, theta, own.rate, fitted),
        }
    seconds = own.seconds + time.process_time() - start
    for rule, k in chosen.items():
        yield rule, {**judged[k], "candidates": len(own.names), "seconds": seconds}


def _library(ps: Any, system: System, degree: int, order: int, domains: dict[int, int] | None) -> Any:
    options: dict[str, Any] = {
        "function_library": ps.PolynomialLibrary(degree=degree, include_bias=False),
        "derivative_order": order,
        "include_bias": order > 0,
    }
    if domains is None and not order:
        return options["function_library"]
    if domains is None:
        grid = np.stack(np.meshgrid(*system.axes, indexing="ij"), axis=-1)
        return ps.PDELibrary(**options, spatial_grid=grid)
    grid = np.stack(np.meshgrid(*system.axes, system.times, indexing="ij"), axis=-1)
    widths = [WIDTH * float(x[-1] - x[0]) for x in (*system.axes, system.times)]
    np.random.seed(0)  # the same domains for both parts of the library
    return ps.WeakPDELibrary(**options, spatiotemporal_grid=grid, K=domains[len(system.axes)], H_xt=widths, p=6)


def _fit(ps: Any, theta: Array, b: Array, threshold: float) -> Array:
    optimizer = ps.STLSQ(threshold=threshold * float(np.linalg.norm(b)), alpha=0)
    optimizer.fit(theta, b[:, None])
    return np.asarray(optimizer.coef_[0])


def _bic(theta: Array, rate: Array, fitted: dict[int, Array]) -> float:
    total, n = 0.0, len(theta)
    for coordinate, c in fitted.items():
        left = float(np.sum((rate[:, coordinate] - theta @ c) ** 2))
        total += n * np.log(left / n) + np.count_nonzero(c) * np.log(n)
    return float(total)


def _held_out(ps: Any, theta: Array, rate: Array, fitted: list[dict[int, Array]]) -> int:
    fold = np.random.default_rng(0).permutation(len(theta)) % FOLDS
    errors = np.zeros((len(THRESHOLDS), FOLDS))
    for k, threshold in enumerate(THRESHOLDS):
        for f in range(FOLDS):
            inside, outside = fold != f, fold == f
            for c in fitted[k]:
                # a threshold is a part of the length of the rate, which is shorter for fewer rows
                share = np.sqrt(inside.mean())
                own = _fit(ps, theta[inside], rate[inside, c] / share, threshold) * share
                errors[k, f] += np.mean((rate[outside, c] - theta[outside] @ own) ** 2)
    mean = errors.mean(axis=1)
    least = int(np.argmin(mean))
    limit = mean[least] + errors[least].std(ddof=1) / np.sqrt(FOLDS)
    sizes = [sum(np.count_nonzero(c) for c in f.values()) for f in fitted]
    return min((k for k in range(len(mean)) if mean[k] <= limit), key=lambda k: (sizes[k], mean[k]))


def _truth(system: System, target: str, fields: list[str]) -> dict[int, dict[str, float]]:
    """By coordinate: the names of true features, and their coefficients."""
    found = candidates(
        system.group, system.fields, target, system.degree, system.derivatives, max_total=system.derivatives
    )
    first = {}
    place = 0
    for name in fields:
        first[name] = place
        place += system.data[name].shape[1]
    out: dict[int, dict[str, float]] = {}
    for term, components in zip(found.terms, found.polynomials, strict=True):
        value = system.truth[target].get(term.text)
        if value is None:
            continue
        for c, polynomial in enumerate(components):
            own = out.setdefault(first[target] + c, {})
            for monomial, number in polynomial.items():
                plain = sorted(first[fields[j.field]] + j.component for j in monomial if not j.order)
                moved = [(first[fields[j.field]] + j.component, j.alpha) for j in monomial if j.order]
                name = _name(plain, moved)
                own[name] = own.get(name, 0.0) + value * float_of(number)
    return out


def _name(plain: list[int], moved: list[tuple[int, tuple[int, ...]]]) -> str:
    parts = []
    for k in sorted(set(plain)):
        power = plain.count(k)
        parts.append(f"x{k}" if power == 1 else f"x{k}^{power}")
    text = " ".join(parts)
    for k, alpha in moved:
        text += f"x{k}_" + "".join(str(i + 1) * a for i, a in enumerate(alpha))
    return text or "1"


def _judged(names: list[str], fitted: dict[int, Array], truth: dict[int, dict[str, float]]) -> dict[str, Any]:
    right = wrong = total = 0
    errors = []
    for coordinate, own in truth.items():
        c = fitted[coordinate]
        chosen = {names[k] for k in np.flatnonzero(c)}
        right += len(chosen & set(own))
        wrong += len(chosen - set(own))
        total += len(own)
        for name, value in own.items():
            errors.append(abs(c[names.index(name)] - value) / abs(value))
    return {"right": right, "wrong": wrong, "true": total, "error": float(np.median(errors))}


def _badness(own: dict[str, Any]) -> tuple[int, float]:
    return own["wrong"] + own["true"] - own["right"], own["error"]
