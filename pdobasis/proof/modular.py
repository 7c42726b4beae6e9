r"""The nullity of the constraint modulo primes, set up on its own, in $\mathbb{F}_p$ from the start.

On the coefficients of P, in the order (row, column, monomial), the constraint is $1 \otimes \rho_{in}^T \otimes 1 -
\rho_{out} \otimes 1 \otimes S$ for a generator, with S the substitution of $g^T x$, and $1 \otimes d\rho_{in}^T
\otimes 1 - d\rho_{out} \otimes 1 \otimes 1 - 1 \otimes 1 \otimes D$ for a Lie generator, with D the drift along
$X^T x$. Reduction modulo p can only lose rank, so the nullity here is at least the dimension over K.

It is found modulo small primes, one generator after the other, and as the rank modulo one large prime that FLINT
finds, where the small ones do not settle it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import numpy as np

from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field, join
from pdobasis.exact.lanes import Lanes, single_lane
from pdobasis.exact.modular import residues, sparse_matrix, split_prime
from pdobasis.exact.nullspace import component_labels
from pdobasis.exact.polynomials import count, monomials
from pdobasis.exact.stages import Table, free_in_stages
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.lie import generating_indices
from pdobasis.representations.representation import Representation

SMALL_PRIMES = 2
AT_ONCE = 4_000
"""Unknowns up to which orders are put together."""
Dense = list[list[int]]
Poly = dict[tuple[int, ...], int]
Place = tuple[int, tuple[int, ...]]
"""A homomorphism to F_p: the prime, and the images of the field's basis."""
Triples = tuple[IndexArray, IndexArray, IntArray]
"""(row, column, residue) of the non-zeros of a matrix."""


def nullity(rep_in: Representation, rep_out: Representation, order: int, partial_order: int | None = None) -> int:
    """The dimension modulo p of the solutions of exactly this order (and of at most that order in each variable)."""
    return nullities(rep_in, rep_out, [order], partial_order)[0]


def nullities(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
    partial_order: int | None = None,
    hoped: Sequence[int] | None = None,
) -> tuple[int, ...]:
    """The same for several orders: the least that any prime says, since each is an upper bound.

    More primes are asked as long as the numbers are not those that are ``hoped`` for.
    """
    group = rep_in.group
    field = join(group.field, join(rep_in.field, rep_out.field))
    least: dict[int, int] = {}
    for index in range(SMALL_PRIMES):
        arithmetic = single_lane(field, index)
        prime = arithmetic.primes[0]
        with suppress(ExactnessError):  # the prime divides a denominator: ask the next
            images = _Images(rep_in, rep_out, field, (prime.prime, prime.places[0]))
            for some in _batches(orders, rep_in.size * rep_out.size, group.dim):
                found = _by_stages(images, _Monomials(group.dim, some, partial_order), arithmetic)
                least |= {n: min(v, least.get(n, v)) for n, v in (found or {}).items()}
        if hoped is not None and [least.get(n) for n in orders] == list(hoped):
            return tuple(hoped)
    for n in orders:
        if n not in least or hoped is not None:
            rank = _by_rank(rep_in, rep_out, field, _Monomials(group.dim, [n], partial_order))
            least[n] = min(rank, least.get(n, rank))
    return tuple(least[n] for n in orders)


def _batches(orders: Sequence[int], size: int, dim: int) -> Iterator[list[int]]:
    """Orders that are few enough unknowns together."""
    batch: list[int] = []
    total = 0
    for n in orders:
        unknowns = size * count(dim, n)
        if batch and total + unknowns > AT_ONCE:
            yield batch
            batch, total = [], 0
        batch.append(n)
        total += unknowns
    if batch:
        yield batch


class _Monomials:
    """Those of some orders, in a row; ``allowed`` are within the limit on the order in each variable."""

    def __init__(self, dim: int, orders: Sequence[int], partial_order: int | None) -> None:
        self.orders = orders
        self.alphas = [alpha for n in orders for alpha in monomials(dim, n)]
        self.where = {alpha: k for k, alpha in enumerate(self.alphas)}
        self.order = np.array([sum(alpha) for alpha in self.alphas])
        self.allowed = np.array([partial_order is None or max(alpha) <= partial_order for alpha in self.alphas])

    def __len__(self) -> int:
        return len(self.alphas)


class _Images:
    """The matrices of all generators at a place, and the constraint."""

    def __init__(self, rep_in: Representation, rep_out: Representation, field: Field, place: Place) -> None:
        group = rep_in.group
        self.dim, self.sizes, self.prime = group.dim, (rep_out.size, rep_in.size), place[0]

        def image(m: ExactArray) -> Dense:
            wide = m.over(field)
            flat = residues(wide.numerators.reshape(-1, field.degree), wide.denominator, place[1], place[0])
            return [flat[i * m.shape[1] : (i + 1) * m.shape[1]] for i in range(m.shape[0])]

        finite = zip(group.generators, rep_in.matrices(), rep_out.matrices(), strict=True)
        self.moves = [(image(g), _triples(image(a)), _triples(image(b))) for g, a, b in finite]
        lie = [(group.lie[k], rep_in.lie[k], rep_out.lie[k]) for k in generating_indices(group)]
        self.drifts = [(image(x), _triples(image(a)), _triples(image(b))) for x, a, b in lie]

    def systems(self, basis: _Monomials) -> list[Triples]:
        """One for each generator, without the unknowns of monomials that are not allowed."""
        sizes = (*self.sizes, len(basis))
        moved = [(_images(_moved, g, basis, self.prime), a, b) for g, a, b in self.moves]
        drifted = [(_images(_drift, x, basis, self.prime), a, b) for x, a, b in self.drifts]
        every = [_group_rows(action, a, b, sizes, self.prime) for action, a, b in moved]
        every += [_lie_rows(action, a, b, sizes) for action, a, b in drifted]
        kept = [np.flatnonzero(basis.allowed[columns % len(basis)]) for _, columns, _ in every]
        return [(s[0][k], s[1][k], s[2][k]) for s, k in zip(every, kept, strict=True)]


def _images(action: Callable[[tuple[int, ...], Dense, int], Poly], matrix: Dense, basis: _Monomials, p: int) -> Triples:
    """(alpha, beta, coefficient) of the images of all monomials."""
    images = (action(alpha, matrix, p) for alpha in basis.alphas)
    return _columns([(a, basis.where[beta], v) for a, image in enumerate(images) for beta, v in image.items() if v])


def _group_rows(moved: Triples, rho_in: Triples, rho_out: Triples, sizes: tuple[int, int, int], p: int) -> Triples:
    c_out, c_in, m = sizes
    (k, r, w), (alpha, beta, v) = rho_out, moved
    i = np.arange(c_in)[None, :, None]
    rows = (k[:, None, None] * c_in + i) * m + beta
    columns = (r[:, None, None] * c_in + i) * m + alpha
    wide = np.int64 if p < 1 << 31 else object
    products = ((-w.astype(wide)[:, None, None] * v) % p).astype(np.int64)
    values = np.broadcast_to(products, rows.shape).ravel()
    return _together([_transposed(rho_in, c_out, c_in, m), (rows.ravel(), columns.ravel(), values)])


def _lie_rows(drift: Triples, rho_in: Triples, rho_out: Triples, sizes: tuple[int, int, int]) -> Triples:
    c_out, c_in, m = sizes
    (k, r, w), (alpha, beta, v) = rho_out, drift
    carried = _between((k, r, -w), 1, c_out, c_in * m)
    drifting = _between((beta, alpha, -v), c_out * c_in, m, 1)
    return _together([_transposed(rho_in, c_out, c_in, m), carried, drifting])


def _transposed(rho: Triples, before: int, size: int, after: int) -> Triples:
    return _between((rho[1], rho[0], rho[2]), before, size, after)


def _between(a: Triples, before: int, size: int, after: int) -> Triples:
    """1 (x) a (x) 1 with unit matrices of these sizes; a is size x size."""
    outer = np.arange(before)[:, None, None] * size
    inner = np.arange(after)
    rows, columns = ((outer + index[:, None]) * after + inner for index in (a[0], a[1]))
    return rows.ravel(), columns.ravel(), np.broadcast_to(a[2][:, None], rows.shape).ravel()


def _together(parts: Sequence[Triples]) -> Triples:
    rows, columns, values = (np.concatenate([p[k] for p in parts]) for k in range(3))
    return rows, columns, values


def _triples(m: Dense) -> Triples:
    return _columns([(i, j, v) for i, row in enumerate(m) for j, v in enumerate(row) if v])


def _columns(found: Sequence[tuple[int, int, int]]) -> Triples:
    first, second, third = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return first, second, third


def _moved(alpha: tuple[int, ...], g: Dense, p: int) -> Poly:
    """(g^T x)^alpha: variable i becomes sum_j g[j][i] x_j."""
    dim = len(g)
    value: Poly = {(0,) * dim: 1}
    for i, power in enumerate(alpha):
        for _ in range(power):
            larger: Poly = {}
            for exponents, v in value.items():
                for j in range(dim):
                    if g[j][i]:
                        key = tuple(e + (k == j) for k, e in enumerate(exponents))
                        larger[key] = (larger.get(key, 0) + v * g[j][i]) % p
            value = larger
    return value


def _drift(alpha: tuple[int, ...], x: Dense, p: int) -> Poly:
    """sum_i (X^T x)_i alpha_i x^(alpha - e_i)."""
    out: Poly = {}
    for i, power in enumerate(alpha):
        for j in range(len(x)):
            if power and x[j][i]:
                key = tuple(e - (k == i) + (k == j) for k, e in enumerate(alpha))
                out[key] = (out.get(key, 0) + power * x[j][i]) % p
    return out


def _by_stages(images: _Images, basis: _Monomials, arithmetic: Lanes) -> dict[int, int] | None:
    """For several orders, generator by generator, the sparsest first."""
    entries = images.sizes[0] * images.sizes[1]
    width = entries * len(basis)
    stages = []
    for rows, columns, values in sorted(images.systems(basis), key=lambda s: len(s[0])):
        stages.append(Table(rows, columns, arithmetic.reduce(values.astype(np.float64)[None]), (width, width)))
    free = free_in_stages(stages, arithmetic) if stages else np.arange(width)
    if free is None:
        return None
    monomial = free % len(basis)
    order = basis.order[monomial[basis.allowed[monomial]]]
    return {n: int((order == n).sum()) for n in basis.orders}


def _by_rank(rep_in: Representation, rep_out: Representation, field: Field, basis: _Monomials) -> int:
    """All equations together, modulo a large prime, component by component."""
    prime = split_prime(field, 0)
    images = _Images(rep_in, rep_out, field, (prime.prime, prime.places[0]))
    entries = images.sizes[0] * images.sizes[1]
    width, unknowns = entries * len(basis), entries * int(basis.allowed.sum())
    systems = images.systems(basis)
    below = [(rows + k * width, columns, values) for k, (rows, columns, values) in enumerate(systems)]
    if not any(len(rows) for rows, _, _ in below):
        return unknowns
    rows, columns, values = _together(below)
    keys, place = np.unique(rows * width + columns, return_inverse=True)
    total = np.zeros(len(keys), dtype=np.int64)
    np.add.at(total, place, values)  # at most three residues below 2^61 meet
    rows, columns = np.divmod(keys, width)
    label = component_labels(rows, columns, (int(rows.max()) + 1, width))[columns]
    by_label = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(label[by_label]) != 0]))
    parts = np.split(by_label, starts[1:])
    return unknowns - sum(_dense_rank(rows[part], columns[part], total[part], prime.prime) for part in parts)


def _dense_rank(rows: IndexArray, columns: IndexArray, values: IntArray, p: int) -> int:
    """Of one component."""
    height, row = _renumbered(rows)
    width, column = _renumbered(columns)
    return int(sparse_matrix((height, width), zip(row, column, values.tolist(), strict=True), p).rank())


def _renumbered(index: IndexArray) -> tuple[int, list[int]]:
    names: dict[int, int] = {}
    numbers = [names.setdefault(i, len(names)) for i in index.tolist()]
    return len(names), numbers
