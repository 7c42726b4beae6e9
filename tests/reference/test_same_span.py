"""The reference engine and the fast one span the same spaces, exactly, on a catalogue of questions."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy
from sympy.polys.matrices import DomainMatrix

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.proof.certificate import prove
from pdobasis.proof.spans import same_span
from pdobasis.reference.border import derive, question_of, solve
from pdobasis.reference.constraint import Constraints, equations, unknowns
from pdobasis.reference.null_space import rank, solve_order

CATALOGUE = [
    ("trivial(2)", "trivial", "trivial", 3),
    ("inversion(2)", "vector", "trivial", 3),
    ("flip", "irrep(1)", "irrep(0)", 3),
    ("flip(pi/4)", "vector", "vector", 2),
    ("flip(normal=1,1,0)", "vector", "trivial", 2),
    ("C2", "regular", "vector", 2),
    ("C3", "regular", "irrep(1)", 3),
    ("C4", "regular", "regular", 2),
    ("C4", "quotient(C2)", "vector", 2),
    ("C5", "irrep(1)", "irrep(2)", 3),
    ("C6", "irrep(3)", "irrep(1) + irrep(2)", 4),
    ("C7", "irrep(1)", "irrep(3)", 3),
    ("C8", "trivial + vector", "irrep(2)", 3),
    ("C12", "irrep(6)", "irrep(5)", 2),
    ("C16", "regular", "trivial", 3),
    ("D1", "trivial", "vector", 3),
    ("D3", "regular", "vector", 2),
    ("D4", "vector", "irrep(0,2) + irrep(1,2)", 3),
    ("D4(pi/8)", "irrep(1,2)", "vector", 3),
    ("D5", "irrep(1,1)", "irrep(1,2)", 3),
    ("D6", "vector", "irrep(1,2)", 4),
    ("D8", "regular", "trivial", 2),
    ("SO(2)", "trivial", "trivial", 4),
    ("SO(2)", "vector", "vector", 4),
    ("SO(2)", "irrep(1) + irrep(3)", "2xirrep(2)", 3),
    ("SO(2)", "tensor(vector, irrep(2))", "irrep(1)", 2),
    ("O(2)", "vector", "sym(2, vector)", 3),
    ("O(2)", "irrep(1,2)", "irrep(1,0)", 4),
    ("O(2,pi/4)", "det", "vector", 3),
    ("SO(3)", "vector", "vector", 3),
    ("SO(3)", "irrep(2)", "irrep(1)", 3),
    ("SO(3)", "irrep(2)", "irrep(2,rational)", 2),
    ("SO(3)", "alt(2, vector)", "vector", 2),
    ("O(3)", "1o", "2e", 2),
    ("O(3)", "irrep(1,1)", "sym(2, vector)", 2),
    ("O(3)", "det", "irrep(0,1)", 3),
    ("SO(4)", "vector", "vector", 2),
    ("SO(3) x inversion", "vector", "det", 2),
    ("C4", "vector", "vector", 2),
    ("T", "vector", "irrep(E)", 2),
    ("O", "irrep(T2)", "vector", 2),
    ("Oh", "vector", "sym(2, vector)", 3),
    ("Oh", "irrep(Eg)", "irrep(T2g)", 2),
    ("D4h", "vector", "trivial", 3),
    ("D2d", "vector", "vector", 2),
    ("D3h", "vector", "irrep(E')", 3),
    ("C4v", "irrep(E)", "irrep(B1)", 3),
    ("Ih", "vector", "vector", 2),
    ("4mm", "vector", "trivial", 2),
    ("SO(1,1)", "vector", "vector", 3),
    ("O(1,1)", "trivial", "trivial", 4),
    ("SO+(1,2)", "vector", "vector", 2),
    ("SO(1,3)", "vector", "vector", 2),
    ("SO(1,3)", "vector", "dual(vector)", 1),
    ("O(1,3)", "trivial", "trivial", 3),
    ("SL(2)", "vector", "sym(2, vector)", 3),
    ("SL(2)", "vector", "dual(vector)", 2),
    ("GL(2)", "vector", "det", 2),
    ("GL(3)", "vector", "dual(vector)", 2),
    ("Sp(4)", "vector", "vector", 2),
    ("scaling(1,2)", "trivial", "det", 4),
    ("scaling(1,1/2)", "vector", "vector", 2),
    ("C4 x scaling", "vector", "vector", 2),
]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order"), CATALOGUE)
def test_both_engines_span_the_same_spaces(group: str, in_rep: str, out_rep: str, order: int) -> None:
    problem = ask(group, in_rep, out_rep, order)
    answers = solve(problem)
    fast = pdobasis.solve_problem(problem)
    assert len(answers) == len(fast.blocks)
    for own, other in zip(answers, fast.blocks, strict=True):
        assert (own.in_index, own.out_index) == (other.in_index, other.out_index)
        assert all(same_span(a, b) for a, b in zip(own.orders, other.orders, strict=True))


SLOW = [
    ("SO(3)", "irrep(2)", "irrep(3)", 2),
    ("SO(3)", "irrep(3)", "irrep(1)", 3),
    ("C8", "regular", "regular", 3),
    ("D8", "regular", "regular", 1),
    ("SO(1,3)", "sym(2, vector)", "vector", 2),
    ("Sp(4)", "sym(2, vector)", "vector", 2),
    ("Ih", "irrep(Hg)", "vector", 3),
    ("SO(5)", "vector", "vector", 2),
    ("SL(3)", "vector", "sym(2, vector)", 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order"), SLOW)
def test_larger_questions(group: str, in_rep: str, out_rep: str, order: int) -> None:
    test_both_engines_span_the_same_spaces(group, in_rep, out_rep, order)


SKEW = """
dim: 2
generators:
  r: [[1, -1], [1, 0]]
"""
SPIRAL = """
dim: 2
lie:
  - [[1, -1], [1, 1]]
"""


@pytest.mark.parametrize("text", [SKEW, SPIRAL], ids=["skew C6", "spiral"])
def test_own_groups(tmp_path: Path, text: str) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(text)
    test_both_engines_span_the_same_spaces(str(file), "vector", "sym(2, vector)", 3)


def test_the_proof_is_applied_as_to_any_other_solver() -> None:
    problem = ask("D5", "vector", "irrep(1,2)", 3)
    assert prove(problem, solve(problem)).holds


@pytest.mark.parametrize(("group", "in_rep", "out_rep"), [("D4", "vector", "vector"), ("SO(3)", "vector", "trivial")])
def test_transfer_and_null_space_meet(group: str, in_rep: str, out_rep: str) -> None:
    """Angular parts times |x|^2k span the null space of the whole constraint."""
    problem = ask(group, in_rep, out_rep, 4)
    (part,) = derive(problem)
    for n, own in enumerate(part.orders):
        names = unknowns(part.question, n)
        transferred, whole = [s.symbol for s in own], solve_order(part.question, n)
        sizes = {rank(transferred, names), rank(whole, names), rank([*transferred, *whole], names)}
        assert sizes == {len(own)}
        assert all((s.angular_order or 0) + 2 * (s.laplacian_power or 0) == n for s in own)


def test_kernels_and_limits_on_each_variable() -> None:
    kernel = ask("SO(2)", "vector", "vector", 4, kernel=True)
    assert [len(own) for own in derive(kernel)[0].orders] == [2, 0, 2, 0, 0]
    partial = ask("D4", "trivial", "trivial", partial_order=2)
    assert [len(own) for own in derive(partial)[0].orders] == [1, 0, 1, 0, 1]


@pytest.mark.parametrize(
    ("group", "in_rep", "out_rep"),
    [("D6", "vector", "irrep(1,2)"), ("O(2)", "vector", "vector"), ("Sp(4)", "vector", "trivial")],
)
def test_the_system_is_the_constraint_written_with_symbols(group: str, in_rep: str, out_rep: str) -> None:
    """P with a SymPy symbol for every coefficient, substituted and expanded as on paper, gives the same equations."""
    question = question_of(ask(group, in_rep, out_rep, 2), 0, 0)
    names = unknowns(question, 2)
    u = sympy.symbols(f"u:{len(names)}")
    x = sympy.Matrix(question.variables)
    p = sympy.zeros(*question.shape)
    for symbol, (i, j, alpha) in zip(u, names, strict=True):
        p[i, j] += symbol * sympy.prod(v**a for v, a in zip(x, alpha, strict=True))
    written = []
    for g in question.generators:
        moved = p.subs(dict(zip(x, g.base.to_Matrix().inv().T * x, strict=True)), simultaneous=True)
        written.append(moved * g.rho_in.to_Matrix() - g.rho_out.to_Matrix() * p)
    for lie in question.lie:
        velocity = lie.base.to_Matrix().T * x
        drift = p.applyfunc(lambda entry, v=velocity: sum(entry.diff(a) * b for a, b in zip(x, v, strict=True)))
        written.append(p * lie.rho_in.to_Matrix() - lie.rho_out.to_Matrix() * p - drift)
    rows = [c for m in written for entry in m for c in sympy.Poly(sympy.expand(entry), *x).coeffs() if c != 0]
    by_hand = DomainMatrix.from_Matrix(sympy.Matrix([[c.coeff(v) for v in u] for c in rows]), extension=True)
    system = equations(Constraints(question), names)
    assert (
        by_hand.to_field().convert_to(system.domain).rref()[0].to_Matrix()[: system.rank(), :]
        == (system.rref()[0].to_Matrix()[: system.rank(), :])
    )


def test_a_changed_representation_changes_the_answer() -> None:
    """The comparison can fail: with rho_in and rho_out exchanged the spaces differ."""
    problem = ask("SO(2)", "irrep(1)", "irrep(2)", 1)
    other = ask("SO(2)", "irrep(2)", "irrep(1)", 1)
    assert not same_span(solve(problem)[0].orders[1], solve(other)[0].orders[1])


def test_a_large_question_is_refused_with_an_estimate() -> None:
    with pytest.raises(pdobasis.PdoBasisError, match=r"up to .* unknowns, .* \(about .* s\): lower order="):
        solve(ask("D16", "regular", "regular", 4))


def test_questions_are_read_as_written() -> None:
    question = question_of(ask("O(2)", "irrep(1,2)", "det", 1), 0, 0)
    assert question.generators[0].rho_in.to_Matrix().tolist() == [[1, 0], [0, -1]]
    assert question.lie[0].rho_in.to_Matrix().tolist() == [[0, -2], [2, 0]]
    assert question.is_orthogonal
