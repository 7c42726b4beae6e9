"""What the proof multiplies with: each of the few different numbers of a tensor's matrices once, however often it stands."""

from __future__ import annotations

import tracemalloc
from typing import Any, ClassVar

import numpy as np
import pytest

import pdobasis
import pdobasis.exact.array as exact_array
import pdobasis.exact.matrices as exact_matrices
from pdobasis.answer.solve import ask
from pdobasis.exact.field import Field
from pdobasis.exact.integers import product
from pdobasis.exact.types import IntArray
from pdobasis.proof.certificate import prove
from pdobasis.proof.lines import columns_of
from pdobasis.question.text import parse_field_type


def _spread_numbers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of how many numbers the matrices of multiplication are made, from now on."""
    counted: list[int] = []
    spread = exact_array.spread

    def counting(b: IntArray, field: Field) -> IntArray:
        counted.append(b.size // field.degree)
        return spread(b, field)

    monkeypatch.setattr(exact_array, "spread", counting)
    monkeypatch.setattr(exact_matrices, "spread", counting)
    return counted


def test_a_matrix_of_multiplication_is_made_for_values_and_not_for_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    basis = pdobasis.solve("D19", "tensor(sym(2,vector), vector)", "quotient(flip)", order=3)
    entries = sum(len(part.row) for block in basis.blocks for part in block.orders)
    spread = _spread_numbers(monkeypatch)
    assert prove(ask("D19", "tensor(sym(2,vector), vector)", "quotient(flip)", 3), basis.blocks).holds
    assert sum(spread) < entries


def test_equal_values_are_of_one_kind() -> None:
    reps = parse_field_type("tensor(vector, vector, vector)", "C23").distinct
    lines = columns_of(reps)
    assert lines.weight is not None
    assert lines.kind is not None
    assert len(lines.position) == 64
    # products of three of ±cos, sin: c^3, c^2 s, c s^2, s^3, up to signs
    assert len(set(lines.kind.tolist())) == 7
    for kind in set(lines.kind.tolist()):
        own = lines.weight.take(np.flatnonzero(lines.kind == kind))
        assert (own.numerators == own.numerators[:1]).all()


@pytest.mark.parametrize("shape", [(40_000, 16), (20_000, 2, 16)])
def test_a_tall_product_holds_no_second_copy_of_itself(shape: tuple[int, ...]) -> None:
    tall = np.random.default_rng(1).integers(-9, 10, shape)
    small = np.random.default_rng(2).integers(-9, 10, (16, 16))
    tracemalloc.start()
    try:
        found = product(tall, small)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * found.nbytes
    assert np.array_equal(found, tall @ small)


class _Watched(np.ndarray):
    """Integers that tell how many axes they have when they are multiplied as matrices."""

    axes: ClassVar[list[int]] = []

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, **options: Any) -> Any:
        plain = [v.view(np.ndarray) if isinstance(v, _Watched) else v for v in inputs]
        if ufunc is np.matmul:
            self.axes.append(plain[0].ndim)
        return getattr(ufunc, method)(*plain, **options)


def test_many_matrices_times_one_are_one_product() -> None:
    """A product of its own for each would wake and join threads as often."""
    many = np.random.default_rng(1).integers(-9, 10, (50, 40, 90))
    one = np.random.default_rng(2).integers(-9, 10, (90, 100))
    _Watched.axes.clear()
    assert np.array_equal(product(many.view(_Watched), one), many @ one)
    assert _Watched.axes == [2]
