r"""The nullity of the constraint modulo primes, set up on its own, in $\mathbb{F}_p$ from the start.

On the coefficients of P, in the order (row, column, monomial), the constraint is $1 \otimes \rho_{in}^T \otimes 1 -
\rho_{out} \otimes 1 \otimes S$ for a generator, with S the substitution of $g^T x$, and $1 \otimes d\rho_{in}^T
\otimes 1 - d\rho_{out} \otimes 1 \otimes 1 - 1 \otimes 1 \otimes D$ for a Lie generator, with D the drift along
$X^T x$. Reduction modulo p can only lose rank, so the nullity here is at least the dimension over K. So it is when
equations are left out: which Lie generators are taken first is a matter of speed, not of truth.

The rank is FLINT's. Large systems are taken one generator after the other: the null vectors V of the first are few, so
that the second is a small system for their coefficients, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import ExactnessError
from pdobasis.exact.field import join
from pdobasis.proof.equations import Constraint, Triples, Unknowns, together
from pdobasis.proof.modular import ATTEMPTS, BITS, SMALL_BITS, place
from pdobasis.proof.points import number_of_monomials
from pdobasis.proof.sparse import parts, spread
from pdobasis.proof.system_parts import null_vectors, ranks
from pdobasis.representations.representation import Representation

LARGE = 600
"""Unknowns from which the generators are taken one after the other."""


def nullities(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
    partial_order: int | None = None,
    hoped: Sequence[int] | None = None,
    *,
    harmonic: bool = False,
) -> tuple[int, ...]:
    """The dimension modulo p of the solutions of exactly each order (and of at most that order in each variable).

    With ``harmonic``, of those whose entries are harmonic. Each is an upper bound. While it is not the number that is
    ``hoped`` for, other primes are asked.
    """
    out = []
    first = None
    if not harmonic:
        first = _side_by_side(rep_in, rep_out, orders, partial_order)
    for k, n in enumerate(orders):
        least: int | None = None
        if first is not None:
            least = first[k]
            if hoped is None or least == hoped[k]:
                out.append(least)
                continue
        unknowns = Unknowns(
            rep_in.group.dim, n, n, rep_out.size, rep_in.size, partial_order, harmonic
        )
        for bound in _bounds(rep_in, rep_out, unknowns):
            # bounds from different primes and sets of equations: the least of them is one, too
            if least is None or bound < least:
                least = bound
            if hoped is None or least == hoped[k]:
                break
        if least is None:
            raise ExactnessError(
                f"each of {ATTEMPTS} primes divides a denominator: nothing can be said modulo them"
            )
        out.append(least)
    return tuple(out)


def _side_by_side(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
    partial_order: int | None,
) -> list[int] | None:
    """The first bound of every order, all orders in one system; None where that would be large."""
    low, high = min(orders), max(orders)
    if len(orders) == 1 or list(orders) != list(range(low, high + 1)):
        return None
    sizes = (rep_out.size, rep_in.size)
    if sizes[0] * sizes[1] * number_of_monomials(rep_in.group.dim, high) > LARGE:
        return None
    unknowns = Unknowns(rep_in.group.dim, low, high, *sizes, partial_order)
    if unknowns.count > LARGE:
        return None
    field = join(rep_in.group.field, join(rep_in.field, rep_out.field))
    with suppress(ExactnessError):
        constraint = Constraint(rep_in, rep_out, field, place(field, 0, BITS))
        return _by_ranks(constraint, unknowns)
    return None


def _bounds(
    rep_in: Representation, rep_out: Representation, unknowns: Unknowns
) -> Iterator[int]:
    """Upper bounds, the cheapest first; a prime that divides a denominator is passed over."""
    field = join(rep_in.group.field, join(rep_in.field, rep_out.field))
    if unknowns.count > LARGE:
        with suppress(ExactnessError):
            at = place(field, 0, SMALL_BITS)
            yield _by_stages(Constraint(rep_in, rep_out, field, at), unknowns)
    for number in range(ATTEMPTS):
        with suppress(ExactnessError):
            at = place(field, number, BITS)
            yield _by_rank(
                Constraint(rep_in, rep_out, field, at, every=number > 0), unknowns
            )


def _by_rank(constraint: Constraint, unknowns: Unknowns) -> int:
    (nullity,) = _by_ranks(constraint, unknowns)
    return nullity


def _by_ranks(constraint: Constraint, unknowns: Unknowns) -> list[int]:
    """All equations together, part by part; no part has unknowns of two orders."""
    width = unknowns.count
    zero = constraint.zero(unknowns)
    found = unknowns.counted(zero)
    # the equations of one generator below those of the other
    below = []
    for k, system in enumerate(constraint.systems(unknowns)):
        rows, columns, values = _columns_but(zero, system)
        below.append((rows + k * width, columns, values))
    if below:
        entries = added(together(below), width, constraint.prime)
        columns, found_ranks = ranks(entries, width, constraint.prime)
        of_order = unknowns.above[columns % unknowns.sizes[2]]
        np.subtract.at(found, of_order, found_ranks)
    return [int(nullity) for nullity in found]


def _by_stages(constraint: Constraint, unknowns: Unknowns) -> int:
    """Generator by generator, the sparsest first; the prime is small, so that int64 holds products."""
    width, p = unknowns.count, constraint.prime
    size = width
    vectors: Triples | None = None  # (unknown, vector, residue), by unknowns
    zero = constraint.zero(unknowns)
    systems = [_columns_but(zero, system) for system in constraint.systems(unknowns)]
    for system in sorted(systems, key=lambda s: len(s[0])):
        if vectors is None:
            vectors, size = null_vectors(added(system, size, p), size, p)
            continue
        # A V w = 0: the combinations w of the vectors found so far that solve the next system, too
        weights, kept = null_vectors(
            added(product(system, vectors, width, p), size, p), size, p
        )
        vectors = added(product(vectors, weights, size, p), kept, p)
        size = kept
    # what has no equations is counted as free, though it is zero or not asked for
    return size - (width - int(unknowns.counted(zero).sum()))


def _columns_but(zero: NDArray[np.bool_], system: Triples) -> Triples:
    kept = np.flatnonzero(~zero[system[1]])
    return system[0][kept], system[1][kept], system[2][kept]


def product(a: Triples, b: Triples, inner: int, p: int) -> Triples:
    """All products of two entries of a @ b, for b sorted by rows."""
    left, right = spread(np.searchsorted(b[0], np.arange(inner + 1)), a[1])
    return a[0][left], b[1][right], a[2][left] * b[2][right] % p


def added(entries: Triples, width: int, p: int) -> Triples:
    """Sorted by rows and columns; what meets is added up, and zeros are dropped."""
    # at most three residues below 2^61 meet, or many below 2^31: their sum is below 2^63, and reduced once
    keys, slot = np.unique(entries[0] * width + entries[1], return_inverse=True)
    total = np.zeros(len(keys), dtype=np.int64)
    np.add.at(total, slot, entries[2])
    total %= p
    kept = np.flatnonzero(total)
    rows, columns = np.divmod(keys[kept], width)
    return rows, columns, total[kept]


def connected(entries: Triples, width: int) -> list[Triples]:
    """The connected parts of a system."""
    rows, columns, _ = entries
    if not len(rows):
        return []
    label = parts(rows, columns, (int(rows.max()) + 1, width))[columns]
    order = np.argsort(label, kind="stable")
    first = np.flatnonzero(np.concatenate([[True], np.diff(label[order]) != 0]))
    return [
        (entries[0][k], entries[1][k], entries[2][k])
        for k in np.split(order, first[1:])
    ]
