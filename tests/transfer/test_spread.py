"""Between sums of irreps: symbols of several orders are brought back at once, each in its own field."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field, radical
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
