r"""The usual names of PDOs: Laplacian, gradient, divergence, curl, …,
recognised up to a factor.

A basis element is only determined up to a factor; one that is a multiple of a
named operator is scaled to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray
from pdobasis.operators.symbols import Symbols
from pdobasis.operators.textbook_operators import (
    FlatOperator,
    Support,
    named_operators,
    signatures,
    supports,
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
    wanted = signatures(part.dim, part.order, part.shape)
    if not wanted:
        return part
    known = supports(part.dim, part.order, part.shape)
    denominator = part.coefficients.denominator
    factors: dict[int, Fraction] = {}
    for k, places, values in _candidates(part, wanted):
        candidates = known.get(places)
        if candidates is None:
            continue
        factor = _multiple(values, candidates)
        if factor is not None and factor != denominator:
            factors[k] = denominator / factor
    if not factors:
        return part
    return replace(part, coefficients=_scaled(part, factors))


Candidate = tuple[int, Support, list[int]]
"""The number of an element, (row, column, monomial) of all its coefficients, and their numerators."""


def _candidates(
    part: Symbols, wanted: frozenset[tuple[int, int, int]]
) -> Iterator[Candidate]:
    """Elements that may have a name: most begin where no operator does, or have another number of coefficients."""
    sizes: dict[tuple[int, int], list[int]] = {}
    for size, row, column in wanted:
        sizes.setdefault((row, column), []).append(size)
    heads = part.element.searchsorted(np.arange(part.size + 1))
    # An element without entries is none, and has no first.
    first = np.minimum(heads[:-1], len(part.element) - 1)
    ends = heads.tolist()
    begins = zip(part.row[first].tolist(), part.column[first].tolist(), strict=True)
    for k, begin in enumerate(begins):
        if begin not in sizes or ends[k] == ends[k + 1]:
            continue
        own = slice(ends[k], ends[k + 1])
        numbers = part.coefficients.numerators[own]
        if np.count_nonzero(numbers) not in sizes[begin]:
            continue
        # All named operators are rational.
        if numbers.shape[2] > 1 and numbers[..., 1:].any():
            continue
        index = zip(part.row[own].tolist(), part.column[own].tolist(), strict=True)
        places: list[tuple[int, int, int]] = []
        values: list[int] = []
        for (r, c), line in zip(index, numbers[..., 0].tolist(), strict=True):
            for alpha, v in enumerate(line):
                if v:
                    places.append((r, c, alpha))
                    values.append(v)
        yield k, tuple(places), values


def _multiple(
    own: Sequence[int], candidates: Sequence[tuple[Sequence[int], int]]
) -> Fraction | None:
    """factor with own = factor * operator, for the first operator that has one."""
    for operator, denominator in candidates:
        # One coefficient gives the factor, the others have to agree.
        a, b = own[0], operator[0]
        if all(v * b == w * a for v, w in zip(own, operator, strict=True)):
            return Fraction(a * denominator, b)
    return None


def _scaled(part: Symbols, factors: Mapping[int, Fraction]) -> ExactArray:
    """The coefficients, those of some elements times a factor."""
    common = lcm(*(factor.denominator for factor in factors.values()))
    weights = [common] * part.size
    for k, factor in factors.items():
        weights[k] = factor.numerator * (common // factor.denominator)
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
    if values.numerators[..., 1:].any():  # not rational
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
