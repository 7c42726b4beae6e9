r"""Polynomials in the partial derivatives, and their exact coefficients, as formulas.

>>> from pdobasis import solve
>>> entries = solve("C8", "trivial", "regular", order=1).elements[1].entries
>>> polynomial(entries[1, 0], 2, 1).latex
'\\tfrac{\\sqrt{2}}{2} \\partial_{1} + \\tfrac{\\sqrt{2}}{2} \\partial_{2}'
"""

from __future__ import annotations

import re
from fractions import Fraction

from pdobasis.algebra.operator import Operator, coefficients
from pdobasis.answer.element import Element
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import Root, Terms
from pdobasis.operators.printing import coefficients_of, latex, pretty
from pdobasis_tables.formula import Formula, Matrix, Part, mathml_sum

_NARROW = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹ ]|/\d+")
"""Superscripts stand over subscripts, denominators under numerators: they take no room of their own."""
_ONE = "<mn>1</mn>"
_ZERO = Formula(())


def of_element(element: Element) -> Matrix:
    """The matrix of one PDO in the partial derivatives."""
    dim = element.basis.problem.group.dim
    rows, columns = element.shape
    made = {}
    for place, values in element.entries.items():
        made[place] = polynomial(values, dim, element.order)
    grid = []
    for r in range(rows):
        # entries that are zero are not listed
        row = (made.get((r, c), _ZERO) for c in range(columns))
        grid.append(tuple(row))
    return Matrix(tuple(grid))


def of_operator(op: Operator) -> Matrix:
    """The matrix of an operator, whose entries may have terms of several orders."""
    rows, columns = op.shape
    grid = []
    for r in range(rows):
        cells = [coefficients(op.cells.get((r, c), {})) for c in range(columns)]
        grid.append(
            tuple(Formula(tuple(_part(n, alpha) for n, alpha in p)) for p in cells)
        )
    return Matrix(tuple(grid))


def of_numbers(values: ExactArray) -> Matrix:
    """A matrix of numbers: a number is a polynomial of order 0, in one variable say."""
    rows, columns = values.shape
    grid = []
    for r in range(rows):
        numbers = [values[r, c].reshape(1) for c in range(columns)]
        grid.append(tuple(polynomial(number, 1, 0) for number in numbers))
    return Matrix(tuple(grid))


def polynomial(values: ExactArray, dim: int, order: int) -> Formula:
    """An exact polynomial in the partial derivatives, by its coefficients over the monomials of the order."""
    terms = coefficients_of(values, dim, order)
    return Formula(tuple(_part(number, alpha) for number, alpha in terms))


def _part(number: Terms, alpha: tuple[int, ...]) -> Part:
    # a sum such as 1 - sqrt(2) stands in brackets and keeps its signs; a single number gives its sign to the term
    negative = len(number) == 1 and number[0][0] < 0
    if negative:
        ((q, root),) = number
        number = ((-q, root),)
    single = ((number, alpha),)
    # as it is read, not as it is written
    width = len(_NARROW.sub("", pretty(single)))
    return Part(negative, latex(single), _mathml(number, alpha), width)


def _mathml(number: Terms, alpha: tuple[int, ...]) -> str:
    powers = "".join(_derivative(i, a) for i, a in enumerate(alpha) if a)
    if len(number) > 1:
        inner = mathml_sum((q < 0, _number(abs(q), root)) for q, root in number)
        return f"<mrow><mo>(</mo>{inner}<mo>)</mo>{powers}</mrow>"
    factor = _number(*number[0])
    if powers and factor == _ONE:
        factor = ""
    return f"<mrow>{factor}{powers}</mrow>"


def _derivative(i: int, power: int) -> str:
    base = f"<mi>∂</mi><mn>{i + 1}</mn>"
    if power == 1:
        return f"<msub>{base}</msub>"
    return f"<msubsup>{base}<mn>{power}</mn></msubsup>"


def _number(q: Fraction, root: Root) -> str:
    """q times the root, for q > 0."""
    if root.angle is not None:
        return _factor(q) + _cosine(root.angle)
    top = f"<mn>{q.numerator}</mn>"
    if not root.is_one:
        surd = f"<msqrt><mn>{root.radicand}</mn></msqrt>"
        # 1 sqrt(2) is written as sqrt(2)
        top = surd if q.numerator == 1 else top + surd
    return _fraction(top, q.denominator)


def _factor(q: Fraction) -> str:
    """Before a cosine, where 1 is not written."""
    if q == 1:
        return ""
    return _fraction(f"<mn>{q.numerator}</mn>", q.denominator)


def _cosine(angle: Fraction) -> str:
    """cos of a multiple of pi."""
    top = "<mi>π</mi>"
    if angle.numerator != 1:
        top = f"<mn>{angle.numerator}</mn>{top}"
    fraction = f"<mfrac><mrow>{top}</mrow><mn>{angle.denominator}</mn></mfrac>"
    # between the function and its argument: U+2061, the invisible "function application"
    return f"<mi>cos</mi><mo>\u2061</mo>{fraction}"


def _fraction(top: str, bottom: int) -> str:
    if bottom == 1:
        return top
    return f"<mfrac><mrow>{top}</mrow><mn>{bottom}</mn></mfrac>"
