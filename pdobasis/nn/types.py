"""Which fields leave a module, given those that enter it: what a network can know before it runs.

Parts of this package say so themselves (``in_type``, ``out_type``; `Split` and `Merge` have several). Of torch's own
modules a table knows which act alike on all channels, and with which fields that commutes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from torch import nn

from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import FieldMismatchError, NotEquivariantError
from pdobasis.layers.invariants import permutes_channels, require_permutations
from pdobasis.nn.arguments import described
from pdobasis.nn.nonlinear import trivial_type
from pdobasis.question.field_type import FieldType

Types = FieldType | tuple[FieldType, ...]
"""Of one tensor, or of several."""


@dataclass(frozen=True, slots=True)
class Flow:
    """What is known of a tensor: its fields and the module that said so; or which module left no fields behind."""

    fields: Types | None = None
    giver: str = ""
    broken_by: str = ""
    instead: str = "use PDOConv in its place"


NOTHING = Flow()


def types_of(module: nn.Module) -> tuple[Types, Types] | None:
    """What a module takes and gives; None if it does not say."""
    taken, given = _side(module, "in"), _side(module, "out")
    if taken is None or given is None:
        return None
    return taken, given


def _side(module: nn.Module, side: str) -> Types | None:
    one = getattr(module, f"{side}_type", None)
    if isinstance(one, FieldType):
        return one
    several = getattr(module, f"{side}_types", None)
    if isinstance(several, tuple):
        return several
    return None


def is_leaf(module: nn.Module) -> bool:
    """Whether a module is one step of a network; else what is inside of it is walked through."""
    if isinstance(module, nn.Sequential):
        return False
    if types_of(module) is not None:
        inside = [m for m in module.modules() if m is not module]
        return getattr(module, "is_whole", False) or not any(map(types_of, inside))
    return not any(True for _ in module.children())


def stepped(flow: Flow, module: nn.Module, name: str) -> Flow:
    """Through one module; an error if it does not fit what comes."""
    label = f"{name} ({type(module).__name__})".lstrip()
    types = types_of(module)
    if types is not None:
        _require_fit(flow, types[0], label)
        return Flow(types[1], label)
    if not isinstance(flow.fields, FieldType):
        # Behind an unknown module nothing is known, and of several tensors no torch module.
        return replace(flow, fields=None, giver="")
    rule = _rule_for(module)
    if rule is None:
        return NOTHING
    if not isinstance(module, _SINGLE_POINTS):
        fields_of(flow.fields, label)
    fields = rule(module, flow.fields, label)
    if fields is None:
        return Flow(broken_by=label)
    if fields is flow.fields:
        return flow
    return Flow(fields, label)


def carried(fields: FieldType, module: nn.Module) -> Types | None:
    """The fields behind a module that these fields enter; None if it does not say."""
    return stepped(Flow(fields, "the input"), module, "").fields


def _require_fit(flow: Flow, taken: Types, label: str) -> None:
    if flow.broken_by:
        raise NotEquivariantError(
            f"{flow.broken_by} mixes the channels of fields, and {label} takes {_text(taken)}: {flow.instead}"
        )
    if flow.fields is None or flow.fields == taken:
        return
    hint = ""
    if isinstance(flow.fields, FieldType) and isinstance(taken, FieldType):
        if flow.fields.group != taken.group:
            hint = ": Restrict goes from a group to a subgroup"
        elif flow.fields.size == taken.size:
            hint = (
                f": both have {taken.size} channels, which transform in different ways"
            )
    raise FieldMismatchError(
        f"{flow.giver} gives {_text(flow.fields)}, {label} takes {_text(taken)}{hint}"
    )


def _text(types: Types) -> str:
    if isinstance(types, FieldType):
        return described(types)
    return " | ".join(map(described, types))


Rule = Callable[[Any, FieldType, str], FieldType | None]
"""(module, fields, its name) to the fields behind it; None where these are none any more."""


def _alike(module: Any, fields: FieldType, label: str) -> FieldType:
    """A linear map, the same for all channels, commutes with every representation."""
    return fields


def _single(instead: str) -> Rule:
    """A function of single channels commutes with their permutations."""

    def rule(module: Any, fields: FieldType, label: str) -> FieldType:
        require_permutations(fields, label, instead, at_places=True)
        return fields

    return rule


def _numbered(instead: str) -> Rule:
    """Numbers of its own for every channel, learned or counted: scalars have a channel each."""

    def rule(module: Any, fields: FieldType, label: str) -> FieldType:
        for rep in fields.distinct:
            if rep.size > 1 or not permutes_channels(rep):
                raise NotEquivariantError(
                    f"{label} treats every channel in its own way, which breaks the equivariance of {rep.spec} of "
                    f"{rep.group.name}: use {instead}"
                )
        return fields

    return rule


def _instance_norm(module: Any, fields: FieldType, label: str) -> FieldType | None:
    # Without numbers of its own it is a function of the image in one channel.
    if not module.affine and not module.track_running_stats:
        return _single("use FieldInstanceNorm")(module, fields, label)
    return _numbered("FieldInstanceNorm")(module, fields, label)


def _slopes(module: Any, fields: FieldType, label: str) -> FieldType | None:
    if module.num_parameters == 1:
        return _single(_NORM)(module, fields, label)
    return _numbered("num_parameters=1")(module, fields, label)


def _constant_pad(module: Any, fields: FieldType, label: str) -> FieldType | None:
    if module.value == 0:
        return fields
    return _single("pad with zeros")(module, fields, label)


def _mixing(module: Any, fields: FieldType, label: str) -> FieldType | None:
    """At one point scalars may be mixed in any way; everything else is no map of fields."""
    scalars = all(rep.size == 1 and permutes_channels(rep) for rep in fields.distinct)
    at_one_point = set(getattr(module, "kernel_size", ())) <= {1}
    if not scalars or not at_one_point:
        return None
    count = getattr(module, "out_channels", None) or module.out_features
    return trivial_type(fields, count)


_NORM = "use NormNonlinearity, GatedNonlinearity or PerField"
_ACTIVATIONS: tuple[type[nn.Module], ...] = (
    nn.CELU, nn.ELU, nn.GELU, nn.Hardshrink, nn.Hardsigmoid, nn.Hardswish, nn.Hardtanh, nn.LeakyReLU, nn.LogSigmoid,
    nn.Mish, nn.RReLU, nn.ReLU, nn.SELU, nn.SiLU, nn.Sigmoid, nn.Softplus, nn.Softshrink, nn.Softsign, nn.Tanh,
    nn.Tanhshrink, nn.Threshold,
)  # fmt: skip
_SINGLE_POINTS = (
    *_ACTIVATIONS, nn.Identity, nn.PReLU, nn.modules.batchnorm._BatchNorm, nn.modules.instancenorm._InstanceNorm,
    nn.modules.dropout._DropoutNd,
)  # fmt: skip
"""Those that take every point of a channel alike: to them it does not matter where in the cell these are."""
_RULES: tuple[tuple[tuple[type[nn.Module], ...], Rule], ...] = (
    (
        (
            nn.Identity, nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d, nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d,
            nn.AdaptiveAvgPool3d, nn.Upsample, nn.CircularPad1d, nn.CircularPad2d, nn.CircularPad3d, nn.ReflectionPad1d,
            nn.ReflectionPad2d, nn.ReflectionPad3d, nn.ReplicationPad1d, nn.ReplicationPad2d, nn.ReplicationPad3d,
        ),
        _alike,
    ),
    (_ACTIVATIONS, _single(_NORM)),
    (
        (
            nn.AdaptiveMaxPool1d, nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d, nn.LPPool1d, nn.LPPool2d, nn.LPPool3d,
            nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d,
        ),
        _single("use NormMaxPool or BlurPool"),
    ),
    ((nn.modules.batchnorm._BatchNorm,), _numbered("FieldBatchNorm")),
    ((nn.modules.instancenorm._InstanceNorm,), _instance_norm),
    ((nn.GroupNorm, nn.LayerNorm, nn.LocalResponseNorm, nn.CrossMapLRN2d), _numbered("FieldGroupNorm")),
    # Drawn alike for all channels, so that the distribution keeps their permutations.
    ((nn.modules.dropout._DropoutNd,), _single("use FieldDropout")),
    ((nn.PReLU,), _slopes),
    ((nn.modules.padding._ConstantPadNd,), _constant_pad),
    ((nn.modules.conv._ConvNd, nn.Linear), _mixing),
)  # fmt: skip


def _rule_for(module: nn.Module) -> Rule | None:
    for classes, rule in _RULES:
        if isinstance(module, classes):
            return rule
    return None
