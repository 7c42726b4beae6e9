"""Networks to start from: parameters, shapes, equivariance."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from pdobasis import field_type, group  # noqa: E402
from pdobasis.nn import LayerError, check_equivariance  # noqa: E402
from pdobasis.nn.fields import transform_fibre  # noqa: E402
from pdobasis.nn.models import PointNetwork, UNet, WideResNet, regular_network, spatial_network  # noqa: E402


def parameters(model: nn.Module) -> int:
    return sum(p.numel() for p in model.parameters())


def on_meta(build: Any, **options: Any) -> nn.Module:
    with torch.device("meta"):
        model: nn.Module = build(**options)
    return model


@pytest.mark.parametrize(("size", "count"), [(5, 1_091_206), (3, 933_662)])
def test_complete_networks_of_the_paper(size: int, count: int) -> None:
    model = on_meta(regular_network, size=size, stencil="fd")
    assert parameters(model) == count
    assert model(torch.empty(2, 1, 28, 28, device="meta")).shape == (2, 10)


@pytest.mark.parametrize(("size", "count"), [(5, 941_958), (3, 837_022)])
@pytest.mark.parametrize("stencil", ["fd", "gauss", "rbffd"])
@pytest.mark.filterwarnings("ignore::pdobasis.layers.errors.EquivarianceWarning")
def test_networks_that_the_paper_trained(size: int, count: int, stencil: str) -> None:
    """Of all PDOs those without an offset of the frequency: the numbers in the paper's table."""
    assert parameters(on_meta(regular_network, size=size, stencil=stencil, max_offset=0)) == count


def test_wide_resnet_has_the_parameters_of_the_paper() -> None:
    """3.2 million, printed; counted by hand: 160 = 16 * 10 elements between regular fields of D8, 48 of D4, 12 of D1.

    The first layer has 16 / sqrt(16) = 4 fields. With one (16 channels) it would be 3 * 1440 parameters less:
    1440 = 30 of the first layer, 8 * 160 and 8 * 16 of the two behind it, 2 of a norm.
    """
    stage_1 = 4 * 3 * 10 + 4 * 8 * 160 + 3 * 64 * 160 + 4 * 8 * 16
    stage_2 = 16 * 32 * 48 + 3 * 32 * 32 * 48 + 16 * 32 * 8
    stage_3 = 128 * 256 * 12 + 2 * 256 * 256 * 12 + 256 * 512 * 6 + 128 * 256 * 2 + 256 * 512
    norms = 2 * (4 + 8 + 8 + 8 + 16 + 32 + 32 + 32 + 128 + 256 + 256 + 256 + 512)
    model = on_meta(WideResNet)
    assert parameters(model) == stage_1 + stage_2 + stage_3 + norms + 512 * 10 + 10 == 3_169_946
    assert model(torch.empty(2, 3, 96, 96, device="meta")).shape == (2, 10)


def test_wide_resnet_is_invariant_under_its_last_group() -> None:
    """Left and right: exactly, on images of 8k + 1 points."""
    torch.manual_seed(0)
    model = WideResNet(10, 1, groups=("D4", "D2", "D1(pi/2)")).double().eval()
    x = torch.randn(2, 3, 33, 33, dtype=torch.float64)
    torch.testing.assert_close(model(x.flip(3)), model(x), rtol=1e-9, atol=1e-9)
    assert float((model(x.flip(2)) - model(x)).detach().abs().max()) > 1e-6


def test_regular_network_is_invariant() -> None:
    torch.manual_seed(0)
    scalars = field_type("10xtrivial", group("D4"))
    # Maxima of 2x2 points have to tile the images: 30 -> 28 -> 14 -> 7 and 28 -> 24 -> 12 -> 6.
    for size, points in ((5, 30), (3, 28)):
        model = regular_network("D4", size=size, width=1 / 8).double()
        assert check_equivariance(model, out_type=scalars, size=points).error < 1e-10
    assert parameters(regular_network(fields=(1, 1, 1, 1, 1, 1), stencil="fd")) > 0
    with pytest.raises(LayerError, match="size is 5 or 3"):
        regular_network(size=7)
    with pytest.raises(LayerError, match="6 numbers"):
        regular_network(fields=(1, 2))


@pytest.mark.parametrize("stencil", ["fd", "kernel"])
def test_unet_gives_vectors(stencil: str) -> None:
    torch.manual_seed(0)
    model = UNet("D4", "trivial + vector", "vector + trivial", fields=(1, 2, 2), stencil=stencil).double()
    assert model(torch.randn(1, 3, 16, 16, dtype=torch.float64)).shape == (1, 3, 16, 16)
    assert check_equivariance(model, model.in_type, model.out_type, size=16).error < 1e-9
    with pytest.raises(LayerError, match="multiples of 4"):
        model(torch.randn(1, 3, 15, 16, dtype=torch.float64))


def test_spatial_network() -> None:
    torch.manual_seed(0)
    model = spatial_network("Oh", "vector", fields=(1, 1), classes=3).double()
    scalars = field_type("3xtrivial", group("Oh"))
    assert check_equivariance(model, out_type=scalars, size=6).error < 1e-10


def test_point_network_is_equivariant_under_all_angles() -> None:
    torch.manual_seed(0)
    model = PointNetwork("C8", "trivial + vector", "vector", fields=(2, 2), dtype=torch.float64).double().eval()
    points = np.random.default_rng(0).random((60, 2)) - 0.5
    jets = model.jets(points)
    model.reset_for(jets)
    x = torch.randn(2, 3, 60, dtype=torch.float64)
    y = model(x, jets)
    c = np.sqrt(0.5)
    g = np.array([[c, -c], [c, c]])
    moved = model(transform_fibre(x, g, model.in_type), model.jets(points @ g.T))
    torch.testing.assert_close(moved, transform_fibre(y, g, model.out_type), rtol=1e-6, atol=1e-6)


def test_models_train() -> None:
    torch.manual_seed(0)
    model = regular_network("C4", size=3, width=1 / 16, dropout=0.0)
    optimiser = torch.optim.Adam(model.parameters(), 0.02)
    x = torch.randn(20, 1, 28, 28)
    y = torch.arange(20) % 10
    first = last = 0.0
    for step in range(12):
        loss = nn.functional.cross_entropy(model(x), y)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        last = float(loss.detach())
        first = first or last
        assert np.isfinite(last), step
    assert last < first
