"""Filters that are built once in evaluation mode, and again when the weights change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

Build = Callable[[list[Tensor]], Tensor]


@dataclass(frozen=True, slots=True, eq=False)
class Reused:
    """A filter and a bias per channel, and the parameters that they were built from.

    ``parts`` keeps what is cut out of the filter later.
    """

    value: Tensor
    bias: Tensor | None
    copies: tuple[Tensor, ...]
    stamps: tuple[tuple[torch.device, int, int], ...]
    parts: dict[Any, Tensor]


def reused(
    store: list[Reused],
    weights: list[Tensor],
    bias: Tensor | None,
    build: Build,
    spread: Callable[[], Tensor | None],
) -> Reused:
    """What was built from these parameters, built again if they have changed.

    Next to a convolution every further operation costs: after it the processor has forgotten all other code.
    """
    if bias is None:
        parameters = weights
    else:
        parameters = [*weights, bias]
    if store and _unchanged(store[0], parameters):
        return store[0]
    # Tensors that are made in inference mode may never be part of a graph, and these may be asked for later.
    with torch.inference_mode(False), torch.no_grad():
        copies = tuple(p.detach().clone() for p in parameters)
        value = build(list(copies[: len(weights)]))
        kept = Reused(value, spread(), copies, tuple(map(_stamp, parameters)), {})
    store[:] = [kept]
    return kept


def with_gradient(value: Tensor, weights: list[Tensor], build: Build) -> Tensor:
    """The filter of these weights, whose gradient reaches them although it is not computed again."""
    if not any(w.requires_grad for w in weights):
        return value
    result: Tensor = _Kept.apply(value, build, *weights)  # type: ignore[no-untyped-call]
    return result


def _unchanged(kept: Reused, parameters: list[Tensor]) -> bool:
    """By value on the CPU, since ``weight.data`` changes without a trace; elsewhere by place and version counter."""
    for p, k, stamp in zip(parameters, kept.copies, kept.stamps, strict=True):
        if p.dtype is not k.dtype or p.is_cpu is not k.is_cpu:
            return False
        if is_compared_by_value(p):
            same = torch.equal(p, k)
        else:
            same = _stamp(p) == stamp
        if not same:
            return False
    return True


def is_compared_by_value(parameter: Tensor) -> bool:
    """On the CPU alone: elsewhere a comparison would wait for the device."""
    return parameter.is_cpu


def _stamp(parameter: Tensor) -> tuple[torch.device, int, int]:
    version = -1
    if (
        not parameter.is_inference()
    ):  # tensors of inference mode do not count their versions
        version = parameter._version
    return parameter.device, parameter.data_ptr(), version


class _Kept(torch.autograd.Function):
    """The identity on a filter that is known, with the gradient of building it (which is linear in the weights)."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, build: Build, *weights: Tensor) -> Tensor:
        ctx.build = build
        ctx.save_for_backward(*weights)
        # A new tensor: the kept one itself must not become part of a graph.
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        # In a backward pass gradients are on exactly if it is to be differentiated once more.
        again = torch.is_grad_enabled()
        with torch.enable_grad():
            # The filter is linear in the weights, so its gradient is that of building it once more.
            points = [w.detach().requires_grad_() for w in ctx.saved_tensors]
            found = torch.autograd.grad(
                ctx.build(points), points, gradients[0], create_graph=again
            )
        return None, None, *found
