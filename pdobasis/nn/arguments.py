"""What torch modules are given, checked where it comes in."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from pdobasis.layers.errors import LayerError
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


def require_channels(x: Tensor, fields: FieldType) -> None:
    if x.ndim < 2 or x.shape[1] != fields.size:
        raise LayerError(
            f"fields of type {fields} are (batch, {fields.size}, ...), got {tuple(x.shape)}"
        )


def double(values: Any) -> Tensor:
    """Numbers, arrays and tensors in double precision on the CPU, without a graph."""
    if isinstance(values, Tensor):
        return values.detach().cpu().double()
    try:
        return torch.as_tensor(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError):
        raise LayerError(f"expected real numbers, got {values!r}") from None
