r"""Images of generators that move blocks of coordinates as wholes: a block and a place for it instead of a matrix.

Let the coordinates be cut into blocks of b such that every generator maps each block into one: $e_i$ of block q goes to
the sum of $(B_q)_{ai} e_a$ over block $\sigma(q)$. Then so does every product,
$(\sigma, B)(\sigma', B') = (\sigma\sigma', q \mapsto B_{\sigma'(q)} B'_q)$, and its trace is the sum of those of all
$B_q$ with $\sigma(q) = q$. A tensor product with a permutation of N points has N blocks (or fewer, larger ones), so
that $N b^2$ numbers say what $N^2 b^2$ say, most of them zero.

One of them is an array (N, 1 + b^2), $\sigma(q)$ before $B_q$, so that those of all elements are made, and compared, as
matrices are: equal arrays are equal matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.proof.modular import Place, residues
from pdobasis.proof.sparse import entries, parts, renumbered, within

if TYPE_CHECKING:
    from pdobasis.proof.reduced import Times


def blocks_of(
    images: Sequence[ExactArray], field: Field, at: Place
) -> tuple[list[IntArray], IntArray] | None:
    """What the generators make of the blocks, at a place, and the identity; None where there is but one block, or they
    are of different sizes.
    """
    matrices = [entries(m.over(field)) for m in images]
    of = renumbered(_system([(i, j) for i, j, _ in matrices], len(images[0])))
    place, sizes = within(of)
    count, size = len(sizes), int(sizes[0])
    if count == 1 or (sizes != size).any():
        return None
    found = []
    for i, j, values in matrices:
        own = _moved(
            (of[i], place[i]), (of[j], place[j]), residues(values, at), (count, size)
        )
        if own is None:
            return None
        found.append(own)
    one = np.zeros((count, 1 + size * size), dtype=np.int64)
    one[:, 0] = np.arange(count)
    one[:, 1:] = np.eye(size, dtype=np.int64).ravel()
    return found, one


def _moved(
    to: tuple[IndexArray, IndexArray],
    start: tuple[IndexArray, IndexArray],
    numbers: IntArray,
    shape: tuple[int, int],
) -> IntArray | None:
    """From the non-zeros of a matrix, (block, place in it) each; None where a block goes nowhere, or to several."""
    count, size = shape
    out = np.zeros((count, 1 + size * size), dtype=np.int64)
    out[:, 0] = -1
    out[start[0], 0] = to[0]
    if (out[:, 0] < 0).any() or (out[start[0], 0] != to[0]).any():
        return None
    out[start[0], 1 + to[1] * size + start[1]] = numbers
    return out


def _system(places: Sequence[tuple[IndexArray, IndexArray]], size: int) -> IndexArray:
    """A label for every coordinate: blocks as small as they can be.

    >>> turn = np.array([1, 0, 3, 2]), np.arange(4)  # 0 and 1 are exchanged, and so are 2 and 3
    >>> mixed = np.array([2, 3, 2, 3, 0, 1]), np.array([0, 0, 1, 1, 2, 3])
    >>> _system([turn], 4).tolist(), _system([turn, mixed], 4).tolist()
    ([0, 1, 2, 3], [0, 0, 2, 2])
    """
    label = np.arange(size)
    while True:
        before = label
        for i, j in places:
            # what the coordinates of one block go to is in one block
            label = parts(label[j], label[i], (size, size))[label]
        if np.array_equal(label, before):
            return label


def times(matmul: Times) -> Times:
    """The product of one with one or with a list, from that of matrices modulo the prime."""

    def product(a: IntArray, b: IntArray) -> IntArray:
        # a list is on one side at most
        if b.ndim == 2:
            moved = a[..., b[:, 0], :]
        else:
            moved = a[b[..., 0]]
        size = round((a.shape[-1] - 1) ** 0.5)
        left, right = (
            own[..., 1:].reshape(*own.shape[:-1], size, size) for own in (moved, b)
        )
        found = matmul(left, right)
        flat = found.reshape(*found.shape[:-2], size * size)
        return np.concatenate([moved[..., :1], flat], axis=-1)

    return product


def traces(every: IntArray, p: int) -> IntArray:
    """Of a list of them, modulo the prime.

    >>> one_goes, other_stays = [[1, 5], [0, 6]], [[0, 5], [1, 6]]
    >>> traces(np.array([one_goes, other_stays]), 7).tolist()
    [0, 4]
    """
    _, count, width = every.shape
    size = round((width - 1) ** 0.5)
    blocks = every[..., 1:].reshape(*every.shape[:2], size, size)
    own = blocks.trace(axis1=2, axis2=3) % p
    own[every[..., 0] != np.arange(count)] = 0
    return np.asarray(own.sum(axis=1) % p)
