r"""Hilbert series $\sum_n \dim M_n\, t^n = N(t) / \prod_i (1 - t^{d_i})$."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class HilbertSeries:
    """``numerator[n]`` generators of order n, over primary invariants of orders ``degrees``.

    >>> series = HilbertSeries((0, 1, 0, 0, 0, 0, 0, 1), (2, 8))
    >>> print(series)
    (t + t⁷)/((1−t²)(1−t⁸))
    >>> series.dimensions(9)
    (0, 1, 0, 1, 0, 1, 0, 2, 0, 3)
    """

    numerator: tuple[int, ...]
    degrees: tuple[int, ...]

    def dimensions(self, order: int) -> tuple[int, ...]:
        """The first coefficients: how many elements a basis has of each order."""
        out = list(self.numerator[: order + 1])
        out += [0] * (order + 1 - len(out))
        for degree in self.degrees:
            for n in range(degree, order + 1):
                out[n] += out[n - degree]
        return tuple(out)

    @property
    def rank(self) -> int:
        """The number of generators."""
        return sum(self.numerator)

    def __str__(self) -> str:
        top = _sum([_term(c, n) for n, c in enumerate(self.numerator) if c])
        below = "".join(f"(1−{_power(d)})" for d in self.degrees)
        if not below:
            return top
        if len(self.degrees) > 1:
            below = f"({below})"
        if " " in top:
            top = f"({top})"
        return f"{top}/{below}"

    def latex(self) -> str:
        r"""
        >>> HilbertSeries((1, 0, 2), (2, 2)).latex()
        '\\frac{1 + 2 t^{2}}{(1 - t^{2})(1 - t^{2})}'
        """
        top = _sum([_latex_term(c, n) for n, c in enumerate(self.numerator) if c])
        below = "".join(f"(1 - {_latex_power(d)})" for d in self.degrees)
        if not below:
            return top
        return rf"\frac{{{top}}}{{{below}}}"

    def to_json(self) -> dict[str, Any]:
        return {
            "text": str(self),
            "numerator": list(self.numerator),
            "degrees": list(self.degrees),
        }


def _sum(terms: Sequence[str]) -> str:
    return " + ".join(terms) or "0"


def _power(n: int) -> str:
    if n == 0:
        return "1"
    if n == 1:
        return "t"
    return "t" + str(n).translate(_SUPERSCRIPTS)


def _term(coefficient: int, n: int) -> str:
    if n == 0:
        return str(coefficient)
    if coefficient == 1:
        return _power(n)
    return f"{coefficient}{_power(n)}"


def _latex_power(n: int) -> str:
    if n == 1:
        return "t"
    return f"t^{{{n}}}"


def _latex_term(coefficient: int, n: int) -> str:
    if n == 0:
        return str(coefficient)
    if coefficient == 1:
        return _latex_power(n)
    return f"{coefficient} {_latex_power(n)}"
