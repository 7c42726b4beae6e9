r"""Exact polynomials as text: for files and SymPy (``sqrt(2)*d1/2``), for
terminals (√2/2 ∂₁) and in LaTeX.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import Terms, readable, to_sympy
from pdobasis.exact.polynomials import monomials
from pdobasis.exact.writing import (
    latex_single,
    plain_number,
    plain_single,
    pretty_single,
    signed_sum,
)

if TYPE_CHECKING:
    import sympy

Entries = Mapping[tuple[int, int], ExactArray]
"""(row, column) to the coefficients of a polynomial that is not zero."""
Coefficients = tuple[tuple[Terms, tuple[int, ...]], ...]
"""(number, exponents) pairs."""
SignedText = tuple[int, str]
"""A term without its sign, so that a sum decides how to write it."""

MOST_COLUMNS = 10
"""Of a matrix in amsmath."""
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def matrix_strings(
    entries: Entries, shape: tuple[int, int], dim: int, order: int
) -> list[list[str]]:
    return _matrix(entries, shape, dim, order, plain)


def unicode_matrix(
    entries: Entries, shape: tuple[int, int], dim: int, order: int
) -> list[list[str]]:
    return _matrix(entries, shape, dim, order, pretty)


def latex_matrix(entries: Entries, shape: tuple[int, int], dim: int, order: int) -> str:
    return matrix_latex(_matrix(entries, shape, dim, order, latex))


def matrix_latex(rows: Sequence[Sequence[str]]) -> str:
    """A matrix of formulas, of any width."""
    body = r" \\ ".join(" & ".join(row) for row in rows)
    columns = len(rows[0])
    if columns > MOST_COLUMNS:
        # amsmath's matrices stop at ten columns unless a counter is raised; an array does not
        inner = rf"\begin{{array}}{{*{{{columns}}}{{c}}}} {body} \end{{array}}"
        return rf"\left({inner}\right)"
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def sympy_matrix(
    entries: Entries, shape: tuple[int, int], dim: int, order: int
) -> sympy.Matrix:
    import sympy

    d = sympy.symbols([f"d{i + 1}" for i in range(dim)])
    out = sympy.zeros(*shape)
    for (r, c), values in entries.items():
        total = sympy.Integer(0)
        for number, alpha in coefficients_of(values, dim, order):
            powers = [v**a for v, a in zip(d, alpha, strict=True)]
            total += to_sympy(number) * sympy.Mul(*powers)
        out[r, c] = total
    return out


def coefficients_of(values: ExactArray, dim: int, order: int) -> Coefficients:
    """The non-zero terms of one polynomial."""
    out = []
    alphas = monomials(dim, order)
    # a polynomial of many variables may have a thousand coefficients, and one that is not zero
    for k in np.flatnonzero(values.nonzero_mask()).tolist():
        row = tuple(values.numerators[k].tolist())
        number = _readable(row, values.denominator, values.field)
        out.append((number, alphas[k]))
    return tuple(out)


_readable = remembered(readable)


def plain(polynomial: Coefficients) -> str:
    """As SymPy prints it: parses back with the grammar of
    :mod:`pdobasis.exact.text`.
    """
    return signed_sum([_plain_term(*term) for term in polynomial])


def pretty(polynomial: Coefficients) -> str:
    return signed_sum([_pretty_term(*term) for term in polynomial])


def latex(polynomial: Coefficients) -> str:
    return signed_sum([_latex_term(*term) for term in polynomial])


def decimal_text(
    polynomial: Sequence[tuple[float, tuple[int, ...]]], digits: int = 4
) -> str:
    """A polynomial with decimal coefficients: -1.25 ∂₁² + 0.5."""
    return signed_sum(
        [
            _in_front(_decimal(value, digits), _pretty_monomial(alpha))
            for value, alpha in polynomial
        ]
    )


def decimal_latex(
    polynomial: Sequence[tuple[float, tuple[int, ...]]], digits: int = 4
) -> str:
    return signed_sum(
        [
            _in_front(_decimal_latex(value, digits), _latex_monomial(alpha))
            for value, alpha in polynomial
        ]
    )


def _decimal(value: float, digits: int) -> SignedText:
    if value < 0:
        return -1, f"{-value:.{digits}g}"
    return 1, f"{value:.{digits}g}"


def _decimal_latex(value: float, digits: int) -> SignedText:
    sign, text = _decimal(value, digits)
    if "e" not in text:
        return sign, text
    mantissa, exponent = text.split("e")
    return sign, rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def _matrix(
    entries: Entries,
    shape: tuple[int, int],
    dim: int,
    order: int,
    write: Callable[[Coefficients], str],
) -> list[list[str]]:
    """Equal polynomials are written once: a matrix has many of them."""
    rows, columns = shape
    out = [["0"] * columns for _ in range(rows)]
    known: dict[tuple[object, ...], str] = {}
    for (r, c), values in entries.items():
        key = _key(values)
        if key not in known:
            known[key] = write(coefficients_of(values, dim, order))
        out[r][c] = known[key]
    return out


def _key(values: ExactArray) -> tuple[object, ...]:
    """Equal for equal polynomials only."""
    if values.numerators.dtype == object:
        return values.key(), values.field
    return values.numerators.tobytes(), values.denominator, values.field


def _plain_term(number: Terms, alpha: tuple[int, ...]) -> SignedText:
    powers = []
    for i, a in enumerate(alpha):
        if a == 1:
            powers.append(f"d{i + 1}")
        elif a > 1:
            powers.append(f"d{i + 1}**{a}")
    monomial = "*".join(powers)
    if len(number) == 1:
        return plain_single(*number[0], monomial)
    # A sum in front of a monomial needs brackets, and has no sign of its own.
    text = f"({plain_number(number)})"
    if monomial:
        text = f"{text}*{monomial}"
    return 1, text


def _pretty_term(number: Terms, alpha: tuple[int, ...]) -> SignedText:
    powers = _pretty_monomial(alpha)
    if len(number) == 1:
        return _in_front(pretty_single(*number[0]), powers)
    # A sum of several roots is put in brackets.
    inner = signed_sum([pretty_single(q, root) for q, root in number])
    return _in_front((1, f"({inner})"), powers)


def _pretty_monomial(alpha: tuple[int, ...]) -> str:
    powers = ""
    for i, a in enumerate(alpha):
        if a:
            powers += "∂" + str(i + 1).translate(_SUBSCRIPT)
        if a > 1:
            powers += str(a).translate(_SUPERSCRIPT)
    return powers


def _latex_term(number: Terms, alpha: tuple[int, ...]) -> SignedText:
    monomial = _latex_monomial(alpha)
    if len(number) == 1:
        return _in_front(latex_single(*number[0]), monomial)
    inner = signed_sum([latex_single(q, root) for q, root in number])
    return _in_front((1, rf"\left({inner}\right)"), monomial)


def _latex_monomial(alpha: tuple[int, ...]) -> str:
    powers = []
    for i, a in enumerate(alpha):
        if a == 1:
            powers.append(rf"\partial_{{{i + 1}}}")
        elif a > 1:
            powers.append(rf"\partial_{{{i + 1}}}^{{{a}}}")
    return " ".join(powers)


def _in_front(number: SignedText, monomial: str) -> SignedText:
    """A factor of 1 is not written in front of a monomial."""
    sign, text = number
    if not monomial:
        return sign, text
    if text == "1":
        return sign, monomial
    return sign, f"{text} {monomial}"
