r"""Real irreps by name, and the exact decomposition of a representation into them.

$\mathrm{Hom}_G(\psi, \rho)$ is the null space of $T\psi(g) = \rho(g)T$. Its dimension is the multiplicity of $\psi$
times the dimension of the commutant of $\psi$ (1, 2 or 4: real, complex or quaternionic type). The columns of as many
T as the multiplicity, with independent images, make $Q^{-1}$, and $Q \rho Q^{-1}$ is block diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import isqrt

import numpy as np

from pdobasis.errors import RepresentationError, UnknownNameError
from pdobasis.exact.array import ExactArray, concatenate, exact, identity
from pdobasis.exact.primes import rank_modulo
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.irreps import irrep, planar_irreps
from pdobasis.representations.point_irreps import point_irreps
from pdobasis.representations.polyhedral_irreps import Part
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Term, Trivial, Vector

MAX_WEIGHT = 64
_SIZES = {"A": 1, "B": 1, "E": 2, "T": 3, "G": 4, "H": 5}
"""The letters of Mulliken's names."""


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
            if other is summand:
                return [slice(at + k * size, at + (k + 1) * size) for k in range(other.multiplicity)]
            at += size * other.multiplicity
        return []


Provider = Callable[[Group, int], dict[str, Term] | None]
"""The irreps of a group by name, up to a frequency or order; None where they are somebody else's."""


def _of_space(group: Group, limit: int) -> dict[str, Term] | None:
    match turns_space(group):
        case "SO":
            return {f"irrep({degree})": Spherical(degree, degree % 2) for degree in range(limit + 1)}
        case "O":
            return {f"{degree}{'eo'[p]}": Spherical(degree, p) for degree in range(limit + 1) for p in (0, 1)}
    return None


def _of_plane(group: Group, limit: int) -> dict[str, Term] | None:
    found = planar_irreps(group, limit)
    if found is None:
        return None
    return {f"irrep({','.join(map(str, key))})": term for key, term in found.items()}


def _of_points(group: Group, limit: int) -> dict[str, Term] | None:
    return {f"irrep({name})": term for name, term in point_irreps(group).items()} or None


def _of_inversion(group: Group, limit: int) -> dict[str, Term] | None:
    term = group.term
    if term is None or term.family != "inversion":
        return None
    return {"irrep(Ag)": Trivial(), "irrep(Au)": Part(Vector(), (0,))}


def _of_nothing(group: Group, limit: int) -> dict[str, Term] | None:
    return {"trivial": Trivial()} if group.is_finite and not group.generators else None


PROVIDERS: list[Provider] = [_of_space, _of_plane, _of_points, _of_inversion, _of_nothing]
"""Who knows irreps by name; a family of groups with irreps of its own adds a provider."""


def irreps_of(group: Group, limit: int = 4) -> dict[str, Term]:
    """The irreps of a group of the catalogue by names that a specification understands; empty where none are known.

    Finite groups have all of theirs; SO(2), O(2), SO(3) and O(3) those up to a frequency or order.
    """
    for provider in PROVIDERS:
        found = provider(group, limit)
        if found is not None:
            return found
    return {}


def named_irreps(group: Group, limit: int = 4) -> dict[str, Representation]:
    """The same as representations."""
    return {name: _irrep(group, term, name) for name, term in irreps_of(group, limit).items()}


def named_irrep(group: Group, arguments: list[str], spec: str) -> Representation:
    """irrep(T2u) of a point group, by its Mulliken name; irrep(1,2), irrep(1o) … elsewhere."""
    known = _of_points(group, 0) or _of_inversion(group, 0)
    if known is None:
        return irrep(group, arguments, spec)
    name = f"irrep({','.join(arguments)})"
    if name not in known:
        listed = ", ".join(k[6:-1] for k in known)
        raise UnknownNameError(f"irrep of {group.name}", ",".join(arguments), [k[6:-1] for k in known], f"({listed})")
    return _irrep(group, known[name], name)


def decompose(rep: Representation) -> list[tuple[str, int]]:
    """(irrep, multiplicity) of every irrep that occurs.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.terms import Tensor
    >>> decompose(from_term(parse_group("Oh"), Tensor(Vector(), Vector()), "tensor(vector, vector)"))
    [('irrep(A1g)', 1), ('irrep(Eg)', 1), ('irrep(T1g)', 1), ('irrep(T2g)', 1)]
    """
    found = decomposition(rep)
    if found is None:
        raise RepresentationError(f"the irreps of {rep.group.name} that {rep.spec} needs are not known by name")
    return [(s.name, s.multiplicity) for s in found.summands]


def decomposition(rep: Representation) -> Decomposition | None:
    """With the change of basis; None where the irreps of the group are not known."""
    return _decomposition(rep, rep.group.term)


@cache
def _decomposition(rep: Representation, term: CatalogueTerm | None) -> Decomposition | None:
    """``term`` is part of the key: a group may have several names, and its irreps follow the one that it was given."""
    return split(rep, _candidates(rep))


def split(rep: Representation, irreps: Iterator[tuple[str, Representation]]) -> Decomposition | None:
    """Try one irrep after the other until the sizes add up."""
    summands, columns, size = [], [], 0
    for name, psi in irreps:
        if size == rep.size:
            break
        maps = intertwiners(psi, rep)
        if not len(maps):
            continue
        kind = len(intertwiners(psi, psi))
        chosen = _independent(maps, len(maps) // kind)
        summands.append(Summand(name, psi, len(chosen), kind))
        columns += chosen
        size += len(chosen) * psi.size
    if size != rep.size:
        return None
    inverse = concatenate(columns, axis=1)
    return Decomposition(tuple(summands), inverse.inverse(), inverse)


@cache
def intertwiners(a: Representation, b: Representation) -> ExactArray:
    """A basis of all T with T a(g) = b(g) T, (number, size of b, size of a)."""
    pairs = [*zip(a.matrices(), b.matrices(), strict=True), *zip(a.lie, b.lie, strict=True)]
    unknowns = a.size * b.size
    if not pairs:
        return identity(unknowns).reshape(unknowns, b.size, a.size)
    rows, columns, values = [], [], []
    for k, (x, y) in enumerate(pairs):
        for matrix, left in ((x, False), (-y, True)):
            i, j = np.nonzero(matrix.nonzero_mask())
            free = np.arange(a.size if left else b.size)[:, None]
            equation = i * a.size + free if left else free * a.size + j
            unknown = j * a.size + free if left else free * a.size + i
            rows.append(equation.ravel() + k * unknowns)
            columns.append(unknown.ravel())
            values.append(matrix[i, j].take(np.tile(np.arange(len(i)), len(free))))
    shape = (len(pairs) * unknowns, unknowns)
    found = null_space(Sparse(np.concatenate(rows), np.concatenate(columns), concatenate(values), shape))
    dense = np.zeros((found.shape[0], unknowns, found.values.field.degree), dtype=found.values.numerators.dtype)
    dense[found.rows, found.columns] = found.values.numerators
    return exact(dense, found.values.denominator, found.values.field).reshape(-1, b.size, a.size)


def irrep_name(rep: Representation) -> str:
    """The name of an irrep in the very basis of the catalogue (harmonics: in any of their bases); else empty."""
    space = turns_space(rep.group)
    if isinstance(rep.term, Spherical) and space:
        degree, parity = rep.term.degree, rep.term.parity
        return f"irrep({degree})" if space == "SO" else f"{degree}{'eo'[parity]}"
    return _irrep_name(rep, rep.group.term)


@cache
def _irrep_name(rep: Representation, term: CatalogueTerm | None) -> str:
    """``term`` is part of the key, as for decompositions."""
    if rep.is_permutation and rep.size > 1:
        return ""  # the sum of the basis vectors is invariant
    for name, psi in _candidates(rep, rep.size):
        if psi == rep:
            return name
    return ""


def _candidates(rep: Representation, size: int | None = None) -> Iterator[tuple[str, Representation]]:
    """The irreps that can occur in a representation (of one size only, as far as the name tells)."""
    group = rep.group
    seen: set[str] = set()
    for limit in [0] if group.is_finite else range(_top_weight(rep) + 1):
        for name, term in irreps_of(group, limit).items():
            letter = re.fullmatch(r"irrep\(([ABETGH])\d?[gu]?'*\)", name)
            if name in seen or (size is not None and letter and _SIZES[letter.group(1)] != size):
                continue
            seen.add(name)
            yield name, _irrep(group, term, name)


def _irrep(group: Group, term: Term, name: str) -> Representation:
    return _made(group, term, name, group.name)


@cache
def _made(group: Group, term: Term, name: str, group_name: str) -> Representation:
    """``group_name`` is part of the key, so that messages name the group as it was written."""
    return from_term(group, term, name)


def _top_weight(rep: Representation) -> int:
    r"""No weight k exceeds the root of $-\mathrm{tr}\, d\rho(X)^2 = \sum k^2$, and a pair $\pm k$ counts twice."""
    if not rep.lie:
        return 0
    x = rep.lie[0]
    trace = -(x @ x).trace()
    if trace.numerators[1:].any():
        return 0
    return min(isqrt(max(int(trace.fraction()), 0) // 2), MAX_WEIGHT)


def _independent(maps: ExactArray, wanted: int) -> list[ExactArray]:
    """As many maps as wanted whose images are independent."""
    chosen: list[ExactArray] = []
    for k in range(len(maps)):
        if len(chosen) == wanted:
            break
        candidate = concatenate([*chosen, maps[k]], axis=1)
        if rank_modulo(candidate) == candidate.shape[1]:
            chosen.append(maps[k])
    return chosen
