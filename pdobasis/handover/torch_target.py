"""A function of torch tensors by torch's own convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pdobasis.errors import MissingExtraError, SpecError
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target

MODES = {
    "wrap": "circular",
    "edge": "replicate",
    "reflect": "reflect",
    "constant": "constant",
}
"""torch's words for those of numpy.pad."""


def build(stencils: StencilSet) -> Callable[..., Any]:
    """``apply(field, weights=None, padding="valid")`` of a tensor (..., c_in, *space).

    In the precision and on the device of the tensor. Differentiable in the field and in the weights.
    """
    try:
        import torch
        from torch.nn import functional
    except ImportError:
        raise MissingExtraError("torch", "torch", "a function of tensors") from None

    dim = stencils.dim
    convolutions = {
        1: functional.conv1d,
        2: functional.conv2d,
        3: functional.conv3d,
    }
    if dim not in convolutions:
        raise SpecError(
            f"torch convolves in dimension 1 to 3, got {dim}: use the target 'numpy' or 'jax'"
        )
    every = torch.from_numpy(stencils.weights.copy())
    reach = [(n - 1) * s for n, s in zip(stencils.size, stencils.steps, strict=True)]
    # The last axis comes first in torch's list of pads.
    pads = [p for r in reversed(reach) for p in (r // 2, r - r // 2)]

    def apply(field: Any, weights: Any = None, padding: str = "valid") -> Any:
        field = torch.as_tensor(field)
        if not (field.is_floating_point() or field.is_complex()):
            field = field.to(torch.get_default_dtype())
        if field.ndim < dim + 1 or field.shape[-dim - 1] != stencils.c_in:
            raise SpecError(
                f"expected a field (..., {stencils.c_in}, *space), got {tuple(field.shape)}"
            )
        if padding != "valid" and padding not in MODES:
            raise SpecError(
                f"padding is valid, {', '.join(MODES)}, got {padding!r:.40}"
            )
        own = every.to(device=field.device, dtype=field.dtype)
        if weights is None:
            weights = stencils.check_weights(None)
        factors = torch.as_tensor(weights, device=field.device, dtype=field.dtype)
        kernel = torch.tensordot(factors, own, 1)
        many = field.reshape(-1, *field.shape[-dim - 1 :])
        if padding != "valid":
            many = functional.pad(many, pads, mode=MODES[padding])
        out = convolutions[dim](many, kernel, dilation=stencils.steps)
        return out.reshape(*field.shape[: -dim - 1], *out.shape[1:])

    return apply


TARGET = Target("torch", "a function of tensors by torch's convolutions", build)
