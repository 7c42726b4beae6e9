"""Terms as Python: a function of derivatives for any arrays, and source that needs nothing of this package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Number, Surd, float_of
from pdobasis.nonlinear.evaluate import coordinates_of
from pdobasis.nonlinear.polynomials import Coordinate, Polynomial

if TYPE_CHECKING:
    from pdobasis.nonlinear.result import Terms

Key = tuple[str, int, tuple[int, ...], int]
"""(field, component from 0, orders in x1, x2, …, order in t)."""

HEADER = '''"""Terms of {group}: {fields} -> {out}. Written by pdobasis; needs NumPy for derivatives() alone."""

TERMS = (
{texts})
DERIVATIVES = (
{keys})


def {name}(j):
    """All terms, each a list of {size} components; j[key] is the derivative (field, component, orders in x, in t).

    The arrays may be of any kind that adds and multiplies: NumPy, torch, SymPy.
    """
{body}    return [
{rows}    ]


def derivatives(fields, spacing):
    """Spectral derivatives on a periodic grid: fields["u"] is (components, *grid), the last axis is x1.

    The spacing is one number or a list, x1 first; a constant is a list of its components.
    """
    import numpy as np

    out = {{}}
    for name, component, alpha, time in DERIVATIVES:
        array = np.asarray(fields[name + "_" * bool(time) + "t" * time])[component]
        for i, order in enumerate(alpha):
            if not order:
                continue
            n = array.shape[-1 - i]
            k = (2j * np.pi * np.fft.fftfreq(n, np.broadcast_to(spacing, len(alpha))[i])) ** order
            if order % 2 and n % 2 == 0:
                k[n // 2] = 0
            k = k.reshape([n if a == array.ndim - 1 - i else 1 for a in range(array.ndim)])
            array = np.fft.ifft(np.fft.fft(array, axis=-1 - i) * k, axis=-1 - i).real
        out[name, component, alpha, time] = array
    return out
'''


def key_of(terms: Terms, c: Coordinate) -> Key:
    return terms.question.fields[c.field].name, c.component, c.alpha, c.time


def compiled(terms: Terms) -> Callable[[Mapping[Key, Any]], list[list[Any]]]:
    """A function of derivatives; it adds and multiplies what it is given, and knows no kind of array."""
    needed = {c: key_of(terms, c) for c in coordinates_of(terms)}
    plan = [
        [
            [(float_of(v), [needed[c] for c in monomial]) for monomial, v in p.items()]
            for p in term.components
        ]
        for term in terms
    ]

    def function(jets: Mapping[Key, Any]) -> list[list[Any]]:
        return [[_sum(jets, p) for p in components] for components in plan]

    return function


def _sum(jets: Mapping[Key, Any], polynomial: list[tuple[float, list[Key]]]) -> Any:
    total = None
    for value, keys in polynomial:
        product = jets[keys[0]]
        for key in keys[1:]:
            product = product * jets[key]
        if value != 1:
            product = product * value
        total = product if total is None else total + product
    if total is None:  # a component that is zero has the shape of the others
        return 0 * next(iter(jets.values()))
    return total


def python_source(terms: Terms, name: str = "terms") -> str:
    """A module with the function ``name``; the same terms give the same text."""
    if not name.isidentifier() or iskeyword(name):
        raise SpecError(f"a function has a name such as terms, got {name!r:.40}")
    question = terms.question
    needed = coordinates_of(terms)
    variables = {c: f"v{k}" for k, c in enumerate(needed)}
    lines = [f"    {variables[c]} = j[{key_of(terms, c)!r}]\n" for c in needed]
    rows = []
    for term in terms:
        parts = [_expression(p, variables) for p in term.components]
        rows.append(f"        [{', '.join(parts)}],  # {term.text}\n")
    return HEADER.format(
        group=_said(question.group.name),
        fields=_said(", ".join(f"{f.name} {f.rep.spec}" for f in question.fields)),
        out=_said(question.out.spec),
        name=name,
        size=question.out.size,
        texts="".join(f"    {term.text!r},\n" for term in terms),
        keys="".join(f"    {key_of(terms, c)!r},\n" for c in needed),
        body="".join(lines),
        rows="".join(rows),
    )


def _said(text: str) -> str:
    """Inside a docstring: a name that somebody gave must not end it."""
    return "".join(c if c.isprintable() and c not in '\\"' else "?" for c in text)


def _expression(polynomial: Polynomial, variables: Mapping[Coordinate, str]) -> str:
    if not polynomial:
        return f"0 * {next(iter(variables.values()), '0')}"
    parts = []
    for monomial, value in polynomial.items():
        factors = [variables[c] for c in monomial]
        number = _number(value)
        if number != "1":
            factors.insert(0, number)
        parts.append(" * ".join(factors))
    return " + ".join(parts)


def _number(value: Number) -> str:
    if isinstance(value, Surd):
        return f"({float_of(value)!r})"
    if value.q == 1:
        return str(value.p) if value.p >= 0 else f"({value.p})"
    return f"({value.p} / {value.q})"
