"""Fields of several kinds as tensors of their own, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, fx, nn
from torch.utils._pytree import tree_leaves

from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import LayerError
from pdobasis.layers.placed import places_of, with_places
from pdobasis.nn.arguments import described, joined, require_channels
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import parse_field_type


class Split(nn.Module):
    """One tensor for each of ``parts``, which make up the fields one after the other; by default for every summand.

    ``Split(fields, "2xregular", "vector")`` gives a pair of tensors with the types ``out_types``.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    *parts : str or FieldType
        How they are taken apart; by default every summand by itself.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> [y.shape[1] for y in Split(field_type("vector + trivial", "D4"))(torch.randn(1, 3, 5, 5))]
    [2, 1]
    """

    def __init__(self, fields: FieldType, *parts: str | FieldType) -> None:
        super().__init__()
        self.in_type: FieldType = fields_of(fields, "Split", at_places=True)
        if parts:
            self.out_types: tuple[FieldType, ...] = tuple(_cut(fields, parts))
        else:
            self.out_types = tuple(_summands(fields))
        whole = sum(self.out_types[1:], self.out_types[0])
        if whole != fields:
            raise LayerError(
                f"the parts {' | '.join(map(str, self.out_types))} do not make up {fields}: give them in its order"
            )

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        """A tensor for every summand."""
        require_channels(x, self.in_type)
        parts, at = [], 0
        for part in self.out_types:
            parts.append(x[:, at : at + part.size])
            at += part.size
        return tuple(parts)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)} -> {' | '.join(map(str, self.out_types))}"


def _summands(fields: FieldType) -> Iterator[FieldType]:
    at = 0
    for _, count in fields.terms:
        yield fields[at : at + count]
        at += count


def _cut(fields: FieldType, parts: Sequence[str | FieldType]) -> Iterator[FieldType]:
    """The parts; a text says nothing of places, which are those of the fields."""
    at = 0
    places = places_of(fields)
    for part in parts:
        own = parse_field_type(part, fields.group)
        there = places[at : at + own.size]
        if isinstance(part, str) and len(there) == own.size:
            own = with_places(own, there)
        yield own
        at += own.size


class Merge(nn.Module):
    """The tensors of several fields as one: the direct sum ``out_type`` of ``in_types``.

    Called with the tensors, or with a tuple of them, as `Split` gives it.

    Parameters
    ----------
    *in_types : FieldType
        Of the tensors, in their order.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> types = [field_type(text, "D4") for text in ("vector", "trivial")]
    >>> Merge(*types)(torch.zeros(1, 2, 5, 5), torch.zeros(1, 1, 5, 5)).shape
    torch.Size([1, 3, 5, 5])
    """

    def __init__(self, *in_types: FieldType) -> None:
        super().__init__()
        if not in_types:
            raise LayerError("Merge needs the field types of the tensors")
        self.in_types: tuple[FieldType, ...] = tuple(
            fields_of(fields, "Merge", at_places=True) for fields in in_types
        )
        self.out_type: FieldType = sum(in_types[1:], in_types[0])

    def forward(self, *tensors: Tensor | tuple[Tensor, ...]) -> Tensor:
        """One tensor of several."""
        parts: list[Tensor] = []
        for tensor in tensors:
            if isinstance(tensor, tuple):
                parts += tensor
            else:
                parts.append(tensor)
        if len(parts) != len(self.in_types):
            raise LayerError(
                f"Merge takes {len(self.in_types)} tensors, got {len(parts)}"
            )
        for x, fields in zip(parts, self.in_types, strict=True):
            require_channels(x, fields)
        return joined(parts)

    def plain(self, like: Tensor) -> nn.Module:
        """By hand, since torch.fx cannot look into arguments of any number."""
        graph = fx.Graph()
        tensors = graph.placeholder("*tensors")
        graph.output(
            graph.call_function(
                torch.cat, (graph.call_function(tree_leaves, (tensors,)), 1)
            )
        )
        return fx.GraphModule({}, graph, "Merge")

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{' | '.join(map(str, self.in_types))} -> {described(self.out_type)}"
