r"""Batch normalisation of whole fields, by torch's own kernels.

Of a field x of size d with orthogonal $\rho$ and the rows of V a basis of its invariant vectors, the mean m over batch
and space keeps its invariant part alone, $m' = V^T (V V^T)^{-1} V m$ (what is left of it would point somewhere, so it
has no equivariant meaning); all channels share one variance; a scale w per field and a shift $V^T b$ are learned:

$$\sigma^2 = \frac{1}{d} E|x - m'|^2, \qquad y = w \frac{x - m'}{\sqrt{\sigma^2 + \varepsilon}} + V^T b.$$

**Folding.** A group that permutes the channels of a field transitively fixes the constant vectors only: V = (1, …, 1).
Then m' is the mean of all numbers of the field in every channel, $\sigma^2$ is their variance, and y is what
nn.BatchNorm makes of the field as one channel, d times as long. A view does that. Compilers get the general form: they
put the channels of images last, where a field is a few numbers wide and the loops over a view of it were seen to cost
eight times those over channels (a compiled step of a network 1.35 of an eager one, now 0.95).

**In general** the moments of the channels are enough. With $m_c$ and $v_c$ the mean and variance of channel c,
$E(x_c - m'_c)^2 = v_c + (m_c - m'_c)^2$, since $E(x_c - m_c) = 0$; hence

$$\sigma^2 = \frac{1}{d} \sum_c \left(v_c + (m_c - m'_c)^2\right),$$

and y is affine in every channel: torch's kernel for evaluation (see `moments`).

**Running variance.** Torch divides by one less than it averages over, as the mean was fitted to the same numbers. Here
k numbers were, the coordinates of m', out of n·d with n points: $\sigma^2 \cdot nd / (nd - k)$. That is torch's number
for a folded field, and for fields without invariants, whose mean is known to be zero, there is nothing to correct.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import invariant_vectors, require_orthogonal
from pdobasis.nn.arguments import described, floating, on_device, require_channels
from pdobasis.nn.exact_buffers import ExactBuffers
from pdobasis.nn.moments import across, moments, scaled
from pdobasis.nn.nonlinear import spread
from pdobasis.nn.tracing import is_compiling
from pdobasis.question.field_type import FieldType


class FieldBatchNorm(ExactBuffers):
    """As nn.BatchNorm, for field types: arguments and running statistics have the same meaning.

    Parameters and statistics live in a batch norm of torch, ``batch_norm``: scale and variance of every field, shift
    and mean along the invariant vectors. So nn.SyncBatchNorm.convert_sync_batchnorm and
    torch.optim.swa_utils.update_bn find them.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    eps : float
        Added to the variance.
    momentum : float, optional
        Of the running statistics; None takes their mean.
    affine : bool
        Whether there are a scale for every field, and a shift on its invariant part.
    track_running_stats : bool
        Whether evaluation uses those of training.
    device, dtype : optional
        Where and how the parameters are made.

    Raises
    ------
    LayerError
        Fields for which this is not equivariant; the message says which part is.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> norm = FieldBatchNorm(field_type("vector + trivial", "D4"))
    >>> norm(torch.randn(2, 3, 5, 5)).shape
    torch.Size([2, 3, 5, 5])
    """

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
        require_orthogonal(fields, "FieldBatchNorm", at_places=True)
        self.in_type = fields
        self.out_type: FieldType = self.in_type
        options: Any = {"device": on_device(device), "dtype": floating(dtype)}
        norm = nn.BatchNorm1d(
            len(fields), eps, momentum, affine, track_running_stats, **options
        )
        # Compilers do not like to look into caches: how many invariant vectors each term has is written down.
        self._free = tuple(len(invariant_vectors(rep)) for rep, _ in fields.terms)
        free = sum(n * k for (_, n), k in zip(fields.terms, self._free, strict=True))
        if free != len(fields):
            # One number per invariant vector, where torch has one per channel.
            if affine:
                norm.register_parameter("bias", None)
            if affine and free:
                norm.bias = nn.Parameter(torch.zeros(free, **options))
            if track_running_stats:
                norm.running_mean = torch.zeros(free, **options)
        self.batch_norm: nn.Module = norm
        self.folded: tuple[int, int] | None = _folded(fields)
        self._register(**options)

    @property
    def weight(self) -> Tensor | None:
        """The scale of every field."""
        return self._held("weight")

    @property
    def bias(self) -> Tensor | None:
        """The shift along the invariant vectors of every field, which stand one after the other."""
        return self._held("bias")

    @property
    def running_mean(self) -> Tensor | None:
        """Along the invariant vectors, as the bias."""
        return self._held("running_mean")

    @property
    def running_var(self) -> Tensor | None:
        """One of every field."""
        return self._held("running_var")

    def forward(self, x: Tensor) -> Tensor:
        """Normalise every field by its variance."""
        require_channels(x, self.in_type)
        norm: Any = self.batch_norm
        group = _process_group(norm)
        by_batch = norm.training or norm.running_mean is None
        if by_batch and group is None and x.numel() == x.shape[1]:
            raise LayerError(
                "batch norm in training needs more than one value per channel, got an input of size "
                f"{tuple(x.shape)}: use a larger batch, or eval()"
            )
        if self.folded is not None and group is None and not is_compiling():
            return _through_view(norm, x, self.folded)
        if by_batch:
            mean, variance = self._statistics(x, group)
        else:
            mean, variance = norm.running_mean, norm.running_var
        scale = (variance + norm.eps).rsqrt()
        # A scale per field commutes with the representation, one per channel would not.
        if norm.weight is not None:
            scale = scale * norm.weight
        factor = spread(scale.unsqueeze(0), self.in_type).squeeze(0)
        if norm.bias is None:
            shift = torch.zeros_like(factor)
        else:
            shift = self._channels(norm.bias).to(factor.dtype)
        return scaled(x, self._channels(mean), factor, shift)

    def _statistics(self, x: Tensor, group: Any) -> tuple[Tensor, Tensor]:
        """(the mean along the invariant vectors, the variance of every field)."""
        points: Any = x.numel() // x.shape[1]
        means, squares = moments(x)
        if group is not None:
            means, squares, points = across(means, squares, points, group)
        kept = self._coordinates(means)
        # Only the invariant part of the mean is subtracted; the rest of it counts as variance.
        around = squares + (means - self._channels(kept)).square()
        sums = torch.cat([part.sum(1) for part in self._by_field(around)])
        sizes = self.get_buffer("sizes").to(sums.dtype)
        # As in torch an empty batch, which has no moments, leaves the statistics alone.
        if self.batch_norm.training and (x.numel() or group is not None):
            fitted = self.get_buffer("fitted").to(sums.dtype)
            unbiased = sums * points / (sizes * points - fitted)
            _track(self.batch_norm, kept.detach(), unbiased.detach())
        return kept, sums / sizes

    def _by_field(self, channels: Tensor) -> Iterator[Tensor]:
        """For every term its channels, (fields, size)."""
        lengths = [n * rep.size for rep, n in self.in_type.terms]
        parts = channels.split(lengths)  # type: ignore[no-untyped-call]
        for (_, n), part in zip(self.in_type.terms, parts, strict=True):
            yield part.view(n, -1)

    def _coordinates(self, channels: Tensor) -> Tensor:
        """Along the invariant vectors: (V V^T)^-1 V applied to every field."""
        parts = []
        for k, part in enumerate(self._by_field(channels)):
            dual = self.get_buffer(f"dual_{k}").to(part.dtype)
            # A product that autocast leaves alone: statistics in half precision would be none.
            parts.append((part.unsqueeze(1) * dual).sum(2).view(-1))
        return torch.cat(parts)

    def _channels(self, coordinates: Tensor) -> Tensor:
        """From coordinates along the invariant vectors to channels: V^T applied to those of every field."""
        parts, at = [], 0
        for k, ((_, n), free) in enumerate(
            zip(self.in_type.terms, self._free, strict=True)
        ):
            vectors = self.get_buffer(f"invariants_{k}").to(coordinates.dtype)
            some = coordinates[at : at + n * free].view(n, free, 1)
            parts.append((some * vectors).sum(1).view(-1))
            at += n * free
        return torch.cat(parts)

    def _sources(self) -> dict[str, NDArray[np.float64]]:
        """Every buffer of this module by name, in double precision."""
        out: dict[str, NDArray[np.float64]] = {}
        for k, (rep, _) in enumerate(self.in_type.terms):
            vectors = invariant_vectors(rep)
            out[f"invariants_{k}"] = vectors
            out[f"dual_{k}"] = _dual(vectors)
        counts = [n for _, n in self.in_type.terms]
        sizes = [float(rep.size) for rep, _ in self.in_type.terms]
        out["sizes"] = np.repeat(sizes, counts)
        out["fitted"] = np.repeat([float(k) for k in self._free], counts)
        return out

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *others: Any) -> None:
        """Earlier versions held parameters themselves, along an orthonormal basis of the invariant vectors."""
        for name in _HELD:
            old = state_dict.pop(prefix + name, None)
            if old is None or self._held(name) is None:
                continue
            if name in ("bias", "running_mean"):
                old = self._from_orthonormal(old)
            state_dict[f"{prefix}batch_norm.{name}"] = old
        super()._load_from_state_dict(state_dict, prefix, *others)

    def _from_orthonormal(self, old: Tensor) -> Tensor:
        """Coordinates c along V with V^T c = Q^T q, for the rows of Q that were the basis."""
        parts, at = [], 0
        for rep, n in self.in_type.terms:
            vectors = invariant_vectors(rep)
            change = _dual(vectors) @ np.linalg.qr(vectors.T)[0]
            some = old[at : at + n * len(vectors)].view(n, len(vectors))
            parts.append(some.double() @ torch.tensor(change.T, device=old.device))
            at += n * len(vectors)
        return torch.cat([part.reshape(-1) for part in parts]).to(old.dtype)

    def _held(self, name: str) -> Tensor | None:
        found: Tensor | None = getattr(self.batch_norm, name)
        return found

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return described(self.in_type)


_HELD = ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")


def _dual(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """(V V^T)^-1 V: coordinates along the rows of V."""
    return np.asarray(np.linalg.solve(vectors @ vectors.T, vectors), dtype=np.float64)


def _folded(fields: FieldType) -> tuple[int, int] | None:
    """(fields, size) if all have one size and fix the constant vectors only, so that one torch channel is one field."""
    sizes = {rep.size for rep in fields.distinct}
    constant = all(
        len(found := invariant_vectors(rep)) == 1 and (found == found[0, 0]).all()
        for rep in fields.distinct
    )
    if len(sizes) == 1 and constant:
        return len(fields), sizes.pop()
    return None


def _through_view(norm: nn.Module, x: Tensor, folded: tuple[int, int]) -> Tensor:
    """The norm of x with the channels of every field beside its points, in the order that they have in memory."""
    last = x.movedim(1, -1)
    if last.is_contiguous() and not x.is_contiguous():
        # channels_last: every point as an image of its own, whose only axis are the channels of a field.
        y: Tensor = norm(last.reshape(-1, *folded))
        return y.view_as(last).movedim(-1, 1)
    # Not by a size of -1, which an empty batch leaves open.
    y = norm(torch.unflatten(x, 1, folded).flatten(2))
    return y.view(x.shape)


def _process_group(norm: Any) -> Any:
    """The processes that share their statistics, after nn.SyncBatchNorm.convert_sync_batchnorm; None if it is one."""
    distributed = torch.distributed
    if not (
        isinstance(norm, nn.SyncBatchNorm)
        and norm.training
        and distributed.is_available()
        and distributed.is_initialized()
    ):
        return None
    group = norm.process_group or distributed.group.WORLD
    if distributed.get_world_size(group) > 1:
        return group
    return None


def _track(norm: Any, mean: Tensor, variance: Tensor) -> None:
    if not norm.track_running_stats:
        return
    norm.num_batches_tracked.add_(1)
    if norm.momentum is None:
        # As nn.BatchNorm: the plain mean over all batches so far.
        rate = norm.num_batches_tracked.to(norm.running_var.dtype).reciprocal()
    else:
        rate = norm.momentum
    norm.running_mean.lerp_(mean.to(norm.running_mean.dtype), rate)
    norm.running_var.lerp_(variance.to(norm.running_var.dtype), rate)
