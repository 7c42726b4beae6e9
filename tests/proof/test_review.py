"""What a reviewer made the proof say: matrices that multiply modulo a prime alone, groups that are finite modulo it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pdobasis
from pdobasis.errors import GroupError, ProofError
from pdobasis.exact.array import exact, integers, zeros
from pdobasis.exact.polynomials import count
from pdobasis.groups.closure import _closure, _listed, closure
from pdobasis.groups.group import Group
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Structure, Symbols, dense, empty, from_dense
from pdobasis.proof.certificate import prove
from pdobasis.proof.counting import count_pdos
from pdobasis.proof.modular import COUNT_BITS, FIRST
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type, parse_problem
from pdobasis.representations.representation import Representation

P = FIRST[COUNT_BITS]


@pytest.mark.parametrize(
    ("name", "matrices", "order"),
    [("C4", [[[P, -1], [1, 0]]], 0), ("D4", [[[1, P], [0, 1]], [[-1, 0], [0, -1]]], 3)],
)
def test_a_representation_modulo_the_first_prime_alone_is_refused(
    name: str, matrices: list[list[list[int]]], order: int
) -> None:
    """Whether elements were listed or not."""
    group = pdobasis.group(name)
    rep = Representation(group, "own", 2, tuple(map(integers, matrices)))
    problem = Problem(group, parse_field_type("trivial", group), FieldType(((rep, 1),)), order)
    blocks = [Block(0, 0, tuple(empty(2, n, (2, 1)) for n in range(order + 1)))]
    _closure.cache_clear()
    _listed.cache_clear()
    for _ in range(2):
        with pytest.raises(ProofError, match="does not multiply"):
            prove(problem, blocks)
        closure(group)


def test_an_infinite_group_that_is_finite_modulo_the_prime_is_refused() -> None:
    one, minus = [[1, 0], [0, 1]], [[-1, 0], [0, -1]]
    generators = tuple(map(integers, [minus, *[one] * 7, [[1 + P, 0], [0, 1]]]))
    group = Group("own", 2, generators, tuple(f"s{k}" for k in range(len(generators))))
    problem = parse_problem(group, "trivial", "trivial", 2)
    with pytest.raises(GroupError):
        count_pdos(problem.in_type.distinct[0], problem.out_type.distinct[0], 2)


def test_no_multiples_of_what_has_no_entries() -> None:
    """x_1^4 is not r^4 times an element without entries, nor invariant."""
    problem = pdobasis.solve("C4", "trivial", "trivial", order=4).problem
    none = np.zeros(0, dtype=np.int64)

    def zero(n: int) -> Symbols:
        return Symbols(2, n, 1, (1, 1), none, none, none, zeros((0, count(2, n))))

    numbers = np.array([[1, 0, 0, 0, 0], [1, 0, -6, 0, 1], [0, 1, 0, -1, 0]])
    top = from_dense(integers(numbers.reshape(3, 1, 1, 5)), 2, 4)
    parts = (zero(0), empty(2, 1, (1, 1)), zero(2), empty(2, 3, (1, 1)), top)
    angular = Structure(4, 0)
    structure = ((Structure(0, 0),), (), (Structure(0, 1),), (), (Structure(0, 2), angular, angular))
    found = prove(problem, [Block(0, 0, parts, structure)])
    assert not found.equivariant
    module = found.claim("module")
    assert module is not None
    assert module.holds is False


@pytest.mark.parametrize(
    "question", [("C5", "det", "2xvector", 3), ("C5", "trivial", "trivial + vector", 5), ("C24", "vector", "vector", 6)]
)
def test_elements_in_another_order_hold_though_orders_have_different_fields(
    question: tuple[str, str, str, int],
) -> None:
    found = pdobasis.solve(*question[:3], order=question[3], method="transfer")
    for k, block in enumerate(found.blocks):
        assert block.structure is not None
        for n, part in enumerate(block.orders):
            every = dense(part)
            turned = from_dense(exact(every.numerators[::-1], every.denominator, every.field), part.dim, n)
            orders = (*block.orders[:n], turned, *block.orders[n + 1 :])
            structure = (*block.structure[:n], block.structure[n][::-1], *block.structure[n + 1 :])
            blocks = [*found.blocks[:k], replace(block, orders=orders, structure=structure), *found.blocks[k + 1 :]]
            assert prove(found.problem, blocks).holds
