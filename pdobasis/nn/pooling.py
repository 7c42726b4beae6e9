"""From fields to numbers."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import require_orthogonal, require_permutations
from pdobasis.layers.placed import without_places
from pdobasis.nn.arguments import described, joined, require_channels
from pdobasis.nn.nonlinear import field_norms, trivial_type
from pdobasis.question.field_type import FieldType


class GroupPool(nn.Module):
    """The largest channel of every field: one trivial channel each; for permutation representations.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.

    Raises
    ------
    LayerError
        Fields for which this is not equivariant; the message says which part is.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> pool = GroupPool(field_type("3xregular", "D4"))
    >>> str(pool.out_type), pool(torch.randn(1, 24, 5, 5)).shape
    ('3xtrivial', torch.Size([1, 3, 5, 5]))
    """

    def __init__(self, fields: FieldType) -> None:
        super().__init__()
        require_permutations(fields, "the maximum over channels", "use NormPool")
        self.in_type = fields
        self.out_type: FieldType = trivial_type(fields, len(fields))

    def forward(self, x: Tensor) -> Tensor:
        """The largest value of every field."""
        require_channels(x, self.in_type)
        parts, at = [], 0
        for rep, n in self.in_type.terms:
            parts.append(
                torch.unflatten(x[:, at : at + n * rep.size], 1, (n, rep.size)).amax(2)
            )
            at += n * rep.size
        return joined(parts)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return described(self.in_type)


class NormPool(nn.Module):
    """The length of every field: one trivial channel each; for orthogonal representations.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.

    Raises
    ------
    LayerError
        Fields for which this is not equivariant; the message says which part is.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> NormPool(field_type("vector", "SO(2)"))(torch.ones(1, 2, 1, 1)).item()
    1.41...
    """

    def __init__(self, fields: FieldType) -> None:
        super().__init__()
        require_orthogonal(fields, "NormPool")
        self.in_type = fields
        self.out_type: FieldType = trivial_type(fields, len(fields))

    def forward(self, x: Tensor) -> Tensor:
        """The length of every field."""
        require_channels(x, self.in_type)
        return field_norms(x, self.in_type)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return described(self.in_type)


class GlobalPool(nn.Module):
    """Mean (or, for permutation representations, maximum) over space: (batch, channels).

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    how : str
        ``"mean"``, or another way to pool that the message of a wrong one lists.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> GlobalPool(field_type("3xtrivial", "D4"))(torch.ones(2, 3, 5, 5)).shape
    torch.Size([2, 3])
    """

    def __init__(self, fields: FieldType, how: str = "mean") -> None:
        super().__init__()
        if how not in ("mean", "max"):
            raise LayerError(f"unknown pooling {how!r}: mean or max")
        # A mean is linear and commutes with every representation; a maximum of channels with permutations only.
        if how == "max":
            require_permutations(
                fields,
                "a maximum of channels",
                'use how="mean", or NormPool before',
                at_places=True,
            )
        self.in_type: FieldType = fields_of(fields, "GlobalPool", at_places=True)
        # What is taken over all of space lies nowhere in the cell.
        self.out_type: FieldType = without_places(fields)
        self.how = how

    def forward(self, x: Tensor) -> Tensor:
        """The mean over space."""
        require_channels(x, self.in_type)
        flat = x.flatten(2)
        if self.how == "mean":
            return flat.mean(2)
        return flat.amax(2)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)}, {self.how}"
