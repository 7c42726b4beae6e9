"""Matrices by their non-zeros: the same numbers as in full, and never written out on the way of a question."""

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pdobasis.exact.matrices
import pdobasis.representations.terms
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.bounds.sizes import size_of
from pdobasis.errors import GroupError
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.exact.matrices import block_diagonal, kronecker
from pdobasis.exact.scattered import Scattered, block_sum, entries_of, gathered, scattered
from pdobasis.representations.terms import Alternating, Symmetric, Tensor, Term, Vector

FIELDS = [RATIONALS, radical(2, 3), cyclotomic(16)]


def sparse(size: int, field: Field, seed: int = 0, width: int | None = None) -> ExactArray:
    """In full, most of it zero."""
    draw = np.random.default_rng(seed)
    shape = (size, width or size, field.degree)
    values = draw.integers(-5, 6, shape) * (draw.random(shape) < 0.3 / field.degree)
    return exact(values, 6, field)


def same(a: ExactArray, b: ExactArray) -> bool:
    """Byte for byte."""
    x, y = a.numerators, b.numerators
    return a.field == b.field and a.denominator == b.denominator and x.dtype == y.dtype and np.array_equal(x, y)


OPERATIONS: dict[str, Callable[[ExactArray, ExactArray], ExactArray]] = {
    "itself": lambda a, b: a,
    "transposed": lambda a, b: a.T,
    "negative": lambda a, b: -a,
    "sum": lambda a, b: a + b,
    "difference": lambda a, b: a - b,
    "with itself": lambda a, b: a - a,
    "scaled": lambda a, b: a.scale(Fraction(3, 4)),
    "by zero": lambda a, b: a.scale(0),
    "product": lambda a, b: a @ b,
    "entry by entry": lambda a, b: a * b,
    "trace": lambda a, b: a.trace(),
    "row": lambda a, b: a[2],
    "entry": lambda a, b: a[2, -1],
    "corner": lambda a, b: a[:3, 1:4],
    "some of a row": lambda a, b: a[1, np.array([4, 0, 4])],
    "a column": lambda a, b: a[:, 2],
    "columns": lambda a, b: a[1:, np.array([3, 0])],
    "rows": lambda a, b: a[np.array([3, 0]), :2],
    "block": lambda a, b: a[np.array([[3], [0]]), np.array([1, 3, 4])],
    "wider": lambda a, b: a.over(radical(2, 3, 5)) if a.field.conductor == 1 else a,
}


@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize("name", OPERATIONS)
def test_it_is_the_matrix(name: str, field: Field) -> None:
    a, b = sparse(6, field), sparse(6, field, 1)
    found = OPERATIONS[name](entries_of(a), entries_of(b))
    assert same(found, OPERATIONS[name](a, b))
    assert same(OPERATIONS[name](entries_of(a), b), OPERATIONS[name](a, b))


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_equal_is_equal(field: Field) -> None:
    a = sparse(5, field)
    m = entries_of(a)
    assert m == a
    assert a == m
    assert m == entries_of(a)
    assert hash(m) == hash(a)
    assert m != entries_of(a.T)
    assert m != entries_of(a.scale(2))
    assert not m.is_zero
    assert entries_of(a - a).is_zero
    assert (m.nonzero_mask() == a.nonzero_mask()).all()
    for again in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):  # noqa: S301
        assert isinstance(again, Scattered)
        assert same(again, a)


def test_entries_come_in_any_order_and_add_up() -> None:
    a = sparse(7, radical(2), width=5)
    m = entries_of(a)
    order = np.random.default_rng(3).permutation(len(m.rows))
    moved = m.rows[order], m.columns[order], m.values.take(order)
    assert same(scattered((7, 5), *moved), a)
    twice = np.concatenate([order, order[::-1]])
    found = gathered((7, 5), m.rows[twice], m.columns[twice], m.values.take(twice))
    assert same(found, a + a)
    assert (np.diff(found.rows * 5 + found.columns) > 0).all()


def test_sums_of_entries_do_not_overflow() -> None:
    none = np.zeros(4, dtype=np.int64)
    large = exact(np.full((4, 1), 1 << 62), 1, RATIONALS)
    assert gathered((1, 1), none, none, large)[0, 0].fraction() == 1 << 64
    diagonal = np.arange(4)
    assert Scattered((4, 4), diagonal, diagonal, large).trace().fraction() == 1 << 64


def test_a_sum_of_blocks() -> None:
    blocks = [sparse(3, radical(2)), sparse(4, RATIONALS), sparse(1, radical(3))]
    assert same(block_sum(blocks), block_diagonal(blocks))


TERMS: list[Term] = [
    Tensor(Vector(), Vector()),
    Tensor(Tensor(Vector(), Vector()), Symmetric(2, Vector())),
    Symmetric(0, Vector()),
    Symmetric(3, Vector()),
    Symmetric(2, Alternating(2, Vector())),
    Alternating(1, Vector()),
    Alternating(2, Vector()),
    Alternating(4, Vector()),
    Alternating(3, Symmetric(2, Vector())),
]


@pytest.mark.parametrize("term", TERMS, ids=str)
@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_tensors_by_their_non_zeros(term: Term, field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of any matrix, not of sparse ones alone: both ways to their powers give the same."""
    for g in (sparse(4, field, 5), sparse(4, field, 6) + sparse(4, field, 7)):
        in_full = term.at(g), term.derivative(g)
        for room in (pdobasis.exact.matrices, pdobasis.representations.terms):
            monkeypatch.setattr(room, "WHOLE", 0)
        found = term.at(g), term.derivative(g)
        monkeypatch.undo()
        assert isinstance(found[0], Scattered)
        assert all(map(same, found, in_full))


def test_kronecker_of_what_is_not_square(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = sparse(3, radical(2), width=5), sparse(4, radical(3), 1, width=2)
    in_full = kronecker(a, b)
    monkeypatch.setattr(pdobasis.exact.matrices, "WHOLE", 0)
    assert same(kronecker(a, b), in_full)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        (("SO(3)", "irrep(2)", "sym(2, alt(2, irrep(3)))", 0), 5),
        (("O(3)", "trivial", "tensor(vector, vector, vector, vector, vector, vector)", 0), 15),
        (("Oh", "trivial", "tensor(vector, vector, vector, vector, vector, vector)", 0), 31),
        (("SO(3)", "trivial", "sym(3, irrep(6))", 0), 1),
        (("Sp(4)", "vector", "alt(2, tensor(vector, vector))", 0), 0),
    ],
)
def test_questions_never_write_large_matrices_out(question: tuple[Any, ...], number: int) -> None:
    problem = ask(*question)
    basis = solve_problem(problem)
    assert basis.dimension == number
    (rep,) = problem.out_type.distinct
    for m in (*rep.generators, *rep.lie):
        assert isinstance(m, Scattered)
        assert m.written is None
    # and caches are not charged for what is not there
    assert size_of(rep.lie or rep.generators) < rep.size**2 * 8


@pytest.mark.parametrize("field", [RATIONALS, cyclotomic(5)])
@pytest.mark.parametrize("sizes", [(1,) * 7, (2, 1, 3, 1), (4, 4, 1), (5,)])
def test_the_inverse_is_found_part_by_part(sizes: tuple[int, ...], field: Field) -> None:
    """As FLINT has it for the matrix in full."""
    numbers = np.random.default_rng(len(sizes))
    blocks = [exact(numbers.integers(1, 9, (n, n, field.degree)), 3, field) for n in sizes]
    rows = numbers.permutation(sum(sizes))
    m = block_sum(blocks)
    moved = scattered(m._shape, rows[m.rows], m.columns, m.values)
    whole = exact(moved.numerators, moved.denominator, field)
    found = moved.inverse()
    assert found.field == field
    assert found.equals(whole.inverse())


def test_the_inverse_of_a_permutation_up_to_signs() -> None:
    m = scattered((3, 3), np.array([0, 1, 2]), np.array([2, 0, 1]), integers([1, -1, 1]))
    assert m.inverse().equals(integers([[0, -1, 0], [0, 0, 1], [1, 0, 0]]))


@pytest.mark.parametrize("places", [([0, 1, 2], [0, 1, 1]), ([0, 0, 1, 2], [0, 1, 2, 2]), ([0, 1], [0, 1])])
def test_singular_by_its_places(places: tuple[list[int], list[int]]) -> None:
    rows, columns = map(np.array, places)
    m = scattered((3, 3), rows, columns, integers([1] * len(rows)))
    with pytest.raises(GroupError, match="singular"):
        m.inverse()


@pytest.mark.parametrize("spec", ["regular", "sym(3, regular)", "quotient(C2)"])
def test_the_dual_of_a_permutation_is_the_same_matrices(spec: str) -> None:
    question = ask("D4", spec, f"dual({spec})", 0)
    (rep,), (dual,) = question.in_type.distinct, question.out_type.distinct
    assert dual == rep
    assert dual.spec == f"dual({rep.spec})"
