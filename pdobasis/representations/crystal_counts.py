r"""How often irreps of the point groups of crystals occur, by the weights of a formula.

A tensor of vectors is a representation of O(3), too: a sum of harmonics of order l and parity p, whose weights are
$m = -l, \dots, l$ about any axis.

*Cubic groups.* With $d_0$, $d_2$ and $d_1$ the dimensions of the weights 0, 2 and $\pm1$ modulo 4, and $n_3$ that of
the weights 0 modulo 3, the irreps of O have

======  =====  =====  =====  =====
irrep   $d_0$  $d_2$  $d_1$  $n_3$
======  =====  =====  =====  =====
A1      1      0      0      1
A2      0      1      0      1
E       1      1      0      0
T1      1      0      2      1
T2      0      1      2      1
======  =====  =====  =====  =====

and all twofold axes of O(3) are alike: $d_0 + d_2$ is the dimension that a diagonal one fixes, too, which is 1, 0, 1, 1
and 2. So $d_2 = 2 T_2$, and the others follow. Td is O with A2 in the place of the determinant; T and Th do not tell A1
from A2, nor T1 from T2.

*Axial groups.* $g = R(\theta) \oplus s$ multiplies a vector of weight m and parity p by $e^{im\theta}s^{m+p}$. What is
1 or -1 under all rotations is 1 and -1 under a mirror or a twofold axis across in pairs $\pm m$; the vector with m = 0
has the sign $(-1)^l$ under such an axis, and $(-1)^{l+p}$ under a mirror.
"""

from __future__ import annotations

from collections.abc import Iterator

from pdobasis.bounds.caches import remembered
from pdobasis.groups.group import CatalogueTerm
from pdobasis.representations.formal import Formal, formal, in_space
from pdobasis.representations.point_irreps import (
    Axial,
    AxialGroup,
    axial_group,
    axial_irreps,
)
from pdobasis.representations.polyhedral_irreps import POLYHEDRAL
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Determinant, HalfTurn, Planar, Term, Trivial
from pdobasis.values import dataclass

Counts = dict[str, int]
"""Mulliken's names to multiplicities."""


@dataclass(frozen=True, slots=True)
class Occurring:
    """How often an irrep occurs, and the dimension of what commutes with it: 1, or 2 for a pair that is complex."""

    times: int
    kind: int


def crystal_counts(rep: Representation) -> dict[str, Occurring] | None:
    """The irreps that occur, in the order of their names; None where the weights do not follow from a formula.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Symmetric, Vector
    >>> found = crystal_counts(from_term(parse_group("Td"), Symmetric(2, Vector()), "sym(2, vector)"))
    >>> {name: own.times for name, own in found.items()}
    {'irrep(A1)': 1, 'irrep(E)': 1, 'irrep(T2)': 1}
    """
    term = rep.group.term
    if rep.term is None or term is None or rep.group.dim != 3:
        return None
    return _counted(rep.term, term)


@remembered
def _counted(formula: Term, term: CatalogueTerm) -> dict[str, Occurring] | None:
    name, shape = _cubic_name(term), axial_group(term)
    if name is None and shape is None:
        return None
    known = formal(formula, in_space)
    if known is None:
        return None
    if name is not None:
        return _of_cubic(known, name)
    if shape is None:
        return None
    out = {}
    table = _axial_table(known, shape)
    for own, irrep in axial_irreps(shape).items():
        times = _of_axial(table, shape, irrep)
        if times:
            is_pair = isinstance(irrep.planar, Planar) and not shape.dihedral
            out[f"irrep({own})"] = Occurring(times, 1 + is_pair)
    return out


def _cubic_name(term: CatalogueTerm) -> str | None:
    if term.family != "polyhedral":
        return None
    (name,) = term.arguments
    if POLYHEDRAL.get(str(name), "ico") == "ico":
        return None
    return str(name)


def _of_cubic(known: Formal, name: str) -> dict[str, Occurring]:
    even, odd = (_of_rotations(known, parity) for parity in (0, 1))
    is_chiral = POLYHEDRAL[name] == "chiral"
    found: Counts = {}
    if name.endswith("h"):
        found = {f"{own}g": n for own, n in _kept(even, is_chiral).items()}
        found |= {f"{own}u": n for own, n in _kept(odd, is_chiral).items()}
    else:
        if name == "Td":
            # an improper element is one of O with A2, which is -1 there
            odd = {_TWISTED[own]: n for own, n in odd.items()}
        both = {own: even[own] + odd[own] for own in even}
        found = _kept(both, is_chiral)
    return {
        f"irrep({own})": Occurring(n, 1 + (is_chiral and own[0] == "E"))
        for own, n in found.items()
        if n
    }


_TWISTED = {"A1": "A2", "A2": "A1", "E": "E", "T1": "T2", "T2": "T1"}


def _of_rotations(known: Formal, parity: int) -> Counts:
    """Of O, in what has this parity."""
    by_turns, fixed = [0] * 4, 0
    for (m, p), times in known.items():
        if p == parity:
            by_turns[m % 4] += times
            fixed += times * (m % 3 == 0)
    t2 = by_turns[2] // 2
    t1 = by_turns[1] - t2
    first, second = by_turns[0] - t1, by_turns[2] - t2
    e = (first + second - (fixed - t1 - t2)) // 2
    return {"A1": first - e, "A2": second - e, "E": e, "T1": t1, "T2": t2}


def _kept(counts: Counts, is_chiral: bool) -> Counts:
    if not is_chiral:
        return counts
    return {
        "A": counts["A1"] + counts["A2"],
        "E": counts["E"],
        "T": counts["T1"] + counts["T2"],
    }


@dataclass(frozen=True, slots=True)
class _Table:
    """Dimensions by the frequency of rotations and the power of s; of vectors of weight 0 also by their signs."""

    every: dict[tuple[int, int], int]
    zeros: dict[tuple[int, int, int], int]


def _axial_table(known: Formal, shape: AxialGroup) -> _Table:
    every: dict[tuple[int, int], int] = {}
    zeros: dict[tuple[int, int, int], int] = {}
    for (m, p), times in known.items():
        place = _place(m, p, shape)
        every[place] = every.get(place, 0) + times
    for degree, p, times in _harmonics(known):
        frequency, power = _place(0, p, shape)
        # a mirror is an axis across and inversion
        sign = (degree + p * (shape.letter != "D")) % 2
        key = frequency, power, sign
        zeros[key] = zeros.get(key, 0) + times
    return _Table(every, zeros)


def _place(m: int, p: int, shape: AxialGroup) -> tuple[int, int]:
    """The frequency, modulo the turns, and the power of s where that is free."""
    power = (m + p) % 2
    if shape.free:
        return m % shape.turns, power
    if shape.doubled:
        # s is -1 for every other turn
        m += shape.turns // 2 * power
    return m % shape.turns, 0


def _harmonics(known: Formal) -> Iterator[tuple[int, int, int]]:
    """(l, parity, multiplicity): every order has all weights up to its own."""
    for (m, p), times in known.items():
        more = times - known.get((m + 1, p), 0)
        if m >= 0 and more:
            yield m, p, more


def _of_axial(table: _Table, shape: AxialGroup, term: Axial) -> int:
    match term.planar:
        case Planar(k):
            return table.every.get((k % shape.turns, term.power), 0)
        case HalfTurn(k, twist):
            frequency, sign = k, twist
        case Trivial():
            frequency, sign = 0, 0
        case Determinant():
            frequency, sign = 0, 1
    place = frequency % shape.turns, term.power
    every = table.every.get(place, 0)
    if not shape.dihedral:
        return every
    # an axis across turns x_3 round
    if shape.letter == "D":
        sign += term.power
    alone = [table.zeros.get((*place, j), 0) for j in (0, 1)]
    return (every - sum(alone)) // 2 + alone[sign % 2]
