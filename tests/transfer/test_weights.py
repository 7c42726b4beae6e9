"""Weights and characters say how often irreps occur, without looking for a single map."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from pdobasis.answer.solve import solve
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.group import Group
from pdobasis.proof.weights import weights as proved_weights
from pdobasis.representations.decomposition import decomposition, irrep_name, split
from pdobasis.representations.named import irreps_of, made
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.representations.weights import weights

Rep = Callable[[Group | str, str], Representation]

STRAIN_GRADIENT = "tensor(sym(2, vector), vector)"
PRODUCTS = [
    ("O(3)", "tensor(vector, vector, vector)"), ("O(3)", f"sym(2, {STRAIN_GRADIENT})"), ("O(3)", "tensor(det, vector)"),
    ("O(3)", "alt(2, sym(2, vector))"), ("SO(3)", "tensor(irrep(2), irrep(1,standard))"), ("SO(3)", "alt(2, irrep(3))"),
    ("SO(2)", "tensor(vector, irrep(2), irrep(3))"), ("SO(2)", "sym(3, irrep(2))"), ("O(2)", "tensor(vector, vector)"),
    ("O(2,pi/6)", "sym(3, vector)"), ("O(2)", "alt(2, sym(2, irrep(1,3)))"), ("Oh", "tensor(vector, vector, vector)"),
    ("I", "sym(2, sym(2, vector))"), ("D6", "tensor(regular, vector)"), ("C5", "regular"), ("Td", "alt(2, regular)"),
    ("C3v", "tensor(vector, vector)"), ("S4", "sym(2, vector)"),
]  # fmt: skip
LARGE = (f"sym(2, {STRAIN_GRADIENT})", "alt(2, regular)")
"""Too large for a dense inverse."""


@pytest.mark.parametrize(("group", "spec"), PRODUCTS)
def test_counting_and_trying_agree(group: str, spec: str, rep: Rep) -> None:
    """The multiplicities by null spaces, irrep by irrep, share nothing with weights and characters."""
    r = rep(group, spec)
    counted = decomposition(r)
    tried = split(r, ((name, made(r.group, term, name)) for name, term in irreps_of(r.group, 6).items()))
    assert counted is not None
    assert tried is not None
    assert [(s.name, s.multiplicity, s.type) for s in counted.summands] == [
        (s.name, s.multiplicity, s.type) for s in tried.summands
    ]


@pytest.mark.parametrize(("group", "spec"), [p for p in PRODUCTS if p[1] not in LARGE])
def test_projections_are_the_inverse_of_inclusions(group: str, spec: str, rep: Rep) -> None:
    found = decomposition(rep(group, spec))
    assert found is not None
    assert found.change.equals(found.inverse.inverse())


def test_weights_of_a_tensor_product_by_hand(rep: Rep) -> None:
    """vector of O(3) has the weights 0 (turned over by the mirror), 1 and -1: so its square has 2 twice, 1 four times."""
    assert weights(rep("O(3)", "tensor(vector, vector)")) == {(0, 1): 3, (1, -1): 4, (2, 1): 2}
    assert weights(rep("SO(2)", "sym(2, vector)")) == {(0, 0): 1, (2, 0): 2}


# Numbers of isotropic tensors (of rank 4 and 6; Lame; Mindlin's strain gradients; flexoelectricity), known from books.
ISOTROPIC = [
    ("O(3)", "tensor(vector, vector, vector, vector)", 3),
    ("O(3)", "sym(2, sym(2, vector))", 2),
    ("O(3)", f"sym(2, {STRAIN_GRADIENT})", 5),
    ("O(3)", "tensor(vector, vector, sym(2, vector))", 2),
    ("SO(3)", "tensor(vector, vector, vector, vector, vector)", 6),
    ("O(3)", "tensor(vector, vector, vector, vector, vector, vector)", 15),
    ("O(2)", "tensor(vector, vector, vector, vector)", 3),
    ("SO(2)", "tensor(vector, vector, vector, vector)", 6),
    ("O(4)", "tensor(vector, vector, vector, vector)", 3),
]


@pytest.mark.parametrize(("group", "spec", "count"), ISOTROPIC)
def test_isotropic_tensors_take_no_time(group: str, spec: str, count: int) -> None:
    start = time.process_time()
    assert solve(group, "trivial", spec, 0).dimension == count
    # a tenth of it on a quiet machine; the trial of all irreps took minutes
    assert time.process_time() - start < 10


def test_a_sum_of_irreps_is_no_irrep(rep: Rep) -> None:
    """Nor does anybody build an irrep as large as the sum to find out."""
    assert irrep_name(rep("O(3)", "tensor(vector, vector, vector, vector)")) == ""
    assert irrep_name(rep("SO(3)", "alt(2, vector)")) == ""
    assert irrep_name(rep("O(2)", "irrep(1,3)")) == "irrep(1,3)"


@pytest.mark.parametrize("inverted", [False, True])
def test_the_proof_finds_the_same_weights_in_any_basis(inverted: bool, rep: Rep) -> None:
    """In the basis of tensors X falls into small blocks; in a mixed one it is a single block."""
    r = rep("O(3)", "tensor(vector, vector, vector)")
    mixed = _mixed(r)
    found = proved_weights(r, inverted)
    assert found is not None
    assert found == proved_weights(mixed, inverted)
    if not inverted:
        # (z + 1 + 1/z)^3
        assert found.table == {0: 7, 1: 6, -1: 6, 2: 3, -2: 3, 3: 1, -3: 1}


def test_the_proof_refuses_what_is_no_circle() -> None:
    """One block with a weight that is not whole, or one that is not semisimple, among good ones."""
    group = parse_group("SO(2)")
    turn = np.array([[0, -1], [1, 0]])
    half = np.zeros((6, 6), dtype=np.int64)
    half[:2, :2], half[2:4, 2:4] = 2 * turn, turn
    jordan = half.copy()
    half[4:, 4:] = 4 * turn
    jordan[4, 5] = 2
    assert proved_weights(from_matrices(group, "whole", 6, (), (integers(half),)), False) is not None
    assert proved_weights(from_matrices(group, "half", 6, (), (exact(half[..., None], 2, group.field),)), False) is None
    assert proved_weights(from_matrices(group, "jordan", 6, (), (integers(jordan),)), False) is None


def _mixed(rep: Representation) -> Representation:
    """In the basis of the partial sums, in which no entry of the matrices need be zero."""
    lower = integers(np.tril(np.ones((rep.size, rep.size), dtype=np.int64)))

    def moved(m: ExactArray) -> ExactArray:
        return lower @ m @ lower.inverse()

    generators, lie = (tuple(map(moved, matrices)) for matrices in (rep.generators, rep.lie))
    return from_matrices(rep.group, "mixed", rep.size, generators, lie)
