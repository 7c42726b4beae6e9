"""A new solver is one class and one line in a list: it is found by the library, the command line and the files."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from pdobasis_cli.commands import main as cli

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.errors import PdoBasisError, ProofError, SpecError
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols, renumber
from pdobasis.question.problem import Problem
from pdobasis.solvers import registry
from pdobasis.solvers.direct import Direct
from pdobasis.solvers.solver import Progress, Solution, Solver

QUESTION = ["--group", "SO(2)", "--in", "vector", "--out", "trivial", "--order", "1"]


class Reversed(Solver):
    """What the direct solver finds, last element first; for scalars only, to have something to refuse."""

    name = "toy"

    def fits(self, problem: Problem) -> PdoBasisError | None:
        if problem.out_type.size > 1:
            return SpecError("the toy solver knows scalars only")
        return None

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        progress("solving backwards")
        found = Direct().solve(problem, progress)
        return Solution(tuple(_reversed(block) for block in found.blocks))


class Forgetful(Reversed):
    """A solver that loses an element."""

    name = "forgetful"

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        found = super().solve(problem, progress)
        return Solution(tuple(replace(b, orders=tuple(_without_last(p) for p in b.orders)) for b in found.blocks))


def _reversed(block: Block) -> Block:
    return replace(block, orders=tuple(renumber(p, np.arange(p.size)[::-1], p.size) for p in block.orders))


def _without_last(part: Symbols) -> Symbols:
    ranks = np.arange(part.size)
    ranks[-1:] = -1
    return renumber(part, ranks, max(part.size - 1, 0))


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "SOLVERS", [*registry.SOLVERS, Reversed(), Forgetful()])


def test_a_registered_solver_answers_and_is_proved() -> None:
    plain = pdobasis.solve("SO(2)", "vector", "trivial", 1, method="direct")
    toy = pdobasis.solve("SO(2)", "vector", "trivial", 1, method="toy")
    assert toy.method == "toy"
    assert toy.certificate.holds
    assert [str(e) for e in toy.elements] == [str(e) for e in plain.elements][::-1]


def test_the_command_line_knows_it() -> None:
    done = CliRunner().invoke(cli, ["solve", *QUESTION, "--method", "toy", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["method"] == "toy"
    assert "[auto|direct|transfer|both|reference|toy|forgetful]" in CliRunner().invoke(cli, ["solve", "--help"]).stdout


def test_its_answer_is_saved_and_loaded(tmp_path: object) -> None:
    path = f"{tmp_path}/toy.json"
    pdobasis.solve("SO(2)", "vector", "trivial", 1, method="toy").save(path)
    assert pdobasis.load(path).method == "toy"


def test_what_it_refuses_is_refused_in_its_words() -> None:
    with pytest.raises(SpecError, match="knows scalars only"):
        pdobasis.solve("SO(2)", "trivial", "vector", 1, method="toy")
    with pytest.raises(SpecError, match="one of auto, direct, transfer, both, reference, toy, forgetful"):
        pdobasis.solve("SO(2)", "trivial", "trivial", 1, method="toys")


def test_auto_never_asks_a_solver_without_a_rank() -> None:
    assert pdobasis.solve("SO(2)", "trivial", "trivial", 1).method == "transfer"
    assert pdobasis.solve("SL(2)", "trivial", "trivial", 1).method == "direct"


def test_a_wrong_answer_is_never_returned() -> None:
    with pytest.raises(ProofError):
        pdobasis.solve("SO(2)", "vector", "trivial", 1, method="forgetful")


def test_nobody_takes_a_limited_kernel() -> None:
    for method in ("auto", "direct", "transfer", "both"):
        with pytest.raises(SpecError, match="partial_order= goes with method='direct'"):
            pdobasis.solve("D4", "trivial", "trivial", method=method, partial_order=1, kernel=True)


CHOICES = [
    # a tensor with few unknowns for its size: decomposing it would be most of the work
    ("O(3)", "trivial", "tensor(vector, vector, vector, vector)", 0, "direct"),
    ("SO(3)", "tensor(vector, vector, vector, vector, vector)", "vector", 0, "direct"),
    # many unknowns between irreps, or between small tensors
    ("O(3)", "tensor(vector, vector, vector)", "tensor(vector, vector, vector)", 2, "transfer"),
    ("O(3)", "tensor(vector, vector, vector, vector)", "tensor(vector, vector, vector, vector)", 1, "transfer"),
    ("SO(2)", "trivial", "tensor(vector, vector, vector, vector, vector, vector, vector)", 0, "transfer"),
    # over Q(sqrt(6), sqrt(10)) eliminating is more work than decomposing
    ("SO(3)", "sym(2, tensor(vector, irrep(3)))", "irrep(3)", 2, "transfer"),
    ("D8", "regular", "trivial", 2, "transfer"),
    ("SO(1,3)", "vector", "vector", 2, "direct"),
]


@pytest.mark.parametrize(("group", "source", "target", "order", "expected"), CHOICES)
def test_auto_chooses_by_cost(group: str, source: str, target: str, order: int, expected: str) -> None:
    problem = ask(group, source, target, order)
    assert registry.choose(problem, "auto").name == expected
    for method in ("direct", "transfer"):
        if not (method == "transfer" and group == "SO(1,3)"):
            assert registry.choose(problem, method).name == method
