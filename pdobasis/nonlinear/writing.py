"""Components of terms as text: for readers, LaTeX, SymPy and Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pdobasis.exact.expressions import variables
from pdobasis.exact.numbers import readable, to_sympy
from pdobasis.exact.scalars import Number, exact_of
from pdobasis.exact.writing import (
    latex_single,
    plain_single,
    pretty_single,
    signed_sum,
)
from pdobasis.nonlinear.latex_names import latex_name
from pdobasis.nonlinear.polynomials import Coordinate, Monomial, reading
from pdobasis.nonlinear.question import Field

if TYPE_CHECKING:
    import sympy

_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def component_name(fields: Sequence[Field], c: Coordinate) -> str:
    """u1, u2, …; a field with one component is called by its name alone."""
    field = fields[c.field]
    if field.rep.size == 1:
        return field.name
    return f"{field.name}{c.component + 1}"


def pretty_coordinate(fields: Sequence[Field], c: Coordinate) -> str:
    text = ""
    if c.time:
        text += "∂t" + (str(c.time).translate(_SUPERSCRIPT) if c.time > 1 else "")
    for i, power in enumerate(c.alpha):
        if power:
            text += "∂" + str(i + 1).translate(_SUBSCRIPT)
        if power > 1:
            text += str(power).translate(_SUPERSCRIPT)
    name = component_name(fields, c)
    if fields[c.field].rep.size > 1:
        name = fields[c.field].name + str(c.component + 1).translate(_SUBSCRIPT)
    return text + name


def latex_coordinate(fields: Sequence[Field], c: Coordinate) -> str:
    text = ""
    for symbol, power in (
        ("t", c.time),
        *((str(i + 1), a) for i, a in enumerate(c.alpha)),
    ):
        if power:
            text += rf"\partial_{{{symbol}}}"
        if power > 1:
            text += f"^{{{power}}}"
    name = latex_name(fields[c.field].name)
    if fields[c.field].rep.size > 1:
        name += f"_{{{c.component + 1}}}"
    return f"{text} {name}".strip()


def plain_coordinate(fields: Sequence[Field], c: Coordinate) -> str:
    """As in d1d1t(u2): the derivatives, one by one, of a component."""
    name = component_name(fields, c)
    letters = "".join(f"d{i + 1}" * power for i, power in enumerate(c.alpha))
    letters += "dt" * c.time
    if not letters:
        return name
    return f"{letters}({name})"


def polynomial_text(
    fields: Sequence[Field],
    polynomial: Mapping[Monomial, Number],
    coordinate: Callable[[Sequence[Field], Coordinate], str],
    power: Callable[[str, int], str],
    single: Callable[..., tuple[int, str]],
    times: str,
) -> str:
    parts = []
    for monomial, value in polynomial.items():
        factors = []
        # plain fields before their derivatives, as one reads them
        ordered = sorted(monomial, key=lambda c: (c.order + c.time, reading(c)))
        for c in dict.fromkeys(ordered):
            factors.append(power(coordinate(fields, c), monomial.count(c)))
        sign, number = _number([single(q, root) for q, root in _terms(value)])
        text = times.join(factors)
        if number != "1":
            text = f"{number}{times}{text}"
        parts.append((sign, text))
    return signed_sum(parts)


def _number(parts: list[tuple[int, str]]) -> tuple[int, str]:
    """A sum stands in brackets, its first part positive."""
    if len(parts) == 1:
        return parts[0]
    sign = parts[0][0]
    return sign, f"({signed_sum([(sign * own, text) for own, text in parts])})"


def pretty(fields: Sequence[Field], polynomial: Mapping[Monomial, Number]) -> str:
    def power(text: str, n: int) -> str:
        if n == 1:
            return text
        raised = str(n).translate(_SUPERSCRIPT)
        if text.startswith("∂"):
            return f"({text}){raised}"
        return text + raised

    return polynomial_text(
        fields, polynomial, pretty_coordinate, power, pretty_single, " "
    )


def latex(fields: Sequence[Field], polynomial: Mapping[Monomial, Number]) -> str:
    def power(text: str, n: int) -> str:
        if n == 1:
            return text
        return rf"\left({text}\right)^{{{n}}}"

    return polynomial_text(
        fields, polynomial, latex_coordinate, power, latex_single, r"\, "
    )


def plain(fields: Sequence[Field], polynomial: Mapping[Monomial, Number]) -> str:
    """In ASCII, as in 2*u1*d1(u2)**2; Python reads it where the names are known."""

    def power(text: str, n: int) -> str:
        return text if n == 1 else f"{text}**{n}"

    def single(q: Any, root: Any) -> tuple[int, str]:
        sign, text = plain_single(q, root, "")
        return sign, text

    return polynomial_text(fields, polynomial, plain_coordinate, power, single, "*")


def functions(
    fields: Sequence[Field], dim: int, time: bool, given: Iterable[sympy.Expr] = ()
) -> tuple[Any, Any, Any]:
    """(x, t, components): SymPy symbols, and a function of them for every component; constants are symbols.

    The symbols are those of the expressions that are ``given`` for some components.
    """
    import sympy

    names = [*(f"x{i + 1}" for i in range(dim)), "t"]
    *x, t = variables(names, given)
    arguments = (*x, t) if time else tuple(x)
    components: dict[tuple[int, int], Any] = {}
    for f, field in enumerate(fields):
        for c in range(field.rep.size):
            name = component_name(fields, Coordinate(f, c, (0,) * dim))
            if field.constant:
                components[f, c] = sympy.Symbol(name, real=True)
            else:
                components[f, c] = sympy.Function(name, real=True)(*arguments)
    return x, t, components


def sympy_expression(
    polynomial: Mapping[Monomial, Number], x: Any, t: Any, components: Mapping[Any, Any]
) -> sympy.Expr:
    """The polynomial with derivatives of the given expressions in the place of coordinates."""
    import sympy

    total = sympy.Integer(0)
    for monomial, value in polynomial.items():
        factors = [to_sympy(_terms(value))]
        for c in monomial:
            own = components[c.field, c.component]
            for variable, order in (*zip(x, c.alpha, strict=True), (t, c.time)):
                if order:
                    own = sympy.diff(own, variable, order)
            factors.append(own)
        total += sympy.Mul(*factors)
    return total


def _terms(value: Number) -> Any:
    own = exact_of(value)
    return readable(tuple(own.numerators.tolist()), own.denominator, own.field)
