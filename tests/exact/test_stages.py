"""Null spaces in stages: the same bytes as all equations at once, whatever the primes say, by hand or in lanes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
import sympy
from flint import nmod_mat
from hypothesis import given
from hypothesis import strategies as st

from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import RATIONALS, Field, cyclotomic, radical
from pdobasis.linear import elimination, lane_stages, stages
from pdobasis.linear import sparse as sparse_module
from pdobasis.linear.elimination import LARGE, eliminate
from pdobasis.linear.lanes import lanes
from pdobasis.linear.null_space import null_space
from pdobasis.linear.remainders import Remainders
from pdobasis.linear.sparse import Sparse, annihilates, join_systems

FIELDS = [RATIONALS, cyclotomic(5), cyclotomic(16), radical(2), radical(2, 3)]


def sparse(dense: ExactArray) -> Sparse:
    rows, columns = np.nonzero(dense.nonzero_mask())
    height, width = dense.shape
    return Sparse(rows, columns, dense[rows, columns], (height, width))


def same(a: Sparse, b: Sparse) -> bool:
    places = np.array_equal(a.rows, b.rows) and np.array_equal(a.columns, b.columns)
    return a.shape == b.shape and places and a.values.equals(b.values)


def null_space_in_stages(given_systems: list[Sparse]) -> Sparse:
    """In lanes, whatever the size; and once more in Python's integers, whatever the size."""
    with mock.patch.object(stages, "SMALL", -1):
        found = stages.null_space_in_stages(given_systems)
    with mock.patch.object(stages, "SMALL", 10**9):
        by_hand = stages.null_space_in_stages(given_systems)
    assert same(found, by_hand)
    assert found.values.numerators.dtype == by_hand.values.numerators.dtype
    return found


@st.composite
def systems(draw: st.DrawFn) -> list[Sparse]:
    """A few sparse systems for the same unknowns."""
    field = draw(st.sampled_from(FIELDS))
    unknowns = draw(st.integers(1, 12))
    seed = draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(draw(st.integers(1, 3))):
        shape = (int(rng.integers(0, 6)), unknowns, field.degree)
        values = rng.integers(-3, 4, shape) * (rng.random(shape) < rng.choice([0.1, 0.3]))
        out.append(sparse(exact(values, int(rng.integers(1, 4)), field)))
    return out


@given(systems())
def test_stages_give_the_bytes_of_all_equations_at_once(given_systems: list[Sparse]) -> None:
    assert same(null_space_in_stages(given_systems), null_space(join_systems(given_systems)))


def test_stages_alone_answer_ordinary_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the help of the other road, which would hide a mistake."""

    def refuse(system: Sparse) -> Sparse:
        raise AssertionError("the lanes gave no answer")

    monkeypatch.setattr(lane_stages, "null_space", refuse)
    matrix = integers(np.array([[1, 1, 0, 0], [0, 1, 2, 0]]))
    found = null_space_in_stages([sparse(matrix[:1]), sparse(matrix[1:])])
    assert found.shape == (2, 4)
    assert found.rows.tolist() == [0, 0, 0, 1]
    assert found.columns.tolist() == [0, 1, 2, 3]
    assert [found.values[k].fraction() for k in range(4)] == [1, -1, sympy.Rational(1, 2), 1]


def test_an_unlucky_prime_does_not_matter() -> None:
    """An entry that vanishes in one lane, or in all of them."""
    first, second = lanes(RATIONALS), lanes(RATIONALS, 1)
    assert first is not None
    assert second is not None
    p, q = first.prime.prime, second.prime.prime
    for entry in (p, q, p * q, 1 + p):
        pair = [sparse(integers(np.array([[entry, 1, 0]]))), sparse(integers(np.array([[0, entry, entry]])))]
        assert same(null_space_in_stages(pair), null_space(join_systems(pair)))
        assert null_space_in_stages(pair).shape[0] == 1


def test_large_numbers_and_denominators_that_the_primes_divide() -> None:
    found = lanes(RATIONALS)
    assert found is not None
    p = found.prime.prime
    for numerators, denominator in (([[10**40, 3]], 1), ([[1, 2]], p), ([[10**9, 10**9 + 7]], 1)):
        system = sparse(exact(np.array(numerators, dtype=object)[..., None], denominator, RATIONALS))
        assert same(null_space_in_stages([system]), null_space(system))


def test_large_components_are_left_to_the_other_road(monkeypatch: pytest.MonkeyPatch) -> None:
    system = sparse(integers(np.arange(12).reshape(3, 4) + 1))
    wanted = null_space_in_stages([system])
    # one after the other, where there is no room for more
    monkeypatch.setattr(lane_stages, "MAX_CELLS", 4)
    assert same(null_space_in_stages([system]), wanted)
    monkeypatch.setattr(lane_stages, "LARGEST", 4)
    assert same(null_space_in_stages([system]), wanted)
    with pytest.raises(lane_stages.TooLargeError):
        lane_stages._by_primes([system], RATIONALS)


def test_no_equations_leave_all_unknowns_free() -> None:
    none = np.zeros(0, dtype=np.int64)
    found = null_space_in_stages([Sparse(none, none, integers(none), (0, 3))])
    assert found.shape == (3, 3)
    assert found.columns.tolist() == [0, 1, 2]


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32))
def test_elimination_finds_the_echelon_form_of_flint(height: int, width: int, seed: int) -> None:
    _compare_with_flint(height, width, seed)


@pytest.mark.parametrize("width", [LARGE, LARGE + 1])
def test_elimination_of_large_matrices(width: int) -> None:
    for seed in range(3):
        _compare_with_flint(width - 10, width, seed)


@pytest.mark.parametrize("are_few", [False, True])
@pytest.mark.parametrize("rank", [0, 7, 40, LARGE + 6])
def test_high_matrices_are_eliminated_by_sums_of_rows(
    rank: int, are_few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the sums are too few to say all: then what rows ask of the vectors that are left is solved."""
    if are_few:
        monkeypatch.setattr(elimination, "_sums_of_rows", lambda matrix, p: matrix[: 1 + len(matrix) // 20])
    found = lanes(RATIONALS)
    assert found is not None
    width, height = LARGE + 6, 4 * LARGE + 91
    rng = np.random.default_rng(rank)
    rows = rng.integers(-2, 3, (height, rank)) @ rng.integers(-2, 3, (rank, width))
    rows[-1] = np.arange(width)
    p = int(found.modulus[0])
    reduced = eliminate(rows[None, None].astype(np.float64), found)
    assert reduced is not None
    echelon, count = nmod_mat(height, width, rows[:, ::-1].ravel().tolist(), p).rref()
    expected = np.array([int(v) for v in echelon.entries()[: count * width]]).reshape(count, width)[:, ::-1]
    pivots = width - 1 - (expected[:, ::-1] != 0).argmax(axis=1)
    free = np.setdiff1d(np.arange(width), pivots)
    weights = np.zeros((width, width), dtype=np.int64)
    weights[pivots[:, None], free] = -expected[:, free]
    assert np.flatnonzero(reduced.pivots[0]).tolist() == sorted(pivots.tolist())
    assert not ((reduced.weights[0, 0].astype(np.int64) - weights) % p).any()
    assert np.abs(reduced.weights).max() <= p // 2


def _compare_with_flint(height: int, width: int, seed: int) -> None:
    """Every null vector e_f + sum_c w_c e_c, against FLINT's echelon form of the mirrored matrix."""
    found = lanes(RATIONALS)
    assert found is not None
    rng = np.random.default_rng(seed)
    many = 3
    plain = rng.integers(-2, 3, (many, height, width)) * (rng.random((many, height, width)) < 0.4)
    reduced = eliminate(np.broadcast_to(plain, (len(found), many, height, width)).astype(np.float64), found)
    assert reduced is not None
    for lane, modulus in enumerate(found.modulus.astype(int).tolist()):
        for k in range(many):
            echelon, rank = nmod_mat(height, width, plain[k, :, ::-1].ravel().tolist(), modulus).rref()
            pivots = [next(j for j in range(width) if int(echelon[i, j])) for i in range(rank)]
            assert np.flatnonzero(reduced.pivots[k]).tolist() == sorted(width - 1 - j for j in pivots)
            for i, j in enumerate(pivots):
                for f in np.flatnonzero(~reduced.pivots[k]).tolist():
                    weight = int(reduced.weights[lane, k, width - 1 - j, f])
                    assert (weight + int(echelon[i, width - 1 - f])) % modulus == 0


@given(st.sampled_from(FIELDS), st.integers(0, 2**32))
def test_small_numbers_are_lifted_from_their_images(field: Field, seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = exact(rng.integers(-2000, 2001, (7, field.degree)), int(rng.integers(1, 1000)), field)
    known = None
    for index in range(2):
        found = lanes(field, index)
        assert found is not None
        images = found.images(numbers)
        assert images is not None
        values = found.coordinates(images).ravel()
        if known is None:
            known = Remainders(values, found.prime.prime)
        else:
            known.add(values, found.prime.prime)
    assert known is not None
    fractions = known.fractions()
    assert fractions is not None
    whole, denominator = known.written(fractions)
    assert exact(whole.reshape(7, field.degree), denominator, field).equals(numbers)


def test_numbers_of_many_digits_come_from_many_small_primes(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not from the other road, which would hide a mistake."""

    def refuse(system: Sparse) -> Sparse:
        raise AssertionError("the lanes gave no answer")

    monkeypatch.setattr(lane_stages, "null_space", refuse)
    monkeypatch.setattr(stages, "SMALL", -1)
    system = sparse(exact(np.array([[10**40, 3, 7**30]], dtype=object)[..., None], 1, RATIONALS))
    found = null_space_in_stages([system])
    assert found.columns.tolist() == [0, 2, 1, 2]
    assert [found.values[k].fraction() for k in range(4)] == [1, -Fraction(10**40, 7**30), 1, -Fraction(3, 7**30)]


@pytest.mark.parametrize("at_once", [3, sparse_module.AT_ONCE])
@given(systems(), st.sampled_from([1, 2**40, 2**70]), st.integers(0, 2**32))
def test_annihilation_is_seen_modulo_a_power_of_two(
    at_once: int, given_systems: list[Sparse], size: int, seed: int
) -> None:
    """And a solution that is wrong in one number is none, however long the numbers are; in blocks or at once."""
    with mock.patch.object(sparse_module, "AT_ONCE", at_once):
        _annihilation(given_systems, size, seed)


def _annihilation(given_systems: list[Sparse], size: int, seed: int) -> None:
    system = join_systems(given_systems)
    found = null_space(system)
    scaled = replace(found, values=found.values.scale(size))
    assert annihilates(system, scaled)
    assert annihilates(system, scaled, 3**99)
    if not len(found.rows) or not len(system.rows):
        return
    rng = np.random.default_rng(seed)
    numbers = scaled.values.numerators.astype(object)
    numbers[rng.integers(len(numbers)), 0] += size
    wrong = replace(scaled, values=exact(numbers, scaled.values.denominator, scaled.values.field))
    expected = not any((dense_rows(system) @ column).numerators.any() for column in (dense_rows(wrong).T,))
    assert annihilates(system, wrong) == expected


def test_what_vanishes_modulo_a_power_of_two_alone_is_not_believed() -> None:
    """2^32 times 2^32 is 0 to a machine, and 3 * 2^64 to whoever knows that it is a multiple of 3."""
    one = np.zeros(1, dtype=np.int64)
    half = exact(np.array([[1 << 32]]), 1, RATIONALS)
    system, vector = Sparse(one, one, half, (1, 1)), Sparse(one, one, half, (1, 1))
    assert not annihilates(system, vector)
    threefold = replace(vector, values=half.scale(3))
    assert not annihilates(system, threefold, 3)


def dense_rows(matrix: Sparse) -> ExactArray:
    shape = (*matrix.shape, matrix.values.field.degree)
    out = np.zeros(shape, dtype=object)
    np.add.at(out, (matrix.rows, matrix.columns), matrix.values.numerators.astype(object))
    return exact(out, matrix.values.denominator, matrix.values.field)


@given(systems())
def test_components_are_eliminated_side_by_side_as_many_as_there_is_room_for(given_systems: list[Sparse]) -> None:
    wanted = null_space_in_stages(given_systems)
    with mock.patch.object(lane_stages, "MAX_CELLS", 1):
        assert same(null_space_in_stages(given_systems), wanted)
