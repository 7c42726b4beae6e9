"""Between sums of irreps: symbols of several orders are brought back at once, each in its own field."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, concatenate, exact
from pdobasis.exact.field import RATIONALS, Field, radical
from pdobasis.operators.symbols import dense, from_dense, tidy
from pdobasis.solvers.padding import Piece, brought_back, lines_of
from pdobasis.solvers.reducible import _spread

ROOT = radical(5)


def drawn(seed: int, shape: tuple[int, ...], field: Field = RATIONALS, denominator: int = 1) -> ExactArray:
    draw = np.random.default_rng(seed)
    return exact(draw.integers(-5, 6, (*shape, field.degree)), denominator, field)


@pytest.mark.parametrize("maps_field", [RATIONALS, ROOT], ids=str)
def test_it_is_the_product_for_every_copy_up_to_a_factor(maps_field: Field) -> None:
    """Q_out^-1 chi Q_in, monomial by monomial: for every copy of the output, then of the input, then every element."""
    found = {1: drawn(1, (2, 3, 2, 2), denominator=6), 3: drawn(2, (1, 3, 2, 4), denominator=4)}
    projections = [drawn(3 + k, (2, 5), maps_field, 2 + k) for k in range(2)]
    inclusions = [drawn(7 + k, (4, 3), maps_field, 3) for k in range(3)]
    spread = _spread(found, projections, inclusions)
    assert list(spread) == [1, 3]
    for order, chi in found.items():
        expected = [
            [(t @ chi[k, :, :, m] @ q) for m in range(chi.shape[-1])]
            for t in inclusions
            for q in projections
            for k in range(len(chi))
        ]
        assert len(expected) == len(spread[order])
        for own, monomials in zip(range(len(expected)), expected, strict=True):
            _is_multiple(spread[order][own], monomials)


def _is_multiple(found: ExactArray, expected: list[ExactArray]) -> None:
    """One positive factor for all monomials of an element."""
    sides = [(found[:, :, m], value) for m, value in enumerate(expected)]
    at = next(tuple(np.argwhere(b.numerators)[0]) for _, b in sides if not b.is_zero)
    a, b = next((a, b) for a, b in sides if not b.is_zero)
    up, down = int(a.numerators[at]) * b.denominator, int(b.numerators[at]) * a.denominator
    assert up * down > 0
    assert all(x.scale(down).equals(y.scale(up)) for x, y in sides)


def test_orders_over_different_fields_stay_apart() -> None:
    """The field of an order is part of the answer: another order that needs a root does not bring it in."""
    found = {0: drawn(1, (1, 1, 1, 1)), 1: drawn(2, (1, 1, 1, 2), ROOT), 2: drawn(3, (2, 1, 1, 3))}
    one = [drawn(9, (1, 2))]
    spread = _spread(found, one, [drawn(8, (3, 1))])
    assert {order: own.field for order, own in spread.items()} == {0: RATIONALS, 1: ROOT, 2: RATIONALS}


@pytest.mark.parametrize("maps_field", [RATIONALS, ROOT], ids=str)
def test_entry_by_entry_it_is_the_same(maps_field: Field) -> None:
    """Two pieces of one order, with zeros in all of them."""
    expected, pieces = [], []
    for seed, (copies, others) in enumerate([(2, 3), (1, 2)]):
        chi = drawn(seed, (3, 3, 2, 4), denominator=6)
        holes = chi.numerators.copy()
        holes[1, :, 1] = holes[0, 2] = 0
        symbol = from_dense(exact(holes, 6, RATIONALS), 2, 3)
        projections = [_with_holes(drawn(30 + 9 * seed + k, (2, 5), maps_field, 2 + k)) for k in range(others)]
        inclusions = [_with_holes(drawn(70 + 9 * seed + k, (4, 3), maps_field, 3)) for k in range(copies)]
        expected.append(_spread({3: dense(symbol)}, projections, inclusions)[3])
        pieces.append(Piece(symbol, lines_of([t.T for t in inclusions]), lines_of(projections)))
        most = sum(int(np.count_nonzero(t.nonzero_mask()[:, r])) * int(np.count_nonzero(q.nonzero_mask()[c]))
                   for t in inclusions for q in projections for r, c in zip(symbol.row, symbol.column, strict=True))  # fmt: skip
        assert pieces[-1].products == most
    found = brought_back(pieces, (4, 5))
    whole = from_dense(concatenate(expected), 2, 3)
    assert found.size == whole.size == 3 * (2 * 3 + 1 * 2)
    assert tidy(found).equals(tidy(whole))
    assert found.coefficients.field == whole.coefficients.field


def _with_holes(m: ExactArray) -> ExactArray:
    numerators = m.numerators.copy()
    numerators[::2, ::2] = 0
    return exact(numerators, m.denominator, m.field)
