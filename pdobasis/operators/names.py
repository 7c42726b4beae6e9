r"""The usual names of PDOs: Laplacian, gradient, divergence, curl, …,
recognised up to a factor.

A basis element is only determined up to a factor; one that is a multiple of a
named operator is scaled to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray
from pdobasis.operators.symbols import Symbols
from pdobasis.operators.textbook_operators import (
    Entries,
    FlatOperator,
    by_first_entry,
    named_operators,
)


def name_of(part: Symbols, number: int) -> str | None:
    """The name of an element, if it is a named operator exactly."""
    found = _find(part, number)
    if found is None:
        return None
    name, factor = found
    if factor != 1:
        return None
    return name


def textbook_scale(part: Symbols) -> Symbols:
    """Multiples of named operators become those operators; everything else
    stays.
    """
    if not len(part.element):
        return part
    known = by_first_entry(part.dim, part.order, part.shape)
    if not known:
        return part
    factors: dict[int, Ratio] = {}
    for k, own, operators in _candidates(part, known):
        factor = _to_operator(part, own, operators)
        if factor is not None and factor[0] != factor[1]:
            factors[k] = factor
    if not factors:
        return part
    values = _scaled(part, factors)
    return Symbols(part.dim, part.order, part.size, part.shape, *part.index, values)


Ratio = tuple[int, int]
"""Numerator and denominator, not in lowest terms."""


def _candidates(
    part: Symbols, known: Mapping[tuple[int, int], list[Entries]]
) -> Iterator[tuple[int, slice, list[Entries]]]:
    """Elements that may have a name, their entries, and the operators that begin where they do and have as many."""
    heads = part.element.searchsorted(np.arange(part.size + 1))
    # An element without entries is none, and has no first.
    rows = part.row.take(heads[:-1], mode="clip").tolist()
    columns = part.column.take(heads[:-1], mode="clip").tolist()
    ends = heads.tolist()
    for k, begin in enumerate(zip(rows, columns, strict=True)):
        if begin in known:
            own = slice(ends[k], ends[k + 1])
            size = own.stop - own.start
            operators = [op for op in known[begin] if len(op.rows) == size]
            if operators:
                yield k, own, operators


def _to_operator(
    part: Symbols, own: slice, operators: Sequence[Entries]
) -> Ratio | None:
    """factor with factor * element = operator, for the first operator that has one."""
    numbers = part.coefficients.numerators[own]
    values = numbers[..., 0].ravel().tolist()
    zeros = values.count(0)
    for operator in operators:
        if zeros != operator.zeros:
            continue
        rows, columns = part.row[own].tolist(), part.column[own].tolist()
        if rows != operator.rows or columns != operator.columns:
            continue
        # One coefficient gives the factor, the others have to agree.
        a, b = values[operator.first], operator.values[operator.first]
        if any(v * b != w * a for v, w in zip(values, operator.values, strict=True)):
            continue
        # All named operators are rational, and none is zero.
        if not a or np.count_nonzero(numbers) > len(values) - zeros:
            return None
        return b * part.coefficients.denominator, a * operator.denominator
    return None


def _scaled(part: Symbols, factors: Mapping[int, Ratio]) -> ExactArray:
    """The coefficients, those of some elements times a factor."""
    common = lcm(*(below // gcd(above, below) for above, below in factors.values()))
    weights = [common] * part.size
    for k, (above, below) in factors.items():
        weights[k] = above * common // below
    values = part.coefficients
    most = max(map(abs, weights))
    limit = max(bound(values.numerators), 1) * most
    (numbers,) = widen(values.numerators, limit=limit)
    each = np.array(weights, dtype=numbers.dtype)
    scaled = numbers * each[part.element][:, None, None]
    return exact(scaled, values.denominator * common, values.field)


def _find(part: Symbols, number: int) -> tuple[str, Fraction] | None:
    """(name, factor) with element = factor * named operator."""
    candidates = named_operators(part.dim, part.order, part.shape)
    if not candidates:
        return None
    rows, columns, values = part.select(number)
    size = np.count_nonzero(values.numerators)
    if all(len(operator) != size for _, operator in candidates):
        return None
    if not values.is_rational:  # not rational
        return None
    # All named operators are rational, so that numerators are enough.
    own = _flat(rows, columns, values)
    for name, operator in candidates:
        factor = _ratio(own, operator)
        if factor is not None:
            return name, factor / values.denominator
    return None


def _flat(
    rows: IndexArray, columns: IndexArray, values: ExactArray
) -> dict[tuple[int, int, int], int]:
    """The numerators by (row, column, monomial)."""
    plain = values.numerators[..., 0]
    entry, monomial = np.nonzero(plain)
    row, column = rows[entry].tolist(), columns[entry].tolist()
    places = zip(row, column, monomial.tolist(), strict=True)
    return dict(zip(places, plain[entry, monomial].tolist(), strict=True))


def _ratio(
    own: dict[tuple[int, int, int], int], operator: FlatOperator
) -> Fraction | None:
    """factor with own = factor * operator."""
    if own.keys() != operator.keys():
        return None
    # One coefficient gives the factor, the others have to agree.
    first = next(iter(operator))
    factor = Fraction(own[first]) / operator[first]
    if any(own[place] != factor * v for place, v in operator.items()):
        return None
    return factor
