r"""Harmonic symbols for groups whose generators are matrices of signs, in space and on both fibres.

Such a generator multiplies the coefficient of $x^\alpha$ in $P_{rc}$ by a sign (:mod:`.signs`), so $P_{rc}$ is any
polynomial of a parity that r and c decide. All harmonic ones of a parity are known (:mod:`.harmonic_rows`): what is
left is to write them down, in the same order and with the same factors as the general roads of :mod:`.transfer` do. A
group without generators is one of these: the same polynomials stand in every place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, zeros
from pdobasis.exact.polynomials import count, monomials
from pdobasis.exact.scattered import Scattered
from pdobasis.exact.types import IndexArray
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.planar import planar_shape
from pdobasis.representations.named import irreps_of, made
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Determinant, HalfTurn, Term, Trivial
from pdobasis.solvers.harmonic_rows import (
    Polynomial,
    coprime,
    coprime_rows,
    echelon_rows,
    leading,
    rows_of,
)
from pdobasis.solvers.module import Angular
from pdobasis.solvers.planar import binomial
from pdobasis.solvers.single_entries import SingleEntries, at_places
from pdobasis.solvers.small_actions import whole
from pdobasis.values import dataclass

Masks = tuple[int, ...]
"""For every coordinate the generators that change its sign, as the bits of a number."""


def are_signs(rep_in: Representation, rep_out: Representation) -> bool:
    """Whether all generators are matrices of signs everywhere."""
    if _in_space(rep_in.group) is None:
        return False
    return _on_fibre(rep_in) is not None and _on_fibre(rep_out) is not None


def as_given(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int]
) -> list[SingleEntries]:
    """Place by place, as :func:`.projection.solve_harmonic` finds them."""
    group = rep_in.group
    ins, outs = _on_fibre(rep_in) or (), _on_fibre(rep_out) or ()
    shape = (rep_out.size, rep_in.size)
    is_permuted = rep_in.is_permutation or rep_out.is_permutation
    # the numbering of unknowns in their echelon form
    if rep_out.is_permutation and not rep_in.is_permutation:
        places = [(r, c) for r in range(shape[0]) for c in range(shape[1])]
    else:
        places = [(r, c) for c in range(shape[1]) for r in range(shape[0])]
    parity = [outs[r] ^ ins[c] for r, c in places]
    different = list(dict.fromkeys(parity))
    where = np.array(places, dtype=np.int64)
    out = []
    for n in orders:
        known = _by_parity(group, n)
        rows: dict[int, IndexArray] = {}
        used: list[int] = []
        for p in different:
            own = known.get(p, ())
            rows[p] = np.arange(len(used), len(used) + len(own))
            used += own
        if not used:
            out.append(_nothing(group, n, shape))
            continue
        if is_permuted or n < 2:
            table = echelon_rows(group.dim, n, tuple(used))
        else:
            projected = coprime_rows(group.dim, n, used, True)
            table = rows_of(projected, count(group.dim, n))
        index = at_places(where, [rows[p] for p in parity])
        out.append(SingleEntries(group.dim, n, shape, *index, table))
    return out


def through_irreps(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
) -> list[Angular] | None:
    """From irrep to irrep, as :class:`.reducible.Meeting` puts them together; None where irreps are not known.

    A coordinate is a copy of the irrep with its signs.
    """
    source, target = _split(rep_in), _split(rep_out)
    if source is None or target is None:
        return None
    group, shape = rep_in.group, (rep_out.size, rep_in.size)
    pairs = [(a, b) for b in target for a in source]
    found = [_between(group, a, b, orders) for a, b in pairs]
    out = []
    for k, n in enumerate(orders):
        places: list[tuple[int, int]] = []
        rows: list[IndexArray] = []
        labels: list[tuple[str, str]] = []
        table: list[Polynomial] = []
        for (a, b), own in zip(pairs, found, strict=True):
            if not own[k]:
                continue
            numbers = np.arange(len(table), len(table) + len(own[k]))
            table += own[k]
            here = [(r, c) for r in target[b] for c in source[a]]
            places += here
            rows += [numbers] * len(here)
            labels += [(a.name, b.name)] * (len(here) * len(own[k]))
        part = _nothing(group, n, shape)
        if table:
            index = at_places(np.array(places, dtype=np.int64), rows)
            values = rows_of(table, count(group.dim, n))
            part = SingleEntries(group.dim, n, shape, *index, values)
        out.append(Angular(part, tuple(labels)))
    return out


@dataclass(frozen=True, slots=True)
class _Irrep:
    """Of size 1: the generators that change its sign, as the bits of ``mask``."""

    name: str
    mask: int

    @property
    def is_permutation(self) -> bool:
        return not self.mask


def _between(
    group: Group, a: _Irrep, b: _Irrep, orders: Sequence[int]
) -> list[list[Polynomial]]:
    """Scaled to coprime integers."""
    parity = a.mask ^ b.mask
    if planar_shape(group) is not None:
        return [_circular(group, n, parity) for n in orders]
    is_projected = not (a.is_permutation or b.is_permutation)
    out = []
    for n in orders:
        own = _by_parity(group, n).get(parity, ())
        out.append(coprime_rows(group.dim, n, own, is_projected))
    return out


@remembered
def _circular(group: Group, order: int, parity: int) -> list[Polynomial]:
    """The closed forms of :mod:`.planar`: of the real and the imaginary part of $z^n$ those of a parity."""
    masks = _in_space(group) or (0, 0)
    out = []
    for odd, numbers in enumerate(binomial(order)):
        # x_2 stands with odd powers in the imaginary part
        own = masks[0] * ((order - odd) % 2) ^ masks[1] * odd
        if own == parity and any(numbers):
            out.append(coprime({k: v for k, v in enumerate(numbers) if v}))
    return out


def _nothing(group: Group, order: int, shape: tuple[int, int]) -> SingleEntries:
    none = np.zeros(0, dtype=np.int64)
    table = zeros((0, count(group.dim, order)))
    return SingleEntries(group.dim, order, shape, none, none, none, table)


def _split(rep: Representation) -> dict[_Irrep, list[int]] | None:
    """The irreps that occur, in the order of the catalogue, and the coordinates that are copies of each."""
    return _irreps_of(rep, rep.group.term)


@remembered
def _irreps_of(
    rep: Representation, term: CatalogueTerm | None
) -> dict[_Irrep, list[int]] | None:
    """``term`` is part of the key, as for decompositions."""
    coordinates: dict[int, list[int]] = {}
    for i, mask in enumerate(_on_fibre(rep) or ()):
        coordinates.setdefault(mask, []).append(i)
    out = {}
    for name, formula in irreps_of(rep.group, 0).items():
        if not coordinates:
            break
        own = _mask(rep.group, formula, name)
        if own is not None and own in coordinates:
            out[_Irrep(name, own)] = coordinates.pop(own)
    if coordinates:
        return None
    return out


def _mask(group: Group, formula: Term, name: str) -> int | None:
    """Of an irrep of the catalogue; None where it has another size, or does more than to change signs."""
    shape = planar_shape(group)
    if shape is None:
        psi = made(group, formula, name)
        masks = _on_fibre(psi)
        return masks[0] if psi.size == 1 and masks is not None else None
    # a mirror is the last of the generators, and a turn the first
    mirror = 0 if shape.axis is None else 1 << (len(group.generators) - 1)
    match formula:
        case Trivial():
            return 0
        case Determinant():
            return mirror
        case HalfTurn(_, twist):
            return 1 | mirror * twist
    return None


@remembered
def _by_parity(group: Group, order: int) -> dict[int, tuple[int, ...]]:
    """The leading monomials of harmonic polynomials, by the generators that change their sign."""
    masks = _in_space(group) or (0,) * group.dim
    every = monomials(group.dim, order)
    found: dict[int, list[int]] = {}
    for k in leading(group.dim, order):
        parity = 0
        for mask, power in zip(masks, every[k], strict=True):
            if power & 1:
                parity ^= mask
        found.setdefault(parity, []).append(k)
    return {parity: tuple(own) for parity, own in found.items()}


@remembered
def _in_space(group: Group) -> Masks | None:
    if not group.is_finite or not group.field.is_rational:
        return None
    return _masks(group.on_space, group.dim)


@remembered
def _on_fibre(rep: Representation) -> Masks | None:
    if rep.permutations is not None:
        still = tuple(range(rep.size))
        if any(p != still for p in rep.permutations):
            return None
        return (0,) * rep.size
    return _masks(rep.generators, rep.size)


def _masks(generators: Sequence[ExactArray], size: int) -> Masks | None:
    masks = [0] * size
    for s, g in enumerate(generators):
        signs = _signs(g)
        if signs is None:
            return None
        for i, k in enumerate(signs):
            masks[i] |= k << s
    return tuple(masks)


def _signs(g: ExactArray) -> list[int] | None:
    """For a diagonal matrix of signs $(-1)^k$ the numbers k."""
    if g.denominator != 1 or not g.field.is_rational:
        return None
    if isinstance(g, Scattered):
        return whole(g).signs
    plain = g.numerators[..., 0]
    diagonal = plain.diagonal().tolist()
    if np.count_nonzero(plain) != len(g) or any(v not in (1, -1) for v in diagonal):
        return None
    return [int(v < 0) for v in diagonal]
