r"""A representation of I or Ih as a sum of irreps: the maps T from all of them, and Q to them, in integers.

They are the echelon form of all maps from an irrep, and their duals, $Q_iT_j = \delta_{ij}$
(:mod:`pdobasis.representations.intertwiners`), up to rational factors. For H these are $T_0 = TN$ and $Q_0 = N^{-1}Q$
up to a square root of 3: the first number of T is 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from pdobasis.representations.decomposition import Summand, decomposition, irrep_name
from pdobasis.representations.representation import Representation
from pdobasis.solvers.golden import (
    Vector,
    combined,
    echelon,
    exactly,
)
from pdobasis.solvers.icosahedral_irreps import IRREPS, TYPED, X, as_given
from pdobasis.solvers.icosahedral_maps import apart, common, flat
from pdobasis.solvers.icosahedral_matrices import Modules, modules
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """The columns of $T_0$ or the rows of $Q_0$; ``root`` is the square of what they are multiplied by, 3 or 1."""

    lines: list[Vector]
    root: int


class Side(Protocol):
    """The copies of irreps in a representation, by their names; ``squares`` are those of N."""

    squares: tuple[int, ...]

    def inclusions(self, name: str) -> list[Copy]: ...

    def projections(self, name: str) -> list[Copy]: ...


def side(rep: Representation) -> Side | None:
    """None where inversion does more than to change signs, or where numbers are others."""
    name = irrep_name(rep)
    if name:
        return _Alone(letter_of(name))
    found, both = decomposition(rep), modules(rep)
    if found is None or both is None:
        return None
    return _Sum(both, found.summands)


def letter_of(name: str) -> str:
    """Of the name of an irrep, without the parity."""
    return name.removeprefix("irrep(").rstrip(")gu")


def parity_of(name: str) -> str:
    """Of the name of an irrep: g or u for Ih, and nothing for I."""
    return name[-2] if name[-2] in "gu" else ""


class _Alone:
    """An irrep in the basis of the catalogue."""

    def __init__(self, letter: str) -> None:
        self.squares = IRREPS[letter].squares
        lines = [Vector({k: 1}, 1) for k in range(len(self.squares))]
        if letter == "G":
            # the matrix of the change of basis is orthogonal: its rows are both
            lines = common([_vector(row) for row in TYPED])
        self._copies = [Copy(lines, 1)]

    def inclusions(self, name: str) -> list[Copy]:
        return self._copies

    def projections(self, name: str) -> list[Copy]:
        return self._copies


def _vector(row: Sequence[int]) -> Vector:
    return Vector({k: v for k, v in enumerate(row) if v}, 0)


class _Sum:
    """Maps are found for those irreps that are asked for."""

    def __init__(self, both: dict[str, Modules], summands: Iterable[Summand]) -> None:
        self.squares = next(iter(both.values())).squares
        self._both = both
        self._counts = {parity: dict.fromkeys(IRREPS, 0) for parity in both}
        for own in summands:
            counts = self._counts[parity_of(own.name)]
            counts[letter_of(own.name)] = own.multiplicity
        self._inclusions: dict[str, list[Copy]] = {}
        self._projections: dict[str, list[Copy]] = {}

    def inclusions(self, name: str) -> list[Copy]:
        if name not in self._inclusions:
            self._inclusions[name] = list(self._included(name))
        return self._inclusions[name]

    def projections(self, name: str) -> list[Copy]:
        if name not in self._projections:
            self._projections[name] = list(self._projected(name))
        return self._projections[name]

    def _included(self, name: str) -> Iterator[Copy]:
        letter, parity = letter_of(name), parity_of(name)
        module, irrep = self._both[parity].own, IRREPS[letter]
        seeds = module.seeds(letter, self._counts[parity])
        every = [flat(module.lines(letter, t)) for t in seeds]
        views = every
        if letter == "G":
            views = [as_given(own, 1) for own in every]
        width = len(irrep.types)
        for place, factors in echelon(
            views, sorted({u for v in views for u in v.values})
        ):
            i, k = divmod(place, width)
            # with its root the first number is rational
            root = 1 if self.squares[i] == irrep.squares[k] else 3
            own = combined(zip(factors, every, strict=True))
            yield Copy(apart(own, width), root)

    def _projected(self, name: str) -> Iterator[Copy]:
        letter, parity = letter_of(name), parity_of(name)
        module, irrep = self._both[parity].dual, IRREPS[letter]
        seeds = module.seeds(letter, self._counts[parity])
        rows = [module.lines(letter, q, is_dual=True) for q in seeds]
        inclusions = self.inclusions(name)
        # Q T is a number for each two copies (Schur), which any of its diagonal entries tells
        x = irrep.types.index(0 if letter == "A" else X)
        columns = [own.lines[x] for own in inclusions]
        numbers = [_products(q[x], columns) for q in rows]
        every = list(map(flat, rows))
        duals = echelon(numbers, range(len(rows)))
        for own, (_, factors) in zip(inclusions, duals, strict=True):
            q = combined(zip(factors, every, strict=True))
            yield Copy(apart(q, len(irrep.types)), own.root)


def _products(q: Vector, columns: list[Vector]) -> Vector:
    found = {}
    for j, t in enumerate(columns):
        found[j] = sum(v * t.values.get(u, 0) for u, v in q.values.items())
    return exactly(found, len(q.values) * q.most * max(t.most for t in columns))
