"""The classical groups in the catalogue: how they are written, and which matrices lie in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import lcm

import numpy as np

from pdobasis.errors import GroupError, SpecError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.numbers import to_float
from pdobasis.groups.arguments import MAX_DIM, call, turns, whole
from pdobasis.groups.classical import (
    general_linear,
    indefinite,
    inversion,
    orthogonal,
    scaling,
    special_linear,
    special_orthogonal,
    symplectic,
    trivial,
)
from pdobasis.groups.families import GroupFamily, Wish, register
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import determinant, diagonal, power
from pdobasis.groups.planar import o2


def _read_orthogonal(wish: Wish) -> Group | None:
    name, parts = call(wish.text) or ("", [])
    if name == "SO+":
        p, q = whole(wish.text, parts, 2)
        return indefinite(p, q, name=name)
    # a bare O is the octahedral group
    if name not in ("SO", "O") or wish.text == "O":
        return None
    # O(2,pi/4) has an angle, O(2,1) a signature
    if name == "O" and len(parts) == 2 and parts[0] == "2" and "pi" in parts[1]:
        return o2(turns(parts[1]))
    if len(parts) == 2:
        p, q = whole(wish.text, parts, 2, low=0)
        if p and q:
            return indefinite(p, q, name=name)
        # O(d,0) and O(0,d) are O(d)
        parts = [str(p + q)]
    (d,) = whole(wish.text, parts, 1)
    if name == "SO":
        return special_orthogonal(d)
    return orthogonal(d)


def _read_linear(wish: Wish) -> Group | None:
    name, parts = call(wish.text) or ("", [])
    if name not in ("SL", "GL", "Sp"):
        return None
    (d,) = whole(wish.text, parts, 1)
    if name == "Sp" and d % 2:
        raise GroupError(
            f"{wish.text}: the symplectic group needs an even dimension, as in Sp({d + 1})"
        )
    return {"SL": special_linear, "GL": general_linear, "Sp": symplectic}[name](d)


def _read_scaling(wish: Wish) -> Group | None:
    name, parts = call(wish.text) or ("", [])
    if name != "scaling":
        return None
    if not parts:
        return scaling([Fraction(1)] * (wish.dim or 2))
    if len(parts) > MAX_DIM:
        raise GroupError(f"scaling: at most {MAX_DIM} weights")
    for part in parts:
        if not re.fullmatch(r"-?\d{1,9}(/[1-9]\d{0,8})?", part):
            raise SpecError(
                f"scaling: the weight {part!r} is not a rational number such as 1 or 1/2"
            )
    return scaling([Fraction(part) for part in parts])


def _of_dim(name: str, build: Callable[[int], Group]) -> Callable[[Wish], Group | None]:
    """``NAME`` in the dimension at hand, or ``NAME(d)``."""

    def read(wish: Wish) -> Group | None:
        found, parts = call(wish.text) or ("", [])
        if found != name:
            return None
        if not parts:
            return build(wish.dim or 2)
        return build(whole(wish.text, parts, 1)[0])

    return read


def _in_orthogonal(group: Group, m: ExactArray) -> bool:
    """M^T B M = B for the form of the group, and what tells its components apart."""
    name, p, q = _signature(group)
    form = diagonal(*[1] * p, *[-1] * q)
    if not (m.T @ form @ m).equals(form):
        return False
    # the form leaves only 1 and -1
    if name != "O" and not determinant(m).equals(integers(1)):
        return False
    if name != "SO+":
        return True
    # the leading p x p block of a matrix of O(p,q) has a determinant of absolute value at least 1: floats know its sign
    block = to_float(m)[:p, :p]
    return float(np.linalg.det(block)) > 0


def _signature(group: Group) -> tuple[str, int, int]:
    term = group.term
    if term is not None and term.family == "indefinite":
        name, p, q = term.arguments
        return str(name), int(p), int(q)
    return _family(group, "O"), group.dim, 0


def _family(group: Group, default: str) -> str:
    if group.term is None:
        return default
    return group.term.family


def _in_linear(group: Group, m: ExactArray) -> bool:
    """GL: det M is not 0; SL: it is 1; Sp: M^T J M = J."""
    match _family(group, "SL"):
        case "Sp":
            n = group.dim // 2
            form = integers(np.kron([[0, 1], [-1, 0]], np.eye(n, dtype=np.int64)))
            return (m.T @ form @ m).equals(form)
        case "GL":
            return not determinant(m).is_zero
    return determinant(m).equals(integers(1))


def _in_scaling(group: Group, m: ExactArray) -> bool:
    """diag(t^{w_1}, …) for one t > 0: all entries are positive, and $d_i^{w_j} = d_j^{w_i}$."""
    entries = [m[i, i] for i in range(group.dim)]
    off = m.numerators[~np.eye(group.dim, dtype=bool)]
    if off.any() or any(float(to_float(e)) <= 0 for e in entries):
        return False
    weights = [group.lie[0][i, i].fraction() for i in range(group.dim)]
    # the same group with t^common for t: whole powers can be compared exactly
    common = lcm(*(w.denominator for w in weights))
    powers = [int(w * common) for w in weights]
    for entry, weight in zip(entries, weights, strict=True):
        if not weight and not entry.equals(integers(1)):
            return False
    for i, j in combinations(range(group.dim), 2):
        one, other = _power(entries[i], powers[j]), _power(entries[j], powers[i])
        if not one.equals(other):
            return False
    return True


def _power(value: ExactArray, k: int) -> ExactArray:
    base = value.reshape(1, 1)
    if k < 0:
        base = base.inverse()
    return power(base, abs(k))


register(
    GroupFamily(
        "trivial",
        _of_dim("trivial", trivial),
        (("trivial(d)", "any", "the identity alone"),),
        ("trivial",),
        any_dim=("trivial",),
        terms=("trivial",),
    )
)
register(
    GroupFamily(
        "inversion",
        _of_dim("inversion", inversion),
        (("inversion(d)", "any", "x -> -x"),),
        ("inversion",),
        any_dim=("inversion",),
        terms=("inversion",),
    )
)
register(
    GroupFamily(
        "orthogonal",
        _read_orthogonal,
        (
            (
                "SO(2), O(2), O(2,pi/4)",
                "2",
                "rotations; with reflections (optional mirror line)",
            ),
            ("SO(d), O(d)", "any", "orthogonal groups"),
            (
                "SO(p,q), SO+(p,q), O(p,q)",
                "p+q",
                "preserving diag(+1 p times, -1 q times); SO+ is connected",
            ),
        ),
        ("SO", "O", "SO+", "SO(2)", "O(2)", "SO(3)", "O(3)", "SO(1,3)", "O(1,3)"),
        terms=("SO", "O", "indefinite"),
        contains=_in_orthogonal,
    )
)
register(
    GroupFamily(
        "linear",
        _read_linear,
        (("SL(d), GL(d), Sp(2n)", "any", "linear and symplectic groups"),),
        ("SL", "GL", "Sp", "SL(2)", "GL(2)", "Sp(4)"),
        terms=("SL", "GL", "Sp"),
        contains=_in_linear,
    )
)
register(
    GroupFamily(
        "scaling",
        _read_scaling,
        (("scaling(w1,...,wd)", "any", "x_i -> t^w_i x_i, t > 0"),),
        ("scaling",),
        any_dim=("scaling",),
        terms=("scaling",),
        contains=_in_scaling,
    )
)
