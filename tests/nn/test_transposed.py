"""Transposed layers: adjoints, exactly, and equivariant."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from pdobasis.layers.errors import NotEquivariantError  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    Adjoint,
    EquivarianceWarning,
    LayerError,
    PDOConv1d,
    PDOConv2d,
    PDOConv3d,
    PDOConvTranspose1d,
    PDOConvTranspose2d,
    PDOConvTranspose3d,
    check_equivariance,
)

CASES: list[tuple[Any, Any, tuple[str, str, str], dict[str, Any]]] = [
    (PDOConv2d, PDOConvTranspose2d, ("D4", "vector + trivial", "regular + vector"), {"size": 3}),
    (PDOConv2d, PDOConvTranspose2d, ("C8", "2xregular", "regular"), {"size": 5, "stencil": "fd", "dilation": 2}),
    (PDOConv2d, PDOConvTranspose2d, ("D4", "2xvector", "2xregular"), {"size": 5, "groups": 2, "stencil": "kernel"}),
    (
        PDOConv2d,
        PDOConvTranspose2d,
        ("C4", "vector", "vector + trivial"),
        {"size": (4, 3), "stencil": "fd", "layout": "image"},
    ),
    (PDOConv1d, PDOConvTranspose1d, ("O(1)", "det", "trivial"), {"size": 3}),
    (PDOConv3d, PDOConvTranspose3d, ("O", "vector", "trivial + vector"), {"size": 3, "stencil": "rbffd"}),
]


@pytest.mark.parametrize(("kind", "transposed", "question", "options"), CASES)
def test_with_stride_one_it_is_the_layer(kind: Any, transposed: Any, question: Any, options: Any) -> None:
    layer = kind(*question, **options, dtype=torch.float64)
    up = transposed(*question, **options, dtype=torch.float64)
    up.load_state_dict(layer.state_dict())
    reach = [d * (k - 1) for d, k in zip(layer.dilation, layer.kernel_size, strict=True)]
    x = torch.randn(2, layer.in_channels, *(11 - n for n in range(layer.dim)), dtype=torch.float64)
    # Padding with all that the stencil reaches gives every place where a stencil touches the image.
    padded = nn.functional.pad(x, [r for n in reversed(reach) for r in (n, n)])
    torch.testing.assert_close(up(x), layer(padded))


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize(("kind", "transposed", "question", "options"), CASES)
def test_adjoint(kind: Any, transposed: Any, question: Any, options: Any, stride: int) -> None:
    """<L x, z> = <x, L^T z>."""
    with pytest.warns(EquivarianceWarning) if stride > 1 else _nothing():
        layer = kind(*question, **options, stride=stride, padding=1, bias=False, dtype=torch.float64)
    x = torch.randn(2, layer.in_channels, *(12 - n for n in range(layer.dim)), dtype=torch.float64)
    y = layer(x)
    z = torch.randn_like(y)
    back = Adjoint(layer)(z, output_size=x.shape)
    torch.testing.assert_close((y * z).sum(), (x * back).sum(), rtol=1e-12, atol=1e-10)
    assert (Adjoint(layer).in_type, Adjoint(layer).out_type) == (layer.out_type, layer.in_type)


def _nothing() -> Any:
    from contextlib import nullcontext

    return nullcontext()


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize(("kind", "transposed", "question", "options"), CASES)
def test_equivariant_on_the_grid(kind: Any, transposed: Any, question: Any, options: Any, stride: int) -> None:
    if isinstance(options["size"], tuple):
        options = {**options, "size": 4}
    up = transposed(*question, **options, stride=stride, padding=1, dtype=torch.float64)
    with torch.no_grad():
        if up.bias is not None:
            up.bias.normal_()
    assert check_equivariance(up, size=6).error < 1e-12
    assert up(torch.randn(1, up.in_channels, *[6] * up.dim, dtype=torch.float64)).shape[2:] == tuple(
        5 * stride - 2 + d * (k - 1) + 1 for d, k in zip(up.dilation, up.kernel_size, strict=True)
    )
    # Broken on purpose, the check sees it.
    broken = up.to_conv()
    with torch.no_grad():
        broken.weight.mul_(torch.rand_like(broken.weight))
    assert check_equivariance(broken, up.in_type, up.out_type, size=6, layout=up.layout).error > 1e-3


@pytest.mark.parametrize(("kind", "transposed", "question", "options"), CASES)
def test_to_conv_and_gradients(kind: Any, transposed: Any, question: Any, options: Any) -> None:
    up = transposed(*question, **options, stride=2, padding=1, dtype=torch.float64)
    x = torch.randn(2, up.in_channels, *[5] * up.dim, dtype=torch.float64)
    torch.testing.assert_close(up.to_conv()(x), up(x))
    torch.testing.assert_close(up.eval()(x), up.train()(x))
    up(x).square().sum().backward()
    assert all(p.grad is not None and float(p.grad.abs().sum()) > 0 for p in up.parameters())


def test_sizes() -> None:
    up = PDOConvTranspose2d("C4", "trivial", "trivial", size=3, stride=2, padding=1)
    plain = nn.ConvTranspose2d(1, 1, 3, 2, 1)
    x = torch.randn(1, 1, 5, 6)
    assert up(x).shape == plain(x).shape
    assert up(x, output_size=(10, 11)).shape == plain(x, output_size=(10, 11)).shape
    for wrong in ((8, 11), (11, 11), (10,)):
        with pytest.raises(LayerError, match=r"from \(9, 11\) to \(10, 12\)"):
            up(x, output_size=wrong)
    with pytest.warns(EquivarianceWarning, match="output_padding adds points on one side"):
        PDOConvTranspose2d("C4", "trivial", "trivial", size=3, stride=2, padding=1, output_padding=1)


def test_refusals() -> None:
    with pytest.raises(LayerError, match="that of a PDOConv, got Linear"):
        Adjoint(nn.Linear(1, 1))  # type: ignore[arg-type]
    with pytest.raises(LayerError, match="padding with zeros"):
        Adjoint(PDOConv2d("C4", "trivial", "vector", size=3, padding=1, padding_mode="circular"))
    with pytest.raises(NotEquivariantError, match="an adjoint"):
        Adjoint(PDOConv3d("SO(3)", "irrep(2,rational)", "trivial", size=3))
    with pytest.raises(LayerError, match=r"images of trivial are \(batch, 1, 2 space axes\), got"):
        PDOConvTranspose2d("C4", "trivial", "vector", size=3)(torch.randn(1, 2, 5, 5))


def test_off_grid_error() -> None:
    """With stride 1 that of the layer of the same question; with more, smooth fields are none when they are spread."""
    question = ("C8", "regular", "2xtrivial + vector", 2)
    layer, transposed = PDOConv2d(*question, size=5), PDOConvTranspose2d(*question, size=5)
    transposed.load_state_dict(layer.state_dict())
    for of in ("weights", "basis"):
        assert transposed.off_grid_error(of) == pytest.approx(layer.off_grid_error(of), rel=1e-6)
    assert transposed.off_grid_error() > 1e-5
    with pytest.raises(LayerError, match="stride 1"):
        PDOConvTranspose2d(*question, size=5, stride=2).off_grid_error()


def test_one_image_without_a_batch() -> None:
    up = PDOConvTranspose2d("C4", "vector", "regular", size=3, stride=2, padding=1, dtype=torch.float64)
    x = torch.randn(2, 5, 5, dtype=torch.float64)
    torch.testing.assert_close(up(x), up(x[None])[0])
    assert up(x, output_size=(10, 9)).shape == (4, 10, 9)
