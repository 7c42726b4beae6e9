"""Whole networks as torch's own modules: the same numbers, without this package, in ONNX and torch.export."""

from __future__ import annotations

import copy
import io
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    Adjoint,
    BlurPool,
    FieldBatchNorm,
    FieldDropout,
    FieldGroupNorm,
    FieldInstanceNorm,
    FourierNonlinearity,
    GatedNonlinearity,
    GlobalPool,
    GroupPool,
    InducedNormNonlinearity,
    Mask,
    MaxPool,
    Merge,
    NormMaxPool,
    NormNonlinearity,
    NormPool,
    PDOConv2d,
    PDOConvTranspose2d,
    PerField,
    Pointwise,
    Restrict,
    Sequential,
    Split,
    TensorProduct,
    Upsample,
    to_plain,
)
from pdobasis.nn.models import UNet, WideResNet, regular_network, spatial_network  # noqa: E402

nn = torch.nn
F = torch.nn.functional


def of(text: str, name: str = "D4") -> Any:
    return field_type(text, group(name))


def shaken(module: Any) -> Any:
    """Other numbers than those it started with, statistics too; in double precision."""
    torch.manual_seed(0)
    with torch.no_grad():
        for name, value in [*module.named_parameters(), *module.named_buffers()]:
            if value.is_floating_point() and (isinstance(value, nn.Parameter) or "running" in name):
                value.add_(0.3 * torch.rand_like(value))
    return module.double().eval()


def ours(module: Any) -> list[str]:
    return [type(m).__name__ for m in module.modules() if type(m).__module__.startswith("pdobasis")]


MIXED = "regular + 2xvector + det + 3xtrivial + regular"
PARTS: dict[str, Any] = {
    "layer": lambda: PDOConv2d("D4", MIXED, "vector", size=3, stride=2, padding=1, padding_mode="circular"),
    "layer of jets": lambda: PDOConv2d("D4", MIXED, "regular", size=5, apply="jets"),
    "transposed layer": lambda: PDOConvTranspose2d("D4", MIXED, "vector", size=3, stride=2, padding=1),
    "adjoint": lambda: Adjoint(PDOConv2d("D4", "vector", MIXED, size=3, stride=2, padding=1)),
    "pointwise": lambda: Pointwise(of("2xregular")),
    "pointwise by a module": lambda: Pointwise(of("2xregular"), nn.ELU(0.5)),
    "pointwise by a function of one's own": lambda: Pointwise(of("2xregular"), lambda x: x.square() + torch.tanh(x)),
    "norms": lambda: NormNonlinearity(of(MIXED), torch.tanh),
    "gates": lambda: GatedNonlinearity(of(MIXED)),
    "batch norm": lambda: FieldBatchNorm(of(MIXED)),
    "batch norm of regular fields": lambda: FieldBatchNorm(of("2xregular")),
    "batch norm without numbers": lambda: FieldBatchNorm(of(MIXED), affine=False),
    "instance norm": lambda: FieldInstanceNorm(of(MIXED), affine=True),
    "group norm": lambda: FieldGroupNorm(4, of(MIXED)),
    "maximum over the group": lambda: GroupPool(of("2xregular + quotient(C2)")),
    "length": lambda: NormPool(of(MIXED)),
    "mean": lambda: GlobalPool(of(MIXED)),
    "maximum over space": lambda: GlobalPool(of("regular"), "max"),
    "maxima": lambda: MaxPool(of("regular"), 3, 2, 1),
    "longest fields": lambda: NormMaxPool(of(MIXED), 3, 2, 1),
    "blur": lambda: BlurPool(of(MIXED)),
    "mask": lambda: Mask(of(MIXED), 9),
    "dropout": lambda: FieldDropout(of(MIXED)),
    "finer points": lambda: Upsample(of(MIXED)),
    "finer points by three": lambda: Sequential(FieldBatchNorm(of(MIXED)), Upsample(of(MIXED), 3)),
    "finer cells": lambda: Upsample(of(MIXED), 2, "cells"),
    "restriction": lambda: Restrict(of(MIXED), "C2"),
    "restriction in place": lambda: Restrict(of("vector"), "C4"),
    "functions": lambda: FourierNonlinearity(of("2xtrivial + 2xirrep(1) + 2xirrep(2)", "SO(2)"), 8),
    "blocks": lambda: InducedNormNonlinearity(of("2xinduced(C4, irrep(1)) + regular"), torch.tanh),
    "per field": lambda: PerField(
        of("regular + 2xvector + regular"), {"regular": GroupPool, "vector": GatedNonlinearity}
    ),
    "split and merged": lambda: Sequential(Split(of("regular + vector")), Merge(of("regular"), of("vector"))),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning")
def test_parts(name: str) -> None:
    part = shaken(PARTS[name]())
    # What has no numbers of its own does not know their type.
    plain = to_plain(part).double()
    assert ours(plain) == []
    for shape in ((2, 9, 9), (3, 9, 9)):
        x = torch.randn(shape[0], part.in_type.size, *shape[1:], dtype=torch.float64)
        torch.testing.assert_close(plain(x), part(x), rtol=1e-13, atol=1e-13)


def test_the_original_stays_as_it_was() -> None:
    model = shaken(network()).train()
    state = copy.deepcopy(model.state_dict())
    plain = to_plain(model)
    assert model.training
    assert not plain.training
    with torch.no_grad():
        for parameter in plain.parameters():
            parameter.zero_()
    assert all(torch.equal(v, state[k]) for k, v in model.state_dict().items())


def network() -> Any:
    act = PerField(of("2xregular + vector", "D8"), {"regular": Pointwise, "vector": GatedNonlinearity})
    first = PDOConv2d("D8", "vector + trivial", act.in_type, size=3, padding=1)
    cut = Restrict(act.out_type, "C4")
    second = PDOConv2d("C4", cut.out_type, "2xregular + vector", size=3, padding=1)
    pool = PerField(second.out_type, {"regular": GroupPool, "vector": NormPool})
    return Sequential(
        first, FieldBatchNorm(first.out_type), act, FieldDropout(act.out_type), BlurPool(act.out_type), cut, second,
        FieldBatchNorm(second.out_type), NormNonlinearity(second.out_type), Upsample(second.out_type), pool,
        GlobalPool(pool.out_type), FieldBatchNorm(pool.out_type), nn.Linear(3, 5),
    )  # fmt: skip


class Around(nn.Module):  # type: ignore[name-defined,misc]
    """A module of one's own around parts of ours."""

    def __init__(self) -> None:
        super().__init__()
        self.body = network()
        self.last = nn.Linear(5, 2)

    def forward(self, x: Any) -> Any:
        return self.last(torch.relu(self.body(x)))


MODELS: dict[str, Any] = {
    "network": (network, (3, 9, 9)),
    "module of one's own": (Around, (3, 9, 9)),
    "regular": (lambda: regular_network("C4", width=1 / 16), (1, 28, 28)),
    "wide": (lambda: WideResNet(10, 1), (3, 17, 17)),
    "U-Net": (lambda: UNet("C4", fields=(1, 2)), (3, 8, 8)),
    "in space": (lambda: spatial_network("O", fields=(1, 1)), (1, 6, 6, 6)),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning")
def test_networks(name: str) -> None:
    make, shape = MODELS[name]
    model = shaken(make())
    plain = to_plain(model)
    assert ours(plain) == []
    x = torch.randn(2, *shape, dtype=torch.float64)
    torch.testing.assert_close(plain(x), model(x), rtol=1e-12, atol=1e-12)


def test_it_is_read_where_this_package_is_not(tmp_path: Path) -> None:
    model = shaken(network())
    x = torch.randn(2, 3, 9, 9, dtype=torch.float64)
    torch.save({"model": to_plain(model), "x": x, "y": model(x).detach()}, tmp_path / "model.pt")
    code = (
        "import sys, torch\nsys.modules['pdobasis'] = None\n"
        "saved = torch.load(sys.argv[1], weights_only=False)\n"
        "torch.testing.assert_close(saved['model'](saved['x']).detach(), saved['y'], rtol=1e-12, atol=1e-12)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "model.pt")], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_module_that_occurs_twice_stays_one() -> None:
    part = PDOConv2d("C4", "regular", "regular", size=3, padding=1)
    plain = to_plain(Sequential(part, Pointwise(part.out_type), part))
    first, _, last = plain._modules.values()
    assert first is last


def test_networks_of_points_keep_their_layers() -> None:
    from pdobasis.nn.models import PointNetwork

    model = shaken(PointNetwork("C4", fields=(1, 2), neighbours=8))
    plain = to_plain(model)
    assert set(ours(plain)) == {"PointNetwork", "PDOPointConv"}
    jets = model.jets(torch.rand(30, 2, dtype=torch.float64))
    x = torch.randn(2, 1, 30, dtype=torch.float64)
    torch.testing.assert_close(plain(x, jets), model(x, jets), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["network", "U-Net"])
def test_export(name: str) -> None:
    make, shape = MODELS[name]
    model = shaken(make())
    x = torch.randn(2, *shape, dtype=torch.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(to_plain(model), (x,))
    torch.testing.assert_close(program.module()(x), model(x), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["network", "U-Net", "regular"])
def test_onnx(tmp_path: Path, name: str) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxscript")
    make, shape = MODELS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = shaken(make()).float()
        x = torch.randn(2, *shape)
        path = tmp_path / "model.onnx"
        torch.onnx.export(to_plain(model), (x,), path, dynamo=True, verbose=False)
        # The reference of ONNX computes both branches of ELU, and overflows in the one that it does not take.
        found = run(path, x.numpy())
    np.testing.assert_allclose(found, model(x).detach().numpy(), atol=2e-5, rtol=2e-5)


def run(path: Path, x: Any) -> Any:
    """By onnxruntime where it is installed, else by the reference of ONNX."""
    try:
        import onnxruntime
    except ImportError:
        from onnx.reference import ReferenceEvaluator

        session: Any = ReferenceEvaluator(str(path))
        return session.run(None, {session.input_names[0]: x})[0]
    session = onnxruntime.InferenceSession(str(path))
    return session.run(None, {session.get_inputs()[0].name: x})[0]


def test_state_is_torch_s_own() -> None:
    stream = io.BytesIO()
    plain = to_plain(shaken(network()))
    torch.save(plain.state_dict(), stream)
    stream.seek(0)
    plain.load_state_dict(torch.load(stream, weights_only=True))


@pytest.mark.parametrize("options", [{}, {"paired": True}])
def test_products_of_two_fields(options: dict[str, Any]) -> None:
    """Also where no bilinear map reaches an output, and where channels are reordered."""
    left, out = of("vector + trivial + vector"), of("trivial + irrep(1,2) + vector + trivial")
    for target in (out, of("trivial + regular")):
        part = TensorProduct(left, left, target, **options).double()
        plain = to_plain(part)
        assert ours(plain) == []
        x, y = torch.randn(2, 2, 5, 4, 4, dtype=torch.float64)
        torch.testing.assert_close(plain(x, y), part(x, y), rtol=1e-13, atol=1e-13)
