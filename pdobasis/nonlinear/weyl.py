r"""Weyl's integral formula for the classical groups, from the formulas of their representations.

A group of real matrices and its complexification have the same invariants, so SO(p, q) counts as SO(p + q). The
characters are those of a formula in the vector: tensor products, symmetric and alternating powers, duals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import factorial

from pdobasis.bounds.estimate import cost
from pdobasis.exact.array import integers
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import determinant
from pdobasis.nonlinear.characters import Characters, Laurent, Torus
from pdobasis.nonlinear.question import Multidegree, TermsQuestion
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import (
    Alternating,
    Determinant,
    Dual,
    Symmetric,
    Tensor,
    Term,
    Trivial,
    Vector,
)


@dataclass(frozen=True, slots=True)
class RootSystem:
    """The weights of the vector and the positive roots, on a torus of rank ``rank``."""

    rank: int
    vector: tuple[tuple[int, ...], ...]
    roots: tuple[tuple[int, ...], ...]
    reflections: int
    """The order of the Weyl group, which they generate."""
    is_connected: bool = True
    signs: int = 0
    """1 where -1 is an element that the identity component lacks: the last place of a weight is its sign."""


def weyl_count(
    question: TermsQuestion,
) -> tuple[Callable[[Multidegree], int], bool] | None:
    """The count, and whether it is that of the whole group rather than of its identity component.

    None where the group is not classical, or a representation is not given by a formula.
    """
    system = root_system(question.group)
    if system is None:
        return None
    _require(question.group, system)
    ring = Torus(system.rank, system.signs)
    vector: Laurent = {}
    for weight in system.vector:
        vector[weight] = vector.get(weight, 0) + 1
    formula = _Formula(ring, vector)
    reps = [*(field.rep for field in question.fields), question.out]
    found = [formula.of_rep(rep) for rep in reps]
    own = [table for table in found if table is not None]
    if len(own) < len(found):
        return None
    known = Characters(ring, ring.dual(vector), tuple(own[:-1]), ring.dual(own[-1]))
    alternant = ring.one()
    for root in system.roots:
        alternant = ring.times(alternant, {(0,) * len(root): 1, root: -1})

    opposite = ring.dual(alternant)

    def count(m: Multidegree) -> int:
        total = known.of(question, m)
        # the constant term of the product
        return sum(n * total.get(w, 0) for w, n in opposite.items())

    return count, system.is_connected


def _require(group: Group, system: RootSystem) -> None:
    """Weyl's denominator, the product over the roots, has as many terms as the Weyl group has elements."""
    size = float(system.reflections)
    work = cost("alternant", {"terms": size, "products": size * len(system.roots)})
    work.require(
        f"Weyl's integral formula for {group.name}", "take a group of lower dimension"
    )


def root_system(group: Group) -> RootSystem | None:
    """Of SO, O, SO(p,q), SL, GL, Sp of the catalogue."""
    if group.term is None or not group.lie:
        return None
    family, d = group.term.family, group.dim
    if family in ("SO", "O", "indefinite"):
        return _orthogonal(d, is_connected=_is_special(group))
    if family == "Sp":
        units = _units(d // 2)
        roots = [*_differences(units), *_sums(units), *(_times(2, u) for u in units)]
        vector = (*units, *map(_negative, units))
        return RootSystem(d // 2, vector, tuple(roots), _signed(d // 2))
    units = _units(d)
    if family == "GL":
        return RootSystem(d, tuple(units), tuple(_differences(units)), factorial(d))
    if family == "SL":
        # the last weight is minus the sum of the others
        cut = [u[:-1] for u in units[:-1]] + [(-1,) * (d - 1)]
        roots = _differences(cut)
        return RootSystem(d - 1, tuple(cut), tuple(roots), factorial(d))
    return None


def _is_special(group: Group) -> bool:
    """Whether all elements have determinant 1: then the identity component is Zariski dense."""
    return all(determinant(g).equals(integers(1)) for g in group.generators)


def _orthogonal(d: int, is_connected: bool) -> RootSystem:
    rank = d // 2
    units = _units(rank)
    vector = [*units, *map(_negative, units)]
    roots = [*_differences(units), *_sums(units)]
    if not d % 2:
        size = max(_signed(rank) // 2, 1)
        return RootSystem(rank, tuple(vector), tuple(roots), size, is_connected)
    vector.append((0,) * rank)
    roots += units
    if is_connected:
        return RootSystem(rank, tuple(vector), tuple(roots), _signed(rank))
    # in odd dimensions O(d) is SO(d) times -1
    odd = tuple((*w, 1) for w in vector)
    even = tuple((*w, 0) for w in roots)
    return RootSystem(rank, odd, even, _signed(rank), signs=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Formula:
    """The character of a formula in g."""

    ring: Torus
    vector: Laurent

    def of_rep(self, rep: Representation) -> Laurent | None:
        if rep.term is None:
            return None
        return self.of(rep.term)

    def of(self, term: Term) -> Laurent | None:
        match term:
            case Trivial():
                return self.ring.one()
            case Vector():
                return self.vector
            case Determinant():
                return self._exterior(self.vector, sum(self.vector.values()))
            case Dual(inner):
                own = self.of(inner)
                return None if own is None else self.ring.dual(own)
            case Tensor(a, b):
                left, right = self.of(a), self.of(b)
                if left is None or right is None:
                    return None
                return self.ring.times(left, right)
            case Symmetric(n, inner):
                own = self.of(inner)
                return None if own is None else self.ring.power(own, n)
            case Alternating(n, inner):
                own = self.of(inner)
                return None if own is None else self._exterior(own, n)
        return None

    def _exterior(self, table: Laurent, n: int) -> Laurent:
        every = [w for w, count in table.items() for _ in range(count)]
        out: Laurent = {}
        for some in combinations(every, n):
            places = range(self.ring.rank + self.ring.signs)
            key = self.ring.weight([sum(w[i] for w in some) for i in places])
            out[key] = out.get(key, 0) + 1
        return out


def _signed(rank: int) -> int:
    """Signed permutations of so many places."""
    return factorial(rank) << rank


def _units(rank: int) -> list[tuple[int, ...]]:
    return [tuple(int(i == k) for i in range(rank)) for k in range(rank)]


def _negative(w: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(-x for x in w)


def _times(n: int, w: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n * x for x in w)


def _differences(units: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    pairs = combinations(units, 2)
    return [tuple(a - b for a, b in zip(u, v, strict=True)) for u, v in pairs]


def _sums(units: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    pairs = combinations(units, 2)
    return [tuple(a + b for a, b in zip(u, v, strict=True)) for u, v in pairs]
