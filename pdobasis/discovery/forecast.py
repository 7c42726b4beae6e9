"""What an equation predicts: from one frame onwards, next to the data that it has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.discovery.candidates import Candidates
from pdobasis.discovery.derivatives import Derivatives
from pdobasis.discovery.recording import Array, Recording
from pdobasis.discovery.result import Equation
from pdobasis.discovery.smoothing import Smoothed
from pdobasis.exact.scalars import float_of
from pdobasis.nonlinear.polynomials import Coordinate, Monomial

MOST = 20_000
"""Evaluations of a right-hand side."""


@dataclass(frozen=True, eq=False)
class Forecast:
    """Fields from ``times[0]`` on; ``error`` is the relative distance from the data at every time."""

    times: Array
    fields: dict[str, Array]
    data: dict[str, Array]
    error: Array


class RightHandSide:
    """Σ c_k T_k of one equation, at points."""

    def __init__(self, found: Candidates, equation: Equation) -> None:
        self.names: tuple[str, ...] = found.names
        self.sums: list[list[tuple[float, Monomial]]] = [
            [] for _ in range(found.question.out.size)
        ]
        for own, components in zip(equation.every, found.polynomials, strict=True):
            if not own.coefficient:
                continue
            for c, polynomial in enumerate(components):
                for monomial, value in polynomial.items():
                    self.sums[c].append((own.coefficient * float_of(value), monomial))

    def __call__(self, fields: Mapping[str, Array], derivative: Derivatives) -> Array:
        jets: dict[Coordinate, Array] = {}
        some = next(iter(fields.values()))[0]
        out = np.zeros((len(self.sums), *some.shape))
        for c, parts in enumerate(self.sums):
            for value, monomial in parts:
                product = np.full(some.shape, value)
                for j in monomial:
                    if j not in jets:
                        u = fields[self.names[j.field]][j.component]
                        jets[j] = derivative(u, j.alpha)
                    product = product * jets[j]
                out[c] += product
        return out


def forecast(
    ready: Smoothed, pairs: Sequence[tuple[Candidates, Equation]], first: int
) -> Forecast:
    """From frame ``first`` on; fields without an equation are taken from the data, linear in time between frames."""
    from scipy.integrate import solve_ivp

    given = ready.recording
    derivative = Derivatives(given.axes, ready.periodic)
    rates = {e.target: RightHandSide(c, e) for c, e in pairs}
    shapes = {name: given.fields[name].shape[1:] for name in rates}
    times = given.times[first:]
    calls = 0

    def rate(t: float, flat: Array) -> Array:
        nonlocal calls
        calls += 1
        check()
        if calls > MOST or not np.isfinite(flat).all():
            raise FloatingPointError
        fields = {n: _between(given, n, t) for n in given.fields if n not in rates}
        fields |= _split(flat, shapes)
        parts = [rates[name](fields, derivative).ravel() for name in rates]
        return np.concatenate(parts)

    start = np.concatenate([given.fields[name][first].ravel() for name in rates])
    states = [start]
    with np.errstate(all="ignore"):
        for a, b in pairwise(times):
            try:
                own = solve_ivp(rate, (a, b), states[-1], rtol=1e-4, atol=1e-7)
            except FloatingPointError:
                break
            if not own.success:
                break
            states.append(own.y[:, -1])
    reached = times[: len(states)]
    fields = {name: np.zeros((len(states), *shapes[name])) for name in rates}
    for k, state in enumerate(states):
        for name, u in _split(state, shapes).items():
            fields[name][k] = u
    data = {name: given.fields[name][first : first + len(states)] for name in rates}
    return Forecast(reached, fields, data, _error(fields, data))


def _error(fields: Mapping[str, Array], data: Mapping[str, Array]) -> Array:
    parts = []
    for name, u in fields.items():
        away = ((u - data[name]) ** 2).reshape(len(u), -1).mean(axis=1)
        parts.append(away / max(float(data[name].var()), 1e-300))
    return np.asarray(np.sqrt(np.mean(parts, axis=0)))


def _split(flat: Array, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Array]:
    out, first = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        out[name] = flat[first : first + size].reshape(shape)
        first += size
    return out


def _between(given: Recording, name: str, t: float) -> Array:
    k = int(np.clip(np.searchsorted(given.times, t) - 1, 0, len(given.times) - 2))
    part = (t - given.times[k]) / (given.times[k + 1] - given.times[k])
    u = given.fields[name]
    return np.asarray((1 - part) * u[k] + part * u[k + 1])
