"""Norm nonlinearities of induced representations, which permute blocks of channels."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from pdobasis.layers.arguments import fields_of
from pdobasis.layers.blocks import block_size
from pdobasis.layers.threshold import half_threshold
from pdobasis.nn.arguments import described, function_text, joined, require_channels
from pdobasis.nn.nonlinear import EPSILON, Function, require_effect
from pdobasis.question.field_type import FieldType


class InducedNormNonlinearity(nn.Module):
    r"""$x_i \mapsto \frac{\phi(|x_i| + b)}{|x_i|} x_i$ on every block $x_i$ of a field ``induced(H, sigma)``.

    The group moves the blocks and turns each by an orthogonal matrix, so the length of each is kept; a bias b for all
    blocks of a field. Where a field has one block (irreps) this is `NormNonlinearity`, and it starts as that does.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    function : callable
        Of one number.
    bias : bool
        Whether a number is learned that is added to every length.

    Raises
    ------
    LayerError
        Fields for which this is not equivariant; the message says which part is.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> layer = InducedNormNonlinearity(field_type("induced(C2, irrep(1))", "C4"))
    >>> layer(torch.randn(1, layer.in_type.size, 5, 5)).shape == (1, layer.out_type.size, 5, 5)
    True
    """

    bias: nn.Parameter | None

    def __init__(
        self, fields: FieldType, function: Function = torch.relu, bias: bool = True
    ) -> None:
        super().__init__()
        self.in_type: FieldType = fields_of(fields, "InducedNormNonlinearity")
        self.out_type: FieldType = self.in_type
        require_effect(function, bias, "InducedNormNonlinearity")
        self.sizes: list[int] = [block_size(rep) for rep, _ in fields.terms]
        self.function = function
        self.register_parameter("bias", None)
        if bias:
            self.bias = nn.Parameter(torch.empty(len(fields)))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        starts = [
            -half_threshold(size)
            for (_, n), size in zip(self.in_type.terms, self.sizes, strict=True)
            for _ in range(n)
        ]
        if self.bias is not None:
            with torch.no_grad():
                self.bias.copy_(torch.tensor(starts))

    def forward(self, x: Tensor) -> Tensor:
        """Scale every block of a field by a function of its length."""
        require_channels(x, self.in_type)
        parts, at, field = [], 0, 0
        for (rep, n), size in zip(self.in_type.terms, self.sizes, strict=True):
            shape = (n, rep.size // size, size)
            blocks = torch.unflatten(x[:, at : at + n * rep.size], 1, shape)
            norms = (blocks.square().sum(3, keepdim=True) + EPSILON).sqrt()
            shifted = norms
            if self.bias is not None:
                own = self.bias[field : field + n]
                shifted = norms + own.view(1, n, *(1,) * (x.ndim))
            parts.append((blocks * (self.function(shifted) / norms)).flatten(1, 3))
            at += n * rep.size
            field += n
        return joined(parts)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)}, {function_text(self.function)}"
