"""Weights by formulas, without matrices: those of a product are sums, in space and in the plane."""

from __future__ import annotations

from collections.abc import Callable

from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.terms import (
    Alternating,
    Density,
    Determinant,
    Dual,
    HalfTurn,
    Planar,
    Sum,
    Symmetric,
    Tensor,
    Term,
    Trivial,
    Vector,
)

Formal = dict[tuple[int, int], int]
"""How often a weight k, of either sign, occurs with each parity (of eigenvalues -1) under one more element."""
Leaf = Callable[[Term], Formal | None]
"""The weights of a formula that is not made of others; None for what is not known."""


def in_space(term: Term) -> Formal | None:
    """Of a rotation about an axis, with the parity under inversion, for SO(3) and O(3)."""
    match term:
        case Trivial():
            return {(0, 0): 1}
        case Determinant():
            return {(0, 1): 1}
        case Vector():
            return {(k, 1): 1 for k in (-1, 0, 1)}
        case Spherical(degree, parity):
            return {(k, parity): 1 for k in range(-degree, degree + 1)}
    return None


def in_plane(term: Term) -> Formal | None:
    """Of rotations of the plane by 2 pi / N, or all; a mirror exchanges k and -k, so that there is no parity."""
    if isinstance(term, HalfTurn):
        return {(term.k, 0): 1}
    return of_rotations(term)


def of_rotations(term: Term) -> Formal | None:
    """Where that is a representation of all rotations."""
    match term:
        case Trivial() | Determinant() | Density():
            return {(0, 0): 1}
        case Vector():
            return {(1, 0): 1, (-1, 0): 1}
        case Planar(k):
            return _added({(k, 0): 1}, {(-k, 0): 1})
    return None


def of_mirror(term: Term) -> Formal | None:
    """How often a mirror is 1 (parity 0) and -1: the same for all mirrors of the plane."""
    match term:
        case Trivial() | Density():
            return {(0, 0): 1}
        case Determinant():
            return {(0, 1): 1}
        case Vector() | Planar():
            return {(0, 0): 1, (0, 1): 1}
    return None


def formal(term: Term, leaf: Leaf) -> Formal | None:
    """The weights of a formula; None where it has a part that is not known.

    >>> formal(Tensor(Vector(), Vector()), in_plane)
    {(2, 0): 1, (0, 0): 2, (-2, 0): 1}
    """
    match term:
        case Dual(inner):  # real representations have the weights of their duals
            return formal(inner, leaf)
        case Tensor(a, b):
            left, right = formal(a, leaf), formal(b, leaf)
            if left is None or right is None:
                return None
            return _products(left, right)
        case Sum(parts):
            total: Formal = {}
            for part in parts:
                own = formal(part, leaf)
                if own is None:
                    return None
                total = _added(total, own)
            return total
        case Symmetric(n, inner) | Alternating(n, inner):
            own = formal(inner, leaf)
            if own is None:
                return None
            return _powers(own, n, is_repeated=isinstance(term, Symmetric))
    return leaf(term)


def _added(left: Formal, right: Formal) -> Formal:
    places = {**left, **right}
    return {place: left.get(place, 0) + right.get(place, 0) for place in places}


def _products(left: Formal, right: Formal) -> Formal:
    out: Formal = {}
    for (k, p), u in left.items():
        for (m, q), v in right.items():
            place = k + m, (p + q) % 2
            out[place] = out.get(place, 0) + u * v
    return out


def _powers(own: Formal, n: int, *, is_repeated: bool) -> Formal:
    """Products of n of the weights, with or without repetitions: one weight after the other joins shorter products."""
    found: list[Formal] = [{(0, 0): 1}, *({} for _ in range(n))]
    lengths = range(1, n + 1) if is_repeated else range(n, 0, -1)
    for place in [place for place, times in own.items() for _ in range(times)]:
        for length in lengths:
            for longer, count in _products({place: 1}, found[length - 1]).items():
                found[length][longer] = found[length].get(longer, 0) + count
    return found[n]
