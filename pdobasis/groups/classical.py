"""Classical Lie groups by their Lie algebras (a basis each) and one representative of each further component."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from pdobasis.exact.array import ExactArray, integers
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.matrices import diagonal, unit
from pdobasis.groups.planar import o2, so2


def special_orthogonal(d: int) -> Group:
    # the plane's own, in the orientation of its irreps
    if d == 2:
        return so2()
    term = CatalogueTerm("SO", (d,))
    return Group(f"SO({d})", d, (), (), _so(d, 0), term)


def orthogonal(d: int) -> Group:
    """O(d): SO(d) and the reflection diag(1, …, 1, -1)."""
    if d == 2:
        return o2()
    term = CatalogueTerm("O", (d, Fraction(0)))
    return Group(f"O({d})", d, (_signs(d, d - 1),), ("f",), _so(d, 0), term)


def indefinite(p: int, q: int, *, name: str) -> Group:
    """O(p,q), SO(p,q) (two components) or SO+(p,q) (connected), preserving diag(1 p times, -1 q times)."""
    d = p + q
    # O(p,q) has four components: the orientation of the p axes and that of the q axes are free
    first, last = _signs(d, 0), _signs(d, d - 1)
    components: dict[str, tuple[tuple[ExactArray, ...], tuple[str, ...]]] = {
        "O": ((first, last), ("t", "f")),
        "SO": ((first @ last,), ("j",)),
        "SO+": ((), ()),
    }
    generators, labels = components[name]
    term = CatalogueTerm("indefinite", (name, p, q))
    return Group(f"{name}({p},{q})", d, generators, labels, _so(p, q), term)


def special_linear(d: int) -> Group:
    # matrices of trace 0
    off = [unit(d, i, j) for i in range(d) for j in range(d) if i != j]
    cartan = [unit(d, i, i) - unit(d, i + 1, i + 1) for i in range(d - 1)]
    return Group(f"SL({d})", d, (), (), (*off, *cartan), CatalogueTerm("SL", (d,)))


def general_linear(d: int) -> Group:
    """GL(d): all matrix units, and diag(1, …, 1, -1) for the other component."""
    units = tuple(unit(d, i, j) for i in range(d) for j in range(d))
    return Group(
        f"GL({d})", d, (_signs(d, d - 1),), ("f",), units, CatalogueTerm("GL", (d,))
    )


def symplectic(d: int) -> Group:
    """Sp(2n): X with X^T J + J X = 0 for J = [[0, 1], [-1, 0]]; d = 2n."""
    n = d // 2
    lie = []
    # X = [[A, B], [C, -A^T]] with B and C symmetric
    for i in range(n):
        for j in range(n):
            lie.append(unit(d, i, j) - unit(d, n + j, n + i))
            if i <= j:
                lie.append(_symmetric(d, i, n + j, j, n + i))
                lie.append(_symmetric(d, n + i, j, n + j, i))
    return Group(f"Sp({d})", d, (), (), tuple(lie), CatalogueTerm("Sp", (d,)))


def scaling(weights: Sequence[Fraction]) -> Group:
    """g(t) = diag(t^{w_1}, …, t^{w_d}) for t > 0; the Lie generator is diag(w)."""
    d = len(weights)
    total = integers(np.zeros((d, d), dtype=np.int64))
    for i, w in enumerate(weights):
        total = total + unit(d, i, i).scale(w)
    name = f"scaling({','.join(map(str, weights))})"
    return Group(name, d, (), (), (total,), CatalogueTerm("scaling", tuple(weights)))


def inversion(d: int) -> Group:
    minus_one = diagonal(*[-1] * d)
    term = CatalogueTerm("inversion", (d,))
    return Group(f"inversion({d})", d, (minus_one,), ("i",), term=term)


def trivial(d: int) -> Group:
    return Group(f"trivial({d})", d, term=CatalogueTerm("trivial", (d,)))


def _so(p: int, q: int) -> tuple[ExactArray, ...]:
    """A basis of so(p,q): E_ji - s_i s_j E_ij for i < j, with s the signs of the form."""
    d = p + q
    s = [1] * p + [-1] * q
    basis = []
    for i, j in combinations(range(d), 2):
        basis.append(unit(d, j, i) - unit(d, i, j).scale(s[i] * s[j]))
    return tuple(basis)


def _signs(d: int, where: int) -> ExactArray:
    """diag(1, …, 1) with -1 at one place."""
    entries = [1] * d
    entries[where] = -1
    return diagonal(*entries)


def _symmetric(d: int, i: int, j: int, k: int, m: int) -> ExactArray:
    """E_ij + E_km, or E_ij where they are the same."""
    if (i, j) == (k, m):
        return unit(d, i, j)
    return unit(d, i, j) + unit(d, k, m)


def turns_space(group: Group) -> str | None:
    """ "SO" or "O" where it is SO(3) or O(3), in the generators of the catalogue."""
    term = group.term
    if term is None or term.family not in ("SO", "O") or term.arguments[0] != 3:
        return None
    return term.family
