"""What torch does with modules: state, copies, devices and precision, tracers and compilers."""

from __future__ import annotations

import copy
import io
import json
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis.nn import PDOConv2d, check_equivariance  # noqa: E402

nn = torch.nn


def small(**options: Any) -> Any:
    return PDOConv2d("D4", "vector + trivial", "regular + vector", **{"order": 2, "size": 3, "padding": 1, **options})


def test_state_dict_is_the_same_in_train_and_eval_and_small() -> None:
    layer = small()
    before = list(layer.state_dict())
    layer.eval()(torch.randn(1, 3, 5, 5))
    assert list(layer.state_dict()) == before
    # The basis is not saved; its name and the parametrisation are.
    beside = {"fingerprint": layer.basis.fingerprint.hex(), "parametrisation": "graded"}
    state = layer.state_dict()
    assert json.loads(bytes(state.pop("_extra_state").tolist())) == beside
    assert list(state) == [name for name, _ in layer.named_parameters()]


@pytest.mark.parametrize("other", [
    {"stencil": "fd"}, {"order": 1}, {"stencil": "gauss", "sigma": 1.0}, {"layout": "image"}, {"dilation": 2},
])  # fmt: skip
def test_weights_of_another_basis_are_refused(other: dict[str, Any]) -> None:
    layer, stranger = small(), small(**other)
    with pytest.raises(RuntimeError, match="another basis"):
        layer.load_state_dict(stranger.state_dict())
    with pytest.raises(RuntimeError, match=r"0\.: these weights belong to another basis"):
        nn.Sequential(layer).load_state_dict(nn.Sequential(stranger).state_dict())
    layer.load_state_dict(small().state_dict())


def test_copy_and_pickle() -> None:
    layer = small().eval()
    x = torch.randn(1, 3, 5, 5)
    y = layer(x)
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):  # noqa: S301
        assert torch.equal(twin(x), y)
    stream = io.BytesIO()
    torch.save(layer.state_dict(), stream)
    stream.seek(0)
    fresh = small()
    fresh.load_state_dict(torch.load(stream, weights_only=True))
    torch.testing.assert_close(fresh(x), y)


DDP = """
import os, sys, torch
from pdobasis.nn import PDOConv2d
torch.distributed.init_process_group("gloo", init_method="file://" + sys.argv[1], rank=0, world_size=1)
model = torch.nn.parallel.DistributedDataParallel(PDOConv2d("D4", "trivial + vector", "regular", order=1, size=3, padding=1))
model(torch.randn(1, 3, 5, 5)).sum().backward()
print(all(p.grad is not None for p in model.parameters()), flush=True)
os._exit(0)
"""


def test_ddp(tmp_path: Path) -> None:
    """In a process of its own: the threads of a process group do not mix with those of other tests."""
    if not torch.distributed.is_available():
        pytest.skip("torch without distributed")
    command = [sys.executable, "-c", DDP, str(tmp_path / "store")]
    # The process leaves without clearing up (os._exit): gloo's own threads were seen to abort at the end of a process.
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "True", done.stderr


def test_casting_starts_from_double_precision() -> None:
    layer = PDOConv2d("D8", "irrep(1,1)", "irrep(1,2) + regular", order=2, size=5)
    direct = PDOConv2d("D8", "irrep(1,1)", "irrep(1,2) + regular", order=2, size=5, dtype=torch.float64)
    cast = layer.double()
    for name, buffer in direct.named_buffers():
        assert torch.equal(buffer, cast.get_buffer(name)), name
    assert check_equivariance(cast).error <= 1e-13


def test_meta_device() -> None:
    with torch.device("meta"):
        layer = PDOConv2d("C4", "regular", "regular", size=3)
    assert layer(torch.randn(1, 4, 5, 5, device="meta")).shape == (1, 4, 3, 3)
    real = PDOConv2d("C4", "regular", "regular", size=3)
    layer.to_empty(device="cpu").load_state_dict(real.state_dict())
    x = torch.randn(1, 4, 5, 5)
    torch.testing.assert_close(layer(x), real(x))
    explicit = PDOConv2d("C4", "regular", "regular", size=3, device="meta")
    assert explicit.weight.is_meta


@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_channels_last_autocast_and_vmap(apply: str) -> None:
    layer = small(apply=apply)
    x = torch.randn(4, 3, 9, 9)
    y = layer(x)
    torch.testing.assert_close(layer(x.contiguous(memory_format=torch.channels_last)), y, rtol=1e-4, atol=1e-5)
    last = copy.deepcopy(layer).to(memory_format=torch.channels_last)
    torch.testing.assert_close(last(x), y, rtol=1e-4, atol=1e-5)
    for train in (True, False):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            half = layer.train(train)(x)
        assert half.dtype == torch.bfloat16
        torch.testing.assert_close(half.float(), y, rtol=0.05, atol=0.1)
        torch.testing.assert_close(torch.func.vmap(layer)(x), y, rtol=1e-4, atol=1e-5)
        pair = [layer, small(apply=apply).train(train)]
        parameters, buffers = torch.func.stack_module_state(pair)
        both = torch.func.vmap(lambda p, b: torch.func.functional_call(layer, (p, b), (x,)))(parameters, buffers)
        torch.testing.assert_close(both[0], y, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(both[1], pair[1](x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_export(apply: str, train: bool) -> None:
    layer = small(apply=apply).train(train).double()
    x = torch.randn(2, 3, 9, 9, dtype=torch.double)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(layer, (x,))
        torch.testing.assert_close(program.module()(x), layer(x))
        sizes = [torch.export.Dim(name, min=3) for name in ("batch", "rows", "columns")]
        program = torch.export.export(
            layer, (x[:1].expand(4, -1, -1, -1),), dynamic_shapes=(dict(zip((0, 2, 3), sizes, strict=True)),)
        )
        other = torch.randn(5, 3, 12, 11, dtype=torch.double)
        torch.testing.assert_close(program.module()(other), layer(other))


@pytest.mark.parametrize("apply", ["dense", "jets"])
@pytest.mark.parametrize("train", [True, False])
def test_compile_in_one_graph(train: bool, apply: str) -> None:
    layer = small(apply=apply).train(train)
    x = torch.randn(2, 3, 9, 9)
    torch.compiler.reset()  # one class compiles only so many different layers in a process
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), layer(x))
    compiled(x).sum().backward()
    assert all(p.grad is not None for p in layer.parameters())


@pytest.mark.slow
@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_compile_with_inductor(apply: str) -> None:
    layer = small(apply=apply)
    x = torch.randn(2, 3, 9, 9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.testing.assert_close(torch.compile(layer, fullgraph=True)(x), layer(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_onnx(tmp_path: Path, apply: str) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxscript")
    reference = pytest.importorskip("onnx.reference")
    layer = small(apply=apply).eval()
    x = torch.randn(1, 3, 9, 9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module, name in ((layer, "layer.onnx"), (layer.to_conv(), "conv.onnx")):
            torch.onnx.export(module, (x,), tmp_path / name, dynamo=True, verbose=False)
            session = reference.ReferenceEvaluator(str(tmp_path / name))
            found = session.run(None, {session.input_names[0]: x.numpy()})[0]
            np.testing.assert_allclose(found, layer(x).detach().numpy(), atol=1e-5)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA")
@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_cuda(apply: str) -> None:
    layer = small(apply=apply, dtype=torch.float64)
    x = torch.randn(2, 3, 9, 9, dtype=torch.float64)
    y = layer(x)
    torch.testing.assert_close(layer.cuda()(x.cuda()).cpu(), y)
    torch.testing.assert_close(layer.eval()(x.cuda()).cpu(), y)
