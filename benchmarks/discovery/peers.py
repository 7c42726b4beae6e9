"""PySINDy's generic libraries on the same data: the same degrees and derivatives, every component by itself.

Thresholds are not chosen by PySINDy. Here the best of many is taken with the answer known, so these are bounds of what
a user reaches.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from benchmarks.discovery.systems import Array, System
from pdobasis.discovery.candidates import candidates
from pdobasis.exact.scalars import float_of

THRESHOLDS = np.geomspace(1e-3, 0.5, 12)
DOMAINS = 400


def generic(system: System, arrays: dict[str, Array], target: str, weak: bool) -> dict[str, Any]:
    """What the best threshold finds: candidates, right, wrong, error, seconds."""
    import pysindy as ps

    start = time.process_time()
    stacked = np.concatenate([arrays[name] for name in system.fields], axis=1)
    # (time, coordinates, …, x2, x1) to (x1, x2, …, time, coordinates)
    u = np.ascontiguousarray(stacked.transpose().swapaxes(-1, -2))
    options = {
        "function_library": ps.PolynomialLibrary(degree=system.degree - 1, include_bias=False),
        "derivative_order": system.derivatives,
        "include_bias": True,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names, theta, rate = _columns(ps, system, u, weak, options)
        truth = _truth(system, target, list(system.fields))
        best: dict[str, Any] = {}
        for threshold in THRESHOLDS:
            own = _judged(ps, names, theta, rate, truth, threshold)
            if not best or _badness(own) < _badness(best):
                best = own
    return {**best, "candidates": len(names), "seconds": time.process_time() - start}


def _columns(ps: Any, system: System, u: Array, weak: bool, options: dict[str, Any]) -> tuple[list[str], Array, Array]:
    if weak:
        np.random.seed(0)
        grid = np.stack(np.meshgrid(*system.axes, system.times, indexing="ij"), axis=-1)
        lengths = [float(x[-1] - x[0]) for x in (*system.axes, system.times)]
        library = ps.WeakPDELibrary(
            **options, spatiotemporal_grid=grid, K=DOMAINS, H_xt=[length / 8 for length in lengths], p=6
        )
    else:
        grid = np.stack(np.meshgrid(*system.axes, indexing="ij"), axis=-1)
        library = ps.PDELibrary(**options, spatial_grid=grid)
    model = ps.SINDy(feature_library=library, optimizer=ps.STLSQ(threshold=0.1))
    library.fit([ps.AxesArray(u, ps.utils.comprehend_axes(u))])
    names = library.get_feature_names()
    theta = np.asarray(library.transform(u)).reshape(-1, len(names))
    if weak:
        rate = np.asarray(library.convert_u_dot_integral(u))
    else:
        rate = np.asarray(model.differentiation_method(u, t=system.times))
    rate = rate.reshape(-1, u.shape[-1])
    if len(theta) > 60_000:
        some = np.random.default_rng(0).permutation(len(theta))[:60_000]
        theta, rate = theta[some], rate[some]
    return names, theta, rate


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


def _judged(
    ps: Any, names: list[str], theta: Array, rate: Array, truth: dict[int, dict[str, float]], threshold: float
) -> dict[str, Any]:
    lengths = np.linalg.norm(theta, axis=0)
    lengths[lengths == 0] = 1
    right = wrong = total = 0
    errors = []
    for coordinate, own in truth.items():
        b = rate[:, [coordinate]]
        optimizer = ps.STLSQ(threshold=threshold * float(np.linalg.norm(b)), alpha=0)
        optimizer.fit(theta / lengths, b)
        c = optimizer.coef_[0] / lengths
        chosen = {names[k] for k in np.flatnonzero(c)}
        right += len(chosen & set(own))
        wrong += len(chosen - set(own))
        total += len(own)
        for name, value in own.items():
            errors.append(abs(c[names.index(name)] - value) / abs(value))
    return {"right": right, "wrong": wrong, "true": total, "error": float(np.median(errors))}


def _badness(own: dict[str, Any]) -> tuple[int, float]:
    return own["wrong"] + own["true"] - own["right"], own["error"]
