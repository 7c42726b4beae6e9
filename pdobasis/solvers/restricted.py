r"""Irreps of finite groups of the plane that are asked as all rotations are: over Q, and with their closed forms.

A symbol of order n is an invariant vector in $\rho_{out} \otimes \rho_{in}^* \otimes \mathrm{Sym}^n$. By its formula an
irrep is a representation of K = SO(2) or O(2), too, and this is a sum of irreps of K whose weights are at most those of
the three factors together. The first irrep of K, beside the trivial one, in which $C_N$ or $D_N$ leaves a vector has
weight N. As long as all weights are below, what G leaves K leaves, and both ask for the same.

The answer keeps its bytes where there is one symbol of an order at most: irreps are in the bases of the catalogue, and
their symbols those of the constraint, in echelon form.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import identity
from pdobasis.exact.field import Field, join
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.groups.planar import o2, so2
from pdobasis.operators.symbols import Symbols, over
from pdobasis.representations.formal import Formal, formal, of_rotations
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Term
from pdobasis.solvers.batch import Task
from pdobasis.solvers.module import Angular
from pdobasis.values import dataclass

Pair = tuple[Representation, Representation]


@dataclass(frozen=True, slots=True, eq=False)
class Restricted:
    """Two representations of K, and the field in which G has the symbols between them."""

    pair: Pair
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


def restricted(
    rep_in: Representation, rep_out: Representation, order: int
) -> Restricted | None:
    """Of two irreps; None where G may ask for less than K, or where they are none of K."""
    group = rep_in.group
    if group.term is None or group.field.is_rational:
        return None
    found = _rotations(group.term)
    if found is None:
        return None
    _, first = found
    source, target = _side(rep_in), _side(rep_out)
    if source is None or target is None:
        return None
    if source.top + target.top + order >= first:
        return None
    if order >= 2 and _may_be_two(rep_in, rep_out):
        return None
    field = reduce(join, (rep_in.field, rep_out.field), group.field)
    pair = (
        _turned(group.term, source.term, rep_in.spec),
        _turned(group.term, target.term, rep_out.spec),
    )
    return Restricted(pair, field)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A representation by a formula that K has, too, and its weights there."""

    term: Term
    weights: Formal

    @property
    def top(self) -> int:
        return max((k for k, _ in self.weights), default=0)


def _side(rep: Representation) -> _Side | None:
    term = rep.term
    if term is None or rep.hypothesis.assumed or rep.hypothesis.cover:
        return None
    weights = formal(term, of_rotations)
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
    return None


@remembered
def _turned(name: CatalogueTerm, term: Term, spec: str) -> Representation:
    """Of the K of a group with this name."""
    found = _rotations(name)
    if found is None:
        raise ValueError(f"{name} is no group of rotations")
    return from_term(found[0], term, spec)


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
