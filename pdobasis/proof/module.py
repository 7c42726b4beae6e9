r"""Theorem: the angular elements are a basis over the polynomials in the Laplacian.

Every element carries an angular order l and a Laplacian power k with $l + 2k = n$. What is looked at: G is a subgroup
of O(d), and the elements with power k >= 1 are exactly $r^2$ times those of order n - 2 with power k - 1.

That is enough. Let $V_n$ be all steerable symbols of order n, with the elements as a basis (they are equivariant,
independent and complete). The elements with k >= 1 are then a basis of $r^2 V_{n-2}$. The others, $\chi_i$, are
independent modulo $r^2$: if $\sum c_i \chi_i = r^2 Q$ with any polynomial matrix Q, then Q is steerable, because $r^2$
is invariant and not a divisor of zero; so $r^2 Q \in r^2 V_{n-2}$, and all $c_i$ vanish. By Fischer every class modulo
$r^2$ has one harmonic representative, here of order l = n and not zero: that is what "angular of order l" says of an
operator such as grad div, whose symbol is harmonic only modulo $r^2$.

With a limit on the offsets of frequencies $V_n$ are the steerable symbols within it. The argument is the same: $r^2 Q$
has the frequencies of Q, so that Q is within the limit when $r^2 Q$ is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from operator import mul

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import check
from pdobasis.exact.array import ExactArray, exact, identity
from pdobasis.exact.field import Field, join
from pdobasis.exact.integers import INT_LIMIT, bound, widen
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.group import Group
from pdobasis.operators.symbols import Structure, Symbols
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.batch import TOGETHER, Found
from pdobasis.proof.claim import Claim
from pdobasis.proof.points import number_of_monomials, times_square
from pdobasis.question.problem import Problem

Entries = tuple[IndexArray, IndexArray, IndexArray, IntArray]
"""(element, row, column, numerators of the coefficients) of some symbols."""
Powers = tuple[IndexArray, ...]
"""The Laplacian powers of all elements, order by order."""
FEW = 8
"""Rows of a matrix that Python has multiplied before NumPy has begun."""


def module(
    problem: Problem,
    blocks: Sequence[Found],
    modules: Sequence[Powers | None],
    proved: bool,
) -> Claim | None:
    """None when there are no elements, or they carry no structure; undecided when the rest is not ``proved``.

    ``modules`` says which blocks are some, from :func:`modules_among`.
    """
    angular = np.zeros(problem.order + 1, dtype=np.int64)
    holds: bool | None = None
    for block, known in zip(blocks, modules, strict=True):
        if not any(part.size for part in block.parts):
            continue
        # a direct solver says nothing of powers, and then nothing is claimed
        if block.structure is None:
            return None
        holds = known is not None and holds is not False
        for n, described in enumerate(block.structure[: problem.order + 1]):
            # one by one where nothing is known of them: a file may say any number
            if known is None:
                zeros = sum(s.laplacian_power == 0 for s in described)
            else:
                zeros = int(np.count_nonzero(known[n] == 0))
            angular[n] += block.times * zeros
    if holds is None:
        return None
    if holds and not proved:
        holds = None
    how = "elements of order n are the angular ones and r^2 times all of order n - 2, exactly"
    if problem.kernel:
        how = "all elements are harmonic, of their angular order"
    return Claim("module", holds, how, (("angular", tuple(angular.tolist())),))


def modules_among(problem: Problem, blocks: Sequence[Found]) -> list[Powers | None]:
    """Which blocks are what their structure says, all of it: multiples of r^2 looked at number by number.

    For these the Laplacian powers of their elements, for the others None.
    """
    # where some powers are left out the others are no module
    is_filtered = problem.truncation is not None and problem.truncation.kept is not None
    if is_filtered or all(block.structure is None for block in blocks):
        return [None] * len(blocks)
    if not is_orthogonal(problem.group):
        return [None] * len(blocks)
    return [_graded(block, problem.kernel) for block in blocks]


@remembered
def is_orthogonal(group: Group) -> bool:
    """g g^T = 1 for the generators, X + X^T = 0 for the Lie generators: r^2 is invariant."""
    return all(map(_is_orthogonal, on_space(group))) and all(
        (x + x.T).is_zero for x in lie_on_space(group)
    )


def _is_orthogonal(g: ExactArray) -> bool:
    """g g^T = 1; of few rational numbers in Python's integers, before NumPy has begun."""
    if not g.field.is_rational or len(g) > FEW:
        return (g @ g.T).equals(identity(len(g)))
    rows = g.numerators[..., 0].tolist()
    square = g.denominator**2
    return all(
        sum(map(mul, a, b)) == (square if i == j else 0)
        for i, a in enumerate(rows)
        for j, b in enumerate(rows[: i + 1])
    )


def _graded(block: Found, kernel: bool) -> Powers | None:
    structure = block.structure or ()
    if len(structure) != len(block.parts) or not all(block.formed):
        return None
    every: list[list[int]] = []
    for n, (part, described) in enumerate(zip(block.parts, structure, strict=True)):
        # elements may be thousands, and few of their structures differ
        different = dict(zip(map(id, described), described, strict=True)).values()
        if len(described) != part.size or not all(_is_of(n, s) for s in different):
            return None
        powers = [s.laplacian_power for s in described]
        every.append(powers)
        # a kernel has no powers of r at all
        if kernel and any(powers):
            return None
    known = tuple(np.array(powers, dtype=np.int64) for powers in every)
    if kernel or _are_lifted(block.parts, every):
        return known
    for n in range(2, len(known)):
        check()
        if not _is_lifted(block.parts[n - 2], known[n - 2], block.parts[n], known[n]):
            return None
    return known


def _is_of(order: int, s: Structure) -> bool:
    """l + 2k = n with l and k from 0 on."""
    whole = s.angular_order + 2 * s.laplacian_power
    return whole == order and min(s.angular_order, s.laplacian_power) >= 0


def _are_lifted(parts: Sequence[Symbols], every: Sequence[list[int]]) -> bool:
    """:func:`_is_lifted` of all orders at once: False where one has to look at each of them.

    For few numbers, in one field, and multiples of r^2 that come first, in the order of what they are multiples of.
    """
    if len(parts) <= 2:
        return True
    for below, powers in zip(every, every[2:], strict=False):
        raised = [power + 1 for power in below]
        if powers != raised + [0] * (len(powers) - len(raised)):
            return False
    values = [own.coefficients for own in parts]
    dim, top = parts[0].dim, len(parts) - 1
    counts = [len(own.element) for own in parts[:-2]]
    # entries of r^2 P stand where those of P stand, and one more, after the last, would be looked at nowhere
    for own, part, count in zip(parts, parts[2:], counts, strict=False):
        sides = (own.element, own.row, own.column)
        above = (part.element, part.row, part.column)
        pairs = zip(sides, above, strict=True)
        if not all(a.tobytes() == b[:count].tobytes() for a, b in pairs):
            return False
        if len(part.element) > count and part.element[count] < own.size:
            return False
    # an order without entries may be written in any field
    compared = [n for n, count in enumerate(counts) if count]
    if not compared:
        return True
    read = [values[k] for n in compared for k in (n, n + 2)]
    field, width = read[0].field, number_of_monomials(dim + 1, top)
    if sum(counts) * width * field.degree > TOGETHER:
        return False
    if any(v.field != field or v.numerators.dtype == object for v in read):
        return False
    return _are_multiples(values, counts, dim)


def _are_multiples(
    values: Sequence[ExactArray], counts: Sequence[int], dim: int
) -> bool:
    """Whether the first polynomials of every order, as many as there are two orders below, are r^2 times those."""
    compared = [n for n, count in enumerate(counts) if count]
    entries, degree = sum(counts), values[compared[0]].field.degree
    whole = lcm(*(values[k].denominator for n in compared for k in (n, n + 2)))
    # all of orders 0 and 1 come before the first multiple
    ends = [number_of_monomials(dim + 1, n - 1) for n in range(len(values) + 1)]
    below = np.zeros((entries, ends[-3], degree), dtype=np.int64)
    found = np.zeros((entries, ends[-1] - ends[2], degree), dtype=np.int64)
    at = 0
    for n in compared:
        # polynomials of different orders stand in different columns, so none hides behind another
        rows = slice(at, at + counts[n])
        columns = slice(ends[n + 2] - ends[2], ends[n + 3] - ends[2])
        lower, upper = (_over(values[k], whole, counts[n]) for k in (n, n + 2))
        if lower is None or upper is None:
            return False
        below[rows, ends[n] : ends[n + 1]], found[rows, columns] = lower, upper
        at += counts[n]
    # int64 holds a sum of d numbers below the limit
    if bound(below) * dim >= INT_LIMIT:
        return False
    moved = np.zeros_like(found)
    for places in times_square(dim, 0, len(counts) - 1):
        moved[:, places] += below
    return moved.tobytes() == found.tobytes()


def _over(values: ExactArray, denominator: int, count: int) -> IntArray | None:
    """The first numerators over a multiple of their denominator; None where int64 would not hold them."""
    first, factor = values.numerators[:count], denominator // values.denominator
    if factor == 1:
        return first
    if max(bound(first), 1) * factor >= INT_LIMIT:
        return None
    return np.asarray(first * factor)


def _is_lifted(
    lower: Symbols, below: IndexArray, part: Symbols, powers: IndexArray
) -> bool:
    """Whether the elements with a power are r^2 times all elements of the order below, with the power raised by 1."""
    raised = np.flatnonzero(powers)
    if len(raised) != lower.size:
        return False
    if not len(raised):
        return True
    # entries of r^2 P stand where those of P stand, so index and coefficients are compared as they are
    expected = (lower.element, lower.row, lower.column, _times_square(lower))
    found = selected(part, raised)
    values = (lower.coefficients, part.coefficients)
    if (
        np.array_equal(below + 1, powers[raised])
        and all(map(np.array_equal, expected[:3], found[:3]))
        and _is_same(expected[3], values[0], found[3], values[1])
    ):
        return True
    # the same elements in another order are as good
    field = join(values[0].field, values[1].field)
    return sorted(_keys(expected, values[0], field, (below + 1).tolist())) == sorted(
        _keys(found, values[1], field, powers[raised].tolist())
    )


def _times_square(part: Symbols) -> IntArray:
    """The numerators of r^2 P: every monomial goes to d others."""
    values = part.coefficients
    numbers, degree = values.numerators, values.field.degree
    (wide,) = widen(
        numbers, limit=bound(numbers) * part.dim
    )  # at most d terms meet in a monomial
    shape = (len(numbers), number_of_monomials(part.dim, part.order + 2), degree)
    out: IntArray = np.zeros(shape, dtype=wide.dtype)
    for places in times_square(part.dim, part.order, part.order):
        out[:, places] += wide
    return out


def selected(part: Symbols, chosen: IndexArray) -> Entries:
    """The entries of some elements, by increasing number, which are numbered from 0; over the denominator of all."""
    numbers = part.coefficients.numerators
    first, count = 0, len(chosen)
    if count:
        first = int(chosen[0])
    if not count or int(chosen[-1]) - first == count - 1:
        # entries are sorted by element: consecutive elements are consecutive entries
        low, high = np.searchsorted(part.element, [first, first + count]).tolist()
        own = slice(low, high)
        return part.element[own] - first, part.row[own], part.column[own], numbers[own]
    number = np.full(part.size, -1)
    number[chosen] = np.arange(count)
    entries = np.flatnonzero(number[part.element] >= 0)
    element = number[part.element[entries]]
    return element, part.row[entries], part.column[entries], numbers[entries]


def _is_same(a: IntArray, values: ExactArray, b: IntArray, others: ExactArray) -> bool:
    """Whether numerators over the denominator and field of ``values`` are the numbers of others over theirs."""
    if values.field != others.field or a.shape != b.shape:
        whole = exact(a, values.denominator, values.field)
        return whole == exact(b, others.denominator, others.field)
    common = gcd(values.denominator, others.denominator)
    u, v = others.denominator // common, values.denominator // common
    if u == v:
        return bool(np.array_equal(a, b))
    limit = max(bound(a), 1) * u + max(bound(b), 1) * v
    x, y = widen(a, b, limit=limit)
    return bool((x * u == y * v).all())


def _keys(
    entries: Entries, values: ExactArray, field: Field, powers: Sequence[int]
) -> list[str]:
    """One text for each element, equal for equal elements, whose numbers are written in a common field."""
    element, row, column, every = entries
    bounds = np.searchsorted(element, np.arange(len(powers) + 1)).tolist()
    out = []
    for k, power in enumerate(powers):
        own = slice(bounds[k], bounds[k + 1])
        numbers = exact(every[own], values.denominator, values.field).over(field)
        places = (power, row[own].tolist(), column[own].tolist())
        out.append(repr((places, numbers.denominator, numbers.numerators.tolist())))
    return out
