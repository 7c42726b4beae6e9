"""All equivariant products of two fields."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from pdobasis import field_type, group  # noqa: E402
from pdobasis.layers.elements import rho  # noqa: E402
from pdobasis.nn import LayerError, TensorProduct  # noqa: E402
from pdobasis.nn.fields import transform  # noqa: E402


def fields(name: str, *texts: str) -> list[Any]:
    own = group(name)
    return [field_type(text, own) for text in texts]


@pytest.mark.parametrize(
    ("name", "left", "right", "out", "count"),
    [
        ("O(3)", "vector", "vector", "trivial", 1),  # v.w
        ("SO(3)", "vector", "vector", "vector", 1),  # v x w
        ("O(2)", "vector", "vector", "trivial + det", 2),
        ("SO(2)", "vector", "vector", "trivial", 2),  # v.w and the determinant
        ("SO(3)", "irrep(2)", "irrep(3)", "irrep(1) + irrep(2) + irrep(5) + irrep(6)", 3),  # |l1 - l2| <= l <= l1 + l2
        ("C4", "regular", "regular", "regular", 16),  # |G|² for regular fields
    ],
)
def test_counts(name: str, left: str, right: str, out: str, count: int) -> None:
    """The number of bilinear maps is the multiplicity of the output in the tensor product."""
    layer = TensorProduct(*fields(name, left, right, out))
    assert sum(p.numel() for p in layer.parameters()) == count


def test_counts_are_inner_products_of_characters() -> None:
    own = group("D4")
    elements = [np.asarray(m, dtype=float) for m in _matrices("D4")]
    for texts in (
        ("vector", "regular", "vector"),
        ("regular + det", "vector", "trivial + regular"),
        ("det", "det", "regular"),
    ):
        types = [field_type(t, own) for t in texts]
        characters = [np.array([sum(np.trace(rho(r, g)) for r in f) for g in elements]) for f in types]
        expected = round(float(np.mean(np.prod(characters, axis=0))))
        assert sum(p.numel() for p in TensorProduct(*types).parameters()) == expected


def _matrices(name: str) -> Any:
    from pdobasis.exact.numbers import to_float

    return [to_float(g) for g in group(name).elements]


CASES = [
    ("D4", "2xvector + trivial", "regular + vector", "trivial + 2xvector + det"),
    ("C8", "regular + vector + regular", "vector + trivial", "2xregular"),
    ("O", "vector", "2xtrivial + vector", "vector + trivial"),
]


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize(("name", "left", "right", "out"), CASES)
def test_equivariant(name: str, left: str, right: str, out: str, paired: bool) -> None:
    torch.manual_seed(0)
    types = fields(name, left, right, out)
    if paired:
        types[1] = types[0]
    layer = TensorProduct(*types, paired=paired, dtype=torch.float64)
    space = [5] * types[0].group.dim
    x, y = (torch.randn(2, f.size, *space, dtype=torch.float64) for f in types[:2])
    z = layer(x, y)
    for g in _matrices(name):
        if np.abs(g - np.rint(g)).max() > 1e-9:
            continue
        moved = layer(transform(x, g, types[0]), transform(y, g, types[1]))
        torch.testing.assert_close(moved, transform(z, g, types[2]), rtol=1e-9, atol=1e-9)
    # Linear in both.
    torch.testing.assert_close(layer(2 * x, y) + layer(x, y), layer(x, 3 * y))
    # Broken on purpose: one map that is not equivariant.
    layer.get_buffer("maps_0").add_(torch.rand_like(layer.get_buffer("maps_0")))
    worst = max(
        float(
            (layer(transform(x, g, types[0]), transform(y, g, types[1])) - transform(layer(x, y), g, types[2]))
            .detach()
            .abs()
            .max()
        )
        for g in _matrices(name)
        if np.abs(g - np.rint(g)).max() < 1e-9
    )
    assert worst > 1e-3


def test_variance_and_products_that_everybody_knows() -> None:
    torch.manual_seed(0)
    dot = TensorProduct(*fields("O(3)", "vector", "vector", "trivial"), dtype=torch.float64)
    v, w = torch.randn(2, 7, 3, 4, dtype=torch.float64)
    ratio = dot(v, w) / (v * w).sum(1, keepdim=True)
    torch.testing.assert_close(ratio, ratio[0, 0, 0].expand_as(ratio))
    cross = TensorProduct(*fields("SO(3)", "vector", "vector", "vector"), dtype=torch.float64)
    ratio = cross(v, w) / torch.linalg.cross(v, w, dim=1)
    torch.testing.assert_close(ratio, ratio[0, 0, 0].expand_as(ratio))
    layer = TensorProduct(*fields("C8", "8xregular", "8xregular", "8xregular"))
    x, y = torch.randn(2, 256, 64)
    assert 0.8 < float(layer(x, y).detach().var()) < 1.25


def test_refusals() -> None:
    scalar, vector = fields("O(2)", "trivial", "vector")
    with pytest.raises(LayerError, match="no bilinear map"):
        TensorProduct(scalar, scalar, vector)
    with pytest.raises(LayerError, match="belongs to"):
        TensorProduct(scalar, vector, fields("C4", "vector")[0])
    with pytest.raises(LayerError, match="field k with field k"):
        TensorProduct(vector * 2, vector, vector * 2, paired=True)
    layer = TensorProduct(scalar, vector, vector)
    with pytest.raises(LayerError, match="same batch and space"):
        layer(torch.randn(1, 1, 3, 3), torch.randn(1, 2, 4, 4))
    with pytest.raises(LayerError, match="needs a field type"):
        TensorProduct("vector", vector, vector)  # type: ignore[arg-type]
    assert isinstance(layer, nn.Module)
    assert "O(2), trivial * vector -> vector" in repr(layer)
