"""Fixed numbers of a module, rounded once from double precision whatever the module is cast to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


class ExactBuffers(nn.Module):
    """Buffers that are computed and not saved: `_sources` gives each in double precision, or as whole numbers."""

    def _sources(self) -> dict[str, NDArray[Any]]:
        raise NotImplementedError

    def _register(
        self,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        """To be called once what `_sources` needs is there."""
        if dtype is None:
            dtype = torch.get_default_dtype()
        for name, data in self._sources().items():
            self.register_buffer(name, _tensor(data, device, dtype), persistent=False)
        self._watch_for_input()

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Casting and moving start again: numbers that went to half precision and back would have lost their digits."""
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        for name, data in self._sources().items():
            like = self.get_buffer(name)
            self._buffers[name] = _tensor(data, like.device, like.dtype)
        self._watch_for_input()
        return self

    def _load_from_state_dict(self, *args: Any, **kwargs: Any) -> None:
        """Weights that are assigned may have another type or place: the numbers beside them follow."""
        super()._load_from_state_dict(*args, **kwargs)
        weight = next((p for p in self._parameters.values() if p is not None), None)
        if weight is None or weight.is_meta or not weight.is_floating_point():
            return
        for name, data in self._sources().items():
            like = self.get_buffer(name)
            dtype = weight.dtype if like.is_floating_point() else like.dtype
            if (like.device, like.dtype) != (weight.device, dtype):
                self._buffers[name] = _tensor(data, weight.device, dtype)

    def _watch_for_input(self) -> None:
        """On the meta device there are no numbers, and weights that come later bring none of these: see `_arrived`."""
        is_hollow = any(b is not None and b.is_meta for b in self._buffers.values())
        if is_hollow and _arrived not in self._forward_pre_hooks.values():
            self.register_forward_pre_hook(_arrived)


def _arrived(module: ExactBuffers, args: tuple[Any, ...]) -> None:
    """Make the buffers where the first input with numbers is: torch would compute with memory that was never filled."""
    if not args or not isinstance(args[0], Tensor) or args[0].is_meta:
        return
    for name, data in module._sources().items():
        like = module.get_buffer(name)
        if like.is_meta:
            module._buffers[name] = _tensor(data, args[0].device, like.dtype)


def _tensor(
    data: NDArray[Any], device: torch.device | str | None, dtype: torch.dtype
) -> Tensor:
    if data.dtype != np.float64:
        return torch.tensor(data, device=device)
    return torch.tensor(data, device=device, dtype=dtype)


def fixed(values: Tensor) -> nn.Parameter:
    """A parameter that is not trained: torch's own modules hold their numbers as parameters."""
    return nn.Parameter(values.detach().clone(), requires_grad=False)
