r"""What generators of all orders will cost, beyond the question up to their largest order.

With E entries of a block, $s_n$ elements of order n and $f_n$ monomials that are left of them modulo the invariants,
a table of $E f_n s_n$ residues is reduced, by at most $E f_n s_n^2$ products:

* ``numbers``, ``products``: the sums of both over all orders and blocks; ``largest``: the largest table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pdobasis.bounds.estimate import Estimate, cost
from pdobasis.proof.parameters import quotient_series


def estimate(
    dim: int, degrees: Sequence[int], blocks: Iterable[tuple[int, Sequence[int]]]
) -> Estimate:
    """Of choosing the generators; a block is its entries, and its elements of every order.

    >>> estimate(3, (2, 4, 6), [(48**2, [48, 144, 288])]).seconds < 10  # Oh, regular → regular, up to order 2
    True
    """
    found = {"numbers": 0.0, "products": 0.0, "largest": 0.0}
    for entries, sizes in blocks:
        left = quotient_series(dim, degrees, len(sizes) - 1)
        for free, size in zip(left, sizes, strict=True):
            table = float(entries) * free * size
            found["numbers"] += table
            found["products"] += table * size
            found["largest"] = max(found["largest"], table)
    return cost("generators", found)
