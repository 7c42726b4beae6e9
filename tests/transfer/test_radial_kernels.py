"""Gaussian and homogeneous kernels, for groups that keep a length; and the length that they keep."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.answer.forms import invariant_forms, is_positive, positive_form, sympy_form
from pdobasis.answer.solve import solve_problem
from pdobasis.errors import GroupError
from pdobasis.exact.array import integers
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import numbers
from pdobasis.question.own_group import build_group
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type

x = sympy.Matrix(sympy.symbols("x1 x2"))
SIGMA = sympy.Symbol("sigma", positive=True)
SKEW = [[1, -1], [1, 0]]
"""A rotation by 60 degrees in a lattice basis."""


def skew_c6() -> Group:
    return build_group("skew C6", {"g": integers(SKEW)}, {})


def ask(group: Group, in_rep: str, out_rep: str, order: int) -> Basis:
    return solve_problem(Problem(group, parse_field_type(in_rep, group), parse_field_type(out_rep, group), order))


FORMS = [("O(2)", 1), ("C4", 1), ("C2", 3), ("flip", 2), ("SL(2)", 0), ("GL(2)", 0), ("Sp(4)", 0), ("SO(1,1)", 1),
         ("SO(1,3)", 1), ("O(3)", 1), ("Oh", 1), ("D4h", 2), ("scaling(1,-1)", 1)]  # fmt: skip


@pytest.mark.parametrize(("name", "number"), FORMS)
def test_invariant_forms(name: str, number: int) -> None:
    """g^T B g = B, X^T B + B X = 0."""
    group = pdobasis.group(name)
    forms = invariant_forms(group)
    assert len(forms) == number
    for b in forms:
        assert b.equals(b.T)
        assert all((g.T @ b @ g).equals(b) for g in group.generators)
        assert all((a.T @ b + b @ a).is_zero for a in group.lie)


def test_positive_forms_of_skew_groups() -> None:
    assert sympy_form(positive_form(skew_c6())) == sympy.Matrix(
        [[1, -sympy.Rational(1, 2)], [-sympy.Rational(1, 2), 1]]
    )
    shear = numbers([["1", "2", "0"], ["0", "1", "1"], ["0", "0", "1"]])
    turn = integers([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
    lie = shear @ turn @ shear.inverse()
    found = positive_form(build_group("skew SO(2) in space", {}, {"X": lie}))
    assert is_positive(found)
    assert (lie.T @ found + found @ lie).is_zero
    root = numbers([["sqrt(2)", "1"], ["0", "1"]])
    g = root @ numbers([["1", "0"], ["0", "-1"]]) @ root.inverse()
    reflection = build_group("skew flip", {"f": g}, {})
    assert is_positive(positive_form(reflection))
    assert (g.T @ positive_form(reflection) @ g).equals(positive_form(reflection))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("SL(2)", "preserves no quadratic form"),
        ("GL(2)", "preserves no quadratic form"),
        ("SO(1,3)", "not definite"),
        ("scaling(1,-1)", "not definite"),
    ],
)
def test_groups_without_a_length_are_refused(name: str, why: str) -> None:
    basis = pdobasis.solve(name, "trivial", "trivial", order=1)
    for make in (basis.gaussian_kernels, lambda: basis.homogeneous_kernels(0)):
        with pytest.raises(GroupError, match=why) as caught:
            make()
        assert "pdobasis.kernels" in str(caught.value)


QUESTIONS = [("O(2)", "vector", "vector", 4), ("C4", "irrep(1)", "irrep(2)", 3), ("D8", "vector", "trivial", 3)]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order"), QUESTIONS)
def test_gaussian_kernels_are_derivatives_of_the_gaussian(group: str, in_rep: str, out_rep: str, order: int) -> None:
    basis = pdobasis.solve(group, in_rep, out_rep, order)
    _check_derivatives(basis, sympy.eye(2))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_gaussian_kernels_of_a_skew_group(order: int) -> None:
    basis = ask(skew_c6(), "vector", "vector", order)
    _check_derivatives(basis, sympy_form(positive_form(skew_c6())))
    g = sympy.Matrix(SKEW)
    for kernel in basis.gaussian_kernels():
        moved = kernel.matrix.subs(dict(zip(x, g * x, strict=True)), simultaneous=True)
        assert (moved - g * kernel.matrix * g.inv()).applyfunc(sympy.simplify) == sympy.zeros(2, 2)


def _check_derivatives(basis: Basis, form: sympy.Matrix) -> None:
    """By differentiation in SymPy, and the floats by the formula."""
    family = basis.gaussian_kernels()
    gauss = sympy.sqrt(form.det()) / (2 * sympy.pi * SIGMA**2) * sympy.exp(-(x.T * form * x)[0] / (2 * SIGMA**2))
    d = sympy.symbols("d1 d2")
    points = np.random.default_rng(3).normal(size=(4, 2))
    values = family.at(points, 0.7)
    assert len(family) == basis.dimension > 0
    for k, (kernel, pdo) in enumerate(zip(family, basis, strict=True)):
        for place, p in enumerate(pdo.matrix):
            applied = sympy.Integer(0)
            for (a, b), c in sympy.Poly(p, *d).terms():
                applied += c * sympy.diff(gauss, x[0], a, x[1], b)
            assert sympy.expand((applied / gauss).expand() - kernel.polynomial[place]) == 0
            at = sympy.lambdify((*x, SIGMA), kernel.matrix[place])
            own = values[k].reshape(len(points), -1)[:, place]
            np.testing.assert_allclose(own, [at(*point, 0.7) for point in points], rtol=1e-12, atol=1e-14)


def test_a_gaussian_kernel_is_steerable_at_an_angle() -> None:
    basis = pdobasis.solve("SO(2)", "irrep(1)", "irrep(2)", order=3)
    c, s = sympy.Rational(3, 5), sympy.Rational(4, 5)
    g = sympy.Matrix([[c, -s], [s, c]])
    assert basis.dimension > 0
    for kernel in basis.gaussian_kernels():
        moved = kernel.polynomial.subs(dict(zip(x, g * x, strict=True)), simultaneous=True)
        assert (moved - g**2 * kernel.polynomial * g.inv()).applyfunc(sympy.expand) == sympy.zeros(2, 2)
        assert "G_\\sigma" in kernel.latex()


def test_homogeneous_kernels() -> None:
    """Steerable, of their degree, and as many as there are angular parts."""
    for group, in_rep, out_rep, order in QUESTIONS:
        basis = pdobasis.solve(group, in_rep, out_rep, order)
        kernels = basis.homogeneous_kernels(Fraction(-1, 2))
        assert len(kernels) == pdobasis.solve(group, in_rep, out_rep, order, kernel=True).dimension
        points = np.random.default_rng(5).normal(size=(6, 2))
        values = kernels.at(points)
        np.testing.assert_allclose(kernels.at(4 * points), values / 2, rtol=1e-12)
        flat = np.concatenate([kernels.at(np.random.default_rng(n).normal(size=(40, 2))) for n in range(2)], axis=1)
        assert np.linalg.matrix_rank(flat.reshape(len(kernels), -1)) == len(kernels)
        for k in range(len(kernels)):
            at = sympy.lambdify(list(x), kernels.matrix(k))
            np.testing.assert_allclose(values[k], [at(*point) for point in points], rtol=1e-12, atol=1e-14)


def test_homogeneous_kernels_of_a_skew_group() -> None:
    basis = ask(skew_c6(), "vector", "vector", 2)
    kernels = basis.homogeneous_kernels(-1)
    g = sympy.Matrix(SKEW)
    assert len(kernels) == basis.dimensions[2] > 0
    for k in range(len(kernels)):
        matrix = kernels.matrix(k)
        moved = matrix.subs(dict(zip(x, g * x, strict=True)), simultaneous=True)
        assert (moved - g * matrix * g.inv()).applyfunc(sympy.simplify) == sympy.zeros(2, 2)


def test_refusals() -> None:
    basis = pdobasis.solve("D4", "trivial", "trivial", order=2)
    with pytest.raises(pdobasis.PdoBasisError, match="positive"):
        basis.gaussian_kernels().at(np.zeros((1, 2)), 0)
    with pytest.raises(pdobasis.PdoBasisError, match="x != 0"):
        basis.homogeneous_kernels(1).at(np.zeros((1, 2)))
    limited = pdobasis.solve("D4", "trivial", "trivial", partial_order=2)
    with pytest.raises(pdobasis.PdoBasisError, match="in each variable"):
        limited.homogeneous_kernels(1)
