r"""The images of all elements of a finite group, on parts of the basis, and block by block where blocks move as wholes.

What no generator leads out of no element does: such a part is looked at by itself. And where every generator maps each
block of b basis vectors into one block, so does every element: $\rho(g)$ sends block q to block $g q$ by a matrix
$B_q(g)$ of size b, with $B_q(sg) = B_{gq}(s)\,B_q(g)$. tensor(vector, regular) has |G| blocks of the size of a vector,
alt(2, regular) has blocks of size 1; nearly all numbers of their matrices are zeros that nobody makes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    exact,
    identity,
    integers,
)
from pdobasis.exact.components import component_labels
from pdobasis.exact.matrices import RightFactors
from pdobasis.exact.scattered import entries_of
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import Closure
from pdobasis.values import dataclass

Entries = tuple[IndexArray, IndexArray, IndexArray]
"""(number of the element, row, column)."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """``places`` (blocks, b) in the basis, where every element sends every block (|G|, blocks), and by which matrix
    (|G|, blocks, b, b).
    """

    places: IndexArray
    moves: IndexArray
    matrices: ExactArray

    @property
    def is_whole(self) -> bool:
        """Whether it is one block."""
        return len(self.places) == 1

    def entries(self, elements: IndexArray) -> tuple[Entries, ExactArray]:
        """What is not zero in the images of some elements, by place in the basis."""
        images = self.matrices.take(elements)
        g, q, i, j = np.nonzero(images.nonzero_mask())
        to = self.moves[elements[g], q]
        return (g, self.places[to, i], self.places[q, j]), images[g, q, i, j]

    def key(self) -> bytes:
        """Equal where elements do the same."""
        return self.moves.tobytes() + self.matrices.packed_key()

    def dense(self) -> ExactArray:
        """(|G|, c, c) for a part of size c, in the order of its places."""
        count, blocks, b, _ = self.matrices.shape
        if self.is_whole:
            return self.matrices.reshape(count, b, b)
        numbers = self.matrices.numerators
        out = np.zeros(
            (count, blocks, b, blocks, b, numbers.shape[-1]), dtype=numbers.dtype
        )
        every, q = np.arange(count)[:, None], np.arange(blocks)
        out[every, self.moves, :, q] = numbers
        size = blocks * b
        # zeros are all that was added: still in lowest terms
        return ExactArray(
            out.reshape(count, size, size, -1),
            self.matrices.denominator,
            self.matrices.field,
        )


def as_one_block(every: ExactArray) -> Part:
    """From the matrices of all elements."""
    count, size, _ = every.shape
    places, moves = (
        np.arange(size).reshape(1, size),
        np.zeros((count, 1), dtype=np.int64),
    )
    return Part(places, moves, every.reshape(count, 1, size, size))


def of_points(points: IndexArray, images: IndexArray) -> Part:
    """Points in increasing order that a permutation takes to each other, and where every element takes them."""
    ones = integers(np.ones((*images.shape, 1, 1), dtype=np.int64))
    return Part(points[:, None], np.searchsorted(points, images), ones)


def parts_of(images: Sequence[ExactArray], table: Closure) -> tuple[Part, ...]:
    """Of the images of all generators, of which there is one at least.

    Those of a part have one size, since elements take them to each other; blocks of one size are looked at together,
    whatever part they belong to.
    """
    blocks, size = blocks_of(images), len(images[0])
    if len(blocks) == 1:
        one = identity(size, images[0].field)
        return (as_one_block(table.evaluate(tuple(images), one)),)
    sizes = np.array([len(own) for own in blocks])
    number = np.empty(size, dtype=np.int64)
    number[np.concatenate(blocks)] = np.arange(len(blocks)).repeat(sizes)
    together = {
        b: _Together(images, blocks, number, sizes == b, table)
        for b in set(sizes.tolist())
    }
    known: dict[bytes, Part] = {}
    out = []
    for own in unmixed(images):
        first = int(number[own[0]])
        found = together[int(sizes[first])].part(first)
        # equal ones once
        same = known.setdefault(found.key(), found)
        out.append(Part(found.places, same.moves, same.matrices))
    return tuple(out)


class _Together:
    """The blocks of one size b, all that generators do to them, and so all elements."""

    def __init__(
        self,
        images: Sequence[ExactArray],
        blocks: list[IndexArray],
        number: IndexArray,
        chosen: IndexArray,
        table: Closure,
    ) -> None:
        self.local = np.cumsum(chosen) - 1
        self.places = np.array(
            [own for own, is_one in zip(blocks, chosen, strict=True) if is_one]
        )
        moves, matrices = [], []
        for m in images:
            entries = entries_of(m)
            # a row for every column: any that is not zero there
            row = np.empty(len(number), dtype=np.int64)
            row[entries.columns] = entries.rows
            to = self.local[number[row[self.places[:, 0]]]]
            moves.append(to)
            matrices.append(m[self.places[to][:, :, None], self.places[:, None]])
        self.moves, self.matrices = _products(moves, matrices, table)

    def part(self, number: int) -> Part:
        """Of all blocks that one of them goes to, in the order of the elements: so those alike are equal."""
        path = self.moves[:, self.local[number]]
        own = path[np.sort(np.unique(path, return_index=True)[1])]
        rank = np.empty(len(self.places), dtype=np.int64)
        rank[own] = np.arange(len(own))
        return Part(self.places[own], rank[self.moves[:, own]], self.matrices[:, own])


def unmixed(images: Sequence[ExactArray]) -> list[IndexArray]:
    """The finest partition of the basis such that no matrix leads out of a part."""
    entries = [entries_of(m) for m in images]
    rows = np.concatenate([m.rows for m in entries])
    columns = np.concatenate([m.columns for m in entries])
    entry = np.tile(np.arange(len(rows)), 2)
    # every entry joins its row with its column
    ends = np.concatenate([rows, columns])
    return _classes(component_labels(entry, ends, (len(rows), len(images[0]))))


def nonzeros(images: Sequence[ExactArray]) -> int:
    """How many numbers one element may have that are not zero; for permutations one each."""
    return sum(len(own) ** 2 for own in blocks_of(images))


def blocks_of(images: Sequence[ExactArray]) -> list[IndexArray]:
    """The smallest blocks that every matrix maps into one each."""
    return _classes(_blocks(images))


def _classes(label: IndexArray) -> list[IndexArray]:
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


def _blocks(images: Sequence[ExactArray]) -> IndexArray:
    """A label for every basis vector: the smallest blocks that every matrix maps into one each.

    An invertible matrix then has one block to each: as many are led to as there are.
    """
    size = len(images[0])
    entries = [entries_of(m) for m in images]
    label = np.arange(size)
    while True:
        # all that the vectors of one block are led to is joined, and what was joined before
        groups, members = [label], [np.arange(size)]
        for k, m in enumerate(entries, 1):
            groups.append(label[m.columns] + k * size)
            members.append(m.rows)
        joined = component_labels(
            np.concatenate(groups),
            np.concatenate(members),
            ((len(images) + 1) * size, size),
        )
        if np.array_equal(joined, label):
            return label
        label = joined


def _products(
    moves: Sequence[IndexArray], matrices: Sequence[ExactArray], table: Closure
) -> tuple[IndexArray, ExactArray]:
    """(gq) and B_q(g) of all elements, level by level of the spanning tree: g is a generator times its parent."""
    blocks, b, _ = matrices[0].shape
    to = np.empty((len(table), blocks), dtype=np.int64)
    to[0] = np.arange(blocks)
    one = identity(b, matrices[0].field)
    # B_q(g)^T, which generators are multiplied with from the right: what they are is made ready once
    factors = [RightFactors(own.transpose(0, 2, 1)) for own in matrices]
    every = [exact(np.tile(one.numerators, (1, blocks, 1, 1, 1)), 1, one.field)]
    numbers = [np.array([0])]
    where = np.zeros(len(table), dtype=np.int64)
    done = every[0]
    for level in table.levels:
        found, names = [], []
        for s, (move, factor) in enumerate(zip(moves, factors, strict=True)):
            members = level[table.via[level] == s]
            if not len(members):
                continue
            parents = table.parent[members]
            at = to[parents]
            to[members] = move[at]
            before = done.take(where[parents]).reshape(-1, b, b)
            after = factor(before, at.reshape(-1))
            found.append(after.reshape(len(members), blocks, b, b))
            names.append(members)
        done = concatenate(found)
        level_members = np.concatenate(names)
        where[level_members] = np.arange(len(level_members))
        every.append(done)
        numbers.append(level_members)
    order = np.argsort(np.concatenate(numbers))
    return to, concatenate(every).take(order).transpose(0, 1, 3, 2)
