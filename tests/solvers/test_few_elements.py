"""All orders of a module in Python's integers: the symbols, number by number, that arrays give."""

from __future__ import annotations

from math import comb

import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.field import RATIONALS, radical
from pdobasis.operators.few import coprime_numbered
from pdobasis.operators.symbols import Symbols
from pdobasis.operators.textbook_operators import MAX_ORDER, angular_operators
from pdobasis.solvers import few_elements
from pdobasis.solvers.few_elements import FewElements, from_symbols, with_powers
from pdobasis.solvers.module import Module
from pdobasis.solvers.textbook import textbook
from pdobasis.solvers.transfer import solve_module

QUESTIONS = [
    ("C2", "vector", "vector", 3),
    ("C4", "vector", "tensor(vector, vector)", 2),
    ("D4", "vector", "vector", 4),
    ("D3", "vector", "sym(2, vector)", 3),
    ("C16", "vector", "vector", 2),
    ("O(2)", "vector", "vector", 5),
    ("SO(2)", "trivial", "vector", 3),
    ("flip", "trivial", "trivial", 4),
    ("trivial(2)", "trivial", "trivial", 3),
    ("trivial(3)", "trivial", "trivial", 4),
    ("C1", "trivial", "regular", 4),
    ("T", "det", "sym(2, alt(2, vector))", 2),
    ("Oh", "vector", "vector", 4),
    ("Td", "vector", "tensor(vector, vector)", 1),
    ("3m", "trivial", "vector", 4),
    ("D4h", "vector", "trivial", 5),
    ("SO(3)", "vector", "vector", 4),
    ("O(3)", "trivial", "sym(2, vector)", 2),
    ("SO(4)", "vector", "vector", 3),
]


def module_of(question: tuple[str, str, str, int]) -> Module:
    group, source, target, order = question
    problem = ask(group, source, target, order)
    return solve_module(problem.in_type.distinct[0], problem.out_type.distinct[0], order)


def are_same(a: Symbols, b: Symbols) -> bool:
    """To the last byte."""
    one, two = a.coefficients, b.coefficients
    return (
        a.equals(b)
        and (one.field, one.denominator) == (two.field, two.denominator)
        and one.numerators.dtype == two.numerators.dtype
        and [x.dtype for x in a.index] == [x.dtype for x in b.index]
        and not one.numerators.flags.writeable
    )


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_all_orders_are_those_of_arrays(question: tuple[str, str, str, int]) -> None:
    module = module_of(question)
    expected, structure = module.orders(textbook)
    few = module._few()
    assert few is not None
    found = with_powers(few)
    assert found is not None
    assert all(map(are_same, found, expected))
    every, described = module.textbook_orders()
    assert all(map(are_same, every, expected))
    assert described == structure


@pytest.mark.parametrize("question", QUESTIONS[:6], ids=str)
def test_many_numbers_go_the_other_road(question: tuple[str, str, str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of(question)
    expected, _ = module.textbook_orders()
    few = module._few()
    assert few is not None
    monkeypatch.setattr(few_elements, "MOST", 1)
    assert with_powers(few) is None
    assert module._few() is None
    assert all(map(are_same, module.textbook_orders()[0], expected))


def test_names_have_order_two_at_most() -> None:
    """The harmonic part of an operator is found by its trace, which is a matrix of numbers only then."""
    for dim in (1, 2, 3, 4):
        sizes = {1, dim, dim**2, comb(dim + 1, 2), comb(dim, 2)}
        for shape in [(a, b) for a in sizes for b in sizes if a and b]:
            assert not [n for n in range(3, MAX_ORDER + 1) if angular_operators(dim, n, shape)]


def test_numbers_beyond_int64_and_fields() -> None:
    large = {0: 3 * 2**70, 2: 5}
    part = FewElements(2, 2, (1, 1), radical(2), ((large, 1),))
    expected = coprime_numbered([large], 2, 2, (1, 1), radical(2))
    assert are_same(part.symbols, expected)
    assert part.symbols.coefficients.numerators.dtype == object
    # every order by itself: the others stay int64, over the field of what they are multiples of
    parts = [FewElements(2, n, (1, 1), RATIONALS, (({0: 1}, 1),)) for n in (0, 1)]
    found = with_powers([*parts, part, FewElements(2, 3, (1, 1), RATIONALS, ())])
    assert found is not None
    assert [str(p.coefficients.numerators.dtype) for p in found] == ["int64", "int64", "object", "int64"]
    assert [p.coefficients.field for p in found] == [RATIONALS, RATIONALS, radical(2), RATIONALS]
    # r^2 after the first power of x_1
    assert found[3].coefficients.numerators[..., 0].tolist() == [[1, 0, 1, 0]]


def test_what_is_not_rational_is_no_such_symbol() -> None:
    whole = coprime_numbered([{0: 1}], 2, 1, (1, 1), RATIONALS)
    found = from_symbols(whole)
    assert found is not None
    assert found.elements == (({0: 1}, 1),)
    (module,) = [module_of(("I", "irrep(T2)", "vector", 2))]
    irrational = [own.symbols for own in module.angular if own.found.size]
    assert irrational
    assert all(from_symbols(part) is None for part in irrational)


@pytest.mark.parametrize(
    "question",
    [*QUESTIONS, ("flip(pi/4)", "vector", "vector", 2), ("Td", "vector", "tensor(vector, vector)", 3)],
    ids=str,
)
def test_names_are_those_of_arrays(question: tuple[str, str, str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of(question)
    few, _ = module.orders(textbook)
    monkeypatch.setattr(few_elements, "with_names", lambda part, lower: None)
    plain, _ = module.orders(textbook)
    assert all(map(are_same, few, plain))
