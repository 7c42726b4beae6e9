r"""The nullity of the constraint modulo primes, set up on its own, in $\mathbb{F}_p$ from the start.

On the coefficients of P, in the order (row, column, monomial), the constraint is $1 \otimes \rho_{in}^T \otimes 1 -
\rho_{out} \otimes 1 \otimes S$ for a generator, with S the substitution of $g^T x$, and $1 \otimes d\rho_{in}^T
\otimes 1 - d\rho_{out} \otimes 1 \otimes 1 - 1 \otimes 1 \otimes D$ for a Lie generator, with D the drift along
$X^T x$. Reduction modulo p can only lose rank, so the nullity here is at least the dimension over K.

The rank is FLINT's. Large systems are taken one generator after the other: the null vectors V of the first are few, so
that the second is a small system for their coefficients, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
from flint import nmod_mat

from pdobasis.errors import ExactnessError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field, join
from pdobasis.exact.polynomials import monomials, position
from pdobasis.exact.primes import SplitPrime, residues, sparse_matrix, split_prime
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.lie import generating_indices
from pdobasis.linear.components import component_labels
from pdobasis.linear.sparse import runs
from pdobasis.representations.representation import Representation

LARGE = 600
"""Unknowns from which the generators are taken one after the other."""
Dense = list[list[int]]
Poly = dict[tuple[int, ...], int]
Triples = tuple[IndexArray, IndexArray, IntArray]
"""(row, column, residue) of the non-zeros of a matrix."""


def nullities(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
    partial_order: int | None = None,
    hoped: Sequence[int] | None = None,
) -> tuple[int, ...]:
    """The dimension modulo p of the solutions of exactly each order (and of at most that order in each variable).

    Each is an upper bound; where it is not the number that is ``hoped`` for, another prime is asked, too.
    """
    field = join(rep_in.group.field, join(rep_in.field, rep_out.field))
    out = []
    for k, n in enumerate(orders):
        basis = _Monomials(rep_in.group.dim, n, partial_order)
        found = None
        if rep_in.size * rep_out.size * len(basis) > LARGE:
            with suppress(ExactnessError):  # the prime divides a denominator
                found = _by_stages(_Images(rep_in, rep_out, field, split_prime(field, 0, 1 << 31)), basis)
        if found is None or (hoped is not None and found != hoped[k]):
            rank = _by_rank(_Images(rep_in, rep_out, field, split_prime(field, 0)), basis)
            found = rank if found is None else min(rank, found)
        out.append(found)
    return tuple(out)


class _Monomials:
    """Those of one order; ``allowed`` are within the limit on the order in each variable."""

    def __init__(self, dim: int, order: int, partial_order: int | None) -> None:
        self.alphas = monomials(dim, order)
        self.where = position(dim, order)
        self.allowed = np.array([partial_order is None or max(alpha) <= partial_order for alpha in self.alphas])

    def __len__(self) -> int:
        return len(self.alphas)


class _Images:
    """The matrices of all generators at the first place of a prime, and the constraint."""

    def __init__(self, rep_in: Representation, rep_out: Representation, field: Field, prime: SplitPrime) -> None:
        group = rep_in.group
        self.sizes, self.prime = (rep_out.size, rep_in.size), prime.prime

        def image(m: ExactArray) -> Dense:
            wide = m.over(field)
            flat = residues(wide.numerators.reshape(-1, field.degree), wide.denominator, prime.places[0], prime.prime)
            return [flat[i * m.shape[1] : (i + 1) * m.shape[1]] for i in range(m.shape[0])]

        finite = zip(group.generators, rep_in.matrices(), rep_out.matrices(), strict=True)
        self.moves = [(image(g), _triples(image(a)), _triples(image(b))) for g, a, b in finite]
        lie = [(group.lie[k], rep_in.lie[k], rep_out.lie[k]) for k in generating_indices(group)]
        self.drifts = [(image(x), _triples(image(a)), _triples(image(b))) for x, a, b in lie]

    def unknowns(self, basis: _Monomials) -> tuple[int, int]:
        """Of all monomials, and of those that are not allowed, which have no equations and do not count."""
        entries = self.sizes[0] * self.sizes[1]
        return entries * len(basis), entries * int((~basis.allowed).sum())

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


def _by_rank(images: _Images, basis: _Monomials) -> int:
    """All equations together, component by component."""
    width, left_out = images.unknowns(basis)
    below = [(rows + k * width, columns, values) for k, (rows, columns, values) in enumerate(images.systems(basis))]
    if not below:
        return width - left_out
    entries = _added(_together(below), width, images.prime)
    return width - left_out - sum(int(_dense(part, images.prime).rank()) for part in _components(entries, width))


def _by_stages(images: _Images, basis: _Monomials) -> int:
    """Generator by generator, the sparsest first; the prime is below 2^31, so that int64 holds products."""
    width, left_out = images.unknowns(basis)
    size = width
    vectors: Triples | None = None  # (unknown, vector, residue), by unknowns
    for system in sorted(images.systems(basis), key=lambda s: len(s[0])):
        entries = system if vectors is None else _product(system, vectors, width, images.prime)
        found, kept = _null_vectors(_added(entries, size, images.prime), size, images.prime)
        vectors = found if vectors is None else _added(_product(vectors, found, size, images.prime), kept, images.prime)
        size = kept
    return size - left_out


def _product(a: Triples, b: Triples, inner: int, p: int) -> Triples:
    """All products of two entries of a @ b, for b sorted by rows."""
    left, right = runs(np.searchsorted(b[0], np.arange(inner + 1)), a[1])
    return a[0][left], b[1][right], a[2][left] * b[2][right] % p


def _added(entries: Triples, width: int, p: int) -> Triples:
    """Sorted by rows and columns; what meets is added up, and zeros are dropped."""
    keys, place = np.unique(entries[0] * width + entries[1], return_inverse=True)
    total = np.zeros(len(keys), dtype=np.int64)
    np.add.at(total, place, entries[2])  # at most three residues below 2^61 meet, or many below 2^31
    total %= p
    kept = np.flatnonzero(total)
    rows, columns = np.divmod(keys[kept], width)
    return rows, columns, total[kept]


def _components(entries: Triples, width: int) -> list[Triples]:
    rows, columns, _ = entries
    if not len(rows):
        return []
    label = component_labels(rows, columns, (int(rows.max()) + 1, width))[columns]
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(label[order]) != 0]))
    return [(entries[0][k], entries[1][k], entries[2][k]) for k in np.split(order, starts[1:])]


def _null_vectors(entries: Triples, width: int, p: int) -> tuple[Triples, int]:
    """(column, vector, residue) of a basis of the null space, sorted by columns, and its size."""
    alone = np.setdiff1d(np.arange(width), entries[1])
    found = [(c, k, 1) for k, c in enumerate(alone.tolist())]
    size = len(alone)
    for part in _components(entries, width):
        names = list(dict.fromkeys(part[1].tolist()))
        if len(names) > 1:
            solutions, nullity = _dense(part, p).nullspace()
            for k in range(nullity):
                values = ((c, int(solutions[i, k])) for i, c in enumerate(names))
                found += [(c, size + k, v) for c, v in values if v]
            size += nullity
    column, vector, value = _columns(found)
    order = np.argsort(column, kind="stable")
    return (column[order], vector[order], value[order]), size


def _dense(part: Triples, p: int) -> nmod_mat:
    """One component, its rows and columns numbered as they come."""
    height, row = _renumbered(part[0])
    width, column = _renumbered(part[1])
    return sparse_matrix((height, width), zip(row, column, part[2].tolist(), strict=True), p)


def _renumbered(index: IndexArray) -> tuple[int, list[int]]:
    names: dict[int, int] = {}
    numbers = [names.setdefault(i, len(names)) for i in index.tolist()]
    return len(names), numbers
