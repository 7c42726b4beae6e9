"""Equations whose answer is known are found again: the right terms and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.discovery.systems import SYSTEMS, System
from pdobasis.discovery.discover import discover
from pdobasis.discovery.recording import Recording, recording
from pdobasis.discovery.result import Equation


def record(system: System, level: float, seed: int = 0) -> Recording:
    sizes = {name: u.shape[1] for name, u in system.data.items()}
    return recording(system.arrays(level, seed), sizes)


def ask(system: System, given: Recording | list[Recording], target: str, **options: object) -> Equation:
    own = {"degree": system.degree, "derivatives": system.derivatives, "samples": 4, **options}
    return discover(given, system.group, system.fields, target=target, **own)  # type: ignore[arg-type]


def require(system: System, found: Equation, part: float) -> None:
    truth = system.truth[found.target]
    assert {t.text: t.coefficient for t in found.terms} == pytest.approx(truth, rel=part)


@pytest.mark.parametrize(("level", "part"), [(0.0, 2e-3), (0.2, 0.08)])
@pytest.mark.parametrize("name", ["burgers", "vorticity", "swift_hohenberg"])
def test_the_right_terms_and_nothing_else(name: str, level: float, part: float) -> None:
    system = SYSTEMS[name](seed=7, n=48, frames=50)
    for target in system.truth:
        found = ask(system, record(system, level), target)
        require(system, found, part)
        assert all((t.frequency or 0) >= 0.5 for t in found.terms)
        if level:
            assert found.noise_ratio == pytest.approx(1, abs=0.3)
            assert found.noise[target] == pytest.approx(level, rel=0.1)


@pytest.mark.parametrize(("name", "target", "level"), [("swift_hohenberg", "u", 0.8), ("gray_scott", "u", 0.2)])
def test_patterns_are_found_in_much_noise(name: str, target: str, level: float) -> None:
    """Test functions wider than their waves lose the fourth derivative, or take other terms."""
    system = SYSTEMS[name](seed=200, n=48, frames=60)
    require(system, ask(system, record(system, level, 100), target, samples=0), 0.25)


def test_the_strong_form_finds_it_without_noise() -> None:
    system = SYSTEMS["vorticity"](seed=3, n=48, frames=40)
    require(system, ask(system, record(system, 0.0), "w", weak=False), 0.04)


def test_several_runs_are_one_system() -> None:
    runs = [SYSTEMS["burgers"](seed=k, n=32, frames=30) for k in (1, 2)]
    given = [record(run, 0.05, k) for k, run in enumerate(runs)]
    require(runs[0], ask(runs[0], given, "u"), 0.03)


def test_uneven_times() -> None:
    system = SYSTEMS["burgers"](seed=2, n=32, frames=120)
    rng = np.random.default_rng(0)
    some = np.sort(rng.permutation(120)[:80])
    whole = record(system, 0.0)
    fields = {name: u[some] for name, u in whole.fields.items()}
    given = Recording(fields, whole.times[some], whole.axes)
    require(system, ask(system, given, "u"), 5e-3)


def test_open_boundaries() -> None:
    """A window of a periodic field has none; it is noticed."""
    system = SYSTEMS["burgers"](seed=5, n=64, frames=50)
    whole = record(system, 0.01)
    fields = {name: u[..., 5:55, 10:58] for name, u in whole.fields.items()}
    axes = (whole.axes[0][10:58], whole.axes[1][5:55])
    found = ask(system, Recording(fields, whole.times, axes), "u")
    require(system, found, 0.03)


def test_an_equation_that_is_not_there_is_not_claimed() -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(40, 1, 32, 32))
    given = recording({"u": noise}, {"u": 1})
    found = discover(given, "O(2)", {"u": "trivial"}, degree=2, samples=0)
    assert not found.is_explained
