"""Solutions where blocks are moved, beside those of one linear system for all of P."""

from collections.abc import Iterator
from itertools import product

import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.field import join
from pdobasis.operators.symbols import Symbols, dense
from pdobasis.representations import representation
from pdobasis.solvers import together
from pdobasis.solvers.batch import Task
from pdobasis.solvers.by_blocks import falls_into_blocks, solve_by_blocks
from pdobasis.solvers.direct import solve_block

QUESTIONS = [
    ("C3", "vector", "tensor(vector, regular)", 2),
    ("C4", "alt(2, regular)", "trivial", 3),
    ("D4", "tensor(vector, regular)", "det", 2),
    ("C4v", "alt(2, regular)", "vector", 1),
    ("D3", "tensor(regular, alt(2, regular))", "irrep(1,1)", 0),
    ("O", "vector", "alt(3, quotient(C4))", 2),
    ("D6", "tensor(irrep(1,1), quotient(C2))", "tensor(irrep(1,2), quotient(C3))", 1),
    ("C5", "tensor(irrep(2), regular)", "vector", 2),
    ("T", "sym(2, alt(2, quotient(C2)))", "vector", 2),
    # rows are permuted, columns are not, and the other way round: numbered row by row, and column by column
    ("C4", "alt(2, regular)", "quotient(C2)", 2),
    ("D4", "quotient(C4)", "tensor(vector, regular)", 1),
]


@pytest.fixture(autouse=True)
def small_ones_are_taken_apart(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(representation, "WORTH_TAKING_APART", 2)
    representation._all_parts.cache_clear()
    yield
    representation._all_parts.cache_clear()


ASKED: list[tuple[bool, int | None]] = [(False, None), (True, None), (False, 1)]
CASES = [
    (*question, asked)
    for question, asked in product(QUESTIONS, ASKED)
    # the order in each variable is kept by permutations of the axes
    if asked[1] is None or question[0] in ("C4", "D4", "C4v", "O", "T")
]


@pytest.mark.parametrize(("group", "source", "target", "order", "asked"), CASES)
def test_it_is_the_echelon_form(
    group: str, source: str, target: str, order: int, asked: tuple[bool, int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is one, however it is found."""
    harmonic, partial_order = asked
    problem = ask(group, source, target, order)
    (a,), (b,) = problem.in_type.distinct, problem.out_type.distinct
    monkeypatch.setattr(together, "WORTH_BLOCKS", 10**9)
    task = Task(a, b, order)
    assert falls_into_blocks(task)
    expected = solve_block(a, b, order, orbits=False, harmonic=harmonic, partial_order=partial_order)
    field = join(expected.coefficients.field, problem.field)
    found = solve_by_blocks(task, field, harmonic=harmonic, partial_order=partial_order)
    assert found.coefficients.field == field
    assert parts(found) == parts(expected)
    assert dense(found).equals(dense(expected))


def parts(found: Symbols) -> list[list[int]]:
    return [own.tolist() for own in (found.element, found.row, found.column)]
