r"""The exact decomposition of a representation into real irreps that have names.

$\mathrm{Hom}_G(\psi, \rho)$ is the null space of $T\psi(g) = \rho(g)T$. Its dimension is the multiplicity of $\psi$
times the dimension of the commutant of $\psi$ (1, 2 or 4: real, complex or quaternionic type). The columns of as many
T as the multiplicity, with independent images, make $Q^{-1}$, and $Q \rho Q^{-1}$ is block diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import isqrt

from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, concatenate
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import CatalogueTerm
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.intertwiners import independent, intertwiners
from pdobasis.representations.named import irreps_of, made, spherical_name
from pdobasis.representations.representation import Representation

MAX_WEIGHT = 64
_SIZES = {"A": 1, "B": 1, "E": 2, "T": 3, "G": 4, "H": 5}
"""The letters of Mulliken's names."""
_MULLIKEN = re.compile(r"irrep\(([ABETGH])\d?[gu]?'*\)")


@dataclass(frozen=True, slots=True)
class Summand:
    """``multiplicity`` copies of an irrep, one after the other; ``type`` is the dimension of its commutant."""

    name: str
    irrep: Representation
    multiplicity: int
    type: int


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Invariant: ``change @ rho(g) @ inverse`` is block diagonal with the irreps of ``summands``."""

    summands: tuple[Summand, ...]
    change: ExactArray
    inverse: ExactArray

    def places(self, summand: Summand) -> list[slice]:
        """Where the copies of a summand stand."""
        at = 0
        for other in self.summands:
            size = other.irrep.size
            end = at + size * other.multiplicity
            if other is summand:
                return [slice(start, start + size) for start in range(at, end, size)]
            at = end
        return []


def decompose(rep: Representation) -> list[tuple[str, int]]:
    """(irrep, multiplicity) of every irrep that occurs.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Tensor, Vector
    >>> decompose(from_term(parse_group("Oh"), Tensor(Vector(), Vector()), "tensor(vector, vector)"))
    [('irrep(A1g)', 1), ('irrep(Eg)', 1), ('irrep(T1g)', 1), ('irrep(T2g)', 1)]
    """
    found = decomposition(rep)
    if found is None:
        raise RepresentationError(
            f"the irreps of {rep.group.name} that {rep.spec} needs are not known by name"
        )
    return [(s.name, s.multiplicity) for s in found.summands]


def decomposition(rep: Representation) -> Decomposition | None:
    """With the change of basis; None where the irreps of the group are not known."""
    return _decomposition(rep, rep.group.term)


@cache
def _decomposition(
    rep: Representation, term: CatalogueTerm | None
) -> Decomposition | None:
    """``term`` is part of the key: a group may have several names, and its irreps follow the one that it was given."""
    return split(rep, _candidates(rep))


def split(
    rep: Representation, irreps: Iterator[tuple[str, Representation]]
) -> Decomposition | None:
    """Try one irrep after the other until the sizes add up."""
    summands = []
    columns: list[ExactArray] = []
    size = 0
    for name, psi in irreps:
        if size == rep.size:
            break
        maps = intertwiners(psi, rep)
        if not len(maps):
            continue
        # Schur: Hom(psi, rho) is a free module over End(psi), of the rank that psi occurs with
        kind = len(intertwiners(psi, psi))
        chosen = independent(maps, len(maps) // kind)
        summands.append(Summand(name, psi, len(chosen), kind))
        columns += chosen
        size += len(chosen) * psi.size
    if size != rep.size:
        return None
    inverse = concatenate(columns, axis=1)
    return Decomposition(tuple(summands), inverse.inverse(), inverse)


def irrep_name(rep: Representation) -> str:
    """The name of an irrep in the very basis of the catalogue (harmonics: in any of their bases); else empty."""
    if isinstance(rep.term, Spherical) and turns_space(rep.group):
        return spherical_name(rep.group, rep.term)
    return _irrep_name(rep, rep.group.term)


@cache
def _irrep_name(rep: Representation, term: CatalogueTerm | None) -> str:
    """``term`` is part of the key, as for decompositions."""
    # the sum of the basis vectors is invariant, so it is no irrep
    if rep.is_permutation and rep.size > 1:
        return ""
    for name, psi in _candidates(rep, rep.size):
        if psi == rep:
            return name
    return ""


def _candidates(
    rep: Representation, size: int | None = None
) -> Iterator[tuple[str, Representation]]:
    """The irreps that can occur in a representation (of one size only, as far as the name tells)."""
    group = rep.group
    limits: Iterable[int] = [0]
    if not group.is_finite:
        # by increasing weight: low ones are the likely ones, and the sum of the sizes ends the search
        limits = range(_top_weight(rep) + 1)
    seen: set[str] = set()
    for limit in limits:
        for name, term in irreps_of(group, limit).items():
            if name in seen or not _may_have_size(name, size):
                continue
            seen.add(name)
            yield name, made(group, term, name)


def _may_have_size(name: str, size: int | None) -> bool:
    """Mulliken's letters tell the size; other names do not."""
    match = _MULLIKEN.fullmatch(name)
    if size is None or match is None:
        return True
    letter = match.group(1)
    return _SIZES[letter] == size


def _top_weight(rep: Representation) -> int:
    r"""No weight k exceeds the root of $-\mathrm{tr}\, d\rho(X)^2 = \sum k^2$, and a pair $\pm k$ counts twice."""
    if not rep.lie:
        return 0
    x = rep.lie[0]
    trace = -(x @ x).trace()
    # whole weights have a rational sum of squares
    if trace.numerators[1:].any():
        return 0
    squares = max(int(trace.fraction()), 0)
    return min(isqrt(squares // 2), MAX_WEIGHT)
