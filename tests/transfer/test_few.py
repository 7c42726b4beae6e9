"""Few numbers go without arrays: the same symbols, number by number, over the same fields."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import exact, integers
from pdobasis.exact.field import radical
from pdobasis.exact.packed import packed
from pdobasis.exact.polynomials import count
from pdobasis.groups.catalogue import parse_group
from pdobasis.linear.small import first_independent
from pdobasis.linear.small_fields import first_independent_modulo
from pdobasis.operators.few import (
    are_few,
    coprime,
    elements_of,
    harmonic_part,
    is_multiple,
)
from pdobasis.operators.laplacian import harmonic_projection
from pdobasis.operators.symbols import Symbols, from_dense, join_symbols, tidy
from pdobasis.representations import characters
from pdobasis.representations.named import named_irreps
from pdobasis.representations.representation import Representation
from pdobasis.solvers import planar_sums, projection, reducible, transfer
from pdobasis.solvers.batch import Task
from pdobasis.solvers.direct import solve_blocks
from pdobasis.solvers.transfer import solve_module

QUESTIONS = [
    ("O", "vector", "vector", 4),
    ("S4", "vector", "sym(2, vector)", 3),
    ("Td", "vector", "tensor(vector, vector)", 3),
    ("D4", "regular", "vector", 4),
    ("inversion(2)", "vector", "vector", 4),
    ("trivial(2)", "vector", "trivial", 3),
    ("SO(3)", "vector", "vector", 4),
    ("O(2)", "vector", "vector", 5),
    ("Cs", "vector", "vector", 3),
    ("3m", "vector", "vector", 4),
    ("D5", "vector", "irrep(1,2)", 6),
    ("C16", "vector", "vector", 2),
    ("Ih", "vector", "vector", 3),
    ("Oh", "irrep(Eg)", "irrep(Eg)", 4),
]


def symbols_of(question: tuple[str, str, str, int]) -> list[Symbols]:
    group, source, target, order = question
    problem = ask(group, source, target, order)
    a, b = problem.in_type.distinct[0], problem.out_type.distinct[0]
    return solve_blocks([Task(a, b, n) for n in range(order + 1)])


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_projections_are_those_of_arrays(question: tuple[str, str, str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    every = [part for part in symbols_of(question) if are_few(part)]
    assert any(part.order >= 2 for part in every)
    few = [projection._projected(part) for part in every]
    monkeypatch.setattr(projection, "are_few", lambda part: False)
    for own, part in zip(few, every, strict=True):
        other = projection._projected(part)
        assert own.equals(other)
        assert own.coefficients.field == other.coefficients.field
        assert own.coefficients.numerators.dtype == other.coefficients.numerators.dtype


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_the_number_of_lower_symbols_tells_what_is_harmonic(question: tuple[str, str, str, int]) -> None:
    every = symbols_of(question)
    for part in every[2:]:
        lower = every[part.order - 2].size
        own, other = projection._projected(part, lower), projection._projected(part)
        assert own.size == part.size - lower
        assert own.equals(other)
        assert own.coefficients.field == other.coefficients.field


def test_an_operator_takes_the_place_of_its_harmonic_part() -> None:
    # grad∘div is (2 grad∘div - Δ) / 2 + Δ / 2
    module = solve_module(*_vectors("O(2)"), 2)
    parts, _ = module.textbook_orders()
    grad_div = {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): 1, (1, 1, 2): 1}
    assert grad_div in elements_of(parts[2])


def _vectors(group: str) -> tuple[Representation, Representation]:
    problem = ask(group, "vector", "vector", 0)
    return problem.in_type.distinct[0], problem.out_type.distinct[0]


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
@pytest.mark.parametrize("order", range(7))
def test_harmonic_parts(dim: int, order: int) -> None:
    """One positive multiple of the projection, for all monomials."""
    table = harmonic_projection(dim, order)
    size = count(dim, order)
    found = np.zeros((size, size), dtype=object)
    for alpha in range(size):
        for (_, _, beta), v in harmonic_part({(0, 0, alpha): 1}, dim, order).items():
            found[alpha, beta] = v
    wanted = table.numerators[..., 0].astype(object)
    assert (found != 0).tolist() == (wanted != 0).tolist()
    if wanted.any():
        at = tuple(np.argwhere(wanted)[0])
        assert found[at] * wanted[at] > 0
        assert (found * wanted[at] == wanted * found[at]).all()


def test_independent_elements() -> None:
    a, b = {(0, 0, 0): 2, (0, 0, 1): 4}, {(0, 0, 1): 3}
    both = {(0, 0, 0): 1, (0, 0, 1): 10**30}
    assert first_independent([{}, a, a, b, both]) == [1, 3]
    assert first_independent([both, a, b]) == [0, 1]


def test_coprime_numbers() -> None:
    elements = [{(0, 1, 0): -4, (1, 0, 2): 6}, {(0, 0, 1): 10**30}]
    part = coprime(elements, 2, 2, (2, 2))
    assert elements_of(part) == [{(0, 1, 0): 2, (1, 0, 2): -3}, {(0, 0, 1): 1}]
    assert part.coefficients.numerators.dtype == np.int64
    assert coprime([], 2, 2, (2, 2)).size == 0


def test_coprime_numbers_of_a_field() -> None:
    field = radical(5)
    at = packed(field)
    assert at is not None
    # -2 sqrt(5), 6 + 4 sqrt(5): times sqrt(5) the first is rational
    elements = [{(0, 0, 0): at.image([0, -2]), (0, 0, 1): at.image([6, 4])}]
    part = coprime(elements, 2, 1, (1, 1), field)
    assert part.coefficients.numerators.tolist() == [[[5, 0], [-10, -3]]]
    assert coprime([{(0, 0, 1): 6}], 2, 1, (1, 1), field).coefficients.numerators.tolist() == [[[0, 0], [1, 0]]]


def test_coprime_numbers_of_two_square_roots() -> None:
    """As tidied: -2 sqrt(10) and 1 + sqrt(6) + sqrt(15), times sqrt(10)."""
    field = radical(6, 10)
    at = packed(field)
    assert at is not None
    numbers = [[0, 0, -2, 0], [1, 1, 0, 1]]
    elements = [{(0, 0, k): at.image(own) for k, own in enumerate(numbers)}]
    part = coprime(elements, 2, 1, (1, 1), field)
    assert part.coefficients.numerators.tolist() == [[[20, 0, 0, 0], [0, -5, -1, -2]]]
    given = from_dense(exact(np.array([[[numbers]]]), 1, field), 2, 1)
    assert tidy(given).coefficients.equals(part.coefficients)


def test_independent_elements_of_a_field() -> None:
    at = packed(radical(2))
    assert at is not None
    root = at.image([0, 1])
    rows = [{0: 1, 1: root}, {0: root, 1: 2}, {0: root, 1: 1}]
    assert first_independent_modulo(rows, at.modulus) == [0, 2]
    assert first_independent_modulo([{0: 3}], 9) is None


def test_multiples() -> None:
    a = {(0, 0, 0): 2, (0, 0, 1): -4}
    assert is_multiple(a, {(0, 0, 0): -3, (0, 0, 1): 6})
    assert not is_multiple(a, {(0, 0, 0): -3, (0, 0, 1): 5})
    assert not is_multiple(a, {(0, 0, 0): -3})


def test_numbers_beyond_are_not_few() -> None:
    wide = from_dense(integers(np.ones((30, 2, 2, 5), dtype=np.int64)), 2, 4)
    assert not are_few(wide)
    assert not are_few(join_symbols([wide, wide]))


@pytest.mark.parametrize(
    ("group", "source", "target"),
    [
        ("C4v", "vector", "vector"),
        ("S4", "vector", "tensor(vector, vector)"),
        ("D2d", "sym(2, vector)", "vector"),
        ("D1", "dual(vector)", "sym(2, vector)"),
        ("inversion(2)", "dual(tensor(det, vector))", "vector"),
        ("D4", "tensor(vector, vector)", "tensor(vector, vector)"),
        ("3m", "vector", "tensor(vector, vector)"),
        ("Td", "vector", "tensor(vector, vector)"),
        ("D5", "vector", "tensor(vector, vector)"),
        ("C24", "tensor(vector, vector)", "vector"),
        ("I", "tensor(vector, vector)", "vector"),
    ],
)
def test_sums_of_irreps_are_those_of_arrays(
    group: str, source: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = ask(group, source, target, 0)
    a, b = problem.in_type.distinct[0], problem.out_type.distinct[0]
    monkeypatch.setattr(transfer, "_by_signs", lambda *given: None)
    few = solve_module(a, b, 3)
    asked: list[Symbols] = []
    monkeypatch.setattr(transfer, "_icosahedral", lambda *given: None)
    monkeypatch.setattr(transfer._Sums, "angular", lambda *given: None)
    monkeypatch.setattr(planar_sums, "angular", lambda *given: None)
    monkeypatch.setattr(reducible, "are_few", asked.append)
    plain = solve_module(a, b, 3)
    assert asked
    for own, other in zip(few.angular, plain.angular, strict=True):
        assert own.symbols.equals(other.symbols)
        assert own.symbols.coefficients.field == other.symbols.coefficients.field
        assert own.irreps == other.irreps


@pytest.mark.parametrize("group", ["C4v", "D5", "C16", "Oh", "I", "D6h"])
def test_characters_of_numbers(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for psi in named_irreps(parse_group(group)).values():
        prime = characters._prime(psi, psi)
        few = characters.character.__wrapped__(psi, prime)
        with monkeypatch.context() as patch:
            patch.setattr(characters, "FEW", 0)
            plain = characters.character.__wrapped__(psi, prime)
        assert few.tolist() == plain.tolist()
