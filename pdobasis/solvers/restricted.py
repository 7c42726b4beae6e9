r"""Finite groups that are asked as all rotations are: over Q, and with their closed forms.

A symbol of order n is an invariant vector in $\rho_{out} \otimes \rho_{in}^* \otimes \mathrm{Sym}^n$. By their
formulas tensors and irreps are representations of K = SO(2), O(2), SO(3) or O(3), too, and this is a sum of irreps of K
whose weights are at most those of the three factors together. The first irrep of K, beside the trivial one, in which a
subgroup G leaves a vector has weight N for C_N and D_N, and 6 for I and Ih (the product of the six axes through the
vertices of the icosahedron). As long as all weights are below, what G leaves K leaves, and both ask for the same.

The answer keeps its bytes where there is one symbol of an order at most, or where both sides are irreps in the bases of
the catalogue, whose symbols are those of the constraint, in echelon form.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import identity
from pdobasis.exact.field import RATIONALS, Field, join, radical
from pdobasis.groups.classical import orthogonal, special_orthogonal
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.planar import o2, so2
from pdobasis.operators.symbols import Symbols, over, renumber
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.formal import Formal, formal, in_space, of_rotations
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.named import irreps_of, spherical_name
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Determinant, Tensor, Term, Trivial, Vector
from pdobasis.solvers.batch import Task
from pdobasis.solvers.module import Angular
from pdobasis.solvers.reducible import SMALL
from pdobasis.values import dataclass

INVARIANT = 6
"""The first order of harmonics, beside 0, that has an invariant of I."""
TOP = 2
"""Harmonics of SO(3) up to this order are irreps of I."""

Pair = tuple[Representation, Representation]


@dataclass(frozen=True, slots=True, eq=False)
class Restricted:
    """Two representations of K, and the field in which G has the symbols between them."""

    pair: Pair
    group: Group
    field: Field

    def irreps(self, found: list[Angular], pair: Pair) -> list[Symbols]:
        """Between irreps of G: all over one field, and scaled as the solutions of its constraint are."""
        out = []
        for own in found:
            part = over(own.symbols, self.field)
            if part.size == 1 and (part.order < 2 or _permute(pair)):
                part = from_one(part, Task(*pair, part.order))
            out.append(part)
        return out

    def sums(self, found: list[Angular]) -> list[Angular]:
        """Between sums: the irreps have their names in G, and come in its order."""
        names = _names(self.group, self.pair[0].group)
        places = {name: k for k, name in enumerate(irreps_of(self.group, 0))}
        out = []
        none = self.group.field
        rows, columns = found[0].symbols.shape
        if rows * columns <= SMALL and not any(own.irreps for own in found):
            # no map between irreps and sums was asked for, and so no field of one
            none = RATIONALS
        for own in found:
            labels = [(names[a], names[b]) for a, b in own.irreps]
            keys = [(places[b], places[a]) for a, b in labels]
            order = sorted(range(len(labels)), key=keys.__getitem__)
            field = self.field if labels else none
            part = own.symbols
            if order != list(range(len(labels))):
                ranks = np.argsort(np.array(order))
                part = renumber(part, ranks, part.size)
            out.append(Angular(over(part, field), tuple(labels[k] for k in order)))
        return out


def restricted(
    rep_in: Representation, rep_out: Representation, order: int, *, are_irreps: bool
) -> Restricted | None:
    """None where G may ask for less than K, or its irreps are not those of K in the same bases."""
    group = rep_in.group
    if group.term is None or group.field.is_rational:
        return None
    found = _rotations(group.term)
    if found is None:
        return None
    whole, first = found
    source, target = (_side(rep, are_irreps=are_irreps) for rep in (rep_in, rep_out))
    if source is None or target is None:
        return None
    if source.top + target.top + order >= first:
        return None
    if are_irreps and group.dim == 2 <= order and _may_be_two(rep_in, rep_out):
        return None
    field = reduce(join, (rep_in.field, rep_out.field), group.field)
    if not are_irreps:
        if group.dim == 2 or not all(own.is_told(whole) for own in (source, target)):
            return None
        # the irrep of order 2 has an orthonormal basis
        if max(source.top, target.top) == TOP:
            field = join(field, radical(3))
    pair = (
        _turned(group.term, source.term, rep_in.spec),
        _turned(group.term, target.term, rep_out.spec),
    )
    return Restricted(pair, group, field)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A representation by a formula that K has, too, and its weights there."""

    term: Term
    weights: Formal

    @property
    def top(self) -> int:
        return max((k for k, _ in self.weights), default=0)

    def is_told(self, whole: Group) -> bool:
        """Whether all irreps are those of I, and that of order 2, which has another basis there, occurs once at most.

        Two of them would be told apart by the basis.
        """
        count = {0: 0, 1: 0}
        for (k, parity), times in self.weights.items():
            if k == TOP:
                # without inversion a parity says nothing
                count[parity if whole.generators else 0] += times
        return self.top <= TOP and max(count.values()) <= 1


def _side(rep: Representation, *, are_irreps: bool) -> _Side | None:
    """In space an irrep has the formula of the catalogue, which gives the same matrices."""
    term = rep.term
    if are_irreps and rep.group.dim == 3:
        term = irreps_of(rep.group, 0)[irrep_name(rep)]
    if term is None or rep.hypothesis.assumed or rep.hypothesis.cover:
        return None
    leaf = of_rotations if rep.group.dim == 2 else in_space
    weights = formal(term, leaf)
    if weights is None:
        return None
    return _Side(term, weights)


@remembered
def _rotations(term: CatalogueTerm) -> tuple[Group, int] | None:
    """K, and the weight from which G leaves more than K does."""
    match term.family, term.arguments:
        case "cyclic", (int(n),):
            return so2(), n
        case "dihedral", (int(n), Fraction() as axis):
            return o2(axis), n
        case "polyhedral", ("I",):
            return special_orthogonal(3), INVARIANT
        case "polyhedral", ("Ih",):
            return orthogonal(3), INVARIANT
    return None


@remembered
def _turned(name: CatalogueTerm, term: Term, spec: str) -> Representation:
    """Of the K of a group with this name."""
    found = _rotations(name)
    if found is None:
        raise ValueError(f"{name} is no group of rotations")
    return from_term(found[0], term, spec)


@remembered
def _names(group: Group, whole: Group) -> dict[str, str]:
    """From the irreps of K to those of G that are their restrictions."""
    out = {}
    for name, term in irreps_of(group, 0).items():
        match term:
            case Trivial():
                own = Spherical(0, 0)
            case Determinant():
                own = Spherical(0, 1)
            case Vector():
                own = Spherical(1, 1)
            case Tensor(Vector(), Determinant()):
                own = Spherical(1, 0)
            case Spherical():
                own = term
            case _:
                continue
        out[spherical_name(whole, own)] = name
    return out


def _may_be_two(rep_in: Representation, rep_out: Representation) -> bool:
    """Whether several harmonic symbols of an order are those of a constraint with the Laplacian, in echelon form."""
    return _permute((rep_in, rep_out)) and rep_in.size * rep_out.size > 1


def _permute(pair: Pair) -> bool:
    return any(rep.is_permutation for rep in pair)


def from_one(part: Symbols, task: Task) -> Symbols:
    """One element, whose first coefficient is 1 in the order of the unknowns of a task."""
    sides = (part.row, part.column) if task.is_row_major else (part.column, part.row)
    first = int(np.lexsort(sides[::-1])[0])
    values = part.coefficients
    number = values[first, int(values.nonzero_mask()[first].argmax())].reshape(1, 1)
    if number.equals(identity(1)):
        return part
    return replace(part, coefficients=values * number.inverse())
