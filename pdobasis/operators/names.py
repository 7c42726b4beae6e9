r"""The usual names of PDOs: Laplacian, gradient, divergence, curl, …,
recognised up to a factor.

A basis element is only determined up to a factor; one that is a multiple of a
named operator is scaled to it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate
from pdobasis.exact.types import IndexArray
from pdobasis.operators.symbols import Symbols
from pdobasis.operators.textbook_operators import (
    FlatOperator,
    named_operators,
    signatures,
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
    candidates = named_operators(part.dim, part.order, part.shape)
    if not candidates:
        return part
    # Most elements have a number of coefficients that no operator has, or
    # begin elsewhere.
    wanted = signatures(part.dim, part.order, part.shape)
    terms = (part.coefficients.numerators != 0).sum(axis=(1, 2))
    sizes = np.bincount(part.element, terms, part.size).astype(np.int64)
    first = part.element.searchsorted(np.arange(part.size))
    # An element without entries is none, and has no first.
    first = np.minimum(first, len(part.element) - 1)
    own = zip(
        sizes.tolist(),
        part.row[first].tolist(),
        part.column[first].tolist(),
        strict=True,
    )
    factors: dict[int, Fraction] = {}
    for k, signature in enumerate(own):
        if signature not in wanted:
            continue
        found = _find(part, k)
        if found is not None and found[1] != 1:
            factors[k] = found[1]
    if not factors:
        return part
    pieces = []
    for k in range(part.size):
        _, _, values = part.select(k)
        if k in factors:
            values = values.scale(1 / factors[k])
        pieces.append(values)
    return replace(part, coefficients=concatenate(pieces))


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
