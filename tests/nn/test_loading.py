"""Weights that are loaded into a layer of another parametrisation, cloud or type: the same filters, or an error."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.nn import FieldGroupNorm, LayerError, PDOConv2d, PDOPointConv, TensorProduct  # noqa: E402


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


def points_of(scale: float) -> tuple[Any, Any]:
    """Two pairs of fields, on a cloud of its own."""
    layer = PDOPointConv("C4", "trivial + vector", "trivial", 2, neighbours=12, dtype=torch.float64, bias=False)
    jets = layer.jets(np.random.default_rng(0).random((30, 2)) * scale)
    layer.reset_for(jets)
    return layer, jets


def test_pairs_that_a_file_lacks_keep_their_operators_on_another_cloud() -> None:
    one, other = points_of(1.0)[0], points_of(1 / 3)[0]
    before = other.mixing().detach().clone()
    state = one.state_dict()
    del state["weight_0_1"]
    other.load_state_dict(state, strict=False)
    torch.testing.assert_close(other.mixing()[0, :1], one.mixing()[0, :1])
    torch.testing.assert_close(other.mixing()[0, 1:], before[0, 1:])


def test_what_is_refused_changes_no_operator() -> None:
    one, other = points_of(1.0)[0], points_of(1 / 3)[0]
    before = other.mixing().detach().clone()
    state = one.state_dict()
    state["weight_0_0"] = state["weight_0_0"][..., :1]
    state["weight_0_1"] = state["weight_0_1"][..., :1]
    with pytest.raises(RuntimeError, match="size mismatch"):
        other.load_state_dict(state)
    torch.testing.assert_close(other.mixing(), before)


def test_weights_that_torch_computes_are_not_set() -> None:
    layer = torch.nn.utils.parametrizations.weight_norm(mixed("graded"), "weight_0_0")
    before = layer.filter().detach().clone()
    with pytest.raises(LayerError, match="weight_0_0"):
        layer.coefficients = {("trivial", "trivial"): 1.0}
    with pytest.raises(LayerError, match="weight_0_0"):
        layer.reset_parameters(init="zero")
    assert torch.equal(layer.filter(), before)
    # A file that has nothing of it is loaded.
    state = {key: v for key, v in mixed("plain").state_dict().items() if key != "weight_0_0"}
    layer.load_state_dict(state, strict=False)


def test_converted_weights_that_are_too_large_are_refused() -> None:
    options: dict[str, Any] = {"order": 4, "size": 5, "stencil": "fd", "spacing": 0.1, "bias": False}
    plain = PDOConv2d("C4", "trivial", "trivial", parametrisation="plain", **options)
    plain.coefficients = 10.0
    half = PDOConv2d("C4", "trivial", "trivial", dtype=torch.float16, **options)
    before = half.weight.detach().clone()
    with pytest.raises(RuntimeError, match="float16 ends at"):
        half.load_state_dict(plain.state_dict())
    assert torch.equal(half.weight, before)


@pytest.mark.parametrize("paired", [False, True])
def test_products_and_norms_take_on_the_type_of_assigned_weights(paired: bool) -> None:
    two, one = (field_type(text, group("O(2)")) for text in ("2xvector", "2xtrivial"))
    made = [TensorProduct(two, two, one, paired=paired) for _ in range(2)]
    made[1].load_state_dict(made[0].double().state_dict(), assign=True)
    x = torch.randn(1, 4, 3, 3, dtype=torch.float64)
    assert torch.equal(made[0](x, x), made[1](x, x))
    regular = field_type("4xregular", group("C4"))
    norms = [FieldGroupNorm(2, regular) for _ in range(2)]
    norms[1].load_state_dict(norms[0].double().state_dict(), assign=True)
    x = torch.randn(1, 16, 3, 3, dtype=torch.float64)
    assert torch.equal(norms[0](x), norms[1](x))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("sigma", [0.2, 0.3, 3.0, 30.0])
def test_nearly_dependent_elements_keep_most_digits(sigma: float) -> None:
    torch.manual_seed(0)
    options: dict[str, Any] = {"stencil": "gauss", "sigma": sigma, "order": 6, "size": 7, "dtype": torch.float64}
    plain, graded = (
        PDOConv2d("O(2)", "vector", "vector", parametrisation=name, bias=False, **options)
        for name in ("plain", "graded")
    )
    graded.load_state_dict(plain.state_dict())
    assert float((graded.filter() - plain.filter()).norm() / plain.filter().norm()) < 2e-6


def test_numbers_are_not_rounded_by_autocast() -> None:
    layer = mixed("graded")
    with torch.autocast("cpu", torch.bfloat16):
        found = layer.coefficients
    for key, values in layer.coefficients.items():
        assert torch.equal(found[key], values)
