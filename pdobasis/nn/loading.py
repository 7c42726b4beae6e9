"""Loading weights: those in other coordinates become those of the same filters in the layer's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from pdobasis.layers.errors import LayerError
from pdobasis.layers.parametrise import converted, parametrise
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
    for name, before, after in named:
        own = layer._parameters.get(name)
        given = weights.get(prefix + name)
        if own is None:
            # torch.nn.utils.parametrize keeps a weight under other names, in parts that have no coordinates.
            raise LayerError(
                f"these are parts of {name} in {state.parametrisation} coordinates, this layer has "
                f"{layer.parametrisation} ones, and torch's parametrizations stand between: build it with "
                f"parametrisation={state.parametrisation!r}, or load before they are registered"
            )
        if not isinstance(given, Tensor) or given.is_meta or given.shape != own.shape:
            continue
        found = converted(double(given).numpy(), before, after)
        dtype = given.dtype if assign else own.dtype
        weights[prefix + name] = torch.as_tensor(found).to(given.device, dtype)
