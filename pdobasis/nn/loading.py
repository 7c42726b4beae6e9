"""Loading weights: those in other coordinates become those of the same filters in the layer's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.layers.errors import LayerError
from pdobasis.layers.parametrise import Parametrisation, converted, parametrise
from pdobasis.layers.state import LayerState
from pdobasis.nn.arguments import double

if TYPE_CHECKING:
    from pdobasis.nn.steerable import Steerable


def convert(
    layer: Steerable, state: LayerState, weights: Any, prefix: str, assign: bool
) -> None:
    """Change the weights of a state dict that are there; what is missing or has another shape is torch's to report.

    Loaded weights are rounded to the layer's type, and only once; assigned ones keep their own.
    """
    if state.parametrisation == layer.parametrisation:
        return
    old = parametrise(layer.basis, state.parametrisation, layer.coordinates.factor)
    named = zip(layer._weight_names, old.pairs, layer.coordinates.pairs, strict=True)
    made: dict[str, Tensor] = {}
    for name, before, after in named:
        own = layer._parameters.get(name)
        given = weights.get(prefix + name)
        if own is None:
            if any(key.startswith(_hidden(prefix, name)) for key in weights):
                raise LayerError(
                    f"these are parts of {name} in {state.parametrisation} coordinates, this layer has "
                    f"{layer.parametrisation} ones, and torch's parametrizations stand between: build it with "
                    f"parametrisation={state.parametrisation!r}, or load before they are registered"
                )
            continue
        if not isinstance(given, Tensor) or given.is_meta or given.shape != own.shape:
            continue
        found = converted(double(given).numpy(), before, after)
        dtype = given.dtype if assign else own.dtype
        require_range(name, found, dtype)
        made[prefix + name] = torch.as_tensor(found).to(given.device, dtype)
    # All are checked before one is changed.
    weights.update(made)


def move(layer: Steerable, old: Parametrisation) -> None:
    """The weights of a layer whose coordinates have changed become those of the filters that they were."""
    named = zip(layer._weight_names, old.pairs, layer.coordinates.pairs, strict=True)
    with torch.no_grad():
        for name, before, after in named:
            own = layer._parameters.get(name)
            if own is not None and not own.is_meta:
                found = converted(double(own).numpy(), before, after)
                own.copy_(torch.as_tensor(found))


def require_range(name: str, values: NDArray[np.float64], dtype: torch.dtype) -> None:
    """Half precision ends at 65504."""
    largest, room = np.abs(values).max(initial=0.0), torch.finfo(dtype).max
    if largest > room:
        raise LayerError(
            f"{name} goes up to {largest:.2g} in these coordinates, and {dtype} ends at {room:.2g}: use "
            "torch.bfloat16, or parametrisation='plain'"
        )


def _hidden(prefix: str, name: str) -> tuple[str, ...]:
    """How the parts of a weight begin that torch computes: torch.nn.utils.parametrize, weight_norm, prune."""
    ends = ("_orig", "_g", "_v")
    return (f"{prefix}parametrizations.{name}.", *(prefix + name + end for end in ends))
