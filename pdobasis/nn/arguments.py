"""What torch modules are given, checked where it comes in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, fx, nn

from pdobasis.errors import require_type
from pdobasis.layers.errors import LayerError
from pdobasis.nn.tracing import is_jit_tracing
from pdobasis.question.field_type import FieldType


def floating(dtype: torch.dtype | None) -> torch.dtype:
    if dtype is not None:
        found = dtype
    else:
        found = torch.get_default_dtype()
    if not isinstance(found, torch.dtype) or not found.is_floating_point:
        raise LayerError(
            f"dtype has to be a real floating type such as torch.float32, got {dtype!r}"
        )
    return found


def on_device(device: torch.device | str | None) -> torch.device | str | None:
    """What torch knows as a device, or None for the one that is set."""
    require_type(
        device,
        (str, int, torch.device, type(None)),
        "device",
        "a name such as cpu or cuda:0, or None",
    )
    return device


def require_module(module: object) -> None:
    require_type(module, nn.Module, "a network", "a module of torch")


def has_shape(x: Any, fields: FieldType) -> bool:
    """Whether it is a tensor: torch.fx traces with what has no shape, and all else is refused."""
    if not isinstance(x, (Tensor, fx.Proxy)):
        raise LayerError(
            f"fields of type {fields} are a tensor (batch, {fields.size}, ...), got {type(x).__name__}"
        )
    return isinstance(x, Tensor)


def require_channels(x: Tensor, fields: FieldType) -> None:
    if not has_shape(x, fields):
        return
    if x.ndim < 2 or (not is_jit_tracing() and x.shape[1] != fields.size):
        raise LayerError(
            f"fields of type {fields} are (batch, {fields.size}, ...), got {tuple(x.shape)}"
        )


def require_images(x: Tensor, fields: FieldType) -> None:
    """Fields on a grid, with a batch: these have space axes that a window can move along."""
    dim = fields.group.dim
    if not has_shape(x, fields):
        return
    if x.ndim != dim + 2 or x.shape[1] != fields.size:
        raise LayerError(
            f"images of {fields} are (batch, {fields.size}, {axes_text(dim)}), got {tuple(x.shape)}"
        )


def require_stencilled(x: Tensor, fields: FieldType) -> None:
    """Images, which may come without a batch, as to nn.ConvNd."""
    dim = fields.group.dim
    if not has_shape(x, fields) or is_jit_tracing():
        return
    if x.ndim not in (dim + 1, dim + 2) or x.shape[-dim - 1] != fields.size:
        raise LayerError(
            f"images of {fields} are (batch, {fields.size}, {axes_text(dim)}), got {tuple(x.shape)}"
        )


def axes_text(dim: int) -> str:
    if dim == 1:
        return "1 space axis"
    return f"{dim} space axes"


def described(fields: FieldType) -> str:
    """As modules print and errors name it."""
    return f"{fields} of {fields.group.name}"


def function_text(function: Any) -> str:
    """A function by its name, a module as it prints itself."""
    return str(getattr(function, "__name__", function))


def some_float(module: nn.Module, otherwise: Tensor) -> Tensor:
    """A parameter or buffer of the module, for its device and type of numbers."""
    every = (*module.parameters(), *module.buffers())
    return next((t for t in every if t.is_floating_point()), otherwise).detach()


def joined(parts: Sequence[Tensor]) -> Tensor:
    """The channels of all, one after the other."""
    if len(parts) == 1:  # without the copy that torch.cat would make
        return parts[0]
    return torch.cat(list(parts), 1)


def double(values: Any) -> Tensor:
    """Numbers, arrays and tensors in double precision on the CPU, without a graph."""
    if isinstance(values, Tensor):
        if values.is_complex() or values.is_meta:
            raise LayerError(
                f"expected real numbers, got a tensor of {values.dtype} on {values.device}"
            )
        return values.detach().cpu().double()
    try:
        # NumPy takes None for a number that is none.
        found = np.asarray([] if values is None else values, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.asarray([], dtype=np.float64)
    if found.size == 0:
        raise LayerError(f"expected real numbers, got {values!r}")
    return torch.as_tensor(found)
