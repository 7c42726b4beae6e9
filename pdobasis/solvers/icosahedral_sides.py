r"""A representation of I or Ih as a sum of irreps: the maps T from all of them, and Q to them, in integers.

They are the echelon form of all maps from an irrep, and their duals, $Q_iT_j = \delta_{ij}$
(:mod:`pdobasis.representations.intertwiners`), up to rational factors. For H these are $T_0 = TN$ and $Q_0 = N^{-1}Q$
up to a square root of 3: the first number of T is 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.icosahedral import icosahedral
from pdobasis.representations.representation import Representation
from pdobasis.solvers.golden import (
    Vector,
    combined,
    echelon,
    exactly,
)
from pdobasis.solvers.icosahedral_irreps import IRREPS, TYPED, X, as_given
from pdobasis.solvers.icosahedral_maps import Counts, apart, common, flat
from pdobasis.solvers.icosahedral_matrices import Modules, modules
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """The columns of $T_0$ and the rows of $Q_0$; ``root`` is the square of what both are multiplied by, 3 or 1."""

    inclusion: list[Vector]
    projection: list[Vector]
    root: int


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The copies of all irreps by their letters, and the squares of N."""

    copies: dict[str, list[Copy]]
    squares: tuple[int, ...]


def side(rep: Representation) -> Side | None:
    """None where inversion does not act as a number, or where numbers are others."""
    name = irrep_name(rep)
    if name:
        return _alone(letter_of(name))
    counts, both = _counts(rep), modules(rep)
    if counts is None or both is None:
        return None
    copies = {k: _copies(k, both, counts) for k, m in counts.items() if m}
    return Side(copies, both.squares)


def letter_of(name: str) -> str:
    """Of the name of an irrep, without the parity."""
    return name.removeprefix("irrep(").rstrip(")gu")


def _alone(letter: str) -> Side:
    irrep = IRREPS[letter]
    lines = [Vector({k: 1}, 1) for k in range(len(irrep.types))]
    if letter == "G":
        # the matrix of the change of basis is orthogonal: its rows are both
        lines = common([_vector(row) for row in TYPED])
    return Side({letter: [Copy(lines, lines, 1)]}, irrep.squares)


def _counts(rep: Representation) -> Counts | None:
    """None where inversion is 1 on some irreps and -1 on others."""
    known = icosahedral(rep)
    if known is None:
        return None
    present = [name for name, times in known.items() if times]
    if len({name[-1] for name in present} & {"g", "u"}) > 1:
        return None
    out = dict.fromkeys(IRREPS, 0)
    for name in present:
        out[letter_of(name)] = known[name]
    return out


def _vector(row: Sequence[int]) -> Vector:
    return Vector({k: v for k, v in enumerate(row) if v}, 0)


def _copies(letter: str, both: Modules, counts: Counts) -> list[Copy]:
    module, dual = both.own, both.dual
    irrep = IRREPS[letter]
    width = len(irrep.types)
    every = [flat(module.lines(letter, t)) for t in module.seeds(letter, counts)]
    views = every
    if letter == "G":
        views = [as_given(own, 1) for own in every]
    inclusions, roots = [], []
    places = sorted({u for own in views for u in own.values})
    for place, factors in echelon(views, places):
        own = combined(zip(factors, every, strict=True))
        inclusions.append(apart(own, width))
        i, k = divmod(place, width)
        # up to a square
        roots.append(1 if both.squares[i] == irrep.squares[k] else 3)
    rows = [
        flat(dual.lines(letter, q, is_dual=True)) for q in dual.seeds(letter, counts)
    ]
    # Q T is a number for each two copies (Schur), which any of its diagonal entries tells
    x = irrep.types.index(0 if letter == "A" else X)
    numbers = []
    for q in (apart(own, width)[x] for own in rows):
        numbers.append(_products(q, [t[x] for t in inclusions]))
    out = []
    duals = echelon(numbers, range(len(rows)))
    for t, root, (_, factors) in zip(inclusions, roots, duals, strict=True):
        q = combined(zip(factors, rows, strict=True))
        out.append(Copy(t, apart(q, width), root))
    return out


def _products(q: Vector, columns: list[Vector]) -> Vector:
    found = {}
    for j, t in enumerate(columns):
        found[j] = sum(v * t.values.get(u, 0) for u, v in q.values.items())
    return exactly(found, len(q.values) * q.most * max(t.most for t in columns))
