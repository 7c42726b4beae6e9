"""Orbits of entries where G permutes columns freely: those of the first column, read off without walking round any."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field
from pdobasis.operators.symbols import Symbols
from pdobasis.representations import representation
from pdobasis.representations.representation import Representation
from pdobasis.solvers import carried, orbits
from pdobasis.solvers.batch import Task
from pdobasis.solvers.carried import Frame, Kind, is_spread
from pdobasis.solvers.direct import solve_blocks
from pdobasis.solvers.orbits import _from_first_column, _orbits, _run, _runs
from pdobasis.solvers.registry import choose

FREE = [
    ("C1", "regular", "regular"),
    ("C8", "regular", "regular"),
    ("D8", "regular", "trivial"),
    ("D8", "regular", "quotient(C4)"),
    ("D5", "regular", "regular"),
    ("O", "regular", "quotient(C2)"),
    ("T", "regular", "regular"),
]
NOT_FREE = [
    ("D8", "quotient(C4)", "regular"),  # columns are fixed by C4
    ("D8", "trivial", "regular"),
    ("C2", "2xtrivial", "regular"),
]


def both(group: str, a: str, b: str) -> tuple[Representation, Representation]:
    problem = ask(group, a, b, 0)
    return problem.in_type.distinct[0], problem.out_type.distinct[0]


@pytest.mark.parametrize(("group", "a", "b"), FREE)
def test_orbits_of_the_first_column_are_those_walked_round(group: str, a: str, b: str) -> None:
    rep_in, rep_out = both(group, a, b)
    (found,) = _runs(rep_in, rep_out, True, True)
    frame = Frame(rep_in, rep_out, True, True, 0, False, None)
    walked = []
    for kind, run in groupby(_orbits(rep_in, rep_out, True, True), key=itemgetter(0)):
        points = np.array([own for _, own in run], dtype=np.int64)
        walked.append(_run(kind, frame.places(points).reshape(len(points), -1), rep_in.size))
    (wanted,) = walked
    assert found.kind == wanted.kind
    for name in ("row", "column", "order", "element"):
        assert getattr(found, name).tolist() == getattr(wanted, name).tolist()


@pytest.mark.parametrize(("group", "a", "b"), NOT_FREE)
def test_columns_that_are_not_permuted_freely_are_walked_round(group: str, a: str, b: str) -> None:
    assert _from_first_column(*both(group, a, b)) is None


@pytest.mark.parametrize("sides", [("sym(2, vector)", "quotient(C12)"), ("quotient(C12)", "tensor(vector, vector)")])
def test_few_cosets_of_a_large_group_ask_for_the_images_of_few_elements(
    sides: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(rep: Representation, *others: object) -> ExactArray:
        raise LookupError(f"all matrices of {rep.spec}")

    problem = ask("C24", *sides, 2)
    wanted = choose(problem, "direct").solve(problem, lambda message: None).blocks
    monkeypatch.setattr(carried, "FEW", 4)
    monkeypatch.setattr(carried, "all_matrices", refused)
    monkeypatch.setattr(carried, "all_entries", refused)
    (block,) = choose(problem, "direct").solve(problem, lambda message: None).blocks
    for part, own in zip(block.orders, wanted[0].orders, strict=True):
        assert part.coefficients.equals(own.coefficients)


SPREAD = [
    ("D4", "regular", "vector"),
    ("D4", "tensor(vector, vector)", "regular"),
    ("C5", "regular", "vector + alt(2, regular)"),
    ("D6", "quotient(C1)", "alt(2, regular)"),
    ("T", "alt(2, regular)", "regular"),
    ("I", "regular", "vector"),
]


@pytest.mark.parametrize("question", SPREAD)
@pytest.mark.parametrize("kernel", [False, True])
def test_what_is_written_by_its_nonzeros_is_what_is_carried_round(
    question: tuple[str, str, str], kernel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def nowhere(frame: Frame, kind: Kind) -> bool:
        asked.append(is_spread(frame, kind))
        return False

    problem = ask(*question, 2)
    tasks = [Task(a, b, n) for a in problem.in_type.distinct for b in problem.out_type.distinct for n in (0, 1, 2)]
    found = solve_blocks(tasks, harmonic=kernel)
    monkeypatch.setattr(orbits, "is_spread", nowhere)
    wanted = solve_blocks(tasks, harmonic=kernel)
    assert any(asked)
    assert all(map(Symbols.equals, found, wanted))


def test_zeros_of_a_large_sparse_representation_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """alt(2, regular) of D12 has 276 components, which fall into orbits of at most 24."""

    def refused(rep: Representation, field: Field) -> ExactArray:
        if rep.size > 24:
            raise LookupError(f"all matrices of {rep.spec}")
        return every(rep, field)

    every = representation._all_matrices
    problem = ask("D12", "regular", "alt(2, regular)", 0)
    monkeypatch.setattr(representation, "_all_matrices", refused)
    (block,) = choose(problem, "direct").solve(problem, lambda message: None).blocks
    assert block.orders[0].size == 276
