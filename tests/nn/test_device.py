"""Everything stays on the device, nothing waits for it; compilers and tracers see one graph.

The device is torch's ``meta``, on which asking for a number is an error; besides, every operation is recorded with the
devices of what it reads and writes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.overrides import TorchFunctionMode  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils._pytree import tree_leaves  # noqa: E402

from pdobasis import field_type, group  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    FieldBatchNorm,
    GatedNonlinearity,
    GlobalPool,
    GroupPool,
    NormNonlinearity,
    NormPool,
    PDOConv2d,
    Pointwise,
    Restrict,
    TensorProduct,
    reuse,
)
from pdobasis.nn import jets as jets_module  # noqa: E402
from pdobasis.nn.models import regular_network  # noqa: E402

nn = torch.nn
WAITING = {"_local_scalar_dense", "nonzero", "equal", "is_nonzero", "_unique2"}
"""Operations whose result the processor has to know."""
FROM_HOST = {"tensor", "as_tensor", "from_numpy", "tolist", "item", "numpy", "cpu"}
"""Calls that carry numbers of Python to the device, or back."""


class Operations(TorchDispatchMode):
    """The names of all operations, and the kinds of devices that they touch."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.names: list[str] = []
        self.devices: set[str] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        self.names.append(func.overloadpacket.__name__)
        self.devices |= {t.device.type for t in tree_leaves((args, kwargs, out)) if isinstance(t, torch.Tensor)}
        return out


class Calls(TorchFunctionMode):
    """What Python asks of torch; a list as index is a tensor made of numbers of Python."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.add(func.__name__)
        if func.__name__ == "__getitem__":
            index = args[1] if isinstance(args[1], tuple) else args[1:]
            self.names |= {"tensor" for i in index if isinstance(i, list)}
        return func(*args, **(kwargs or {}))


def recorded(call: Callable[[], Any]) -> tuple[Operations, Calls]:
    operations, calls = Operations(), Calls()
    with operations, calls:
        call()
    return operations, calls


def stays(record: tuple[Operations, Calls], device: str) -> bool:
    operations, calls = record
    return operations.devices == {device} and not WAITING & set(operations.names) and not FROM_HOST & calls.names


def of(text: str) -> Any:
    return field_type(text, group("D4"))


def conv(apply: str, **options: Any) -> Any:
    return PDOConv2d(
        "D4", "2xregular + vector", "3xregular + trivial", **{"size": 5, "padding": 2, "apply": apply, **options}
    )


PARTS: dict[str, Callable[[], Any]] = {
    "dense": lambda: conv("dense"),
    "jets": lambda: conv("jets", stencil="fd"),
    "jets by convolution": lambda: conv("jets", stencil="rbffd"),
    "one kind": lambda: PDOConv2d("C16", "4xregular", "4xregular", size=3),
    "groups": lambda: PDOConv2d("C4", "4xregular", "2xvector", size=3, groups=2, apply="jets", stencil="fd"),
    "folded norm": lambda: FieldBatchNorm(of("2xregular")),
    "norm": lambda: FieldBatchNorm(of("2xregular + vector")),
    "norm, mean of all batches": lambda: FieldBatchNorm(of("vector + trivial"), momentum=None),
    "pointwise": lambda: Pointwise(of("2xregular")),
    "norm nonlinearity": lambda: NormNonlinearity(of("2xregular + vector")),
    "gate": lambda: GatedNonlinearity(of("2xregular + vector")),
    "group pool": lambda: GroupPool(of("2xregular + quotient(flip)")),
    "norm pool": lambda: NormPool(of("2xregular + vector")),
    "global mean": lambda: GlobalPool(of("2xregular + vector")),
    "global maximum": lambda: GlobalPool(of("2xregular"), "max"),
    "restriction": lambda: Restrict(of("2xregular + vector"), "C4"),
}


@pytest.mark.parametrize("size", [7, 12])
@pytest.mark.parametrize("name", PARTS)
def test_no_part_leaves_its_device_or_waits_for_it(name: str, size: int) -> None:
    """Forward, backward and evaluation."""
    part = PARTS[name]().to("meta")
    assert (size * size <= jets_module.SMALL) == (size == 7)
    x = torch.randn(3, part.in_type.size, size, size, device="meta", requires_grad=True)
    assert stays(recorded(lambda: part(x).sum().backward()), "meta")
    part.eval()
    assert stays(recorded(lambda: part(x).sum().backward()), "meta")
    with torch.no_grad():
        record = recorded(lambda: part(x))
    assert not record[0].names or stays(record, "meta")


@pytest.mark.parametrize("paired", [False, True])
def test_products_of_fields_stay_on_their_device(paired: bool) -> None:
    left, right = of("2xvector + trivial"), of("trivial + 2xvector")
    part = TensorProduct(left, right, of("2xregular"), paired=paired).to("meta")
    x, y = (torch.randn(3, t.size, 7, 7, device="meta", requires_grad=True) for t in (left, right))
    assert stays(recorded(lambda: part(x, y).sum().backward()), "meta")


def test_a_network_stays_on_its_device() -> None:
    model = regular_network("C4", width=1 / 8).to("meta")
    x = torch.randn(2, 1, 28, 28, device="meta")
    assert stays(recorded(lambda: model(x).sum().backward()), "meta")


OFFENDERS: dict[str, Callable[[Any], Any]] = {
    "a number": lambda x: float(x.sum()),
    "a list as index": lambda x: x[:, [0, 1]],
    "numbers of Python": lambda x: x * torch.tensor([2.0], device=x.device),
    "a copy": lambda x: x + torch.ones(1).to(x.device),
    "places": lambda x: x.nonzero(),
    "a comparison": lambda x: torch.equal(x, x + 0),
}


@pytest.mark.parametrize("name", OFFENDERS)
def test_what_waits_or_copies_is_found(name: str) -> None:
    x = torch.randn(2, 3, device="meta")
    try:
        record = recorded(lambda: OFFENDERS[name](x))
    except (RuntimeError, NotImplementedError):  # torch refuses it on this device
        return
    assert not stays(record, "meta")


@pytest.mark.parametrize(("apply", "wanted"), [("dense", {"convolution"}), ("jets", None)])
def test_a_kept_filter_is_used_without_a_look_at_its_numbers(
    apply: str, wanted: set[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on every device but the CPU: from the second call on, evaluation is the convolution alone."""
    monkeypatch.setattr(reuse, "is_compared_by_value", lambda parameter: False)
    layer = conv(apply, stencil="fd").eval()
    x = torch.randn(2, layer.in_channels, 9, 9)
    with torch.no_grad():
        layer(x)
        record = recorded(lambda: layer(x))
        assert stays(record, "cpu")
        names = record[0].names
        if wanted is not None:
            assert set(names) == wanted
        layer.weight_0_0.mul_(2)
        assert len(recorded(lambda: layer(x))[0].names) > len(names)  # built again


def small_network(apply: str) -> Any:
    """Every part that has a graph of its own: both norms, both ways to apply, gates, pooling, restriction."""
    first = PDOConv2d("D4", "trivial", "2xregular", size=5, padding=2, stencil="fd", apply=apply)
    cut = Restrict(first.out_type, "C4")
    mixed = field_type("2xvector + 2xregular", cut.out_type.group)
    second = PDOConv2d("C4", cut.out_type, mixed, size=3, padding=1, stencil="fd", apply=apply)
    pool = NormPool(mixed)
    return nn.Sequential(
        first, FieldBatchNorm(first.out_type), Pointwise(first.out_type, nn.ELU()), nn.MaxPool2d(2), cut,
        second, FieldBatchNorm(mixed), NormNonlinearity(mixed), pool, GlobalPool(pool.out_type), nn.Linear(4, 3),
    )  # fmt: skip


@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_a_network_compiles_in_one_graph(apply: str) -> None:
    """Outputs, gradients and running statistics as without the compiler, in training and evaluation."""
    torch.manual_seed(0)
    model, twin = small_network(apply), small_network(apply)
    twin.load_state_dict(model.state_dict())
    x = torch.randn(3, 1, 14, 14)
    torch.compiler.reset()
    compiled = torch.compile(twin, fullgraph=True, backend="aot_eager")
    wanted, found = model(x), compiled(x)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)
    wanted.square().sum().backward()
    found.square().sum().backward()
    for a, b in zip(model.parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(b.grad, a.grad, rtol=1e-3, atol=1e-4)
    for key, value in model.state_dict().items():
        torch.testing.assert_close(twin.state_dict()[key], value)
    with torch.no_grad():
        torch.testing.assert_close(compiled.eval()(x), model.eval()(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_a_network_is_traced_in_evaluation(apply: str) -> None:
    """For other batches and image sizes than it was traced with; torch's tracer finds nothing to warn of."""
    model = small_network(apply).eval()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "`torch.jit.*deprecated", DeprecationWarning)
        traced = torch.jit.trace(model, torch.randn(2, 1, 14, 14))
        frozen = torch.jit.freeze(traced)
    with torch.no_grad():
        for shape in ((2, 1, 14, 14), (5, 1, 18, 12)):
            x = torch.randn(shape)
            for found in (traced(x), frozen(x)):
                torch.testing.assert_close(found, model(x), rtol=1e-4, atol=1e-5)


def test_a_compiler_sees_batch_norm_by_channel() -> None:
    """Folded into views its loops do not fit images with their channels last: a compiled step was slower than eager."""
    fields = of("2xregular")
    sizes: set[int] = set()

    def backend(graph: Any, inputs: Any) -> Any:
        made = [n.meta.get("example_value") for n in graph.graph.nodes]
        sizes.update(t.shape[-1] for t in made if isinstance(t, torch.Tensor) and t.numel() >= x.numel())
        return graph

    torch.compiler.reset()
    norm = FieldBatchNorm(fields)
    assert norm.folded is not None
    x = torch.randn(3, fields.size, 5, 7)
    found = torch.compile(norm, backend=backend, fullgraph=True)(x)
    assert sizes == {7}  # images all along, no rows of eight channels
    torch.testing.assert_close(found, FieldBatchNorm(fields)(x))
