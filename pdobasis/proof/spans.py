"""Do two sets of symbols span the same space? By exact linear relations between them."""

from __future__ import annotations

from pdobasis.operators.relations import relations
from pdobasis.operators.symbols import Symbols, join_symbols
from pdobasis.proof.rank import rank


def same_span(a: Symbols, b: Symbols) -> bool:
    """Whether two sets span the same space, exactly.

    The rank of each set is at least its rank modulo a prime. The rank of the union is at most its size less the number
    of independent relations, each of which is verified over K. So k and k elements of rank k with k relations are
    two bases of one space.
    """
    if (a.dim, a.order, a.shape, a.size) != (b.dim, b.order, b.shape, b.size):
        return False
    return rank(a) == a.size and rank(b) == b.size and relations(join_symbols([a, b])) == a.size
