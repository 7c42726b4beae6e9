"""Every element of every basis satisfies the constraint for random products of generators.

Checked with SymPy polynomials and Fractions on what a user gets (``element.matrix``), without our arithmetic.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import pdobasis
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import readable, to_sympy
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group

RATIONAL = ["C1", "C2", "C4", "D1", "D2", "D4", "flip", "flip(pi/4)", "Ci", "Cs", "S4", "D2d", "D2h", "T", "Td", "Th", "O", "Oh",
            "flip(normal=1,2)", "inversion(4)", "-4", "mmm", "-42m", "m-3"]  # fmt: skip
SMALL = ["trivial", "det", "vector", "dual(vector)", "sym(2, vector)", "alt(2, vector)", "tensor(vector, det)",
         "trivial + vector", "2xvector + det"]  # fmt: skip


def plain(m: ExactArray) -> sympy.Matrix:
    def number(i: int, j: int) -> sympy.Expr:
        row = tuple(m.numerators[i, j].tolist())
        return to_sympy(readable(row, m.denominator, m.field))

    return sympy.Matrix(*m.shape, number)


def representation(basis: pdobasis.Basis, which: str, g: ExactArray) -> sympy.Matrix:
    """rho(g) of the whole field type, as a SymPy matrix."""
    field_type = basis.problem.in_type if which == "in" else basis.problem.out_type
    return sympy.diag(*(plain(rep.at(g)) for rep, n in field_type.terms for _ in range(n)))


def defect(basis: pdobasis.Basis, g: ExactArray) -> bool:
    """Whether P(g^-T x) rho_in(g) != rho_out(g) P(x) for some element."""
    matrix = plain(g)
    x = sympy.symbols(f"d1:{basis.problem.group.dim + 1}")
    moved = matrix.inv().T * sympy.Matrix(x)
    swap = {a: sympy.Symbol(f"y{i}") for i, a in enumerate(x)}
    back = {sympy.Symbol(f"y{i}"): b for i, b in enumerate(moved)}
    rho_in, rho_out = representation(basis, "in", g), representation(basis, "out", g)
    for element in basis.elements:
        p = element.matrix
        left = p.xreplace(swap).xreplace(back) * rho_in
        if (left - rho_out * p).applyfunc(sympy.expand) != sympy.zeros(*p.shape):
            return True
    return False


def some_product(group: Group, data: st.DataObject) -> ExactArray:
    table = closure(group).matrices
    return table[data.draw(st.integers(0, len(table) - 1))]


@settings(max_examples=40)
@given(st.sampled_from(RATIONAL), st.sampled_from(SMALL), st.sampled_from(SMALL), st.integers(0, 3), st.data())
def test_finite_rational_groups(name: str, in_rep: str, out_rep: str, order: int, data: st.DataObject) -> None:
    basis = pdobasis.solve(name, in_rep, out_rep, order=order)
    assert basis.certificate.holds
    assert not defect(basis, some_product(basis.problem.group, data))


@pytest.mark.parametrize(("group", "in_rep", "out_rep"), [
    ("D8", "vector", "irrep(1,2)"), ("D3", "regular", "vector"), ("C6", "irrep(2)", "regular"), ("D6", "quotient(C2)", "irrep(0,3)"),
])  # fmt: skip
def test_irrational_groups(group: str, in_rep: str, out_rep: str) -> None:
    basis = pdobasis.solve(group, in_rep, out_rep, order=2)
    for g in basis.problem.group.generators:
        assert not defect(basis, g)


ANGLES = [(Fraction(3, 5), Fraction(4, 5)), (Fraction(-5, 13), Fraction(12, 13)), (Fraction(8, 17), Fraction(-15, 17))]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order"), [
    ("SO(2)", "vector", "vector", 2), ("SO(2)", "irrep(2)", "irrep(3)", 3), ("O(2)", "irrep(1,2)", "vector", 3),
    ("O(2)", "irrep(1,0)", "vector", 3), ("SO(3)", "vector", "vector", 3), ("SO(3)", "vector", "sym(2, vector)", 2),
    ("O(3)", "vector", "irrep(0,2)", 1), ("SO(3)", "irrep(2,rational)", "vector", 2),
])  # fmt: skip
def test_lie_groups_at_rational_rotations(group: str, in_rep: str, out_rep: str, order: int) -> None:
    from pdobasis.groups.matrices import numbers

    basis = pdobasis.solve(group, in_rep, out_rep, order=order)
    assert basis.dimension > 0
    for c, s in ANGLES:
        rows = [[str(c), str(-s)], [str(s), str(c)]]
        if basis.problem.group.dim == 3:
            rows = [[str(c), "0", str(-s)], ["0", "1", "0"], [str(s), "0", str(c)]]
        assert not defect(basis, numbers(rows))


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "rows"), [
    ("SO(1,1)", "vector", "vector", [["5/4", "3/4"], ["3/4", "5/4"]]),
    ("SL(2)", "dual(vector)", "sym(2, vector)", [["1", "3"], ["2", "7"]]),
    ("GL(2)", "sym(2, vector)", "vector", [["1", "3"], ["2", "1"]]),
    ("GL(3)", "dual(vector)", "alt(2, dual(vector))", [["1", "2", "0"], ["0", "1", "5"], ["1", "0", "3"]]),
    ("SO(1,3)", "vector", "vector", [["13/12", "0", "5/12", "0"], ["0", "1", "0", "0"], ["5/12", "0", "13/12", "0"], ["0", "0", "0", "1"]]),
    ("Sp(4)", "vector", "vector", [["1", "0", "2", "1"], ["0", "1", "1", "3"], ["0", "0", "1", "0"], ["0", "0", "0", "1"]]),
])  # fmt: skip
def test_groups_that_are_not_compact(group: str, in_rep: str, out_rep: str, rows: list[list[str]]) -> None:
    from pdobasis.groups.matrices import numbers

    basis = pdobasis.solve(group, in_rep, out_rep, order=2)
    assert not defect(basis, numbers(rows))


def test_the_check_itself_can_fail() -> None:
    """A basis of C4 is not equivariant under a reflection, a basis of SL(2) not under a scaling."""
    basis = pdobasis.solve("C4", "vector", "trivial", order=1)
    assert defect(basis, pdobasis.group("D4").generators[1])
