r"""Sums of irreps in the plane, in Python's integers: $T\chi Q$ with maps that are written down, and closed forms.

The same symbols as in :mod:`.reducible`, and the same bytes. T and Q are rational up to factors, by
:mod:`pdobasis.representations.waves`, and $\chi$ up to one square root (:mod:`.planar`), whatever the field of the
group is. So elements are found over Q, and written over the field of all that is between: of the irreps, both
representations, and $\chi$.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import product

from pdobasis.bounds.caches import remembered
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.polynomials import count
from pdobasis.exact.roots import cosine
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.planar import PlanarShape, planar_shape
from pdobasis.linear.small import Row
from pdobasis.operators.few import Roots, coprime_numbered
from pdobasis.representations.named import irreps_of
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import HalfTurn, Term, Trivial
from pdobasis.representations.waves import maps_from, waves
from pdobasis.solvers.module import Angular
from pdobasis.solvers.planar import Offsets, Wave, allowed, plain_elements, wave_of
from pdobasis.solvers.reducible import SMALL
from pdobasis.solvers.small_padding import Line
from pdobasis.solvers.whole_maps import cells_of, independent, padded, projections
from pdobasis.values import dataclass

HIGHEST = 20
"""Orders up to which numbers are small, and few."""
WIDEST = SMALL // 2
"""Sizes up to which maps from an irrep of size 2 have few entries."""
LARGEST = 1 << 20
"""Entries of T and of Q."""
MOST_ROOTS = 4
"""The degree of fields: their numbers have images (:mod:`pdobasis.exact.packed`), as the road through arrays asks."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """All copies of an irrep: the columns of every T, and the rows of every Q, up to a positive factor each.

    ``field`` is that of T and Q, ``own`` that of the matrices of the irrep.
    """

    name: str
    wave: Wave
    own: Field
    inclusions: list[list[Line]]
    projections: list[list[Line]]
    field: Field


Lines = list[tuple[int, ...]]
"""The coefficients of elements, entry by entry."""
Symbol = tuple[Lines, bool]
"""And whether they are to be multiplied by sqrt(2)."""


def angular(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int]
) -> list[Angular] | None:
    """All steerable P with ΔP = 0 of each of the orders; None where this is not the road."""
    group, shape = rep_in.group, planar_shape(rep_in.group)
    if shape is None or rep_in.size * rep_out.size > SMALL or max(orders) > HIGHEST:
        return None
    source, target = parts_of(rep_in), parts_of(rep_out)
    if source is None or target is None:
        return None
    found = []
    for b in target:
        for a in source:
            own = _between(a.wave, b.wave, shape, orders)
            if own is None:
                return None
            if any(lines for lines, _ in own):
                copies = product(b.inclusions, a.projections)
                cells = [cells_of(t, q, rep_in.size) for t, q in copies]
                found.append((a, b, cells, own))
    used = [part for a, b, *_ in found for part in (a, b)]
    if used and group.is_finite:
        # the maps of all irreps are found at once
        used = [*source, *target]
    is_rational = all(part.field.is_rational for part in used)
    is_rational &= not any(root for *_, own in found for _, root in own)
    if not all(lines for *_, own in found for lines, _ in own):
        is_rational &= group.field.is_rational
    fields = RATIONALS, RATIONALS if is_rational else group.field
    shape_of_p = rep_out.size, rep_in.size
    if tuple(orders) == (0,) and _is_constant((*source, *target), group):
        every = [part.own for part in (*source, *target)]
        fields = reduce(join, every, group.field), fields[1]
    return [
        _together(
            shape_of_p, n, [(a, b, cells, own[k]) for a, b, cells, own in found], fields
        )
        for k, n in enumerate(orders)
    ]


def _is_constant(parts: Sequence[Part], group: Group) -> bool:
    """Whether elsewhere symbols of order 0 are written down in the field of all irreps (:meth:`.Meeting.by_schur`)."""
    if not group.is_finite or group.field.is_rational:
        return False
    # rotations commute with those of a plane, unless there are mirrors
    shape = planar_shape(group)
    is_mirrored = shape is not None and shape.axis is not None
    return is_mirrored or all(part.wave.row is not None for part in parts)


def _between(
    a: Wave, b: Wave, shape: PlanarShape, orders: Sequence[int]
) -> list[Symbol] | None:
    out = []
    for n in orders:
        rules = list(allowed(a, b, n, Offsets(shape.turns, None)))
        known = plain_elements(rules, (b.rows, a.rows), shape.axis)
        if known is None:
            return None
        out.append(known)
    return out


def _together(
    shape: tuple[int, int],
    order: int,
    found: list[tuple[Part, Part, list[list[Line]], Symbol]],
    fields: tuple[Field, Field],
) -> Angular:
    """The elements of one order, for every copy of b, then of a.

    Over a field that has at least the first of ``fields``; where there are none over the second.
    """
    elements: list[Row] = []
    roots: list[int] = []
    labels: list[tuple[str, str]] = []
    field, nothing = fields
    size = count(2, order)
    for a, b, cells, (lines, has_root) in found:
        if not lines:
            continue
        for own in cells:
            elements += [padded(enumerate(line), own, size) for line in lines]
        more = len(cells) * len(lines)
        labels += [(a.name, b.name)] * more
        roots += [2 if has_root else 1] * more
        field = reduce(join, (a.field, b.field), field)
        if has_root:
            field = join(field, cosine(Fraction(1, 4)).field)
    if not elements:
        field = nothing
    scale = None
    if 2 in roots:
        scale = Roots(lambda place: (1, 1), _with_root(field), roots)
    part = coprime_numbered(elements, 2, order, shape, field, scale)
    return Angular(part, tuple(labels))


def _with_root(field: Field) -> tuple[int, ...]:
    """The squares of the numbers 1 and sqrt(2) of the basis, 0 for others.

    >>> from pdobasis.exact.field import cyclotomic
    >>> [_with_root(cyclotomic(n)) for n in (8, 16, 24)]
    [(1, 2), (1, 0, 2, 0), (1, 0, 0, 2)]
    """
    root = cosine(Fraction(1, 4)).over(field).numerators.tolist()
    return 1, *(2 * abs(v) for v in root[1:])


def parts_of(rep: Representation) -> tuple[Part, ...] | None:
    """The irreps of a representation; None where it has no formula of this kind, or where maps are not rational."""
    return _parts_of(rep, rep.group.term)


@remembered
def _parts_of(
    rep: Representation, term: CatalogueTerm | None
) -> tuple[Part, ...] | None:
    """``term`` is part of the key, as for decompositions."""
    group, shape = rep.group, planar_shape(rep.group)
    if shape is None or rep.term is None or rep.size > WIDEST:
        return None
    known = waves(rep.term, is_mirrored=shape.axis is not None)
    if known is None:
        return None
    out = []
    left = rep.size
    top = max(abs(own.weight) for own in known.every)
    for name, irrep in irreps_of(group, top).items():
        own = wave_of(irrep, is_mirrored=shape.axis is not None)
        maps = maps_from(irrep, known, shape)
        if own is None or maps is None:
            return None
        if not maps:
            continue
        inclusions = independent(maps, len(own.rows))
        back = projections(inclusions, known.metric, (1,) * len(own.rows))
        small = _field(group, irrep)
        field = join(small, rep.field)
        if field.degree > MOST_ROOTS or _largest(inclusions, back) > LARGEST:
            return None
        out.append(Part(name, own, small, inclusions, back, field))
        left -= len(inclusions) * len(own.rows)
        if not left:
            return tuple(out)
    return None


def _largest(*maps: list[list[Line]]) -> int:
    return max(abs(v) for own in maps for t in own for line in t for _, v in line)


def _field(group: Group, irrep: Term) -> Field:
    """Of the matrices of an irrep."""
    if isinstance(irrep, Trivial):
        return RATIONALS
    if isinstance(irrep, HalfTurn):
        return join(irrep.axis.field, group.field)
    return group.field
