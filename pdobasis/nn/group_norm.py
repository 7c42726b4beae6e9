r"""Instance and group normalisation of whole fields: as nn.InstanceNorm and nn.GroupNorm, with equivariant statistics.

The fields fall into groups of neighbours (for instance norm each is its own). Over the points of one image, let $m_c$
and $v_c$ be mean and variance of channel c. Of the means only what is invariant is subtracted: $m' = U^T U m$ with
orthonormal rows of U, each the sum of one invariant vector over all fields of one kind in a group. The channels of a
group share one variance, the mean of $E(x_c - m'_c)^2 = v_c + (m_c - m'_c)^2$ over them, so

$$\sigma^2 = \frac{1}{n} \sum_c \left(v_c + (m_c - m'_c)^2\right), \qquad
y = w \frac{x - m'}{\sqrt{\sigma^2 + \varepsilon}} + V^T b,$$

with a scale w for every field and a shift b along each of its invariant vectors, the rows of V. For scalars this is
torch's formula.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from pdobasis.layers.arguments import whole
from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import invariant_vectors, require_orthogonal
from pdobasis.nn.arguments import described, floating, on_device, require_channels
from pdobasis.nn.exact_buffers import ExactBuffers
from pdobasis.question.field_type import FieldType
from pdobasis.representations.representation import Representation


class FieldGroupNorm(ExactBuffers):
    """As nn.GroupNorm, for field types: ``groups`` of as many whole fields each, in the order of the channels.

    Parameters
    ----------
    groups : int
        Into so many groups of fields.
    fields : FieldType
        What comes in, channel by channel.
    eps : float
        Added to the variance.
    affine : bool
        Whether there are a scale for every field, and a shift on its invariant part.
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
    >>> FieldGroupNorm(2, field_type("4xregular", "C4"))(torch.randn(1, 16, 3, 3)).shape
    torch.Size([1, 16, 3, 3])
    """

    weight: nn.Parameter | None
    bias: nn.Parameter | None

    def __init__(
        self,
        groups: int,
        fields: FieldType,
        eps: float = 1e-5,
        affine: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        require_orthogonal(fields, type(self).__name__, at_places=True)
        self.in_type = fields
        self.out_type: FieldType = self.in_type
        self.groups: int = whole(groups, "groups", 1)
        self.eps: float = eps
        self.affine: bool = affine
        if len(fields) % groups:
            raise LayerError(
                f"{groups} groups of whole fields do not divide the {len(fields)} fields of {fields}"
            )
        free = len(self._shifts())
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)
        options: Any = {"device": on_device(device), "dtype": floating(dtype)}
        if affine:
            self.weight = nn.Parameter(torch.ones(len(fields), **options))
        if affine and free:
            self.bias = nn.Parameter(torch.zeros(free, **options))
        self._register(**options)

    def forward(self, x: Tensor) -> Tensor:
        """Normalise fields, image by image."""
        require_channels(x, self.in_type)
        points = x.flatten(2)
        variance, mean = torch.var_mean(points, 2, correction=0)
        means = self.get_buffer("means")
        kept = (mean @ means.T) @ means
        around = variance + (mean - kept).square()
        shared = around @ self.get_buffer("sharing")
        factor = (shared + self.eps).rsqrt()
        if self.weight is not None:
            factor = factor * (self.weight @ self.get_buffer("spreading"))
        shift = -kept * factor
        if self.bias is not None:
            shift = shift + self.bias @ self.get_buffer("shifts")
        return (points * factor.unsqueeze(2) + shift.unsqueeze(2)).view_as(x)

    def _sources(self) -> dict[str, NDArray[Any]]:
        """U, the mean over the channels of a group, fields to channels, and V."""
        owners = np.repeat(
            np.arange(len(self.in_type)), [rep.size for rep in self.in_type]
        )
        groups = owners // (len(self.in_type) // self.groups)
        same = (groups[:, None] == groups[None, :]).astype(np.float64)
        fields = np.arange(len(self.in_type))[:, None] == owners[None, :]
        return {
            "means": self._means(),
            "sharing": same / same.sum(axis=0),
            "spreading": fields.astype(np.float64),
            "shifts": self._shifts(),
        }

    def _means(self) -> NDArray[np.float64]:
        """For every group, every kind in it and each of its invariant directions: the unit vector along all copies."""
        each = len(self.in_type) // self.groups
        rows: dict[tuple[int, Representation, int], NDArray[np.float64]] = {}
        for k, (rep, place) in enumerate(
            zip(self.in_type, self.in_type.slices, strict=True)
        ):
            vectors = invariant_vectors(rep)
            if len(vectors):
                vectors = np.linalg.qr(vectors.T)[0].T
            for n, vector in enumerate(vectors):
                key = (k // each, rep, n)
                row = rows.setdefault(key, np.zeros(self.in_type.size))
                row[place] = vector
        out = np.array(list(rows.values())).reshape(-1, self.in_type.size)
        # Copies stand on different channels, so that the squares of their lengths, 1 each, add up.
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))

    def _shifts(self) -> NDArray[np.float64]:
        rows = []
        for rep, place in zip(self.in_type, self.in_type.slices, strict=True):
            for vector in invariant_vectors(rep):
                row = np.zeros(self.in_type.size)
                row[place] = vector
                rows.append(row)
        return np.array(rows).reshape(-1, self.in_type.size)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)}, groups={self.groups}, eps={self.eps:g}, affine={self.affine}"


class FieldInstanceNorm(FieldGroupNorm):
    """As nn.InstanceNorm, for field types: every field of every image is normalised by itself.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    eps : float
        Added to the variance.
    affine : bool
        Whether there are a scale for every field, and a shift on its invariant part.
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
    >>> FieldInstanceNorm(field_type("4xregular", "C4"))(torch.randn(1, 16, 3, 3)).shape
    torch.Size([1, 16, 3, 3])
    """

    def __init__(
        self,
        fields: FieldType,
        eps: float = 1e-5,
        affine: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        require_orthogonal(fields, "FieldInstanceNorm", at_places=True)
        super().__init__(len(fields), fields, eps, affine, device, dtype)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)}, eps={self.eps:g}, affine={self.affine}"
