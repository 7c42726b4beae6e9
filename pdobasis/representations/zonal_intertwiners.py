"""The maps from an irrep of SO(3) or O(3) to a large representation, lifted from what they are modulo primes."""

from __future__ import annotations

from functools import reduce

import numpy as np

from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray, zeros
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.groups.classical import turns_space
from pdobasis.groups.lie import generating_indices
from pdobasis.linear.dense_residues import Residues
from pdobasis.linear.lane_stages import TooLargeError
from pdobasis.linear.lifted_span import echelon_of_span
from pdobasis.linear.sparse import Sparse, to_dense
from pdobasis.representations.decomposition import decomposition, irrep_name
from pdobasis.representations.rational_bases import (
    RationalBasis,
    rational_basis,
    rooted,
)
from pdobasis.representations.representation import Representation
from pdobasis.representations.zonal_maps import maps_from_irreps

MAX_CELLS = 40_000_000
"""Numbers of all maps, zeros as well."""


def by_zonal_vectors(irrep: Representation, rep: Representation) -> ExactArray | None:
    """All T with T psi(g) = rho(g) T in echelon form, (number, size of rep, of the irrep).

    None where it is no irrep, bases are not known to be rational up to square roots, or the maps are too many.
    """
    if turns_space(rep.group) is None:
        return None
    source, target = rational_basis(irrep), rational_basis(rep)
    name = irrep_name(irrep)
    if source is None or target is None or not name:
        return None
    found = decomposition(target.rep)
    if found is None:
        return None
    times = sum(s.multiplicity for s in found.summands if s.name == name)
    unknowns = irrep.size * rep.size
    if times * unknowns > MAX_CELLS:
        return None
    field = _field(irrep, rep)
    if not times:
        return zeros((0, rep.size, irrep.size), field)
    degrees = tuple(sorted({s.degree or 0 for s in found.summands}))

    def span(p: int) -> Residues | None:
        maps = maps_from_irreps(target.rep, degrees, [(name, source.rep, times)], p)
        return (
            None if maps is None else maps[name].transpose(2, 1, 0).reshape(times, -1)
        )

    try:
        vectors = echelon_of_span(span)
    except (TooLargeError, ExactnessError):  # the linear system has the answer
        return None
    maps = to_dense(_with_roots(vectors, source, target, field))
    return maps.reshape(times, rep.size, irrep.size)


def _field(irrep: Representation, rep: Representation) -> Field:
    """That of the equations for T."""
    matrices = [*irrep.matrices(), *rep.matrices()]
    for k in generating_indices(rep.group):
        matrices += [irrep.lie[k], rep.lie[k]]
    return reduce(join, (m.field for m in matrices), RATIONALS)


def _with_roots(
    vectors: Sparse, source: RationalBasis, target: RationalBasis, field: Field
) -> Sparse:
    """$D T N^{-1}$, every T divided by what its first entry was multiplied by."""
    place = np.divmod(vectors.columns, source.rep.size)
    first = np.searchsorted(vectors.rows, vectors.rows)
    squares = source.squares, target.squares
    values = rooted(vectors.values, place, first, squares, field)
    return Sparse(vectors.rows, vectors.columns, values, vectors.shape)
