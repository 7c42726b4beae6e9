"""Weights that are loaded into a layer of another parametrisation, cloud or type: the same filters, or an error."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis.nn import PDOConv2d, PDOPointConv  # noqa: E402


def mixed(name: str, **options: Any) -> Any:
    """Two pairs of fields."""
    return PDOConv2d(
        "C4", "trivial + vector", "trivial", order=2, size=3, stencil="fd", parametrisation=name, bias=False, **options
    )


@pytest.mark.parametrize("name", ["graded", "orthonormal", "unit"])
def test_pairs_are_converted_one_by_one(name: str) -> None:
    """A file without one of them still has the others in its own coordinates."""
    plain, other = mixed("plain", dtype=torch.float64), mixed(name, dtype=torch.float64)
    before = other.filter().detach().clone()
    state = plain.state_dict()
    del state["weight_0_1"]
    found = other.load_state_dict(state, strict=False)
    assert found.missing_keys == ["weight_0_1"]
    torch.testing.assert_close(other.filter()[0, 0], plain.filter()[0, 0])
    torch.testing.assert_close(other.filter()[0, 1:], before[0, 1:])


def test_weights_under_other_names_are_not_taken_for_those_of_another_parametrisation() -> None:
    """torch's parametrisations keep a weight in parts: their product is in coordinates that cannot be changed."""
    wrapped = [torch.nn.utils.parametrizations.weight_norm(mixed(n), "weight_0_0") for n in ("plain", "graded")]
    with pytest.raises(RuntimeError, match=r"weight_0_0 in plain coordinates.*parametrisation='plain'"):
        wrapped[1].load_state_dict(wrapped[0].state_dict())
    same = torch.nn.utils.parametrizations.weight_norm(mixed("plain"), "weight_0_0")
    same.load_state_dict(wrapped[0].state_dict())
    torch.testing.assert_close(same.filter(), wrapped[0].filter())


@pytest.mark.parametrize("saved", [torch.float16, torch.bfloat16, torch.float32])
@pytest.mark.parametrize("name", ["graded", "orthonormal", "unit"])
def test_conversion_rounds_to_the_type_of_the_layer(name: str, saved: Any) -> None:
    plain, other = mixed("plain").to(saved), mixed(name, dtype=torch.float64)
    other.load_state_dict(plain.state_dict())
    torch.testing.assert_close(other.filter(), plain.double().filter(), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("old", ["plain", "graded"])
@pytest.mark.parametrize("saved", [torch.bfloat16, torch.float64])
@pytest.mark.parametrize("device", ["meta", "cpu"])
def test_assigned_weights_bring_their_type(device: str, saved: Any, old: str) -> None:
    real = mixed(old).to(saved)
    with torch.device(device):
        layer = mixed("graded")
    layer.load_state_dict(real.state_dict(), assign=True)
    x = torch.randn(1, 3, 5, 5).to(saved)
    found = layer(x)
    assert found.dtype == saved
    tolerance = 8 * torch.finfo(saved).eps
    torch.testing.assert_close(found, real(x), rtol=tolerance, atol=tolerance)


def cloud(points: Any, fit: bool) -> tuple[Any, Any]:
    layer = PDOPointConv("C4", "trivial", "trivial", 2, neighbours=8, dtype=torch.float64)
    jets = layer.jets(points)
    if fit:
        layer.reset_for(jets)
    return layer, jets


@pytest.mark.parametrize("fit", [False, True])
@pytest.mark.parametrize("saved", [False, True])
def test_weights_bring_the_normalisation_of_their_cloud_or_that_of_none(saved: bool, fit: bool) -> None:
    points = np.random.default_rng(0).random((30, 2))
    one, jets = cloud(points, saved)
    other, _ = cloud(points / 3, fit)
    other.load_state_dict(one.state_dict())
    x = torch.randn(1, 1, 30, dtype=torch.float64)
    assert torch.equal(other(x, jets), one(x, jets))
    # and so does what is saved next
    third, _ = cloud(points, True)
    third.load_state_dict(other.state_dict())
    assert torch.equal(third(x, jets), one(x, jets))


@pytest.mark.parametrize("factor", ["[[1.0]]", "[[NaN]]", "NaN", "[1.0, [2.0]]"])
def test_a_factor_of_another_cloud_is_refused(factor: str) -> None:
    layer, _ = cloud(np.random.default_rng(0).random((30, 2)), True)
    state = layer.state_dict()
    text = bytes(state["_extra_state"].tolist()).decode()
    start = text.index('"factor": ') + len('"factor": ')
    state["_extra_state"] = torch.tensor(list((text[:start] + factor + "}").encode()), dtype=torch.uint8)
    with pytest.raises(RuntimeError, match=r"factor|cannot be read"):
        layer.load_state_dict(state)


def test_a_factor_that_is_no_number_is_refused() -> None:
    layer, _ = cloud(np.random.default_rng(0).random((30, 2)), True)
    size = len(layer.coordinates.factor)
    state = layer.state_dict()
    text = bytes(state["_extra_state"].tolist()).decode()
    start = text.index('"factor": ') + len('"factor": ')
    rows = "[" + ", ".join(["[" + ", ".join(["NaN"] * size) + "]"] * size) + "]"
    state["_extra_state"] = torch.tensor(list((text[:start] + rows + "}").encode()), dtype=torch.uint8)
    with pytest.raises(RuntimeError, match="factor"):
        layer.load_state_dict(state)
