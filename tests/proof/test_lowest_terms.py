"""sqrt(5)/2 - 1/2 is 2cos(2 pi/5): in another basis of numbers the denominator may be lower."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.proof.at_places import _bound
from pdobasis.proof.batch import batches, found_blocks, summands
from pdobasis.representations.characters import inner_product

TURN = """
generators:
  r: [[sqrt(3)/14 + 1/2, -sqrt(15)/28 - sqrt(3)/28], [-25*sqrt(3)/14 + 25*sqrt(15)/14, 1/2 - sqrt(3)/14]]
"""
"""Of order six, in a basis with the golden ratio; C6 itself is over Q(2cos(2pi/12)), and both over Q(2cos(2pi/60))."""


@pytest.mark.parametrize("method", ["direct", "transfer"])
def test_a_turn_in_a_basis_with_the_golden_ratio_is_proved(tmp_path: Path, method: str) -> None:
    path = tmp_path / "turn.yaml"
    path.write_text(TURN)
    for order, dimension in enumerate([0, 2, 2]):
        assert pdobasis.solve("C6", "trivial", str(path), order=order, method=method).dimension == dimension


def test_its_characters_are_those_of_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "turn.yaml"
    path.write_text(TURN)
    problem = ask("C6", "vector", str(path), 2)
    (vector,), (turn,) = problem.in_type.distinct, problem.out_type.distinct
    # z and its conjugate meet both of the other
    assert inner_product(vector, turn) == 2


def test_its_bound_is_that_of_the_same_matrices_over_the_field(tmp_path: Path) -> None:
    path = tmp_path / "turn.yaml"
    path.write_text(TURN)
    basis = pdobasis.solve("C6", "trivial", str(path), order=1)
    problem = basis.problem
    reps_in, reps_out = tuple(summands(problem.in_type)), tuple(summands(problem.out_type))
    placed = [part for block in found_blocks(problem, basis.blocks) for part in block.placed()]
    (turn,) = reps_out
    wide = replace(turn, generators=tuple(m.over(problem.field) for m in turn.generators))
    assert wide.generators[0].denominator < turn.generators[0].denominator
    for batch in batches(placed, (turn.size, 1)):
        assert _bound(batch, reps_in, reps_out, problem.field) == _bound(batch, reps_in, (wide,), problem.field)
