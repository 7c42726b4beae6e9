r"""The irreps of the point groups of space, by their Mulliken names.

*Axial groups.* Every element is $g = h \oplus s$ with $h \in O(2)$ and $s = \pm 1$, and h runs through $C_N$ or
$D_N$. So the irreps are those of the plane at h, times $s^p$ where s is free (C_nh, D_nh). Names: A or B by the sign
of the principal rotation (of $S_{2n}$ in S_2n and D_nd, n even), 1 or 2 by the sign of the mirror v or the twofold
axis u along $x_1$, g or u by inversion, ' or '' by the horizontal mirror where there is no inversion; D_2 and D_2h
call the twofold axes z, y, x by B1, B2, B3.

*Polyhedral groups.* Blocks of the solid harmonics of low order; T2 of I is the vector with $\sqrt5 \to -\sqrt5$, G
permutes the five tetrahedra. An E that would be a complex-conjugate pair over C is one real irrep of complex type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np

from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, exact, identity, integers
from pdobasis.exact.field import radical
from pdobasis.groups import planar
from pdobasis.groups.group import Group
from pdobasis.groups.point import HERMANN_MAUGUIN, polyhedral, polyhedral_group
from pdobasis.representations.finite import quotient
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.irreps import planar_irreps
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.representations.terms import Determinant, Planar, Tensor, Term, Trivial, Vector, compound

_CUBIC = {
    "A1": (0, (0,)),
    "A2": (3, (1,)),  # xyz
    "E": (2, (2, 4)),  # 2zz - xx - yy, xx - yy
    "T1": (1, (0, 1, 2)),
    "T2": (2, (1, 3, 0)),  # yz, xz, xy
}
"""Order of the harmonics, and which of m = -l … l (for l = 1: x, y, z), on the rotation group O."""

_POLYHEDRAL = {"T": "chiral", "Th": "chiral", "O": "full", "Oh": "full", "Td": "full", "I": "ico", "Ih": "ico"}


def point_irreps(group: Group) -> dict[str, Term]:
    """Mulliken names to formulas; empty for groups that are no point group of the catalogue."""
    if group.family.name != "point" or group.dim != 3:
        return {}
    name = HERMANN_MAUGUIN.get(group.name, group.name)
    if name == "Cs":
        name = "C1h"
    if name == "Ci":
        name = "S2"
    if name in _POLYHEDRAL:
        return _polyhedral_irreps(name)
    match = re.fullmatch(r"([CDS])(\d+)([vhd]?)", name)
    if match is None:
        return {}
    return _axial_irreps(_Axial(match.group(1), int(match.group(2)), match.group(3)), _frame(group.name))


class FiniteTerm(Term):
    """A formula that holds on a finite group only."""

    def derivative(self, x: ExactArray) -> ExactArray:
        raise RepresentationError("this irrep belongs to a finite group")


@dataclass(frozen=True, slots=True)
class Axial(FiniteTerm):
    """A planar irrep at h times s^power, for g = h + s in the frame whose columns are the new axes."""

    planar: Term
    power: int
    frame: ExactArray

    def at(self, g: ExactArray) -> ExactArray:
        turned = self.frame.T @ g @ self.frame
        value = self.planar.at(turned[:2, :2])
        return value * turned[2, 2].reshape(1, 1) if self.power else value


@dataclass(frozen=True, slots=True)
class Part(Term):
    """Some rows and columns of a representation, in a basis where they are a summand of it."""

    inner: Term
    rows: tuple[int, ...]

    def at(self, g: ExactArray) -> ExactArray:
        index = np.array(self.rows)
        return self.inner.at(g)[index[:, None], index[None, :]]

    def derivative(self, x: ExactArray) -> ExactArray:
        index = np.array(self.rows)
        return self.inner.derivative(x)[index[:, None], index[None, :]]


@dataclass(frozen=True, slots=True)
class Conjugate(FiniteTerm):
    r"""The irrep T2 of the icosahedral groups: $\det(g)\,g$ with $\sqrt5 \to -\sqrt5$; ``parity`` as in Spherical."""

    parity: int

    def at(self, g: ExactArray) -> ExactArray:
        wide = _rotation_of(g).over(radical(5))
        numerators = np.array(wide.numerators)
        numerators[..., 1] *= -1
        return _with_parity(exact(numerators, wide.denominator, wide.field), g, self.parity)


@dataclass(frozen=True, slots=True)
class FiveTetrahedra(FiniteTerm):
    """The irrep G: how five tetrahedra are permuted, less the trivial part, in an orthonormal basis."""

    parity: int

    def at(self, g: ExactArray) -> ExactArray:
        return _with_parity(_tetrahedra().at(_rotation_of(g)), g, self.parity)


@dataclass(frozen=True, slots=True)
class _Axial:
    letter: str
    n: int
    suffix: str

    @property
    def doubled(self) -> bool:
        """Whether h runs through rotations by half of the principal one (S_2n and D_nd)."""
        return self.letter == "S" or self.suffix == "d"

    @property
    def turns(self) -> int:
        """N, where h runs through C_N or D_N."""
        return 2 * self.n if self.suffix == "d" else self.n

    @property
    def dihedral(self) -> bool:
        return self.letter == "D" or self.suffix == "v"

    @property
    def free(self) -> bool:
        """Whether s does not follow from h."""
        return self.suffix == "h"

    @property
    def inverts(self) -> bool:
        """Whether -1 = R(pi) + (-1) is in the group."""
        return (self.turns // 2 % 2 == 1) if self.doubled else (self.free and self.n % 2 == 0)

    @property
    def by_axes(self) -> bool:
        return self.letter == "D" and self.n == 2 and self.suffix in ("", "h")

    def index(self, k: int) -> int:
        """The number of an E of frequency k, by the principal rotation."""
        half = self.turns // 2
        return min(k % half, -k % half) if self.doubled and self.inverts else k

    def letters(self, j: int, k: int, power: int, *, double: bool, several: bool) -> str:
        """The Mulliken name of frequency k, parity j under f, and s^power."""
        sign = j + (power if self.letter == "D" else 0)
        if double:
            name = f"E{self.index(k)}" if several else "E"
        elif self.by_axes:
            name = {(0, 0): "A", (0, 1): "B1", (1, 1): "B2", (1, 0): "B3"}[k, sign % 2]
        else:
            name = "B" if k and not (self.doubled and self.inverts) else "A"
            name += str(1 + sign % 2) if self.dihedral else ""
        if self.inverts:
            return name + "gu"[(k + power) % 2]
        return name + "'" * (1 + power) if self.free else name


def _axial_irreps(group: _Axial, frame: ExactArray) -> dict[str, Term]:
    base = planar.dihedral(group.turns) if group.dihedral else planar.cyclic(group.turns)
    inner = planar_irreps(base, group.turns)
    frequencies = {group.index(key[-1]) for key, term in inner.items() if isinstance(term, Planar)}
    out: dict[str, Term] = {}
    for power in (0, 1) if group.free else (0,):
        for key, term in inner.items():
            j = key[0] if group.dihedral and len(key) == 2 else 0
            double = isinstance(term, Planar)
            name = group.letters(j, key[-1], power, double=double, several=len(frequencies) > 1)
            out[name] = Axial(term, power, frame)
    return dict(sorted(out.items(), key=lambda item: _rank(item[0])))


def _frame(name: str) -> ExactArray:
    """New axes as columns, for the settings of Hermann-Mauguin that differ from Schoenflies."""
    if name in ("2", "m", "2/m"):
        return integers([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    if name in ("3m", "-6m2"):
        return integers([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    return identity(3)


def _rank(name: str) -> tuple[int, int, str]:
    """g before u, ' before '', then A, B, E, T, G, H."""
    late = name.endswith(("u", "''"))
    return int(late), "ABETGH".index(name[0]), name


def _polyhedral_irreps(name: str) -> dict[str, Term]:
    parities: dict[str, int | None] = {"g": 0, "u": 1} if name.endswith("h") else {"": 0 if name == "Td" else None}
    out: dict[str, Term] = {}
    for suffix, parity in parities.items():
        if _POLYHEDRAL[name] == "ico":
            out |= {f"{k}{suffix}": v for k, v in _icosahedral(parity).items()}
            continue
        for mulliken, (degree, rows) in _CUBIC.items():
            if _POLYHEDRAL[name] == "chiral" and mulliken in ("A2", "T2"):
                continue
            short = mulliken.rstrip("12") if _POLYHEDRAL[name] == "chiral" else mulliken
            out[short + suffix] = _harmonic(degree, rows, parity)
    return out


def _icosahedral(parity: int | None) -> dict[str, Term]:
    return {
        "A": _harmonic(0, (0,), parity),
        "T1": _harmonic(1, (0, 1, 2), parity),
        "T2": Conjugate(parity or 0),
        "G": FiveTetrahedra(parity or 0),
        "H": Spherical(2, parity or 0, "standard"),
    }


def _harmonic(degree: int, rows: tuple[int, ...], parity: int | None) -> Term:
    """A block of the harmonics of O(3) with this parity; None for groups of rotations, where it makes no difference."""
    if parity is None:
        parity = degree % 2
    if degree == 0:
        return Determinant() if parity else Trivial()
    if degree == 1:
        return Vector() if parity else Tensor(Vector(), Determinant())
    return Part(Spherical(degree, parity, "standard"), rows)


@cache
def _tetrahedra() -> Representation:
    r"""$B^T \pi(g) B$ on the rotation group I, B four columns of the reflection $e_5 \to (1, …, 1)/\sqrt5$."""
    group = polyhedral_group("I")
    permuted = quotient(group, [g for _, g in polyhedral()["T"]], "tetrahedra")
    field = radical(5)
    root = exact(np.array([0, 1]), 5, field)  # 1/sqrt(5)
    v = integers([0, 0, 0, 0, 1], field) - integers([1, 1, 1, 1, 1], field) * root
    length = (v.reshape(1, 5) @ v.reshape(5, 1)).inverse().scale(2)
    reflected = identity(5, field) - (v.reshape(5, 1) @ length) @ v.reshape(1, 5)
    columns = reflected[:, :4]
    images = tuple(columns.T @ m.over(field) @ columns for m in permuted.matrices())
    return from_matrices(group, "G", 4, images)


def _rotation_of(g: ExactArray) -> ExactArray:
    return g * compound(g, 3)


def _with_parity(value: ExactArray, g: ExactArray, parity: int) -> ExactArray:
    return value * compound(g, 3) if parity else value
