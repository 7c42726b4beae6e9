"""Are the elements independent? An exact lower bound on the rank that reaches their number."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.primes import rank_modulo
from pdobasis.exact.types import IndexArray
from pdobasis.linear.components import component_labels
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.claim import Claim, single


def rank(part: Symbols) -> int:
    """The rank modulo a prime, which the rank over K cannot fall short of."""
    return int(ranks(single(part)).sum()) if part.size else 0


def ranks(claim: Claim) -> IndexArray:
    """What every element adds to the rank, modulo a prime; a connected part counts with its first element.

    Elements that own a coefficient in which no other element takes part count without any elimination, as long
    as all elements of a connected part do; other parts are eliminated modulo the prime.
    """
    element, column, values = _entries(claim)
    width = int(column.max(initial=-1)) + 1
    alone = np.bincount(column, minlength=width) == 1
    owns = np.zeros(claim.size, dtype=bool)
    owns[element[alone[column]]] = True
    if owns.all():
        return owns.astype(np.int64)
    label = component_labels(column, element, (width, claim.size))
    settled = np.ones(claim.size, dtype=bool)
    np.logical_and.at(settled, label, owns)
    out = settled[label].astype(np.int64)
    for root in np.unique(label[~settled[label]]).tolist():
        out[root] = _component_rank(root, label, element, column, values)
    return out


def _entries(claim: Claim) -> tuple[IndexArray, IndexArray, ExactArray]:
    mask = claim.coefficients.nonzero_mask()
    entry, monomial = np.nonzero(mask)
    position = (claim.row[entry] * claim.shape[1] + claim.column[entry]) * mask.shape[1] + monomial
    _, column = np.unique(position, return_inverse=True)
    return claim.element[entry], column, claim.coefficients[entry, monomial]


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
