r"""A grammar of our own for exact numbers and for polynomials in d1, d2, …: never ``eval``, never ``sympify``.

    sum     = ["+" | "-"] product { ("+" | "-") product }
    product = power { ("*" | "/") power }
    power   = atom [ ("**" | "^") integer ]
    atom    = number | "pi" | variable | ("sqrt" | "cos" | "sin") "(" sum ")" | "(" sum ")"

``pi`` is a variable that has to vanish: it may stand only inside cos and sin, as a rational multiple.
"""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

from pdobasis.errors import GroupError, ParseError, SizeError
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import cyclotomic, radical, square_root, squarefree, two_cos
from pdobasis.exact.integers import bound

MAX_LENGTH = 100_000
MAX_DIGITS = 60
MAX_EXPONENT = 64
MAX_DEPTH = 60
MAX_BITS = 8000
MAX_RADICAND = 10**12
MAX_POWER_OF_SUM = 12

_TOKEN = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<op>\*\*|[-+*/^()]))")
_PI = "pi"

Exponents = tuple[int, ...]
Polynomial = dict[Exponents, ExactArray]


def parse_number(text: str) -> ExactArray:
    """A number such as ``1/2``, ``sqrt(3)/2`` or ``cos(2*pi/7)``.

    >>> parse_number("1/2 + cos(pi/3)").fraction()
    Fraction(1, 1)
    """
    value = parse_polynomial(text, 0)
    return value.get((0,), integers(0))


def parse_polynomial(text: str, dim: int) -> Polynomial:
    """A polynomial in d1 … d{dim}; exponents (a1, …, ad) to numbers. Zero is the empty dictionary.

    >>> sorted(parse_polynomial("d1**2 - 2*d1*d2", 2))
    [(1, 1), (2, 0)]
    """
    reader = _Reader(text, dim)
    value = reader.sum()
    reader.end()
    if any(exponents[-1] for exponents in value):
        raise ParseError(text, 0, "pi only inside cos(...) or sin(...)")
    return {e[:-1] if dim else (0,): v for e, v in value.items()}


class _Reader:
    """Recursive descent; every value is a polynomial in the variables and pi (last)."""

    def __init__(self, text: str, dim: int) -> None:
        if len(text) > MAX_LENGTH:
            raise SizeError(f"a text of {len(text)} characters is too long for a number (at most {MAX_LENGTH})")
        self.text, self.dim, self.at, self.depth = text, dim, 0, 0
        self.variables = {f"d{i + 1}": i for i in range(dim)} | {_PI: dim}

    def peek(self) -> tuple[str, str]:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            rest = self.text[self.at :].strip()
            return ("end", "") if not rest else ("bad", rest[0])
        kind = str(match.lastgroup)
        return kind, match.group(kind)

    def next(self) -> tuple[str, str]:
        token = self.peek()
        match = _TOKEN.match(self.text, self.at)
        self.at = match.end() if match else len(self.text)
        return token

    def place(self) -> int:
        return len(self.text) - len(self.text[self.at :].lstrip())

    def fail(self, expected: str) -> ParseError:
        return ParseError(self.text, self.place(), expected)

    def end(self) -> None:
        if self.peek()[0] != "end":
            raise self.fail("an operator or the end")

    def accept(self, *ops: str) -> str | None:
        kind, value = self.peek()
        if kind == "op" and value in ops:
            self.next()
            return value
        return None

    def sum(self) -> Polynomial:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"at most {MAX_DEPTH} nested brackets")
        sign = self.accept("+", "-")
        total = self.product()
        if sign == "-":
            total = _scale(total, -1)
        while (op := self.accept("+", "-")) is not None:
            total = _add(total, _scale(self.product(), -1 if op == "-" else 1))
        self.depth -= 1
        return total

    def product(self) -> Polynomial:
        value = self.power()
        while (op := self.accept("*", "/")) is not None:
            place = self.place()
            other = self.power()
            value = _multiply(value, other if op == "*" else self.reciprocal(other, place))
        return value

    def reciprocal(self, value: Polynomial, place: int) -> Polynomial:
        if not value:
            raise ParseError(self.text, place, "something other than zero to divide by")
        if list(value) != [self.constant()]:
            raise ParseError(self.text, place, "a number to divide by")
        scalar = value[self.constant()].reshape(1, 1)
        try:
            return {self.constant(): scalar.inverse()[0, 0]}
        except GroupError:
            raise ParseError(self.text, place, "something other than zero to divide by") from None

    def power(self) -> Polynomial:
        base = self.atom()
        if self.accept("**", "^") is None:
            return base
        place = self.place()
        kind, value = self.next()
        if kind != "number" or not value.isdigit() or int(value) > MAX_EXPONENT:
            raise ParseError(self.text, place, f"a whole exponent from 0 to {MAX_EXPONENT}")
        if len(base) > 1 and int(value) > MAX_POWER_OF_SUM:
            raise ParseError(self.text, place, f"an exponent of at most {MAX_POWER_OF_SUM} for a sum")
        result: Polynomial = {self.constant(): integers(1)}
        for _ in range(int(value)):
            result = _multiply(result, base)
        return result

    def atom(self) -> Polynomial:
        place = self.place()
        kind, value = self.next()
        if kind == "number":
            if len(value) > MAX_DIGITS:
                raise ParseError(self.text, place, f"a number of at most {MAX_DIGITS} digits")
            return self.rational(Fraction(value))
        if kind == "op" and value == "(":
            inner = self.sum()
            self.close()
            return inner
        if kind == "op" and value in "+-":  # a sign after an operator, as in 2*-3
            return _scale(self.power(), -1 if value == "-" else 1)
        if kind == "name" and value in self.variables:
            unit = tuple(int(k == self.variables[value]) for k in range(self.dim + 1))
            return {unit: integers(1)}
        if kind == "name" and value in ("sqrt", "cos", "sin"):
            if self.accept("(") is None:
                raise self.fail(f"'(' after {value}")
            inner = self.sum()
            self.close()
            return self.root(inner, place) if value == "sqrt" else self.circular(value, inner, place)
        known = ", ".join(["a number", "sqrt(...)", "cos(...)", *(v for v in self.variables if v != _PI)][:8])
        raise ParseError(self.text, place, known)

    def close(self) -> None:
        if self.accept(")") is None:
            raise self.fail("')'")

    def constant(self) -> Exponents:
        return (0,) * (self.dim + 1)

    def rational(self, q: Fraction) -> Polynomial:
        value = integers(np.array(q.numerator, dtype=object)).scale(Fraction(1, q.denominator))
        return {self.constant(): value} if q else {}

    def root(self, inner: Polynomial, place: int) -> Polynomial:
        if not inner:
            return {}
        q = self.fraction(inner, self.constant(), place, "sqrt of a positive rational number")
        if q < 0:
            raise ParseError(self.text, place, "sqrt of a positive rational number")
        if q.numerator * q.denominator > MAX_RADICAND:
            raise ParseError(self.text, place, f"sqrt of a fraction p/q with p*q at most {MAX_RADICAND}")
        square, rest = squarefree(q.numerator * q.denominator)
        field = radical(rest)
        value = exact(np.array(square_root(rest, field)), 1, field)
        return {self.constant(): value.scale(Fraction(square, q.denominator))}

    def circular(self, name: str, inner: Polynomial, place: int) -> Polynomial:
        unit = (*((0,) * self.dim), 1)
        q = self.fraction(inner, unit, place, f"{name} of a rational multiple of pi") if inner else Fraction(0)
        if name == "sin":
            q = Fraction(1, 2) - q
        field = cyclotomic(2 * q.denominator)
        value = _cosine(q) if field.is_rational else exact(np.array(_two_cos(q, field.conductor)), 2, field)
        return {} if value.is_zero else {self.constant(): value}

    def fraction(self, value: Polynomial, where: Exponents, place: int, expected: str) -> Fraction:
        if list(value) != [where]:
            raise ParseError(self.text, place, expected)
        try:
            return value[where].fraction()
        except ValueError:
            raise ParseError(self.text, place, expected) from None


def _cosine(q: Fraction) -> ExactArray:
    """cos(q pi) where it is rational."""
    doubled = {Fraction(0): 2, Fraction(1, 3): 1, Fraction(1, 2): 0, Fraction(2, 3): -1, Fraction(1): -2}
    q = q % 2
    return integers(doubled[min(q, 2 - q)]).scale(Fraction(1, 2))


def _two_cos(q: Fraction, conductor: int) -> list[int]:
    # cos(q pi) = cos(2 pi k / M): for M = D odd and q = a/D with a odd, use cos(t) = -cos(t + pi).
    field = cyclotomic(conductor)
    doubled = q * conductor / 2
    if doubled.denominator == 1:
        return two_cos(int(doubled), field)
    return [-v for v in two_cos(int(doubled + Fraction(conductor, 2)), field)]


def _scale(value: Polynomial, factor: int) -> Polynomial:
    return value if factor == 1 else {e: v.scale(factor) for e, v in value.items()}


def _add(a: Polynomial, b: Polynomial) -> Polynomial:
    out = dict(a)
    for e, v in b.items():
        out[e] = out[e] + v if e in out else v
    return {e: v for e, v in out.items() if not v.is_zero}


def _multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > 100_000:
        raise SizeError("a product of polynomials with too many terms")
    out: Polynomial = {}
    for e, v in a.items():
        for f, w in b.items():
            key = tuple(i + j for i, j in zip(e, f, strict=True))
            term = v * w
            if max(bound(term.numerators), term.denominator).bit_length() > MAX_BITS:
                raise SizeError(f"a number of more than {MAX_BITS} bits")
            out[key] = out[key] + term if key in out else term
    return {e: v for e, v in out.items() if not v.is_zero}
