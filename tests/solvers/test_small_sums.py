"""Sums of irreps in Python's integers: the symbols, labels and fields of the road through arrays."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, concatenate, identity, integers
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import closure
from pdobasis.representations.decomposition import decompose, decomposition
from pdobasis.representations.named import named_irreps
from pdobasis.representations.representation import Representation
from pdobasis.solvers import small_fibres, small_parts, small_sums, transfer
from pdobasis.solvers.module import Angular
from pdobasis.solvers.small import Action, Pairing
from pdobasis.solvers.small_padding import Line
from pdobasis.solvers.transfer import solve_modules

QUESTIONS = [
    ("T", "sym(2, vector)", "tensor(vector, vector)", 4),
    ("Th", "sym(2, vector)", "vector + alt(2, vector)", 3),
    ("O", "sym(3, vector)", "vector + det", 3),
    ("Td", "tensor(vector, vector)", "vector + det", 2),
    ("Oh", "alt(2, tensor(vector, vector))", "vector", 2),
    ("S4", "tensor(vector, vector)", "sym(2, vector)", 3),
    ("C4h", "tensor(vector, sym(2, vector))", "vector", 2),
    ("D2d", "det", "tensor(vector, vector)", 4),
    ("C4v", "vector + det", "vector + det", 4),
    ("D4h", "sym(2, vector)", "tensor(vector, vector)", 2),
    ("-43m", "irrep(E) + vector", "sym(2, vector)", 2),
    ("4/m", "trivial", "sym(2, vector)", 3),
    ("C3h", "sym(2, vector)", "vector", 3),
    ("C6h", "tensor(vector, vector)", "vector + det", 2),
    ("D3d", "trivial", "sym(2, vector)", 4),
    ("D6h", "tensor(vector, vector)", "trivial + sym(2, vector)", 2),
    ("-3m", "irrep(Eg)", "sym(2, vector)", 2),
    ("O", "tensor(vector, vector, vector)", "tensor(irrep(E), vector)", 2),
    ("Td", "tensor(irrep(E), vector)", "tensor(irrep(E), irrep(E))", 3),
]


def rep(group: str, text: str) -> Representation:
    (found,) = ask(group, text, "trivial", 0).in_type.distinct
    return found


def modules(question: tuple[str, str, str, int]) -> list[list[Angular]]:
    group, source, target, order = question
    problem = ask(group, source, target, 0)
    pairs = [(a, b) for a in problem.in_type.distinct for b in problem.out_type.distinct]
    return [list(own.angular) for own in solve_modules(pairs, order)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_as_through_arrays(question: tuple[str, str, str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[bool] = []
    angular = small_sums.Sums.angular

    def told(self: small_sums.Sums, a: Representation, b: Representation) -> list[Angular] | None:
        found = angular(self, a, b)
        taken.append(found is not None)
        return found

    monkeypatch.setattr(small_sums.Sums, "angular", told)
    few = modules(question)
    assert any(taken)
    monkeypatch.setattr(transfer._Sums, "angular", lambda *given: None)
    for block, other in zip(few, modules(question), strict=True):
        for a, b in zip(block, other, strict=True):
            assert a.symbols.equals(b.symbols)
            assert a.symbols.coefficients.field == b.symbols.coefficients.field
            assert a.irreps == b.irreps


@pytest.mark.parametrize(
    ("group", "text"), [("T", "sym(2, sym(2, vector))"), ("S4", "sym(3, vector)"), ("S6", "sym(3, vector)")]
)
def test_irreps_of_complex_type(group: str, text: str) -> None:
    """Several copies of a plane that turns: projections are those of the decomposition, up to positive factors."""
    own = rep(group, text)
    found, wanted = small_parts.parts_of(own), decomposition(own)
    assert found is not None
    assert wanted is not None
    assert [(p.name, len(p.copies.inclusions)) for p in found] == decompose(own)
    assert any(s.type == 2 and s.multiplicity > 1 for s in wanted.summands)
    inclusions = [t for part in found for t in part.copies.inclusions]
    projections = [q for part in found for q in part.copies.projections]
    for k, t in enumerate(inclusions):
        for m, q in enumerate(projections):
            product = _product(q, t)
            number = product[0][0]
            size = range(len(t))
            if k == m:
                assert number > 0
                assert product == [[number * (i == j) for j in size] for i in size]
            else:
                assert not any(map(any, product))


def _product(q: list[Line], t: list[Line]) -> list[list[int]]:
    return [[sum(v * dict(column).get(i, 0) for i, v in row) for column in t] for row in q]


@pytest.mark.parametrize("group", ["I", "C8v", "SO(3)"])
def test_other_groups_take_another_road(group: str) -> None:
    assert small_fibres.space_of(parse_group(group)) is None


def test_projections_of_what_is_not_orthogonal() -> None:
    """By an inverse: transposes are no maps back."""
    skew = Representation(parse_group("C2"), "own", 2, (integers([[1, 1], [0, -1]]),), own=True)
    found = small_parts.parts_of(skew)
    assert found is not None
    inclusions = [t for part in found for t in part.copies.inclusions]
    projections = [q for part in found for q in part.copies.projections]
    assert [[_product(q, t) for t in inclusions] for q in projections] == [[[[2]], [[0]]], [[[0]], [[2]]]]


@pytest.mark.parametrize("group", ["T", "Oh", "S4", "D2d", "C4h", "C6", "S6", "D6h"])
def test_words_are_all_matrices_of_signs_that_squares_lead_to(group: str) -> None:
    """Each is one element of the group, on space and on irreps."""
    own = parse_group(group)
    space = small_fibres.space_of(own)
    assert space is not None
    every, shown = space.words, space.side
    assert every
    table = closure(own)
    for irrep in named_irreps(own).values():
        fibre = small_fibres.fibre_of(irrep)
        assert fibre is not None
        for k, _ in enumerate(every):
            bit = 1 << (len(own.generators) + k)
            g = _diagonal(shown.masks, bit)
            assert table.find(g) is not None
            if not fibre.side.others & bit:
                assert irrep.at(g).equals(_diagonal(fibre.side.masks, bit))


def _diagonal(masks: list[int], bit: int) -> ExactArray:
    one = identity(len(masks))
    return concatenate([-one[k : k + 1] if mask & bit else one[k : k + 1] for k, mask in enumerate(masks)])


@pytest.mark.parametrize("group", ["3", "-3", "6", "-6", "6/m"])
def test_powers_along_an_axis_are_taken_one_by_one(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is put together from layers is the echelon form of all equations, up to positive factors."""
    space = small_fibres.space_of(parse_group(group))
    assert space is not None
    squares = () if max(space.squares) == 1 else space.squares
    # below the limit on unknowns of one system, and from the order on that is worth it
    action = Action(3, space.side, 5, squares)
    assert action.is_turned
    sides = []
    for psi in named_irreps(parse_group(group)).values():
        fibre = small_fibres.fibre_of(psi)
        assert fibre is not None
        sides.append(fibre.side)
    for rho in product(sides, sides):
        for order, harmonic, is_row_major in product(range(1, 6), (False, True), (False, True)):
            pairing = Pairing(action, rho, is_row_major=is_row_major)
            found = pairing.solutions(order, harmonic=harmonic)
            with monkeypatch.context() as patch:
                patch.setattr(Action, "is_turned", False)
                expected = pairing.solutions(order, harmonic=harmonic)
            assert found is not None
            assert expected is not None
            assert list(map(with_ones, found)) == list(map(with_ones, expected))


@pytest.mark.parametrize("group", ["32", "6mm", "4", "T", "2/m"])
def test_other_groups_have_one_system(group: str) -> None:
    space = small_fibres.space_of(parse_group(group))
    assert space is not None
    action = Action(3, space.side, 6)
    pairing = Pairing(action, (space.side, space.side), is_row_major=False)
    assert not (pairing.others and action.is_turned)


def with_ones(own: dict[int, int]) -> dict[int, Fraction]:
    return {u: Fraction(v, own[min(own)]) for u, v in sorted(own.items())}
