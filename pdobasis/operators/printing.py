r"""Exact polynomials as text: for files and SymPy (``sqrt(2)*d1/2``), for terminals (√2/2 ∂₁) and in LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field
from pdobasis.exact.numbers import Terms, readable, to_sympy
from pdobasis.exact.polynomials import monomials
from pdobasis.exact.writing import latex_single, plain_number, plain_single, pretty_single, signed_sum

if TYPE_CHECKING:
    import sympy

Entries = Mapping[tuple[int, int], ExactArray]
Coefficients = tuple[tuple[Terms, tuple[int, ...]], ...]
"""(number, exponents) pairs."""

_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def matrix_strings(entries: Entries, shape: tuple[int, int], dim: int, order: int) -> list[list[str]]:
    return _matrix(entries, shape, dim, order, plain)


def unicode_matrix(entries: Entries, shape: tuple[int, int], dim: int, order: int) -> list[list[str]]:
    return _matrix(entries, shape, dim, order, pretty)


def latex_matrix(entries: Entries, shape: tuple[int, int], dim: int, order: int) -> str:
    rows = _matrix(entries, shape, dim, order, latex)
    body = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def sympy_matrix(entries: Entries, shape: tuple[int, int], dim: int, order: int) -> sympy.Matrix:
    import sympy

    d = sympy.symbols([f"d{i + 1}" for i in range(dim)])
    out = sympy.zeros(*shape)
    for (r, c), values in entries.items():
        total = sympy.Integer(0)
        for number, alpha in coefficients_of(values, dim, order):
            total += to_sympy(number) * sympy.Mul(*(v**a for v, a in zip(d, alpha, strict=True)))
        out[r, c] = total
    return out


def coefficients_of(values: ExactArray, dim: int, order: int) -> Coefficients:
    """The non-zero terms of one polynomial."""
    alphas = monomials(dim, order)
    rows = values.numerators.tolist()
    return tuple(
        (_readable(tuple(row), values.denominator, values.field), alphas[k]) for k, row in enumerate(rows) if any(row)
    )


def plain(polynomial: Coefficients) -> str:
    """As SymPy prints it: parses back with the grammar of :mod:`pdobasis.exact.text`."""
    return signed_sum([_plain_term(number, alpha) for number, alpha in polynomial])


def pretty(polynomial: Coefficients) -> str:
    return signed_sum([_pretty_term(number, alpha) for number, alpha in polynomial])


def latex(polynomial: Coefficients) -> str:
    return signed_sum([_latex_term(number, alpha) for number, alpha in polynomial])


_readable = lru_cache(maxsize=100_000)(readable)


def _matrix(
    entries: Entries, shape: tuple[int, int], dim: int, order: int, write: Callable[[Coefficients], str]
) -> list[list[str]]:
    out = [["0"] * shape[1] for _ in range(shape[0])]
    known: dict[tuple[int, bytes, Field], str] = {}
    for (r, c), values in entries.items():
        key = (values.denominator, values.key(), values.field)
        if key not in known:
            known[key] = write(coefficients_of(values, dim, order))
        out[r][c] = known[key]
    return out


def _plain_term(number: Terms, alpha: tuple[int, ...]) -> tuple[int, str]:
    powers = [f"d{i + 1}" if a == 1 else f"d{i + 1}**{a}" for i, a in enumerate(alpha) if a]
    monomial = "*".join(powers)
    if len(number) == 1:
        return plain_single(*number[0], monomial)
    inner = plain_number(number)
    return 1, f"({inner})*{monomial}" if monomial else f"({inner})"


def _pretty_term(number: Terms, alpha: tuple[int, ...]) -> tuple[int, str]:
    powers = "".join(
        f"∂{str(i + 1).translate(_SUBSCRIPT)}{str(a).translate(_SUPERSCRIPT) if a > 1 else ''}"
        for i, a in enumerate(alpha)
        if a
    )
    if len(number) == 1:
        sign, text = pretty_single(*number[0])
    else:
        sign, text = 1, "(" + signed_sum([pretty_single(q, root) for q, root in number]) + ")"
    if not powers:
        return sign, text
    return sign, powers if text == "1" else f"{text} {powers}"


def _latex_term(number: Terms, alpha: tuple[int, ...]) -> tuple[int, str]:
    powers = " ".join(rf"\partial_{{{i + 1}}}" + (f"^{{{a}}}" if a > 1 else "") for i, a in enumerate(alpha) if a)
    if len(number) == 1:
        sign, text = latex_single(*number[0])
    else:
        sign, text = 1, r"\left(" + signed_sum([latex_single(q, root) for q, root in number]) + r"\right)"
    if not powers:
        return sign, text
    return sign, powers if text == "1" else f"{text} {powers}"
