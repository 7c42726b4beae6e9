"""Which of many symbols are independent."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.array import exact
from pdobasis.exact.components import component_labels
from pdobasis.exact.primes import independent_rows
from pdobasis.operators.symbols import Symbols


def independent(part: Symbols) -> list[int]:
    """The first symbols that are independent modulo a prime, hence over K.

    Symbols that share no place of P are independent of each other: what is first can be told for every connected
    component of elements and places by itself.
    """
    filled = np.flatnonzero(part.coefficients.nonzero_mask().any(axis=-1))
    element, values = part.element[filled], part.coefficients.take(filled)
    if not len(element):
        return []
    at = part.row[filled] * part.shape[1] + part.column[filled]
    places, place = np.unique(at, return_inverse=True)
    label = component_labels(element, place, (part.size, len(places)))[place]
    chosen: list[int] = []
    order = np.argsort(label, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(label[order])) + 1):
        elements, row = np.unique(element[own], return_inverse=True)
        columns, column = np.unique(place[own], return_inverse=True)
        shape = (len(elements), len(columns), *values.numerators.shape[1:])
        numbers = np.zeros(shape, dtype=values.numerators.dtype)
        numbers[row, column] = values.numerators[own]
        rows = numbers.reshape(len(elements), -1, values.field.degree)
        found = independent_rows(exact(rows, values.denominator, values.field))
        chosen += elements[found].tolist()
    return sorted(chosen)
