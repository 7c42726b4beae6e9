r"""The exact decomposition of a representation into real irreps that have names.

How often each irrep $\psi$ occurs is known beforehand: from weights for SO(2), O(2), SO(3), O(3), from characters for
finite groups. What maps it there is looked for when it is asked for: $\mathrm{Hom}_G(\psi, \rho)$ is the null space of
$T\psi(g) = \rho(g)T$. Its dimension is the multiplicity of $\psi$ times the dimension of the commutant of $\psi$ (1, 2
or 4: real, complex or quaternionic type). The columns of as many T as the multiplicity, with independent images, make
$Q^{-1}$, and $Q \rho Q^{-1}$ is block diagonal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from pdobasis.bounds.caches import remembered
from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, concatenate, identity
from pdobasis.groups.classical import turns_space
from pdobasis.groups.closure import closure
from pdobasis.groups.group import ICOSAHEDRAL, CatalogueTerm
from pdobasis.groups.planar import planar_shape
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.named import irreps_of, made, spherical_name
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import (
    Determinant,
    HalfTurn,
    Planar,
    Term,
    Trivial,
    Vector,
)
from pdobasis.values import dataclass

MAX_IMAGES = 500_000
"""Numbers in the matrices of all elements of a finite group up to which characters are taken of them."""
_SIZES = {"A": 1, "B": 1, "E": 2, "T": 3, "G": 4, "H": 5}
"""The letters of Mulliken's names."""
Meets = Callable[[Representation, Representation], int]
"""The dimension of the maps from an irrep to a representation."""
_MULLIKEN = re.compile(r"irrep\(([ABETGH])\d?([gu]?)'*\)")


@dataclass(frozen=True, slots=True)
class Summand:
    """``multiplicity`` copies of an irrep, one after the other; ``type`` is the dimension of its commutant."""

    name: str
    made: Callable[[], Representation]
    irrep_size: int
    multiplicity: int
    type: int
    degree: int | None = None
    """The order l of an irrep of SO(3) or O(3), or the frequency of one of a group of the plane."""
    turns: int | None = None
    """Rotations of the plane in the group, 0 for all; None in space."""
    term: Term | None = None
    """The formula, for irreps that are told apart by characters (:mod:`.icosahedral`)."""

    @property
    def needs_roots(self) -> bool:
        """Whether its numbers may be others than those of the group."""
        return self.term is None or isinstance(self.term, Spherical)

    @property
    def irrep(self) -> Representation:
        """Made when it is asked for: an irrep of a high order is much work, and often connects with nothing."""
        return self.made()

    @property
    def size(self) -> int:
        return self.multiplicity * self.irrep_size

    def may_meet(self, other: Summand, orders: Iterable[int]) -> bool:
        r"""Whether P may connect both: $|l - l'| \le n \le l + l'$ for one of its orders n.

        In the plane $n \equiv \pm k \pm k'$ modulo the number of turns.
        """
        if self.term is not None and other.term is not None:
            return self._meets(other, orders)
        if self.degree is None or other.degree is None:
            return True
        if self.turns is not None:
            sums = self.degree + other.degree, self.degree - other.degree
            apart = [n + sign * s for n in orders for s in sums for sign in (1, -1)]
            return any(a % self.turns == 0 if self.turns else a == 0 for a in apart)
        low, high = abs(self.degree - other.degree), self.degree + other.degree
        return any(low <= n <= high for n in orders)

    def _meets(self, other: Summand, orders: Iterable[int]) -> bool:
        """By characters; what brings roots in is asked all the same, since its field is that of the answer."""
        if self.term is None or other.term is None or self.needs_roots:
            return True
        from pdobasis.representations.icosahedral import harmonic_symbols

        return other.needs_roots or any(
            harmonic_symbols(self.term, other.term, n, has_inversion=self._inverts)
            for n in orders
        )

    @property
    def _inverts(self) -> bool:
        return bool(_parity(self.name))


@dataclass(frozen=True, slots=True, eq=False)
class Decomposition:
    """Invariant: ``change @ rho(g) @ inverse`` is block diagonal with the irreps of ``summands``."""

    rep: Representation
    summands: tuple[Summand, ...]

    def inclusions(self, *summands: Summand) -> tuple[list[ExactArray], ...]:
        """The columns of the inverse that belong to each copy of the summands, of each."""
        # loaded where something is decomposed, as weights and characters are: a name alone needs none of them
        from pdobasis.representations.intertwiners import inclusions

        return inclusions(self.rep, tuple((s.irrep, s.multiplicity) for s in summands))

    def projections(self, *summands: Summand) -> tuple[list[ExactArray], ...]:
        """The rows of the change of basis that belong to each copy of the summands, of each."""
        from pdobasis.representations.intertwiners import projections

        return projections(self.rep, tuple((s.irrep, s.multiplicity) for s in summands))

    @property
    def change(self) -> ExactArray:
        rows = [row for own in self.projections(*self.summands) for row in own]
        return concatenate(rows)

    @property
    def inverse(self) -> ExactArray:
        columns = [t for own in self.inclusions(*self.summands) for t in own]
        return concatenate(columns, axis=1)


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


@remembered
def _decomposition(
    rep: Representation, term: CatalogueTerm | None
) -> Decomposition | None:
    """``term`` is part of the key: a group may have several names, and its irreps follow the one that it was given."""
    if not rep.group.is_finite or _has_weights(rep):
        return _put_together(rep, _by_weights(rep))
    if term is not None and term in ICOSAHEDRAL:
        # loaded for these groups
        from pdobasis.representations.icosahedral import icosahedral

        counted = icosahedral(rep)
        if counted is not None:
            return _put_together(rep, _named(rep, counted))
    # by name, where it tells: elements are not listed to be counted
    order = rep.group.known_order or len(closure(rep.group))
    if order * rep.size**2 > MAX_IMAGES:
        return split(rep, _candidates(rep))
    return _put_together(rep, _occurring(rep))


def decomposed(rep: Representation, meets: Meets) -> Decomposition | None:
    """The same of a finite group, by a count of maps."""
    return _put_together(rep, _occurring(rep, meets))


def split(
    rep: Representation, irreps: Iterable[tuple[str, Representation]]
) -> Decomposition | None:
    """Try one irrep after the other until the sizes add up."""
    return _put_together(rep, _by_trial(rep, irreps))


def _put_together(
    rep: Representation, occurring: Iterator[Summand]
) -> Decomposition | None:
    """None where they do not add up to the whole."""
    summands = []
    size = 0
    for summand in occurring:
        summands.append(summand)
        size += summand.size
        if size >= rep.size:
            break
    if size != rep.size:
        return None
    return Decomposition(rep, tuple(summands))


def _by_weights(rep: Representation) -> Iterator[Summand]:
    """For groups whose irreps are known by their weights."""
    from pdobasis.representations.weights import commutant

    shape = planar_shape(rep.group)
    turns = None
    if shape is not None:
        turns = shape.turns
    for name, term, times in _weighed(rep):
        make = partial(made, rep.group, term, name)
        size = _size(name, term) or 0
        kind = commutant(rep, term)
        yield Summand(name, make, size, times, kind, _degree(term), turns)


def _named(rep: Representation, counted: dict[str, int]) -> Iterator[Summand]:
    """Irreps of real type, by Mulliken's names."""
    for name, term in irreps_of(rep.group, 0).items():
        times = counted[name.removeprefix("irrep(").removesuffix(")")]
        if times:
            make = partial(made, rep.group, term, name)
            size = _size(name, term) or 0
            yield Summand(name, make, size, times, 1, term=term)


def _degree(term: Term) -> int:
    """The order of harmonics, or the frequency in the plane."""
    match term:
        case Spherical(degree) | Planar(degree) | HalfTurn(degree):
            return degree
    return 0


def _has_weights(rep: Representation) -> bool:
    """Whether a representation of a finite group has weights that tell all: of C_N or D_N, by a formula."""
    if rep.term is None or planar_shape(rep.group) is None:
        return False
    from pdobasis.representations.weights import weights

    return weights(rep) is not None


def _weighed(rep: Representation) -> Iterator[tuple[str, Term, int]]:
    """(name, formula, multiplicity) of the irreps that occur, by increasing weight."""
    if not irreps_of(rep.group, 0):
        return
    from pdobasis.representations.weights import multiplicity, top_weight, weights

    known = weights(rep)
    if known is None:
        return
    for name, term in irreps_of(rep.group, top_weight(known)).items():
        times = multiplicity(rep, known, term)
        if times:
            yield name, term, times


def _occurring(rep: Representation, count: Meets | None = None) -> Iterator[Summand]:
    r"""$\dim \mathrm{Hom}_G(\psi, \rho)$ is the multiplicity times $\dim \mathrm{Hom}_G(\psi, \psi)$."""
    count = count or _meets
    irreps = irreps_of(rep.group, 0)
    names, terms = list(irreps), list(irreps.values())
    parities = [_parity(name) for name in names]
    left = _dimensions(rep, parities)
    sizes = [_size(name, term) for name, term in irreps.items()]
    found: dict[int, Summand] = {}
    # those that are little work first: they often leave no dimension, or none that fits, for the others
    # and of these the sizes that few irreps have, which are soon asked
    asked = sorted(
        range(len(names)), key=lambda k: (terms[k].effort, sizes.count(sizes[k]))
    )
    for position, k in enumerate(asked):
        own = parities[k]
        rest = [sizes[j] for j in asked[position:] if parities[j] == own]
        if not _may_fit(left[own], rest):
            continue
        psi = made(rep.group, terms[k], names[k])
        meets = count(psi, rep)
        if meets:
            found[k] = _summand(names[k], psi, meets, _kind(psi, meets, count))
            left[own] -= found[k].size
    # in the order of the catalogue, whatever they were asked in
    return (found[k] for k in sorted(found))


def _kind(psi: Representation, meets: int, count: Meets) -> int:
    """The dimension of the commutant of an irrep, which divides that of the maps to any representation."""
    if meets == 1 or psi.size == 1:
        return 1
    return count(psi, psi)


def _meets(psi: Representation, rep: Representation) -> int:
    r"""$\dim \mathrm{Hom}_G(\psi, \rho) = \langle \chi_\psi, \chi_\rho \rangle$."""
    from pdobasis.representations.intertwiners import soon

    # few maps are found as soon as characters are, and asked for where there are any
    maps = soon(psi, rep)
    if maps is not None:
        return len(maps)
    from pdobasis.representations.characters import inner_product

    return inner_product(psi, rep)


def _parity(name: str) -> str:
    """g or u for an irrep of a point group in which -1 is 1 or -1; else empty."""
    found = _MULLIKEN.fullmatch(name)
    if found is None:
        return ""
    return found.group(2) or ""


def _dimensions(rep: Representation, parities: list[str]) -> dict[str, int]:
    """How many dimensions the irreps of each parity share: the trace of -1 is the difference."""
    if set(parities) != {"g", "u"}:
        return dict.fromkeys(parities, rep.size)
    group = rep.group
    if group.dim == 3 and rep.term is not None:
        from pdobasis.representations.formal import formal, in_space

        # g and u are named by -1, and a formula tells its sign for every weight
        known = formal(rep.term, in_space)
        if known is not None:
            odd = sum(times for (_, parity), times in known.items() if parity)
            return {"g": rep.size - odd, "u": odd}
    minus = -identity(group.dim, group.field)
    # most often it is among the generators
    for g, own in zip(group.generators, rep.matrices(), strict=True):
        if g.equals(minus):
            image = own
            break
    else:
        if closure(group).find(minus) is None:
            return dict.fromkeys(parities, rep.size)
        image = rep.at(minus)
    trace = int(image.trace().fraction())
    return {"g": (rep.size + trace) // 2, "u": (rep.size - trace) // 2}


def _may_fit(left: int, sizes: list[int | None]) -> bool:
    """Whether so many dimensions may be the first of these irreps, and perhaps others."""
    first = sizes[0]
    if first is None or None in sizes or 1 in sizes:
        return first is None or first <= left
    # bit n of a number says whether n is a sum of sizes
    sums, more = 0, 1
    while more != sums:
        sums = more
        for size in sizes:
            more |= sums << (size or 0)
        more &= (2 << left) - 1
    return first <= left and bool(sums >> (left - first) & 1)


def _by_trial(
    rep: Representation, irreps: Iterable[tuple[str, Representation]]
) -> Iterator[Summand]:
    from pdobasis.representations.intertwiners import intertwiners

    for name, psi in irreps:
        maps = intertwiners(psi, rep)
        if len(maps):
            # Schur: Hom(psi, rho) is a free module over End(psi), of the rank that psi occurs with
            kind = len(intertwiners(psi, psi))
            yield _summand(name, psi, len(maps), kind)


def _summand(name: str, psi: Representation, meets: int, kind: int) -> Summand:
    return Summand(name, lambda: psi, psi.size, meets // kind, kind)


def irrep_name(rep: Representation) -> str:
    """The name of an irrep in the very basis of the catalogue (harmonics: in any of their bases); else empty."""
    if turns_space(rep.group):
        match rep.term:
            case Spherical() as term:
                return spherical_name(rep.group, term)
            case Vector():  # the harmonics of order 1
                return spherical_name(rep.group, Spherical(1, 1))
    return _irrep_name(rep, rep.group.term)


@remembered
def _irrep_name(rep: Representation, term: CatalogueTerm | None) -> str:
    """``term`` is part of the key, as for decompositions."""
    # the sum of the basis vectors is invariant, so it is no irrep
    if rep.is_permutation and rep.size > 1:
        return ""
    if planar_shape(rep.group) is not None:
        # rotations of the plane commute, and are at least half of the group
        if rep.size > 2:
            return ""
        # the vectors are the irrep of frequency 1, where that is one
        if isinstance(rep.term, Vector):
            known = irreps_of(rep.group, 1).items()
            return next((name for name, term in known if term == Planar(1)), "")
    for name, formula in _alone(rep):
        if _is_at_generators(rep, name, formula):
            return name
    return ""


def _alone(rep: Representation) -> Iterator[tuple[str, Term]]:
    """The irreps that a representation may be as a whole, by their sizes or weights."""
    group = rep.group
    known = irreps_of(group, 0).items() if group.is_finite else ()
    # no two irreps have the same matrices: what has the very formula of one may be asked first
    yield from ((name, term) for name, term in known if term == rep.term)
    if group.is_finite and not _has_weights(rep):
        counted = None
        if group.dim == 3:
            # loaded for groups of points
            from pdobasis.representations.crystal_counts import crystal_counts

            counted = crystal_counts(rep)
        for name, term in known:
            if counted is not None and name not in counted:
                continue
            if _size(name, term) in (None, rep.size):
                yield name, term
        return
    for name, term, times in _weighed(rep):
        # the first irrep that occurs is the whole of it, or none is
        if times == 1 and _size(name, term) == rep.size:
            yield name, term
        return


def _is_at_generators(rep: Representation, name: str, term: Term) -> bool:
    """Whether a formula gives the very matrices of a representation."""
    group = rep.group
    if group.is_finite:
        # made as a whole, an irrep of this size is there for the decomposition that may follow
        psi = made(group, term, name)
        return all(map(ExactArray.equals, psi.matrices(), rep.matrices()))
    # the first that differs ends it: weights have told that this is the irrep, and most often its basis is another
    for g, image in zip(group.generators, rep.matrices(), strict=True):
        if not term.at(g).equals(image):
            return False
    return all(
        term.derivative(x).equals(image)
        for x, image in zip(group.lie, rep.lie, strict=True)
    )


def _candidates(rep: Representation) -> Iterator[tuple[str, Representation]]:
    """All irreps of a finite group."""
    for name, term in irreps_of(rep.group, 0).items():
        yield name, made(rep.group, term, name)


def _size(name: str, term: Term) -> int | None:
    """The size of an irrep by its formula, or by Mulliken's letter; None where neither tells."""
    match term:
        case Trivial() | Determinant() | HalfTurn():
            return 1
        case Planar():
            return 2
        case Spherical(degree):
            return 2 * degree + 1
    found = _MULLIKEN.fullmatch(name)
    if found is None:
        return None
    return _SIZES[found.group(1)]
