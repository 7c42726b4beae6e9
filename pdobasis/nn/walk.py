"""A network, step by step, as it runs: which fields reach each module, of which size, from how far.

What is known of a tensor (`Seen`) is pinned to it. Modules pass it on by their types, and between modules torch's
functions are watched: sums need equal fields, concatenations add them up, a ReLU wants permutations, and an index has
to take whole fields. Behind any other function nothing is known, and nothing is complained of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from pdobasis.layers.arguments import fields_of, per_axis
from pdobasis.layers.errors import FieldMismatchError, LayerError
from pdobasis.layers.invariants import permutes_channels, require_permutations
from pdobasis.nn.arguments import described, some_float
from pdobasis.nn.choice import CHOICES, Choice, choice
from pdobasis.nn.points import PDOPointConv
from pdobasis.nn.reach import Reach, is_exact_on, one_point
from pdobasis.nn.types import NOTHING, Flow, is_leaf, stepped, types_of
from pdobasis.question.field_type import FieldType

SUMS = ("add", "add_", "__add__", "__iadd__", "sub", "sub_", "__sub__", "__isub__")
JOINS = ("cat", "concat", "concatenate")
LINEAR = (
    "mul", "mul_", "__mul__", "__rmul__", "__imul__", "div", "div_", "__truediv__", "__itruediv__", "neg", "__neg__",
    "clone", "contiguous", "detach",
)  # fmt: skip
"""With a number: the same for all channels."""
FUNCTIONS = (
    "abs", "abs_", "celu", "clamp", "clamp_", "clamp_max", "clamp_min", "clip", "cos", "elu", "exp", "gelu",
    "hardsigmoid", "hardswish", "hardtanh", "leaky_relu", "log", "logsigmoid", "max_pool1d", "max_pool2d", "max_pool3d",
    "mish", "pow", "__pow__", "relu", "relu_", "relu6", "rsqrt", "selu", "sigmoid", "sigmoid_", "silu", "sin",
    "softplus", "softsign", "sqrt", "square", "tanh", "tanh_", "threshold",
)  # fmt: skip
"""Of single channels: they commute with permutations of these."""
PRODUCTS = ("mul", "mul_", "__mul__", "__imul__", "maximum", "minimum")


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of a tensor; how far it reaches is None behind a function that is not known."""

    flow: Flow
    reach: Reach | None


UNKNOWN = Seen(NOTHING, None)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One module of a network: what came out, and whether its samples lie symmetrically on the grid."""

    name: str
    module: nn.Module
    shape: tuple[int, ...]
    seen: Seen
    exact: bool


def walk(model: nn.Module, size: int | Sequence[int]) -> list[Step]:
    """Run the network on an image of zeros of this size, and check on the way that the types meet."""
    if any(isinstance(module, PDOPointConv) for module in model.modules()):
        raise LayerError(
            "a network on points is called with a cloud, and its images have no size: check_types(model) goes without"
        )
    fields = _in_type(model)
    sizes = per_axis(size, fields.group.dim, "size", 1)
    like = some_float(model, torch.zeros(()))
    x = torch.zeros(1, fields.size, *sizes, device=like.device, dtype=like.dtype)
    _pin(x, Seen(Flow(fields, "the input"), one_point(len(sizes))))
    watched = _Watched()
    hooks = []
    modes = {module: module.training for module in model.modules()}
    try:
        for name, module in _leaves(model, ""):
            hooks.append(module.register_forward_pre_hook(watched.enter))
            hooks.append(module.register_forward_hook(watched.leave(name)))
        with torch.no_grad(), watched:
            model.eval()(x)
    finally:
        for hook in hooks:
            hook.remove()
        model.train(modes[model])
        for module, mode in modes.items():
            module.training = mode
    return watched.steps


def _leaves(module: nn.Module, name: str) -> Iterator[tuple[str, nn.Module]]:
    """The steps of a network by name; one that occurs twice is watched once, and seen whenever it is called."""
    seen: set[nn.Module] = set()
    if is_leaf(module):
        yield name, module
        return
    for child_name, child in module.named_children():
        for inner, leaf in _leaves(child, f"{name}.{child_name}".lstrip(".")):
            if leaf not in seen:
                seen.add(leaf)
                yield inner, leaf


class _Watched(TorchFunctionMode):
    """Sees every function of torch that is called between the modules."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Step] = []
        self._inside = 0

    def enter(self, module: nn.Module, args: tuple[Any, ...]) -> None:
        self._inside += 1

    def leave(self, name: str) -> Callable[[nn.Module, tuple[Any, ...], Any], Any]:
        def hook(module: nn.Module, args: tuple[Any, ...], output: Any) -> Any:
            self._inside -= 1
            return self._stepped(name, module, args, output)

        return hook

    def _stepped(
        self, name: str, module: nn.Module, args: tuple[Any, ...], output: Any
    ) -> Any:
        given = _tensors(args)
        before = [_seen(x) for x in given]
        flow = stepped(_together([seen.flow for seen in before]), module, name)
        reach = _farthest([seen.reach for seen in before])
        if reach is not None:
            reach = reach.behind(module)
        exact = all(is_exact_on(module, x.shape[2:]) for x in given[:1] if x.ndim > 2)
        parts = _tensors((output,))
        types: Sequence[Any] = [flow.fields] * len(parts)
        if isinstance(flow.fields, tuple):
            types = flow.fields
        # New objects: a module may hand back what it was given, whose own fields are still needed elsewhere.
        fresh = [part.view_as(part) for part in parts]
        for part, fields in zip(fresh, types, strict=False):
            seen = Seen(Flow(fields, flow.giver, flow.broken_by), reach)
            _pin(part, seen)
        if parts:
            seen = Seen(flow, reach)
            self.steps.append(Step(name, module, tuple(parts[0].shape), seen, exact))
        if isinstance(output, Tensor):
            return fresh[0]
        if isinstance(output, tuple) and len(fresh) == len(output):
            return tuple(fresh)
        return output

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        if self._inside == 0 and isinstance(out, Tensor):
            _pin(out, _after(func, args, kwargs or {}))
        return out


def _after(func: Any, args: Any, kwargs: Any) -> Seen:
    tensors = _tensors(args)
    broken = next((f for x in tensors if (f := _seen(x).flow).broken_by), None)
    if broken is not None:
        # No function makes fields again of what are none.
        return Seen(broken, None)
    name = getattr(func, "__name__", "")
    if name not in CHOICES:
        return _after_function(name, args, kwargs)
    seen = _seen(tensors[0])
    if not isinstance(seen.flow.fields, FieldType):
        return UNKNOWN
    return _chosen(choice(func, args, kwargs, seen.flow.fields), seen)


def _chosen(found: Choice | None, seen: Seen) -> Seen:
    """Some of the channels: they are fields if none was taken apart."""
    if found is None:
        return UNKNOWN
    if found.fields is None:
        by = f"a choice of channels behind {seen.flow.giver}"
        return Seen(
            Flow(broken_by=by, instead="take whole fields, as Split does"), None
        )
    if not found.in_place:
        return UNKNOWN
    return Seen(Flow(found.fields, seen.flow.giver), seen.reach)


def _after_function(name: str, args: Any, kwargs: Any) -> Seen:
    tensors = [_seen(x) for x in _tensors(args)]
    fields = [f for seen in tensors if isinstance(f := seen.flow.fields, FieldType)]
    if not fields or len(fields) != len(tensors):
        return UNKNOWN
    first = tensors[0]
    reach = _farthest([seen.reach for seen in tensors])
    if name in SUMS and len(tensors) == 1:
        # A number for every channel is a field of permutations.
        _require_single(f"a sum of {_text(first)} and a number", fields[0])
        return first
    if name in PRODUCTS and len(tensors) == 2:
        return _multiplied(name, args, tensors, fields)
    if name in SUMS and len(tensors) == 2:
        if fields[0] != fields[1]:
            raise FieldMismatchError(
                f"a sum of {_text(tensors[0])} and {_text(tensors[1])}: fields are added to fields of the same type"
            )
        return Seen(first.flow, reach)
    if name in JOINS and _is_channel_axis(args, kwargs):
        whole = sum(fields[1:], fields[0])
        return Seen(Flow(whole, f"torch.{name}"), reach)
    if name in LINEAR and len(tensors) == 1:
        return first
    if name in FUNCTIONS:
        # Windows take values of several points, which is another thing for half points.
        at_places = "pool" not in name
        _require_single(f"{name} behind {first.flow.giver}", fields[0], at_places)
        if at_places:
            return first
        return Seen(first.flow, None)
    return UNKNOWN


def _require_single(what: str, fields: FieldType, at_places: bool = True) -> None:
    require_permutations(fields, what, "use NormNonlinearity", at_places)


def _multiplied(
    name: str, args: Any, tensors: Sequence[Seen], fields: Sequence[FieldType]
) -> Seen:
    """By one scalar field, or channel by channel: then both have to be the same permutations."""
    reach = _farthest([seen.reach for seen in tensors])
    for k in (0, 1):
        scalar = fields[k].size == 1 and permutes_channels(fields[k][0])
        if scalar and fields[1 - k].group == fields[k].group:
            fields_of(fields[k] + fields[1 - k], f"{name} by a scalar")
            return Seen(tensors[1 - k].flow, reach)
    if fields[0] != fields[1]:
        raise FieldMismatchError(
            f"{name} of {_text(tensors[0])} and {_text(tensors[1])}: channel by channel fields have to be equal"
        )
    require_permutations(
        fields[0],
        f"{name}, channel by channel, of {_text(tensors[0])}",
        "use TensorProduct or GatedNonlinearity",
        at_places=True,
    )
    return Seen(tensors[0].flow, reach)


def _is_channel_axis(args: Any, kwargs: Any) -> bool:
    axis = kwargs.get("dim", (*args, 0)[1])
    if not isinstance(axis, int):
        return False
    rank = _tensors(args)[0].ndim
    return axis % rank == 1


def _text(seen: Seen) -> str:
    fields = seen.flow.fields
    if isinstance(fields, FieldType):
        return f"{described(fields)} (of {seen.flow.giver})"
    return "unknown fields"


def _in_type(model: nn.Module) -> FieldType:
    for module in (model, *model.modules()):
        types = types_of(module)
        if types is not None and isinstance(types[0], FieldType):
            return types[0]
    raise LayerError(
        f"no module inside {type(model).__name__} has an in_type: what its images are is not known"
    )


def _together(flows: Sequence[Flow]) -> Flow:
    """Several tensors as one: a tuple of their fields, if all are known."""
    if len(flows) == 1:
        return flows[0]
    fields = [flow.fields for flow in flows]
    known = [f for f in fields if isinstance(f, FieldType)]
    if not flows or len(known) != len(fields):
        return NOTHING
    return Flow(tuple(known), " and ".join(flow.giver for flow in flows))


def _farthest(reaches: Sequence[Reach | None]) -> Reach | None:
    known = [reach for reach in reaches if reach is not None]
    if not known or len(known) != len(reaches):
        return None
    out = known[0]
    for other in known[1:]:
        out = out.joined(other)
    return out


def _tensors(args: Any) -> list[Tensor]:
    """The tensors among the arguments, and in lists and tuples among them."""
    out: list[Tensor] = []
    for arg in args:
        if isinstance(arg, Tensor):
            out.append(arg)
        elif isinstance(arg, (list, tuple)):
            out += [part for part in arg if isinstance(part, Tensor)]
    return out


def _pin(x: Tensor, seen: Seen) -> None:
    x._pdobasis_seen = seen  # type: ignore[attr-defined]


def _seen(x: Tensor) -> Seen:
    found: Seen = getattr(x, "_pdobasis_seen", UNKNOWN)
    return found
