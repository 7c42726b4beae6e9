"""Errors by learning rate, and which one rate is good in all cases; what the words mean is said in designs.py."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.training.runs import Run
from benchmarks.training.setting import AGAIN, FRESH, LAST, LOOKS, OTHERS, UNCONSTRAINED, Setting
from pdobasis.layers.parametrise import PARAMETRISATIONS

TENTH = 1.1
SMALLEST = 1e-3
"""Errors below this are not told apart in ratios: it is less than one wrong answer in a test."""


@dataclass(frozen=True, slots=True)
class Curve:
    """For every rate the errors, by seed."""

    errors: Mapping[float, Mapping[int, float]]

    def mean(self, rate: float) -> float:
        return statistics.mean(self.errors[rate].values())

    @property
    def best_rate(self) -> float:
        return min(self.errors, key=self.mean)

    @property
    def best(self) -> float:
        return self.mean(self.best_rate)

    @property
    def good_rates(self) -> list[float]:
        """Those within a tenth of the best error."""
        return [rate for rate in sorted(self.errors) if self.is_good_at(rate)]

    def is_good_at(self, rate: float) -> bool:
        return self.mean(rate) <= TENTH * self.best


@dataclass(frozen=True, slots=True)
class Verdict:
    """One parametrisation at its common rate: errors there, divided by the best error of each case.

    ``own`` are the ratios if the rate is chosen anew in each case; in the cases ``good`` the common rate is within a
    tenth of that, in ``worse`` the error is above that of plain at its best.
    """

    rate: float
    ratios: Mapping[Setting, float]
    own: Mapping[Setting, float]
    good: Sequence[Setting]
    worse: Sequence[Setting]

    @property
    def mean_ratio(self) -> float:
        return statistics.geometric_mean(self.ratios.values())

    @property
    def worst(self) -> Setting:
        return max(self.ratios, key=lambda case: self.ratios[case])


Cases = dict[Setting, dict[str, Curve]]
"""For every case, a setting without its parametrisation, rate and seed, the curves by parametrisation."""


def cases(runs: Iterable[Run]) -> Cases:
    errors: dict[Setting, dict[str, dict[float, dict[int, float]]]] = {}
    for run in runs:
        s = run.setting
        curves = errors.setdefault(replace(s, parametrisation="", rate=0.0, seed=0), {})
        curves.setdefault(s.parametrisation, {}).setdefault(s.rate, {})[s.seed] = run.error
    return {case: {name: Curve(e) for name, e in curves.items()} for case, curves in errors.items()}


def verdicts(found: Cases) -> dict[str, Verdict]:
    """By parametrisation, over the cases in which all of them were run, at the rates that were run in all of these."""
    names = list(dict.fromkeys(name for curves in found.values() for name in curves))
    whole = {case: curves for case, curves in found.items() if set(curves) == set(names)}
    rates = [set(curve.errors) for curves in whole.values() for curve in curves.values()]
    if not rates or not set.intersection(*rates):
        return {}
    return {name: _verdict(name, sorted(set.intersection(*rates)), whole) for name in names}


def _verdict(name: str, rates: Sequence[float], found: Cases) -> Verdict:
    at = {rate: {case: _ratio(curves[name].mean(rate), curves) for case, curves in found.items()} for rate in rates}
    # The least product of ratios is the least sum of their logarithms.
    rate = min(at, key=lambda r: sum(math.log(ratio) for ratio in at[r].values()))
    own = {case: _ratio(curves[name].best, curves) for case, curves in found.items()}
    good = [case for case, curves in found.items() if curves[name].is_good_at(rate)]
    worse = [case for case, curves in found.items() if is_worse(curves[name], rate, curves.get("plain"))]
    return Verdict(rate, at[rate], own, good, worse)


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean, standard error of the mean, and number of the differences of two curves, seed by seed."""

    mean: float
    error: float
    count: int


def difference(curve: Curve, rate: float, plain: Curve) -> Difference:
    """To plain at its best rate, over the seeds that both have."""
    best = plain.errors[plain.best_rate]
    found = [error - best[seed] for seed, error in curve.errors[rate].items() if seed in best]
    spread = statistics.stdev(found) if len(found) > 1 else 0.0
    return Difference(statistics.mean(found), spread / math.sqrt(len(found)), len(found))


def is_worse(curve: Curve, rate: float, plain: Curve | None) -> bool:
    """Than plain at its best: by more than a tenth, and by more than twice the standard error over the seeds."""
    if plain is None:
        return False
    found = difference(curve, rate, plain)
    return found.mean > (TENTH - 1) * plain.best and found.mean > 2 * found.error


def is_judge(run: Run) -> bool:
    """Of the library's parametrisations, with one initialisation, and with the seeds that all of them have."""
    setting = run.setting
    is_ours = setting.init == "he" and setting.stencil != UNCONSTRAINED and setting.parametrisation in PARAMETRISATIONS
    return is_ours and setting.seed not in (*LOOKS, *OTHERS, *FRESH, *AGAIN, *LAST)


def judged(runs: Iterable[Run]) -> list[Run]:
    """The runs that the library's parametrisations are judged by."""
    return [run for run in runs if is_judge(run)]


def _ratio(error: float, curves: Mapping[str, Curve]) -> float:
    return max(error, SMALLEST) / max(min(curve.best for curve in curves.values()), SMALLEST)
