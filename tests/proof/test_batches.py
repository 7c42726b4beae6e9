"""Blocks and orders that are proved side by side: nothing hides behind a neighbour, whatever the size of a batch."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.exact.array import concatenate, exact
from pdobasis.exact.field import LARGE_DEGREE, Field
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols, join_symbols, renumber
from pdobasis.proof.batch import Placed, batches
from pdobasis.proof.certificate import Certificate, prove

SUMS = [
    ("SO(2)", "irrep(0) + irrep(1)", "irrep(1) + irrep(2)", 3),
    ("O(2)", "irrep(1,1) + irrep(0,0)", "irrep(1,2) + irrep(1,0)", 3),
    ("D4", "vector + trivial", "regular + vector", 2),
    ("C8", "regular + vector", "irrep(2) + trivial", 2),
    ("SO(3)", "vector + trivial", "sym(2, vector) + vector", 2),
    ("O(1,3)", "vector + trivial", "vector", 2),
]
SIZES = [{}, {"TOGETHER": 0}, {"CHUNK": 8, "TOGETHER": 0}, {"CHUNK": 10**9, "TOGETHER": 10**9}]


def certificate(basis: Basis, changed: dict[tuple[int, int], Symbols] | None = None) -> Certificate:
    """The proof again, with the symbols of some (block, order) replaced."""
    changed = changed or {}
    blocks = []
    for k, b in enumerate(basis.blocks):
        parts = tuple(changed.get((k, n), part) for n, part in enumerate(b.orders))
        blocks.append(Block(b.in_index, b.out_index, parts))
    return prove(basis.problem, blocks)


@pytest.mark.parametrize("dense", [0, 10**9], ids=["entry by entry", "whole matrices"])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("question", SUMS, ids=str)
def test_one_changed_coefficient_of_any_block_and_order(
    question: tuple[str, str, str, int], sizes: dict[str, int], dense: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in sizes.items():
        monkeypatch.setattr(f"pdobasis.proof.batch.{name}", value)
    monkeypatch.setattr("pdobasis.proof.equivariant.AT_ONCE", 50 if sizes else 200_000)
    monkeypatch.setattr("pdobasis.proof.dense.DENSE", dense)
    basis = pdobasis.solve(*question[:3], order=question[3])
    assert certificate(basis).holds
    for k, block in enumerate(basis.blocks):
        for n, part in enumerate(block.orders):
            if len(part.element) > part.size:  # an element with one entry may stay equivariant when it is scaled
                assert not certificate(basis, {(k, n): _scaled(part)}).equivariant


@pytest.mark.parametrize("question", SUMS, ids=str)
def test_a_dropped_and_a_repeated_element_of_any_block_and_order(question: tuple[str, str, str, int]) -> None:
    basis = pdobasis.solve(*question[:3], order=question[3])
    for k, block in enumerate(basis.blocks):
        for n, part in enumerate(block.orders):
            if not part.size:
                continue
            ranks = list(range(part.size))
            dropped = renumber(part, np.array([-1, *ranks[:-1]]), part.size - 1)
            found = certificate(basis, {(k, n): dropped})
            assert found.equivariant
            assert found.independent
            assert not found.complete
            if part.size > 1:
                twice = renumber(part, np.array([0, *([-1] * (part.size - 1))]), 1)
                found = certificate(basis, {(k, n): join_symbols([twice] * part.size)})
                assert found.equivariant
                assert found.complete
                assert not found.independent


def test_batches_hold_every_element_once(monkeypatch: pytest.MonkeyPatch) -> None:
    basis = pdobasis.solve("SO(2)", "irrep(0) + irrep(1)", "irrep(1) + irrep(2)", order=3)
    parts = [Placed(part, 0, 0) for block in basis.blocks for part in block.orders]
    for together in (0, 100, 10**6):
        monkeypatch.setattr("pdobasis.proof.batch.TOGETHER", together)
        found = list(batches(parts, (4, 3)))
        assert sum(c.size for c in found) == sum(p.symbols.size for p in parts)
        assert all(c.low <= n <= c.high for c in found for n in c.order.tolist())
        assert len(found) == 1 or together < 10**6


def _scaled(part: Symbols) -> Symbols:
    """The first entry of every element doubled."""
    pieces = []
    for k in range(part.size):
        values = part.select(k)[2]
        pieces += [values[:1].scale(Fraction(2)), values[1:]] if len(values) > 1 else [values]
    return replace(part, coefficients=concatenate(pieces))


def test_entries_outside_of_their_block_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that would land in the neighbouring block of the sum, also where the blocks are proved apart."""
    basis = pdobasis.solve("SO(2)", "trivial", "vector + irrep(1)", order=1)
    part = basis.blocks[0].orders[1]
    for sizes in ({}, {"TOGETHER": 0, "CHUNK": 1}):
        for name, value in sizes.items():
            monkeypatch.setattr(f"pdobasis.proof.batch.{name}", value)
        for wrong in (
            replace(part, row=part.row + 2),
            replace(part, row=part.row - 2),
            replace(part, shape=(4, 1)),
            replace(part, element=part.element[::-1]),
            replace(part, order=0),
        ):
            assert not certificate(basis, {(0, 1): wrong}).holds


def test_a_block_that_is_given_twice_is_refused() -> None:
    basis = pdobasis.solve("SO(2)", "trivial", "vector + irrep(2)", order=2)
    blocks = list(basis.blocks)
    assert prove(basis.problem, blocks).holds
    assert not prove(basis.problem, [*blocks, blocks[0]]).complete
    assert not prove(basis.problem, blocks[:1]).complete


def test_high_orders_are_proved_in_tables_of_bounded_size() -> None:
    """Orders are put side by side only while they have few monomials."""
    basis = pdobasis.solve("SO(2)", "trivial", "trivial", order=16)
    parts = [Placed(part, 0, 0) for part in basis.blocks[0].orders]
    for batch in batches(parts, (1, 1)):
        assert batch.low == batch.high or batch.coefficients.shape[1] <= 64


@pytest.mark.parametrize("question", SUMS, ids=str)
def test_a_change_that_float64_would_round_away(question: tuple[str, str, str, int]) -> None:
    basis = pdobasis.solve(*question[:3], order=question[3])
    large = {(k, n): _times(part, 1 << 60) for k, b in enumerate(basis.blocks) for n, part in enumerate(b.orders)}
    assert certificate(basis, large).holds
    for place, part in large.items():
        if len(part.element) > part.size:
            assert not certificate(basis, {**large, place: _one_more(part)}).equivariant


def _times(part: Symbols, factor: int) -> Symbols:
    return replace(part, coefficients=part.coefficients.scale(factor))


def _one_more(part: Symbols) -> Symbols:
    """The first number that is not zero, one larger."""
    numbers = part.coefficients.numerators.copy()
    first = tuple(int(k[0]) for k in np.nonzero(numbers))
    numbers[first] += 1
    return replace(part, coefficients=exact(numbers, part.coefficients.denominator, part.coefficients.field))


@pytest.mark.parametrize("group", ["C199", "C997", "D101"])
def test_no_table_of_all_products_in_a_field_of_large_degree(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the third power of the degree: 44 GB for C997."""
    whole = Field.products

    def products(field: Field) -> object:
        assert field.degree <= LARGE_DEGREE
        return whole(field)

    monkeypatch.setattr(Field, "products", products)
    for method in ("auto", "direct"):
        found = pdobasis.solve(group, "vector", "vector", order=2, method=method)
        assert found.certificate.holds
