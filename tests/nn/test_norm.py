"""Batch norm of fields: its formula, torch's kernels and statistics, and what torch does with its own batch norms."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.layers.elements import grid_elements  # noqa: E402
from pdobasis.layers.invariants import invariant_vectors  # noqa: E402
from pdobasis.nn import FieldBatchNorm, LayerError, transform  # noqa: E402

nn = torch.nn
DOUBLE: Any = {"rtol": 1e-11, "atol": 1e-11}


def of(name: str, text: str) -> Any:
    return field_type(text, group(name))


FIELDS: dict[str, Callable[[], Any]] = {
    "regular": lambda: of("C16", "3xregular"),
    "thirds": lambda: of("C3", "2xregular"),
    "equal sizes": lambda: of("D4", "2xquotient(C2) + 3xquotient(flip)"),
    "trivial": lambda: of("D4", "4xtrivial"),
    "vectors": lambda: of("D4", "2xvector + det"),
    "mixed": lambda: of("D4", "2xregular + vector + 3xtrivial"),
    "quotients": lambda: of("C16", "5xregular + 2xquotient(C2) + 2xquotient(C4) + 4xtrivial"),
    "irreps": lambda: of("O(2)", "irrep(1,0) + 2xirrep(1,2) + trivial"),
    "orbits": lambda: of("C4", "2xtensor(regular, regular)"),  # four invariant vectors each
    "traces": lambda: of("D4", "2xtensor(vector, vector) + trivial"),  # one, that is not constant
    "no symmetry": lambda: of("C1", "3xvector"),
}
FOLDED = {"regular", "thirds", "equal sizes", "trivial"}


def norm_of(fields: Any, **options: Any) -> Any:
    return FieldBatchNorm(fields, **options)


def randomised(norm: Any, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    with torch.no_grad():
        for parameter in norm.parameters():
            parameter.uniform_(0.5, 2.0)
    return norm


def images(fields: Any, dtype: Any = torch.float64, seed: int = 1) -> Any:
    torch.manual_seed(seed)
    return 3 * torch.randn(4, fields.size, 5, 6, dtype=dtype) + torch.randn(fields.size, 1, 1, dtype=dtype)


def by_definition(norm: Any, x: Any) -> tuple[Any, Any, Any]:
    """(y, m', sigma^2) field by field, with orthonormal invariant vectors: the formula of pdobasis/nn/norm.py."""
    out, means, variances = [], [], []
    fields = [rep for rep, n in norm.in_type.terms for _ in range(n)]
    free = [len(invariant_vectors(rep)) for rep in fields]
    parts = x.split([rep.size for rep in fields], 1)
    shifts = norm.bias.split(free) if norm.bias is not None else [x.new_zeros(0)] * len(fields)
    for k, (rep, part) in enumerate(zip(fields, parts, strict=True)):
        vectors = torch.tensor(invariant_vectors(rep), dtype=x.dtype)
        q = torch.linalg.qr(vectors.T)[0]
        mean = q @ (q.T @ part.mean((0, 2, 3)))
        centred = part - mean.view(1, -1, 1, 1)
        variance = centred.square().mean()
        shift = (shifts[k] @ vectors).view(1, -1, 1, 1)
        out.append(norm.weight[k] * centred / (variance + norm.batch_norm.eps).sqrt() + shift)
        means.append(mean)
        variances.append(variance)
    return torch.cat(out, 1), torch.cat(means), torch.stack(variances)


@pytest.mark.parametrize("name", FIELDS)
def test_it_is_its_formula(name: str) -> None:
    """Output, all gradients, running statistics (with n d / (n d - k)), and evaluation with them."""
    fields = FIELDS[name]()
    norm = randomised(norm_of(fields, dtype=torch.float64))
    assert (norm.folded is not None) == (name in FOLDED)
    x = images(fields).requires_grad_()
    wanted, mean, variance = by_definition(norm, x)
    found = norm(x)
    torch.testing.assert_close(found, wanted, **DOUBLE)
    inputs = [x, *norm.parameters()]
    back = torch.randn_like(x)
    for ours, theirs in zip(
        torch.autograd.grad(found, inputs, back), torch.autograd.grad(wanted, inputs, back), strict=True
    ):
        torch.testing.assert_close(ours, theirs, **DOUBLE)
    reps = [rep for rep, n in fields.terms for _ in range(n)]
    unbiased = torch.stack([
        v * 120 * rep.size / (120 * rep.size - len(invariant_vectors(rep)))
        for v, rep in zip(variance, reps, strict=True)
    ])  # fmt: skip
    torch.testing.assert_close(norm.running_var, 0.9 + 0.1 * unbiased.detach(), **DOUBLE)
    blocks = [torch.tensor(invariant_vectors(rep)).T for rep in reps]
    torch.testing.assert_close(torch.block_diag(*blocks) @ norm.running_mean, 0.1 * mean.detach(), **DOUBLE)
    scale = norm.weight / (norm.running_var + 1e-5).sqrt()
    repeats = torch.tensor([rep.size for rep in reps])
    centre, shift = (
        torch.block_diag(*blocks) @ v if v is not None else torch.zeros(fields.size, dtype=torch.float64)
        for v in (norm.running_mean, norm.bias)
    )
    expected = scale.repeat_interleave(repeats).view(-1, 1, 1) * (x - centre.view(-1, 1, 1)) + shift.view(-1, 1, 1)
    torch.testing.assert_close(norm.eval()(x), expected, **DOUBLE)


@pytest.mark.parametrize("name", FIELDS)
def test_gradients(name: str) -> None:
    fields = FIELDS[name]()
    norm = randomised(norm_of(fields, dtype=torch.float64, momentum=0.0))
    torch.manual_seed(2)
    x = torch.randn(3, fields.size, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(norm, (x,), fast_mode=True)
    assert torch.autograd.gradgradcheck(norm, (x,), fast_mode=True)


@pytest.mark.parametrize("name", ["regular", "mixed", "orbits", "traces"])
def test_in_training_it_commutes_with_the_group(name: str) -> None:
    fields = FIELDS[name]()
    norm = randomised(norm_of(fields, dtype=torch.float64))
    x = images(fields)[..., :5]
    for g in grid_elements(fields.group):
        torch.testing.assert_close(norm(transform(x, g, fields)), transform(norm(x), g, fields), **DOUBLE)


def test_one_channel_of_torch_is_one_field() -> None:
    """Bit for bit: the same kernel on a view. Trivial fields are channels, so nothing is left between the two."""
    for fields, size in ((of("C4", "3xtrivial"), 1), (of("C4", "3xregular"), 4)):
        ours, theirs = norm_of(fields), nn.BatchNorm1d(3)
        for seed in range(3):
            x = images(fields, torch.float32, seed)
            y = theirs(x.view(4, 3, size * 30)).view_as(x)
            assert torch.equal(ours(x), y)
        assert torch.equal(ours.eval()(x), theirs.eval()(x.view(4, 3, size * 30)).view_as(x))
        for key, value in theirs.state_dict().items():
            assert torch.equal(ours.state_dict()[f"batch_norm.{key}"], value)


def test_the_running_variance_has_the_right_mean() -> None:
    """Fields at two points whose numbers are 1 or -1: over all such samples the mean of the estimates is the variance 1.

    With k = 2, 0 and 1 invariant vectors among two channels; dividing by n d instead would give 1/2, 1 and 3/4.
    """
    for name, text in (("C1", "vector"), ("C2", "vector"), ("C2", "regular")):
        norm = norm_of(of(name, text), momentum=1.0, dtype=torch.float64)
        found = []
        for signs in itertools.product((-1.0, 1.0), repeat=4):
            norm(torch.tensor(signs, dtype=torch.float64).view(2, 2))
            found.append(float(norm.running_var[0]))
        assert sum(found) / len(found) == pytest.approx(1, abs=1e-14), (name, text)


@pytest.mark.parametrize("name", ["regular", "mixed"])
def test_without_momentum_it_keeps_the_mean_of_all_batches(name: str) -> None:
    fields = FIELDS[name]()
    norm = norm_of(fields, momentum=None, dtype=torch.float64)
    single = norm_of(fields, momentum=1.0, dtype=torch.float64)
    seen = []
    for seed in range(4):
        x = images(fields, seed=seed)
        norm(x), single(x)
        seen.append((single.running_mean.clone(), single.running_var.clone()))
    assert int(norm.batch_norm.num_batches_tracked) == 4
    torch.testing.assert_close(norm.running_mean, sum(m for m, _ in seen) / 4, **DOUBLE)
    torch.testing.assert_close(norm.running_var, sum(v for _, v in seen) / 4, **DOUBLE)


@pytest.mark.parametrize("name", ["regular", "mixed"])
def test_without_running_statistics_the_batch_counts_in_evaluation_too(name: str) -> None:
    fields = FIELDS[name]()
    norm = norm_of(fields, track_running_stats=False, affine=False)
    assert list(norm.state_dict()) == []
    x = images(fields, torch.float32)
    assert torch.equal(norm(x), norm.eval()(x))


@pytest.mark.parametrize("name", ["regular", "mixed", "vectors"])
@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16])
def test_half_precision_keeps_its_type(name: str, half: Any) -> None:
    """As in nn.BatchNorm: the output has the type of the input, the statistics stay in single precision."""
    fields = FIELDS[name]()
    norm = norm_of(fields)
    x = images(fields, torch.float32)
    wanted = norm_of(fields)(x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert norm(x).dtype == torch.float32
        leaf = x.to(half).requires_grad_()
        found = norm(leaf)
        assert norm.eval()(x.to(half)).dtype == half
    assert found.dtype == half
    found.sum().backward()
    assert leaf.grad.dtype == half
    assert norm.running_var.dtype == torch.float32
    torch.testing.assert_close(found.float(), wanted, rtol=0.05, atol=0.05)
    assert norm.train().to(half)(x.to(half)).dtype == half


@pytest.mark.parametrize("name", FIELDS)
def test_a_batch_of_one_value_is_refused_as_in_torch(name: str) -> None:
    fields = FIELDS[name]()
    norm = norm_of(fields)
    for shape in ((1, fields.size), (1, fields.size, 1, 1)):
        with pytest.raises(ValueError, match="more than one value per channel"):
            norm(torch.randn(shape))
    assert norm.eval()(torch.randn(1, fields.size, 1, 1)).shape == (1, fields.size, 1, 1)
    assert norm.train()(torch.randn(2, fields.size)).shape == (2, fields.size)


@pytest.mark.parametrize("name", ["regular", "mixed"])
def test_a_mean_far_from_zero_costs_no_digits(name: str) -> None:
    fields = FIELDS[name]()
    x = images(fields) * 1e-2 + 100
    x = x.float().double()
    wanted = norm_of(fields, dtype=torch.float64)(x)
    torch.testing.assert_close(norm_of(fields)(x.float()).double(), wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", ["regular", "mixed"])
def test_channels_last_stays_so(name: str) -> None:
    fields = FIELDS[name]()
    x = images(fields)
    last = x.contiguous(memory_format=torch.channels_last)
    norm = norm_of(fields, dtype=torch.float64)
    y = norm(last)
    assert y.is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(y, norm(x), **DOUBLE)


def test_casting_starts_from_double_precision() -> None:
    fields = of("C3", "regular + vector")
    cast, direct = norm_of(fields).half().double(), norm_of(fields, dtype=torch.float64)
    for name, buffer in direct.named_buffers():
        assert torch.equal(cast.get_buffer(name), buffer), name
    with torch.device("meta"):
        empty = norm_of(fields, dtype=torch.float64)
    empty.to_empty(device="cpu").load_state_dict(direct.state_dict())
    x = images(fields)
    assert torch.equal(empty(x), direct(x))


def earlier_state(norm: Any) -> dict[str, Any]:
    """The state dict of the first version: no inner module, coordinates along numpy's orthonormal basis."""
    bases = [np.linalg.qr(invariant_vectors(rep).T)[0].T for rep, n in norm.in_type.terms for _ in range(n)]
    vectors = torch.block_diag(*(torch.tensor(invariant_vectors(r)) for r, n in norm.in_type.terms for _ in range(n)))
    along = torch.block_diag(*(torch.tensor(b) for b in bases)) @ vectors.T
    held = norm.batch_norm.state_dict()
    return {k: along @ v if k in ("bias", "running_mean") else v.clone() for k, v in held.items()}


@pytest.mark.parametrize("name", FIELDS)
def test_earlier_state_dicts_load(name: str) -> None:
    fields = FIELDS[name]()
    norm = randomised(norm_of(fields, dtype=torch.float64))
    x = images(fields)
    norm(x)
    old = {f"0.{k}": v for k, v in earlier_state(norm).items()}
    twin = nn.Sequential(norm_of(fields, dtype=torch.float64))
    twin.load_state_dict(old)
    torch.testing.assert_close(twin.eval()(x), norm.eval()(x), **DOUBLE)
    fresh = norm_of(fields, dtype=torch.float64)
    fresh.load_state_dict(norm.state_dict())
    assert torch.equal(fresh.eval()(x), norm(x))
    # the buffers were there without statistics as well
    plain = norm_of(fields, track_running_stats=False)
    plain.load_state_dict(earlier_state(norm))
    missing = {k: v for k, v in earlier_state(norm).items() if k != "weight"}
    with pytest.raises(RuntimeError, match=r"Missing key.*batch_norm\.weight"):
        fresh.load_state_dict(missing)


@pytest.mark.parametrize("name", FIELDS)
def test_torch_finds_its_statistics(name: str) -> None:
    """Sync conversion and update_bn look for torch's batch norms; what they leave is equivariant as before."""
    fields = FIELDS[name]()
    model = nn.Sequential(randomised(norm_of(fields, dtype=torch.float64)))
    x = images(fields)
    wanted = model(x)
    state = model.state_dict()
    converted = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    assert isinstance(converted[0].batch_norm, nn.SyncBatchNorm)
    assert list(converted.state_dict()) == list(state)
    torch.testing.assert_close(converted(x), wanted)
    batches = [images(fields, seed=s) for s in (5, 6)]
    torch.optim.swa_utils.update_bn(batches, converted)
    single = norm_of(fields, momentum=None, dtype=torch.float64)
    for batch in batches:
        single(batch)
    torch.testing.assert_close(converted[0].running_var, single.running_var, **DOUBLE)
    torch.testing.assert_close(converted[0].running_mean, single.running_mean, **DOUBLE)
    assert converted[0].batch_norm.momentum == 0.1


SYNC = """
import os, sys, torch
from pdobasis import field_type, group
from pdobasis.nn import FieldBatchNorm
torch.set_num_threads(1)
rank = int(sys.argv[2])
torch.distributed.init_process_group("gloo", init_method="file://" + sys.argv[1], rank=rank, world_size=2)
for text in ("3xregular", "2xregular + vector + trivial", "2xvector"):
    fields = field_type(text, group("C4"))
    torch.manual_seed(0)
    x, back = (torch.randn(5, fields.size, 3, 3, dtype=torch.float64) + 2 for _ in range(2))
    alone = FieldBatchNorm(fields, dtype=torch.float64)
    torch.nn.init.uniform_(alone.weight)
    together = torch.nn.SyncBatchNorm.convert_sync_batchnorm(FieldBatchNorm(fields, dtype=torch.float64))
    together.load_state_dict(alone.state_dict())
    whole = x.clone().requires_grad_()
    y = alone(whole)
    (y * back).sum().backward()
    mine = slice(0, 2) if rank == 0 else slice(2, 5)
    part = x[mine].clone().requires_grad_()
    found = together(part)
    (found * back[mine]).sum().backward()
    torch.testing.assert_close(found, y[mine])
    torch.testing.assert_close(part.grad, whole.grad[mine])
    gradient = together.weight.grad.clone()
    torch.distributed.all_reduce(gradient)
    torch.testing.assert_close(gradient, alone.weight.grad)
    for key, value in alone.state_dict().items():
        torch.testing.assert_close(together.state_dict()[key], value)
    single = torch.randn(1, fields.size, dtype=torch.float64)
    together(single)  # one value here, two in all
torch.distributed.barrier()
print("same", flush=True)
os._exit(0)
"""


def test_two_processes_normalise_as_one(tmp_path: Path) -> None:
    """After convert_sync_batchnorm: outputs, gradients and statistics of two halves are those of the whole batch."""
    if not torch.distributed.is_available():
        pytest.skip("torch without distributed")
    command = [sys.executable, "-c", SYNC, str(tmp_path / "store")]
    running = [
        subprocess.Popen([*command, str(rank)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for rank in range(2)
    ]
    for process in running:
        out, err = process.communicate(timeout=240)
        assert out.strip() == "same", err


def test_refusals() -> None:
    with pytest.raises(LayerError, match=r"\(batch, 8, ...\)"):
        FieldBatchNorm(of("D4", "regular"))(torch.zeros(2, 9, 3, 3))


@pytest.mark.parametrize("name", ["regular", "mixed"])
def test_an_empty_batch(name: str) -> None:
    """As in torch: empty output, and statistics as they were."""
    fields = FIELDS[name]()
    norm = norm_of(fields)
    x = torch.empty(0, fields.size, 4, 4)
    for training in (True, False):
        assert norm.train(training)(x).shape == x.shape
    assert not norm.running_mean.any()
    assert torch.equal(norm.running_var, torch.ones(len(fields)))
