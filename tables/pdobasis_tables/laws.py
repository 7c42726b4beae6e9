r"""The entries of the tables of the plane, read off from the closed forms of the transfer solver.

The closed forms between irreps at a few (m, n, N) show the patterns of T and U; the one linear law
k = a m + b n + (t + c) N that gives every k at every one of these points is the index. A cell without such a law is an
error.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.solvers.planar import closed_form
from pdobasis_tables.circular import Index, Pattern, Symbolic, opposite, read, upright
from pdobasis_tables.families import Family, Kind, Point

# a, b and c have two or three possible values each, so two points at which all candidates differ
# decide; :func:`.entries.prove` does not take their word for it
SAMPLES: tuple[Point, ...] = ((4, 1, 12), (5, 2, 16))
"""(m, n, N) at which the closed forms are read: all of |m - n + tN|, |m + n + tN|, |n + (t + 1/2)N|, … differ."""

Cell = tuple[Symbolic, ...]
Orders = tuple[set[int], ...]
"""The k at every sample; a negative one where the pattern is that of -k."""


@remembered
def read_off(family: Family, out: Kind, source: Kind) -> Cell:
    """The elements of one entry of a table."""
    classes: dict[Pattern, Orders] = {}
    for i, point in enumerate(SAMPLES):
        for k, pattern in _found(family, out, source, point):
            own = _class(pattern)
            if own not in classes:
                classes[own] = tuple(set() for _ in SAMPLES)
            is_own = own == upright(pattern)
            classes[own][i].add(k if is_own else -k)
    laws = list(_laws(family, out, source))
    return tuple(
        _with_law(family, laws, pattern, orders) for pattern, orders in classes.items()
    )


def _found(
    family: Family, out: Kind, source: Kind, point: Point
) -> Iterator[tuple[int, Pattern]]:
    """(order, pattern) of every angular element up to order N."""
    rep_out, rep_in = family.irreps(out, source, point)
    _, _, rotations = point
    parts = closed_form(rep_in, rep_out, range(rotations + 1))
    if parts is None:
        raise ProofError(
            f"there is no closed form for {rep_in.spec} -> {rep_out.spec} of {rep_in.group.name}"
        )
    for order, part in enumerate(parts):
        for pattern in read(part):
            yield order, pattern


def _class(pattern: Pattern) -> Pattern:
    """One of the two patterns that are the same up to k -> -k: the one that is lower as a formula."""
    both = (upright(pattern), upright(opposite(pattern)))
    return min(both, key=_plus_first)


def _plus_first(pattern: Pattern) -> list[tuple[int, str]]:
    return [(-sign, letter) for row in pattern for sign, letter in row]


def _laws(family: Family, out: Kind, source: Kind) -> Iterator[Index]:
    """All laws that a cell may follow: m and n occur where they vary, m with a positive sign."""
    halves = [Fraction(0)]
    if family.free:
        halves.append(Fraction(1, 2))
    for a, b, c in product((1, 0), (1, 0, -1), halves):
        occur = (a != 0, b != 0)
        if occur != (out.varies, source.varies):
            continue
        # n alone is positive too: k and -k are the same up to the pattern
        if (a, b) != (0, -1):
            yield Index(a, b, c, _reach(family, out, source))


def _reach(family: Family, out: Kind, source: Kind) -> str:
    """Which t there are; without m and n the elements of t and -t are the same."""
    if not family.rotations:
        return ""
    if out.varies or source.varies:
        return "Z"
    return "N"


def _with_law(
    family: Family, laws: list[Index], pattern: Pattern, orders: Orders
) -> Symbolic:
    """The only index that gives all orders at all samples, with its first coefficient positive."""
    other = upright(opposite(pattern))
    same = other == pattern
    for chosen, sign in ((pattern, 1), (other, -1)):
        wanted = [{sign * k for k in ks} for ks in orders]
        for law in laws:
            reached = [
                _reached(family, law, point, chosen, same=same) for point in SAMPLES
            ]
            if reached == wanted:
                return Symbolic(chosen, law)
    raise ProofError(
        f"the closed forms of {family.group} follow no linear law in m, n, N: {pattern}"
    )


def _reached(
    family: Family, law: Index, point: Point, pattern: Pattern, *, same: bool
) -> set[int]:
    """The k of a law up to order N; their absolute values where k and -k have the ``same`` pattern."""
    m, n, order = point
    rotations = order if family.free else family.rotations
    values = set(law.values(m, n, rotations, order))
    letters = {letter for row in pattern for _, letter in row}
    if letters == {"U"}:
        # U_0 = 0 is no element
        values.discard(0)
    if same:
        return {abs(k) for k in values}
    return values
