"""Stencils keep every symmetry that the group shares with the grid, reflections included.

Through vector fields, layer by layer: a test through scalars cannot see stencils that are turned by a quarter.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.exact.array import integers
from pdobasis.measure import grid_equivariance
from pdobasis.stencils import Layout
from pdobasis.stencils.sampled import Sampled, sample

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "fd": ("fd", {}),
    "rbffd": ("rbffd", {}),
    "rbffd gaussian": ("rbffd", {"phi": "gaussian", "epsilon": 1.2}),
    "gauss": ("gauss", {}),
    "gauss moments": ("gauss", {"normalize": "moments"}),
    "kernel": ("kernel", {}),
}
QUESTIONS = {
    "C4": [("trivial", "vector"), ("vector", "vector"), ("regular", "regular")],
    "D4": [("trivial", "vector"), ("vector", "trivial"), ("vector", "regular"), ("regular", "regular")],
    "Oh": [("trivial", "vector"), ("vector", "trivial"), ("vector", "vector"), ("trivial", "regular")],
    "D4h": [("trivial", "vector"), ("vector", "trivial"), ("vector", "vector"), ("trivial", "regular")],
}
COUNTS = {"C4": (3, 0), "D4": (3, 4), "Oh": (23, 24), "D4h": (7, 8)}
"""Rotations and reflections (improper elements) besides the identity: all of each group."""
TOLERANCE = 1e-14


def check(group: str, in_rep: str, out_rep: str, method: str, size: int, layout: Layout = "grid") -> Sampled:
    name, options = METHODS[method]
    basis = pdobasis.solve(group, in_rep, out_rep, order=2)
    sampled = sample(basis, name, size, layout=layout, **options)
    found = grid_equivariance(sampled)
    mirrors = sum(s.is_reflection for s in found)
    assert (len(found) - mirrors, mirrors) == COUNTS[group]
    assert max(s.defect for s in found) <= TOLERANCE
    assert np.abs(sampled.stencils).max() > 0
    return sampled


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("group", "size"), [("C4", 3), ("D4", 5), ("Oh", 3), ("D4h", 3)])
def test_every_element_of_the_group_is_kept(group: str, size: int, method: str) -> None:
    for in_rep, out_rep in QUESTIONS[group][:3]:
        check(group, in_rep, out_rep, method, size)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [3, 5, 7])
@pytest.mark.parametrize("group", QUESTIONS)
def test_every_element_of_the_group_is_kept_in_every_method_and_size(group: str, size: int, method: str) -> None:
    for in_rep, out_rep in QUESTIONS[group]:
        for layout in ("grid", "image"):
            check(group, in_rep, out_rep, method, size, layout)


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("in_rep", "out_rep"), [("trivial", "vector"), ("vector", "trivial"), ("trivial", "regular")])
def test_turning_every_stencil_by_a_quarter_is_noticed(method: str, in_rep: str, out_rep: str, layout: Layout) -> None:
    """The rotations still hold then, so only the reflections can tell."""
    good = check("D4", in_rep, out_rep, method, 5, layout)
    turned = replace(good, stencils=np.ascontiguousarray(np.rot90(good.stencils, axes=(-2, -1))))
    found = grid_equivariance(turned)
    assert all(s.holds for s in found if not s.is_reflection)
    assert all(s.defect > 0.1 for s in found if s.is_reflection)


@pytest.mark.parametrize("layout", ["grid", "image"])
def test_the_layout_of_the_other_kind_is_noticed(layout: Layout) -> None:
    good = check("D4", "trivial", "vector", "fd", 3, layout)
    other = replace(good, grid=good.grid.with_layout("image" if layout == "grid" else "grid"))
    assert not all(s.holds for s in grid_equivariance(other))


CONTINUOUS = {"SO(2)": (3, 0), "O(2)": (3, 4), "SL(2)": (5, 0), "GL(2)": (5, 4), "SO(3)": (23, 0), "O(3)": (23, 24)}
"""With both shears of the plane, where they are in the group."""


@pytest.mark.parametrize("group", CONTINUOUS)
def test_continuous_groups_share_all_symmetries_of_the_grid(group: str) -> None:
    basis = pdobasis.solve(group, "vector", "vector", order=2)
    found = grid_equivariance(sample(basis, "fd", 3))
    mirrors = sum(s.is_reflection for s in found)
    assert (len(found) - mirrors, mirrors) == CONTINUOUS[group]
    assert all(s.holds for s in found if s.kind != "shear")


def test_rotations_of_space_are_what_the_lorentz_group_shares_with_a_grid() -> None:
    found = grid_equivariance(sample(pdobasis.solve("SO+(1,3)", "trivial", "vector", order=1), "fd", 3))
    assert len(found) == 23
    assert all(s.holds and s.matrix[0, 0] == 1 for s in found)


def test_a_box_with_unequal_sides_breaks_symmetries_of_the_grid() -> None:
    basis = pdobasis.solve("D4", "trivial", "vector", order=2)
    found = grid_equivariance(sample(basis, "fd", (3, 5)))
    assert len(found) == 7
    assert [s.holds for s in found] == [s.keeps_nodes for s in found]
    assert sum(s.holds for s in found) == 3  # the half turn and the two mirrors along the axes


def test_unequal_spacings_make_another_grid() -> None:
    basis = pdobasis.solve("D4", "trivial", "vector", order=2)
    found = grid_equivariance(sample(basis, "fd", 3, spacing=(1, 2)))
    assert len(found) == 3
    assert all(s.holds for s in found)


def test_shears_are_symmetries_of_the_grid_that_a_gradient_in_a_box_breaks() -> None:
    found = grid_equivariance(sample(pdobasis.solve("SL(2)", "trivial", "dual(vector)", order=1), "fd", 3))
    assert {s.kind: s.holds for s in found} == {"rotation": True, "shear": False}


R = [[1, -1], [1, 0]]
F = [[1, -1], [0, -1]]
HEXAGONAL = pdobasis.Group("hexagonal lattice, skew coordinates", 2, (integers(R), integers(F)), ("r", "f"))


def turned_by_hand(w: dict[tuple[int, int], Fraction], g: list[list[int]]) -> dict[tuple[int, int], Fraction]:
    """The same weights at the points g y."""
    return {(g[0][0] * a + g[0][1] * b, g[1][0] * a + g[1][1] * b): v for (a, b), v in w.items()}


def test_the_hexagonal_lattice_in_skew_coordinates_has_all_symmetries_of_its_group() -> None:
    """The invariant Laplacian d11 + d12 + d22 in a square box is no hexagonal stencil."""
    basis = pdobasis.solve(HEXAGONAL, "trivial", "trivial", order=2)
    sampled = sample(basis, "fd", 3)
    found = grid_equivariance(sampled)
    assert len(found) == 11
    stencil = sampled.stencils[1, 0, 0]
    w = {(j - 1, i - 1): Fraction(float(stencil[i, j])) for i, j in np.ndindex(3, 3)}
    for s in found:
        moved = turned_by_hand(w, s.matrix.tolist())
        defect = max(abs(w.get(p, Fraction()) - moved.get(p, Fraction())) for p in w | moved)
        largest = max(abs(float(v)) for v in sampled.stencils.ravel())
        assert s.defect == pytest.approx(float(defect) / largest, abs=1e-15)
    assert sum(s.holds for s in found) == 3


def test_a_hexagon_in_a_box_is_exactly_equivariant_under_sixfold_turns() -> None:
    sampled = sample(pdobasis.solve(HEXAGONAL, "trivial", "trivial", order=2), "fd", 3)
    stencils = np.zeros_like(sampled.stencils)
    stencils[..., 1, 1] = -6
    for a, b in [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)]:  # the orbit of (1, 0) under r
        stencils[..., b + 1, a + 1] = 1
    found = grid_equivariance(replace(sampled, stencils=stencils))
    assert len(found) == 11
    assert all(s.defect == 0 for s in found)
    stencils = stencils.copy()
    stencils[..., 0, 2] = 1  # a corner that the turn takes out of the box
    broken = grid_equivariance(replace(sampled, stencils=stencils))
    assert not all(s.holds for s in broken)


HALF = "1/2"
FACES = [(HALF, 0), (0, HALF)]


@pytest.mark.parametrize("method", ["fd", "gauss moments", "rbffd"])
@pytest.mark.parametrize("layout", ["grid", "image"])
def test_the_c_grid_keeps_all_symmetries(method: str, layout: Layout) -> None:
    name, options = METHODS[method]
    gradient = sample(
        pdobasis.solve("D4", "trivial", "vector", 1), name, 5, out_offsets=FACES, layout=layout, **options
    )
    divergence = sample(
        pdobasis.solve("D4", "vector", "trivial", 1), name, 5, in_offsets=FACES, layout=layout, **options
    )
    for sampled in (gradient, divergence):
        found = grid_equivariance(sampled)
        assert len(found) == 7
        assert all(s.holds for s in found)
    turned = replace(divergence, stencils=np.ascontiguousarray(np.rot90(divergence.stencils, axes=(-2, -1))))
    assert not all(s.holds for s in grid_equivariance(turned))


@pytest.mark.parametrize(
    ("group", "out_rep", "offsets"),
    [
        ("D4", "vector", [(HALF, 0), (0, 0)]),  # the quarter turn takes the first place to (0, 1/2)
        ("D8", "vector", FACES),  # an eighth of a turn does not map the grid to itself
        ("SO(2)", "vector", FACES),
        ("D4", "2xtrivial", FACES),  # scalars on faces: the group would have to exchange them
    ],
)
def test_places_that_the_group_does_not_exchange_are_refused(
    group: str, out_rep: str, offsets: list[tuple[Any, Any]]
) -> None:
    basis = pdobasis.solve(group, "trivial", out_rep, order=1)
    with pytest.raises(pdobasis.PdoBasisError, match=r"grid|component"):
        sample(basis, "fd", 3, out_offsets=offsets)
