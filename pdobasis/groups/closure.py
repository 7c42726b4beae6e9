"""All elements of a finite matrix group, in the order that Dimino's algorithm gives.

For generators r, f that order is e, r, …, r^{N-1}, then f, rf, …, r^{N-1}f: the convention for D_N.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import check
from pdobasis.errors import GroupError
from pdobasis.exact.array import (
    ExactArray,
    RightFactor,
    concatenate,
    identity,
    integers,
)
from pdobasis.exact.field import Field, join
from pdobasis.exact.integers import bound, narrow
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.group import Group
from pdobasis.values import dataclass

DEFAULT_LIMIT = 10_000
"""Elements of a finite group before it is refused, unless more are asked for."""
MAX_ELEMENTS = 100_000
"""Elements of a finite group that is ever listed."""
MAX_BITS = 4000
"""No element of a finite group that anybody writes down has larger numerators."""
SHORT = 64
"""Numbers of a matrix up to which its zeros are part of its key."""


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """The elements of a finite group and how generators multiply them.

    ``left[s][i]`` is the index of s * g_i. The spanning tree g_i = s_{via[i]} * g_{parent[i]} is listed by
    ``levels`` (indices at distance 1, 2, … from e), so that a homomorphism is evaluated level by level.
    """

    matrices: ExactArray
    left: tuple[IndexArray, ...]
    parent: IndexArray
    via: IndexArray
    levels: tuple[IndexArray, ...]
    index: dict[bytes, int]

    def __len__(self) -> int:
        return len(self.matrices)

    def find(self, g: ExactArray) -> int | None:
        """The index of a matrix, or None when it is not in the group."""
        field = join(self.matrices.field, g.field)
        wanted = matrix_key(g.over(field))
        if field == self.matrices.field:
            return self.index.get(wanted)
        # One number has many names: sqrt(3) lies in Q(sqrt(3)) and in Q(2cos(2pi/12)).
        keys = _keys(self.matrices.over(field))
        if wanted not in keys:
            return None
        return keys.index(wanted)

    def word(self, i: int) -> list[int]:
        """Generators s_1 s_2 … s_k = g_i, as positions."""
        out = []
        while i:
            out.append(int(self.via[i]))
            i = int(self.parent[i])
        return out

    def action(self, i: int) -> IndexArray:
        """The permutation h -> g_i h of the elements."""
        moved = np.arange(len(self))
        for s in reversed(self.word(i)):
            moved = self.left[s][moved]
        return moved

    def evaluate(self, images: tuple[ExactArray, ...], one: ExactArray) -> ExactArray:
        """The images of all elements under the homomorphism with these images of the generators, (|G|, c, c)."""
        field = reduce(join, (image.field for image in images), one.field)
        if one.shape == (1, 1):
            signs = [_sign(image) for image in images]
            if None not in signs:
                return self._signs([sign or 1 for sign in signs], field)
        batches = [one.over(field).reshape(1, *one.shape)]
        indices = [np.array([0])]
        where = np.zeros(len(self), dtype=np.int64)
        done = batches[0]
        fixed = [RightFactor(image.T.over(field)) for image in images]
        for level in self.levels:
            check()
            parts, names = [], []
            for s, image in enumerate(fixed):
                members = level[self.via[level] == s]
                if len(members):
                    parents = done.take(where[self.parent[members]])
                    # rho(s g) = rho(s) rho(g), as (rho(g)^T rho(s)^T)^T to keep the fixed factor on the right
                    moved = image(parents.transpose(0, 2, 1))
                    parts.append(moved.transpose(0, 2, 1))
                    names.append(members)
            done = concatenate(parts)
            members = np.concatenate(names)
            where[members] = np.arange(len(members))
            batches.append(done)
            indices.append(members)
        order = np.argsort(np.concatenate(indices))
        return concatenate(batches).take(order)

    def _signs(self, images: list[int], field: Field) -> ExactArray:
        """The same where generators go to 1 or -1, one after the other."""
        out = [1] * len(self)
        parent, via = self.parent.tolist(), self.via.tolist()
        for level in self.levels:
            for i in level.tolist():
                out[i] = images[via[i]] * out[parent[i]]
        return integers(np.array(out).reshape(-1, 1, 1), field)


def _sign(m: ExactArray) -> int | None:
    """A matrix of size 1, if it is 1 or -1."""
    first, *others = m.numerators.ravel().tolist()
    if abs(first) != m.denominator or any(others):
        return None
    return 1 if first > 0 else -1


def closure(group: Group) -> Closure:
    """All elements; GroupError when there are more than :data:`MAX_ELEMENTS`."""
    # equal groups may be written in different fields, and so are their elements
    return _closure(group, group.field)


@remembered
def _closure(group: Group, field: Field) -> Closure:
    generators = [g.over(field) for g in group.generators]
    elements = _dimino(group, MAX_ELEMENTS)
    index = {key: i for i, key in enumerate(_keys(elements))}
    left = []
    for g in generators:
        # all s g_i in one product, then looked up by their entries
        moved = (elements.transpose(0, 2, 1) @ g.T).transpose(0, 2, 1)
        left.append(np.array([index[k] for k in _keys(moved)], dtype=np.int64))
    parent, via, levels = _tree(left, len(elements))
    _listed(group).append(None)
    return Closure(elements, tuple(left), parent, via, levels, index)


def is_listed(group: Group) -> bool:
    """Whether somebody has asked for all elements before: then they are there for nothing."""
    return bool(_listed(group))


@remembered
def _listed(group: Group) -> list[None]:
    """Empty until the elements are listed; forgotten with them, since all caches are emptied together."""
    return []


def matrix_key(m: ExactArray) -> bytes:
    return _keys(m.reshape(1, *m.shape))[0]


def require_closing(group: Group, limit: int = DEFAULT_LIMIT) -> None:
    """GroupError unless the finite generators make at most ``limit`` elements."""
    if group.generators:
        _dimino(group, limit)


def _dimino(group: Group, limit: int) -> ExactArray:
    """Dimino: the group of the first k generators is a union of cosets of that of the first k - 1."""
    field = group.field
    generators = [g.over(field) for g in group.generators]
    one = identity(group.dim, field)
    seen = {matrix_key(one)}
    times = [RightFactor(g) for g in generators]
    elements = one.reshape(1, *one.shape)
    for k, g in enumerate(generators):
        if matrix_key(g) in seen:
            continue
        if len(elements) == 1:
            powers = _powers(group, g, limit)
            if powers is not None:
                elements = powers
                seen.update(_keys(elements))
                continue
        subgroup = elements
        cosets = [subgroup]
        representatives = [one]
        # H r s is a coset for every coset H r: the representatives alone have to be multiplied.
        # Their list grows while it is walked, and ends when no product is new
        for r in representatives:
            check()
            for s in times[: k + 1]:
                candidate = s(r)
                if matrix_key(candidate) in seen:
                    continue
                _require_small(group, candidate)
                coset = subgroup @ candidate
                seen.update(_keys(coset))
                _require_few(group, len(seen), limit)
                cosets.append(coset)
                representatives.append(candidate)
        elements = concatenate(cosets)
    return elements


def _powers(group: Group, g: ExactArray, limit: int) -> ExactArray | None:
    """1, g, g^2, … until 1 comes again: twice as many with every product.

    None where numbers grow, so that one may never come: then they are made one by one, until that is sure.
    """
    one = identity(group.dim, group.field)
    known, step = one.reshape(1, *g.shape), g
    while True:
        check()
        more = known @ step
        if more.numerators.dtype == object:
            return None
        keys = _keys(more)
        if matrix_key(one) in keys:
            end = keys.index(matrix_key(one))
            _require_few(group, len(known) + end, limit)
            return concatenate([known, more[:end]])
        _require_few(group, 2 * len(known), limit)
        known, step = concatenate([known, more]), step @ step


def _require_small(group: Group, element: ExactArray) -> None:
    largest = max(bound(element.numerators), element.denominator)
    if largest.bit_length() > MAX_BITS:
        raise GroupError(
            f"{group.name}: the entries of products of the generators grow without bound, so the group is "
            "infinite; give Lie generators for a continuous group"
        )


def _require_few(group: Group, found: int, limit: int) -> None:
    if found > limit:
        raise GroupError(
            f"{group.name}: the generators make more than {limit} elements; give Lie generators "
            "for a continuous group, or raise the limit (max_elements=) for a large finite one"
        )


def _keys(batch: ExactArray) -> list[bytes]:
    """One key per matrix, by its own lowest terms: all numbers where they are few, else what is not zero."""
    flat = batch.numerators.reshape(len(batch), -1)
    lowest, divisors = flat, [1] * len(flat)
    if batch.denominator > 1:
        common = np.gcd(np.gcd.reduce(flat, axis=1), batch.denominator)
        lowest, divisors = flat // common[:, None], common.tolist()
    if flat.shape[1] <= SHORT:
        written = _written(lowest)
    else:
        number, place = np.nonzero(lowest)
        values = lowest[number, place]
        ends = np.searchsorted(number, np.arange(len(flat) + 1)).tolist()
        written = []
        for low, high in pairwise(ends):
            (numbers,) = _written(values[None, low:high])
            written.append(place[low:high].tobytes() + numbers)
    return [
        f"{batch.denominator // divisor}:".encode() + own
        for divisor, own in zip(divisors, written, strict=True)
    ]


def _written(rows: IntArray) -> list[bytes]:
    """Each row: small numbers as the bytes of int64, whatever the others need."""
    if rows.dtype == object:
        numbers = [narrow(row) for row in rows]
        return [
            repr(row.tolist()).encode() if row.dtype == object else row.tobytes()
            for row in numbers
        ]
    data, step = rows.tobytes(), rows.itemsize * rows.shape[1]
    return [data[k * step : (k + 1) * step] for k in range(len(rows))]


def _tree(
    left: list[IndexArray], size: int
) -> tuple[IndexArray, IndexArray, tuple[IndexArray, ...]]:
    """A spanning tree of the Cayley graph from e, in breadth first order: (parent, via, levels)."""
    parent = np.full(size, -1)
    via = np.full(size, -1)
    parent[0] = 0
    frontier = np.array([0])
    levels = []
    while left and len(frontier):
        fresh = []
        for s, moved in enumerate(left):
            reached = moved[frontier]
            # left multiplication permutes the elements: none is reached twice at once
            new = parent[reached] < 0
            parent[reached[new]] = frontier[new]
            via[reached[new]] = s
            fresh.append(reached[new])
        frontier = np.sort(np.concatenate(fresh))
        if len(frontier):
            levels.append(frontier)
    return parent, via, tuple(levels)


def generating(table: Closure, members: IndexArray) -> list[int]:
    """A few elements that generate the subgroup with these members."""
    if len(members) == len(table):
        return [int(p[0]) for p in table.left]
    chosen: list[int] = []
    actions: list[IndexArray] = []
    reached = np.zeros(len(table), dtype=bool)
    reached[0] = True
    # an element that the chosen ones do not make at least doubles the subgroup (Lagrange)
    for h in members.tolist():
        if not reached[h]:
            chosen.append(h)
            actions.append(table.action(h))
            _spread(reached, actions)
    return chosen


def _spread(reached: IndexArray, actions: list[IndexArray]) -> None:
    """Close the marked set under the permutations."""
    frontier = np.flatnonzero(reached)
    while len(frontier):
        # the different ones, in order
        moved = np.flatnonzero(
            np.bincount(np.concatenate([a[frontier] for a in actions]))
        )
        frontier = moved[~reached[moved]]
        reached[frontier] = True


def commutes(a: ExactArray, b: ExactArray) -> bool:
    return (a @ b).equals(b @ a)
