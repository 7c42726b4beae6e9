r"""Both sides of the constraint at points as products of whole matrices, where everything is small.

Every number on the way is a whole number below $2^{53}$ over denominators that are known beforehand, so that float64
holds it exactly, and BLAS adds up exactly in any order. Bounds are taken before each product; where one is too large
nothing is said, and :mod:`.sides` takes over, in integers of any size.

Denominators are cleared: with $g = G/\gamma$, $\rho_{in} = A/a$ and $\rho_{out} = B/b$ in whole numbers of K, and N the
highest order, (1) reads $b\,\gamma^N P(y)\,A = a\,B \sum_\alpha P_\alpha\,\gamma^{N - |\alpha|} (G^T y)^\alpha$.
Here $\gamma^N P(y)$ is the sum for $G = \gamma$: the identity is evaluated beside the generators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from math import lcm
from typing import TypeVar

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import check
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import LARGE_DEGREE, Field, join
from pdobasis.exact.integers import FEW, bound
from pdobasis.exact.types import FloatArray, IndexArray
from pdobasis.groups.group import Group
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.batch import Batch, by_elements
from pdobasis.proof.elements import signed_permutations
from pdobasis.proof.lines import Sum, matrices_of
from pdobasis.proof.points import (
    gradients,
    halves,
    lattice,
    number_of_monomials,
)
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

DENSE = 100_000
"""Numbers of all values for all generators, or of their matrices, up to which these are taken whole."""
DENSER = 2_000_000
"""The same where a good part of the matrices is not zero, for some elements at a time."""
LARGEST = 1 << 25
"""Numbers of a table of monomials, at most."""
WIDE = 200_000
"""Numbers of a table up to which all monomials are taken, for other elements to have it in common."""
FILLED = 4
"""One number in so many."""
EXACT = 1 << 53
"""Whole numbers below are exact in float64, and so are their sums and products that stay below."""
ONE_THREAD = 1 << 17
"""Multiplications of one product up to which BLAS does it alone: to wake other threads takes longer than the work."""

T = TypeVar("T")
Whole = FloatArray
"""Whole numbers. Points are the last axis, so that what is moved and compared are runs of numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    r"""The monomials at y, at g^T y for every generator, and their drift for every X, all times $\gamma^N$.

    ``at`` has the shape (monomials * degree, (1 + generators + Lie generators) * degree * points): a row of
    coefficients times it are the values. ``drift`` is the denominator of the last part. The monomials are all, or those
    that are ``used``.
    """

    at: Whole
    largest: int
    drift: int
    used: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class _Images:
    """Matrices (generators, size, size, degree) of whole numbers over a denominator."""

    numbers: Whole
    largest: int
    denominator: int


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """Every entry of P at y and at the other points, (entries, 1 + parts, degree, points)."""

    at: Whole
    largest: int


def agrees(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool | None:
    """Whether (1) holds for every generator and every Lie generator; None where that would be large."""
    group = reps_in[0].group
    field = field_of(batch, group, (*reps_in, *reps_out))
    parts = len(group.generators) + len(group.lie)
    rows, columns = batch.shape
    moves = both(_moves, reps_in, reps_out)
    # permutations keep the entries of P apart, so that zeros need not be held
    places = len(batch.row)
    if moves is None:
        places = batch.size * rows * columns
        # zeros of large matrices would be most of the work
        if parts * (rows**2 + columns**2) * field.degree**2 > DENSE:
            return None
    points = len(lattice(group.dim, batch.high))
    if places * (1 + parts) * points * field.degree > DENSE:
        return None
    # the table of products has the third power of the degree, whatever is asked
    if field.degree > LARGE_DEGREE:
        return None
    tables = _tables(group, field, batch.low, batch.high, _used(batch, parts))
    if tables is None:
        return None
    found = values_at(batch, tables, field, parts)
    if found is None:
        return None
    if moves is not None:
        return _permuted_agree(batch, found, moves)
    return _whole_agree(batch, found, reps_in, reps_out, tables, field)


def agrees_by_elements(batch: Batch, reps_in: Sum, reps_out: Sum) -> bool | None:
    """The same for larger matrices that have few zeros, some elements at a time; None where there are others."""
    group = reps_in[0].group
    field = field_of(batch, group, (*reps_in, *reps_out))
    parts = len(group.generators) + len(group.lie)
    rows, columns = batch.shape
    numbers = parts * (rows**2 + columns**2)
    if numbers * field.degree**2 > DENSER or field.degree > LARGE_DEGREE:
        return None
    held = sum(_nonzeros(rep) for rep in (*reps_in, *reps_out))
    each = rows * columns * (1 + parts) * len(lattice(group.dim, batch.high))
    each *= field.degree
    if FILLED * held < numbers or each > DENSER:
        return None
    tables = tables_within(batch, group, field, parts)
    if tables is None:
        return None
    for some in by_elements(batch, max(1, DENSER // each)):
        check()
        found = values_at(some, tables, field, parts)
        if found is None:
            return None
        verdict = _whole_agree(some, found, reps_in, reps_out, tables, field)
        if verdict is not True:
            return verdict
    return True


def tables_within(
    batch: Batch, group: Group, field: Field, parts: int
) -> Tables | None:
    """The monomials at all points; None where they, or their numbers, are large."""
    points = len(lattice(group.dim, batch.high))
    monomials = number_of_monomials(group.dim, batch.high)
    if monomials * (1 + parts) * points * field.degree**2 > LARGEST:
        return None
    return _tables(group, field, batch.low, batch.high, _used(batch, parts))


def _used(batch: Batch, parts: int) -> tuple[int, ...] | None:
    """The monomials that some element has, where the table of all would be large and most of it read in vain.

    Invariants of quadratic forms have even powers alone.
    """
    monomials = batch.coefficients.shape[1]
    points = number_of_monomials(batch.dim, batch.high)
    if monomials * points * (1 + parts) <= WIDE:
        return None
    used = np.flatnonzero(batch.coefficients.nonzero_mask().any(axis=0))
    if 4 * len(used) > 3 * monomials:
        return None
    return tuple(used.tolist())


def _nonzeros(rep: Representation) -> int:
    every = (*matrices_of(rep), *rep.lie)
    return sum(int(np.count_nonzero(m.nonzero_mask())) for m in every)


def field_of(batch: Batch, group: Group, reps: Sum) -> Field:
    """That holds everything."""
    matrices = [batch.coefficients, *on_space(group), *lie_on_space(group)]
    for rep in reps:
        matrices += [*rep.generators, *rep.lie]
    # nearly all have one and the same field, which is the same object
    return reduce(join, {id(m.field): m.field for m in matrices}.values())


def values_at(batch: Batch, tables: Tables, field: Field, parts: int) -> Values | None:
    """Without the denominator of the coefficients, which both sides share."""
    numerators = batch.coefficients.over(field).numerators
    if tables.used is not None:
        numerators = numerators[:, list(tables.used)]
    largest = bound(numerators) * tables.largest * len(tables.at)
    if largest >= EXACT:
        return None
    entries, monomials, n = numerators.shape
    flat = numerators.astype(np.float64).reshape(entries, monomials * n)
    found = _times(flat, tables.at)
    # elements may have no entries at all
    points = found.shape[1] // ((1 + parts) * n)
    return Values(found.reshape(entries, 1 + parts, n, points), largest)


def _times(a: Whole, b: Whole) -> Whole:
    """a @ b, some rows at a time; all at once where one of them would not be left to one thread either."""
    step = ONE_THREAD // max(1, b.size)
    if step >= len(a) or not step:
        return a @ b
    return np.concatenate([a[k : k + step] @ b for k in range(0, len(a), step)])


@dataclass(frozen=True, slots=True, eq=False)
class _Moves:
    r"""$\rho e_j = \sigma e_i$ for every generator: j = ``back``[i] and $\sigma$ = ``sign``[i], (generators, size)."""

    back: IndexArray
    sign: IndexArray


def _moves(reps: Sum) -> _Moves | None:
    """None where the coordinates are not permuted up to signs."""
    # what a Lie algebra does is no permutation
    if reps[0].group.lie:
        return None
    start, back, minus = 0, [], []
    for rep in reps:
        points = rep.permutations
        if points is None:
            points = signed_permutations(rep)
        if points is None:
            return None
        # where there are signs, j + size stands for -e_j, and that goes to e_i as e_j goes to -e_i
        sign, index = np.divmod(np.argsort(points, axis=1)[:, : rep.size], rep.size)
        back.append(index + start)
        minus.append(sign)
        start += rep.size
    return _Moves(np.concatenate(back, axis=1), 1 - 2 * np.concatenate(minus, axis=1))


def _permuted_agree(
    batch: Batch, values: Values, moves: tuple[_Moves, _Moves]
) -> bool | None:
    """Entry by entry, where coordinates are permuted up to signs."""
    of_columns, of_rows = moves
    height, width = batch.shape
    # With rho_in e_j = s e_c, P(y) rho_in has at (r, j) s times what P(y) has at (r, c); with rho_out e_i = t e_r,
    # rho_out P(g^T y) has there t times what P(g^T y) has at (i, j). So an entry (r, c) of P(y) is s t times the entry
    # (i, j) of P(g^T y).
    columns = of_columns.back.take(batch.column, axis=1)
    rows = of_rows.back.take(batch.row, axis=1)
    first = batch.element * height
    place = (first + batch.row) * width + batch.column
    wanted = (first + rows) * width + columns
    # entries are sorted by their places, all different
    entry = place.searchsorted(wanted)
    np.minimum(entry, len(place) - 1, out=entry)
    # an entry that is zero has no partner: that is no reason to refuse it, but the other road has to look. Where all
    # have one, different entries have different ones, and none is left over.
    if np.count_nonzero(place[entry] != wanted):
        return None
    parts = len(wanted)
    # one row for each entry and part, taken as they stand
    _, _, degree, points = values.at.shape
    every = values.at.reshape(len(place) * (1 + parts), degree * points)
    generator = np.arange(1, parts + 1)[:, None]
    # (generator, entry; degree and point) on both sides
    moved = every.take(entry * (1 + parts) + generator, axis=0)
    signs = of_columns.sign.take(batch.column, axis=1)
    signs = signs * of_rows.sign.take(batch.row, axis=1)
    if signs.min(initial=1) < 0:
        moved *= signs[:, :, None]
    return not np.count_nonzero(moved != every[:: 1 + parts])


def _whole_agree(
    batch: Batch,
    values: Values,
    reps_in: Sum,
    reps_out: Sum,
    tables: Tables,
    field: Field,
) -> bool | None:
    group = reps_in[0].group
    count = len(group.generators)
    here, moved = _laid_out(batch, values)
    verdict: bool | None = True
    if count:
        rho = both(partial(_images, field=field), reps_in, reps_out)
        if rho is None:
            return None
        verdict = _rho_agrees(here, moved[:count], values.largest, rho, field)
    if verdict and group.lie:
        rho = both(partial(_lie_images, field=field), reps_in, reps_out)
        if rho is None:
            return None
        drift = moved[count:]
        verdict = _lie_agrees(here, drift, values.largest, rho, tables, field)
    return verdict


def _laid_out(batch: Batch, values: Values) -> tuple[Whole, Whole]:
    """P(y), (column, degree; row, element, point), and the others, (part; row, degree; column, element, point).

    What a matrix is multiplied with comes first, so that few long products do for all elements.
    """
    (rows, columns), size = batch.shape, batch.size
    _, parts, n, points = values.at.shape
    here = np.zeros((columns, n, rows, size, points))
    here[batch.column, :, batch.row, batch.element] = values.at[:, 0]
    moved = np.zeros((parts - 1, rows, n, columns, size, points))
    moved[:, batch.row, :, batch.column, batch.element] = values.at[:, 1:]
    return here, moved


def _rho_agrees(
    here: Whole,
    there: Whole,
    largest: int,
    rho: tuple[_Images, _Images],
    field: Field,
) -> bool | None:
    """b P(y) A = a B P(g^T y), laid out as above."""
    _, rows, n, columns, _, _ = there.shape
    one, other = rho[1].denominator, rho[0].denominator
    terms = max(columns * one * rho[0].largest, rows * other * rho[1].largest)
    if largest * terms * n * field.expansion >= EXACT:
        return None
    left = _on_columns(here, rho[0], one, field)
    return np.array_equal(left, _on_rows(there, rho[1], other, field))


def _lie_agrees(
    here: Whole,
    drift: Whole,
    largest: int,
    rho: tuple[_Images, _Images],
    tables: Tables,
    field: Field,
) -> bool | None:
    """P(y) drho_in(X) = drho_out(X) P(y) + ``drift``."""
    columns, _, rows, _, _ = here.shape
    common = lcm(rho[0].denominator, rho[1].denominator, tables.drift)
    terms = max(columns * rho[0].largest, rows * rho[1].largest, 1)
    if 3 * largest * terms * common * field.degree * field.expansion >= EXACT:
        return None
    left = _on_columns(here, rho[0], common // rho[0].denominator, field)
    # the same values for every generator
    every = here.transpose(2, 1, 0, 3, 4)[None]
    right = _on_rows(every, rho[1], common // rho[1].denominator, field)
    if common != tables.drift:
        drift = drift * (common // tables.drift)
    right += drift
    return np.array_equal(left, right)


def _on_columns(values: Whole, rho: _Images, scale: int, field: Field) -> Whole:
    """P rho for every generator: (generators, rows, degree, columns, elements, points)."""
    columns, n, rows, size, points = values.shape
    count = len(rho.numbers)
    # (generator, new column, new coefficient; column, coefficient)
    matrix = spread(rho.numbers * scale, field).transpose(0, 2, 4, 1, 3)
    whole = matrix.reshape(count * columns * n, columns * n)
    found = products_with(whole, values.reshape(columns * n, rows * size * points))
    return found.reshape(count, columns, n, rows, size, points).transpose(
        0, 3, 2, 1, 4, 5
    )


def _on_rows(values: Whole, rho: _Images, scale: int, field: Field) -> Whole:
    """rho P for every generator, of values for each or for all of them: laid out as the others."""
    _, rows, n, columns, size, points = values.shape
    count = len(rho.numbers)
    # (generator; new row, new coefficient; row, coefficient)
    matrix = spread(rho.numbers * scale, field).transpose(0, 1, 4, 2, 3)
    whole = matrix.reshape(count, rows * n, rows * n)
    flat = values.reshape(-1, rows * n, columns * size * points)
    return products_with(whole, flat).reshape(count, rows, n, columns, size, points)


def products_with(whole: Whole, flat: Whole) -> Whole:
    """whole @ flat, some columns at a time; all at once where one of them would not be left to one thread either."""
    (height, inner), width = whole.shape[-2:], flat.shape[-1]
    step = ONE_THREAD // max(1, height * inner)
    if step >= width or not step:
        return whole @ flat
    found = np.empty((*whole.shape[:-1], width))
    for k in range(0, width, step):
        own = slice(k, k + step)
        np.matmul(whole, flat[..., own], out=found[..., own])
    return found


def both(
    read: Callable[[Sum], T | None], reps_in: Sum, reps_out: Sum
) -> tuple[T, T] | None:
    """Of both sides, which are often the same."""
    own = other = read(reps_in)
    if own is not None and reps_out != reps_in:
        other = read(reps_out)
    if own is None or other is None:
        return None
    return own, other


def _images(reps: Sum, field: Field) -> _Images | None:
    """rho(s) of the direct sum for every generator s."""
    return _sums([matrices_of(rep) for rep in reps], field)


def _lie_images(reps: Sum, field: Field) -> _Images | None:
    return _sums([rep.lie for rep in reps], field)


def _sums(blocks: Sequence[Sequence[ExactArray]], field: Field) -> _Images | None:
    every = [m for own in blocks for m in own]
    common = lcm(*(m.denominator for m in every))
    found = [_stacked(own, common, field) for own in blocks]
    parts = [own for own in found if own is not None]
    if len(parts) < len(found):
        return None
    out = parts[0]
    if len(parts) > 1:
        size = sum(own.shape[1] for own in parts)
        out = np.zeros((len(out), size, size, field.degree))
        start = 0
        for own in parts:
            end = start + own.shape[1]
            out[:, start:end, start:end] = own
            start = end
    # what float64 does not hold is refused by its bound before it is used
    return _Images(out, _largest(out), common)


def _stacked(
    matrices: Sequence[ExactArray], denominator: int, field: Field
) -> Whole | None:
    """The numerators of matrices of one size over a common denominator; None where they are beyond int64."""
    if denominator >= EXACT or any(m.numerators.dtype == object for m in matrices):
        return None
    if not matrices:
        return np.zeros((0, 0, 0, field.degree))
    out = np.zeros((len(matrices), *matrices[0].shape, field.degree))
    for own, m in zip(out, matrices, strict=True):
        # a number that is rounded here, or in the product, is beyond every bound that is asked for
        if m.field.is_rational:  # 1 is the first element of every basis
            own[..., 0] = m.numerators[..., 0]
            least = m.denominator
        else:  # in another basis lowest terms may be lower
            wide = m.over(field)
            own[:], least = wide.numerators, wide.denominator
        if least != denominator:
            own *= denominator // least
    return out


def _largest(values: Whole) -> int:
    """The largest absolute value; what is not below EXACT may be rounded, and stays there."""
    if 0 < values.size <= FEW:
        few = values.ravel().tolist()
        return int(max(max(few), -min(few)))
    largest = np.maximum.reduce(values, axis=None, initial=0.0)
    smallest = np.minimum.reduce(values, axis=None, initial=0.0)
    return int(max(largest, -smallest))


@remembered
def _tables(
    group: Group, field: Field, low: int, high: int, used: tuple[int, ...] | None
) -> Tables | None:
    """None where numbers are large."""
    n = field.degree
    found = _turned(group, field, low, high)
    if found is None:
        return None
    numbers, scale = found
    if used is not None:
        numbers = numbers[:, list(used)]
    drift = 1
    if lie_on_space(group):
        drifting = _drifting(group, field, low, high, used)
        if drifting is None:
            return None
        moving, drift = drifting
        # a product beyond is beyond the bound below, too
        numbers = np.concatenate([numbers, moving * scale], axis=2)
    _, monomials, count, points = numbers.shape
    # the degree twice once numbers are matrices
    at = spread(numbers.transpose(1, 2, 3, 0), field).transpose(0, 3, 1, 4, 2)
    flat = at.reshape(monomials * n, count * n * points)
    # a bound beyond refuses every product
    return Tables(flat, min(_largest(flat), EXACT), drift, used)


def _turned(
    group: Group, field: Field, low: int, high: int
) -> tuple[Whole, int] | None:
    r"""$\gamma^{N-|\alpha|} (G^T y)^\alpha$, (degree, monomials, 1 + generators, points), and $\gamma^N$.

    The first is the identity, $G = \gamma$.
    """
    dim, n = group.dim, field.degree
    denominator = lcm(*(g.denominator for g in on_space(group)))
    maps = _stacked(on_space(group), denominator, field)
    if maps is None:
        return None
    # a coordinate of G^T y is a sum of d terms; a product of two numbers of n, over the basis
    most = dim * high * max(_largest(maps), denominator) * n * field.expansion
    if max(most, denominator) ** max(high, 1) >= EXACT:
        return None
    points = lattice(dim, high).T.astype(np.float64)
    # 1 and the coordinates, (degree, 1 + dim, generators, points)
    moved = np.zeros((n, 1 + dim, 1 + len(maps), points.shape[1]))
    moved[0, 0] = 1
    moved[0, 1:, 0] = points * denominator
    if len(maps):  # (G^T y)_j = sum_i G_ij y_i
        moved[:, 1:, 1:] = maps.transpose(3, 2, 0, 1) @ points
    found = _monomials(moved, low, high, _products(field).T)
    if denominator > 1:
        every = range(low, high + 1)
        lacking = np.array([float(denominator ** (high - k)) for k in every])
        counts = [number_of_monomials(dim, k) for k in every]
        found *= lacking.repeat(counts)[:, None, None]
    return found, denominator**high


def _monomials(first: Whole, low: int, high: int, table: Whole) -> Whole:
    r"""$x^\alpha = x^\beta x^\gamma$ of these orders, (degree, monomials, …), from 1 and all x, (degree, 1 + dim, …).

    Both factors have at most half of the highest order, so that there are few products, one after the other.
    """
    dim = first.shape[1] - 1
    if high <= 1:
        return first[:, low : 1 + dim * high]
    known = _monomials(first, 0, (high + 1) // 2, table)
    left, right = halves(dim, low, high)
    return _product(known.take(left, axis=1), known.take(right, axis=1), table)


def _drifting(
    group: Group, field: Field, low: int, high: int, used: tuple[int, ...] | None
) -> tuple[Whole, int] | None:
    """(X^T y).grad y^alpha without the denominator, (degree, monomials, generators, points), and the denominator."""
    denominator = lcm(*(x.denominator for x in lie_on_space(group)))
    maps = _stacked(lie_on_space(group), denominator, field)
    if maps is None:
        return None
    steep = gradients(group.dim, low, high, used).numerators[..., 0]
    # both factors are sums of d terms at most, and numbers become matrices
    most = group.dim**2 * high * _largest(maps) * bound(steep)
    if most * field.expansion >= EXACT:
        return None
    velocity = _moved(group, maps, high)
    slopes = steep.astype(np.float64)
    # at every point the velocities times the gradients of all monomials
    found = velocity.transpose(2, 0, 1, 3).reshape(len(slopes), -1, group.dim) @ slopes
    shape = (len(slopes), *velocity.shape[:2], slopes.shape[2])
    return found.reshape(shape).transpose(1, 3, 2, 0), denominator


def _moved(group: Group, maps: Whole, high: int) -> Whole:
    """G^T y for all maps and points: (degree, maps, points, dim)."""
    points = lattice(group.dim, high).astype(np.float64)
    # (G^T y)_j = sum_i y_i G_ij
    return np.asarray(points @ maps.transpose(3, 0, 1, 2))


def spread(values: Whole, field: Field) -> Whole:
    """The matrices of multiplication with the numbers: (…, n) becomes (…, n, n), rows are the images of the basis."""
    n = field.degree
    if n == 1:
        return values[..., None]
    products = _products(field).reshape(n, n, n).transpose(1, 0, 2)
    flat = values.reshape(-1, n)
    return (flat @ products.reshape(n, n * n)).reshape(*values.shape, n)


@remembered
def _products(field: Field) -> Whole:
    """Row i n + j holds b_i b_j in the basis."""
    # 1 is all of the basis of Q: nothing has to be looked up
    if field.is_rational:
        return np.ones((1, 1))
    return field.products().astype(np.float64)


def _product(x: Whole, y: Whole, table: Whole) -> Whole:
    """Number by number, y for several x; the degree is the first axis.

    Column i n + j of the table is b_i b_j in the basis.
    """
    n = len(table)
    if n == 1:
        return x * y
    pairs = (x[:, None] * y).reshape(n * n, -1)
    return (table @ pairs).reshape(x.shape)
