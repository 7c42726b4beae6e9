"""Are the elements independent? An exact lower bound on the rank that reaches their number."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.modular import rank_modulo
from pdobasis.exact.nullspace import component_labels
from pdobasis.exact.types import IndexArray
from pdobasis.symbols import Symbols


def rank(part: Symbols) -> int:
    """The rank modulo a prime, which the rank over K cannot fall short of.

    Elements that own a coefficient in which no other element takes part count without any elimination, as long
    as all elements of a connected part do; other parts are eliminated modulo the prime.
    """
    if not part.size:
        return 0
    element, column, values = _entries(part)
    width = int(column.max()) + 1
    alone = np.bincount(column, minlength=width) == 1
    owns = np.zeros(part.size, dtype=bool)
    owns[element[alone[column]]] = True
    label = component_labels(column, element, (width, part.size))
    settled = np.ones(part.size, dtype=bool)
    np.logical_and.at(settled, label, owns)
    total = int(settled[label].sum())
    for root in np.unique(label[~settled[label]]):
        total += _component_rank(root, label, element, column, values)
    return total


def _entries(part: Symbols) -> tuple[IndexArray, IndexArray, ExactArray]:
    mask = part.coefficients.nonzero_mask()
    entry, monomial = np.nonzero(mask)
    position = (part.row[entry] * part.shape[1] + part.column[entry]) * mask.shape[1] + monomial
    _, column = np.unique(position, return_inverse=True)
    return part.element[entry], column, part.coefficients[entry, monomial]


def _component_rank(root: int, label: IndexArray, element: IndexArray, column: IndexArray, values: ExactArray) -> int:
    inside = np.flatnonzero(label[element] == root)
    members, rows = np.unique(element[inside], return_inverse=True)
    names, columns = np.unique(column[inside], return_inverse=True)
    data = values.numerators[inside]
    dense = np.zeros((len(members), len(names), values.field.degree), dtype=data.dtype)
    dense[rows, columns] = data
    narrow = rank_modulo(ExactArray(dense[:, : 4 * len(members)], values.denominator, values.field))
    if narrow == len(members) or 4 * len(members) >= len(names):  # some columns are enough for full rank
        return narrow
    return rank_modulo(ExactArray(dense, values.denominator, values.field))
