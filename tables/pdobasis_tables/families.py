r"""The five tables of the plane as data, and their entries: read off from the closed forms of the transfer solver.

Nothing is typed in here but which groups and irreps there are. The closed forms between irreps at a few (m, n, N)
show the patterns of T and U; the one linear law k = a m + b n + (t + c) N that gives every k at every one of these
points is the index. A cell without such a law is an error. :func:`prove` compares the spans with the direct solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.groups.catalogue import parse_group
from pdobasis.proof.spans import same_span
from pdobasis.question.text import parse_field_type
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.solvers.direct import solve_block
from pdobasis.solvers.planar import closed_form
from pdobasis_tables.circular import Index, Pattern, Symbolic, opposite, quarter_turn, read, span, upright

SAMPLES = ((4, 1, 12), (5, 2, 16))
"""(m, n, N) at which the closed forms are read: all of |m - n + tN|, |m + n + tN|, |n + (t + 1/2)N|, … differ."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A row or column: one irrep for each N (``spec`` may hold {h} = N/2), or one for each frequency k ({k})."""

    spec: str

    @property
    def varies(self) -> bool:
        return "{k}" in self.spec

    @property
    def half(self) -> bool:
        return "{h}" in self.spec

    def frequencies(self, rotations: int, limit: int) -> range:
        """The k for which it is an irrep; N = 0 for SO(2), O(2)."""
        if self.varies:
            return range(1, limit + 1 if not rotations else (rotations + 1) // 2)
        return range(1) if not self.half or (rotations and rotations % 2 == 0) else range(0)

    def name(self, k: int, rotations: int) -> str:
        return self.spec.format(k=k, h=rotations // 2)


@dataclass(frozen=True, slots=True)
class Family:
    """``group`` may hold {N}; ``turns`` says whether N is free, else ``rotations`` is what it is (0: all rotations)."""

    key: str
    group: str
    kinds: tuple[Kind, ...]
    rotations: int = 0
    mirror: bool = False

    @property
    def free(self) -> bool:
        return "{N}" in self.group

    def irrep(self, kind: Kind, k: int, rotations: int) -> Representation:
        return _irrep(self.group.format(N=rotations), kind.name(k, rotations))


FAMILIES = (
    Family("so2", "SO(2)", (Kind("irrep(0)"), Kind("irrep({k})"))),
    Family("o2", "O(2)", (Kind("irrep(0,0)"), Kind("irrep(1,0)"), Kind("irrep(1,{k})")), mirror=True),
    Family("reflection", "flip", (Kind("irrep(0)"), Kind("irrep(1)")), rotations=1, mirror=True),
    Family("cn", "C{N}", (Kind("irrep(0)"), Kind("irrep({h})"), Kind("irrep({k})")), rotations=1),
    Family(
        "dn",
        "D{N}",
        (Kind("irrep(0,0)"), Kind("irrep(1,0)"), Kind("irrep(0,{h})"), Kind("irrep(1,{h})"), Kind("irrep(1,{k})")),
        rotations=1,
        mirror=True,
    ),
)

Cell = tuple[Symbolic, ...]


def cell(family: Family, out: Kind, source: Kind, convention: str = "pdobasis") -> Cell:
    """The elements of one entry of a table."""
    found = _read_off(family, out, source)
    if convention == "paper" and family.mirror:
        return tuple(Symbolic(quarter_turn(e.pattern), e.index) for e in found)
    return found


def prove(family: Family, *, frequency: int, rotations: int, order: int, convention: str = "pdobasis") -> int:
    """Substitute every m, n (and N up to ``rotations``) and every t, and compare with the direct solver; how often."""
    checked = 0
    for n_turns in range(1, rotations + 1) if family.free else [family.rotations]:
        for out, source in product(family.kinds, repeat=2):
            elements = cell(family, out, source, convention)
            for m, n in product(out.frequencies(n_turns, frequency), source.frequencies(n_turns, frequency)):
                _compare(family, (out, source), (m, n, n_turns), elements, order, convention)
                checked += 1
    return checked


def _compare(
    family: Family, kinds: tuple[Kind, Kind], point: tuple[int, int, int], elements: Cell, order: int, convention: str
) -> None:
    m, n, rotations = point
    rep_out, rep_in = family.irrep(kinds[0], m, rotations), family.irrep(kinds[1], n, rotations)
    if convention == "paper":
        rep_out, rep_in = turned(rep_out), turned(rep_in)
    claimed = span(elements, (rep_out.size, rep_in.size), point, order)
    for degree, part in enumerate(claimed):
        if not same_span(part, solve_block(rep_in, rep_out, degree)):
            raise ProofError(
                f"the table of {rep_in.group.name} is wrong at {rep_in.spec} -> {rep_out.spec}, order {degree}"
            )


def turned(rep: Representation) -> Representation:
    r"""$J \rho J^{-1}$ with the quarter turn J, for representations of size 2: the paper's convention."""
    if rep.size != 2:
        return rep
    generators = tuple(_conjugated(m) for m in rep.matrices())
    return from_matrices(rep.group, f"turned({rep.spec})", 2, generators, tuple(_conjugated(x) for x in rep.lie))


def _conjugated(matrix: ExactArray) -> ExactArray:
    quarter = integers([[0, -1], [1, 0]])
    return quarter @ matrix @ quarter.T


@cache
def _irrep(group: str, spec: str) -> Representation:
    return parse_field_type(spec, parse_group(group)).distinct[0]


@cache
def _read_off(family: Family, out: Kind, source: Kind) -> Cell:
    classes: dict[Pattern, list[set[int]]] = {}
    for i, point in enumerate(SAMPLES):
        for k, pattern in _found(family, out, source, point):
            own = _class(pattern)
            classes.setdefault(own, [set() for _ in SAMPLES])[i].add(k if own == upright(pattern) else -k)
    return tuple(_with_law(family, (out, source), pattern, orders) for pattern, orders in classes.items())


def _found(family: Family, out: Kind, source: Kind, point: tuple[int, int, int]) -> Iterator[tuple[int, Pattern]]:
    """(order, pattern) of every angular element up to order N."""
    m, n, rotations = point
    rep_out, rep_in = family.irrep(out, m, rotations), family.irrep(source, n, rotations)
    for order in range(rotations + 1):
        part = closed_form(rep_in, rep_out, order)
        if part is None:
            raise ProofError(f"there is no closed form for {rep_in.spec} -> {rep_out.spec} of {rep_in.group.name}")
        yield from ((order, pattern) for pattern in read(part))


def _class(pattern: Pattern) -> Pattern:
    """One of the two patterns that are the same up to k -> -k: the one that is lower as a formula."""
    return min(
        upright(pattern), upright(opposite(pattern)), key=lambda p: [(-s, letter) for row in p for s, letter in row]
    )


def _with_law(family: Family, kinds: tuple[Kind, Kind], pattern: Pattern, orders: list[set[int]]) -> Symbolic:
    """The only index that gives all orders at all samples, with its first coefficient positive."""
    same = upright(opposite(pattern)) == pattern
    laws = [Index(a, b, c, reach) for a, b, c, reach in _laws(family, kinds)]
    for chosen, sign in ((pattern, 1), (upright(opposite(pattern)), -1)):
        wanted = [{sign * k for k in ks} for ks in orders]
        for law in laws:
            if wanted == [_reached(family, law, point, chosen, same=same) for point in SAMPLES]:
                return Symbolic(chosen, law)
    raise ProofError(f"the closed forms of {family.group} follow no linear law in m, n, N: {pattern}")


def _laws(family: Family, kinds: tuple[Kind, Kind]) -> Iterator[tuple[int, int, Fraction, str]]:
    varies = [kind.varies for kind in kinds]
    reach = "" if not family.rotations else ("Z" if any(varies) else "N")
    halves = (Fraction(0), Fraction(1, 2)) if family.free else (Fraction(0),)
    for a, b, c in product((1, 0), (1, 0, -1), halves):
        if (a, b) in ((1, 0), (1, 1), (1, -1), (0, 1), (0, 0)) and (bool(a), bool(b)) == tuple(varies):
            yield a, b, c, reach


def _reached(family: Family, law: Index, point: tuple[int, int, int], pattern: Pattern, *, same: bool) -> set[int]:
    m, n, rotations = point
    values = law.values(m, n, rotations if family.free else family.rotations, rotations)
    zero = all(letter == "U" for row in pattern for _, letter in row)
    return {abs(k) if same else k for k in values if k or not zero}
