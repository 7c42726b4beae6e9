"""Irreducible representations by name, for the groups that have a catalogue of them."""

from __future__ import annotations

import re
from functools import lru_cache

from pdobasis.errors import RepresentationError, SpecError
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import rotation
from pdobasis.groups.planar import planar_shape
from pdobasis.representations.harmonics import CONVENTIONS, Spherical
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Determinant, HalfTurn, Planar, Term, Trivial

MAX_FREQUENCY = 1000
MAX_DEGREE = 24


def irrep(group: Group, arguments: list[str], spec: str) -> Representation:
    """irrep(k) of SO(2), C_N, flip; irrep(j,k) of O(2), D_N; irrep(l) of SO(3); irrep(j,l) or irrep(1o) of O(3)."""
    if turns_space(group):
        return _spatial(group, arguments, spec)
    known = planar_irreps(group, MAX_FREQUENCY)
    if known is None:
        raise RepresentationError(
            f"irrep(...) is known for SO(2), O(2), C_N, D_N, flip, SO(3), O(3) and point groups, not for {group.name}: "
            "use trivial, det, vector, sym, alt or a file"
        )
    length = len(next(iter(known)))
    if len(arguments) != length or not all(re.fullmatch(r"\d{1,6}", a) for a in arguments):
        usage = "irrep(j,k), as in irrep(1,2)" if length == 2 else "irrep(k), as in irrep(1)"
        raise SpecError(f"{spec} of {group.name}: expected {usage}")
    key = tuple(map(int, arguments))
    if key not in known:
        names = list(known)
        shown = ", ".join(_name(key) for key in names[:6]) + (", ..." if len(names) > 6 else "")
        raise RepresentationError(f"{group.name} has no {_name(key)}; it has {shown}")
    return from_term(group, known[key], _name(key))


def planar_irreps(group: Group, limit: int) -> dict[tuple[int, ...], Term] | None:
    """All irreps of a planar group or a mirror (up to a frequency): (k,) or (j, k) to a formula; None for others."""
    term = group.term
    if term is not None and term.family in ("flip", "flip normal"):
        return {(0,): Trivial(), (1,): Determinant()}
    shape = planar_shape(group)
    if shape is None:
        return None
    top = (shape.turns - 1) // 2 if shape.turns else limit
    half = shape.turns // 2 if shape.turns and shape.turns % 2 == 0 else None
    axis = rotation(shape.phase)
    if shape.axis is None:
        turning: dict[tuple[int, ...], Term] = {(k,): Planar(k) for k in range(1, top + 1)}
        signs: dict[tuple[int, ...], Term] = {} if half is None else {(half,): HalfTurn(half, 0, axis)}
        return {(0,): Trivial()} | turning | signs
    signs = {} if half is None else {(j, half): HalfTurn(half, j, axis) for j in (0, 1)}
    return _reflecting(top) | signs


def _reflecting(top: int) -> dict[tuple[int, ...], Term]:
    """The irreps of O(2) up to a frequency."""
    two: dict[tuple[int, ...], Term] = {(1, k): Planar(k) for k in range(1, top + 1)}
    return {(0, 0): Trivial(), (1, 0): Determinant()} | two


def _name(key: tuple[int, ...]) -> str:
    return f"irrep({','.join(map(str, key))})"


def spherical(group: Group, degree: int, parity: int, spec: str, convention: str = "e3nn") -> Representation:
    if degree > MAX_DEGREE:
        raise RepresentationError(f"{spec}: the order l has to be at most {MAX_DEGREE}")
    return _harmonic(group, Spherical(degree, parity, convention), spec)


@lru_cache(maxsize=256)
def _harmonic(group: Group, term: Spherical, spec: str) -> Representation:
    return from_term(group, term, spec)


def _spatial(group: Group, arguments: list[str], spec: str) -> Representation:
    convention = "e3nn"
    if arguments and arguments[-1] in CONVENTIONS:
        convention = arguments[-1]
        arguments = arguments[:-1]
    suffix = "" if convention == "e3nn" else f",{convention}"
    two = turns_space(group) == "O"
    if len(arguments) == 1 and (match := re.fullmatch(r"(\d{1,3})([eo])", arguments[0])):
        degree, parity = int(match.group(1)), "eo".index(match.group(2))
        return spherical(group, degree, parity, f"irrep({arguments[0]}{suffix})", convention)
    if len(arguments) != (2 if two else 1) or not all(re.fullmatch(r"\d{1,3}", a) for a in arguments):
        usage = "irrep(j,l) with j = 0 (even) or 1 (odd), or irrep(1o)" if two else "irrep(l), as in irrep(2)"
        raise SpecError(f"{spec} of {group.name}: expected {usage}; a basis may follow ({', '.join(CONVENTIONS)})")
    parity, degree = (int(arguments[0]), int(arguments[1])) if two else (int(arguments[0]) % 2, int(arguments[0]))
    if two and parity > 1:
        raise SpecError(f"{spec} of {group.name}: j is 0 (even under inversion) or 1 (odd)")
    return spherical(group, degree, parity, f"irrep({','.join(arguments)}{suffix})", convention)
