r"""What generators of all orders will cost, beyond the question up to their largest order.

With E entries of a block, $s_n$ elements of order n and $f_n$ monomials that are left of them modulo the invariants,
a table of $E f_n s_n$ residues is reduced, by at most $E f_n s_n^2$ products:

* ``numbers``, ``products``: the sums of both over all orders and blocks; ``largest``: the largest table.

A system of parameters is recognised by the multiples of the invariants in one order, a matrix of r rows and k columns:

* ``entries``, ``eliminated``: $r k$ and $r k^2$.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pdobasis.bounds.estimate import Estimate, cost
from pdobasis.exact.polynomials import count
from pdobasis.proof.parameters import beyond, numerator, quotient_series
from pdobasis.question import cost as question_cost
from pdobasis.question.problem import Problem


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


def estimate_system(dim: int, degrees: Sequence[int]) -> Estimate:
    """Of deciding whether forms of these orders have no common zero but 0.

    >>> estimate_system(3, (2, 2, 50)).seconds < 10
    True
    """
    order = beyond(degrees)
    columns = float(count(dim, order))
    rows = float(sum(count(dim, order - degree) for degree in degrees))
    found = {"entries": rows * columns, "eliminated": rows * columns**2}
    return cost("parameters", found)


def proved_parts(
    degrees: Sequence[int], blocks: Iterable[tuple[int, Sequence[int]]]
) -> dict[int, float]:
    """Orders in which there are invariants or generators, and their entries; blocks as above.

    >>> proved_parts((2, 4), [(2, [0, 1, 0, 2])])  # D4, scalar → vector: orders 1 and 3
    {2: 1.0, 4: 1.0, 1: 2.0, 3: 2.0}
    """
    out: dict[int, float] = dict.fromkeys(degrees, 1.0)
    for entries, sizes in blocks:
        for n, number in enumerate(numerator(sizes, degrees)):
            if number > 0:
                out[n] = out.get(n, 0.0) + entries * number
    return out


def require_proof(
    problem: Problem, degrees: Sequence[int], parts: dict[int, float], work: Estimate
) -> None:
    """Refuse generators whose proof, besides other ``work``, would take too long."""
    if problem.group.is_finite:
        degree = problem.field.degree
        proof = question_cost.heights(problem.group, degree, parts.items())
        work += cost("solve", proof) + estimate_system(problem.group.dim, degrees)
    work.require(
        f"generators of all orders, here up to order {problem.order},",
        "take smaller fields or ask for an order",
    )
