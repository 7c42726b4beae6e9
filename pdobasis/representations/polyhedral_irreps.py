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
from pdobasis.groups.point import polyhedral, polyhedral_group
from pdobasis.representations.finite import quotient
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
        return _with_parity(_tetrahedra().at(_rotation_of(g)), g, self.parity)

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
    return Part(Spherical(degree, parity, "standard"), rows)


@remembered
def _tetrahedra() -> Representation:
    r"""$B^T \pi(g) B$ on the rotation group I, B four columns of the reflection $e_5 \to (1, …, 1)/\sqrt5$."""
    group = polyhedral_group("I")
    permuted = quotient(group, [g for _, g in polyhedral()["T"]], "tetrahedra")
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
