"""Solutions where blocks are moved, beside those of one linear system for all of P."""

from collections.abc import Iterator
from itertools import product

import pytest

from pdobasis.answer.solve import ask, solve
from pdobasis.bounds.watch import budget
from pdobasis.exact.field import join
from pdobasis.operators.symbols import Symbols, dense
from pdobasis.representations import representation
from pdobasis.solvers import orbits, together
from pdobasis.solvers.batch import Task
from pdobasis.solvers.by_blocks import falls_into_blocks, solve_by_blocks
from pdobasis.solvers.direct import solve_block

Question = tuple[str, str, str, int]

QUESTIONS: list[Question] = [
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
    representation.moves_blocks.cache_clear()
    yield
    representation._all_parts.cache_clear()
    representation.moves_blocks.cache_clear()


ASKED: list[tuple[bool, int | None]] = [(False, None), (True, None), (False, 1)]


def with_all_that_is_asked(questions: list[Question]) -> list[tuple[str, str, str, int, tuple[bool, int | None]]]:
    """The order in each variable is kept by permutations of the axes alone."""
    every = product(questions, ASKED)
    return [(*q, asked) for q, asked in every if asked[1] is None or q[0] in ("C4", "D4", "C4v", "O", "T")]


@pytest.mark.parametrize(("group", "source", "target", "order", "asked"), with_all_that_is_asked(QUESTIONS))
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


ROUND_ORBITS: list[Question] = [
    ("C4", "quotient(C2)", "alt(2, regular)", 2),
    ("D4", "tensor(vector, regular)", "quotient(D2)", 1),
    ("C6v", "quotient(C3)", "tensor(vector, regular)", 1),
    ("D3", "sym(2, quotient(C3))", "tensor(vector, regular)", 2),  # orbits of several kinds
    ("C5", "alt(2, regular)", "sym(2, regular)", 1),  # and free ones
    ("O", "quotient(D4)", "alt(2, quotient(C4))", 2),
]


@pytest.mark.parametrize(("group", "source", "target", "order", "asked"), with_all_that_is_asked(ROUND_ORBITS))
def test_fibres_fall_into_blocks(
    group: str, source: str, target: str, order: int, asked: tuple[bool, int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Round orbits of points the same is found, numbers and field, whether a fibre is one system or falls into blocks."""
    harmonic, partial_order = asked
    problem = ask(group, source, target, order)
    (a,), (b,) = problem.in_type.distinct, problem.out_type.distinct
    found = []
    for worth in (10**9, 0):
        monkeypatch.setattr(orbits, "WORTH_BLOCKS", worth)
        found.append(solve_block(a, b, order, harmonic=harmonic, partial_order=partial_order))
    whole, blocks = found
    assert whole.size > 0
    assert blocks.coefficients.field == whole.coefficients.field
    assert parts(blocks) == parts(whole)
    assert blocks.coefficients.equals(whole.coefficients)


def test_a_large_fibre_takes_no_room() -> None:
    """As one system the 2016 components are 44 GB over the field of degree 16."""
    with budget(memory="1GB"):
        basis = solve("C64", "tensor(det, quotient(C8))", "alt(2, regular)", order=0)
    # r^8, …, r^56 fix no pair {i, j}, up to signs, but r^32: it takes the 32 pairs {i, i + 32} to their negatives
    assert basis.dimension == (2016 - 32) // 8
    assert basis.certificate.holds
