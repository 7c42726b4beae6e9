r"""Theorem: both roads meet. Two sets of symbols span the same space, order by order.

Both have k elements and rank k (at least, modulo a prime). The elements of the first are written as combinations of the
second, $A = C B$ with C over K, and the product is multiplied out exactly; how C was found does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, exact
from pdobasis.exact.types import IndexArray
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.batch import Found
from pdobasis.proof.claim import Claim
from pdobasis.proof.independent import rank
from pdobasis.proof.modular import filled, place, residues
from pdobasis.proof.sparse import nonzeros, parts


def spans(blocks: Sequence[Found], other: Sequence[Block]) -> Claim:
    """The blocks of the other road have to be the same pairs of summands, in the same order."""
    holds = [(b.in_index, b.out_index) for b in blocks] == [
        (b.in_index, b.out_index) for b in other
    ]
    for ours, theirs in zip(blocks, other, strict=False):
        holds = holds and len(ours.parts) == len(theirs.orders)
        holds = holds and all(
            same_span(a, b) for a, b in zip(ours.parts, theirs.orders, strict=True)
        )
    return Claim(
        "spans",
        holds,
        "the transfer and the direct solver span the same space, by exact linear relations",
    )


def same_span(a: Symbols, b: Symbols) -> bool:
    """Whether two sets span the same space, exactly; True only if both are independent."""
    if (a.dim, a.order, a.shape, a.size) != (b.dim, b.order, b.shape, b.size):
        return False
    if rank(a) != a.size or rank(b) != b.size:
        return False
    return _is_combination(a, b)


def _is_combination(a: Symbols, b: Symbols) -> bool:
    """A = C B, where both are independent: part by part of what hangs together."""
    element, column, values = _coefficients(a, b)
    width = int(column.max(initial=-1)) + 1
    label = parts(column, element, (width, a.size + b.size))
    for root in np.unique(label).tolist():
        inside = np.flatnonzero(label[element] == root)
        members = np.unique(element[inside])
        split = int(np.searchsorted(members, a.size))
        # both are independent, so in a common span there are as many of one as of the other
        if 2 * split != len(members):
            return False
        # a relation between elements of different parts would be one within each
        whole = _dense(element[inside], column[inside], values.take(inside))
        if not _solved(whole[:split], whole[split:]):
            return False
    return True


def _coefficients(a: Symbols, b: Symbols) -> tuple[IndexArray, IndexArray, ExactArray]:
    """(element, which coefficient, value) of both, the elements of b behind those of a."""
    values = concatenate([a.coefficients, b.coefficients])
    row, column = np.concatenate([a.row, b.row]), np.concatenate([a.column, b.column])
    element = np.concatenate([a.element, b.element + a.size])
    entry, monomial = nonzeros(values)
    place_of = (row[entry] * a.shape[1] + column[entry]) * values.shape[1] + monomial
    _, names = np.unique(place_of, return_inverse=True)
    return element[entry], names, values[entry, monomial]


def _dense(element: IndexArray, column: IndexArray, values: ExactArray) -> ExactArray:
    members, rows = np.unique(element, return_inverse=True)
    names, columns = np.unique(column, return_inverse=True)
    shape = (len(members), len(names), values.field.degree)
    out = np.zeros(shape, dtype=values.numerators.dtype)
    out[rows, columns] = values.numerators
    return exact(out, values.denominator, values.field)


def _solved(a: ExactArray, b: ExactArray) -> bool:
    """Whether A = C B for the C that some columns, on which B is invertible, leave no choice about."""
    chosen = _pivots(b)
    if len(chosen) != len(b):
        return False
    # on these columns A = C B has one solution; whether it is one on all columns is multiplied out
    weights = a[:, chosen] @ b[:, chosen].inverse()
    return (weights @ b - a).is_zero


def _pivots(b: ExactArray) -> list[int]:
    """Columns on which the rows of b are independent: those that a row has alone, or else by elimination."""
    mask = b.numerators.any(axis=-1)
    own = mask & (mask.sum(axis=0) == 1)
    if own.any(axis=1).all():
        return [int(k) for k in own.argmax(axis=1)]
    at = place(
        b.field
    )  # independent modulo p is independent; too few columns are refused by the caller
    rows, columns = np.nonzero(mask)
    triples = zip(
        rows.tolist(),
        columns.tolist(),
        residues(b[rows, columns], at).tolist(),
        strict=True,
    )
    height, width = b.shape
    reduced, found = filled((height, width), triples, at.prime).rref()
    return [next(j for j in range(width) if int(reduced[i, j])) for i in range(found)]
