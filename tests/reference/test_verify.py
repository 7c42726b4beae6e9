"""The constraint by substitution of symbolic group elements: right elements pass, changed ones do not."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy
from sympy.polys.matrices import DomainMatrix

from pdobasis.answer.solve import ask
from pdobasis.reference.border import derive, question_of
from pdobasis.reference.constraint import unit, unknowns
from pdobasis.reference.group_elements import PARAMETRISATIONS, Parametrisation, derivative, normal_form
from pdobasis.reference.question import SymbolicQuestion
from pdobasis.reference.verify import checks, verify

SYMBOLIC = [  # the question, and what stands for the group in the check
    ("SO(2)", "vector", "vector", 3, ["R(θ)"]),
    ("SO(2)", "tensor(vector, irrep(3))", "sym(2, irrep(2))", 2, ["R(θ)"]),
    ("O(2)", "irrep(1,2)", "vector", 3, ["R(θ)", "f"]),
    ("SO(3)", "vector", "vector", 3, ["R(q)"]),
    ("SO(3)", "irrep(2)", "vector", 1, ["R(q)"]),
    ("SO(3)", "irrep(2,rational)", "irrep(2,rational)", 2, ["R(q)"]),
    ("O(3)", "1o", "sym(2, vector)", 1, ["R(q)", "f"]),
    ("SO(1,1)", "vector", "sym(2, vector)", 3, ["B(t)", "j"]),
    ("SL(2)", "vector", "sym(2, vector)", 3, ["g"]),
    ("SL(2)", "dual(vector)", "alt(2, vector)", 1, ["g"]),
    ("C8", "irrep(1)", "irrep(2)", 3, ["r"]),
    ("C6", "irrep(3)", "trivial", 3, ["r"]),
    ("D6", "vector", "irrep(1,2)", 3, ["r", "f"]),
    ("SO(1,3)", "vector", "vector", 2, [*(f"exp(t X{k})" for k in range(1, 7)), "j"]),
    ("SL(3)", "vector", "vector", 2, [f"exp(t X{k})" for k in range(1, 9)]),
    ("Sp(4)", "vector", "vector", 2, [f"exp(t X{k})" for k in range(1, 11)]),
    ("GL(2)", "vector", "dual(vector)", 2, [*(f"exp(t X{k})" for k in range(1, 5)), "f"]),
    ("scaling(1,1/2)", "vector", "vector", 2, ["exp(2 t X1)"]),
    ("SO(4)", "vector", "trivial", 1, [f"exp(t X{k})" for k in range(1, 7)]),
]


def symbols_of(group: str, in_rep: str, out_rep: str, order: int) -> tuple[SymbolicQuestion, list[DomainMatrix]]:
    (part,) = derive(ask(group, in_rep, out_rep, order))
    return part.question, [s.symbol for own in part.orders for s in own]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order", "names"), SYMBOLIC)
def test_symbolic_elements(group: str, in_rep: str, out_rep: str, order: int, names: list[str]) -> None:
    """Every solution passes; a solution with a coefficient changed fails."""
    question, symbols = symbols_of(group, in_rep, out_rep, order)
    verdicts = verify(question, symbols)
    assert symbols
    assert [v.check.name for v in verdicts] == names
    assert all(v.holds for v in verdicts)
    assert all(v.check.symbolic for v in verdicts if len(v.check.name) > 1 or v.check.name in "gr")
    assert refused(question, symbols[-1])


GENERATORS = [("C4", "regular", "vector", 2), ("Oh", "vector", "sym(2, vector)", 1), ("D3h", "vector", "irrep(E')", 2)]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order"), GENERATORS)
def test_finite_groups_fall_back_to_generators_and_say_so(group: str, in_rep: str, out_rep: str, order: int) -> None:
    question, symbols = symbols_of(group, in_rep, out_rep, order)
    verdicts = verify(question, symbols)
    assert all(v.holds and not v.check.symbolic for v in verdicts)
    assert {v.check.stands_for for v in verdicts} == {f"the generator {g.name}" for g in question.generators}
    assert refused(question, symbols[-1])


def refused(question: SymbolicQuestion, symbol: DomainMatrix) -> bool:
    """Whether some check finds that some coefficient was changed, for every coefficient of some entry."""
    degree = max(sum(alpha) for p in symbol.to_dok().values() for alpha in p)
    wrong = []
    for unknown in unknowns(question, degree)[:6]:
        changed = symbol + unit(question, unknown)
        steerable = all(v.holds for v in verify(question, [unit(question, unknown)]))
        wrong.append(steerable or any(not v.holds for v in verify(question, [changed])))
    return all(wrong)


def test_groups_without_a_formula_are_checked_to_first_order(tmp_path: Path) -> None:
    """A spiral is neither a rotation nor a scaling, so its exponential is no polynomial in one symbol."""
    file = tmp_path / "spiral.yaml"
    file.write_text("dim: 2\nlie:\n  - [[1, -1], [1, 1]]\n")
    question, symbols = symbols_of(str(file), "vector", "vector", 2)
    (verdict,) = verify(question, symbols)
    assert verdict.holds
    assert not verdict.check.symbolic
    assert "first order" in verdict.check.stands_for
    assert refused(question, symbols[0])


def test_large_questions_fall_back_to_one_parameter_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    question, symbols = symbols_of("SO(3)", "vector", "vector", 2)
    monkeypatch.setattr("pdobasis.reference.verify.MAX_TERMS", 100)
    verdicts = verify(question, symbols)
    assert [v.check.name for v in verdicts] == ["exp(t X1)", "exp(t X2)", "exp(t X3)"]
    assert all(v.holds and v.check.symbolic for v in verdicts)
    assert refused(question, symbols[-1])


def test_representations_of_a_cover_are_turned_by_half_the_angle(tmp_path: Path) -> None:
    """Spin 1/2 has no formula in g: with c = cos t and s = sin t the plane turns by 2t."""
    file = tmp_path / "spin.yaml"
    file.write_text("lie: [[[0, -1/2], [1/2, 0]]]\ncover: true\n")
    question, symbols = symbols_of("SO(2)", str(file), str(file), 1)
    (verdict,) = verify(question, symbols)
    assert (verdict.check.name, verdict.holds, verdict.check.symbolic) == ("exp(2 t X1)", True, True)
    assert len(symbols) == 4
    assert refused(question, symbols[-1])


def test_own_groups_are_recognised_by_their_lie_algebra(tmp_path: Path) -> None:
    file = tmp_path / "turns.yaml"
    file.write_text(
        "dim: 3\nlie:\n  - [[0,-2,0],[2,0,0],[0,0,0]]\n  - [[0,0,1],[0,0,0],[-1,0,0]]\n  - [[0,0,0],[0,0,-1],[0,1,0]]\n"
    )
    question, symbols = symbols_of(str(file), "vector", "vector", 1)
    assert [(v.check.name, v.holds) for v in verify(question, symbols)] == [("R(q)", True)]


@pytest.mark.parametrize(
    ("group", "in_rep", "out_rep", "entries", "expected"),
    [
        ("C8", "trivial", "trivial", [["x1**4 - 6*x1**2*x2**2 + x2**4"]], [1, 2, 4]),  # Re z^4: the divisors of 4
        ("C8", "trivial", "trivial", [["x1**2 + x2**2"]], None),  # the Laplacian: every angle
        ("C6", "irrep(1)", "irrep(2)", [["x1**3 - 3*x1*x2**2", "0"], ["0", "0"]], [1, 2]),  # r = -1
        ("C3", "irrep(1)", "trivial", [["x1**2 - x2**2", "-2*x1*x2"]], [1, 3]),  # T_-2, U_-2: 1 + 2 = 3
    ],
)
def test_all_rotation_orders_at_once(
    group: str, in_rep: str, out_rep: str, entries: list[list[str]], expected: list[int] | None
) -> None:
    """The exponents of e^(i theta) say for which N a symbol is steerable, whatever N the question has."""
    question = question_of(ask(group, in_rep, out_rep, 1), 0, 0)
    rows = [[question.ring.from_sympy(sympy.sympify(p)) for p in row] for row in entries]
    symbol = DomainMatrix(rows, question.shape, question.ring)
    (check,) = checks(question, 4)
    assert check.orders([symbol]) == expected


def test_formulas_are_those_of_the_library() -> None:
    """The SymPy functors have the derivatives that the library computes in another way."""
    specs = ["irrep(2)", "irrep(3,standard)", "irrep(2,rational)", "sym(3, vector)", "alt(2, irrep(1))",
             "tensor(vector, dual(vector))", "det", "trivial"]  # fmt: skip
    for spec in specs:
        question = question_of(ask("SO(3)", spec, "trivial", 1), 0, 0)
        assert question.in_functor is not None
        for x in question.lie:
            assert (derivative(question.in_functor, x.base) - x.rho_in).is_zero_matrix, spec


@pytest.mark.parametrize("family", PARAMETRISATIONS, ids=lambda f: f.name)
def test_parametrised_inverses(family: Parametrisation) -> None:
    """g times its inverse is 1 modulo the relation, so the group elements are what they claim to be."""
    g, inverse = family.pair(sympy.QQ)
    one = DomainMatrix.eye(g.shape[0], g.domain)
    relations = family.relations(sympy.QQ)
    assert normal_form(g * inverse - one, relations, len(g.domain.symbols)).is_zero_matrix
