"""Questions beyond the limits are refused before any work, and the others are answered."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.bounds.estimate import Estimate, cost
from pdobasis.errors import SizeError
from pdobasis.layers.request import sampled
from pdobasis.modules.all_orders import all_orders_of
from pdobasis.modules.primary import primary_invariants
from pdobasis.nonlinear.characters import Torus
from pdobasis.nonlinear.find import Finder
from pdobasis.nonlinear.question import ask_terms
from pdobasis.nonlinear.weyl import root_system
from pdobasis.question.cost import elements_of, estimate

TRIVIAL = ["--in", "trivial", "--out", "trivial"]


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "-g", "trivial(24)", *TRIVIAL, "--order", "4"],
        ["solve", "-g", "O(3)", "--in", "4e", "--out", "4e", "--order", "64"],
        ["export", "-g", "trivial(3)", *TRIVIAL, "--stencil", "gauss", "--size", "180", "-o", "a.npz"],
        ["export", "-g", "trivial(2)", "--in", "8xtrivial", "--out", "8xtrivial", "--size", "50", "-o", "a.json"],
        ["solve", "-g", "trivial(1)", "--in", "3000xtrivial", "--out", "3000xtrivial", "--json"],
        [
            "plot",
            "-g",
            "D8",
            "--in",
            "regular",
            "--out",
            "regular",
            "--order",
            "3",
            "--show",
            "100",
            "--entries",
            "64",
            "-o",
            "a.png",
        ],
    ],
)
def test_what_is_too_large_is_refused_at_once(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start = time.process_time()
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2
    assert re.search(r"would take about .* beyond the limit of 60 s and 2.0GB", done.output)
    assert re.search(r"or allow it with (--max-seconds \d+ ?)?(--max-memory [\d.]+GB)?$", done.output.strip())
    assert time.process_time() - start < 10
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("group", "seconds"),
    # measured on one processor, nearly all of it long numbers in the proof
    [("D32", 1.2), ("D48", 4.1), ("D64", 35.0)],
)
def test_the_proof_of_all_orders_over_a_large_field_is_estimated(
    group: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []

    def stop(self: Estimate, what: str, less: str) -> None:
        told.append(self.seconds)
        # the first is about the invariants alone
        if len(told) == 2:
            raise SizeError("far enough")

    monkeypatch.setattr(Estimate, "require", stop)
    primary_invariants.cache_clear()
    with pytest.raises(SizeError, match="far enough"):
        all_orders_of(ask(group, "irrep(1,1)", "irrep(1,1)", 0))
    assert seconds / 3 < told[1] < 3 * seconds


def test_primary_invariants_that_would_take_minutes_are_refused() -> None:
    with pytest.raises(SizeError, match=r"would take about .* or allow it with pdobasis.budget\(seconds="):
        all_orders_of(ask("C50h", "trivial", "trivial", 0))


@pytest.mark.parametrize("name", ["O(24)", "GL(12)", "Sp(24)", "SL(24)"])
def test_a_weyl_group_that_is_too_large_is_refused(name: str) -> None:
    done = CliRunner().invoke(main, ["terms", "-g", name, "--field", "u=vector", "--out", "vector"])
    assert done.exit_code == 2
    assert re.search(r"Weyl's .* would take about .* or allow it with --max-seconds \d+", done.output)


@pytest.mark.parametrize("name", ["SO(4)", "SO(5)", "O(5)", "O(6)", "GL(4)", "SL(4)", "Sp(4)", "Sp(6)", "SO(1,3)"])
def test_the_terms_of_weyls_denominator_are_as_many_as_the_weyl_group_has_elements(name: str) -> None:
    system = root_system(pdobasis.group(name))
    assert system is not None
    ring = Torus(system.rank, system.signs)
    alternant = ring.one()
    for root in system.roots:
        alternant = ring.times(alternant, {(0,) * len(root): 1, root: -1})
    assert len(alternant) == system.reflections


def test_a_group_has_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, float] = {}
    monkeypatch.setattr(Estimate, "require", lambda self, what, less: told.update({what: self.seconds}))
    assert CliRunner().invoke(main, ["groups", "D5000"]).exit_code == 0
    # measured: 0.64 s
    assert 0.22 < told["writing the numbers of D5000"] < 1.9


@pytest.mark.parametrize(
    ("work", "what", "seconds", "memory"),
    # measured: what was estimated before was 10 times too low for the first, 19 times too high for the second
    [
        (lambda: pdobasis.solve("C4", "trivial", "vector").stencils("rbffd", size=31), "sampling", 5.8, 37e6),
        (lambda: sampled(pdobasis.solve("C4", "5000xtrivial", "5000xtrivial"), None, (5, 5)), "a layer", 0.64, 411e6),
        (lambda: pdobasis.terms("O(3)", {"u": "vector"}, "vector", 4, max_total=5), "contractions", 6.2, 69e6),
        (lambda: pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", 24, max_total=2), "contractions", 1.0, 37e6),
    ],
)
def test_an_estimate_is_what_was_measured_within_a_factor_of_three(
    work: Callable[[], object], what: str, seconds: float, memory: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Estimate] = []

    def noted(self: Estimate, of: str, less: str) -> None:
        if of.startswith(what):
            told.append(self)
        # contractions are estimated twice: before they are counted, and then
        if len(told) == 1 + (what == "contractions"):
            raise SizeError("far enough")

    monkeypatch.setattr(Estimate, "require", noted)
    with pytest.raises(SizeError, match="far enough"):
        work()
    assert seconds / 3 < told[-1].seconds < 3 * seconds
    assert memory / 3 < told[-1].memory < 3 * memory


def test_the_orders_of_a_plain_question_over_a_large_field_are_estimated() -> None:
    # measured: D16, order 40, 2.2 s; before long numbers were counted 0.2 s were expected
    assert 0.7 < estimate(ask("D16", "irrep(1,1)", "irrep(1,1)", 40)).seconds < 6.6
    # Ih: order 11, 0.5 s; order 12, 2.1 s and order 16, 9.4 s and 160 MB, since its numbers need several primes
    assert 0.17 < estimate(ask("Ih", "vector", "vector", 11)).seconds < 1.5
    assert 0.7 < estimate(ask("Ih", "vector", "vector", 12)).seconds < 6.3
    assert 3.1 < estimate(ask("Ih", "vector", "vector", 16)).seconds < 28
    assert 53e6 < estimate(ask("Ih", "vector", "vector", 16)).memory < 480e6
    # D6h leaves an axis alone: 0.6 s
    assert 0.2 < estimate(ask("D6h", "vector", "vector", 12)).seconds < 1.9


@pytest.mark.parametrize(
    "question",
    [
        ("trivial(1)", "100000xtrivial", "100000xtrivial", 2),
        ("trivial(6)", "trivial", "trivial", 8),
        ("C1000", "regular", "trivial", 2),
        ("C1000", "regular", "regular", 0),
        ("D500", "regular", "trivial", 2),
        ("C997", "vector", "vector", 2),
        ("O(3)", "vector", "vector", 64),
        ("SO(3)", "sym(10,vector)", "vector", 4),
    ],
)
def test_what_is_fast_is_not_refused(question: tuple[str, str, str, int]) -> None:
    ask(*question).require(10**12)


def test_what_is_allowed_is_answered() -> None:
    question = ["solve", "-g", "D4", "--in", "vector", "--out", "vector"]
    refused = CliRunner().invoke(main, [*question, "--max-memory", "1kB"])
    assert refused.exit_code == 2
    wish = re.search(r"--max-memory (\S+)", refused.output)
    assert wish is not None
    assert CliRunner().invoke(main, [*question, "--max-memory", wish[1]]).exit_code == 0


def test_every_command_has_limits() -> None:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        own = [command]
        if isinstance(command, click.Group):
            own = list(command.commands.values())
        for each in own:
            names = {param.name for param in each.params}
            # a sweep is hours of work: its limit is that of one question
            assert {"max_seconds", "max_memory"} <= names or name == "sweep"


def test_a_larger_question_is_estimated_higher() -> None:
    small = estimate(ask("O(3)", "vector", "vector", 8))
    large = estimate(ask("O(3)", "vector", "vector", 40))
    assert small.seconds < large.seconds
    assert small.memory < large.memory


def test_estimates_add_up() -> None:
    total = Estimate(1, 10) + Estimate(2, 20) * 3
    assert total == Estimate(7, 30)
    with pytest.raises(SizeError, match=r"tea would take about 2 minutes|tea would take about 90 s"):
        Estimate(90, 0).require("tea", "drink water")
    assert cost("draw", {"panels": 0}) == Estimate(0, 0)


@pytest.mark.parametrize(
    "name",
    [
        "trivial(3)",
        "C7",
        "D9",
        "flip",
        "flip(normal=1,1,0)",
        "inversion(3)",
        "C5v",
        "C6h",
        "D5h",
        "D4d",
        "S8",
        "D6",
        "T",
        "Td",
        "Th",
        "O",
        "Oh",
        "I",
        "Ih",
    ],
)
def test_orders_by_name_are_those_of_the_lists(name: str) -> None:
    group = pdobasis.group(name)
    assert group.known_order == len(group.elements) == elements_of(group)


def test_the_order_of_a_large_group_needs_no_list() -> None:
    start = time.process_time()
    assert pdobasis.group("C5000").order == 5000
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("group", "degree", "total", "seconds"),
    # measured: nearly all of it expands contractions
    [("O(3)", 4, 5, 6.3), ("O(3)", 5, 4, 6.9), ("O(2)", 9, 2, 2.6)],
)
def test_contractions_of_many_factors_are_estimated(
    group: str, degree: int, total: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    monkeypatch.setattr(Estimate, "require", lambda self, what, less: told.append(self.seconds))
    question = ask_terms(group, {"u": "vector"}, "vector", degree, 2, max_total=total)
    Finder.of(question).require(list(question.multidegrees()))
    assert seconds / 3 < told[-1] < 3 * seconds


def _recording(path: Path) -> Path:
    x = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    t = np.linspace(0, 1, 12)
    u = np.exp(-t)[:, None, None, None] * np.sin(x + x[:, None])[None, None]
    np.savez(path, u=np.concatenate([u, u], axis=1), p=u, t=t, x1=x, x2=x)
    return path


def test_a_discovery_among_terms_that_cannot_be_listed_is_refused(tmp_path: Path) -> None:
    path = _recording(tmp_path / "data.npz")
    done = CliRunner().invoke(main, ["discover", str(path), "-g", "O(2)", "--field", "u=vector", "--degree", "24"])
    assert done.exit_code == 2
    assert re.search(r"multidegrees would take about .* or allow it with --max-seconds", done.output)


def test_a_discovery_is_estimated_by_its_candidates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, float] = {}
    monkeypatch.setattr(Estimate, "require", lambda self, what, less: told.update({what: self.seconds}))
    path = _recording(tmp_path / "data.npz")
    done = CliRunner().invoke(main, ["discover", str(path), "-g", "O(2)", "--field", "p=trivial", "--degree", "2"])
    assert done.exit_code == 0
    # 0.11 s each, measured for 9 to 72 of them
    assert told["a search among 6 candidates"] == pytest.approx(0.66, rel=0.1)
