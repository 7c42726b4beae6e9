"""Weights of large representations, about the axis for which they are cut into the smallest blocks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import identity, integers, zeros
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.matrices import block_diagonal
from pdobasis.proof import weights as weights_module
from pdobasis.proof import zonal
from pdobasis.proof.modular import place
from pdobasis.proof.weights import SMALL, weights
from pdobasis.proof.zonal import BITS, parities
from pdobasis.representations.representation import Representation, from_matrices

Table = dict[int, int]


def rep_of(group: str, spec: str) -> Representation:
    (rep,) = ask(group, spec, "trivial", 0).in_type.distinct
    return rep


def irrep(degree: int, sign: int = 1) -> Table:
    return dict.fromkeys(range(-degree, degree + 1), sign)


def times(a: Table, b: Table) -> Table:
    out: Table = {}
    for i, u in a.items():
        for j, v in b.items():
            out[i + j] = out.get(i + j, 0) + u * v
    return out


def square(a: Table, sign: int) -> Table:
    """The symmetric (1) or alternating (-1) square, of weights w: (w(z)^2 + sign w(z^2)) / 2.

    At -g the squares of eigenvalues are those of g, so that w(z^2) has positive coefficients.
    """
    out = times(a, a)
    for k, v in a.items():
        out[2 * k] = out.get(2 * k, 0) + sign * abs(v)
    return {k: v // 2 for k, v in out.items() if v}


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("tensor(irrep(0,3), irrep(1,2))", times(irrep(3), irrep(2, -1))),
        ("sym(2, irrep(1,3))", square(irrep(3, -1), 1)),
        ("alt(2, irrep(0,4))", square(irrep(4), -1)),
        ("tensor(vector, sym(2, irrep(0,2)))", times(irrep(1, -1), square(irrep(2), 1))),
    ],
)  # fmt: skip
def test_weights_of_products(spec: str, wanted: Table) -> None:
    rep = rep_of("O(3)", spec)
    assert rep.size > SMALL
    signed, plain = weights(rep, True), weights(rep, False)
    assert signed is not None
    assert plain is not None
    assert signed.table == {k: v for k, v in wanted.items() if v}
    assert plain.table == {k: abs(v) for k, v in wanted.items() if v}


def test_the_axis_of_the_smallest_blocks_is_taken() -> None:
    """The harmonics turn in pairs about their polar axis, which is x2."""
    rep = rep_of("SO(3)", "tensor(irrep(3), irrep(3))")
    chosen = weights_module._axis(rep)
    assert chosen.equals(rep.lie[1])
    assert max(map(len, weights_module._members(chosen))) == 4
    assert max(map(len, weights_module._members(rep.lie[0]))) > 4


def test_what_turns_by_halves_has_no_weights() -> None:
    rep = rep_of("SO(3)", "tensor(irrep(3), irrep(3))")
    wrong = replace(rep, lie=tuple(x.scale(Fraction(1, 2)) for x in rep.lie))
    assert weights.__wrapped__(wrong, False) is None


@pytest.mark.parametrize(
    "spec", ["tensor(irrep(0,3), irrep(1,2))", "alt(2, irrep(0,4))", "sym(2, sym(2, irrep(1,2)))", "sym(3, irrep(1,3))"]
)
def test_weights_of_a_mirror_modulo_a_prime_are_those_over_q(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rep = rep_of("O(3)", spec)
    found = weights(rep, True)
    monkeypatch.setattr(weights_module, "_of_involution", lambda *_: None)
    assert weights.__wrapped__(rep, True) == found


def test_what_is_no_involution_or_does_not_commute_is_not_reduced() -> None:
    rep = rep_of("O(3)", "tensor(vector, vector, vector)")
    x, h = rep.lie[0], rep.generators[0]
    blocks = list(weights_module._blocks(x, h))
    # (z - 1 + 1/z)^3: a mirror turns its axis over
    assert weights_module._of_involution(x, h, blocks, 3) == [-7, 6, -3, 1]
    for y, k in ((x, h.scale(2)), (rep.lie[1], h)):
        assert weights_module._of_involution(y, k, list(weights_module._blocks(y, k)), 3) is None


@pytest.mark.parametrize(
    "spec",
    [
        "trivial", "det", "vector", "irrep(0,3)", "tensor(irrep(0,3), irrep(1,2))", "alt(2, irrep(0,4))",
        "sym(2, sym(2, irrep(1,2)))", "sym(3, irrep(1,3))", "tensor(vector, vector, vector)", "sym(2, vector + det)",
    ],
)  # fmt: skip
def test_parities_of_irreps_give_the_weights_of_the_other_component(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rep = rep_of("O(3)", spec)
    expected = weights.__wrapped__(rep, True)
    monkeypatch.setattr(weights_module, "LARGE", 0)
    assert weights_module._by_parities(rep) == expected
    assert expected is not None


def test_parities_are_those_of_the_irreps_that_occur() -> None:
    """The products of two vectors have 0, 1 and 2, all even; on a zonal vector the mirror is the parity times (-1)^l."""
    assert parities(rep_of("O(3)", "tensor(vector, vector)"), 2) == [1, -1, 1]
    assert parities(rep_of("O(3)", "tensor(vector, vector, det)"), 2) == [-1, 1, -1]
    assert parities(rep_of("O(3)", "sym(3, irrep(0,2) + vector)"), 6) is not None


def two_constants_and_a_vector(multiple: int) -> Representation:
    """In a basis in which this multiple of the third coordinate is added to each constant."""
    vector = rep_of("O(3)", "vector")
    change, back = np.eye(5, dtype=np.int64), np.eye(5, dtype=np.int64)
    change[4, :2], back[4, :2] = multiple, -multiple
    generators, lie = (
        tuple(integers(back) @ block_diagonal([constants, m]) @ integers(change) for m in own)
        for own, constants in ((vector.generators, identity(2)), (vector.lie, zeros((2, 2))))
    )
    return from_matrices(vector.group, "own", 5, generators, lie)


def test_a_column_of_multiples_of_the_prime_is_fixed_modulo_it() -> None:
    p = place(RATIONALS, 0, BITS).prime
    for multiple in (0, 1, p, 2 * p):
        assert parities(two_constants_and_a_vector(multiple), 1) == [2, 1]


def test_fixed_vectors_that_are_missed_are_missed_by_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of one parity, which no parity tells, and what is left is taken to itself."""
    honest = zonal._fixed

    def careless(*arguments: Any) -> Any:
        (rows, columns, values), starts = honest(*arguments)
        kept = rows >= 2
        return (rows[kept] - 2, columns[kept], values[kept]), starts[2:]

    monkeypatch.setattr(zonal, "_fixed", careless)
    assert parities(two_constants_and_a_vector(0), 1) is None


def test_a_mirror_that_leads_away_from_what_the_axis_fixes_is_refused() -> None:
    rep = rep_of("O(3)", "tensor(vector, vector)")
    turned = rep.lie[0] + rep.generators[0]
    assert parities(replace(rep, generators=(turned,)), 2) is None


def test_generators_that_are_no_turns_of_planes_are_left_to_others() -> None:
    rep = rep_of("SO(3)", "tensor(vector, vector)")
    assert parities(replace(rep, group=replace(rep.group, lie=rep.group.lie[:2]), lie=rep.lie[:2]), 2) is None
