"""Finite and continuous subgroups of O(2), and single mirrors in any dimension."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from pdobasis.errors import GroupError, SpecError
from pdobasis.groups.arguments import MAX_DIM, angle_text, call, indexed, turns
from pdobasis.groups.families import GroupFamily, Wish, register
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.matrices import mirror, reflection, rotation, unit
from pdobasis.values import dataclass


def cyclic(n: int) -> Group:
    """C_N: rotations by 2 pi / N."""
    term = CatalogueTerm("cyclic", (n,))
    return Group(f"C{n}", 2, (rotation(Fraction(2, n)),), ("r",), term=term)


def dihedral(n: int, axis: Fraction = Fraction(0)) -> Group:
    """D_N, of order 2N: C_N and the mirror line at angle axis * pi."""
    generators = (rotation(Fraction(2, n)), mirror(axis))
    term = CatalogueTerm("dihedral", (n, axis))
    return Group(f"D{n}{_axis(axis)}", 2, generators, ("r", "f"), term=term)


def flip(axis: Fraction = Fraction(0)) -> Group:
    term = CatalogueTerm("flip", (axis,))
    return Group(f"flip{_axis(axis)}", 2, (mirror(axis),), ("f",), term=term)


def flip_normal(normal: Sequence[int]) -> Group:
    """The reflection in any dimension that turns the given vector round."""
    name = f"flip(normal={','.join(map(str, normal))})"
    term = CatalogueTerm("flip normal", tuple(normal))
    # the mirror line is the axis x1: the plane's own flip
    if len(normal) == 2 and normal[0] == 0:
        term = CatalogueTerm("flip", (Fraction(0),))
    return Group(name, len(normal), (reflection(normal),), ("f",), term=term)


def so2() -> Group:
    # d/dt of the rotation by t, at t = 0
    quarter = unit(2, 1, 0) - unit(2, 0, 1)
    return Group("SO(2)", 2, (), (), (quarter,), CatalogueTerm("SO", (2,)))


def o2(axis: Fraction = Fraction(0)) -> Group:
    name = "O(2)"
    if axis:
        name = f"O(2,{angle_text(axis)})"
    term = CatalogueTerm("O", (2, axis))
    return Group(name, 2, (mirror(axis),), ("f",), so2().lie, term)


@dataclass(frozen=True, slots=True)
class PlanarShape:
    """A subgroup of O(2): rotations by 2 pi / ``turns`` (0: by every angle), and mirrors if there is an ``axis``."""

    turns: int
    axis: Fraction | None = None

    @property
    def phase(self) -> Fraction:
        """The angle of the mirror line that irreps refer to, in multiples of pi; 0 without mirrors."""
        return self.axis or Fraction(0)


def planar_shape(group: Group) -> PlanarShape | None:
    """Which subgroup of O(2) it is, in the generators of the catalogue; None for all other groups."""
    term = group.term
    if term is None or group.dim != 2:
        return None
    match term.family, term.arguments:
        case "cyclic", (int(n),):
            return PlanarShape(n)
        case "dihedral", (int(n), Fraction() as axis):
            return PlanarShape(n, axis)
        case "flip", (Fraction() as axis,):
            # a mirror alone is D_1
            return PlanarShape(1, axis)
        case "SO", _:
            return PlanarShape(0)
        case "O", (_, Fraction() as axis):
            return PlanarShape(0, axis)
    return None


def turns_plane(group: Group) -> bool:
    """Whether it is SO(2) or O(2): all rotations of the plane, by the Lie generator of the catalogue."""
    shape = planar_shape(group)
    return shape is not None and not shape.turns


def _read_cyclic(wish: Wish) -> Group | None:
    found = indexed(wish)
    if found is None or found.spatial or found.letter != "C":
        return None
    return cyclic(found.n)


def _read_dihedral(wish: Wish) -> Group | None:
    found = indexed(wish)
    if found is None or found.spatial or found.letter != "D":
        return None
    return dihedral(found.n, turns(found.axis or "0"))


def _read_flip(wish: Wish) -> Group | None:
    name, parts = call(wish.text) or ("", [])
    if name != "flip":
        return None
    if not parts:
        if wish.dim is None or wish.dim == 2:
            return flip()
        # the last coordinate is turned round, as in the plane
        return flip_normal([0] * (wish.dim - 1) + [1])
    if parts[0].startswith("normal="):
        return flip_normal(
            _normal(wish.text, [parts[0].removeprefix("normal="), *parts[1:]])
        )
    if len(parts) != 1:
        raise SpecError(
            f"{wish.text}: expected one angle, as in flip(pi/4), or flip(normal=1,-1,0)"
        )
    return flip(turns(parts[0]))


def _normal(text: str, entries: list[str]) -> list[int]:
    if (
        not all(re.fullmatch(r"-?\d{1,6}", e) for e in entries)
        or len(entries) > MAX_DIM
    ):
        raise SpecError(
            f"{text}: the normal is a list of whole numbers, as in flip(normal=1,-1,0)"
        )
    normal = [int(e) for e in entries]
    if not any(normal):
        raise GroupError(f"{text}: the normal must not be zero")
    return normal


def _axis(axis: Fraction) -> str:
    if not axis:
        return ""
    return f"({angle_text(axis)})"


CYCLIC = register(
    GroupFamily(
        "cyclic",
        _read_cyclic,
        (("C4, C8, C<N>", "2", "rotations by 2pi/N; any N >= 1"),),
        ("C4", "C16"),
        terms=("cyclic",),
    )
)
DIHEDRAL = register(
    GroupFamily(
        "dihedral",
        _read_dihedral,
        (
            (
                "D4, D8(pi/8), D<N>",
                "2",
                "C_N and reflections (2N elements); optional angle of the mirror line (D1 mirrors up and down)",
            ),
        ),
        ("D8",),
        terms=("dihedral",),
    )
)
FLIP = register(
    GroupFamily(
        "flip",
        _read_flip,
        (
            (
                "flip, flip(pi/4), flip(normal=1,1,0)",
                "2, any",
                "one reflection, up and down; optional angle of the mirror line (pi/2: left and right) or its normal",
            ),
        ),
        ("flip",),
        any_dim=("flip",),
        terms=("flip", "flip normal"),
    )
)
