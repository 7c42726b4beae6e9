r"""The irreps of the polyhedral point groups: T, Td, Th, O, Oh, I, Ih.

Blocks of the solid harmonics of low order; T2 of I is the vector with $\sqrt5 \to -\sqrt5$, and G permutes five
tetrahedra. The E of T and Th, a complex-conjugate pair over C, is one real irrep of complex type.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, exact, identity, integers
from pdobasis.exact.field import radical
from pdobasis.groups.matrices import determinant
from pdobasis.groups.point import polyhedral_group
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.representations.terms import (
    Determinant,
    Tensor,
    Term,
    Trivial,
    Vector,
)

_CUBIC = {
    "A1": (0, (0,)),
    "A2": (3, (1,)),  # xyz
    "E": (2, (2, 4)),  # 2zz - xx - yy, xx - yy
    "T1": (1, (0, 1, 2)),
    "T2": (2, (1, 3, 0)),  # yz, xz, xy
}
"""Order of the harmonics, and which of m = -l … l (for l = 1: x, y, z), on the rotation group O."""

POLYHEDRAL = {
    "T": "chiral",
    "Th": "chiral",
    "O": "full",
    "Oh": "full",
    "Td": "full",
    "I": "ico",
    "Ih": "ico",
}


def polyhedral_irreps(name: str) -> dict[str, Term]:
    """Mulliken names to formulas, for the groups of POLYHEDRAL."""
    out: dict[str, Term] = {}
    for suffix, parity in _parities(name).items():
        for mulliken, term in _rotational(name, parity).items():
            out[mulliken + suffix] = term
    return out


def _parities(name: str) -> dict[str, int | None]:
    """The suffix of a name to the sign of inversion."""
    if name.endswith("h"):
        return {"g": 0, "u": 1}
    # Td lies in Oh and is isomorphic to O: its irreps are the even ones of Oh, restricted
    if name == "Td":
        return {"": 0}
    return {"": None}


def _rotational(name: str, parity: int | None) -> dict[str, Term]:
    """The irreps of the group of rotations, continued with a parity."""
    if POLYHEDRAL[name] == "ico":
        return _icosahedral(parity)
    found = {}
    for mulliken, (degree, rows) in _CUBIC.items():
        found[mulliken] = _harmonic(degree, rows, parity)
    if POLYHEDRAL[name] == "full":
        return found
    # T has index 2 in O: A1 and A2 become the same on it, and so do T1 and T2
    return {"A": found["A1"], "E": found["E"], "T": found["T1"]}


class FiniteTerm(Term):
    """A formula that holds on a finite group only."""

    def derivative(self, x: ExactArray) -> ExactArray:
        raise RepresentationError("this irrep belongs to a finite group")


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

    @property
    def effort(self) -> int:
        return self.inner.effort


@dataclass(frozen=True, slots=True)
class Cubic(FiniteTerm):
    r"""A block of harmonics at matrices that permute the axes up to signs, $(gx)_k = \varepsilon_k x_{\pi(k)}$.

    With $\varepsilon = \varepsilon_1 \varepsilon_2 \varepsilon_3$ the product xyz goes to $\varepsilon\,xyz$, and what
    is left of it without $x_k$ to $\varepsilon\,\varepsilon_k$ times that without $x_{\pi(k)}$; squares are permuted.
    Other matrices are asked for their harmonics.
    """

    block: Part
    degree: int
    parity: int

    def at(self, g: ExactArray) -> ExactArray:
        found = _permuted_axes(g)
        if found is None:
            return self.block.at(g)
        to, signs = found
        factor, whole = 1, signs[0] * signs[1] * signs[2]
        if (self.degree + self.parity) % 2:
            factor = whole * _sign_of(to)
        if self.degree == 3:
            return integers([[factor * whole]], _OF_ORDER[3])
        if self.block.rows == _CUBIC["E"][1]:
            return _on_squares(to, factor)
        table = [[0, 0, 0] for _ in to]
        for k, j in enumerate(to):
            table[k][j] = factor * whole * signs[k]
        return integers(table, _OF_ORDER[2])

    @property
    def effort(self) -> int:
        return self.degree


def _permuted_axes(g: ExactArray) -> tuple[list[int], list[int]] | None:
    """The places and signs of the entries of every row; None where one has others than 1 or -1, or several."""
    if g.denominator != 1 or not g.field.is_rational:
        return None
    to, signs = [], []
    for row in g.numerators[..., 0].tolist():
        places = [j for j, v in enumerate(row) if v]
        if len(places) != 1 or row[places[0]] not in (1, -1):
            return None
        to += places
        signs.append(row[places[0]])
    return to, signs


def _sign_of(to: list[int]) -> int:
    """Of a permutation of three: 1 for the cyclic ones."""
    return 1 if (to[1] - to[0]) % 3 == 1 else -1


_OF_ORDER = {2: radical(3), 3: radical(6, 10)}
"""The fields of orthonormal harmonics: fingerprints of layers tell over which one numbers are written."""
_SQUARES = ((-1, -1, 2), (1, -1, 0))
"""E on xx, yy, zz; in an orthonormal basis the rows are divided by sqrt(6) and sqrt(2)."""


def _on_squares(to: list[int], factor: int) -> ExactArray:
    r"""$D_{ab} = \sum_k f_a(k) f_b(\pi(k))$ for the rows f, times a sign."""
    (a, b), (c, d) = (
        [factor * sum(x[k] * y[j] for k, j in enumerate(to)) for y in _SQUARES]
        for x in _SQUARES
    )
    # 1/6, 1/2, and 1/sqrt(12) = sqrt(3)/6
    numerators = np.array([[[a, 0], [0, b]], [[0, c], [3 * d, 0]]])
    return exact(numerators, 6, _OF_ORDER[2])


@dataclass(frozen=True, slots=True)
class Conjugate(FiniteTerm):
    r"""The irrep T2 of the icosahedral groups: $\det(g)\,g$ with $\sqrt5 \to -\sqrt5$; ``parity`` as in Spherical."""

    parity: int

    def at(self, g: ExactArray) -> ExactArray:
        wide = _rotation_of(g).over(radical(5))
        # an automorphism of the field: it sends a representation to a representation
        numerators = np.array(wide.numerators)
        numerators[..., 1] *= -1
        return _with_parity(
            exact(numerators, wide.denominator, wide.field), g, self.parity
        )

    @property
    def effort(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class FiveTetrahedra(FiniteTerm):
    """The irrep G: how five tetrahedra are permuted, less the trivial part, in an orthonormal basis."""

    parity: int

    def at(self, g: ExactArray) -> ExactArray:
        return _with_parity(_on_tetrahedra(_rotation_of(g)), g, self.parity)

    @property
    def effort(self) -> int:
        # what permutes the tetrahedra is found in the whole group
        return 4


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
    match degree, parity:
        case 0, 0:
            return Trivial()
        case 0, _:
            return Determinant()
        case 1, 0:
            return Tensor(Vector(), Determinant())
        case 1, _:
            return Vector()
    return Cubic(Part(Spherical(degree, parity, "standard"), rows), degree, parity)


_PERMUTED = ((0, 2, 1, 4, 3), (0, 3, 1, 2, 4), (1, 2, 4, 0, 3))
"""Where the generators of I take the tetrahedra, the cosets of T in I; written down, since G is often asked for."""


def _on_tetrahedra(rotation: ExactArray) -> ExactArray:
    """G at an element of I: most often 1 or a generator, for which no elements are listed."""
    found = _tetrahedra()
    for g, image in zip(found.group.generators, found.generators, strict=True):
        if g.equals(rotation):
            return image
    if rotation.equals(identity(3)):
        return identity(4)
    return found.at(rotation)


@remembered
def _tetrahedra() -> Representation:
    r"""$B^T \pi(g) B$ on the rotation group I, B four columns of the reflection $e_5 \to (1, …, 1)/\sqrt5$."""
    group = polyhedral_group("I")
    permuted = Representation(group, "tetrahedra", 5, permutations=_PERMUTED)
    field = radical(5)
    # 1/sqrt(5) = sqrt(5)/5
    root = exact(np.array([0, 1]), 5, field)
    v = integers([0, 0, 0, 0, 1], field) - integers([1, 1, 1, 1, 1], field) * root
    row, column = v.reshape(1, 5), v.reshape(5, 1)
    length = (row @ column).inverse().scale(2)
    reflected = identity(5, field) - (column @ length) @ row
    # the last column is (1, …, 1)/sqrt(5), which is invariant: the others span its complement
    columns = reflected[:, :4]
    images = tuple(columns.T @ m.over(field) @ columns for m in permuted.matrices())
    return from_matrices(group, "G", 4, images)


def _rotation_of(g: ExactArray) -> ExactArray:
    """g or -g: in space det(-g) = -det(g)."""
    return g * determinant(g).reshape(1, 1)


def _with_parity(value: ExactArray, g: ExactArray, parity: int) -> ExactArray:
    if parity:
        return value * determinant(g).reshape(1, 1)
    return value
