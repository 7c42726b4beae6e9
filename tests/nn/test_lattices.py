"""Layers on lattices: sixfold turns move points to points, so that a layer commutes with them exactly."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import pdobasis
from pdobasis.files import export_stencils
from pdobasis.layers.errors import LayerError
from pdobasis.nn import PDOConv2d, PDOConv3d, PDOConvTranspose2d, check_equivariance
from pdobasis.nn.fields import transform
from pdobasis.stencils.lattices import Lattice


def turned(x: torch.Tensor, m: np.ndarray[Any, Any]) -> torch.Tensor:
    """x(M^{-1} n) around the middle of an odd array, point by point; zero where that lies outside."""
    out = torch.zeros_like(x)
    size = x.shape[-1]
    half = size // 2
    for n2 in range(-half, half + 1):
        for n1 in range(-half, half + 1):
            a, b = m @ np.array([n1, n2])
            if abs(a) <= half and abs(b) <= half:
                out[..., int(b) + half, int(a) + half] = x[..., n2 + half, n1 + half]
    return out


def test_a_hexagonal_layer_under_sixfold_turns() -> None:
    """Regular fields of C6: a turn moves points by [[0, -1], [1, 1]] and the six channels by one."""
    torch.manual_seed(0)
    layer = PDOConv2d("C6", "trivial", "2xregular", lattice="hexagonal", size=5, padding=2, dtype=torch.float64)
    x = torch.zeros(1, 1, 25, 25, dtype=torch.float64)
    x[:, :, 8:17, 8:17] = torch.randn(1, 1, 9, 9, dtype=torch.float64)
    turn = np.array([[0, -1], [1, 1]])
    y = layer(x).detach()
    after = turned(y, turn).reshape(1, 2, 6, 25, 25).roll(1, dims=2).reshape(y.shape)
    before = layer(turned(x, turn)).detach()
    middle = (..., slice(4, 21), slice(4, 21))
    # What the border of the array cuts off lies outside of the middle.
    assert float((before - after)[middle].abs().max()) < 1e-14
    assert float((before - turned(y, turn))[middle].abs().max()) > 1e-2


LAYERS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("C6", "trivial", "4xregular", {}),
    ("D6", "2xregular", "vector", {"stencil": "fd"}),
    ("D3", "vector", "regular", {"stencil": "rbffd"}),
    ("D6", "regular", "regular", {"stencil": "kernel"}),
    ("O(2)", "vector", "irrep(1,2)", {"window": "ball sqrt(3)"}),
]


@pytest.mark.parametrize(("group", "source", "target", "options"), LAYERS)
def test_all_shared_elements(group: str, source: str, target: str, options: dict[str, Any]) -> None:
    layer = PDOConv2d(group, source, target, 2, lattice="hexagonal", size=5, padding=2, dtype=torch.float64, **options)
    report = check_equivariance(layer)
    assert report.holds
    assert len(report.errors) == {"C6": 6, "D3": 6}.get(group, 12)
    assert check_equivariance(PDOConv2d(group, source, target, 2, size=5, padding=2, dtype=torch.float64)).holds


def test_a_square_box_is_seen_to_fail() -> None:
    """The filter of a grid, called one of a lattice, does not commute with a sixfold turn."""
    layer = PDOConv2d("C6", "trivial", "trivial", 2, size=3, padding=1, dtype=torch.float64)
    hexagonal = PDOConv2d("C6", "trivial", "trivial", 2, size=3, padding=1, lattice="hexagonal", dtype=torch.float64)
    network = torch.nn.Sequential(hexagonal, layer)
    assert not check_equivariance(network).holds
    assert check_equivariance(torch.nn.Sequential(hexagonal, hexagonal)).holds


def test_in_space_and_transposed() -> None:
    body = PDOConv3d("Oh", "trivial", "vector", 1, lattice="bcc", size=3, padding=1, dtype=torch.float64)
    assert check_equivariance(body).holds
    back = PDOConvTranspose2d("D6", "vector", "trivial", 1, lattice="hexagonal", size=3, padding=1, dtype=torch.float64)
    assert check_equivariance(back).holds


def test_different_lattices_are_refused() -> None:
    parts = [PDOConv2d("C2", "trivial", "trivial", 2, size=3, lattice=name) for name in ("hexagonal", "square")]
    with pytest.raises(pdobasis.PdoBasisError, match="different lattices"):
        check_equivariance(torch.nn.Sequential(*parts))


def test_from_a_file_and_weights(tmp_path: Path) -> None:
    path = tmp_path / "h.npz"
    basis = pdobasis.solve("C6", "trivial", "regular", order=2)
    export_stencils(basis, path, "gauss", 5, normalize="moments", lattice="hexagonal", window="ball 2")
    layer = PDOConv2d.from_file(str(path), out_fields=3, padding=2, dtype=torch.float64)
    assert layer.lattice == Lattice.named("hexagonal")
    assert check_equivariance(layer).holds
    same = PDOConv2d(
        "C6", "trivial", "3xregular", 2, lattice="hexagonal", window="ball 2", size=5, padding=2, dtype=torch.float64
    )
    same.load_state_dict(layer.state_dict())
    x = torch.randn(1, 1, 9, 9, dtype=torch.float64)
    assert torch.equal(same(x), layer(x))
    others: list[dict[str, Any]] = [{}, {"lattice": "hexagonal"}, {"lattice": "square"}]
    for other in others:
        with pytest.raises(RuntimeError, match="another basis"):
            PDOConv2d("C6", "trivial", "3xregular", 2, size=5, dtype=torch.float64, **other).load_state_dict(
                layer.state_dict()
            )


def test_transform_takes_a_lattice() -> None:
    hexagonal = Lattice.named("hexagonal")
    field = pdobasis.field_type("trivial", pdobasis.group("C6"))
    x = torch.randn(1, 1, 7, 7, dtype=torch.float64)
    assert torch.equal(transform(x, 1, field, lattice=hexagonal), turned(x, np.array([[0, -1], [1, 1]])))


def test_the_lattice_of_a_turn_is_read_as_that_of_a_layer() -> None:
    x, fields = torch.randn(1, 1, 5, 5), pdobasis.field_type("trivial", "C6")
    turned = transform(x, 1, fields, lattice=Lattice.named("hexagonal"))
    assert torch.equal(transform(x, 1, fields, lattice="hexagonal"), turned)
    with pytest.raises(LayerError, match="lattice lies in dimension 3, the group C6 in 2"):
        transform(x, 1, fields, lattice="bcc")
