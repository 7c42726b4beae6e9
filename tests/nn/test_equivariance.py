"""f(g·x) = g·f(x) exactly on the grid, layer by layer, with reflections and with vector fields in and out."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis import Group, field_type, group  # noqa: E402
from pdobasis.exact.array import integers  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    EquivarianceWarning,
    LayerError,
    PDOConv1d,
    PDOConv2d,
    PDOConv3d,
    check_equivariance,
    transform,
)
from pdobasis.stencils import NotAGridSymmetryError  # noqa: E402

LIMITS = {torch.float32: 1e-6, torch.float64: 1e-13}

PLANE = [
    ("C4", "regular", "regular"),
    ("D4", "vector", "vector"),
    ("D4", "trivial", "vector"),
    ("D4", "vector", "regular"),
    ("D4", "2xregular", "vector + det"),
    ("D4", "quotient(flip)", "quotient(C2) + irrep(1,1)"),
    ("D8", "regular", "irrep(1,2) + irrep(0,4)"),
    ("D4", "vector + regular + vector + trivial", "trivial + 2xregular + vector"),
    ("O(2)", "vector", "irrep(1,2) + vector"),
    ("SO(2)", "irrep(1)", "irrep(0) + irrep(3)"),
]


@pytest.mark.parametrize(("name", "source", "target"), PLANE)
@pytest.mark.parametrize("stencil", ["fd", "gauss", "rbffd", "kernel"])
def test_layers_in_the_plane_commute_with_the_point_group(name: str, source: str, target: str, stencil: str) -> None:
    torch.manual_seed(1)
    layer = PDOConv2d(name, source, target, order=2, size=5, stencil=stencil, padding="same")
    for dtype, limit in LIMITS.items():
        assert check_equivariance(layer.to(dtype), size=9).error <= limit


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize("apply", ["dense", "jets"])
@pytest.mark.parametrize("options", [
    {"padding": 0}, {"padding": 1}, {"padding": 2, "padding_mode": "reflect"}, {"padding": 2, "padding_mode": "circular"},
    {"padding": "same", "padding_mode": "replicate"}, {"padding": 4, "dilation": 2}, {"size": 4, "order": 1},
    {"padding": (2, 2)}, {"groups": 2, "padding": 2},
])  # fmt: skip
def test_padding_dilation_and_groups_keep_equivariance(layout: Any, apply: str, options: dict[str, Any]) -> None:
    chosen: dict[str, Any] = {"order": 2, "size": 5, **options}
    layer = PDOConv2d(
        "D4",
        "vector + regular + vector + regular",
        "2xvector",
        layout=layout,
        apply=apply,
        dtype=torch.float64,
        **chosen,
    )
    assert check_equivariance(layer, size=11).error <= 1e-13


@pytest.mark.parametrize(("size", "n"), [(5, 11), (3, 13), (4, 12)])
def test_strides_are_exact_where_they_can_be(size: int, n: int) -> None:
    with pytest.warns(EquivarianceWarning, match="odd" if size % 2 else "even"):
        layer = PDOConv2d("D4", "vector", "vector + regular", order=1, size=size, stride=2, dtype=torch.float64)
    assert layer.is_exact_on((n, n))
    assert check_equivariance(layer, size=n).error <= 1e-13
    assert not layer.is_exact_on((n + 1, n + 1))
    assert check_equivariance(layer, size=n + 1).error > 1e-3


def test_same_padding_of_an_even_size_warns() -> None:
    with pytest.warns(EquivarianceWarning, match="even size"):
        layer = PDOConv2d("C4", "trivial", "vector", order=1, size=4, padding="same")
    assert not layer.is_exact_on((12, 12))


@pytest.mark.parametrize(("name", "source", "target", "order"), [
    ("Oh", "vector", "vector + trivial", 2), ("Oh", "trivial", "quotient(Td)", 3), ("O", "regular", "vector", 1),
    ("O(3)", "1o", "2e + 1e", 2), ("SO(3)", "irrep(1)", "irrep(2) + irrep(0)", 1),
])  # fmt: skip
def test_layers_in_space(name: str, source: str, target: str, order: int) -> None:
    for stencil in ("fd", "gauss"):
        layer = PDOConv3d(name, source, target, order, size=3 if order < 3 else 5, stencil=stencil, dtype=torch.float64)
        assert check_equivariance(layer, size=7).error <= 1e-13


@pytest.mark.parametrize("apply", ["dense", "jets"])
@pytest.mark.parametrize("options", [
    {"stride": 2}, {"stride": 2, "padding": 1}, {"padding": 1, "padding_mode": "circular"}, {"padding": "same"},
    {"padding": 2, "dilation": 2}, {"padding": 1, "padding_mode": "replicate", "groups": 2},
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning")
def test_vectors_in_space_with_strides_and_paddings(apply: str, options: dict[str, Any]) -> None:
    """All 48 symmetries of the cube, 24 of them with a reflection."""
    torch.manual_seed(1)
    layer = PDOConv3d("Oh", "2xvector", "2xvector", 2, size=3, apply=apply, **options)
    for dtype, limit in LIMITS.items():
        report = check_equivariance(layer.to(dtype), size=7)
        assert len(report.errors) == 48
        assert report.error <= limit


@pytest.mark.parametrize("apply", ["dense", "jets"])
@pytest.mark.parametrize("name", ["C4", "D4"])
@pytest.mark.parametrize("options", [{}, {"padding": 2}, {"padding": 2, "padding_mode": "reflect"}, {"dilation": 2}])
@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning")
def test_vectors_in_the_plane_with_strides(apply: str, name: str, options: dict[str, Any]) -> None:
    torch.manual_seed(1)
    layer = PDOConv2d(name, "vector + regular", "vector + det", 3, size=5, stride=2, apply=apply, **options)
    for dtype, limit in LIMITS.items():
        assert check_equivariance(layer.to(dtype), size=13).error <= limit


def test_layers_on_the_line() -> None:
    layer = PDOConv1d("inversion(1)", "vector + trivial", "2xvector", order=3, stencil="fd", dtype=torch.float64)
    assert check_equivariance(layer).error <= 1e-13


@pytest.mark.parametrize(("name", "axis"), [("D1", -2), ("flip", -2), ("D1(pi/2)", -1), ("flip(pi/2)", -1)])
@pytest.mark.parametrize("layout", ["grid", "image"])
def test_one_mirror_is_up_and_down_and_the_other_left_and_right(name: str, axis: int, layout: Any) -> None:
    layer = PDOConv2d(name, "trivial", "trivial", order=1, size=3, stencil="fd", layout=layout, dtype=torch.float64)
    x = torch.randn(1, 1, 7, 7, dtype=torch.float64)
    other = {-1: -2, -2: -1}[axis]
    assert torch.equal(layer(x.flip(axis)), layer(x).flip(axis))
    assert not torch.allclose(layer(x.flip(other)), layer(x).flip(other))


def test_mixed_stencils() -> None:
    mixed: Any = [("gauss", {"sigma": 1.0}), "fd", "kernel"]
    layer = PDOConv2d("D4", "vector", "vector", order=2, stencil=mixed, dtype=torch.float64)
    single = [PDOConv2d("D4", "vector", "vector", order=2, stencil=s) for s in mixed]
    assert layer.weight.shape[2] == sum(s.weight.shape[2] for s in single)
    assert check_equivariance(layer).error <= 1e-13


def test_stencils_turned_by_a_quarter_are_caught() -> None:
    """The mistake of e2cnn's finite differences: rotations hold, every reflection is paired with the wrong one."""
    layer = PDOConv2d("D4", "trivial", "vector", order=1, size=3, stencil="fd", dtype=torch.float64)
    conv = layer.to_conv()
    assert isinstance(conv, torch.nn.Conv2d)
    with torch.no_grad():
        conv.weight.copy_(conv.weight.rot90(1, (2, 3)))
    types = layer.in_type, layer.out_type
    rotations = [g for g in range(8) if g < 4]
    assert check_equivariance(conv, *types, elements=rotations).error <= 1e-13
    assert check_equivariance(conv, *types, elements=[4]).error > 1
    assert not check_equivariance(conv, *types)


def test_a_chain_through_scalars_cannot_see_that_mistake() -> None:
    first = PDOConv2d("D4", "trivial", "regular", order=1, size=3, stencil="fd", bias=False, dtype=torch.float64)
    second = PDOConv2d("D4", "regular", "trivial", order=1, size=3, stencil="fd", bias=False, dtype=torch.float64)
    turned = [layer.to_conv() for layer in (first, second)]
    with torch.no_grad():
        for conv in turned:
            assert isinstance(conv, torch.nn.Conv2d)
            conv.weight.copy_(conv.weight.rot90(1, (2, 3)))
    chain = torch.nn.Sequential(*turned)
    assert check_equivariance(chain, first.in_type, second.out_type).holds
    assert not check_equivariance(turned[0], first.in_type, first.out_type).holds


def test_other_angles_by_interpolation() -> None:
    layer = PDOConv2d("C8", "trivial", "vector", order=1, size=7, stencil="gauss", padding="same", dtype=torch.float64)
    assert check_equivariance(layer, elements=[1], size=61).error < 0.05
    c = math.sqrt(0.5)
    round_one = PDOConv2d("SO(2)", "irrep(2)", "irrep(1)", order=1, size=7, padding="same", dtype=torch.float64)
    assert check_equivariance(round_one, elements=[[[c, -c], [c, c]]], size=61).error < 0.1


def test_transform_is_an_action() -> None:
    fields = field_type("vector + regular", group("D4"))
    x = torch.randn(2, fields.size, 5, 5, dtype=torch.float64)
    r, f = np.array([[0, -1], [1, 0]]), np.diag([1, -1])
    for layout in ("grid", "image"):
        twice = transform(transform(x, f, fields, layout), r, fields, layout)
        assert torch.equal(twice, transform(x, r @ f, fields, layout))


def test_transform_turns_counter_clockwise() -> None:
    x = torch.zeros(1, 1, 3, 3)
    x[0, 0, 1, 2] = 1  # at (x1, x2) = (1, 0)
    quarter = [[0, -1], [1, 0]]
    trivial = field_type("trivial", group("C4"))
    assert transform(x, quarter, trivial, "grid")[0, 0, 2, 1] == 1  # (0, 1) is the next row
    assert transform(x, quarter, trivial, "image")[0, 0, 0, 1] == 1  # (0, 1) is up


def test_transform_refuses() -> None:
    fields = field_type("regular", group("C4"))
    with pytest.raises(LayerError, match="not in C4"):
        transform(torch.zeros(1, 4, 3, 3), np.diag([1, -1]), fields)
    with pytest.raises(LayerError, match="batch, 4"):
        transform(torch.zeros(1, 3, 3, 3), 1, fields)


def test_construction_without_stride_is_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PDOConv2d("C4", "regular", "regular", order=1, size=3, padding=1)


HEXAGON = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)]
"""The orbit of (1, 0) under the sixfold turn in skew coordinates."""


def hexagonal() -> Group:
    turn, mirror = integers([[1, -1], [1, 0]]), integers([[1, -1], [0, -1]])
    return Group("hexagonal lattice, skew coordinates", 2, (turn, mirror), ("r", "f"))


def test_a_square_box_on_a_hexagonal_lattice_is_no_equivariant_layer() -> None:
    layer = PDOConv2d(hexagonal(), "trivial", "trivial", order=2, size=3, stencil="fd").double()
    report = check_equivariance(layer)
    assert len(report.errors) == 12
    assert sum(error > 1e-3 for error in report.errors) == 8


@pytest.mark.parametrize("padding_mode", ["zeros", "circular"])
def test_a_hexagon_on_a_hexagonal_lattice_is_an_equivariant_layer(padding_mode: str) -> None:
    layer = torch.nn.Conv2d(1, 1, 3, padding=1, padding_mode=padding_mode).double()
    with torch.no_grad():
        layer.weight.zero_()
        layer.weight[0, 0, 1, 1] = -6
        for a, b in HEXAGON:
            layer.weight[0, 0, 1 + b, 1 + a] = 1
    scalar = field_type("trivial", hexagonal())
    report = check_equivariance(layer, scalar, scalar)
    assert len(report.errors) == 12
    assert report.error < 1e-15
    with torch.no_grad():
        layer.weight[0, 0, 0, 2] = 0.1
    assert not check_equivariance(layer, scalar, scalar)


def test_points_are_moved_exactly_and_only_where_they_are_points() -> None:
    scalar = field_type("trivial", hexagonal())
    x = torch.zeros(1, 1, 5, 5, dtype=torch.float64)
    x[0, 0, 2, 3] = 7  # the point (1, 0), which r takes to (1, 1)
    turned = transform(x, [[1, -1], [1, 0]], scalar)
    assert turned[0, 0, 3, 3] == 7
    assert turned.abs().sum() == 7
    with pytest.raises(NotAGridSymmetryError, match="odd sizes"):
        transform(torch.zeros(1, 1, 4, 4), [[1, -1], [1, 0]], scalar)


@pytest.mark.parametrize("fields", ["trivial", "vector", "regular"])
def test_a_layer_on_a_hexagonal_lattice_is_equivariant_under_sixfold_turns(fields: str) -> None:
    layer = PDOConv2d(hexagonal(), fields, fields, order=2, size=3, stencil="fd", window="closed").double()
    report = check_equivariance(layer)
    assert len(report.errors) == 12
    assert report.error < 1e-13
