r"""Mean and variance of every channel, and scaling by channel, in one pass over memory each.

Torch's batch normalisation in evaluation is a fused kernel for $y_c = a_c (x_c - m_c) + s_c$, forwards and backwards.
With $a$ and $s$ that were computed from the moments of x it normalises by whatever statistics one likes. What torch
then lacks is the gradient of the moments: $\partial m_c / \partial x = 1/n$ and
$\partial v_c / \partial x = 2 (x - m_c) / n$, so what comes back, $(g_m + 2 g_v (x - m)) / n$, is of that form again
and takes the same kernel.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from pdobasis.nn.tracing import is_compiling, is_traced

NUMBERS_AT_ONCE = 2**18
"""Differences from the mean that are held at once on the CPU."""


def moments(x: Tensor) -> tuple[Tensor, Tensor]:
    """(mean, mean square around it) of every channel of x (batch, channels, *space), in single precision or better."""
    if is_traced():
        # A compiler fuses what it can see.
        variance, mean = torch.var_mean(_precise(x), _axes(x), correction=0)
        return mean, variance
    found: tuple[Tensor, Tensor] = _Moments.apply(x)  # type: ignore[no-untyped-call]
    return found


def scaled(x: Tensor, centre: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    r"""$y_c = a_c (x_c - m_c) + s_c$, differentiable in all four; x keeps its type."""
    if is_compiling():
        # Fused with what stands around it. (Of torch's kernel the compiler does not know in which order it writes.)
        y = (_precise(x) - _along(centre, x)) * _along(scale, x) + _along(shift, x)
        return y.to(x.dtype)
    # To the kernel the centre is a constant, so its gradient goes by way of the shift, to which it adds exactly zero.
    fixed = centre.detach()
    moved = shift - scale * (centre - fixed)
    return F.batch_norm(x, fixed, torch.ones_like(fixed), scale, moved, eps=0.0)


def across(
    mean: Tensor, variance: Tensor, count: int, group: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """Moments over all processes of the group, and their number of points; differentiable everywhere."""
    # Only torch that was built with it has this module.
    from torch.distributed.nn import functional

    reduce: Any = functional.all_reduce
    points = mean.new_full((1,), count)
    # The mean first: squares around it, unlike squares, lose no digits when they are added.
    total = reduce(torch.cat([points, points * mean]), group=group)
    points, whole = total[:1].detach(), total[1:] / total[:1].detach()
    squares = count * (variance + (mean - whole).square())
    return whole, reduce(squares, group=group) / points, points


class _Moments(torch.autograd.Function):
    """As torch.var_mean, without its slow reductions, and with nothing kept for the gradient but x itself."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        mean = x.mean(_axes(x), dtype=_precise(x.new_empty(0)).dtype)
        # Around the mean, since the difference of two large squares would be rounding.
        parts = [
            (part - _along(mean, x)).square_().sum(_axes(x))
            for part in x.split(_at_once(x))  # type: ignore[no-untyped-call]
        ]
        ctx.save_for_backward(x, mean)
        return mean, torch.stack(parts).sum(0) / (x.numel() // x.shape[1])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        x, mean = ctx.saved_tensors
        of_mean, of_variance = gradients
        points = x.numel() // x.shape[1]
        return scaled(x, mean, of_variance * (2 / points), of_mean / points)


def _precise(x: Tensor) -> Tensor:
    """Half precision as single: sums of many numbers need it."""
    if x.dtype in (torch.float16, torch.bfloat16):
        return x.float()
    return x


def _at_once(x: Tensor) -> int:
    """How many images: all of them, or on the CPU those whose differences stay in the processor's cache."""
    if not x.is_cpu:
        return max(1, len(x))
    return max(1, NUMBERS_AT_ONCE // max(1, x[:1].numel()))


def _axes(x: Tensor) -> tuple[int, ...]:
    return (0, *range(2, x.ndim))


def _along(values: Tensor, x: Tensor) -> Tensor:
    return values.view(1, -1, *(1,) * (x.ndim - 2))
