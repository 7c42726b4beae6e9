r"""Intertwiners: the linear maps T between representations with $T a(g) = b(g) T$ for all g."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import RepresentationError
from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    exact,
    identity,
    integers,
    same_denominator,
)
from pdobasis.exact.field import LARGE_DEGREE, RATIONALS, Field, join
from pdobasis.exact.integers import bound, narrow
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.packed import packed
from pdobasis.exact.primes import rank_modulo
from pdobasis.groups.lie import generating_indices
from pdobasis.groups.matrices import simplest
from pdobasis.linear import small_fields
from pdobasis.linear.small import Row, echelon, null_vectors
from pdobasis.linear.sparse import Sparse, to_dense
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.representations.representation import Representation
from pdobasis.representations.rotation_maps import (
    intertwine_all_rotations,
    rational_images,
)
from pdobasis.representations.signed_maps import maps_to_signed, signed, signed_maps
from pdobasis.values import dataclass

AT_ONCE = 400
"""Unknowns up to which the maps from several irreps are found together."""
SMALL = 100
"""Unknowns up to which they are found in Python's integers."""
LARGE = 600
"""Unknowns from which maps from irreps of SO(3) and O(3) are not looked for in a linear system."""
INVERTED = 36
"""Sizes up to which a change of basis is inverted as a whole."""

Vector = list[tuple[int, list[int]]]
"""(unknown, coordinates of its numerator)."""
Irrep = tuple[Representation, int]
"""And its multiplicity."""
Pair = tuple[ExactArray, ExactArray]
"""What a generator does on both sides."""


def intertwiners(a: Representation, b: Representation) -> ExactArray:
    """A basis of all T with T a(g) = b(g) T, (number, size of b, size of a)."""
    (found,) = _from_many((a,), b)
    return found


@remembered
def _from_many(
    sources: tuple[Representation, ...], b: Representation
) -> tuple[ExactArray, ...]:
    """The intertwiners from each of many, as those from their sum: a map from a sum is one from each.

    Unknowns of different sources do not meet, so that the echelon form is that of each of them.
    """
    known = [maps for a in sources if (maps := soon(a, b)) is not None]
    if len(known) == len(sources):
        return tuple(known)
    starts = np.cumsum([0, *(a.size for a in sources)])
    width = int(starts[-1])
    if len(sources) == 1 and width * b.size > LARGE:
        # loaded where a large one is taken apart, as what follows is
        from pdobasis.representations.zonal_intertwiners import by_zonal_vectors

        carried = by_zonal_vectors(sources[0], b)
        if carried is not None:
            return (carried,)
    maps = _of_all_rotations(sources, b)
    if maps is None and b.is_permutation:
        from pdobasis.representations.orbit_maps import maps_to_points

        return tuple(maps_to_points(a, b) for a in sources)
    if maps is None:
        # generators suffice, of the group and of its Lie algebra: T then intertwines products and brackets, too
        pairs = _summed([a.matrices() for a in sources], b.matrices())
        for k in generating_indices(b.group):
            pairs += _summed([(a.lie[k],) for a in sources], (b.lie[k],))
        maps = _maps(pairs, width * b.size)
    if len(sources) == 1:
        return (maps.reshape(-1, b.size, width),)
    leading = maps.nonzero_mask().argmax(axis=1) % width
    maps = maps.reshape(-1, b.size, width)
    out = []
    for start, end in pairwise(starts.tolist()):
        own = np.flatnonzero((start <= leading) & (leading < end))
        out.append(maps.take(own)[:, :, start:end])
    return tuple(out)


@remembered
def soon(a: Representation, b: Representation) -> ExactArray | None:
    """The intertwiners where they are few numbers, or written down; None elsewhere."""
    found = None
    if a.group.is_finite:
        found = signed_maps(a, b)
        if found is None:
            found = maps_to_signed(a, b)
    if found is None and are_small((a,), b):
        found = _in_integers(a, b)
    return found


def _summed(
    sources: Sequence[Sequence[ExactArray]], target: Sequence[ExactArray]
) -> list[Pair]:
    """The matrices of a sum beside those of the target."""
    sums = [block_diagonal(blocks) for blocks in zip(*sources, strict=True)]
    return list(zip(sums, target, strict=True))


def _maps(pairs: list[Pair], unknowns: int) -> ExactArray:
    """A basis of all T with T x = y T for every pair, one T a row."""
    if not pairs:
        return identity(unknowns)
    if all(_is_diagonal(x) and _is_diagonal(y) for x, y in pairs):
        return _between_signs(pairs)
    systems = [_system(x, y) for x, y in pairs]
    # the sparsest first: it leaves few unknowns to the others
    stages = sorted(systems, key=lambda system: len(system.values))
    return to_dense(null_space_in_stages(stages))


def _of_all_rotations(
    sources: tuple[Representation, ...], b: Representation
) -> ExactArray | None:
    """The same for a group of many turns of the plane, where every T intertwines all rotations; None elsewhere.

    By their formulas the representations are those of SO(2), or O(2), too. What intertwines these does so with their
    subgroup; where there is as much of it, by characters, that is all. Then the derivative stands for the turn: it is
    rational, where the turn is in a field of large degree. The echelon form is the same.
    """
    group = b.group
    reps = (*sources, b)
    if max(rep.field.degree for rep in reps) <= LARGE_DEGREE or group.dim != 2:
        return None
    turn = integers([[0, -1], [1, 0]])
    others = [g for g in group.generators if not (turn @ g).equals(g @ turn)]
    mirrors = [simplest(g) for g in others]
    if not group.is_finite or not all(g.field.is_rational for g in mirrors):
        return None
    images = []
    for rep in reps:
        if rep.term is None:
            return None
        try:
            images.append([rep.term.derivative(turn), *map(rep.term.at, mirrors)])
        except RepresentationError:
            # a half turn of frequency N/2 is no representation of all rotations
            return None
    maps = _maps(
        _summed(images[:-1], images[-1]), b.size * sum(a.size for a in sources)
    )
    if len(maps) != sum(_count(a, b) for a in sources):
        return None
    return maps


def _count(a: Representation, b: Representation) -> int:
    """How many there are: by weights, or by the characters of all elements."""
    from pdobasis.representations.weights import maps_between

    known = maps_between(a, b)
    if known is not None:
        return known
    from pdobasis.representations.characters import inner_product

    return inner_product(a, b)


def are_small(sources: Sequence[Representation], b: Representation) -> bool:
    """Whether Python's integers are faster than arrays of so few numbers."""
    if b.size * sum(a.size for a in sources) > SMALL:
        return False
    fields = {join(a.field, b.field) for a in sources}
    return all(f.is_rational or packed(f) is not None for f in fields)


@remembered
def _in_integers(a: Representation, b: Representation) -> ExactArray | None:
    """The intertwiners of small representations, by the same equations and in the same echelon form.

    None where numbers are large.
    """
    width, height = a.size, b.size
    whole = field = join(a.field, b.field)
    is_smooth = not field.is_rational and intertwine_all_rotations(a, b)
    if is_smooth:
        field = RATIONALS
    sides = [_plain_images(rep, field, is_smooth) for rep in (a, b)]
    rows: list[Row] = []
    limit = 0
    for x, y in zip(*sides, strict=True):
        most = width * x.largest * y.denominator + height * y.largest * x.denominator
        limit = max(limit, most)
        rows += _equations(x, y)
    found = _solved(rows, width * height, limit, field)
    if found is None:
        return None
    vectors, denominator = found
    maps = _filled(vectors, denominator, (len(vectors), width * height), field)
    return maps.reshape(len(vectors), height, width).over(whole)


def whole_intertwiners(a: Representation, b: Representation) -> list[Row]:
    """The intertwiners of rational representations, up to a positive factor each: entries row by row.

    In Python's integers: they should be small.

    >>> from pdobasis import field_type
    >>> vector, turns = (field_type(text, "SO(3)")[0] for text in ("vector", "alt(2, vector)"))
    >>> whole_intertwiners(vector, turns)
    [{2: 1, 4: -1, 6: 1}]
    """
    sides = [_plain_images(rep, RATIONALS, False) for rep in (a, b)]
    rows = [row for x, y in zip(*sides, strict=True) for row in _equations(x, y)]
    # short equations first: they leave little to the long ones
    rows.sort(key=len)
    vectors, _ = null_vectors(echelon(rows), a.size * b.size)
    return [dict(vector) for vector in vectors]


@dataclass(frozen=True, slots=True, eq=False)
class _Plain:
    """A matrix as numerators, or their images, over a denominator; ``largest`` bounds coordinates of numerators."""

    rows: list[list[int]]
    denominator: int
    largest: int


@remembered
def _plain_images(
    rep: Representation, field: Field, is_smooth: bool
) -> tuple[_Plain, ...]:
    """What generates, of the group and of its Lie algebra: T then intertwines products and brackets, too.

    Or what stands for it, where T intertwines all rotations.
    """
    matrices = [*rep.matrices(), *(rep.lie[k] for k in generating_indices(rep.group))]
    if is_smooth:
        matrices = list(rational_images(rep))
    out = []
    for m in matrices:
        own = m.over(field)
        out.append(_Plain(_plain(own), own.denominator, bound(own.numerators)))
    return tuple(out)


def _filled(
    vectors: list[Vector], denominator: int, shape: tuple[int, int], field: Field
) -> ExactArray:
    zero = [0] * field.degree
    table = [[zero] * shape[1] for _ in vectors]
    for line, vector in zip(table, vectors, strict=True):
        for unknown, number in vector:
            line[unknown] = number
    numerators = narrow(np.array(table, dtype=object))
    return exact(numerators.reshape(*shape, field.degree), denominator, field)


def _solved(
    rows: list[Row], unknowns: int, limit: int, field: Field
) -> tuple[list[Vector], int] | None:
    """The solutions, and the denominator of all."""
    if field.is_rational:
        # short equations first: they leave little to the long ones
        rows.sort(key=len)
        plain, denominator = null_vectors(echelon(rows), unknowns)
        return [[(u, [v]) for u, v in vector] for vector in plain], denominator
    found = small_fields.null_vectors(rows, unknowns, limit, field)
    if found is None:
        return None
    named, values = found
    numbers = values.numerators.tolist()
    vectors = [[(u, numbers[k]) for u, k in vector] for vector in named]
    return vectors, values.denominator


def _plain(m: ExactArray) -> list[list[int]]:
    """The numerators, or their images."""
    at = packed(m.field)
    if at is None:
        rows: list[list[int]] = m.numerators[..., 0].tolist()
        return rows
    return at.rows(m.numerators)


def _equations(x: _Plain, y: _Plain) -> Iterable[Row]:
    """T x = y T, times both denominators, for the entries of T row by row."""
    width = len(x.rows)
    right = [
        [(i, row[j] * y.denominator) for i, row in enumerate(x.rows) if row[j]]
        for j in range(width)
    ]
    left = [
        [(k * width, -v * x.denominator) for k, v in enumerate(row) if v]
        for row in y.rows
    ]
    for r, own in enumerate(left):
        for j, column in enumerate(right):
            row = {r * width + i: v for i, v in column}
            for k, v in own:
                row[k + j] = row.get(k + j, 0) + v
            yield row


def _is_diagonal(m: ExactArray) -> bool:
    rows, columns = np.nonzero(m.nonzero_mask())
    return bool((rows == columns).all())


def _between_signs(pairs: list[tuple[ExactArray, ExactArray]]) -> ExactArray:
    """T x = y T between diagonal matrices: an entry of T is free where x and y have the same number, else zero."""
    width, height = len(pairs[0][0]), len(pairs[0][1])
    own_x, own_y = np.arange(width), np.arange(height)
    free = np.ones((height, width), dtype=bool)
    field = RATIONALS
    for x, y in pairs:
        own = (y[own_y, own_y], x[own_x, own_x])
        (left, right), _, common = same_denominator(own)
        free &= (left[:, None] == right[None]).all(axis=-1)
        field = join(field, common)
    (places,) = np.nonzero(free.ravel())
    return identity(width * height, field).take(places)


def _system(x: ExactArray, y: ExactArray) -> Sparse:
    """T x = y T, for the entries of T row by row."""
    width, height = len(x), len(y)
    # (T x)[r, j] = sum_i T[r, i] x[i, j], for every row r of T
    i, j = np.nonzero(x.nonzero_mask())
    r = np.arange(height)[:, None]
    left = (r * width + j).ravel(), (r * width + i).ravel()
    # -(y T)[i, c] = -sum_j y[i, j] T[j, c], for every column c of T
    k, m = np.nonzero(y.nonzero_mask())
    c = np.arange(width)[:, None]
    right = (k * width + c).ravel(), (m * width + c).ravel()
    rows, columns = zip(left, right, strict=True)
    values = [_repeated(x[i, j], height), _repeated(-y[k, m], width)]
    unknowns = width * height
    return Sparse(
        np.concatenate(rows),
        np.concatenate(columns),
        concatenate(values),
        (unknowns, unknowns),
    )


def independent(maps: ExactArray, wanted: int) -> list[ExactArray]:
    """As many maps as wanted, of a basis of those from an irrep, whose images are independent."""
    # all that there are: then only multiples of 1 commute with the irrep, and independent maps have independent images
    if len(maps) == wanted:
        return [maps[k] for k in range(wanted)]
    # Schur: a map from an irrep that is not zero has no kernel
    chosen = [maps[k] for k in range(min(1, wanted, len(maps)))]
    for k in range(1, len(maps)):
        if len(chosen) == wanted:
            break
        candidate = concatenate([*chosen, maps[k]], axis=1)
        # a full rank modulo a prime is a full rank
        if rank_modulo(candidate) == candidate.shape[1]:
            chosen.append(maps[k])
    return chosen


@remembered
def inclusions(
    rep: Representation, irreps: tuple[Irrep, ...]
) -> tuple[list[ExactArray], ...]:
    """T_1, …, T_m from each irrep, with independent images that are all of it in ``rep``; (size of rep, of psi)."""
    if len(irreps) == 1 and _is_same(irreps[0][0], rep):
        # of its commutant the first in echelon form is 1
        return ([identity(rep.size, rep.field)],)
    maps = _maps_from(rep, tuple(psi for psi, _ in irreps))
    return tuple(independent(maps[psi], times) for psi, times in irreps)


@remembered
def _maps_from(
    rep: Representation, irreps: tuple[Representation, ...]
) -> dict[Representation, ExactArray]:
    """All of them, from each of the irreps."""
    maps: dict[Representation, ExactArray] = {}
    for own in _together(rep, list(irreps)):
        maps |= zip(own, _from_many(own, rep), strict=True)
    return maps


def _together(
    rep: Representation, irreps: list[Representation]
) -> list[tuple[Representation, ...]]:
    """Where the systems are so small that their number is the work, those of one field.

    In a field of several roots the maps of an irrep may need only some of them: it stays alone.
    """
    groups: dict[object, list[Representation]] = {}
    for psi in irreps:
        key: object = psi
        if psi.size * rep.size <= AT_ONCE // len(irreps) and are_together(psi, rep):
            key = join(psi.field, rep.field)
        groups.setdefault(key, []).append(psi)
    return [tuple(own) for own in groups.values()]


def are_together(psi: Representation, rep: Representation) -> bool:
    """Whether maps from an irrep may be found with those of others: over a large field it is a system of its own."""
    return join(psi.field, rep.field).degree <= 2


@remembered
def projections(
    rep: Representation, irreps: tuple[Irrep, ...]
) -> tuple[list[ExactArray], ...]:
    r"""$Q_1, \dots, Q_m$ to each irrep, with $Q_i T_j = \delta_{ij}$ for the inclusions; zero on other irreps."""
    found = inclusions(rep, irreps)
    whole = [t for ts in found for t in ts]
    sizes = [t.shape[1] for t in whole]
    is_one_field = len({t.field for t in whole}) == 1
    if is_one_field and sum(sizes) == rep.size <= INVERTED:
        # all irreps that there are: T has an inverse, and Q is its rows
        rows = _inverse(concatenate(whole, axis=1))
        ends = np.cumsum(sizes).tolist()
        pieces = iter(rows[e - n : e] for e, n in zip(ends, sizes, strict=True))
        return tuple([next(pieces) for _ in ts] for ts in found)
    every = _maps_from(rep, tuple(psi for psi, _ in irreps))
    out = []
    for (psi, _), ts in zip(irreps, found, strict=True):
        # only multiples of 1 commute with an irrep that has one map for each of its copies
        is_real = len(every[psi]) == len(ts)
        out.append(_projections(rep, psi, ts, is_real=is_real))
    return tuple(out)


def _inverse(t: ExactArray) -> ExactArray:
    """Of a small matrix: the solutions of T q = e, with the unknowns of e before those of q."""
    field, size = t.field, len(t)
    if packed(field) is None and not field.is_rational:
        return t.inverse()
    rows: list[Row] = []
    for i, line in enumerate(_plain(t)):
        own = {size + j: v for j, v in enumerate(line) if v}
        rows.append({i: -t.denominator, **own})
    limit = size * bound(t.numerators) + t.denominator
    found = _solved(rows, 2 * size, limit, field)
    if found is None:
        return t.inverse()
    # a solution starts with its own e, and then has a column of the inverse
    return _filled([v[1:] for v in found[0]], found[1], (size, 2 * size), field)[
        :, size:
    ].T


def _projections(
    rep: Representation, psi: Representation, ts: list[ExactArray], *, is_real: bool
) -> list[ExactArray]:
    r"""With U any m independent maps to the irrep and $T = (T_1, \dots, T_m)$, $Q = (UT)^{-1} U$."""
    multiplicity = len(ts)
    us = [t.T for t in ts]
    # between orthogonal representations transposes are such maps; elsewhere they are looked for
    if is_orthogonal(rep) and is_orthogonal(psi):
        if multiplicity == 1:
            # T^T T is symmetric and commutes with an irrep, so it is a number (Schur): the square of a column
            square = us[0][:1] @ ts[0][:, :1]
            return [us[0] * square.inverse()]
        if is_real:
            # likewise all T_i^T T_j are numbers
            columns = concatenate([t[:, :1] for t in ts], axis=1)
            return _by_numbers(columns.T @ columns, us)
    elif not all(_intertwines(u, rep, psi) for u in us):
        transposed = intertwiners(rep, psi).transpose(0, 2, 1)
        us = [u.T for u in independent(transposed, multiplicity)]
    size = psi.size
    product = concatenate(us) @ concatenate(ts, axis=1)
    numbers = _numbers(product, size)
    if numbers is not None:
        return _by_numbers(numbers, us)
    rows = product.inverse() @ concatenate(us)
    return [rows[k * size : (k + 1) * size] for k in range(multiplicity)]


def _by_numbers(numbers: ExactArray, us: list[ExactArray]) -> list[ExactArray]:
    r"""Where every $U_i T_j$ is a number $c_{ij}$: $Q_i = \sum_j (c^{-1})_{ij} U_j$."""
    every = concatenate([u.reshape(1, -1) for u in us])
    rows = numbers.inverse() @ every
    return [rows[k].reshape(*us[0].shape) for k in range(len(us))]


def _numbers(product: ExactArray, size: int) -> ExactArray | None:
    """The numbers that all $U_i T_j$ are, where nothing else commutes with the irrep; None where one is none."""
    count = len(product) // size
    blocks = product.reshape(count, size, count, size).transpose(0, 2, 1, 3)
    first = blocks[:, :, 0, 0]
    if not (first.reshape(count, count, 1, 1) * identity(size)).equals(blocks):
        return None
    return first


def _is_same(a: Representation, b: Representation) -> bool:
    """Whether all matrices are equal, and small: then those that commute with them are known."""
    if a.size != b.size or a.size > 3:
        return False
    pairs = [
        *zip(a.matrices(), b.matrices(), strict=True),
        *zip(a.lie, b.lie, strict=True),
    ]
    return all(x.equals(y) for x, y in pairs)


@remembered
def is_orthogonal(rep: Representation) -> bool:
    """Whether all rho(g) are orthogonal matrices."""
    if rep.group.is_finite and signed(rep) is not None:
        return True
    one = identity(rep.size)
    if not all((m.T @ m).equals(one) for m in rep.generators):
        return False
    return all(x.T.equals(-x) for x in rep.lie)


def _intertwines(t: ExactArray, a: Representation, b: Representation) -> bool:
    """Whether T a(g) = b(g) T for all g, where the transpose of T is known to satisfy a(g) T^T = T^T b(g)."""
    pairs = [
        *zip(a.matrices(), b.matrices(), strict=True),
        *zip(a.lie, b.lie, strict=True),
    ]
    return all(_is_transposed(x, y) or _commutes_through(t, x, y) for x, y in pairs)


def _is_transposed(x: ExactArray, y: ExactArray) -> bool:
    """Whether both are symmetric, or both antisymmetric: then x T^T = T^T y is T x = y T, transposed."""
    signed = (x.T, y.T), (-x.T, -y.T)
    return any(x.equals(u) and y.equals(v) for u, v in signed)


def _commutes_through(t: ExactArray, x: ExactArray, y: ExactArray) -> bool:
    """T x = y T; x may be large, so that the thin T is the factor on the right."""
    return (x.T @ t.T).equals((y @ t).T)


def _repeated(values: ExactArray, times: int) -> ExactArray:
    return values.take(np.tile(np.arange(len(values)), times))
