"""Finite and continuous subgroups of O(2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pdobasis.groups.group import Family, Group
from pdobasis.groups.matrices import mirror, reflection, rotation, unit


def cyclic(n: int) -> Group:
    """C_N: rotations by 2 pi / N."""
    return Group(f"C{n}", 2, (rotation(Fraction(2, n)),), ("r",), family=Family("cyclic", n))


def dihedral(n: int, axis: Fraction = Fraction(0)) -> Group:
    """D_N, of order 2N: C_N and the mirror line at angle axis * pi."""
    generators = (rotation(Fraction(2, n)), mirror(axis))
    return Group(f"D{n}{_axis(axis)}", 2, generators, ("r", "f"), family=Family("dihedral", n, axis))


def flip(axis: Fraction = Fraction(0)) -> Group:
    return Group(f"flip{_axis(axis)}", 2, (mirror(axis),), ("f",), family=Family("flip", 2, axis))


def flip_normal(normal: Sequence[int]) -> Group:
    """The reflection in any dimension that turns the given vector round."""
    name = f"flip(normal={','.join(map(str, normal))})"
    return Group(name, len(normal), (reflection(normal),), ("f",), family=Family("flip", len(normal)))


def so2() -> Group:
    return Group("SO(2)", 2, (), (), (unit(2, 1, 0) - unit(2, 0, 1),), Family("SO", 2))


def o2(axis: Fraction = Fraction(0)) -> Group:
    name = f"O(2,{_angle(axis)})" if axis else "O(2)"
    return Group(name, 2, (mirror(axis),), ("f",), so2().lie, Family("O", 2, axis))


def _axis(axis: Fraction) -> str:
    return f"({_angle(axis)})" if axis else ""


def _angle(axis: Fraction) -> str:
    top = "pi" if axis.numerator == 1 else f"{axis.numerator}*pi"
    return top if axis.denominator == 1 else f"{top}/{axis.denominator}"
