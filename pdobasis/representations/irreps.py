"""Irreducible representations by name, for the groups that have a catalogue of them."""

from __future__ import annotations

import re

from pdobasis.bounds.caches import remembered
from pdobasis.errors import RepresentationError, SpecError
from pdobasis.exact.array import identity
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import rotation
from pdobasis.groups.planar import PlanarShape, planar_shape
from pdobasis.representations.harmonics import CONVENTIONS, Spherical
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Determinant, HalfTurn, Planar, Term, Trivial

MAX_FREQUENCY = 1000
MAX_DEGREE = 24
MAX_ORTHONORMAL = 18
"""Beyond this, an orthonormal basis needs the square roots of more than ten primes: a field of degree above 1024."""
SHOWN = 6
"""Names in a message."""

Key = tuple[int, ...]
"""(k,), or (j, k) where there are mirrors."""


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
    if not _are_numbers(arguments, length, digits=6):
        usages = {
            1: "irrep(k), as in irrep(1)",
            2: "irrep(j,k), as in irrep(1,2)",
        }
        raise SpecError(f"{spec} of {group.name}: expected {usages[length]}")
    key = tuple(map(int, arguments))
    if key not in known:
        names = [_name(key) for key in known]
        shown = ", ".join(names[:SHOWN])
        if len(names) > SHOWN:
            shown += ", ..."
        raise RepresentationError(f"{group.name} has no {_name(key)}; it has {shown}")
    return from_term(group, known[key], _name(key))


def planar_irreps(group: Group, limit: int) -> dict[Key, Term] | None:
    """All irreps of a planar group or a mirror (up to a frequency): (k,) or (j, k) to a formula; None for others."""
    term = group.term
    if term is not None and term.family in ("flip", "flip normal"):
        return {(0,): Trivial(), (1,): Determinant()}
    shape = planar_shape(group)
    if shape is None:
        return None
    return irreps_of_shape(shape, limit)


def irreps_of_shape(shape: PlanarShape, limit: int) -> dict[Key, Term]:
    """All irreps of a subgroup of O(2), up to a frequency."""
    # frequencies k and N - k are the same irrep of size two, and at N/2 it falls into signs
    top = limit
    if shape.turns:
        top = (shape.turns - 1) // 2
    half = shape.turns // 2
    splits = half > 0 and shape.turns % 2 == 0
    axis = identity(2)
    if splits and shape.phase:
        axis = rotation(shape.phase)
    if shape.axis is not None:
        found = _reflecting(top)
        if splits:
            found[0, half] = HalfTurn(half, 0, axis)
            found[1, half] = HalfTurn(half, 1, axis)
        return found
    found = _turning(top)
    if splits:
        found[half,] = HalfTurn(half, 0, axis)
    return found


def _turning(top: int) -> dict[Key, Term]:
    """The irreps of SO(2) up to a frequency."""
    found: dict[Key, Term] = {(0,): Trivial()}
    for k in range(1, top + 1):
        found[k,] = Planar(k)
    return found


def _reflecting(top: int) -> dict[Key, Term]:
    """The irreps of O(2) up to a frequency."""
    found: dict[Key, Term] = {(0, 0): Trivial(), (1, 0): Determinant()}
    for k in range(1, top + 1):
        found[1, k] = Planar(k)
    return found


def _name(key: Key) -> str:
    return f"irrep({','.join(map(str, key))})"


def _are_numbers(arguments: list[str], count: int, *, digits: int) -> bool:
    """So many whole numbers of at most so many digits."""
    if len(arguments) != count:
        return False
    return all(re.fullmatch(rf"\d{{1,{digits}}}", a) for a in arguments)


def spherical(
    group: Group, degree: int, parity: int, spec: str, convention: str = "e3nn"
) -> Representation:
    if degree > MAX_DEGREE:
        raise RepresentationError(f"{spec}: the order l has to be at most {MAX_DEGREE}")
    if degree > MAX_ORTHONORMAL and convention != "rational":
        rational = f"irrep({degree}{'eo'[parity]},rational)"
        raise RepresentationError(
            f"{spec}: beyond order {MAX_ORTHONORMAL} an orthonormal basis has too many square roots: "
            f"take {rational}, which has none"
        )
    return _harmonic(group, Spherical(degree, parity, convention), spec)


@remembered
def _harmonic(group: Group, term: Spherical, spec: str) -> Representation:
    return from_term(group, term, spec)


def _spatial(group: Group, arguments: list[str], spec: str) -> Representation:
    convention = "e3nn"
    suffix = ""
    if arguments and arguments[-1] in CONVENTIONS:
        *arguments, convention = arguments
    if convention != "e3nn":
        suffix = f",{convention}"
    degree, parity = _degree_and_parity(group, arguments, spec)
    name = f"irrep({','.join(arguments)}{suffix})"
    return spherical(group, degree, parity, name, convention)


def _degree_and_parity(
    group: Group, arguments: list[str], spec: str
) -> tuple[int, int]:
    """From 1o, from l of SO(3), or from j, l of O(3)."""
    if len(arguments) == 1 and (
        match := re.fullmatch(r"(\d{1,3})([eo])", arguments[0])
    ):
        degree, letter = match.groups()
        return int(degree), "eo".index(letter)
    has_inversion = turns_space(group) == "O"
    count, usage = 1, "irrep(l), as in irrep(2)"
    if has_inversion:
        count, usage = 2, "irrep(j,l) with j = 0 (even) or 1 (odd), or irrep(1o)"
    if not _are_numbers(arguments, count, digits=3):
        raise SpecError(
            f"{spec} of {group.name}: expected {usage}; a basis may follow ({', '.join(CONVENTIONS)})"
        )
    *j, degree = map(int, arguments)
    if not has_inversion:
        # either would do; the harmonics themselves have the parity of their order
        return degree, degree % 2
    if j[0] > 1:
        raise SpecError(
            f"{spec} of {group.name}: j is 0 (even under inversion) or 1 (odd)"
        )
    return degree, j[0]
