"""From fields to numbers, and from a group to a subgroup."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import require_orthogonal, require_permutations
from pdobasis.nn.arguments import require_channels
from pdobasis.nn.nonlinear import field_norms, trivial_type
from pdobasis.question.field_type import FieldType
from pdobasis.question.own_group import is_catalogued
from pdobasis.question.text import resolve_group
from pdobasis.representations.finite import orbit_of, regular
from pdobasis.representations.representation import Representation, from_matrices


class GroupPool(nn.Module):
    """The largest channel of every field: one trivial channel each; for permutation representations."""

    def __init__(self, fields: FieldType) -> None:
        super().__init__()
        require_permutations(fields, "the maximum over channels", "use NormPool")
        self.in_type = fields
        self.out_type = trivial_type(fields, len(fields))

    def forward(self, x: Tensor) -> Tensor:
        require_channels(x, self.in_type)
        parts, at = [], 0
        for rep, n in self.in_type.terms:
            parts.append(
                torch.unflatten(x[:, at : at + n * rep.size], 1, (n, rep.size)).amax(2)
            )
            at += n * rep.size
        if len(parts) == 1:
            return parts[0]
        return torch.cat(parts, 1)


class NormPool(nn.Module):
    """The length of every field: one trivial channel each; for orthogonal representations."""

    def __init__(self, fields: FieldType) -> None:
        super().__init__()
        require_orthogonal(fields, "NormPool")
        self.in_type = fields
        self.out_type = trivial_type(fields, len(fields))

    def forward(self, x: Tensor) -> Tensor:
        require_channels(x, self.in_type)
        return field_norms(x, self.in_type)


class GlobalPool(nn.Module):
    """Mean (or, for permutation representations, maximum) over space: (batch, channels)."""

    def __init__(self, fields: FieldType, how: str = "mean") -> None:
        super().__init__()
        if how not in ("mean", "max"):
            raise LayerError(f"unknown pooling {how!r}: mean or max")
        # A mean is linear and commutes with every representation; a maximum of channels with permutations only.
        if how == "max":
            require_permutations(
                fields, "a maximum of channels", 'use how="mean", or NormPool before'
            )
        self.in_type = self.out_type = fields_of(fields, "GlobalPool")
        self.how = how

    def forward(self, x: Tensor) -> Tensor:
        require_channels(x, self.in_type)
        flat = x.flatten(2)
        if self.how == "mean":
            return flat.mean(2)
        return flat.amax(2)


class Restrict(nn.Module):
    """The same fields, seen as fields of a subgroup: D16 → C16 in the middle of a network.

    Where a subgroup permutes the channels of a field freely, they are reordered to regular fields of the subgroup:
    one regular field of D16 becomes two of C16. The numbers stay the same.
    """

    order: Tensor | None

    def __init__(self, fields: FieldType, subgroup: str | Group) -> None:
        super().__init__()
        larger = fields_of(fields, "Restrict").group
        group = resolve_group(subgroup, larger.dim)
        _require_subgroup(group, larger)
        self.in_type = fields
        # A field may fall into several over the subgroup; their channels are brought together.
        parts_in_order: list[Representation] = []
        order: list[int] = []
        at = 0
        for rep, n in fields.terms:
            parts, local = _restricted(rep, group)
            for _ in range(n):
                parts_in_order += parts
                order += [at + k for k in local]
                at += rep.size
        self.out_type = FieldType.of(parts_in_order)
        moved = order != list(range(len(order)))
        self.register_buffer("order", None, persistent=False)
        if moved:
            self.order = torch.tensor(order)

    def forward(self, x: Tensor) -> Tensor:
        require_channels(x, self.in_type)
        if self.order is None:
            return x
        return x.index_select(1, self.order)


def _restricted(
    rep: Representation, group: Group
) -> tuple[list[Representation], list[int]]:
    """Representations of the subgroup and the channels that they take, in order."""
    images = tuple(rep.at(g) for g in group.generators)
    lie = tuple(rep.derivative(x) for x in group.lie)
    spec = f"restrict({rep.group.name}, {rep.spec})"
    own = rep.own or not is_catalogued(rep.group)
    whole = from_matrices(group, spec, rep.size, images, lie, own=own)
    if whole.permutations is None or not group.is_finite:
        return [whole], list(range(rep.size))
    # One channel, permuted, stays where it is.
    if whole.size == 1:
        return [_trivial(group)], [0]
    orbits = _orbits(whole)
    # An orbit as long as the group is one on which it acts freely: the regular representation, up to the order.
    if any(len(orbit) != len(closure(group)) for orbit in orbits):
        return [whole], list(range(rep.size))
    return [regular(group)] * len(orbits), [k for orbit in orbits for k in orbit]


def _orbits(rep: Representation) -> list[list[int]]:
    """Orbits of channels, each in the order of the group's elements applied to its first channel."""
    actions = [np.array(p) for p in rep.permutations or ()]
    table = closure(rep.group)
    seen: set[int] = set()
    out = []
    for start in range(rep.size):
        if start in seen:
            continue
        members = orbit_of(actions, start)
        seen.update(int(k) for k in members)
        if len(members) != len(table):
            out.append([int(k) for k in members])
            continue
        images = []
        for index in range(len(table)):
            place = start
            # Of a product the last factor acts first.
            for s in reversed(table.word(index)):
                place = int(actions[s][place])
            images.append(place)
        out.append(images)
    return out


def _trivial(group: Group) -> Representation:
    from pdobasis.question.text import parse_field_type

    return parse_field_type("trivial", group).distinct[0]


def _require_subgroup(group: Group, larger: Group) -> None:
    """Refuse what is certainly no subgroup: another dimension, or a generator that is missing."""
    if group.dim != larger.dim:
        raise LayerError(
            f"{group.name} acts in dimension {group.dim}, {larger.name} in dimension {larger.dim}"
        )
    if larger.is_finite and (
        group.lie or any(closure(larger).find(g) is None for g in group.generators)
    ):
        raise LayerError(
            f"{group.name} is not a subgroup of {larger.name} (in this orientation)"
        )
