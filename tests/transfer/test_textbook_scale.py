"""Multiples of operators that have names become these operators, and nothing else is touched."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pdobasis.exact.array import exact
from pdobasis.exact.field import radical
from pdobasis.exact.polynomials import count
from pdobasis.operators.names import textbook_scale
from pdobasis.operators.symbols import Symbols, from_dense
from pdobasis.operators.textbook_operators import FlatOperator, named_operators

SHAPES = [
    (dim, order, shape)
    for dim, sizes in ((2, (1, 2, 3, 4)), (3, (1, 3, 6, 9)))
    for order in range(4)
    for shape in ((a, b) for a in sizes for b in sizes)
    if named_operators(dim, order, shape)
]


def elements(dim: int, order: int, shape: tuple[int, int], every: list[tuple[FlatOperator, list[int]]]) -> Symbols:
    """One for each operator and its factor in Q(sqrt(2)), over the denominator 6."""
    values = np.zeros((len(every), *shape, count(dim, order), 2), dtype=np.int64)
    for k, (operator, factor) in enumerate(every):
        for (r, c, monomial), value in operator.items():
            values[k, r, c, monomial] = [int(6 * Fraction(value) * f) for f in factor]
    return from_dense(exact(values, 6, radical(2)), dim, order)


@pytest.mark.parametrize(("dim", "order", "shape"), SHAPES)
def test_multiples_of_named_operators_become_them(dim: int, order: int, shape: tuple[int, int]) -> None:
    named = [operator for _, operator in named_operators(dim, order, shape)]
    wanted = elements(dim, order, shape, [(operator, [1, 0]) for operator in named])
    for factor in ([2, 0], [-3, 0], [1, 0]):
        found = textbook_scale(elements(dim, order, shape, [(operator, factor) for operator in named]))
        assert found.equals(wanted)


@pytest.mark.parametrize(("dim", "order", "shape"), SHAPES)
def test_what_has_no_name_stays(dim: int, order: int, shape: tuple[int, int]) -> None:
    """Times 1 + sqrt(2), times sqrt(2); with the first coefficient or the last one changed, or one more."""
    named = [operator for _, operator in named_operators(dim, order, shape)]
    for factor in ([0, 2], [2, 2]):
        part = elements(dim, order, shape, [(operator, factor) for operator in named])
        assert textbook_scale(part) is part
    for operator in named:
        places = [(r, c, k) for r in range(shape[0]) for c in range(shape[1]) for k in range(count(dim, order))]
        for place in (min(operator), max(operator), *places):
            other = dict(operator) | {place: operator.get(place, 0) + Fraction(37, 2)}
            if len(other) > 1:
                part = elements(dim, order, shape, [(other, [2, 0])])
                assert textbook_scale(part) is part


def test_an_entry_in_another_column() -> None:
    """diag(1, 1) has a name, and two ones in one column have none."""
    moved: FlatOperator = {(0, 0, 0): 2, (1, 0, 0): 2}
    part = elements(2, 0, (2, 2), [(moved, [1, 0]), ({(0, 0, 0): 2, (1, 1, 0): 2}, [1, 0])])
    found = textbook_scale(part)
    assert found.column.tolist() == [0, 0, 0, 1]
    assert found.equals(elements(2, 0, (2, 2), [(moved, [1, 0]), ({(0, 0, 0): 1, (1, 1, 0): 1}, [1, 0])]))
