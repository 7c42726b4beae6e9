r"""The nullity of the constraint modulo a prime, set up on its own, in $\mathbb{F}_p$ from the start.

On the coefficients of P, in the order (row, column, monomial), the constraint is $1 \otimes \rho_{in}^T \otimes 1 -
\rho_{out} \otimes 1 \otimes S$ for a generator, with S the substitution of $g^T x$, and $1 \otimes d\rho_{in}^T
\otimes 1 - d\rho_{out} \otimes 1 \otimes 1 - 1 \otimes 1 \otimes D$ for a Lie generator, with D the drift along
$X^T x$. Reduction modulo p can only lose rank, so the nullity here is at least the dimension over K.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import join
from pdobasis.exact.modular import residues, sparse_matrix, split_prime
from pdobasis.exact.nullspace import component_labels
from pdobasis.exact.polynomials import monomials, position
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.lie import generating_indices
from pdobasis.representations.representation import Representation

Dense = list[list[int]]
Poly = dict[tuple[int, ...], int]
Triples = tuple[IndexArray, IndexArray, IntArray]
"""(row, column, residue) of the non-zeros of a matrix."""


def nullity(rep_in: Representation, rep_out: Representation, order: int, partial_order: int | None = None) -> int:
    """The dimension modulo p of the solutions of exactly this order (and of at most that order in each variable)."""
    return nullities(rep_in, rep_out, [order], partial_order)[0]


def nullities(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int], partial_order: int | None = None
) -> tuple[int, ...]:
    """The same for several orders."""
    group = rep_in.group
    field = join(group.field, join(rep_in.field, rep_out.field))
    prime = split_prime(field, 0)
    p, place = prime.prime, prime.places[0]

    def image(m: ExactArray) -> Dense:
        wide = m.over(field)
        flat = residues(wide.numerators.reshape(-1, field.degree), wide.denominator, place, p)
        return [flat[i * m.shape[1] : (i + 1) * m.shape[1]] for i in range(m.shape[0])]

    finite = zip(group.generators, rep_in.matrices(), rep_out.matrices(), strict=True)
    moves = [(image(g), _triples(image(a)), _triples(image(b))) for g, a, b in finite]
    chosen = [(group.lie[k], rep_in.lie[k], rep_out.lie[k]) for k in generating_indices(group)]
    drifts = [(image(x), _triples(image(a)), _triples(image(b))) for x, a, b in chosen]
    out = []
    for n in orders:
        basis = monomials(group.dim, n)
        sizes = (rep_out.size, rep_in.size, len(basis))
        systems = [_group_rows(_images(_moved, g, n, p), a, b, sizes, p) for g, a, b in moves]
        systems += [_lie_rows(_images(_drift, x, n, p), a, b, sizes) for x, a, b in drifts]
        allowed = np.array([partial_order is None or max(alpha, default=0) <= partial_order for alpha in basis])
        width = sizes[0] * sizes[1] * sizes[2]
        out.append(sizes[0] * sizes[1] * int(allowed.sum()) - _rank(_below(systems, width), allowed, width, p))
    return tuple(out)


def _group_rows(moved: Triples, rho_in: Triples, rho_out: Triples, sizes: tuple[int, int, int], p: int) -> Triples:
    c_out, c_in, m = sizes
    (k, r, w), (alpha, beta, v) = rho_out, moved
    i = np.arange(c_in)[None, :, None]
    rows = (k[:, None, None] * c_in + i) * m + beta
    columns = (r[:, None, None] * c_in + i) * m + alpha
    values = np.broadcast_to((-w[:, None, None] * v) % p, rows.shape)
    return _together([_transposed(rho_in, c_out, c_in, m), (rows.ravel(), columns.ravel(), values.ravel())])


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


def _below(systems: Sequence[Triples], height: int) -> Triples:
    """One below the other."""
    shifted = [(rows + k * height, columns, values) for k, (rows, columns, values) in enumerate(systems)]
    none = np.zeros(0, dtype=np.int64)
    return _together([*shifted, (none, none, none.astype(object))])


def _triples(m: Dense) -> Triples:
    found = [(i, j, v) for i, row in enumerate(m) for j, v in enumerate(row) if v]
    return _columns(found)


def _images(action: Callable[[tuple[int, ...], Dense, int], Poly], matrix: Dense, order: int, p: int) -> Triples:
    """(alpha, beta, coefficient) of the images of all monomials."""
    dim = len(matrix)
    where = position(dim, order)
    images = (action(alpha, matrix, p) for alpha in monomials(dim, order))
    return _columns([(a, where[beta], v) for a, image in enumerate(images) for beta, v in image.items() if v])


def _columns(found: Sequence[tuple[int, int, int]]) -> Triples:
    first, second = (np.array([f[k] for f in found], dtype=np.int64) for k in (0, 1))
    return first, second, np.array([f[2] for f in found], dtype=object)


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


def _rank(entries: Triples, allowed: IndexArray, width: int, p: int) -> int:
    """Component by component, in the columns whose monomials are allowed."""
    kept = np.flatnonzero(allowed[entries[1] % len(allowed)])
    rows, columns, values = (part[kept] for part in entries)
    if not len(rows):
        return 0
    keys, place = np.unique(rows * width + columns, return_inverse=True)
    total = np.zeros(len(keys), dtype=np.int64)
    np.add.at(total, place, values.astype(np.int64))  # at most three residues below 2^61 meet
    rows, columns = np.divmod(keys, width)
    label = component_labels(rows, columns, (int(rows.max()) + 1, width))[columns]
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(label[order]) != 0]))
    return sum(_dense_rank(rows[part], columns[part], total[part], p) for part in np.split(order, starts[1:]))


def _dense_rank(rows: IndexArray, columns: IndexArray, values: IntArray, p: int) -> int:
    """Of one component."""
    height, row = _renumbered(rows)
    width, column = _renumbered(columns)
    return int(sparse_matrix((height, width), zip(row, column, values.tolist(), strict=True), p).rank())


def _renumbered(index: IndexArray) -> tuple[int, list[int]]:
    names: dict[int, int] = {}
    numbers = [names.setdefault(i, len(names)) for i in index.tolist()]
    return len(names), numbers
