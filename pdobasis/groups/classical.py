"""Classical Lie groups by their Lie algebras (a basis each) and one representative of each further component."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pdobasis.exact.array import ExactArray, integers
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.matrices import diagonal, unit
from pdobasis.groups.planar import o2, so2


def special_orthogonal(d: int) -> Group:
    return so2() if d == 2 else Group(f"SO({d})", d, (), (), _so(d, 0), CatalogueTerm("SO", (d,)))


def orthogonal(d: int) -> Group:
    """O(d): SO(d) and the reflection diag(1, …, 1, -1)."""
    if d == 2:
        return o2()
    return Group(f"O({d})", d, (_signs(d, d - 1),), ("f",), _so(d, 0), CatalogueTerm("O", (d, Fraction(0))))


def indefinite(p: int, q: int, *, name: str) -> Group:
    """O(p,q), SO(p,q) (two components) or SO+(p,q) (connected), preserving diag(1 p times, -1 q times)."""
    d = p + q
    time, space = _signs(d, 0), _signs(d, d - 1)
    components = {"O": ((time, space), ("t", "f")), "SO": ((time @ space,), ("j",)), "SO+": ((), ())}
    generators, labels = components[name]
    return Group(f"{name}({p},{q})", d, generators, labels, _so(p, q), CatalogueTerm("indefinite", (name, p, q)))


def special_linear(d: int) -> Group:
    off = [unit(d, i, j) for i in range(d) for j in range(d) if i != j]
    cartan = [unit(d, i, i) - unit(d, i + 1, i + 1) for i in range(d - 1)]
    return Group(f"SL({d})", d, (), (), (*off, *cartan), CatalogueTerm("SL", (d,)))


def general_linear(d: int) -> Group:
    """GL(d): all matrix units, and diag(1, …, 1, -1) for the other component."""
    units = tuple(unit(d, i, j) for i in range(d) for j in range(d))
    return Group(f"GL({d})", d, (_signs(d, d - 1),), ("f",), units, CatalogueTerm("GL", (d,)))


def symplectic(d: int) -> Group:
    """Sp(2n): X with X^T J + J X = 0 for J = [[0, 1], [-1, 0]]; d = 2n."""
    n = d // 2
    lie = []
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
    return Group(f"inversion({d})", d, (diagonal(*[-1] * d),), ("i",), term=CatalogueTerm("inversion", (d,)))


def trivial(d: int) -> Group:
    return Group(f"trivial({d})", d, term=CatalogueTerm("trivial", (d,)))


def _so(p: int, q: int) -> tuple[ExactArray, ...]:
    """A basis of so(p,q): E_ji - s_i s_j E_ij for i < j, with s the signs of the form."""
    d = p + q
    s = [1] * p + [-1] * q
    return tuple(unit(d, j, i) - unit(d, i, j).scale(s[i] * s[j]) for i in range(d) for j in range(i + 1, d))


def _signs(d: int, where: int) -> ExactArray:
    return diagonal(*[-1 if k == where else 1 for k in range(d)])


def _symmetric(d: int, i: int, j: int, k: int, m: int) -> ExactArray:
    return unit(d, i, j) if (i, j) == (k, m) else unit(d, i, j) + unit(d, k, m)


def turns_space(group: Group) -> str | None:
    """ "SO" or "O" where it is SO(3) or O(3), in the generators of the catalogue."""
    term = group.term
    if term is None or term.family not in ("SO", "O") or term.arguments[0] != 3:
        return None
    return term.family
