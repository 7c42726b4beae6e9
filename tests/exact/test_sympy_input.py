"""SymPy expressions from outside: text is never evaluated, and x1 is x1 whatever is assumed of it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
import sympy

import pdobasis
from pdobasis import operator
from pdobasis.errors import PdoBasisError, SpecError

LAPLACIAN = operator("d1**2 + d2**2")
EVIL = "print('evaluated') or x1"


@pytest.mark.parametrize("assumed", [{}, {"real": True}, {"positive": True}])
def test_variables_are_known_by_their_names(assumed: dict[str, bool]) -> None:
    x1, x2 = sympy.symbols("x1 x2", **assumed)
    assert LAPLACIAN.apply([x1**3 * x2]) == sympy.Matrix([6 * x1 * x2])
    (term,) = pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", 1, 2, weights="p=0, x=-1, out=2")
    assert term.sympy(p=x1**3 * x2) == sympy.Matrix([6 * x1 * x2])


def test_time_is_known_by_its_name() -> None:
    t, x1 = sympy.symbols("t x1")
    found = pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", 1, 1, time=True)
    assert [term.sympy(p=t**2 * x1)[0] for term in found] == [t**2 * x1, 2 * t * x1]


def test_two_variables_of_one_name_are_refused() -> None:
    both = sympy.Symbol("x1") * sympy.Symbol("x1", real=True)
    with pytest.raises(SpecError, match="two symbols are called x1"):
        LAPLACIAN.apply([both])


def test_numbers_are_constants() -> None:
    assert operator("d1 + 1").apply([Fraction(1, 3)]) == sympy.Matrix([sympy.Integer(1) / 3])


@pytest.mark.parametrize("given", [EVIL, b"x1", object(), None, [[EVIL]]])
def test_text_is_not_evaluated(given: object, capsys: pytest.CaptureFixture[str]) -> None:
    (term,) = pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", 1, 0)
    takers: list[Callable[[], object]] = [
        lambda: LAPLACIAN.apply([given]),
        lambda: LAPLACIAN.apply(given),
        lambda: term.sympy(p=given),
    ]
    for take in takers:
        with pytest.raises(PdoBasisError, match="SymPy expression"):
            take()
    assert not capsys.readouterr().out


def test_names_and_numbers_of_components_are_checked() -> None:
    (term, *_) = pdobasis.terms("O(2)", {"u": "vector"}, "trivial", 2, 0)
    with pytest.raises(SpecError, match="no field 'v'"):
        term.sympy(v=[1, 2])
    with pytest.raises(SpecError, match="u has 2 components"):
        term.sympy(u=[1])
