r"""The constraint as sparse matrices over $\mathbb{F}_p$, one for each generator: see :mod:`.nullity`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.elements import not_brackets
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.modular import SMALL_BITS, Place, residues
from pdobasis.proof.points import powers, where
from pdobasis.proof.signs import is_forbidden, of_signs
from pdobasis.proof.sparse import entries
from pdobasis.representations.representation import Representation

Dense = list[list[int]]
Exponent = tuple[int, ...]
Polynomial = dict[Exponent, int]
Triples = tuple[IndexArray, IndexArray, IntArray]
"""(row, column, residue) of the non-zeros of a matrix."""
Sizes = tuple[int, int, int]


class Unknowns:
    """The coefficients of all P of orders ``low`` to ``order``, most often of one.

    ``allowed`` are those within the limit on the order in each variable. With ``harmonic`` the entries of P, of one
    order, are asked to be harmonic besides.
    """

    def __init__(
        self,
        dim: int,
        low: int,
        order: int,
        rows: int,
        columns: int,
        partial_order: int | None,
        harmonic: bool = False,
    ) -> None:
        self.dim: int = dim
        self.low: int = low
        self.order: int = order
        self.harmonic: bool = harmonic
        alphas = powers(dim, low, order)
        self.alphas: list[tuple[int, ...]] = [tuple(alpha) for alpha in alphas.tolist()]
        self.where: dict[tuple[int, ...], int] = where(dim, low, order)
        self.above: IndexArray = alphas.sum(axis=1) - low
        self.sizes: tuple[int, int, int] = (rows, columns, len(alphas))
        self.allowed: NDArray[np.bool_] = np.ones(len(alphas), dtype=bool)
        if partial_order is not None:
            self.allowed = alphas.max(axis=1, initial=0) <= partial_order

    @property
    def count(self) -> int:
        """Of all monomials."""
        rows, columns, monomials = self.sizes
        return rows * columns * monomials

    def counted(self, zero: NDArray[np.bool_]) -> IndexArray:
        """Those that are allowed and not known to be zero, order by order."""
        open_to = self.allowed & ~zero.reshape(-1, self.sizes[2])
        orders = np.broadcast_to(self.above, open_to.shape)[open_to]
        return np.bincount(orders, minlength=self.above[-1] + 1)


class Constraint:
    """The matrices of the generators at a place of K.

    Unless ``every`` Lie generator is asked for, those that are brackets of others are left out.
    """

    def __init__(
        self,
        rep_in: Representation,
        rep_out: Representation,
        field: Field,
        at: Place,
        *,
        every: bool = False,
    ) -> None:
        group = rep_in.group
        self.sides: tuple[Representation, Representation] = (rep_in, rep_out)
        self.prime: int = at.prime

        def image(m: ExactArray) -> Dense:
            # one field for all matrices, hence one homomorphism
            found: Dense = residues(m.over(field), at).tolist()
            return found

        def triples(m: ExactArray) -> Triples:
            rows, columns, values = entries(m)
            found = residues(values.over(field), at)
            kept = np.flatnonzero(found)
            return rows[kept], columns[kept], found[kept]

        finite = zip(
            on_space(group), matrices_of(rep_in), matrices_of(rep_out), strict=True
        )
        # what a generator of signs says stands in ``zero``
        said = of_signs(rep_in, rep_out)
        self.moves: list[tuple[Dense, Triples, Triples]] = [
            (image(g), triples(a), triples(b))
            for s, (g, a, b) in enumerate(finite)
            if s not in said
        ]
        chosen: Sequence[int] = range(len(group.lie))
        if not every:
            chosen = not_brackets(group)
        lie = ((lie_on_space(group)[k], rep_in.lie[k], rep_out.lie[k]) for k in chosen)
        self.drifts: list[tuple[Dense, Triples, Triples]] = [
            (image(x), triples(a), triples(b)) for x, a, b in lie
        ]

    def zero(self, unknowns: Unknowns) -> NDArray[np.bool_]:
        """Which unknowns vanish in every solution, so that they need no equations: a look at signs tells."""
        alphas = powers(unknowns.dim, unknowns.low, unknowns.order)
        return is_forbidden(*self.sides, alphas).ravel()

    def systems(self, unknowns: Unknowns) -> list[Triples]:
        """One for each generator, without the unknowns of monomials that are not allowed."""
        sizes, p = unknowns.sizes, self.prime
        every: list[Triples] = []
        for g, rho_in, rho_out in self.moves:
            every.append(
                _group_rows(_substitution(g, unknowns, p), rho_in, rho_out, sizes, p)
            )
        for x, rho_in, rho_out in self.drifts:
            every.append(_lie_rows(_drift(x, unknowns, p), rho_in, rho_out, sizes))
        if unknowns.harmonic and unknowns.order > 1:
            every.append(_laplacian_rows(unknowns))
        if unknowns.allowed.all():
            return every
        kept = [
            np.flatnonzero(unknowns.allowed[columns % sizes[2]])
            for _, columns, _ in every
        ]
        return [(s[0][k], s[1][k], s[2][k]) for s, k in zip(every, kept, strict=True)]


def _substitution(g: Dense, unknowns: Unknowns, p: int) -> Triples:
    r"""(alpha, beta, coefficient) of $(g^T x)^\alpha$: the variable i becomes sum_j g[j][i] x_j."""
    dim = len(g)
    # all (g^T x)^alpha of lower orders come on the way, each once
    forms = [[(j, g[j][i]) for j in range(dim) if g[j][i]] for i in range(dim)]
    known: dict[Exponent, Polynomial] = {(0,) * dim: {(0,) * dim: 1}}

    def power(alpha: Exponent) -> Polynomial:
        if alpha not in known:
            i = next(k for k, a in enumerate(alpha) if a)
            product: Polynomial = {}
            for beta, v in power(_step(alpha, i, -1)).items():
                for j, w in forms[i]:
                    raised = _step(beta, j, 1)
                    product[raised] = (product.get(raised, 0) + v * w) % p
            known[alpha] = product
        return known[alpha]

    return _numbered([power(alpha) for alpha in unknowns.alphas], unknowns)


def _drift(x: Dense, unknowns: Unknowns, p: int) -> Triples:
    """(alpha, beta, coefficient) of sum_i (X^T x)_i alpha_i x^(alpha - e_i)."""
    entries = [(i, j, x[j][i]) for i in range(len(x)) for j in range(len(x)) if x[j][i]]
    images = []
    for alpha in unknowns.alphas:
        image: Polynomial = {}
        for i, j, v in entries:
            if alpha[i]:
                beta = _step(_step(alpha, i, -1), j, 1)
                image[beta] = (image.get(beta, 0) + alpha[i] * v) % p
        images.append(image)
    return _numbered(images, unknowns)


def _laplacian_rows(unknowns: Unknowns) -> Triples:
    """The Laplacian of every entry of P: an equation for each monomial two orders below, at the place of the entry."""
    rows, columns, monomials = unknowns.sizes
    places = where(unknowns.dim, unknowns.order - 2, unknowns.order - 2)
    found = []
    for a, alpha in enumerate(unknowns.alphas):
        for i, power in enumerate(alpha):
            if power > 1:
                found.append((places[_step(alpha, i, -2)], a, power * (power - 1)))
    # there are fewer monomials below, so that the equations of an entry have room where its unknowns are numbered
    return _between(columns_of(found), rows * columns, monomials, 1)


def _step(alpha: Exponent, i: int, by: int) -> Exponent:
    return (*alpha[:i], alpha[i] + by, *alpha[i + 1 :])


def _numbered(images: Sequence[Polynomial], unknowns: Unknowns) -> Triples:
    """The images of all monomials, by the positions of monomials."""
    places = unknowns.where
    return columns_of(
        [
            (a, places[beta], v)
            for a, image in enumerate(images)
            for beta, v in image.items()
            if v
        ]
    )


def _group_rows(
    moved: Triples, rho_in: Triples, rho_out: Triples, sizes: Sizes, p: int
) -> Triples:
    rows, columns, monomials = sizes
    (k, r, w), (alpha, beta, v) = rho_out, moved
    # all (non-zero of rho_out, column, non-zero of S) at once
    i = np.arange(columns)[None, :, None]
    equation = (k[:, None, None] * columns + i) * monomials + beta
    unknown = (r[:, None, None] * columns + i) * monomials + alpha
    if p >= 1 << SMALL_BITS:  # products of residues do not fit into int64
        w = w.astype(object)
    products = ((-w[:, None, None] * v) % p).astype(np.int64)
    values = np.broadcast_to(products, equation.shape).ravel()
    return together(
        [
            _transposed(rho_in, rows, columns, monomials),
            (equation.ravel(), unknown.ravel(), values),
        ]
    )


def _lie_rows(
    drift: Triples, rho_in: Triples, rho_out: Triples, sizes: Sizes
) -> Triples:
    rows, columns, monomials = sizes
    (k, r, w), (alpha, beta, v) = rho_out, drift
    # residues may be negative here: they are reduced when they are added up
    carried = _between((k, r, -w), 1, rows, columns * monomials)
    drifting = _between((beta, alpha, -v), rows * columns, monomials, 1)
    return together([_transposed(rho_in, rows, columns, monomials), carried, drifting])


def _transposed(rho: Triples, before: int, size: int, after: int) -> Triples:
    return _between((rho[1], rho[0], rho[2]), before, size, after)


def _between(a: Triples, before: int, size: int, after: int) -> Triples:
    """1 (x) a (x) 1 with unit matrices of these sizes; a is size x size."""
    outer = np.arange(before)[:, None, None] * size
    inner = np.arange(after)
    rows, columns = ((outer + index[:, None]) * after + inner for index in (a[0], a[1]))
    return (
        rows.ravel(),
        columns.ravel(),
        np.broadcast_to(a[2][:, None], rows.shape).ravel(),
    )


def together(parts: Sequence[Triples]) -> Triples:
    """All entries, one after the other."""
    rows, columns, values = (np.concatenate([p[k] for p in parts]) for k in range(3))
    return rows, columns, values


def columns_of(found: Sequence[tuple[int, int, int]]) -> Triples:
    """(row, column, residue) one by one, as three arrays."""
    first, second, third = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return first, second, third
