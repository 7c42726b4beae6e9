r"""What a layer between staggered fields needs: atoms for every way from place to place.

The stencil from channel i at $s_i$ to channel o at $t_o$ has its nodes at $\mathbb{Z}^d + s_i - t_o$. So the atoms are
the derivatives on the nodes of every difference $s - t$ that occurs, and an entry of an element has its coefficients
over those of its own difference. Copies of a summand at different places are different units; all else is as on one
grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.errors import SpecError
from pdobasis.layers.placed import StaggeredType, places_of
from pdobasis.question.field_type import FieldType
from pdobasis.stencils.discretization import recorded
from pdobasis.stencils.discretize import GRID_OPTIONS, read_options
from pdobasis.stencils.discretized import BlockStencils, Discretized, blocks_of
from pdobasis.stencils.registry import find_staggered
from pdobasis.stencils.sampled import check_field_places
from pdobasis.stencils.staggered import Offset, between, shifted


@dataclass(frozen=True, slots=True)
class Kind:
    """Copies of one summand at the same places; ``summand`` is its number among the different ones."""

    summand: int
    places: tuple[Offset, ...]
    channels: tuple[int, ...]
    """The first channel of every copy."""


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """A block between two kinds of fields, and which of its entries have which difference of places."""

    block: BlockStencils
    entries: dict[Offset, NDArray[np.int64]]


def kinds(fields: FieldType) -> tuple[Kind, ...]:
    """Summands and places that occur, in order of appearance."""
    summands = fields.distinct
    if not isinstance(fields, StaggeredType):
        middle = (Fraction(0),) * fields.group.dim
        return tuple(
            Kind(n, (middle,) * rep.size, tuple(fields.offsets(rep)))
            for n, rep in enumerate(summands)
        )
    places = fields.places
    found: dict[tuple[int, tuple[Offset, ...]], list[int]] = {}
    for rep, channels in zip(fields, fields.slices, strict=True):
        key = (summands.index(rep), places[channels])
        found.setdefault(key, []).append(channels.start)
    return tuple(Kind(n, own, tuple(starts)) for (n, own), starts in found.items())


def discretize_between(
    basis: Basis,
    fields: tuple[FieldType, FieldType],
    method: str,
    size: Sequence[int],
    options: Mapping[str, Any],
) -> Discretized:
    """A basis between fields (in, out) with places: blocks are those between `kinds`, over atoms of all differences.

    Refused where the group does not take places to places.
    """
    if basis.problem.kernel:
        raise SpecError("kernels are not sampled between places: use a PDO stencil")
    own = find_staggered(method)
    source, target = (places_of(t) for t in fields)
    check_field_places(basis.problem, source, target)
    known = (*GRID_OPTIONS, *own.option_names)
    grid, completed = read_options(own, basis, size, dict(options), known)
    parts = list(_parts(basis, fields))
    alphas = basis.monomials()
    needed = _needed(parts, grid.dim, len(alphas))
    here = (Fraction(0),) * grid.dim

    atoms: list[NDArray[np.float64]] = []
    columns: dict[tuple[Offset, int], int] = {}
    terms: list[int] = []
    for difference, used in needed.items():
        weights = between(
            lambda some, inner: own.stencils(some, inner, completed),
            alphas,
            shifted(grid, here, difference),
            used,
        )
        for m in np.flatnonzero(used):
            columns[difference, int(m)] = len(atoms)
            atoms.append(weights[m])
            terms.append(int(m))
    return Discretized(
        basis,
        own.name,
        grid,
        recorded(completed),
        np.stack(atoms),
        tuple(_over(part, columns, len(atoms)) for part in parts),
        tuple(terms),
    )


def _parts(basis: Basis, fields: tuple[FieldType, FieldType]) -> Iterator[_Entries]:
    ins, outs = (list(enumerate(kinds(t))) for t in fields)
    for block in blocks_of(basis):
        for o, target in outs:
            for i, source in ins:
                if (target.summand, source.summand) != (
                    block.out_index,
                    block.in_index,
                ):
                    continue
                own = replace(block, in_index=i, out_index=o)
                yield _Entries(own, _ways(block, source.places, target.places))


def _ways(
    block: BlockStencils, source: Sequence[Offset], target: Sequence[Offset]
) -> dict[Offset, NDArray[np.int64]]:
    found: dict[Offset, NDArray[np.bool_]] = {}
    for row, t in enumerate(target):
        for column, s in enumerate(source):
            here = (block.row == row) & (block.column == column)
            way = _minus(s, t)
            found[way] = found.get(way, np.zeros_like(here)) | here
    return {way: np.flatnonzero(here) for way, here in found.items() if here.any()}


def _minus(s: Offset, t: Offset) -> Offset:
    return tuple(a - b for a, b in zip(s, t, strict=True))


def _needed(
    parts: Sequence[_Entries], dim: int, monomials: int
) -> dict[Offset, NDArray[np.bool_]]:
    """Which derivatives are taken over which difference."""
    same: Offset = (Fraction(0),) * dim
    # Atom 0 is the monomial 1 in the same place, whether it is used or not.
    found = {same: np.arange(monomials) == 0}
    for part in parts:
        for way, entries in part.entries.items():
            used = np.any(part.block.values[entries] != 0, axis=0)
            found[way] = found.get(way, np.zeros_like(used)) | used
    return found


def _over(
    part: _Entries, columns: Mapping[tuple[Offset, int], int], atoms: int
) -> BlockStencils:
    """The coefficients over monomials as those over the atoms of the own difference."""
    values = np.zeros((len(part.block.values), atoms))
    for way, entries in part.entries.items():
        for m in np.flatnonzero(part.block.values[entries].any(axis=0)):
            values[entries, columns[way, int(m)]] = part.block.values[entries, m]
    return replace(part.block, values=values)
