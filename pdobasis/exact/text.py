r"""A grammar of our own for exact numbers and for polynomials in d1, d2, …:
never ``eval``, never ``sympify``.

    sum     = ["+" | "-"] product { ("+" | "-") product }
    product = power { ("*" | "/") power }
    power   = atom [ ("**" | "^") integer ]
    atom    = number | "pi" | variable | "(" sum ")"
            | ("sqrt" | "cos" | "sin") "(" sum ")"

``pi`` is a variable that has to vanish: it may stand only inside cos and sin,
as a rational multiple.
"""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

from pdobasis.errors import GroupError, ParseError, SizeError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.integers import bound
from pdobasis.exact.roots import cosine, root

MAX_LENGTH = 100_000
MAX_DIGITS = 60
MAX_EXPONENT = 64
MAX_DEPTH = 60
MAX_BITS = 8000
MAX_RADICAND = 10**12
MAX_POWER_OF_SUM = 12
MAX_TERMS = 100_000

_TOKEN = re.compile(
    r"\s*(?:"
    r"(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>\*\*|[-+*/^()])"
    r")",
    re.ASCII,
)
_PI = "pi"
_FUNCTIONS = ("sqrt", "cos", "sin")

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
    """A polynomial in d1 … d{dim}: exponents (a1, …, ad) to numbers.

    Zero is the empty dictionary.

    >>> sorted(parse_polynomial("d1**2 - 2*d1*d2", 2))
    [(1, 1), (2, 0)]
    """
    reader = _Reader(text, dim)
    value = reader.sum()
    reader.end()
    if any(exponents[-1] for exponents in value):
        raise ParseError(text, 0, "pi only inside cos(...) or sin(...)")
    if not dim and value:  # a number is a polynomial with one exponent, 0
        return {(0,): value[reader.constant]}
    return {exponents[:-1]: v for exponents, v in value.items()}


class _Reader:
    """Recursive descent: every value is a polynomial, with pi as the last
    variable.
    """

    def __init__(self, text: str, dim: int) -> None:
        if len(text) > MAX_LENGTH:
            raise SizeError(
                f"a text of {len(text)} characters is too long for a number "
                f"(at most {MAX_LENGTH})"
            )
        self.text = text
        self.dim = dim
        self.at = 0
        self.depth = 0
        self.variables = {f"d{i + 1}": i for i in range(dim)}
        self.variables[_PI] = dim
        self.constant: Exponents = (0,) * (dim + 1)

    # Tokens

    def peek(self) -> tuple[str, str]:
        """(kind, text) of the next token."""
        # Tokens are matched where they stand, so that an error knows its place.
        match = _TOKEN.match(self.text, self.at)
        if match is not None:
            kind = str(match.lastgroup)
            return kind, match.group(kind)
        rest = self.text[self.at :].strip()
        if rest:
            return "bad", rest[0]
        return "end", ""

    def next(self) -> tuple[str, str]:
        token = self.peek()
        match = _TOKEN.match(self.text, self.at)
        self.at = len(self.text)
        if match is not None:
            self.at = match.end()
        return token

    def accept(self, *ops: str) -> str | None:
        kind, value = self.peek()
        if kind == "op" and value in ops:
            self.next()
            return value
        return None

    def place(self) -> int:
        return len(self.text) - len(self.text[self.at :].lstrip())

    def fail(self, expected: str) -> ParseError:
        return ParseError(self.text, self.place(), expected)

    def end(self) -> None:
        if self.peek()[0] != "end":
            raise self.fail("an operator or the end")

    def close(self) -> None:
        if self.accept(")") is None:
            raise self.fail("')'")

    # The grammar

    def sum(self) -> Polynomial:
        # Brackets are counted: a deep text is refused before Python gives up.
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"at most {MAX_DEPTH} nested brackets")
        sign = self.accept("+", "-")
        total = _signed(sign, self.product())
        while (op := self.accept("+", "-")) is not None:
            total = _add(total, _signed(op, self.product()))
        self.depth -= 1
        return total

    def product(self) -> Polynomial:
        value = self.power()
        while (op := self.accept("*", "/")) is not None:
            place = self.place()
            other = self.power()
            if op == "/":
                other = self.reciprocal(other, place)
            value = _multiply(value, other)
        return value

    def reciprocal(self, value: Polynomial, place: int) -> Polynomial:
        nonzero = "something other than zero to divide by"
        if not value:
            raise ParseError(self.text, place, nonzero)
        if list(value) != [self.constant]:
            raise ParseError(self.text, place, "a number to divide by")
        scalar = value[self.constant].reshape(1, 1)
        try:
            return {self.constant: scalar.inverse()[0, 0]}
        except GroupError:
            raise ParseError(self.text, place, nonzero) from None

    def power(self) -> Polynomial:
        base = self.atom()
        if self.accept("**", "^") is None:
            return base
        place = self.place()
        exponent = self.exponent(place)
        # A power of a sum has many terms; short texts may not ask for much
        # work.
        if len(base) > 1 and exponent > MAX_POWER_OF_SUM:
            expected = f"an exponent of at most {MAX_POWER_OF_SUM} for a sum"
            raise ParseError(self.text, place, expected)
        result: Polynomial = {self.constant: integers(1)}
        for _ in range(exponent):
            result = _multiply(result, base)
        return result

    def exponent(self, place: int) -> int:
        kind, value = self.next()
        # of a few digits: Python refuses to convert thousands of them
        is_whole = kind == "number" and value.isdigit() and len(value) <= MAX_DIGITS
        if not is_whole or int(value) > MAX_EXPONENT:
            expected = f"a whole exponent from 0 to {MAX_EXPONENT}"
            raise ParseError(self.text, place, expected)
        return int(value)

    def atom(self) -> Polynomial:
        place = self.place()
        kind, value = self.next()
        if kind == "number":
            return self.number(value, place)
        if kind == "op" and value == "(":
            inner = self.sum()
            self.close()
            return inner
        if kind == "op" and value in "+-":
            # A sign after an operator, as in 2*-3.
            return _signed(value, self.power())
        if kind == "name" and value in self.variables:
            unit = [0] * (self.dim + 1)
            unit[self.variables[value]] = 1
            return {tuple(unit): integers(1)}
        if kind == "name" and value in _FUNCTIONS:
            return self.function(value, place)
        variables = [name for name in self.variables if name != _PI]
        known = ["a number", "sqrt(...)", "cos(...)", *variables]
        raise ParseError(self.text, place, ", ".join(known[:8]))

    def number(self, digits: str, place: int) -> Polynomial:
        if len(digits) > MAX_DIGITS:
            expected = f"a number of at most {MAX_DIGITS} digits"
            raise ParseError(self.text, place, expected)
        q = Fraction(digits)
        if not q:
            return {}
        # Python integers: 60 digits are more than int64 holds.
        top = integers(np.array(q.numerator, dtype=object))
        return {self.constant: top.scale(Fraction(1, q.denominator))}

    def function(self, name: str, place: int) -> Polynomial:
        if self.accept("(") is None:
            raise self.fail(f"'(' after {name}")
        inner = self.sum()
        self.close()
        if name == "sqrt":
            return self.root(inner, place)
        return self.circular(name, inner, place)

    def root(self, inner: Polynomial, place: int) -> Polynomial:
        if not inner:
            return {}
        expected = "sqrt of a positive rational number"
        q = self.fraction(inner, self.constant, place, expected)
        if q < 0:
            raise ParseError(self.text, place, expected)
        if q.numerator * q.denominator > MAX_RADICAND:
            expected = f"sqrt of a fraction p/q with p*q at most {MAX_RADICAND}"
            raise ParseError(self.text, place, expected)
        return {self.constant: root(q)}

    def circular(self, name: str, inner: Polynomial, place: int) -> Polynomial:
        q = Fraction(0)
        if inner:
            pi = (*(0,) * self.dim, 1)
            expected = f"{name} of a rational multiple of pi"
            q = self.fraction(inner, pi, place, expected)
        if name == "sin":  # sin(t) = cos(pi/2 - t)
            q = Fraction(1, 2) - q
        value = cosine(q)
        if value.is_zero:
            return {}
        return {self.constant: value}

    def fraction(
        self, value: Polynomial, where: Exponents, place: int, expected: str
    ) -> Fraction:
        """The rational coefficient of a polynomial that has no other."""
        if list(value) != [where]:
            raise ParseError(self.text, place, expected)
        try:
            return value[where].fraction()
        except ValueError:
            raise ParseError(self.text, place, expected) from None


def _signed(sign: str | None, value: Polynomial) -> Polynomial:
    if sign != "-":
        return value
    return {e: v.scale(-1) for e, v in value.items()}


def _add(a: Polynomial, b: Polynomial) -> Polynomial:
    out = dict(a)
    for e, v in b.items():
        _accumulate(out, e, v)
    return _without_zeros(out)


def _multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > MAX_TERMS:
        raise SizeError("a product of polynomials with too many terms")
    out: Polynomial = {}
    for e, v in a.items():
        for f, w in b.items():
            key = tuple(i + j for i, j in zip(e, f, strict=True))
            term = v * w
            # Repeated squares double the digits: they are stopped on the way.
            largest = max(bound(term.numerators), term.denominator)
            if largest.bit_length() > MAX_BITS:
                raise SizeError(f"a number of more than {MAX_BITS} bits")
            _accumulate(out, key, term)
    return _without_zeros(out)


def _accumulate(out: Polynomial, key: Exponents, value: ExactArray) -> None:
    if key in out:
        value = out[key] + value
    out[key] = value


def _without_zeros(value: Polynomial) -> Polynomial:
    return {e: v for e, v in value.items() if not v.is_zero}
