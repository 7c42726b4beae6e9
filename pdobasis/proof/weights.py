r"""Weights of representations of SO(2), O(2), SO(3), O(3), from traces alone.

For the generator X of rotations about one axis, $d\rho(X)$ has eigenvalues $\pm ik$. With h a further element that
commutes with these rotations, $s_k = \mathrm{tr}(\rho(h)|_{V_k})$ follows from the traces
$\mathrm{tr}(\rho(h)\,d\rho(X)^{2j}) = (-1)^j \sum_k s_k k^{2j}$ by a Vandermonde system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, identity, integers
from pdobasis.exact.integers import bound
from pdobasis.exact.numbers import to_float
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.group import Group
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.roots import without_roots
from pdobasis.proof.sparse import Sided, balanced, entries, nonzeros, parts, spread
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

SMALL = 16
"""Sizes up to which matrices are not cut into blocks first."""
LARGE = 300
"""Sizes from which parities are asked for in a small part."""
PRIME = (1 << 27) - 39
"""Large beside all sizes and weights; int64 holds ``TERMS`` products of its residues."""
TERMS = 1 << 9
AT_ONCE = 1 << 19
"""Products that are held at a time."""
Block = tuple[ExactArray, ExactArray, int]
"""Of two matrices that fall apart alike, and how often it occurs."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A Laurent polynomial: weight to (signed) multiplicity.

    >>> plane = Weights({1: 1, -1: 1})
    >>> plane.times(plane).table  # (z + 1/z)^2
    {2: 1, 0: 2, -2: 1}
    >>> sorted(plane.symmetric_powers(2)[2].table.items())  # z^2 + 1 + z^-2, on polynomials of order 2
    [(-2, 1), (0, 1), (2, 1)]
    """

    table: dict[int, int]

    def times(self, other: Weights) -> Weights:
        out: dict[int, int] = {}
        for a, u in self.table.items():
            for b, v in other.table.items():
                out[a + b] = out.get(a + b, 0) + u * v
        return Weights({k: v for k, v in out.items() if v})

    def symmetric_powers(self, n: int) -> list[Weights]:
        r"""$[t^k] \prod_w (1 - s_w z^w t)^{-1}$ for k up to n, with $s_w = \pm 1$ (the sign of the eigenvalue)."""
        series: list[dict[int, int]] = [{0: 1}, *({} for _ in range(n))]
        for w, sign in self.table.items():
            for k in range(1, n + 1):
                own = series[k]
                for a, v in series[k - 1].items():
                    own[a + w] = own.get(a + w, 0) + sign * v
        return [Weights(table) for table in series]


def is_rotations(group: Group) -> bool:
    """Whether it is SO(2), O(2), SO(3) or O(3) of the catalogue, with the generators that the weights are taken of.

    A name is not believed: the integral over another group would be another number.
    """
    return group.term is not None and _are_rotations(group)


@remembered
def _are_rotations(group: Group) -> bool:
    d, lie = group.dim, lie_on_space(group)
    if d not in (2, 3) or not lie:
        return False
    turn = np.zeros((d, d), dtype=np.int64)
    turn[0, 1], turn[1, 0] = -1, 1  # about the origin, or the axis x3
    if not lie[0].equals(integers(turn)) or not all(map(_is_skew, lie)):
        return False
    # so(2) is one line; two different lines of so(3) generate it
    if d == 3 and all(x[2].is_zero for x in lie):
        return False
    if not group.generators:
        return True
    return len(group.generators) == 1 and _is_mirror(on_space(group)[0])


def _is_skew(x: ExactArray) -> bool:
    # Python integers: the negative of -2^63 is no int64
    rows, columns = x.numerators.tolist(), x.numerators.transpose(1, 0, 2).tolist()
    return all(
        v == [-w for w in other]
        for row, column in zip(rows, columns, strict=True)
        for v, other in zip(row, column, strict=True)
    )


def _is_mirror(g: ExactArray) -> bool:
    """Of the plane, or the one of space that turns x3 over."""
    if len(g) == 3:
        return g.equals(integers(np.diag([1, 1, -1])))
    # symmetric, orthogonal, of trace zero; all mirrors of the plane are conjugate under rotations
    return g.equals(g.T) and (g @ g).equals(identity(2)) and g.trace().is_zero


@remembered
def weights(rep: Representation, inverted: bool) -> Weights | None:
    """Of rotations about one axis, or (d = 3) of these times -1; None when they are not whole numbers.

    For d = 3 the axis is x3 and -1 = diag(1, 1, -1) times the half turn, which acts on weight k as (-1)^k.
    """
    if inverted:
        known = _by_parities(rep)
        if known is not None:
            return known
        x, start = rep.lie[0], matrices_of(rep)[0]
    else:
        x, start = _axis(rep), identity(rep.size)
    blocks = [(x, start, 1)]
    if rep.size > SMALL:
        blocks = list(_blocks(x, start))
    tops: list[int | None] = []
    if inverted and rep.size > SMALL:
        # that they are whole numbers, and which, is known of the rotations alone
        plain = weights(rep, False)
        if plain is None:
            return None
        tops, top = [None] * len(blocks), max(plain.table, default=0)
    else:
        bounds = [_bound(block) for block, _, _ in blocks]
        tops, top = [*bounds], max(bounds, default=0)
    if top > 200:
        return None
    if inverted and rep.size > SMALL:
        found = _of_involution(x, start, blocks, top)
        if found is not None:
            return _signed(found)
    traces = [Fraction(0)] * (top + 1)
    for (given, given_start, times), own_top in zip(blocks, tops, strict=True):
        block, of_start = without_roots(given, given_start)
        own = _traces(block, of_start, own_top, top)
        if own is None:
            return None
        for j, trace in enumerate(own):
            traces[j] += times * (-1) ** j * Fraction(*trace)
    halves = _multiplicities(traces, rep.size, inverted)
    if halves is None:
        return None
    if inverted:
        return _signed(halves)
    # the weights of 1 are as many as there are dimensions: a count from others would be too low, and believed
    if 2 * sum(halves) - halves[0] != rep.size:
        raise ProofError(f"the weights of {rep.spec} are not {rep.size}")
    return _symmetric(halves)


def _by_parities(rep: Representation) -> Weights | None:
    """Of rotations times -1, where irreps of large ones tell them; None elsewhere.

    An irrep of order l has the weights up to l, all with its parity, which is $(-1)^l s_l$ in sum.
    """
    if rep.size <= LARGE:
        return None
    plain = weights(rep, False)
    if plain is None:
        return None
    from pdobasis.proof.zonal import parities

    top = max(plain.table, default=0)
    found = parities(rep, top)
    if found is None:
        return None
    many = [plain.table.get(k, 0) for k in range(top + 2)]
    halves = [0] * (top + 1)
    for k in range(top, -1, -1):
        # no more than there are irreps of this order, and of both parities together as many
        if (
            abs(found[k]) > many[k] - many[k + 1]
            or (many[k] - many[k + 1] + found[k]) % 2
        ):
            return None
        halves[k] = (-1) ** k * found[k] + (halves[k + 1] if k < top else 0)
    return _symmetric(halves)


def _symmetric(halves: Sequence[int]) -> Weights:
    """k and -k occur alike."""
    table = {}
    for k, v in enumerate(halves):
        if v:
            table[k], table[-k] = v, v
    return Weights(table)


def _signed(halves: Sequence[int]) -> Weights:
    """Times the half turn, which is a factor of -1."""
    return _symmetric([(-1) ** k * v for k, v in enumerate(halves)])


def _axis(rep: Representation) -> ExactArray:
    """d rho of rotations of the plane, or of space about that coordinate axis for which it falls into small blocks.

    Rotations about different axes are conjugate in SO(3), so that they have the same weights.
    """
    if rep.size <= SMALL:
        return rep.lie[0]
    axes = []
    for x, image in zip(lie_on_space(rep.group), rep.lie, strict=True):
        numbers = x.numerators
        if np.count_nonzero(numbers) == 2 and bound(numbers) == x.denominator == 1:
            axes.append(image)
    return min(axes, key=lambda x: sum(len(own) ** 3 for own in _members(x)))


def _traces(
    x: ExactArray, h: ExactArray, own_top: int | None, top: int
) -> list[tuple[int, int]] | None:
    """(numerator, denominator) of tr(h X^(2j)) for j up to ``top``; None where X is not semisimple with weights below.

    That is, unless X (X^2 + 1) (X^2 + 4) … = 0, up to the square of ``own_top``; where that is None it is known.
    """
    if x.field.is_rational and h.field.is_rational:
        return _whole_traces(x, h, own_top, top)
    if own_top is not None and not _integral(x, own_top):
        return None
    square, power = x @ x, h
    out = []
    for _ in range(top + 1):
        trace = power.trace().fraction()
        out.append((trace.numerator, trace.denominator))
        power = power @ square
    return out


def _whole_traces(
    x: ExactArray, h: ExactArray, own_top: int | None, top: int
) -> list[tuple[int, int]] | None:
    """The same in whole numbers: X = M/d has the weights k where M has the weights k d."""
    from flint import fmpz_mat

    size = len(x)
    m, power = (fmpz_mat(size, size, a.numerators.ravel().tolist()) for a in (x, h))
    square, product, d = m * m, m, x.denominator
    if own_top is not None:
        for k in range(1, own_top + 1):
            product = product * square + product * (k * d) ** 2
        if not product.is_zero():
            return None
    out = []
    denominator = h.denominator
    for j in range(top + 1):
        if j:
            power, denominator = power * square, denominator * d * d
        out.append((int(sum(power[i, i] for i in range(size))), denominator))
    return out


def _of_involution(
    x: ExactArray, h: ExactArray, blocks: Sequence[Block], top: int
) -> list[int] | None:
    r"""$s_0, \dots, s_{top}$ for $h^2 = 1$ and $hX = Xh$; the weights of X are known to be whole and at most ``top``.

    Then $s_k$ is the difference of two dimensions, a whole number of at most the size, so that it is known when it is
    known modulo a prime beyond. None where that is not so, or where roots stay.
    """
    size = len(x)
    one = np.arange(size) * (size + 1), integers(np.ones(size, dtype=np.int64))
    if not balanced([_meeting(h, h)], [one]):
        return None
    if not balanced([_meeting(h, x)], [_meeting(x, h)]):
        return None
    traces = [0] * (top + 1)
    for given, given_start, times in blocks:
        found = _traces_modulo(*without_roots(given, given_start), top)
        if found is None:
            return None
        for j, trace in enumerate(found):
            traces[j] += times * (-1) ** j * trace
    return _solved_modulo([t % PRIME for t in traces], size)


def _multiplicities(
    traces: Sequence[Fraction], size: int, inverted: bool
) -> list[int] | None:
    r"""$s_0, s_1, \dots$ from $\sum_k s_k (-k^2)^j$, over k and -k; None where they are not whole numbers."""
    # of rotations they are dimensions: whole numbers of at most the size, so that residues say them
    if not inverted and all(trace.denominator % PRIME for trace in traces):
        return _solved_modulo(
            [t.numerator * pow(t.denominator, -1, PRIME) % PRIME for t in traces], size
        )
    from flint import fmpq, fmpq_mat

    count = len(traces)
    # unknowns s_0 and s_k + s_{-k}; the squares k^2 are different, so the system is regular
    system = fmpq_mat(
        count, count, [k ** (2 * j) for j in range(count) for k in range(count)]
    )
    right = [fmpq(t.numerator, t.denominator) for t in traces]
    solution = system.solve(fmpq_mat(count, 1, right)).entries()
    doubled = [2 * solution[0], *solution[1:]]
    if any(v.q != 1 or v.p % 2 for v in doubled):
        return None
    return [int(v.p) // 2 for v in doubled]


def _solved_modulo(traces: list[int], size: int) -> list[int] | None:
    """The same modulo the prime, for whole numbers of at most the size."""
    from flint import nmod_mat

    count = len(traces)
    powers = [pow(k, 2 * j, PRIME) for j in range(count) for k in range(count)]
    system = nmod_mat(count, count, powers, PRIME)
    # the squares k^2 are different modulo the prime, too
    solution = system.solve(nmod_mat(count, 1, traces, PRIME))
    residues = [int(v) for v in solution.entries()]
    residues[0] = 2 * residues[0] % PRIME
    doubled = [v - PRIME * (2 * v > PRIME) for v in residues]
    if any(v % 2 or abs(v) > 2 * size for v in doubled):
        return None
    return [v // 2 for v in doubled]


def _traces_modulo(x: ExactArray, h: ExactArray, top: int) -> list[int] | None:
    """tr(h X^(2j)) modulo the prime for j up to ``top``; None where there are roots, or a denominator is zero there."""
    if not (x.field.is_rational and h.field.is_rational):
        return None
    if not (x.denominator % PRIME and h.denominator % PRIME):
        return None
    size, out = len(x), [0] * (top + 1)
    of_x, of_h = _Sparse(x), _Sparse(h)
    if max(of_x.most, of_h.most) > TERMS:
        return None
    step = max(1, AT_ONCE // max(1, len(of_x.columns)))
    for start in range(0, size, step):
        own = np.arange(start, min(start + step, size))
        # column c of h X^(2j) at c, for some c at a time
        columns = of_h(np.eye(size, dtype=np.int64)[:, own])
        for j in range(top + 1):
            if j:
                columns = of_x(of_x(columns))
            out[j] += int(columns[own, np.arange(len(own))].sum())
    return out


class _Sparse:
    """A rational matrix modulo the prime, for many products with columns."""

    def __init__(self, m: ExactArray) -> None:
        rows, self.columns, values = entries(m)
        scale = pow(m.denominator, -1, PRIME)
        plain = (values.numerators[:, 0] % PRIME).astype(np.int64)
        self.values: IntArray = (plain * scale % PRIME)[:, None]
        self.starts: IndexArray = np.flatnonzero(np.diff(rows, prepend=-1))
        self.rows: IndexArray = rows[self.starts]
        self.most: int = int(np.diff(self.starts, append=len(rows)).max(initial=0))

    def __call__(self, columns: IntArray) -> IntArray:
        out = np.zeros_like(columns)
        if len(self.rows):
            products = self.values * columns[self.columns]
            out[self.rows] = np.add.reduceat(products, self.starts) % PRIME
        return out


def _meeting(a: ExactArray, b: ExactArray) -> Sided:
    """What the non-zeros of two matrices add to the places of their product."""
    (i, j, u), (k, m, v) = entries(a), entries(b)
    first, second = spread(np.searchsorted(k, np.arange(len(b) + 1)), j)
    return i[first] * len(a) + m[second], u.take(first) * v.take(second)


def _blocks(x: ExactArray, h: ExactArray) -> Iterator[Block]:
    """The blocks of two matrices that fall apart alike, and how often each pair occurs.

    A trace is the sum of those of the blocks, and a polynomial in X vanishes where it does on all of them.
    """
    found: dict[object, Block] = {}
    for own in _members(x, h):
        at = own[:, None], own
        pair = x[at], h[at]
        # the same numerators may stand over another denominator
        key = tuple((_key(m.numerators), m.denominator, len(own)) for m in pair)
        times = found.get(key, (*pair, 0))[2]
        found[key] = (*pair, times + 1)
    yield from found.values()


def _members(*matrices: ExactArray) -> list[IndexArray]:
    """The finest sets of indices that no matrix leads out of."""
    ends = [
        np.concatenate(side)
        for side in zip(*(nonzeros(m) for m in matrices), strict=True)
    ]
    # every entry is an equation that joins its row with its column
    entry = np.tile(np.arange(len(ends[0])), 2)
    size = len(matrices[0])
    label = parts(entry, np.concatenate(ends), (len(ends[0]), size))
    order = np.argsort(label, kind="stable")
    heads = np.flatnonzero(np.diff(label[order], prepend=-1))
    return np.split(order, heads[1:])


def _key(numbers: IntArray) -> bytes | str:
    """Equal for equal numbers of one shape; numbers that fit are int64."""
    if numbers.dtype == object:
        return repr(numbers.tolist())
    return numbers.tobytes()


def _bound(x: ExactArray) -> int:
    """No eigenvalue exceeds the largest absolute row sum. (Too small a bound would be found out by ``_integral``.)"""
    if not x.size:
        return 0
    if x.field.is_rational:
        rows = x.numerators[..., 0].tolist()
        return int(max(sum(map(abs, row)) for row in rows)) // x.denominator
    return int(np.abs(to_float(x)).sum(axis=1).max() + 1e-6)


def _integral(x: ExactArray, top: int) -> bool:
    """Whether X (X^2 + 1) (X^2 + 4) … (X^2 + top^2) = 0, i.e. X is semisimple with weights 0 … top."""
    square = x @ x
    product = x
    for k in range(1, top + 1):
        product = product @ square + product.scale(k * k)
    return product.is_zero
