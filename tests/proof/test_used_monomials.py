"""Where the table of all monomials at all points would be large, those that no element has are left out of it."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import exact
from pdobasis.operators.block import Block
from pdobasis.proof.certificate import prove
from pdobasis.question.problem import Problem
from pdobasis.solvers.registry import choose


def _solved(group: str, target: str, order: int) -> tuple[Problem, list[Block]]:
    problem = ask(group, "trivial", target, order)
    return problem, list(choose(problem, "direct").solve(problem, lambda message: None).blocks)


def test_invariants_of_a_quadratic_form_are_proved_without_the_other_monomials() -> None:
    problem, blocks = _solved("SO(2,3)", "trivial", 7)
    tracemalloc.start()
    try:
        certificate = prove(problem, blocks)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert certificate.holds
    # 330 monomials at 330 points, for eleven generators and the identity, are 10 MB alone; and as much on the way
    assert peak < 12e6


@pytest.mark.parametrize("place", [0, 1, 7, 329])
def test_one_more_monomial_in_an_element_is_found(place: int) -> None:
    problem, (block,) = _solved("SO(2,3)", "vector", 7)
    last = block.orders[-1]
    numbers = np.array(last.coefficients.numerators)
    numbers[0, place, 0] += 1
    changed = replace(last, coefficients=exact(numbers, last.coefficients.denominator, last.coefficients.field))
    wrong = replace(block, orders=(*block.orders[:-1], changed))
    assert prove(problem, [block]).equivariant
    assert not prove(problem, [wrong]).equivariant
