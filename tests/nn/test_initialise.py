"""How weights start."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from pdobasis.layers.errors import NotEquivariantError  # noqa: E402
from pdobasis.nn import LayerError, PDOConv2d, PDOConv3d, PDOPointConv, Pointwise, check_equivariance  # noqa: E402

STENCILS = ["fd", "gauss", "rbffd", "kernel"]


@pytest.mark.parametrize("parametrisation", ["graded", "orthonormal", "unit", "plain"])
@pytest.mark.parametrize("stencil", STENCILS)
def test_he_keeps_the_variance(stencil: str, parametrisation: str) -> None:
    """The mean of |filter|² over many layers is the number of outputs, in every parametrisation: exactly in the mean."""
    torch.manual_seed(0)
    layer = PDOConv2d("C8", "4xregular", "4xregular", 2, size=5, stencil=stencil, parametrisation=parametrisation)
    total = 0.0
    for _ in range(60):
        layer.reset_parameters(gain=2)
        total += float(layer.filter().detach().square().sum()) / layer.out_channels
    assert abs(total / 60 - 4) < 0.2


def test_he_starts_alike_in_every_parametrisation() -> None:
    filters = []
    for parametrisation in ("graded", "orthonormal", "unit", "plain"):
        torch.manual_seed(3)
        layer = PDOConv2d(
            "C8",
            "2xregular",
            "regular + vector",
            3,
            size=5,
            stencil="fd",
            parametrisation=parametrisation,
            dtype=torch.float64,
        )
        filters.append(layer.filter().detach())
    torch.testing.assert_close(filters[0], filters[1], rtol=1e-9, atol=1e-9)
    torch.testing.assert_close(filters[0], filters[2], rtol=1e-9, atol=1e-9)


def chain(depth: int, **options: Any) -> tuple[list[PDOConv2d], int]:
    layers = [PDOConv2d("C8", "4xregular", "4xregular", size=5, padding=2, padding_mode="circular", bias=False, **options)
              for _ in range(depth)]  # fmt: skip
    return layers, layers[0].in_channels


@pytest.mark.parametrize("stencil", STENCILS)
def test_he_through_ten_layers(stencil: str) -> None:
    r"""A frequency k is amplified by the mean of |F(k)|² / c_out in each layer, so white input ends with the mean over
    k of its tenth power: 1 for one layer, whatever the stencil, and more behind stencils that prefer some frequencies.
    """
    torch.manual_seed(1)
    layers, channels = chain(10, stencil=stencil, order=2)
    gains = torch.zeros(16, 16)
    for _ in range(40):
        layers[0].reset_parameters()
        filters = nn.functional.pad(layers[0].filter().detach(), (0, 11, 0, 11))
        gains += torch.fft.fft2(filters).abs().square().sum((0, 1)) / channels / 40
    assert abs(float(gains.mean()) - 1) < 0.1
    expected = float((gains**10).mean())
    variances = []
    for _ in range(6):
        for layer in layers:
            layer.reset_parameters()
        variances.append(float(nn.Sequential(*layers)(torch.randn(4, channels, 16, 16)).detach().var()))
    # Layers of 32 outputs scatter: compared as powers of ten, within a factor of 3.
    mean = float(torch.tensor(variances).log().mean().exp())
    assert 1 / 3 < mean / expected < 3, (mean, expected)


@pytest.mark.parametrize("parametrisation", ["graded", "orthonormal", "plain"])
@pytest.mark.parametrize("stencil", ["fd", "rbffd"])
def test_delta_is_an_isometry_through_ten_layers(stencil: str, parametrisation: str) -> None:
    """Order 0 of these stencils is the point itself: |f(x)| = |x|, to rounding."""
    torch.manual_seed(1)
    layers, channels = chain(10, stencil=stencil, order=2, init="delta", parametrisation=parametrisation)
    model = nn.Sequential(*layers)
    x = torch.randn(2, channels, 9, 9, dtype=torch.float64)
    y = model.double()(x)
    torch.testing.assert_close(y.norm(), x.norm(), rtol=1e-5, atol=0)
    assert check_equivariance(model).error < 1e-12


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        (PDOConv2d, ("C8", "trivial", "3xregular")),
        (PDOConv2d, ("C16", "4xregular", "2xregular + vector")),
        (PDOConv2d, ("D4", "vector + 2xtrivial", "regular + det")),
        (PDOConv2d, ("O(2)", "trivial", "vector + irrep(1,2)")),
        (PDOConv3d, ("O", "vector", "trivial + 2xvector")),
    ],
)
def test_delta_reaches_all_outputs(kind: Any, question: tuple[str, str, str]) -> None:
    """Order 0 where it can, He's weights where it cannot, all equivariant; no output starts at zero."""
    torch.manual_seed(0)
    layer = kind(*question, 2, size=5, stencil="fd", init="delta", bias=False, dtype=torch.float64)
    assert check_equivariance(layer, size=9).error < 1e-12
    reached = layer.filter().detach().flatten(1).square().sum(1)
    assert float(reached.min()) > 1e-3
    # What order 0 reaches it reaches alone: W W^T is the projection P, up to scale, and the rest of F is (1 - P) F.
    matrix = torch.tensor(layer.operator().matrix)
    w = matrix[..., 0]
    u, s, _ = torch.linalg.svd(w, full_matrices=False)
    held = u[:, s > 1e-9 * (s.max() + 1e-300)]
    torch.testing.assert_close(
        held.T @ matrix[..., 1:].flatten(1),
        torch.zeros(held.shape[1], w.shape[1] * (matrix.shape[2] - 1), dtype=w.dtype),
        atol=1e-9,
        rtol=0,
    )
    if len(s[s > 1e-9]):
        torch.testing.assert_close(s[s > 1e-9], s[0].expand(int((s > 1e-9).sum())), rtol=1e-9, atol=0)


def test_delta_needs_orthogonal_fields() -> None:
    with pytest.raises(NotEquivariantError, match="delta"):
        PDOConv3d("SO(3)", "irrep(2,rational)", "irrep(2,rational)", 2, size=3, init="delta")


@pytest.mark.parametrize("stencil", ["fd", "rbffd"])
def test_identity(stencil: str) -> None:
    layer = PDOConv2d(
        "D4",
        "2xregular + vector",
        "2xregular + vector",
        2,
        size=3,
        stencil=stencil,
        padding=1,
        init="identity",
        dtype=torch.float64,
    )
    x = torch.randn(2, layer.in_channels, 7, 7, dtype=torch.float64)
    torch.testing.assert_close(layer(x), x, rtol=1e-9, atol=1e-9)
    wider = PDOConv2d(
        "D4",
        "regular + trivial",
        "3xregular + vector",
        2,
        size=3,
        stencil=stencil,
        padding=1,
        init="identity",
        dtype=torch.float64,
    )
    y = wider(x[:, :9])
    torch.testing.assert_close(y[:, :8], x[:, :8], rtol=1e-9, atol=1e-9)
    assert float(y[:, 8:].detach().abs().max()) < 1e-9
    with pytest.raises(LayerError, match="between equal fields"):
        PDOConv2d("D4", "vector", "regular", 2, size=3, init="identity")


def test_zero_trains() -> None:
    layer = PDOConv2d("C4", "regular", "regular", 2, size=3, init="zero", padding=1)
    x = torch.randn(1, 4, 5, 5)
    assert float(layer(x).detach().abs().max()) == 0
    (layer(x) - 1).square().sum().backward()
    assert layer.weight.grad is not None
    assert float(layer.weight.grad.abs().sum()) > 0


def test_reset_by_another_name() -> None:
    torch.manual_seed(0)
    layer = PDOConv2d("C4", "regular", "regular", 2, size=3)
    layer.reset_parameters(init="zero")
    assert float(layer.weight.detach().abs().max()) == 0
    layer.reset_parameters()
    assert float(layer.weight.detach().abs().max()) > 0
    model = nn.Sequential(layer, Pointwise(layer.out_type))
    assert check_equivariance(model.double()).holds


@pytest.mark.parametrize("init", ["identity", "delta"])
@pytest.mark.parametrize(
    "stencil", [{}, {"spacing": 0.1}, *({"stencil": s} for s in STENCILS), {"stencil": ["gauss", "fd"]}]
)
def test_constant_fields_are_kept_whatever_the_stencil(stencil: dict[str, Any], init: str) -> None:
    """Order 0 of smoothing stencils is a mean: of equal numbers it is that number, through ten layers."""
    torch.manual_seed(0)
    layers, channels = chain(10, init=init, order=2, **stencil)
    x = torch.randn(2, channels, 1, 1, dtype=torch.float64).expand(2, channels, 9, 9)
    y = nn.Sequential(*layers).double()(x)
    torch.testing.assert_close(y.norm(), x.norm(), rtol=1e-5, atol=0)
    if init == "identity":
        torch.testing.assert_close(y, x, rtol=1e-5, atol=1e-5)


def test_the_identity_on_points_is_the_identity() -> None:
    layer = PDOPointConv("C4", "regular", "regular", init="identity", bias=False, dtype=torch.float64)
    assert "1 identity" in str(layer.operator())
    x = torch.randn(1, 4, 40, dtype=torch.float64)
    torch.testing.assert_close(layer(x, layer.jets(torch.rand(40, 2))), x, rtol=1e-6, atol=1e-6)


def test_a_gain_that_is_no_number_is_refused() -> None:
    layer = PDOConv2d("C4", "trivial", "vector", 1, size=3)
    with pytest.raises(LayerError, match="gain"):
        layer.reset_parameters(gain=float("nan"))
