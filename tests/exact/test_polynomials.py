"""Substitution and derivation of monomials, checked with SymPy."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from pdobasis.exact import polynomials
from pdobasis.exact.array import exact, integers
from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.exact.polynomials import derivation, monomials, substitution, substitutions_up_to


@pytest.mark.parametrize(("dim", "order"), [(1, 3), (2, 4), (3, 3), (4, 2)])
def test_substitution_expands_as_sympy_does(dim: int, order: int) -> None:
    a = np.random.default_rng(dim).integers(-3, 4, (dim, dim))
    x = sympy.symbols(f"x1:{dim + 1}")
    moved = sympy.Matrix(a) * sympy.Matrix(x)
    table = substitution(integers(a).reshape(1, dim, dim), order)[0].numerators[..., 0]
    for row, alpha in zip(table, monomials(dim, order), strict=True):
        product = sympy.prod(m**p for m, p in zip(moved, alpha, strict=True))
        polynomial = sympy.Poly(sympy.expand(product), *x)
        assert [
            polynomial.coeff_monomial(beta)
            for beta in (sympy.prod(v**p for v, p in zip(x, e, strict=True)) for e in monomials(dim, order))
        ] == row.tolist()


@pytest.mark.parametrize(("dim", "order"), [(2, 4), (3, 3)])
def test_derivation_is_the_derivative_of_substitution(dim: int, order: int) -> None:
    a = np.random.default_rng(7).integers(-3, 4, (dim, dim))
    x, t = sympy.symbols(f"x1:{dim + 1}"), sympy.Symbol("t")
    moved = (sympy.eye(dim) + t * sympy.Matrix(a)) * sympy.Matrix(x)
    table = derivation(integers(a), order).numerators[..., 0]
    powers = [sympy.prod(v**p for v, p in zip(x, e, strict=True)) for e in monomials(dim, order)]
    for row, alpha in zip(table, monomials(dim, order), strict=True):
        product = sympy.prod(m**p for m, p in zip(moved, alpha, strict=True))
        slope = sympy.diff(product, t).subs(t, 0)
        assert sympy.expand(slope - sum(int(c) * p for c, p in zip(row, powers, strict=True))) == 0


@pytest.mark.parametrize("field", [RATIONALS, radical(5), cyclotomic(16)])
@pytest.mark.parametrize("dim", [2, 3])
def test_all_variables_at_once_are_one_after_the_other(field: Field, dim: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(dim).integers(-3, 4, (2, dim, dim, field.degree))
    maps = exact(numbers, 6, field)
    at_once = substitutions_up_to(maps, 4)
    monkeypatch.setattr(polynomials, "AT_ONCE", 0)
    for own, other in zip(at_once, substitutions_up_to(maps, 4), strict=True):
        assert own.equals(other)
