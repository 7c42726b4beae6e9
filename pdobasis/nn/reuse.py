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
    """A filter and the weights that it was built from."""

    value: Tensor
    weights: tuple[Tensor, ...]
    stamps: tuple[tuple[int, int], ...]


def reuse(store: list[Reused], weights: list[Tensor], build: Build) -> Tensor:
    """The filter of these weights; gradients reach the weights although the filter is not computed again."""
    kept = store[0] if store else None
    if kept is None or not _unchanged(kept, weights):
        with torch.inference_mode(False), torch.no_grad():
            copies = tuple(w.detach().clone() for w in weights)
            kept = Reused(build(list(copies)), copies, _stamps(weights))
        store[:] = [kept]
    if torch.is_grad_enabled() and any(w.requires_grad for w in weights):
        result: Tensor = _Kept.apply(kept.value, build, *weights)  # type: ignore[no-untyped-call]
        return result
    return kept.value


def _unchanged(kept: Reused, weights: list[Tensor]) -> bool:
    """By version counter; on the CPU also by value, since ``weight.data`` changes without a trace."""
    if kept.stamps != _stamps(weights) or any(
        w.dtype != k.dtype or w.device != k.device for w, k in zip(weights, kept.weights, strict=True)
    ):
        return False
    on_cpu = all(w.device.type == "cpu" for w in weights)
    return not on_cpu or all(torch.equal(w, k) for w, k in zip(weights, kept.weights, strict=True))


def _stamps(weights: list[Tensor]) -> tuple[tuple[int, int], ...]:
    return tuple((w.data_ptr(), -1 if w.is_inference() else w._version) for w in weights)


class _Kept(torch.autograd.Function):
    """The identity on a filter that is known, with the gradient of building it (which is linear in the weights)."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, build: Build, *weights: Tensor) -> Tensor:
        ctx.build = build
        ctx.save_for_backward(*weights)
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        again = torch.is_grad_enabled()
        with torch.enable_grad():
            points = [w.detach().requires_grad_() for w in ctx.saved_tensors]
            found = torch.autograd.grad(ctx.build(points), points, gradients[0], create_graph=again)
        return None, None, *found
