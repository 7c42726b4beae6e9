r"""Fields of a group as fields of a subgroup H: the same matrices, by names that H understands.

Where H permutes the channels of a field, each orbit of channels is a field by itself: with K the elements of H that
fix one of its channels, the channels are the cosets hK, and the orbit is ``quotient(K)``; the regular representation
where K is trivial, a scalar where it is all of H.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import PdoBasisError
from pdobasis.exact.array import ExactArray
from pdobasis.groups.closure import closure
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.membership import contains_group
from pdobasis.groups.subgroups import with_words
from pdobasis.layers.errors import LayerError
from pdobasis.question.field_type import FieldType
from pdobasis.question.grammar import whole_text
from pdobasis.question.own_group import is_catalogued
from pdobasis.question.reader import Reader
from pdobasis.question.text import parse_field_type
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.finite import cosets, orbit_of, quotient
from pdobasis.representations.representation import (
    Representation,
    all_permutations,
    from_matrices,
    from_term,
)

Parts = tuple[tuple[Representation, tuple[int, ...]], ...]
"""Representations of the subgroup, and the channels that each takes, in order."""


@dataclass(frozen=True, slots=True)
class Restricted:
    """``fields`` of the subgroup; channel k of them is channel ``order[k]`` of the fields before."""

    fields: FieldType
    order: tuple[int, ...]


def restricted(fields: FieldType, group: Group) -> Restricted:
    require_subgroup(group, fields.group)
    parts_in_order: list[Representation] = []
    order: list[int] = []
    at = 0
    for rep in fields:
        for part, channels in _parts(rep, group, group.name, group.term):
            parts_in_order.append(part)
            order += [at + k for k in channels]
        at += rep.size
    return Restricted(FieldType.of(parts_in_order), tuple(order))


@remembered
def _parts(
    rep: Representation, group: Group, name: str, term: CatalogueTerm | None
) -> Parts:
    """``name`` and ``term`` are part of the key: names of representations follow those of the group."""
    whole = on_subgroup(rep, group)
    every = tuple(range(rep.size))
    known = _named(whole, ("trivial", rep.spec))
    if known is not None:
        return ((known, every),)
    if whole.permutations is not None:
        return tuple(_orbits(whole))
    # Blocks that no generator mixes are representations by themselves; worth it if all of them have names.
    blocks = _blocks(whole)
    split = [_named(_on(whole, block), ("trivial",)) for block in blocks]
    if len(blocks) > 1 and all(part is not None for part in split):
        pairs = zip(split, blocks, strict=True)
        return tuple((part, block) for part, block in pairs if part is not None)
    return ((whole, every),)


def on_subgroup(rep: Representation, group: Group) -> Representation:
    """The same matrices; with the formula where there is one, so that it can be evaluated anywhere."""
    spec = f"restrict({rep.group.name}, {rep.spec})"
    own = rep.own or not is_catalogued(rep.group)
    if rep.term is not None:
        found = from_term(group, rep.term, spec)
    else:
        images = tuple(rep.at(g) for g in group.generators)
        lie = tuple(rep.derivative(x) for x in group.lie)
        found = from_matrices(group, spec, rep.size, images, lie)
    return replace(found, own=own, hypothesis=rep.hypothesis)


def _named(rep: Representation, texts: tuple[str, ...]) -> Representation | None:
    """The representation by one of these texts or as an irrep, if it has the very same matrices."""
    for text in (*texts, irrep_name(rep)):
        found = _read(text, rep.group)
        if found == rep:
            return found
    return None


def _read(text: str, group: Group) -> Representation | None:
    """What the text means for this group; None if nothing (irrep(1,2) belongs to D8 and not to C8)."""
    try:
        fields = parse_field_type(text, group, files=False)
    except PdoBasisError:
        return None
    if len(fields) == 1:
        return fields[0]
    return None


def _orbits(rep: Representation) -> Iterator[tuple[Representation, tuple[int, ...]]]:
    """One quotient representation for every orbit, the channels in the order of its cosets."""
    actions = [np.array(p) for p in rep.permutations or ()]
    seen: set[int] = set()
    for start in range(rep.size):
        if start in seen:
            continue
        members = orbit_of(actions, start).tolist()
        seen.update(members)
        channel, fixing = _base(rep, members)
        part, first = _quotient(rep.group, fixing)
        # Coset hK of the stabiliser K of a channel is the channel that h sends it to.
        yield part, tuple(all_permutations(rep)[first, channel].tolist())


def _base(rep: Representation, members: list[int]) -> tuple[int, Group]:
    """A channel of the orbit and its stabiliser: all are conjugate and serve alike, so one with a name is taken."""
    pairs = ((channel, _fixing(rep, channel)) for channel in members)
    first = next(pairs)
    for pair in chain([first], pairs):
        if not pair[1].name.startswith("<"):
            return pair
    return first


def _quotient(group: Group, stabiliser: Group) -> tuple[Representation, list[int]]:
    """The representation on cosets, by its shortest name, and the first element of every coset."""
    _, first = cosets(group, stabiliser.generators)
    found = quotient(group, stabiliser.generators, f"quotient({stabiliser.name})")
    for text in ("trivial", "regular", found.spec):
        if _read(text, group) == found:
            return replace(found, spec=text), first.tolist()
    return replace(found, own=True), first.tolist()


def _fixing(rep: Representation, channel: int) -> Group:
    """The subgroup that fixes a channel: by a name of the catalogue, or by words in the generators."""
    members = np.flatnonzero(all_permutations(rep)[:, channel] == channel)
    table = closure(rep.group)
    for name in _names(len(members)):
        try:
            group = Reader(rep.group, files=False).subgroup(whole_text(name))
            found = {table.find(g) for g in _each(closure(group).matrices)}
        except PdoBasisError:
            continue
        if found == set(members.tolist()):
            return group
    return with_words(rep.group, tuple(members.tolist()))


def _names(order: int) -> list[str]:
    if order == 1:
        return ["trivial"]
    names = [f"C{order}"]
    if order == 2:
        names += ["flip", "inversion"]
    elif order % 2 == 0:
        names.append(f"D{order // 2}")
    return names


def _each(batch: ExactArray) -> Iterator[ExactArray]:
    return (batch[k] for k in range(len(batch)))


def _blocks(rep: Representation) -> list[tuple[int, ...]]:
    """The channels that the matrices mix, as connected components."""
    mixed = np.eye(rep.size, dtype=bool)
    for m in (*rep.matrices(), *rep.lie):
        mixed |= m.nonzero_mask()
    mixed |= mixed.T
    # Squaring doubles the length of the paths that are counted.
    for _ in range(rep.size.bit_length()):
        mixed = (mixed.astype(np.int64) @ mixed) > 0
    rows = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in mixed)
    return list(rows)


def _on(rep: Representation, block: tuple[int, ...]) -> Representation:
    places = np.ix_(block, block)
    return from_matrices(
        rep.group,
        rep.spec,
        len(block),
        tuple(m[places] for m in rep.matrices()),
        tuple(x[places] for x in rep.lie),
    )


def require_subgroup(group: Group, larger: Group) -> None:
    if group.dim != larger.dim:
        raise LayerError(
            f"{group.name} acts in dimension {group.dim}, {larger.name} in dimension {larger.dim}"
        )
    if not contains_group(larger, group):
        raise LayerError(
            f"{group.name} is not a subgroup of {larger.name} (in this orientation)"
        )
