r"""The images of all elements of a finite group, on parts of the basis, and block by block where blocks move as wholes.

What no generator leads out of no element does: such a part is looked at by itself. And where every generator maps each
block of b basis vectors into one block, so does every element: $\rho(g)$ sends block q to block $g q$ by a matrix
$B_q(g)$ of size b, with $B_q(sg) = B_{gq}(s)\,B_q(g)$. tensor(vector, regular) has |G| blocks of the size of a vector,
alt(2, regular) has blocks of size 1; nearly all numbers of their matrices are zeros that nobody makes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate, exact, identity
from pdobasis.exact.components import component_labels
from pdobasis.exact.matrices import batched_matmul
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


def parts_of(images: Sequence[ExactArray], table: Closure) -> tuple[Part, ...]:
    """Of the images of all generators, of which there is one at least."""
    known: dict[bytes, Part] = {}
    out = []
    for own in unmixed(images):
        parts = [m[own[:, None], own] for m in images]
        key = b"|".join(m.packed_key() for m in parts)
        if key not in known:
            known[key] = _part(parts, table)
        found = known[key]
        out.append(Part(own[found.places], found.moves, found.matrices))
    return tuple(out)


def unmixed(images: Sequence[ExactArray]) -> list[IndexArray]:
    """The finest partition of the basis such that no matrix leads out of a part."""
    mask = np.logical_or.reduce([m.nonzero_mask() for m in images])
    rows, columns = np.nonzero(mask)
    entry = np.tile(np.arange(len(rows)), 2)
    # every entry joins its row with its column
    ends = np.concatenate([rows, columns])
    return _classes(component_labels(entry, ends, (len(rows), len(mask))))


def nonzeros(images: Sequence[ExactArray]) -> int:
    """How many numbers one element may have that are not zero; for permutations one each."""
    total = 0
    for own in unmixed(images):
        _, sizes = np.unique(
            _blocks([m[own[:, None], own] for m in images]), return_counts=True
        )
        total += int((sizes**2).sum())
    return total


def _classes(label: IndexArray) -> list[IndexArray]:
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


def _part(images: Sequence[ExactArray], table: Closure) -> Part:
    """Of what is not taken apart any more: its blocks have one size, since elements take each of them to all others."""
    size = len(images[0])
    places = np.array(_classes(_blocks(images)))
    if len(places) == 1:
        return as_one_block(
            table.evaluate(tuple(images), identity(size, images[0].field))
        )
    block = np.empty(size, dtype=np.int64)
    block[places] = np.arange(len(places))[:, None]
    # the block that the first vector of every block is led to
    moves = [block[m.nonzero_mask()[:, places[:, 0]].argmax(axis=0)] for m in images]
    matrices = [
        m[places[to][:, :, None], places[:, None]]
        for m, to in zip(images, moves, strict=True)
    ]
    return Part(places, *_products(moves, matrices, table))


def _blocks(images: Sequence[ExactArray]) -> IndexArray:
    """A label for every basis vector: the smallest blocks that every matrix maps into one each.

    An invertible matrix then has one block to each: as many are led to as there are.
    """
    size = len(images[0])
    entries = [np.nonzero(m.nonzero_mask()) for m in images]
    label = np.arange(size)
    while True:
        # all that the vectors of one block are led to is joined, and what was joined before
        groups, members = [label], [np.arange(size)]
        for k, (row, column) in enumerate(entries, 1):
            groups.append(label[column] + k * size)
            members.append(row)
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
    every = [
        exact(np.tile(one.numerators, (1, blocks, 1, 1, 1)), one.denominator, one.field)
    ]
    numbers = [np.array([0])]
    where = np.zeros(len(table), dtype=np.int64)
    done = every[0]
    for level in table.levels:
        found, names = [], []
        for s, (move, own) in enumerate(zip(moves, matrices, strict=True)):
            members = level[table.via[level] == s]
            if not len(members):
                continue
            parents = table.parent[members]
            at = to[parents]
            to[members] = move[at]
            before = done.take(where[parents]).reshape(-1, b, b)
            after = own.take(at.reshape(-1))
            found.append(
                batched_matmul(after, before).reshape(len(members), blocks, b, b)
            )
            names.append(members)
        done = concatenate(found)
        level_members = np.concatenate(names)
        where[level_members] = np.arange(len(level_members))
        every.append(done)
        numbers.append(level_members)
    order = np.argsort(np.concatenate(numbers))
    return to, concatenate(every).take(order)
