"""Do two sets of symbols span the same space? By exact linear relations between them."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.nullspace import Sparse, null_space
from pdobasis.proof.rank import rank
from pdobasis.symbols import Symbols, join_symbols


def same_span(a: Symbols, b: Symbols) -> bool:
    """Whether two sets span the same space, exactly.

    The rank of each set is at least its rank modulo a prime. The rank of the union is at most its size less the number
    of independent relations, each of which is verified over K. So k and k elements of rank k with k relations are
    two bases of one space.
    """
    if (a.dim, a.order, a.shape, a.size) != (b.dim, b.order, b.shape, b.size):
        return False
    return rank(a) == a.size and rank(b) == b.size and relations(join_symbols([a, b])) == a.size


def relations(part: Symbols) -> int:
    """The number of independent linear relations between the elements, found and verified."""
    if not part.size:
        return 0
    mask = part.coefficients.nonzero_mask()
    entry, monomial = np.nonzero(mask)
    place = (part.row[entry] * part.shape[1] + part.column[entry]) * mask.shape[1] + monomial
    names, rows = np.unique(place, return_inverse=True)
    system = Sparse(rows, part.element[entry], part.coefficients[entry, monomial], (len(names), part.size))
    return null_space(system).shape[0]
