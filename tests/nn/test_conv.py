"""The layers behave like nn.ConvNd: shapes, filters, gradients, initialisation, refusals."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import pdobasis  # noqa: E402
from pdobasis.errors import SpecError  # noqa: E402
from pdobasis.files import export_stencils  # noqa: E402
from pdobasis.layers import pack as packing  # noqa: E402
from pdobasis.nn import EmptyBasisError, LayerError, PDOConv1d, PDOConv2d, PDOConv3d, check_equivariance  # noqa: E402
from pdobasis.nn import jets as jets_module  # noqa: E402

nn = torch.nn


def small(**options: Any) -> Any:
    return PDOConv2d("D4", "vector + trivial", "regular + vector", **{"order": 2, "size": 3, "padding": 1, **options})


def test_attributes_and_shapes_are_those_of_conv() -> None:
    layer = PDOConv2d("C16", "16xregular", "24xregular", order=3, size=5, stencil="fd", padding=2)
    conv = nn.Conv2d(256, 384, 5, padding=2)
    for name in ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups",
                 "padding_mode", "transposed", "output_padding"):  # fmt: skip
        assert getattr(layer, name) == getattr(conv, name), name
    assert layer.weight.shape == (24, 16, 160)
    assert list(layer.state_dict()) == ["weight", "bias", "_extra_state"]
    assert layer.filter().shape == conv.weight.shape


def test_the_filter_is_the_sum_over_the_basis() -> None:
    basis = pdobasis.solve("C8", "2xregular", "3xregular", order=2)
    layer = PDOConv2d(basis, size=5, stencil="gauss", sigma=1.1, dtype=torch.float64)
    stencils = pdobasis.solve("C8", "regular", "regular", order=2).stencils("gauss", 5, sigma=1.1)
    coefficients = layer.coefficients["regular", "regular"].detach().numpy()
    expected = np.einsum("oie,exyuv->oxiyuv", coefficients, stencils).reshape(24, 16, 5, 5)
    np.testing.assert_allclose(layer.filter().detach().numpy(), expected, atol=1e-14)


@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_packed_components_give_the_same_filter(monkeypatch: pytest.MonkeyPatch, apply: str) -> None:
    question = ("D4", "regular + vector + quotient(flip)", "vector + 2xregular")
    one = PDOConv2d(*question, order=2, size=3, apply=apply)
    monkeypatch.setattr(packing, "MERGE_BELOW", 0)
    other = PDOConv2d(*question, order=2, size=3, apply=apply)
    assert any(p.packed.source is not None for p in other.basis.pairs)
    other.load_state_dict(one.state_dict())
    torch.testing.assert_close(one.filter(), other.filter())


@pytest.mark.parametrize("apply", ["dense", "jets"])
@pytest.mark.parametrize("question", [
    ("D4", "regular", "quotient(flip) + vector"),  # components of different sizes: some places are padding
    ("C4", "2xregular", "3xregular"),
    ("D4", "det", "trivial + regular"),  # entries that no element touches
])  # fmt: skip
def test_packed_components_have_the_same_gradients(
    monkeypatch: pytest.MonkeyPatch, apply: str, question: tuple[str, str, str]
) -> None:
    monkeypatch.setattr(packing, "MERGE_BELOW", 0)
    monkeypatch.setattr(packing, "WORTH", 0)
    layer = PDOConv2d(*question, order=4, size=5, apply=apply, dtype=torch.float64, bias=False)
    assert all(p.packed.source is not None for p in layer.basis.pairs)
    weights = tuple(layer.parameters())
    assert torch.autograd.gradcheck(lambda *_: layer.filter(), weights, fast_mode=True)
    assert torch.autograd.gradgradcheck(lambda *_: layer.filter().square(), weights, fast_mode=True)
    x = torch.randn(1, layer.in_channels, 7, 7, dtype=torch.float64)
    parameters, buffers = torch.func.stack_module_state([layer, copy.deepcopy(layer)])
    both = torch.func.vmap(lambda p, b: torch.func.functional_call(layer, (p, b), (x,)))(parameters, buffers)
    torch.testing.assert_close(both[1], layer(x))
    torch.compiler.reset()  # one class compiles only so many different layers in a process
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(
        torch.autograd.grad(compiled(x).sum(), weights), torch.autograd.grad(layer(x).sum(), weights)
    )


@pytest.mark.parametrize("options", [
    {}, {"padding_mode": "reflect"}, {"stride": 2}, {"dilation": 2}, {"padding": "same"}, {"padding": (1, 0)},
    {"padding": "valid"}, {"size": (3, 5), "padding": (1, 2)}, {"stencil": "fd"}, {"stencil": "rbffd", "size": 5},
    {"stencil": "kernel"}, {"stencil": ["fd", "gauss"], "padding_mode": "circular"}, {"size": 4, "padding": "same"},
    {"stencil": "rbffd", "size": 5, "padding_mode": "replicate", "stride": 2},
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning", "ignore:Using padding='same' with even")
def test_dense_jets_and_conv_agree(options: dict[str, Any]) -> None:
    group = "C2" if "size" in options else "D4"
    dense = PDOConv2d(
        group, "regular + vector", "2xregular", **{"order": 2, "size": 3, "padding": 1, "apply": "dense", **options}
    )
    jets = PDOConv2d(
        group, "regular + vector", "2xregular", **{"order": 2, "size": 3, "padding": 1, "apply": "jets", **options}
    )
    jets.load_state_dict(dense.state_dict())
    x = torch.randn(2, dense.in_channels, 9, 9)
    torch.testing.assert_close(dense(x), jets(x), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(dense(x), dense.to_conv()(x), rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(jets(x), jets.to_conv()(x), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(dense(x[0]), dense(x)[0], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(jets(x[0]), jets(x)[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("stencil", "products"), [("fd", True), ("gauss", True), ("rbffd", False), ("kernel", False)])
def test_products_of_stencils_are_found(stencil: str, products: bool) -> None:
    atoms = PDOConv2d("C4", "regular", "regular", order=3, size=5, stencil=stencil).basis.atoms
    factors = jets_module.separate(atoms)
    assert (factors is not None) == products
    if factors is not None:
        assert len(factors.stencils[1]) == 4  # one per order along the last axis
        assert [len(some) for _, some in factors.orders] == [4, 3, 2, 1]


def test_auto_takes_jets_for_many_channels_and_large_stencils_only() -> None:
    assert PDOConv2d("C16", "16xregular", "24xregular", order=3, size=5, stencil="fd").apply_by == "jets"
    assert PDOConv2d("C16", "4xregular", "4xregular", order=3, size=5, stencil="fd").apply_by == "dense"
    assert PDOConv2d("C16", "16xregular", "24xregular", order=2, size=3, stencil="fd").apply_by == "dense"
    assert PDOConv2d("C16", "16xregular", "24xregular", order=3, size=5, stencil="rbffd").apply_by == "dense"


def test_groups_take_whole_fields() -> None:
    layer = PDOConv2d("C4", "4xregular", "2xregular", size=3, groups=2)
    assert layer.weight.shape == (2, 2, layer.weight.shape[2])
    assert layer.filter().shape == (8, 8, 3, 3)
    with pytest.raises(LayerError, match="cuts through"):
        PDOConv2d("C4", "3xregular", "2xregular", size=3, groups=2)
    with pytest.raises(LayerError, match="order them alike"):
        PDOConv2d("C4", "regular + trivial", "2xregular", size=3, groups=2)


@pytest.mark.parametrize("stencil", ["fd", "gauss", "rbffd", "kernel", ["fd", "gauss"]])
@pytest.mark.parametrize("size", [3, 5, 7])
def test_unit_input_gives_unit_output(stencil: Any, size: int) -> None:
    torch.manual_seed(0)
    layer = PDOConv2d("C4", "8xregular", "8xregular", order=2, size=size, stencil=stencil)
    with torch.no_grad():
        variance = layer(torch.randn(8, 32, 20, 20)).var()
    assert 0.85 < float(variance) < 1.15


def test_unit_output_for_every_summand_and_in_space() -> None:
    torch.manual_seed(0)
    layer = PDOConv2d(
        "D8", "8xvector + 4xregular", "16xirrep(1,2) + 4xregular + 16xtrivial", order=3, size=5, stencil="fd"
    )
    y = layer(torch.randn(8, layer.in_channels, 20, 20)).detach()
    for part in y.split((32, 64, 16), 1):
        assert 0.7 < float(part.var()) < 1.4
    solid = PDOConv3d("Oh", "16xvector", "16xvector", order=2, size=3)
    assert 0.7 < float(solid(torch.randn(2, 48, 9, 9, 9)).detach().var()) < 1.4


def test_bias_lives_on_the_trivial_part() -> None:
    assert PDOConv2d("C4", "trivial", "2xvector", order=1, size=3).bias is None
    three = PDOConv2d("C4", "trivial", "3xregular", order=1, size=3).bias
    assert three is not None
    assert three.shape == (3,)
    assert PDOConv2d("C4", "trivial", "3xregular", order=1, size=3, bias=False).bias is None
    layer = PDOConv2d("D4", "trivial", "tensor(vector, vector) + vector + quotient(C4)", order=1, size=3)
    assert layer.bias is not None
    assert layer.bias.shape == (2,)  # the trace of a tensor; the sum of a quotient field
    with torch.no_grad():
        layer.bias.copy_(torch.tensor([1.0, 2.0]))
    torch.testing.assert_close(layer.channel_bias(), torch.tensor([1.0, 0, 0, 1, 0, 0, 2, 2]))
    assert check_equivariance(layer.double()).error <= 1e-13


def test_divergence() -> None:
    """div (x1², x1 x2) = 3 x1, exactly for finite differences."""
    layer = PDOConv2d(pdobasis.solve("SO(2)", "vector", "trivial", order=1), size=3, stencil="fd", bias=False)
    assert layer.weight.shape == (1, 1, 2)  # divergence and curl
    only = PDOConv2d("O(2)", "vector", "trivial", order=1, size=3, stencil="fd", bias=False, dtype=torch.float64)
    only.coefficients = 1
    t = torch.arange(-3, 4, dtype=torch.float64)
    x2, x1 = torch.meshgrid(t, t, indexing="ij")
    field = torch.stack([x1**2, x1 * x2])[None]
    torch.testing.assert_close(only(field)[0, 0], 3 * x1[1:-1, 1:-1])
    image = PDOConv2d("O(2)", "vector", "trivial", order=1, size=3, stencil="fd", bias=False, layout="image").double()
    image.coefficients = 1
    torch.testing.assert_close(image(field.flip(2))[0, 0], (3 * x1[1:-1, 1:-1]).flip(0))


@pytest.mark.parametrize("apply", ["dense", "jets"])
@pytest.mark.parametrize("train", [True, False])
def test_gradients(apply: str, train: bool) -> None:
    layer = PDOConv2d("D4", "vector", "trivial + vector", order=2, size=3, apply=apply, dtype=torch.float64).train(
        train
    )
    x = torch.randn(1, 2, 4, 4, dtype=torch.float64, requires_grad=True)
    inputs = (x, *layer.parameters())
    assert torch.autograd.gradcheck(lambda x, *_: layer(x), inputs)
    assert torch.autograd.gradgradcheck(lambda x, *_: layer(x).square(), inputs, fast_mode=True)


def test_evaluation_reuses_the_filter_until_the_weights_change(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = PDOConv2d("C4", "regular", "regular", size=3).eval()
    calls = []
    build = layer._mixing

    def counted(w: Any) -> Any:
        calls.append(1)
        return build(w)

    monkeypatch.setattr(layer, "_mixing", counted)
    x = torch.randn(1, 4, 5, 5)
    first = layer(x)
    with torch.no_grad():
        assert torch.equal(layer(x), first)
    with torch.inference_mode():
        assert torch.equal(layer(x), first)
    assert len(calls) == 1
    layer(x).sum().backward()
    layer(x).sum().backward()  # no graph is kept
    assert layer.weight.grad is not None
    assert layer.weight.grad.abs().sum() > 0
    bias = layer.bias
    assert bias is not None
    for change in (lambda: layer.weight.data.mul_(2), lambda: bias.data.add_(1), lambda: layer.load_state_dict(layer.state_dict()),
                   lambda: torch.optim.SGD(layer.parameters(), 0.1).step()):  # fmt: skip
        change()
        expected = copy.deepcopy(layer).train()(x).detach()
        with torch.no_grad():
            torch.testing.assert_close(layer(x), expected)
        torch.testing.assert_close(layer(x), expected)


@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_empty_batches(apply: str) -> None:
    layer = small(apply=apply, padding=0)
    for train in (True, False):
        assert layer.train(train)(torch.zeros(0, 3, 5, 7)).shape == (0, 10, 3, 5)
        with torch.no_grad():
            assert layer(torch.zeros(0, 3, 5, 7)).shape == (0, 10, 3, 5)


def test_a_filter_built_in_inference_mode_serves_training_later() -> None:
    layer = PDOConv2d("C4", "regular", "regular", size=3).eval()
    x = torch.randn(1, 4, 5, 5)
    with torch.inference_mode():
        layer(x)
    layer(x).sum().backward()
    assert layer.weight.grad is not None


def test_from_file(tmp_path: Path) -> None:
    basis = pdobasis.solve("C8", "regular", "vector + trivial", order=2)
    path = tmp_path / "c8.npz"
    export_stencils(basis, path, "gauss", 5, sigma=1.2)
    layer = PDOConv2d.from_file(str(path), in_fields=3, out_fields=2, padding=2, dtype=torch.float64)
    assert (layer.in_channels, layer.out_channels, layer.kernel_size) == (24, 6, (5, 5))
    assert sum(w.shape[2] for w in layer.weights.values()) == basis.dimension
    assert all(w.shape[:2] == (2, 3) for w in layer.weights.values())
    assert check_equivariance(layer).error <= 1e-13
    expected = np.zeros((2, 3, 3, 8, 5, 5))
    for (out, _), weight in layer.coefficients.items():
        rows = {"vector": slice(0, 2), "trivial": slice(2, 3)}[out]
        own = [s[rows] for s in basis.stencils("gauss", 5, sigma=1.2) if s[rows].any()]
        expected[:, rows] += np.einsum("oie,exyuv->oxiyuv", weight.detach().numpy(), np.stack(own))
    np.testing.assert_allclose(layer.filter().detach().numpy(), expected.reshape(6, 24, 5, 5), atol=1e-14)
    torch.manual_seed(0)
    assert 0.6 < float(layer(torch.randn(4, 24, 30, 30, dtype=torch.float64)).detach().var()) < 1.4
    jets = PDOConv2d.from_file(str(path), in_fields=3, out_fields=2, padding=2, dtype=torch.float64, apply="jets")
    jets.load_state_dict(layer.state_dict())
    x = torch.randn(1, 24, 9, 9, dtype=torch.float64)
    torch.testing.assert_close(jets(x), layer(x))
    with pytest.raises(LayerError, match="in_fields has to be"):
        PDOConv2d.from_file(str(path), in_fields=0)
    with pytest.raises(LayerError, match="settles"):
        PDOConv2d.from_file(str(path), sigma=1.0)  # type: ignore[arg-type]
    with pytest.raises(LayerError, match="PDOConv2d"):
        PDOConv3d.from_file(str(path))


def wrong(value: object) -> Any:
    """A value of a type that is not permitted, on purpose."""
    return value


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda: PDOConv2d("O(2)", "trivial", "irrep(1,3)", order=2, size=3), EmptyBasisError, "use order=3"),
    (lambda: PDOConv2d("C4", "trivial"), LayerError, "both field types"),
    (lambda: PDOConv3d(pdobasis.solve("C4", "trivial", "vector")), LayerError, "PDOConv2d"),
    (lambda: PDOConv2d("C4", "trivial", "vector", stencil="gaus"), SpecError, "did you mean gauss"),
    (lambda: PDOConv2d("C4", "trivial", "vector", stencil="fd", sigma=1.0), SpecError, "no option 'sigma'"),
    (lambda: PDOConv2d("C4", "trivial", "vector", apply="fast"), LayerError, "one of auto"),
    (lambda: PDOConv2d("C4", "trivial", "vector", padding="some"), LayerError, "'same' or 'valid'"),
    (lambda: PDOConv2d("C4", "trivial", "vector", padding="same", stride=2), LayerError, "stride 1"),
    (lambda: PDOConv2d("C4", "trivial", "vector", padding_mode="wrap"), LayerError, "circular"),
    (lambda: PDOConv2d("C4", "trivial", "vector", size=(3, 3, 3)), LayerError, "2 of them"),
    (lambda: PDOConv1d("C4", "trivial", "vector"), ValueError, "dimension 2"),
    (lambda: PDOConv2d("C4", "trivial", "vector", kernel_size=3), SpecError, "did you mean size"),  # type: ignore[call-arg]
    (lambda: PDOConv2d("C4", "trivial", "vector", strides=2), SpecError, "did you mean stride"),  # type: ignore[call-arg]
    (lambda: PDOConv2d("C4", "trivial", "vector", size=0), LayerError, "size has to be .* at least 1"),
    (lambda: PDOConv2d("C4", "trivial", "vector", size=wrong(3.0)), LayerError, "whole number"),
    (lambda: PDOConv2d("C4", "trivial", "vector", padding=wrong(None)), LayerError, "padding has to be"),
    (lambda: PDOConv2d("C4", "trivial", "vector", padding=True), LayerError, "padding has to be"),
    (lambda: PDOConv2d("C4", "trivial", "vector", order=wrong("2")), LayerError, "order has to be"),
    (lambda: PDOConv2d("C4", "trivial", "vector", groups=wrong("1")), LayerError, "groups has to be"),
    (lambda: PDOConv2d("C4", "trivial", "vector", dtype=torch.int32), LayerError, "floating"),
    (lambda: PDOConv2d("C4", "trivial", "vector", stencil=wrong(3)), SpecError, "stencil has to be one of fd"),
    (lambda: PDOConv2d("C4", "trivial", "vector", stencil=wrong([("gauss", 3)])), SpecError, "stencil has to be one of fd"),
    (lambda: PDOConv2d(wrong(None), "trivial", "vector"), LayerError, "needs a group"),
    (lambda: PDOConv2d("C4", wrong(4), "vector"), LayerError, "needs a field type"),
    (lambda: small(apply="jets")(torch.zeros(1, 4, 5, 5)), LayerError, r"\(batch, 3, 2 space axes\)"),
    (lambda: small(apply="jets")(torch.zeros(5, 5)), LayerError, "2 space axes"),
])  # fmt: skip
def test_refusals(call: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_going_to_train_and_back_forgets_the_kept_filter() -> None:
    layer = PDOConv2d("C4", "trivial", "regular", size=3).eval()
    layer(torch.randn(1, 1, 5, 5))
    assert layer._reused
    layer.train()
    assert not layer._reused
    layer.eval()(torch.randn(1, 1, 5, 5))
    assert not layer.eval()._reused
