r"""Complete contractions: the first fundamental theorem of the classical groups.

Every equivariant polynomial of O(d), SO(d), O(p,q), GL, SL, Sp is a sum of contractions of the indices of its factors
with $\delta$, the form that the group keeps, and $\varepsilon$. They are listed here; which of them are independent,
and that there are enough of them, is for others to find out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, islice, permutations, product
from math import factorial, prod

import numpy as np
from flint import fmpq

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.estimate import Estimate, cost
from pdobasis.bounds.watch import check
from pdobasis.exact.array import integers
from pdobasis.exact.scalars import Number
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import determinant
from pdobasis.nonlinear.polynomials import Coordinate, Polynomial, add_to
from pdobasis.nonlinear.question import Multidegree
from pdobasis.nonlinear.tensors import Sparse, TensorType, sign_of

MAX_VISITS = 300_000
"""Steps of the search before it is given up."""
FEW_VALUES = 10_000
"""Values of indices for which contractions are not looked for to estimate the work."""
REPEATED = 400
"""Contractions that are expanded where the same ones cannot be told, before any is chosen."""
FIRST = 10
"""Contractions whose values are estimated."""


@dataclass(frozen=True, slots=True)
class Place:
    """One index of one factor; factor -1 is the output, whose indices count the other way round."""

    factor: int
    slot: int
    variance: int
    kind: int
    alternating: bool
    is_derivative: bool


@dataclass(frozen=True, slots=True)
class Invariants:
    """What a classical group contracts with: signs of the form (None: it keeps none), ω, ε."""

    dim: int
    form: str
    epsilon: bool
    parity: bool
    """Whether det g = -1 occurs, so that ε counts as a determinant."""

    def pair(self, a: Place, b: Place) -> bool:
        return a.variance != b.variance or self.form != "none"


@dataclass(frozen=True, slots=True)
class Contraction:
    """Pairs of places and groups of d places that ε joins."""

    pairs: tuple[tuple[Place, Place], ...]
    epsilons: tuple[tuple[Place, ...], ...] = ()


def invariants(group: Group) -> Invariants | None:
    """Of a classical group of the catalogue."""
    if group.term is None or not group.lie:
        return None
    family = group.term.family
    has_mirror = any(not determinant(g).equals(integers(1)) for g in group.generators)
    if family in ("SO", "O", "indefinite"):
        form = "metric" if family == "indefinite" else "delta"
        return Invariants(group.dim, form, True, has_mirror)
    if family == "Sp":
        return Invariants(group.dim, "omega", False, False)
    if family == "SL":
        return Invariants(group.dim, "none", True, False)
    if family == "GL":
        return Invariants(group.dim, "none", False, False)
    return None


@remembered
def metric(group: Group) -> tuple[tuple[int, ...], ...]:
    """B with g^T B g = B, entries 0 and ±1, so that B^-1 = B^T."""
    d = group.dim
    if group.term is not None and group.term.family == "Sp":
        half = d // 2
        rows = np.zeros((d, d), dtype=int)
        rows[:half, half:] = np.eye(half)
        rows[half:, :half] = -np.eye(half)
        return tuple(map(tuple, rows.tolist()))
    signs = np.eye(d, dtype=int)
    if group.term is not None and group.term.family == "indefinite":
        # the diagonal form with X^T B + B X = 0 for the boosts
        from pdobasis.answer.forms import invariant_forms

        (form,) = invariant_forms(group)
        signs = np.sign(form.numerators[..., 0]).astype(int)
        if signs[0, 0] < 0:
            signs = -signs
    return tuple(map(tuple, signs.tolist()))


def places(m: Multidegree, types: Sequence[TensorType], out: TensorType) -> list[Place]:
    """All indices: first those of the output, then factor by factor."""
    found = [
        Place(-1, k, -s.variance, s.kind, s.alternating, False)
        for k, s in enumerate(out.slots)
    ]
    for f, jet in enumerate(m.jets):
        own = types[jet.field].slots
        for k, s in enumerate(own):
            found.append(Place(f, k, s.variance, s.kind, s.alternating, False))
        for k in range(jet.order):
            found.append(Place(f, len(own) + k, -1, -1, False, True))
    return found


def contractions(
    kept: Invariants,
    m: Multidegree,
    types: Sequence[TensorType],
    out: TensorType,
    twisted: bool = False,
) -> Iterator[Contraction]:
    """All that may differ, the ones without ε first; ``twisted`` those that take a further sign det g."""
    every = places(m, types, out)
    parity = out.parity + sum(types[jet.field].parity for jet in m.jets) + twisted
    seen: set[tuple[object, ...]] = set()
    same = _exchanges(m)
    search = _Search(kept, every, m)
    for epsilons in _epsilons(kept, every, parity % 2):
        used = {p for group in epsilons for p in group}
        rest = [p for p in every if p not in used]
        for pairs in search.matchings(rest):
            if _key(pairs, epsilons, same[0]) not in seen:
                # all that equal factors make of it, so that each of those is known at once
                seen.update(_key(pairs, epsilons, exchange) for exchange in same)
                yield Contraction(pairs, epsilons)


MOST_EXCHANGES = 50_000
"""Without them contractions come twice, which costs time and changes nothing."""


class GivenUp(Exception):
    """There are too many contractions to look at."""


class _Search:
    def __init__(
        self, kept: Invariants, every: Sequence[Place], m: Multidegree
    ) -> None:
        self.kept = kept
        self.visits = 0
        self.sizes = Counter(p.factor for p in every)
        self.jets = m.jets

    def matchings(self, rest: list[Place]) -> Iterator[tuple[tuple[Place, Place], ...]]:
        """All ways to pair the places; of exchangeable partners only the first is taken.

        Exchangeable are the indices of one tensor, and equal factors none of whose indices is paired yet.
        """
        self.visits += 1
        if self.visits > MAX_VISITS:
            raise GivenUp
        if not rest:
            yield ()
            return
        if len(rest) % 2:
            return
        first, *others = rest
        left = Counter(p.factor for p in others)
        tried: set[tuple[object, ...]] = set()
        for k, partner in enumerate(others):
            kind: tuple[object, ...] = _class(partner)
            f = partner.factor
            if f >= 0 and left[f] == self.sizes[f]:
                kind = ("fresh", self.jets[f], *kind[1:])
            if kind in tried or not self.kept.pair(first, partner):
                continue
            tried.add(kind)
            if self._vanishes(first, partner):
                continue
            for more in self.matchings(others[:k] + others[k + 1 :]):
                yield ((first, partner), *more)

    def _vanishes(self, a: Place, b: Place) -> bool:
        """A symmetric form on alternating indices, or the other way round."""
        if _class(a) != _class(b) or a.variance != b.variance:
            return False
        if self.kept.form == "omega":
            return not a.alternating
        return a.alternating


def _epsilons(
    kept: Invariants, every: list[Place], parity: int
) -> Iterator[tuple[tuple[Place, ...], ...]]:
    d = kept.dim
    if kept.form == "none":
        yield from _special(kept, every)
        return
    if not (kept.parity and parity):
        yield ()
    if kept.epsilon and (parity or not kept.parity):
        for some in _choices(every, d):
            yield (some,)


def _special(
    kept: Invariants, every: list[Place]
) -> Iterator[tuple[tuple[Place, ...], ...]]:
    """SL: as many ε as make the indices balance; a product of both kinds of ε is one of δ's."""
    excess = sum(p.variance for p in every)
    if not excess:
        yield ()
        return
    number, rest = divmod(abs(excess), kept.dim)
    if rest or not kept.epsilon:
        return
    sign = 1 if excess > 0 else -1
    own = [p for p in every if p.variance == sign]
    yield from _several(own, kept.dim, number)


def _several(
    own: list[Place], d: int, number: int
) -> Iterator[tuple[tuple[Place, ...], ...]]:
    if not number:
        yield ()
        return
    for some in _choices(own, d):
        rest = [p for p in own if p not in some]
        for more in _several(rest, d, number - 1):
            yield (some, *more)


def _choices(every: list[Place], d: int) -> Iterator[tuple[Place, ...]]:
    """d places for ε: no two symmetric ones, and of exchangeable ones the first."""
    classes: dict[tuple[int, int, bool], list[Place]] = {}
    for p in every:
        classes.setdefault(_class(p), []).append(p)
    # alternating indices may be taken together, others once
    usable = [
        p
        for own in classes.values()
        for k, p in enumerate(own)
        if not k or own[0].alternating
    ]
    taken = set()
    for some in combinations(usable, d):
        kinds = tuple(sorted(map(_class, some)))
        if kinds not in taken:
            taken.add(kinds)
            # in the order in which they are read: the letters of ε then increase
            yield tuple(sorted(some, key=reading_key))


def reading_key(p: Place) -> tuple[int, bool, int]:
    """Factor by factor, derivatives before their field."""
    return p.factor, not p.is_derivative, p.slot


def _class(p: Place) -> tuple[int, int, bool]:
    return p.factor, p.kind, p.is_derivative


def _exchanges(m: Multidegree) -> list[dict[int, int]]:
    """All permutations of equal factors, the identity first; that alone where they are too many to look at."""
    jets = m.jets
    if prod(factorial(power) for _, power in m.factors) > MOST_EXCHANGES:
        return [{f: f for f in range(-1, len(jets))}]
    groups: dict[object, list[int]] = {}
    for f, jet in enumerate(jets):
        groups.setdefault(jet, []).append(f)
    options = [list(permutations(own)) for own in groups.values()]
    out = []
    for choice in product(*options):
        moved = {-1: -1}
        for own, image in zip(groups.values(), choice, strict=True):
            moved.update(zip(own, image, strict=True))
        out.append(moved)
    return out


def _key(
    pairs: tuple[tuple[Place, Place], ...],
    epsilons: tuple[tuple[Place, ...], ...],
    moved: dict[int, int],
) -> tuple[object, ...]:
    def name(p: Place) -> tuple[int, int]:
        # exchangeable indices are known by their kind, and by nothing else
        return moved[p.factor], p.kind

    edges = tuple(sorted(tuple(sorted((name(a), name(b)))) for a, b in pairs))
    corners = tuple(sorted(tuple(sorted(map(name, e))) for e in epsilons))
    return corners, edges


def estimate_contractions(
    kept: Invariants,
    m: Multidegree,
    types: Sequence[TensorType],
    out: TensorType,
    count: int,
) -> Estimate:
    r"""Of finding so many terms: an index takes d values for each δ of a contraction, and d! for each ε.

    About as many contractions are expanded as there are terms, and each is compared with its images under exchanges of
    equal factors; where these are too many to be listed, the same ones come again and again.
    """
    if not count:
        return Estimate()
    d = kept.dim
    values = float(d) ** (len(places(m, types, out)) // 2)
    if values > FEW_VALUES:
        first: list[float] = []
        is_known = False
        with suppress(GivenUp):
            for own in islice(contractions(kept, m, types, out, False), FIRST):
                pairs, epsilons = len(own.pairs), len(own.epsilons)
                first.append(float(d) ** pairs * float(factorial(d)) ** epsilons)
            is_known = True
        if is_known and not first:  # no contraction, and so no term
            return Estimate()
        values = max(first, default=values)
    exchanges = prod(factorial(power) for _, power in m.factors)
    if exchanges > MOST_EXCHANGES:
        repeated = min(REPEATED, _matchings(len(places(m, types, out))))
        return cost("contractions", {"values": values * max(count, repeated)})
    features = {"values": values * count, "exchanges": float(exchanges * count)}
    return cost("contractions", features)


def _matchings(indices: int) -> int:
    """In how many ways indices are paired: (n - 1)(n - 3) … of them.

    >>> [_matchings(n) for n in (0, 2, 4, 6)]
    [1, 1, 3, 15]
    """
    return prod(range(indices - 1, 0, -2))


def expand(
    contraction: Contraction,
    m: Multidegree,
    types: Sequence[TensorType],
    out: TensorType,
    group: Group,
) -> tuple[Polynomial, ...]:
    """The components of the contraction: one polynomial for each component of the output."""
    jets = m.jets
    d = group.dim
    form = metric(group)
    lifts = [_by_index(types[jet.field].lift) for jet in jets]
    drops = _by_index(out.drop)
    result: tuple[Polynomial, ...] = tuple({} for _ in range(out.size))
    edges = [list(_pair_values(a, b, form, d)) for a, b in contraction.pairs]
    corners = [list(_epsilon_values(e, form, d)) for e in contraction.epsilons]
    for choice in product(*edges, *corners):
        check()
        factor_sign = 1
        index: dict[tuple[int, int], int] = {}
        for assigned, sign in choice:
            factor_sign *= sign
            index.update(assigned)
        row = drops.get(tuple(index[-1, k] for k in range(len(out.slots))))
        if row is None:
            continue
        polynomial: Polynomial = {(): fmpq(factor_sign)}
        for f, jet in enumerate(jets):
            own = len(types[jet.field].slots)
            components = lifts[f].get(tuple(index[f, k] for k in range(own)), ())
            alpha = [0] * d
            for k in range(jet.order):
                alpha[index[f, own + k]] += 1
            polynomial = {
                (*word, Coordinate(jet.field, c, tuple(alpha), jet.time)): v * w
                for word, v in polynomial.items()
                for c, w in components
            }
        for word, value in polynomial.items():
            monomial = tuple(sorted(word))
            for k, factor in row:
                add_to(result[k], {monomial: value * factor})
    return result


def _by_index(table: Sparse) -> dict[tuple[int, ...], list[tuple[int, Number]]]:
    out: dict[tuple[int, ...], list[tuple[int, Number]]] = {}
    for (index, c), value in table.items():
        out.setdefault(index, []).append((c, value))
    return out


Assigned = tuple[dict[tuple[int, int], int], int]


def _pair_values(
    a: Place, b: Place, form: tuple[tuple[int, ...], ...], d: int
) -> Iterator[Assigned]:
    for i in range(d):
        for j in range(d):
            if a.variance != b.variance:
                value = int(i == j)
            else:
                # B for two upper indices; its inverse, the transpose, for two lower ones
                value = form[i][j] if a.variance > 0 else form[j][i]
            if value:
                yield {(a.factor, a.slot): i, (b.factor, b.slot): j}, value


def _epsilon_values(
    some: tuple[Place, ...], form: tuple[tuple[int, ...], ...], d: int
) -> Iterator[Assigned]:
    """ε with lower indices, raised by the diagonal form where a covector is contracted (SL: of its own kind)."""
    mixed = len({p.variance for p in some}) > 1
    for order in permutations(range(d)):
        check()
        value = sign_of(order)
        for p, i in zip(some, order, strict=True):
            if mixed and p.variance < 0:
                value *= form[i][i]
        yield {(p.factor, p.slot): i for p, i in zip(some, order, strict=True)}, value
