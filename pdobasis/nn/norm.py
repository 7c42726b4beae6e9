r"""Batch normalisation of whole fields.

For a field x with representation $\rho$: the mean over batch and space is projected on the invariant vectors (what
is left of it would point somewhere, so it has no equivariant meaning) and subtracted; all channels of the field are
divided by the same root mean square; one scale per field and a shift along the invariant vectors are learned.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from pdobasis.layers.invariants import invariant_vectors, require_orthogonal
from pdobasis.nn.arguments import floating, require_channels
from pdobasis.nn.nonlinear import spread
from pdobasis.question.field_type import FieldType


class FieldBatchNorm(nn.Module):
    """As nn.BatchNorm, for field types: arguments and running statistics have the same meaning."""

    weight: nn.Parameter | None
    bias: nn.Parameter | None
    running_mean: Tensor
    running_var: Tensor
    num_batches_tracked: Tensor

    def __init__(
        self,
        fields: FieldType,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        require_orthogonal(fields, "FieldBatchNorm")
        self.in_type = self.out_type = fields
        self.eps, self.momentum = eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        count = sum(n for _, n in fields.terms)
        free = sum(n * len(invariant_vectors(rep)) for rep, n in fields.terms)
        options = {"device": device, "dtype": floating(dtype)}
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)
        if affine:
            self.weight = nn.Parameter(torch.ones(count, **options))  # type: ignore[arg-type]
        if affine and free:
            self.bias = nn.Parameter(torch.zeros(free, **options))  # type: ignore[arg-type]
        for k, (rep, _) in enumerate(fields.terms):
            vectors = _orthonormal(invariant_vectors(rep))
            values = torch.tensor(vectors, **options)  # type: ignore[arg-type]
            self.register_buffer(f"invariants_{k}", values, persistent=False)
        self.register_buffer("running_mean", torch.zeros(free, **options))  # type: ignore[arg-type]
        self.register_buffer("running_var", torch.ones(count, **options))  # type: ignore[arg-type]
        self.register_buffer(
            "num_batches_tracked", torch.zeros((), dtype=torch.long, device=device)
        )

    def forward(self, x: Tensor) -> Tensor:
        require_channels(x, self.in_type)
        if self.training or not self.track_running_stats:
            mean, variance = self._statistics(x)
            if self.training and self.track_running_stats:
                self._track(mean.detach(), variance.detach())
        else:
            mean, variance = self.running_mean, self.running_var
        scale = (variance + self.eps).rsqrt()
        # A scale per field commutes with the representation, one per channel would not.
        if self.weight is not None:
            scale = scale * self.weight
        factor = spread(scale.unsqueeze(0), self.in_type)
        shift = -self._channels(mean) * factor
        if self.bias is not None:
            shift = shift + self._channels(self.bias)
        ones = (1,) * (x.ndim - 2)
        return x * factor.view(1, -1, *ones) + shift.view(1, -1, *ones)

    def _statistics(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(invariant part of the mean, mean square of the channels of every field around it)."""
        axes = (0, *range(2, x.ndim))
        means = x.mean(axes)
        squares = (x - means.view(1, -1, *(1,) * (x.ndim - 2))).square().mean(axes)
        kept, variances, at = [], [], 0
        for k, (rep, n) in enumerate(self.in_type.terms):
            vectors = self.get_buffer(f"invariants_{k}")
            some = means[at : at + n * rep.size].view(n, rep.size)
            part = some @ vectors.T
            # Only the invariant part m' of the mean m is subtracted: E|x - m'|^2 = E|x - m|^2 + |m - m'|^2.
            rest = (some - part @ vectors).square().mean(1)
            kept.append(part.reshape(-1))
            variances.append(
                squares[at : at + n * rep.size].view(n, rep.size).mean(1) + rest
            )
            at += n * rep.size
        return torch.cat(kept), torch.cat(variances)

    def _channels(self, values: Tensor) -> Tensor:
        """Coordinates along the invariant vectors to channels, (1, channels)."""
        parts, at = [], 0
        for k, (rep, n) in enumerate(self.in_type.terms):
            vectors = self.get_buffer(f"invariants_{k}")
            free = n * len(vectors)
            parts.append(
                (values[at : at + free].view(n, len(vectors)) @ vectors).reshape(
                    1, n * rep.size
                )
            )
            at += free
        return torch.cat(parts, 1)

    def _track(self, mean: Tensor, variance: Tensor) -> None:
        self.num_batches_tracked.add_(1)
        if self.momentum is None:
            # As nn.BatchNorm: the plain mean over all batches so far.
            rate = 1 / float(self.num_batches_tracked)
        else:
            rate = self.momentum
        self.running_mean.lerp_(mean.to(self.running_mean.dtype), rate)
        self.running_var.lerp_(variance.to(self.running_var.dtype), rate)


def _orthonormal(
    vectors: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    if len(vectors):
        return np.linalg.qr(vectors.T)[0].T
    return vectors
