"""Numbers as text: plain (``sqrt(2)/2``, which parses back), for a reader (√2/2) and in LaTeX.

A *single* is a rational multiple of one root. It is written as (sign, text), so that a sum decides about its signs.
"""

from __future__ import annotations

from fractions import Fraction

from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import Root, Terms, readable


def number_text(values: ExactArray) -> str:
    """A scalar as text that parses back."""
    return plain_number(readable(tuple(values.numerators.tolist()), values.denominator, values.field))


def pretty_number(values: ExactArray) -> str:
    """A scalar for a reader."""
    number = readable(tuple(values.numerators.tolist()), values.denominator, values.field)
    return signed_sum([pretty_single(q, root) for q, root in number])


def plain_number(number: Terms) -> str:
    return signed_sum([plain_single(q, root, "") for q, root in number])


def signed_sum(parts: list[tuple[int, str]]) -> str:
    """(sign, text) pairs as a sum."""
    if not parts:
        return "0"
    text = ("-" if parts[0][0] < 0 else "") + parts[0][1]
    for sign, part in parts[1:]:
        text += (" - " if sign < 0 else " + ") + part
    return text


def plain_single(q: Fraction, root: Root, monomial: str) -> tuple[int, str]:
    top = abs(q.numerator)
    factors = [str(top)] if top != 1 or (root.is_one and not monomial) else []
    if root.angle is not None:
        a, b = root.angle.numerator, root.angle.denominator
        factors.append(f"cos({'' if a == 1 else f'{a}*'}pi/{b})")
    elif not root.is_one:
        factors.append(f"sqrt({root.radicand})")
    factors += [monomial] if monomial else []
    text = "*".join(factors)
    return (-1 if q < 0 else 1), text if q.denominator == 1 else f"{text}/{q.denominator}"


def pretty_single(q: Fraction, root: Root) -> tuple[int, str]:
    top = abs(q.numerator)
    if root.angle is not None:
        a, b = root.angle.numerator, root.angle.denominator
        symbol = f"cos({'' if a == 1 else a}π/{b})"
    else:
        symbol = "" if root.is_one else f"√{root.radicand}"
    text = symbol if top == 1 and symbol else f"{top}{symbol}"
    return (-1 if q < 0 else 1), text if q.denominator == 1 else f"{text}/{q.denominator}"


def latex_single(q: Fraction, root: Root) -> tuple[int, str]:
    top = abs(q.numerator)
    if root.angle is not None:
        a, b = root.angle.numerator, root.angle.denominator
        symbol = rf"\cos\tfrac{{{'' if a == 1 else a}\pi}}{{{b}}}"
    else:
        symbol = "" if root.is_one else rf"\sqrt{{{root.radicand}}}"
    if root.angle is not None:
        factor = "" if abs(q) == 1 else (str(top) if q.denominator == 1 else rf"\tfrac{{{top}}}{{{q.denominator}}}")
        return (-1 if q < 0 else 1), f"{factor} {symbol}".strip()
    text = symbol if top == 1 and symbol else f"{top}{symbol}"
    return (-1 if q < 0 else 1), text if q.denominator == 1 else rf"\tfrac{{{text}}}{{{q.denominator}}}"
