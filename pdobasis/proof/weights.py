r"""Weights of representations of SO(2), O(2), SO(3), O(3), from traces alone.

For the generator X of rotations about one axis, $d\rho(X)$ has eigenvalues $\pm ik$. With h a further element that
commutes with these rotations, $s_k = \mathrm{tr}(\rho(h)|_{V_k})$ follows from the traces
$\mathrm{tr}(\rho(h)\,d\rho(X)^{2j}) = (-1)^j \sum_k s_k k^{2j}$ by a Vandermonde system.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, identity, integers
from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import Group
from pdobasis.proof.action import lie_on_space, on_space
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.roots import without_roots
from pdobasis.proof.sparse import nonzeros, parts
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """A Laurent polynomial: weight to (signed) multiplicity.

    >>> plane = Weights({1: 1, -1: 1})
    >>> plane.times(plane).table  # (z + 1/z)^2
    {2: 1, 0: 2, -2: 1}
    >>> sorted(plane.symmetric_power(2).table.items())  # z^2 + 1 + z^-2, on polynomials of order 2
    [(-2, 1), (0, 1), (2, 1)]
    """

    table: dict[int, int]

    def times(self, other: Weights) -> Weights:
        out: dict[int, int] = {}
        for a, u in self.table.items():
            for b, v in other.table.items():
                out[a + b] = out.get(a + b, 0) + u * v
        return Weights({k: v for k, v in out.items() if v})

    def symmetric_power(self, n: int) -> Weights:
        r"""$[t^n] \prod_w (1 - s_w z^w t)^{-1}$, for $s_w = \pm 1$ (the sign of the eigenvalue)."""
        series = [Weights({0: 1}), *(Weights({}) for _ in range(n))]
        for w, sign in self.table.items():
            for k in range(1, n + 1):
                previous = {a + w: sign * v for a, v in series[k - 1].table.items()}
                merged = {
                    a: series[k].table.get(a, 0) + previous.get(a, 0)
                    for a in {*series[k].table, *previous}
                }
                series[k] = Weights(merged)
        return series[n]


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
    if not lie[0].equals(integers(turn)) or not all((x + x.T).is_zero for x in lie):
        return False
    # so(2) is one line; two different lines of so(3) generate it
    if d == 3 and all(x[2].is_zero for x in lie):
        return False
    if not group.generators:
        return True
    return len(group.generators) == 1 and _is_mirror(on_space(group)[0])


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
    x = rep.lie[0]
    start = identity(rep.size, x.field)
    if inverted:
        start = matrices_of(rep)[0]
    blocks = list(_blocks(x, start))
    top = max((_bound(block) for block, _, _ in blocks), default=0)
    from flint import fmpq, fmpq_mat

    if top > 200:
        return None
    traces = [Fraction(0)] * (top + 1)
    for given, given_start, times in blocks:
        block, of_start = without_roots(given, given_start)
        if not _integral(block, _bound(given)):
            return None
        square = block @ block
        power = of_start
        for j in range(top + 1):
            traces[j] += times * (-1) ** j * power.trace().fraction()
            power = power @ square
    # unknowns s_0 and s_k + s_{-k} for k = 1 .. top; the squares k^2 are different, so the system is regular
    system = fmpq_mat(
        top + 1,
        top + 1,
        [fmpq(k ** (2 * j)) for j in range(top + 1) for k in range(top + 1)],
    )
    right = fmpq_mat(top + 1, 1, [fmpq(t.numerator, t.denominator) for t in traces])
    solution = [Fraction(int(v.p), int(v.q)) for v in system.solve(right).entries()]
    doubled = [2 * solution[0], *solution[1:]]
    if any(v.denominator != 1 or int(v) % 2 for v in doubled):
        return None
    table = {}
    for k, v in enumerate(doubled):
        half = int(v) // 2
        if inverted and k % 2:  # the half turn that is a factor of -1
            half = -half
        table[k], table[-k] = half, half
    # the weights of 1 are as many as there are dimensions: a count from others would be too low, and believed
    if not inverted and sum(table.values()) != rep.size:
        raise ProofError(f"the weights of {rep.spec} are not {rep.size}")
    return Weights({k: v for k, v in table.items() if v})


def _blocks(
    x: ExactArray, h: ExactArray
) -> Iterator[tuple[ExactArray, ExactArray, int]]:
    """The blocks of two matrices that fall apart alike, and how often each pair occurs.

    A trace is the sum of those of the blocks, and a polynomial in X vanishes where it does on all of them.
    """
    places = [nonzeros(x), nonzeros(h)]
    ends = [np.concatenate(side) for side in zip(*places, strict=True)]
    # every entry is an equation that joins its row with its column
    entry = np.tile(np.arange(len(ends[0])), 2)
    label = parts(entry, np.concatenate(ends), (len(ends[0]), len(x)))
    order = np.argsort(label, kind="stable")
    heads = np.flatnonzero(np.diff(label[order], prepend=-1))
    found: dict[str, tuple[ExactArray, ExactArray, int]] = {}
    for own in np.split(order, heads[1:]):
        at = own[:, None], own
        pair = x[at], h[at]
        # the same numerators may stand over another denominator
        key = repr([(m.numerators.tolist(), m.denominator) for m in pair])
        times = found.get(key, (*pair, 0))[2]
        found[key] = (*pair, times + 1)
    yield from found.values()


def _bound(x: ExactArray) -> int:
    """No eigenvalue exceeds the largest absolute row sum. (Too small a bound would be found out by ``_integral``.)"""
    if not x.size:
        return 0
    return int(np.abs(to_float(x)).sum(axis=1).max() + 1e-6)


def _integral(x: ExactArray, top: int) -> bool:
    """Whether X (X^2 + 1) (X^2 + 4) … (X^2 + top^2) = 0, i.e. X is semisimple with weights 0 … top."""
    square = x @ x
    product = x
    for k in range(1, top + 1):
        product = product @ square + product.scale(k * k)
    return product.is_zero
