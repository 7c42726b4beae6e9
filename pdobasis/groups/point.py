"""The point groups of space: Schoenflies families for any n, the polyhedral groups, the 32 crystal classes.

The principal axis is x3; C_nv has a mirror that contains x1; the twofold axis of D_n, D_nh and D_nd is x1. The
Hermann-Mauguin names follow the standard settings (unique axis b = x2 for the monoclinic classes; mirrors of 3m
and -6m2 perpendicular to x1).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pdobasis.errors import UnknownNameError
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import radical
from pdobasis.groups.arguments import indexed
from pdobasis.groups.families import GroupFamily, Wish, families, register
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.matrices import about_z, diagonal, rotation

Recipe = tuple[tuple[str, ExactArray], ...]
"""Labels and generators."""

INVERSION = diagonal(-1, -1, -1)
MIRROR_H = diagonal(1, 1, -1)
MIRROR_V = diagonal(1, -1, 1)
TWOFOLD_X = diagonal(1, -1, -1)
TWOFOLD_Z = diagonal(-1, -1, 1)
THREEFOLD = integers([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
DIAGONAL_MIRROR = integers([[0, 1, 0], [1, 0, 0], [0, 0, 1]])


def turn(n: int) -> ExactArray:
    """Rotation by 2 pi / n about x3."""
    return about_z(rotation(Fraction(2, n)))


def rotoreflection(n: int) -> ExactArray:
    """S_n: rotation by 2 pi / n about x3, and x3 -> -x3."""
    return about_z(rotation(Fraction(2, n)), -1)


def fivefold() -> ExactArray:
    """Rotation by 2 pi / 5 about (0, 1, phi), with phi = (1 + sqrt 5)/2."""
    # phi/2, 1/(2 phi) and 1/2 over 4, in the basis 1, sqrt 5
    big, small, half = np.array([[1, 1], [-1, 1], [2, 0]])
    rows = [[small, -big, half], [big, half, small], [-half, small, big]]
    return exact(np.array(rows), 4, radical(5))


def schoenflies(letter: str, n: int, suffix: str) -> Group | None:
    """C_n, C_nv, C_nh, D_n, D_nh, D_nd and S_2n; None where there is no such group."""
    # S_n for odd n is C_nh
    if letter == "S" and n % 2:
        return None
    r = ("r", turn(n))
    recipes: dict[str, Recipe] = {
        "C": (r,),
        "Cv": (r, ("v", MIRROR_V)),
        "Ch": (r, ("h", MIRROR_H)),
        "D": (r, ("u", TWOFOLD_X)),
        "Dh": (r, ("u", TWOFOLD_X), ("h", MIRROR_H)),
        # its square is the rotation by 2 pi / n
        "Dd": (("s", rotoreflection(2 * n)), ("u", TWOFOLD_X)),
        "S": (("s", rotoreflection(n)),),
    }
    recipe = recipes.get(letter + suffix)
    if recipe is None:
        return None
    term = CatalogueTerm("axial", (letter, n, suffix))
    return _named(f"{letter}{n}{suffix}", recipe, term)


def polyhedral() -> dict[str, Recipe]:
    """Cs, Ci, T, Td, Th, O, Oh, I, Ih as (label, generator) pairs."""
    # the axes are those of a cube, on which the tetrahedron of T stands; I contains this T
    t = (("u", TWOFOLD_Z), ("c", THREEFOLD))
    o = (("r", turn(4)), ("c", THREEFOLD))
    i = (("u", TWOFOLD_Z), ("c", THREEFOLD), ("p", fivefold()))
    inversion = ("i", INVERSION)
    return {
        "Cs": (("h", MIRROR_H),),
        "Ci": (inversion,),
        "T": t,
        "Td": (*t, ("d", DIAGONAL_MIRROR)),
        "Th": (*t, inversion),
        "O": o,
        "Oh": (*o, inversion),
        "I": i,
        "Ih": (*i, inversion),
    }


POLYHEDRAL_NAMES = ("Cs", "Ci", "T", "Td", "Th", "O", "Oh", "I", "Ih")

HERMANN_MAUGUIN = {
    "1": "C1", "-1": "Ci", "2": "C2", "m": "Cs", "2/m": "C2h", "222": "D2", "mm2": "C2v", "mmm": "D2h",
    "4": "C4", "-4": "S4", "4/m": "C4h", "422": "D4", "4mm": "C4v", "-42m": "D2d", "4/mmm": "D4h",
    "3": "C3", "-3": "S6", "32": "D3", "3m": "C3v", "-3m": "D3d", "6": "C6", "-6": "C3h", "6/m": "C6h",
    "622": "D6", "6mm": "C6v", "-6m2": "D3h", "6/mmm": "D6h", "23": "T", "m-3": "Th", "432": "O",
    "-43m": "Td", "m-3m": "Oh",
}  # fmt: skip
"""The 32 crystal classes and their Schoenflies names."""

_OTHER_SETTINGS: dict[str, Recipe] = {
    "2": (("u", diagonal(-1, 1, -1)),),
    "m": (("m", diagonal(1, -1, 1)),),
    "2/m": (("u", diagonal(-1, 1, -1)), ("m", diagonal(1, -1, 1))),
}


def hermann_mauguin(symbol: str) -> Group:
    """A crystal class in its standard setting."""
    across_x = ("m", diagonal(-1, 1, 1))
    settings = _OTHER_SETTINGS | {
        "3m": (("r", turn(3)), across_x),
        "-6m2": (("r", turn(3)), ("u", diagonal(-1, 1, -1)), ("h", MIRROR_H)),
    }
    # these differ from Schoenflies' group by a rotation, the others do not
    if symbol in settings:
        return _named(
            symbol, settings[symbol], CatalogueTerm("crystal setting", (symbol,))
        )
    name = HERMANN_MAUGUIN[symbol]
    # the same group under another name
    base = _by_schoenflies(name)
    return Group(symbol, 3, base.generators, base.labels, term=base.term)


def polyhedral_group(name: str) -> Group:
    return _named(name, polyhedral()[name], CatalogueTerm("polyhedral", (name,)))


def _by_schoenflies(name: str) -> Group:
    if name in POLYHEDRAL_NAMES:
        return polyhedral_group(name)
    digits = "".join(c for c in name if c.isdigit())
    group = schoenflies(name[0], int(digits), name[1 + len(digits) :])
    if group is None:
        raise KeyError(name)
    return group


def _named(name: str, recipe: Recipe, term: CatalogueTerm) -> Group:
    labels = tuple(label for label, _ in recipe)
    generators = tuple(g for _, g in recipe)
    return Group(name, 3, generators, labels, term=term)


def _read_axial(wish: Wish) -> Group | None:
    found = indexed(wish)
    if found is None or not found.spatial:
        return None
    group = schoenflies(found.letter, found.n, found.suffix)
    if group is None:
        hint = ""
        if found.letter == "S" and found.n % 2:
            hint = f"; for odd n this is C{found.n}h"
        known = [word for family in families() for word in family.words]
        raise UnknownNameError(
            "point group",
            wish.text,
            known,
            f"(C_n, C_nv, C_nh, D_n, D_nh, D_nd, S_2n{hint})",
        )
    return group


def _read_polyhedral(wish: Wish) -> Group | None:
    if wish.text not in POLYHEDRAL_NAMES:
        return None
    return polyhedral_group(wish.text)


def _read_crystal(wish: Wish) -> Group | None:
    if wish.text not in HERMANN_MAUGUIN:
        return None
    return hermann_mauguin(wish.text)


register(
    GroupFamily(
        "axial",
        _read_axial,
        (
            (
                "C4v C4h D4h D2d S4 ... (any n), C4, D4 with --dim 3",
                "3",
                "axial point groups, Schoenflies",
            ),
        ),
        ("C4v", "D4h", "D2d"),
        terms=("axial",),
    )
)
register(
    GroupFamily(
        "polyhedral",
        _read_polyhedral,
        (("Cs Ci T Td Th O Oh I Ih", "3", "the other point groups"),),
        POLYHEDRAL_NAMES,
        terms=("polyhedral",),
    )
)
register(
    GroupFamily(
        "crystal",
        _read_crystal,
        (("4mm -43m m-3m ... (all 32)", "3", "crystal classes, Hermann-Mauguin"),),
        tuple(HERMANN_MAUGUIN),
        terms=("crystal setting",),
    )
)
