"""A module for every kind of field: ReLU for the regular ones, norms for the vectors.

Channels of one kind may stand apart, as in ``regular + vector + regular``; they are brought together and put back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from torch import Tensor, nn

from pdobasis.errors import require_type
from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import LayerError
from pdobasis.nn.arguments import described, joined, require_channels
from pdobasis.nn.types import carried, types_of
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import parse_field_type
from pdobasis.representations.representation import Representation

Make = Callable[[FieldType], nn.Module]
"""From the fields of one kind to a module for them; the class of a part is one."""
Span = tuple[int, int]
"""First channel, and the one behind the last."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the channels of one kind stand in the input, and where its output goes: (number of the run, channels)."""

    taken: tuple[Span, ...]
    given: tuple[tuple[int, Span], ...]


class PerField(nn.Module):
    """One module for every kind of field: ``PerField(fields, {"regular": Pointwise, "vector": NormNonlinearity})``.

    The values are classes of parts, other functions of the fields of a kind, or modules; None leaves a kind as it is. A
    part that takes more than its fields (the gates of `GatedNonlinearity`) has that behind all of them: see
    ``in_type``. It may change the kind (`GroupPool`: regular to trivial), and keeps the number of fields.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    kinds : mapping
        From the text of a summand to the part for it.

    Raises
    ------
    LayerError
        A summand without a part, or a part without a summand.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> from pdobasis.nn import NormNonlinearity, Pointwise
    >>> fields = field_type("regular + vector", "C4")
    >>> part = PerField(fields, {"regular": Pointwise, "vector": NormNonlinearity})
    >>> part(torch.randn(1, 6, 5, 5)).shape
    torch.Size([1, 6, 5, 5])
    """

    is_whole = True

    def __init__(
        self, fields: FieldType, kinds: Mapping[str, Make | nn.Module | None]
    ) -> None:
        super().__init__()
        asked = _by_kind(fields_of(fields, "PerField"), kinds)
        self.parts: nn.ModuleDict = nn.ModuleDict()
        outs: dict[Representation, FieldType] = {}
        extras: list[FieldType | None] = []
        for rep in fields.distinct:
            own = FieldType(((rep, len(fields.offsets(rep))),))
            part = _made(asked[rep], own)
            # A name of a module has no dot in it.
            self.parts[rep.spec.replace(".", "_")] = part
            extras.append(_extra(part, own))
            outs[rep] = _out_type(part, own)
        self.in_type: FieldType = sum((e for e in extras if e is not None), fields)
        left = {rep: iter(out) for rep, out in outs.items()}
        self.out_type: FieldType = FieldType.of(next(left[rep]) for rep in fields)
        self.places: list[Places] = _places(fields, outs, extras)

    def forward(self, x: Tensor) -> Tensor:
        """Apply to every kind of field its part."""
        require_channels(x, self.in_type)
        runs: dict[int, Tensor] = {}
        for part, places in zip(self.parts.values(), self.places, strict=True):
            y = part(joined([x[:, a:b] for a, b in places.taken]))
            runs |= {run: y[:, a:b] for run, (a, b) in places.given}
        return joined([runs[run] for run in range(len(runs))])

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return described(self.in_type)


def _by_kind(
    fields: FieldType, kinds: Mapping[str, Make | nn.Module | None]
) -> dict[Representation, Make | nn.Module | None]:
    """What was asked for every kind; each has to be named once."""
    found: dict[Representation, Make | nn.Module | None] = {}
    require_type(
        kinds, Mapping, "kinds", "a mapping such as {'vector': NormNonlinearity}"
    )
    for text, value in kinds.items():
        for rep in parse_field_type(text, fields.group).distinct:
            if rep not in fields.distinct:
                raise LayerError(
                    f"PerField has a module for {text}, and {fields} has no such field"
                )
            if rep in found:
                raise LayerError(f"PerField has two modules for {rep.spec}")
            found[rep] = value
    for rep in fields.distinct:
        if rep not in found:
            raise LayerError(
                f"PerField has no module for {rep.spec}: name every kind of {fields}, with None to leave it as it is"
            )
    return found


def _made(asked: Make | nn.Module | None, own: FieldType) -> nn.Module:
    if asked is None:
        return nn.Identity()
    if isinstance(asked, nn.Module):
        return asked
    return asked(own)


def _extra(part: nn.Module, own: FieldType) -> FieldType | None:
    """What the part takes behind its fields."""
    types = types_of(part)
    if types is None or types[0] == own:
        return None
    count = len(own)
    taken = types[0]
    if isinstance(taken, FieldType) and len(taken) > count and taken[:count] == own:
        return taken[count:]
    raise LayerError(
        f"PerField gives {own} to {type(part).__name__}, which takes {taken}"
    )


def _out_type(part: nn.Module, own: FieldType) -> FieldType:
    types = types_of(part)
    if types is None:
        out = carried(own, part)
    else:
        out = types[1]
    if not isinstance(out, FieldType) or len(out) != len(own):
        raise LayerError(
            f"PerField puts every field back where it was, and {type(part).__name__} makes {out} of {own}"
        )
    return out


def _places(
    fields: FieldType,
    outs: Mapping[Representation, FieldType],
    extras: list[FieldType | None],
) -> list[Places]:
    """The plan for every kind: one run of equal fields after the other, then what stands behind all fields."""
    at, behind = 0, fields.size
    taken: dict[Representation, list[Span]] = {rep: [] for rep in outs}
    given: dict[Representation, list[tuple[int, Span]]] = {rep: [] for rep in outs}
    done = dict.fromkeys(outs, 0)
    for run, (rep, n) in enumerate(fields.terms):
        taken[rep].append((at, at + n * rep.size))
        at += n * rep.size
        slices = outs[rep].slices[done[rep] : done[rep] + n]
        given[rep].append((run, (slices[0].start, slices[-1].stop)))
        done[rep] += n
    for rep, extra in zip(outs, extras, strict=True):
        if extra is not None:
            taken[rep].append((behind, behind + extra.size))
            behind += extra.size
    return [Places(tuple(taken[rep]), tuple(given[rep])) for rep in outs]
