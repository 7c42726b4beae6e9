"""Numbers as text: plain (``sqrt(2)/2``, which parses back), for a reader
(√2/2) and in LaTeX.

A *single* is a rational multiple of one root. It is written as (sign, text), so
that a sum decides about its signs.
"""

from __future__ import annotations

from fractions import Fraction

from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import Root, Terms, readable
from pdobasis.exact.scattered import entries_of


def number_text(values: ExactArray) -> str:
    """A scalar as text that parses back."""
    return plain_number(_terms(values))


def matrix_text(m: ExactArray) -> list[list[str]]:
    """The rows of a matrix, number by number: zeros are not looked at, and what is equal is written once.

    >>> from pdobasis.exact.array import integers
    >>> matrix_text(integers([[0, -1], [1, 0]]))
    [['0', '-1'], ['1', '0']]
    """
    found = entries_of(m)
    height, width = found.shape
    out = [["0"] * width for _ in range(height)]
    texts: dict[tuple[int, ...], str] = {}
    numbers = map(tuple, found.values.numerators.tolist())
    places = zip(found.rows.tolist(), found.columns.tolist(), strict=True)
    for k, (number, (i, j)) in enumerate(zip(numbers, places, strict=True)):
        if number not in texts:
            texts[number] = number_text(found.values[k])
        out[i][j] = texts[number]
    return out


def pretty_number(values: ExactArray) -> str:
    """A scalar for a reader."""
    return signed_sum([pretty_single(q, root) for q, root in _terms(values)])


def plain_number(number: Terms) -> str:
    return signed_sum([plain_single(q, root, "") for q, root in number])


def signed_sum(parts: list[tuple[int, str]]) -> str:
    """(sign, text) pairs as a sum.

    >>> signed_sum([(-1, "1/2"), (1, "sqrt(5)/2")])
    '-1/2 + sqrt(5)/2'
    """
    if not parts:
        return "0"
    sign, text = parts[0]
    if sign < 0:
        text = f"-{text}"
    for sign, part in parts[1:]:
        operator = "-" if sign < 0 else "+"
        text += f" {operator} {part}"
    return text


def plain_single(q: Fraction, root: Root, monomial: str) -> tuple[int, str]:
    """A number times a monomial, which may be empty."""
    factors = []
    if root.angle is not None:
        factors.append(f"cos({_multiple(root.angle, '*pi')})")
    elif not root.is_one:
        factors.append(f"sqrt({root.radicand})")
    if monomial:
        factors.append(monomial)
    # A factor of 1 is written only where nothing else is left.
    top = abs(q.numerator)
    if top != 1 or not factors:
        factors.insert(0, str(top))
    return _sign(q), _over("*".join(factors), q.denominator)


def pretty_single(q: Fraction, root: Root) -> tuple[int, str]:
    symbol = ""
    if root.angle is not None:
        symbol = f"cos({_multiple(root.angle, 'π')})"
    elif not root.is_one:
        symbol = f"√{root.radicand}"
    text = _times(abs(q.numerator), symbol)
    return _sign(q), _over(text, q.denominator)


def latex_single(q: Fraction, root: Root) -> tuple[int, str]:
    if root.angle is not None:
        return _sign(q), _latex_cosine(abs(q), root.angle)
    symbol = ""
    if not root.is_one:
        symbol = rf"\sqrt{{{root.radicand}}}"
    text = _times(abs(q.numerator), symbol)
    return _sign(q), _latex_fraction(text, q.denominator)


def _terms(values: ExactArray) -> Terms:
    row = tuple(values.numerators.tolist())
    return readable(row, values.denominator, values.field)


def _sign(q: Fraction) -> int:
    if q < 0:
        return -1
    return 1


def _times(factor: int, symbol: str) -> str:
    """A factor of 1 is not written in front of a symbol."""
    if factor == 1 and symbol:
        return symbol
    return f"{factor}{symbol}"


def _over(text: str, denominator: int) -> str:
    if denominator == 1:
        return text
    return f"{text}/{denominator}"


def _multiple(angle: Fraction, pi: str) -> str:
    """The multiple of pi: pi/5, 2*pi/5."""
    a, b = angle.numerator, angle.denominator
    if a == 1:
        return f"{pi.lstrip('*')}/{b}"
    return f"{a}{pi}/{b}"


def _latex_cosine(factor: Fraction, angle: Fraction) -> str:
    top = rf"{angle.numerator}\pi"
    if angle.numerator == 1:
        top = r"\pi"
    symbol = rf"\cos\tfrac{{{top}}}{{{angle.denominator}}}"
    if factor == 1:
        return symbol
    # A fraction of a cosine would be hard to read: it stands in front.
    front = _latex_fraction(str(factor.numerator), factor.denominator)
    return f"{front} {symbol}"


def _latex_fraction(top: str, bottom: int) -> str:
    if bottom == 1:
        return top
    return rf"\tfrac{{{top}}}{{{bottom}}}"
