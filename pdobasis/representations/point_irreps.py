r"""The irreps of the point groups of space, by their Mulliken names.

*Axial groups.* Every element is $g = h \oplus s$ with $h \in O(2)$ and $s = \pm 1$, and h runs through $C_N$ or
$D_N$. So the irreps are those of the plane at h, times $s^p$ where s is free (C_nh, D_nh). Names: A or B by the sign
of the principal rotation (of $S_{2n}$ in S_2n and D_nd, n even), 1 or 2 by the sign of the mirror v or the twofold
axis u along $x_1$, g or u by inversion, ' or '' by the horizontal mirror where there is no inversion; D_2 and D_2h
call the twofold axes z, y, x by B1, B2, B3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, integers
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.planar import PlanarShape
from pdobasis.representations.irreps import irreps_of_shape
from pdobasis.representations.polyhedral_irreps import FiniteTerm, polyhedral_irreps
from pdobasis.representations.terms import Planar, Term

SETTINGS: dict[str, tuple[str, int, str, tuple[tuple[int, int, int], ...]]] = {
    "2": ("C", 2, "", ((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    "m": ("C", 1, "h", ((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    "2/m": ("C", 2, "h", ((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    "3m": ("C", 3, "v", ((0, -1, 0), (1, 0, 0), (0, 0, 1))),
    "-6m2": ("D", 3, "h", ((0, -1, 0), (1, 0, 0), (0, 0, 1))),
}
"""Settings of Hermann-Mauguin that differ from Schoenflies: the axial group, and its axes as columns."""


def point_irreps(group: Group) -> dict[str, Term]:
    """Mulliken names to formulas; empty for groups that are no point group of the catalogue."""
    term = group.term
    if term is None:
        return {}
    shape = axial_group(term)
    if shape is not None:
        frame = None
        if term.family == "crystal setting":
            frame = integers(SETTINGS[str(term.arguments[0])][3])
        return dict(axial_irreps(shape, frame))
    if term.family == "polyhedral":
        return polyhedral_irreps(str(term.arguments[0]))
    return {}


def axial_group(term: CatalogueTerm) -> AxialGroup | None:
    """Which one it is, in whatever frame; None for others."""
    match term.family, term.arguments:
        case "polyhedral", ("Cs",):
            return AxialGroup("C", 1, "h")
        case "polyhedral", ("Ci",):
            return AxialGroup("S", 2, "")
        case "axial", (str(letter), int(n), str(suffix)):
            return AxialGroup(letter, n, suffix)
        case "crystal setting", (str(symbol),):
            letter, n, suffix, _ = SETTINGS[symbol]
            return AxialGroup(letter, n, suffix)
    return None


@dataclass(frozen=True, slots=True)
class Axial(FiniteTerm):
    """A planar irrep at h times s^power, for g = h + s in the frame whose columns are the new axes, where it is new."""

    planar: Term
    power: int
    frame: ExactArray | None

    def at(self, g: ExactArray) -> ExactArray:
        turned = g
        if self.frame is not None:
            turned = self.frame.T @ g @ self.frame
        value = self.planar.at(turned[:2, :2])
        if self.power:
            value = value * turned[2, 2].reshape(1, 1)
        return value


@dataclass(frozen=True, slots=True)
class AxialGroup:
    """C_n, C_nv, C_nh, S_2n, D_n, D_nh or D_nd."""

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
        if self.suffix == "d":
            return 2 * self.n
        return self.n

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
        if self.doubled:
            # the rotoreflection by 2 pi / N has s = -1, so R(pi) = R(2 pi / N)^(N/2) comes with (-1)^(N/2)
            return self.turns // 2 % 2 == 1
        return self.free and self.n % 2 == 0

    @property
    def by_axes(self) -> bool:
        """Whether there are three twofold axes and none of them is the principal one."""
        return self.letter == "D" and self.n == 2 and self.suffix in ("", "h")

    def index(self, k: int) -> int:
        """The number of an E of frequency k, by the principal rotation."""
        if not self._times_inversion:
            return k
        half = self.turns // 2
        return min(k % half, -k % half)

    @property
    def _times_inversion(self) -> bool:
        """S_2n and D_nd with n odd: they are C_n and D_n times inversion, and are named by the rotation of order n."""
        return self.doubled and self.inverts

    def single_name(self, j: int, k: int, power: int) -> str:
        """The letters of an irrep of size one: frequency k (0 or N/2), parity j under f, and s^power."""
        sign = j
        # the twofold axis u along x1 is diag(1, -1) in the plane and turns x3 round
        if self.letter == "D":
            sign += power
        sign %= 2
        if self.by_axes:
            return _BY_AXES[k, sign]
        letter = "A"
        if k and not self._times_inversion:
            letter = "B"
        if self.dihedral:
            letter += str(1 + sign)
        return letter

    def parity_name(self, k: int, power: int) -> str:
        """g or u by inversion, else ' or '' by the horizontal mirror."""
        if self.inverts:
            # inversion is R(pi) and s = -1
            return "gu"[(k + power) % 2]
        if self.free:
            return "'" * (1 + power)
        return ""


_BY_AXES = {
    (0, 0): "A",
    (0, 1): "B1",
    (1, 1): "B2",
    (1, 0): "B3",
}
"""D_2 and D_2h, by the frequency (the sign of the axis z) and the sign of the axis x."""


@remembered
def axial_irreps(
    group: AxialGroup, frame: ExactArray | None = None
) -> dict[str, Axial]:
    """By Mulliken's names, in their order."""
    axis = None
    if group.dihedral:
        axis = Fraction(0)
    inner = irreps_of_shape(PlanarShape(group.turns, axis), group.turns)
    indices = {
        group.index(key[-1]) for key, term in inner.items() if isinstance(term, Planar)
    }
    powers = [0]
    if group.free:
        powers.append(1)
    out: dict[str, Axial] = {}
    for power in powers:
        for key, term in inner.items():
            # (k,) without mirrors, (j, k) with them
            *j, k = key
            if not isinstance(term, Planar):
                name = group.single_name(sum(j), k, power)
            elif len(indices) > 1:
                name = f"E{group.index(k)}"
            else:
                name = "E"
            name += group.parity_name(k, power)
            out[name] = Axial(term, power, frame)
    return {name: out[name] for name in sorted(out, key=_rank)}


def _rank(name: str) -> tuple[int, int, str]:
    """g before u, ' before '', then A, B, E, T, G, H."""
    late = name.endswith(("u", "''"))
    return int(late), "ABETGH".index(name[0]), name
