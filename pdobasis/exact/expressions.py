"""SymPy expressions that users give: text is refused, since SymPy would evaluate it; variables are known by name.

A symbol of SymPy is its name together with what is assumed of it, so ``x1`` as a user writes it, without assumptions,
is another symbol than a real ``x1``, and derivatives along the one take the other for a constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pdobasis.errors import SpecError, WrongTypeError

if TYPE_CHECKING:
    import sympy


def expressions(given: Any, name: str) -> list[sympy.Expr]:
    """One or a list (also a matrix) of them, each an expression of SymPy or a number."""
    import sympy

    if isinstance(given, str | bytes):
        raise _refused(name, given)
    if isinstance(given, sympy.MatrixBase):
        return list(given)
    if isinstance(given, Iterable):
        return [e for part in given for e in expressions(part, name)]
    if isinstance(given, bool):
        raise _refused(name, given)
    if isinstance(given, int | Fraction):
        return [sympy.Rational(given.numerator, given.denominator)]
    if isinstance(given, float):
        return [sympy.Float(given)]
    if not isinstance(given, sympy.Expr):
        raise _refused(name, given)
    return [given]


def variables(names: Sequence[str], given: Iterable[sympy.Expr]) -> list[sympy.Symbol]:
    """The symbols of these names as they stand in the expressions; real ones where they do not."""
    import sympy

    found: dict[str, sympy.Symbol] = {}
    for expression in given:
        for symbol in expression.free_symbols:
            own = found.setdefault(str(symbol), symbol)
            if own != symbol and str(symbol) in names:
                raise SpecError(
                    f"two symbols are called {symbol}, with different assumptions: take one of them"
                )
    return [found.get(name) or sympy.Symbol(name, real=True) for name in names]


def _refused(name: str, given: object) -> WrongTypeError:
    return WrongTypeError(name, "a SymPy expression or a number", given)
