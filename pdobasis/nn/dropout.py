"""Dropout of whole fields: one channel of a field that is dropped alone would not commute with its representation."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn

from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import LayerError
from pdobasis.nn.arguments import described, require_channels
from pdobasis.nn.nonlinear import spread
from pdobasis.question.field_type import FieldType


class FieldDropout(nn.Module):
    """In training every field is zero with probability p, over all of space, and divided by 1 - p otherwise.

    As nn.Dropout2d does with channels. For any representation: a number per field commutes with it.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    p : float
        The probability that a field is set to zero.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> drop = FieldDropout(field_type("3xregular", "C4"), 0.5).eval()
    >>> x = torch.randn(1, 12, 3, 3)
    >>> bool((drop(x) == x).all())
    True
    """

    def __init__(self, fields: FieldType, p: float = 0.5) -> None:
        super().__init__()
        self.in_type: FieldType = fields_of(fields, "FieldDropout", at_places=True)
        self.out_type: FieldType = self.in_type
        if not isinstance(p, (int, float)) or not 0 <= p <= 1:
            raise LayerError(f"p is a probability from 0 to 1, got {p!r}")
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Drop whole fields, in training."""
        require_channels(x, self.in_type)
        if not self.training:
            return x
        ones = x.new_ones(x.shape[0], len(self.in_type), *(1,) * (x.ndim - 2))
        return x * spread(F.dropout(ones, self.p), self.in_type)

    def plain(self, like: Tensor) -> nn.Module:
        """The same as a module of torch's own."""
        return nn.Identity()

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)}, p={self.p:g}"
