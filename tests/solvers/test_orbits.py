"""Orbits of entries where G permutes columns freely: those of the first column, read off without walking round any."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray
from pdobasis.representations.representation import Representation
from pdobasis.solvers import orbits
from pdobasis.solvers.orbits import Frame, _from_first_column, _orbits, _run, _runs
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
    def refused(rep: Representation) -> ExactArray:
        raise LookupError(f"all matrices of {rep.spec}")

    problem = ask("C24", *sides, 2)
    wanted = choose(problem, "direct").solve(problem, lambda message: None).blocks
    monkeypatch.setattr(orbits, "FEW", 4)
    monkeypatch.setattr(orbits, "all_matrices", refused)
    (block,) = choose(problem, "direct").solve(problem, lambda message: None).blocks
    for part, own in zip(block.orders, wanted[0].orders, strict=True):
        assert part.coefficients.equals(own.coefficients)
