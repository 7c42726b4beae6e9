"""Where a group does nothing, one place of P stands for all: only where every other repeats it."""

from dataclasses import replace

import numpy as np
import pytest

from pdobasis import solve
from pdobasis.answer.solve import ask
from pdobasis.exact.array import exact
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Structure, Symbols
from pdobasis.proof import certificate
from pdobasis.proof.batch import found_blocks
from pdobasis.proof.certificate import prove
from pdobasis.proof.repeated import once
from pdobasis.question.problem import Problem

QUESTIONS = [
    ("trivial(3)", "vector", "tensor(vector, vector)", 4),
    ("trivial(2)", "sym(2, vector) + trivial", "3xvector", 6),
    ("C1", "tensor(vector, vector)", "sym(2, vector)", 5),
]


@pytest.fixture(autouse=True)
def every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "MANY", 0)


@pytest.mark.parametrize(("group", "source", "target", "order"), QUESTIONS)
def test_the_same_certificate(
    group: str, source: str, target: str, order: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, blocks = _asked(group, source, target, order)
    found = once(problem, found_blocks(problem, blocks))
    assert any(block.places > 1 for block in found)
    proved = prove(problem, blocks)
    assert proved.holds
    monkeypatch.setattr(certificate, "MANY", 10**9)
    assert prove(problem, blocks) == proved


@pytest.mark.parametrize("group", ["C2", "flip", "inversion(2)", "D1", "SO(2)"])
def test_a_group_that_does_something(group: str) -> None:
    problem, blocks = _asked(group, "vector", "sym(2, vector)", 3)
    assert all(b.places == 1 for b in once(problem, found_blocks(problem, blocks)))


def test_fibres_that_move_while_space_does_not() -> None:
    """The generator of C1 twice, once as a permutation that is none of its representations."""
    problem, blocks = _asked("C1", "tensor(vector, vector)", "vector", 2)
    (found,) = found_blocks(problem, blocks)
    moved = replace(found.rep_in, permutations=((1, 0, 2, 3),))
    assert once(problem, [replace(found, rep_in=moved)])[0].places == 1


@pytest.mark.parametrize(("group", "source", "target", "order"), QUESTIONS[:2])
def test_one_number_less_or_more(group: str, source: str, target: str, order: int) -> None:
    problem, (block, *others) = _asked(group, source, target, order)
    for n, part in enumerate(block.orders):
        for entry in (0, len(part.element) // 2, len(part.element) - 1):
            for monomial in (0, part.coefficients.shape[1] - 1):
                numbers = np.array(part.coefficients.numerators)
                numbers[entry, monomial] += 1
                wrong = _with(block, n, replace(part, coefficients=exact(
                    numbers, part.coefficients.denominator, part.coefficients.field
                )))  # fmt: skip
                found = once(problem, found_blocks(problem, [wrong, *others]))
                assert found[0].places == 1
                # an angular element plus a monomial is another one, if not harmonic
                if n >= 2 and entry == 0:
                    assert not prove(problem, [wrong, *others]).holds


def test_a_missing_element_and_one_that_is_twice_there() -> None:
    problem, (block,) = _asked("trivial(3)", "vector", "vector", 2)
    part = block.orders[1]
    kept = np.flatnonzero(part.element != 4)
    less = Symbols(
        part.dim, 1, part.size - 1, part.shape, np.arange(part.size - 1),
        part.row[kept], part.column[kept], part.coefficients.take(kept),
    )  # fmt: skip
    wrong = _with(block, 1, less)
    assert not prove(problem, [wrong]).holds
    # all places alike, but the first of them has its first polynomial twice: so have all
    numbers = np.array(part.coefficients.numerators).reshape(9, 3, 3, 1)
    numbers[:, 1] = numbers[:, 0]
    double = exact(numbers.reshape(27, 3, 1), 1, part.coefficients.field)
    wrong = _with(block, 1, replace(part, coefficients=double))
    found = once(problem, found_blocks(problem, [wrong]))
    proved = prove(problem, [wrong])
    assert found[0].places == 9
    assert not proved.independent
    assert proved.ranks == (9, 18, 54)


def test_places_that_lack_the_last_polynomial_alike() -> None:
    problem, (block,) = _asked("trivial(3)", "vector", "vector", 2)
    part = block.orders[1]
    kept = np.flatnonzero(np.arange(part.size) % 3 < 2)
    less = Symbols(
        3, 1, 18, part.shape, np.arange(18),
        part.row[kept], part.column[kept], part.coefficients.take(kept),
    )  # fmt: skip
    wrong = _with(block, 1, less)
    proved = prove(problem, [wrong])
    assert once(problem, found_blocks(problem, [wrong]))[0].places == 9
    assert proved.independent
    assert not proved.complete
    assert (proved.found[1], proved.counted[1]) == (18, 27)


def test_another_structure_at_another_place() -> None:
    problem, (block,) = _asked("trivial(2)", "vector", "tensor(vector, vector)", 2)
    assert block.structure is not None
    described = list(block.structure)
    last = list(described[2])
    assert last[-1] == Structure(2, 0)
    last[-1] = Structure(0, 1)
    described[2] = tuple(last)
    wrong = replace(block, structure=tuple(described))
    assert once(problem, found_blocks(problem, [wrong]))[0].places == 1
    claim = prove(problem, [wrong]).claim("module")
    assert claim is not None
    assert claim.holds is False


def test_a_kernel() -> None:
    basis = solve("trivial(3)", "vector", "sym(2, vector)", order=3, kernel=True)
    assert basis.certificate.holds


def _asked(group: str, source: str, target: str, order: int) -> tuple[Problem, tuple[Block, ...]]:
    problem = ask(group, source, target, order)
    blocks = solve(group, source, target, order=order, method="transfer").blocks
    return problem, tuple(blocks)


def _with(block: Block, order: int, part: Symbols) -> Block:
    orders = list(block.orders)
    orders[order] = part
    structure = block.structure
    if structure is not None and part.size != len(structure[order]):
        every = list(structure)
        every[order] = every[order][: part.size]
        structure = tuple(every)
    return replace(block, orders=tuple(orders), structure=structure)
