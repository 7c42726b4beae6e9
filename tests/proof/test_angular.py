"""Of a module only the angular elements are looked at, and nothing wrong gets by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.operators.block import Block
from pdobasis.operators.laplacian import is_harmonic, project, times_radius
from pdobasis.operators.symbols import Symbols, join_symbols, renumber
from pdobasis.proof import angular, evidence, module
from pdobasis.proof.batch import Placed, batches, found_blocks, single
from pdobasis.proof.certificate import Certificate, prove
from pdobasis.proof.independent import rank, ranks
from pdobasis.proof.module import modules_among
from pdobasis.proof.points import powers
from pdobasis.question.problem import Problem
from pdobasis.solvers.registry import choose

QUESTIONS = [
    ("D4", "vector", "vector", 4),
    ("O", "vector", "vector", 4),
    ("SO(2)", "vector", "vector", 3),
    ("O(3)", "vector", "2xvector + trivial", 4),
    ("C8", "regular", "regular", 2),
    ("D6", "regular", "vector", 3),
    ("trivial(2)", "vector", "trivial", 4),
    ("-3m", "vector", "sym(2, vector)", 3),
    ("SO(4)", "vector", "vector", 3),
]


@pytest.fixture(autouse=True)
def even_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Multiples of r^2 are left out however few they are."""
    monkeypatch.setattr(evidence, "MANY", 0)


def answer(question: tuple[str, str, str, int]) -> tuple[Problem, list[Block]]:
    group, source, target, order = question
    problem = ask(group, source, target, order)
    return problem, list(choose(problem, "transfer").solve(problem, lambda message: None).blocks)


def proved_whole(problem: Problem, blocks: list[Block], monkeypatch: pytest.MonkeyPatch) -> Certificate:
    """With every element looked at."""
    with monkeypatch.context() as patch:
        patch.setattr(angular, "angular_elements", lambda block, powers: block)
        patch.setattr(angular, "modulo_square", lambda batch: batch)
        return prove(problem, blocks)


def only(part: Symbols, number: int) -> Symbols:
    ranks = np.full(part.size, -1)
    ranks[number] = 0
    return renumber(part, ranks, 1)


def with_element(block: Block, order: int, number: int, other: Symbols) -> Block:
    """Another angular element, and its multiples by powers of r^2 wherever they stand."""
    parts, structure = list(block.orders), block.structure
    assert structure is not None
    assert structure[order][number].laplacian_power == 0
    at, n = number, order
    while True:
        pieces = [only(parts[n], k) for k in range(parts[n].size)]
        before = pieces[at]
        pieces[at] = other
        parts[n] = join_symbols(pieces)
        if n + 2 >= len(parts):
            return replace(block, orders=tuple(parts))
        raised = times_radius(before)
        above = parts[n + 2]
        at = next(k for k in range(above.size) if only(above, k).equals(raised))
        n, other = n + 2, times_radius(other)


def plus(a: Symbols, b: Symbols) -> Symbols:
    """The sum of two elements, by their arrays."""
    from pdobasis.operators.symbols import dense, from_dense

    return from_dense(dense(a) + dense(b), a.dim, a.order)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_the_same_certificate(question: tuple[str, str, str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    problem, blocks = answer(question)
    found = found_blocks(problem, blocks)
    modules = modules_among(problem, found)
    assert None not in modules
    assert any(
        own.parts[n].size < block.parts[n].size
        for block, powers in zip(found, modules, strict=True)
        for own in [angular.angular_elements(block, powers or ())]
        for n in range(problem.order + 1)
    )
    certificate = prove(problem, blocks)
    assert certificate.holds
    assert certificate == proved_whole(problem, blocks, monkeypatch)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_all_orders_at_once_and_one_after_the_other(
    question: tuple[str, str, str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, blocks = answer(question)
    found = found_blocks(problem, blocks)
    for block in found:
        once = module._graded(block, kernel=False)
        assert once is not None
        with monkeypatch.context() as patch:
            patch.setattr(module, "TOGETHER", -1)
            each = module._graded(block, kernel=False)
        assert each is not None
        assert all(map(np.array_equal, once, each))


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_ranks_modulo_the_square_are_those_of_harmonic_parts(question: tuple[str, str, str, int]) -> None:
    """However the orders are put together; counted once more by projections, order by order."""
    problem, blocks = answer(question)
    for block in found_blocks(problem, blocks):
        for first in range(problem.order + 1):
            parts = block.parts[first:]
            every = [Placed(part, 0, 0) for part in parts]
            for batch in batches(every, parts[0].shape):
                found = np.zeros(problem.order + 1, dtype=np.int64)
                np.add.at(found, batch.order, ranks(angular.modulo_square(batch)))
                for n in range(batch.low, batch.high + 1):
                    part = block.parts[n]
                    assert found[n] == rank(replace(part, coefficients=project(part)))


def test_one_number_more_is_seen_at_once_and_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, (block,) = answer(("trivial(3)", "vector", "trivial", 5))
    (found,) = found_blocks(problem, [block])
    graded = module._graded(found, kernel=False)
    assert graded is not None
    powers = [own.tolist() for own in graded]
    assert module._are_lifted(found.parts, powers)
    for n in (2, 4, 5):
        part = found.parts[n]
        changed = part.coefficients.numerators.copy()
        changed[0, -1, 0] += 1
        wrong = exact(changed, part.coefficients.denominator, part.coefficients.field)
        parts = (*found.parts[:n], replace(part, coefficients=wrong), *found.parts[n + 1 :])
        assert not module._are_lifted(parts, powers)
        assert module._graded(replace(found, parts=parts), kernel=False) is None
    # an entry at another place, and powers that are not those of what is below
    moved = replace(found.parts[4], column=found.parts[4].column[::-1].copy())
    assert not module._are_lifted((*found.parts[:4], moved, found.parts[5]), powers)
    assert not module._are_lifted(found.parts, (*powers[:4], [k + 1 for k in powers[4]], powers[5]))
    # numbers that int64 would not hold are looked at one after the other
    monkeypatch.setattr(module, "INT_LIMIT", 1)
    assert not module._are_lifted(found.parts, powers)
    assert module._graded(found, kernel=False) is not None


def test_an_angular_element_that_is_not_steerable() -> None:
    """Its multiples are lifted with it, so that the module is one: the element itself is looked at."""
    problem, (block,) = answer(("D4", "vector", "vector", 4))
    for n in (0, 1, 2):
        part = block.orders[n]
        for k in range(part.size):
            if block.structure is None or block.structure[n][k].laplacian_power:
                continue
            own = only(part, k)
            values = own.coefficients
            changed = values.numerators.copy()
            changed[0, 0, 0] += 1
            other = replace(own, coefficients=exact(changed, 1, values.field))
            wrong = with_element(block, n, k, other)
            assert modules_among(problem, found_blocks(problem, [wrong])) != [None]
            certificate = prove(problem, [wrong])
            assert certificate.equivariant is False


def test_an_angular_element_that_is_dependent_modulo_the_square(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """chi_1 + r^2 P in the place of chi_2: equivariant, lifted, and dependent on what is there."""
    problem, (block,) = answer(("trivial(2)", "vector", "trivial", 4))
    part, structure = block.orders[2], block.structure
    assert structure is not None
    chis = [k for k, s in enumerate(structure[2]) if not s.laplacian_power]
    lifted = next(k for k, s in enumerate(structure[2]) if s.laplacian_power)
    other = plus(only(part, chis[0]), only(part, lifted))
    wrong = with_element(block, 2, chis[1], other)
    assert modules_among(problem, found_blocks(problem, [wrong])) != [None]
    certificate = prove(problem, [wrong])
    assert certificate.independent is False
    assert certificate == proved_whole(problem, [wrong], monkeypatch)


def test_a_multiple_of_the_square_that_is_called_angular(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem, (block,) = answer(("trivial(2)", "vector", "trivial", 2))
    part, structure = block.orders[2], block.structure
    assert structure is not None
    chi = next(k for k, s in enumerate(structure[2]) if not s.laplacian_power)
    lifted = next(k for k, s in enumerate(structure[2]) if s.laplacian_power)
    wrong = with_element(block, 2, chi, only(part, lifted))
    certificate = prove(problem, [wrong])
    assert certificate.independent is False
    assert certificate == proved_whole(problem, [wrong], monkeypatch)


def test_a_lifted_element_that_is_none() -> None:
    """Then everything is looked at."""
    problem, (block,) = answer(("O", "vector", "vector", 4))
    part, structure = block.orders[2], block.structure
    assert structure is not None
    lifted = next(k for k, s in enumerate(structure[2]) if s.laplacian_power)
    values = part.coefficients
    changed = values.numerators.copy()
    changed[np.flatnonzero(part.element == lifted)[0], 0, 0] += 1
    symbols = replace(part, coefficients=exact(changed, 1, values.field))
    wrong = replace(block, orders=(*block.orders[:2], symbols, *block.orders[3:]))
    assert modules_among(problem, found_blocks(problem, [wrong])) == [None]
    certificate = prove(problem, [wrong])
    assert certificate.equivariant is False
    assert not certificate.holds


def test_a_lifted_element_with_one_entry_more() -> None:
    """r^2 times the curl has no entry in the last place of the matrix; 7 d1^3 there comes after all of its entries."""
    problem, (block,) = answer(("SO(3)", "vector", "vector", 4))
    part = block.orders[3]
    last = np.flatnonzero(part.element == 0)[-1] + 1
    row = np.zeros((1, *part.coefficients.numerators.shape[1:]), dtype=np.int64)
    row[0, 0, 0] = 7
    numbers = np.insert(part.coefficients.numerators, [last], row, axis=0)
    symbols = replace(
        part,
        element=np.insert(part.element, last, 0),
        row=np.insert(part.row, last, 2),
        column=np.insert(part.column, last, 2),
        coefficients=exact(numbers, part.coefficients.denominator, part.coefficients.field),
    )
    wrong = replace(block, orders=(*block.orders[:3], symbols, *block.orders[4:]))
    assert modules_among(problem, found_blocks(problem, [wrong])) == [None]
    assert prove(problem, [wrong]).equivariant is False


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_remainders(dim: int, order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Multiples of r^2 have none; harmonic parts have those of the whole, and as many as there are."""
    from pdobasis.exact.polynomials import count
    from pdobasis.operators.symbols import from_dense

    size, below = count(dim, order), count(dim, order - 2)
    every = from_dense(integers(np.eye(size, dtype=np.int64).reshape(size, 1, 1, size)), dim, order)
    lower = from_dense(
        integers(np.eye(below, dtype=np.int64).reshape(below, 1, 1, below)),
        dim,
        order - 2,
    )

    def modulo_square(part: Symbols) -> ExactArray:
        return angular.modulo_square(single(part)).coefficients

    assert modulo_square(times_radius(lower)).is_zero
    assert ranks(angular.modulo_square(single(every))).sum() == size - below
    projected = replace(every, coefficients=project(every))
    assert is_harmonic(projected)
    assert not is_harmonic(every)
    # of harmonic symbols the same coefficients as they are: for each element another basis, and the same rank
    found = modulo_square(projected)
    kept = np.flatnonzero(powers(dim, order, order)[:, 0] < 2)
    assert found.equals(exact(projected.coefficients.numerators[:, kept], 1, found.field))
    assert ranks(angular.modulo_square(single(projected))).sum() == size - below
    # with one that is not harmonic remainders are taken of all: those of the whole, without the denominator
    monkeypatch.setattr(angular, "_are_harmonic", lambda batch, places: False)
    factor = projected.coefficients.denominator
    assert modulo_square(projected).equals(modulo_square(every).scale(factor))
