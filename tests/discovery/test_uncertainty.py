"""Standard errors tell how far coefficients are from the truth; information criteria how many terms there are."""

from __future__ import annotations

from math import comb, log

import numpy as np
import pytest

from benchmarks.discovery.systems import SYSTEMS, System
from pdobasis.discovery import discover as module
from pdobasis.discovery.discover import discover
from pdobasis.discovery.recording import Recording, recording
from pdobasis.discovery.result import Equation
from pdobasis.discovery.search import Model, choose, criteria


def deviations(name: str, level: float, seeds: int) -> list[float]:
    """(found - true) / standard error of every true term, over seeds of the data and of the noise."""
    out = []
    for seed in range(seeds):
        system = SYSTEMS[name](seed=30 + seed, n=32, frames=40)
        sizes = {key: u.shape[1] for key, u in system.data.items()}
        given = recording(system.arrays(level, seed), sizes)
        for target, truth in system.truth.items():
            found = ask(system, given, target)
            own = {t.text: t for t in found.terms}
            for text, value in truth.items():
                if text in own:
                    out.append((own[text].coefficient - value) / own[text].standard_error)
    return out


def ask(system: System, given: Recording, target: str) -> Equation:
    return discover(
        given,
        system.group,
        system.fields,
        target=target,
        degree=system.degree,
        derivatives=system.derivatives,
        samples=0,
    )


CASES = [("velocity", 0.2), ("gray_scott", 0.05), ("toner_tu", 0.0)]


def within(away: list[float]) -> float:
    return float(np.mean(np.abs(away) <= 2))


def test_the_truth_is_within_two_standard_errors() -> None:
    every = [away for name, level in CASES for away in deviations(name, level, 2)]
    assert len(every) > 20
    assert within(every) >= 0.8
    # and they are no larger than they have to be
    assert np.sqrt(np.mean(np.square(every))) > 0.4


def test_the_spread_over_tiles_alone_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where test functions are as long as tiles, which overlap then: wide ones, of a field of long waves."""
    monkeypatch.setattr(module, "noise_errors", lambda own, model, grams: np.zeros(len(model.terms)))
    monkeypatch.setattr(module, "size_errors", lambda own, every, model: np.zeros(len(model.terms)))
    monkeypatch.setattr(module, "REPLICATES", 0)
    every = [away for level in (0.0, 0.2) for away in deviations("toner_tu", level, 3)]
    assert np.sqrt(np.mean(np.square(every))) > 1.3


def test_standard_errors_grow_with_noise() -> None:
    system = SYSTEMS["burgers"](seed=1, n=32, frames=40)
    errors = []
    for level in (0.02, 0.2):
        found = ask(system, recording(system.arrays(level, 0), {"u": 2}), "u")
        errors.append([t.standard_error for t in found.terms])
    assert np.all(np.array(errors[1]) > 3 * np.array(errors[0]))


def test_criteria_by_hand() -> None:
    model = Model((0, 3), 1.5, 1.0, (1.0, 2.0))
    aic, bic, extended = criteria(model, 100.0, 10)
    assert aic == pytest.approx(150 + 4)
    assert bic == pytest.approx(150 + 2 * log(100))
    assert extended == pytest.approx(bic + 2 * log(comb(10, 2)))


def test_a_term_that_noise_explains_is_not_taken() -> None:
    """Less is left with two terms, but noise explains what one leaves: J is 1."""
    none = Model((), 50.0, 50.0, ())
    one = Model((0,), 1.0, 0.2, (1.0,))
    two = Model((0, 1), 0.97, 0.15, (1.0, 0.1))
    assert choose([[none], [one], [two]], 100.0, [1.0, 1.0, 1.0]) == one
    # a better J pays for it
    three = Model((0, 1), 0.85, 0.15, (1.0, 0.1))
    larger = Model((0,), 1.3, 0.2, (1.0,))
    assert choose([[none], [larger], [three]], 100.0, [1.0, 1.0, 1.0]) == three


def test_of_two_terms_that_are_equal_the_one_with_fewer_derivatives_is_taken() -> None:
    """n J is chi-squared: J = 1.2 is 1.4 deviations above 1 for n = 100 rows, and 14 for 10000."""
    none = Model((), 50.0, 10.0, ())
    plain, curled = Model((0,), 1.2, 0.22, (1.0,)), Model((1,), 1.1, 0.2, (1.0,))
    models = [[none], [curled, plain]]
    assert choose(models, 100.0, [1.0, 2.0]) == plain
    assert choose(models, 10_000.0, [1.0, 2.0]) == curled


def test_an_equation_tells_the_criteria_of_every_size() -> None:
    system = SYSTEMS["burgers"](seed=1, n=32, frames=40)
    found = ask(system, recording(system.arrays(0.1, 0), {"u": 2}), "u")
    (chosen,) = [size for size in found.sizes if size.chosen]
    assert set(chosen.terms) == set(system.truth["u"])
    assert [len(size.terms) for size in found.sizes] == [0, 1, 2, 3, 4]
    assert min(found.sizes, key=lambda size: size.ebic) == chosen
    told = found.as_json()["sizes"][2]
    assert set(told) == {"terms", "noise_ratio", "aic", "bic", "ebic", "chosen"}
