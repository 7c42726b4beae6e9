"""Irreducible representations by name, for the groups that have a catalogue of them."""

from __future__ import annotations

import re
from functools import lru_cache

from pdobasis.errors import RepresentationError, SpecError
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import rotation
from pdobasis.representations.harmonics import CONVENTIONS, Spherical
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Determinant, HalfTurn, Planar, Term, Trivial

MAX_FREQUENCY = 1000
MAX_DEGREE = 24


def irrep(group: Group, arguments: list[str], spec: str) -> Representation:
    """irrep(k) of SO(2), C_N, flip; irrep(j,k) of O(2), D_N; irrep(l) of SO(3); irrep(j,l) or irrep(1o) of O(3)."""
    family, n = group.family.name, group.family.n
    if family in ("SO", "O") and n == 3:
        return _spatial(group, arguments, spec)
    if (group.dim != 2 and family != "flip") or family not in ("cyclic", "dihedral", "flip", "SO", "O"):
        raise RepresentationError(
            f"irrep(...) is known for SO(2), O(2), C_N, D_N, flip, SO(3), O(3) and point groups, not for {group.name}: "
            "use trivial, det, vector, sym, alt or a file"
        )
    two = family in ("dihedral", "O")
    if len(arguments) != (2 if two else 1) or not all(re.fullmatch(r"\d{1,6}", a) for a in arguments):
        raise SpecError(
            f"{spec} of {group.name}: expected {'irrep(j,k), as in irrep(1,2)' if two else 'irrep(k), as in irrep(1)'}"
        )
    j, k = (int(arguments[0]), int(arguments[1])) if two else (0, int(arguments[0]))
    known = planar_irreps(group, MAX_FREQUENCY)
    found = known.get((j, k) if two else (k,))
    if found is None:
        names = list(known)
        shown = ", ".join(_name(key) for key in names[:6]) + (", ..." if len(names) > 6 else "")
        raise RepresentationError(f"{group.name} has no {_name((j, k) if two else (k,))}; it has {shown}")
    return from_term(group, found, _name((j, k) if two else (k,)))


def planar_irreps(group: Group, limit: int) -> dict[tuple[int, ...], Term]:
    """All irreps of a planar group (up to a frequency): (k,) or (j, k) to a formula."""
    family, n = group.family.name, group.family.n
    det = Determinant()
    if family == "flip":
        return {(0,): Trivial(), (1,): det}
    if family == "SO":
        return {(0,): Trivial()} | {(k,): Planar(k) for k in range(1, limit + 1)}
    if family == "O":
        return _reflecting(limit)
    axis = rotation(group.family.axis)
    if family == "cyclic":
        out: dict[tuple[int, ...], Term] = {(0,): Trivial()} | {(k,): Planar(k) for k in range(1, (n + 1) // 2)}
        return out | ({(n // 2,): HalfTurn(n // 2, 0, axis)} if n % 2 == 0 else {})
    return _reflecting((n - 1) // 2) | ({(j, n // 2): HalfTurn(n // 2, j, axis) for j in (0, 1)} if n % 2 == 0 else {})


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
    two = group.family.name == "O"
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
