"""Jets: all ways of taking and mixing derivatives are one convolution, forwards, backwards and once more."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from pdobasis.nn import PDOConv1d, PDOConv2d, PDOConv3d  # noqa: E402
from pdobasis.nn import jets as jets_module  # noqa: E402
from pdobasis.nn import mix as mix_module  # noqa: E402

DERIVATIVES = {
    "whole images": {"SMALL": 10**6},
    "axes": {"SMALL": 0},
    "convolutions": {"SMALL": 0, "LONGEST": 0},
}
PRODUCTS = {
    "for all images": {"LARGE": 10**6},
    "for each image": {"LARGE": 0},
    "one image at a time": {"LARGE": 0, "NUMBERS_AT_ONCE": 1},
    "images joined, few at a time": {"LARGE": 10**6, "NUMBERS_AT_ONCE": 1},
}
LAYERS: dict[str, Any] = {
    "line": (PDOConv1d, "inversion(1)", (9,)),
    "plane": (PDOConv2d, "D4", (7, 9)),
    "space": (PDOConv3d, "SO(3)", (5, 6, 7)),
}


@pytest.fixture(params=DERIVATIVES)
def derivatives(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in DERIVATIVES[request.param].items():
        monkeypatch.setattr(jets_module, name, value)
    return str(request.param)


@pytest.fixture(params=PRODUCTS)
def products(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in PRODUCTS[request.param].items():
        monkeypatch.setattr(mix_module, name, value)
    return str(request.param)


def pair(name: str, **options: Any) -> tuple[Any, Any, Any]:
    """The same layer, dense and by jets, in double precision, and images for it."""
    kind, group, shape = LAYERS[name]
    options = {"order": 2, "size": 3, "padding": 1, "dtype": torch.float64, "groups": 2, **options}
    dense, jets = (kind(group, "2xvector", "2xvector", apply=way, **options) for way in ("dense", "jets"))
    jets.load_state_dict(dense.state_dict())
    torch.manual_seed(0)
    return dense, jets, torch.randn(3, jets.in_channels, *shape, dtype=torch.float64)


@pytest.mark.usefixtures("derivatives", "products")
@pytest.mark.parametrize("name", LAYERS)
def test_every_way_is_the_same_convolution(name: str) -> None:
    dense, jets, x = pair(name)
    x.requires_grad_()
    y, wanted = jets(x), dense(x)
    torch.testing.assert_close(y, wanted)
    back = torch.randn_like(y)
    ours = torch.autograd.grad(y, [x, *jets.parameters()], back)
    theirs = torch.autograd.grad(wanted, [x, *dense.parameters()], back)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b)
    with torch.no_grad():
        torch.testing.assert_close(jets.eval()(x), wanted)


@pytest.mark.usefixtures("products")
@pytest.mark.parametrize(("stencil", "options"), [
    ("fd", {"stride": 2, "padding": 2}),
    ("gauss", {"padding_mode": "circular"}),
    ("kernel", {"dilation": 2, "padding": 2}),
    ("rbffd", {"padding": "same", "groups": 1, "bias": False}),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore:with stride")
def test_small_images_by_one_matrix(stencil: str, options: dict[str, Any]) -> None:
    """Whatever the stencil, padding and stride; atoms that are no products too."""
    dense, jets, x = pair("plane", stencil=stencil, **options)
    assert x[0, 0].numel() <= jets_module.SMALL
    torch.testing.assert_close(jets(x), dense(x))
    (jets(x).square().sum() - dense(x).square().sum()).backward()
    for a, b in zip(jets.parameters(), dense.parameters(), strict=True):
        torch.testing.assert_close(a.grad, -b.grad)


@pytest.mark.usefixtures("derivatives")
def test_gradients_of_gradients() -> None:
    _, jets, x = pair("plane", padding=0)
    weights = dict(jets.named_parameters())

    def of(x: Any, *values: Any) -> Any:
        return torch.func.functional_call(jets, dict(zip(weights, values, strict=True)), (x,))

    inputs = (x[:, :, :4, :4].clone().requires_grad_(), *weights.values())
    assert torch.autograd.gradcheck(of, inputs, fast_mode=True)
    assert torch.autograd.gradgradcheck(of, inputs, fast_mode=True)


def test_only_what_is_needed_gets_a_gradient() -> None:
    _, jets, x = pair("plane")
    jets(x).sum().backward()
    assert x.grad is None
    for parameter in jets.parameters():
        parameter.requires_grad_(False)
    x.requires_grad_()
    jets(x).sum().backward()
    assert x.grad is not None


def test_no_derivative_is_kept_for_the_way_back() -> None:
    """What autograd holds of an image are the image and the filter's coefficients: not ten derivatives of it."""
    _, jets, x = pair("plane", order=3, size=5, padding=2)
    x = torch.randn(64, jets.in_channels, 12, 12, dtype=torch.float64, requires_grad=True)
    held: dict[int, int] = {}

    def pack(tensor: Any) -> Any:
        storage = tensor.untyped_storage()
        held[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        jets(x)
    of_layer = sum(b.numel() * b.element_size() for b in jets.buffers()) + jets.mixing().numel() * 8 * 2
    assert x.numel() * 8 <= sum(held.values()) <= x.numel() * 8 + of_layer


def test_autocast_goes_both_ways() -> None:
    _, jets, x = pair("plane")
    jets, x = jets.float(), x.float().requires_grad_()
    wanted = torch.autograd.grad(jets(x).sum(), [x, *jets.parameters()])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = jets(x)
    assert y.dtype == torch.bfloat16
    for found, expected in zip(torch.autograd.grad(y.sum(), [x, *jets.parameters()]), wanted, strict=True):
        assert found.dtype == torch.float32
        torch.testing.assert_close(found, expected, rtol=0.1, atol=0.2)


def test_what_is_said_of_one_pixel_that_is_no_number() -> None:
    """With a dense filter it reaches its neighbours, with jets the whole image, and no other image of the batch."""
    reached = {}
    for way in ("dense", "jets"):
        layer = PDOConv2d("C4", "2xregular", "regular", size=5, padding=2, apply=way)
        x = torch.zeros(2, 8, 32, 32)
        x[0, 3, 16, 16] = torch.nan
        reached[way] = layer(x).isnan().any(dim=1).sum(dim=(1, 2)).tolist()
    assert reached == {"dense": [25, 0], "jets": [32 * 32, 0]}
