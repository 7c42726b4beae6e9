"""A rotation by an indeterminate angle, looked at in rational points of the circle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.exact.array import concatenate
from pdobasis.proof import angle, turns
from pdobasis.proof.batch import Batch, single
from pdobasis.representations.representation import Representation

IRREPS = ["irrep(0)", "irrep(1)", "irrep(2)", "irrep(3)"]


def found(group: str, source: str, target: str, order: int) -> Iterator[tuple[Batch, Representation, Representation]]:
    """The solutions of every order, and the representations of SO(2) that they are between."""
    problem = ask("SO(2)", source, target, order)
    (a,), (b,) = problem.in_type.distinct, problem.out_type.distinct
    for part in pdobasis.solve(group, source, target, order=order).blocks[0].orders:
        if part.size:
            yield single(part), a, b


def verdict(batch: Batch, a: Representation, b: Representation) -> bool | None:
    left, right = angle._exponential(a), angle._exponential(b)
    assert left is not None
    assert right is not None
    return turns.agrees_at_points(batch, [left], [right])


@pytest.mark.parametrize("target", IRREPS)
@pytest.mark.parametrize("source", IRREPS)
def test_both_ways_agree(source: str, target: str) -> None:
    for batch, a, b in found("SO(2)", source, target, 4):
        assert verdict(batch, a, b) is True
        assert angle._holds(batch, (a,), (b,))


@pytest.mark.parametrize("target", IRREPS[:2])
@pytest.mark.parametrize("source", IRREPS[:2])
def test_what_only_some_rotations_allow_is_refused(source: str, target: str) -> None:
    """C4 allows more: its solutions hold at the four points of the circle with whole coordinates."""
    allowed = {n.high: n.size for n, _, _ in found("SO(2)", source, target, 4)}
    for batch, a, b in found("C4", source, target, 4):
        expected = batch.size == allowed.get(batch.high, 0)
        assert verdict(batch, a, b) is expected
        assert angle._holds(batch, (a,), (b,)) is expected


def test_one_changed_entry_is_refused() -> None:
    for batch, a, b in found("SO(2)", "vector", "irrep(2)", 3):
        values = batch.coefficients
        changed = concatenate([values[:1].scale(Fraction(3, 2)), values[1:]])
        assert verdict(replace(batch, coefficients=changed), a, b) is False


def test_nothing_is_said_where_float64_might_round() -> None:
    def scaled(part: Batch) -> Batch:
        return replace(part, coefficients=part.coefficients.scale(1 << 50))

    for batch, a, b in found("SO(2)", "vector", "vector", 2):
        assert verdict(batch, a, b) is True
        if batch.high:
            assert verdict(scaled(batch), a, b) is None


def test_the_points_are_different_points_of_the_circle() -> None:
    most = 4 + 8 * len(turns.TRIPLES)
    points = turns._points(most)
    assert points is not None
    assert turns._points(most + 1) is None
    assert all(u * u + v * v == w * w for u, v, w in points.tolist())
    assert len({(Fraction(u, w), Fraction(v, w)) for u, v, w in points.tolist()}) == most
