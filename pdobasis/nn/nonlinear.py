"""Nonlinearities that commute with a representation: pointwise on permuted channels, by norm or by gate on others."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import require_orthogonal, require_permutations
from pdobasis.layers.threshold import half_threshold
from pdobasis.nn.arguments import described, function_text, require_channels
from pdobasis.question.field_type import FieldType

Function = Callable[[Tensor], Tensor]
EPSILON = 1e-12


class Pointwise(nn.Module):
    """Any function of one number on every channel; for permutation representations (regular, quotient, trivial).

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    function : callable
        Of one number.

    Raises
    ------
    NotEquivariantError
        Fields whose channels are not permuted: vectors, irreps.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> part = Pointwise(field_type("2xregular", "D4"), torch.tanh)
    >>> part(torch.zeros(1, 16, 3, 3)).sum().item()
    0.0
    """

    def __init__(self, fields: FieldType, function: Function = torch.relu) -> None:
        super().__init__()
        require_permutations(
            fields,
            "a pointwise nonlinearity",
            "use NormNonlinearity or GatedNonlinearity",
            at_places=True,
        )
        self.in_type = fields
        self.out_type: FieldType = self.in_type
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        """Apply the function to every number."""
        require_channels(x, self.in_type)
        return self.function(x)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return _text(self.in_type, self.function)


class NormNonlinearity(nn.Module):
    r"""$x \mapsto \frac{\phi(|x| + b)}{|x|} x$ on every field x, with one bias b per field.

    Lengths are never negative, so that with b = 0 the rectifier would be the identity. The bias starts at the -t of
    `pdobasis.layers.threshold`: fields of unit variance keep half of their second moment, as numbers do under ReLU.

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
    >>> import torch
    >>> NormNonlinearity(field_type("vector", "SO(2)"))(torch.randn(1, 2, 5, 5)).shape
    torch.Size([1, 2, 5, 5])
    """

    bias: nn.Parameter | None

    def __init__(
        self, fields: FieldType, function: Function = torch.relu, bias: bool = True
    ) -> None:
        super().__init__()
        require_orthogonal(fields, "NormNonlinearity")
        require_effect(function, bias, "NormNonlinearity")
        self.in_type = fields
        self.out_type: FieldType = self.in_type
        self.function = function
        # As in nn.ConvNd, a bias that is not there is None rather than missing.
        self.register_parameter("bias", None)
        if bias:
            self.bias = nn.Parameter(torch.empty(len(fields)))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        starts = [
            -half_threshold(rep.size) for rep, n in self.in_type.terms for _ in range(n)
        ]
        if self.bias is not None:
            with torch.no_grad():
                self.bias.copy_(torch.tensor(starts))

    def forward(self, x: Tensor) -> Tensor:
        """Scale every field by a function of its length."""
        require_channels(x, self.in_type)
        norms = field_norms(x, self.in_type)
        if self.bias is None:
            shifted = norms
        else:
            shifted = norms + _along(self.bias, x)
        # The norm is invariant, so a function of it may multiply the whole field.
        return x * spread(self.function(shifted) / norms, self.in_type)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return _text(self.in_type, self.function)


class GatedNonlinearity(nn.Module):
    """Every field times the sigmoid of a scalar field of its own.

    ``in_type`` has the gates behind the fields, one trivial channel per field of ``fields``; ``out_type`` is
    ``fields``.

    Parameters
    ----------
    fields : FieldType
        What goes out; ``in_type`` has a gate for every field behind them.
    function : callable
        Of one number.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> gated = GatedNonlinearity(field_type("vector", "D4"))
    >>> str(gated.in_type), gated(torch.randn(1, 3, 5, 5)).shape
    ('vector + trivial', torch.Size([1, 2, 5, 5]))
    """

    def __init__(self, fields: FieldType, function: Function = torch.sigmoid) -> None:
        super().__init__()
        self.out_type: FieldType = fields_of(fields, "GatedNonlinearity")
        self.gates: int = len(fields)
        self.in_type: FieldType = with_trivial(fields, self.gates)
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        """Multiply every field by its gate."""
        require_channels(x, self.in_type)
        size = self.out_type.size
        # Gates are invariant numbers, and every representation is linear: no condition on the fields is needed.
        return x[:, :size] * spread(self.function(x[:, size:]), self.out_type)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return _text(self.out_type, self.function)


def require_effect(function: Function, bias: bool, what: str) -> None:
    """Lengths are never negative: a rectifier of them alone is the identity, and the module would do nothing."""
    rectifiers = (torch.relu, torch.relu_, F.relu, torch.abs)
    if not bias and (function in rectifiers or isinstance(function, nn.ReLU)):
        raise LayerError(
            f"{what} of a rectifier without a bias is the identity: leave the bias in, or take another function, "
            "such as torch.tanh"
        )


def field_norms(x: Tensor, fields: FieldType) -> Tensor:
    """The length of every field, (batch, fields, *space); never exactly zero, so that gradients exist."""
    parts, at = [], 0
    for rep, n in fields.terms:
        part = torch.unflatten(x[:, at : at + n * rep.size], 1, (n, rep.size))
        parts.append((part.square().sum(2) + EPSILON).sqrt())
        at += n * rep.size
    if len(parts) == 1:
        return parts[0]
    return torch.cat(parts, 1)


def spread(values: Tensor, fields: FieldType) -> Tensor:
    """One number per field to all of its channels."""
    parts, at = [], 0
    for rep, n in fields.terms:
        parts.append(values[:, at : at + n].repeat_interleave(rep.size, 1))
        at += n
    if len(parts) == 1:
        return parts[0]
    return torch.cat(parts, 1)


def with_trivial(fields: FieldType, count: int) -> FieldType:
    """The fields and so many trivial channels behind them."""
    return fields + trivial_type(fields, count)


def trivial_type(fields: FieldType, count: int) -> FieldType:
    """So many trivial channels of the same group."""
    from pdobasis.question.text import parse_field_type

    return parse_field_type(f"{count}xtrivial", fields.group)


def _text(fields: FieldType, function: Function) -> str:
    """A module prints itself, as a child of the nonlinearity; other functions have a name."""
    if isinstance(function, nn.Module):
        return described(fields)
    return f"{described(fields)}, {function_text(function)}"


def _along(values: Tensor, x: Tensor) -> Tensor:
    return values.view(1, -1, *(1,) * (x.ndim - 2))
