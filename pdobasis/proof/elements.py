r"""All elements of a finite group and of its representations, believed only after a look.

Averages over G need a list $g_0, g_1, \dots$ with $\rho(g_i)$ for which (a) every generator s permutes the list,
$s g_i = g_{\pi_s(i)}$, and $\rho(s)\rho(g_i) = \rho(g_{\pi_s(i)})$ with the same $\pi_s$; (b) $g_0 = 1$,
$\rho(g_0) = 1$, and every i is reached from 0. By (b) every member is a product of generators, so the average
$A = \frac{1}{|L|}\sum_i \rho(g_i)$ is 1 on the invariants; by (a) $\rho(s)A = A$, so its image is invariant. Hence A is
a projection onto the invariants and its trace is their dimension, wherever the list came from.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, exact, identity, integers
from pdobasis.exact.integers import bound, widen
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.groups.closure import Closure, closure
from pdobasis.groups.group import Group
from pdobasis.proof.modular import place, residues
from pdobasis.proof.sparse import flat_entries
from pdobasis.representations.representation import (
    Representation,
    all_matrices,
    all_permutations,
)

LARGE = 20
"""Sizes from which it is asked whether a representation is made of smaller ones: those are looked at sooner."""


@remembered
def elements(group: Group) -> tuple[ExactArray, tuple[IndexArray, ...]]:
    """The matrices (|G|, d, d), and for every generator where it sends them; (a) and (b) hold."""
    table = closure(group)
    moves = table.left
    size = len(table.matrices)
    if len(moves) != len(group.generators) or not _is_one_orbit(table, size):
        raise ProofError(
            f"the list of the {size} elements of {group.name} is not one orbit of its generators"
        )
    if not _follows(table.matrices, group.generators, moves):
        raise ProofError(
            f"the list of the {size} elements of {group.name} does not multiply as they do"
        )
    return table.matrices, moves


@remembered
def characters(rep: Representation) -> ExactArray:
    """The trace of every element, in the order of :func:`elements`."""
    found = plain_characters(rep)
    if found is None and rep.size >= LARGE:
        found = _by_factors(rep)
    if found is None:
        found = traces(images_of(rep))
    return found


@remembered
def plain_characters(rep: Representation) -> ExactArray | None:
    """Of space itself, and where coordinates are permuted up to signs; None for others."""
    matrices, moves = elements(rep.group)
    if rep.generators == rep.group.generators and rep.generators:
        return traces(matrices)
    if rep.permutations is not None:
        images = all_permutations(rep)
        if not _permutes(images, rep.permutations, moves):
            raise ProofError(f"{rep.spec} does not multiply as {rep.group.name} does")
        return integers((images == np.arange(rep.size)).sum(axis=1))
    points = signed_permutations(rep)
    if points is not None:
        return _signed_characters(rep, points, moves)
    return None


def images_of(rep: Representation) -> ExactArray:
    """The matrices of all elements, in their order, after a look."""
    every = all_matrices(rep)
    if not _follows(every, rep.matrices(), elements(rep.group)[1]):
        raise ProofError(f"{rep.spec} does not multiply as {rep.group.name} does")
    return every


def _by_factors(rep: Representation) -> ExactArray | None:
    """The traces of tensors, from the factors alone."""
    from pdobasis.proof.factors import square_of, square_traces, tensor_factors

    factors = tensor_factors(rep)
    if factors is not None:
        a, b = map(characters, factors)
        return a * b
    found = square_of(rep)
    if found is None:
        return None
    root, sign = found
    trace = characters(root)
    squares = square_traces(images_of(root)).scale(sign)
    return (trace * trace + squares).scale(Fraction(1, 2))


@remembered
def signed_permutations(rep: Representation) -> tuple[tuple[int, ...], ...] | None:
    """Where every generator sends e_0, e_1, …, -e_0, -e_1, …; None where some are not permuted."""
    points = []
    for m in rep.generators:
        found = _signed_permutation(m)
        if found is None:
            return None
        points.append(found)
    return tuple(points) or None


def _signed_permutation(m: ExactArray) -> tuple[int, ...] | None:
    """Where the points e_0, e_1, …, -e_0, -e_1, … go, numbered like this; None where they are not permuted."""
    size = len(m)
    if m.denominator != 1:
        return None
    places, numbers = flat_entries(m)
    # one number in every row, and it is rational
    if len(places) != size or np.count_nonzero(numbers) != size:
        return None
    to = [-1] * (2 * size)
    signs = numbers[:, 0].tolist()
    for row, (at, sign) in enumerate(zip(places.tolist(), signs, strict=True)):
        column = at - row * size
        if not 0 <= column < size or sign not in (1, -1):
            return None
        points = (row, row + size)
        to[column], to[column + size] = points[::sign]
    # a column that two rows share leaves another without one
    if -1 in to:
        return None
    return tuple(to)


def _signed_characters(
    rep: Representation,
    points: tuple[tuple[int, ...], ...],
    moves: tuple[IndexArray, ...],
) -> ExactArray:
    """How many points e_j stay, less those that go to -e_j: no matrix is multiplied, however large."""
    table, size = closure(rep.group), rep.size
    every = np.empty((len(table), 2 * size), dtype=np.int64)
    every[0] = np.arange(2 * size)
    # parents in the spanning tree are done before their children
    for level in table.levels:
        for s, image in enumerate(points):
            members = level[table.via[level] == s]
            every[members] = np.array(image)[every[table.parent[members]]]
    if not _permutes(every, points, moves):
        raise ProofError(f"{rep.spec} does not multiply as {rep.group.name} does")
    stay = np.arange(size)
    kept = (every[:, :size] == stay).sum(axis=1)
    return integers(kept - (every[:, :size] == stay + size).sum(axis=1))


def traces(matrices: ExactArray) -> ExactArray:
    """Of a list (k, n, n)."""
    limit = bound(matrices.numerators) * matrices.shape[1]
    (wide,) = widen(matrices.numerators, limit=limit)
    return exact(
        np.trace(wide, axis1=1, axis2=2),
        matrices.denominator,
        matrices.field,
    )


@remembered
def not_brackets(group: Group) -> tuple[int, ...]:
    """Lie generators without those that are, up to a factor, brackets of others.

    What commutes with X and Y commutes with [X, Y]. But this is only a choice: with too few of them the nullity is too
    large, and then all are asked.
    """
    at = place(group.field)
    matrices = [residues(x.over(group.field), at).astype(object) for x in group.lie]
    names = {_line(m, at.prime): k for k, m in enumerate(matrices)}
    chosen: list[int] = []
    reached: list[int] = []
    for k in range(len(matrices)):
        if k in reached:
            continue
        chosen.append(k)
        waiting = [k]
        while waiting:
            new = waiting.pop()
            for old in reached:
                a, b = matrices[new], matrices[old]
                other = names.get(_line((a @ b - b @ a) % at.prime, at.prime))
                # a bracket that is no multiple of a generator is passed over: that keeps more generators than needed
                if other is not None and other not in (*reached, *waiting, new):
                    waiting.append(other)
            reached.append(new)
    return tuple(chosen)


def _line(m: IntArray, p: int) -> tuple[int, ...]:
    """Equal for multiples of one matrix: the first number that is not zero becomes 1."""
    flat = m.ravel().tolist()
    first = next((v for v in flat if v), 1)
    scale = pow(first, -1, p)
    return tuple(v * scale % p for v in flat)


def _is_one_orbit(table: Closure, size: int) -> bool:
    """Whether the generators permute 0, …, size - 1, and every i > 0 is one of them times an i that came earlier."""
    everything = np.arange(size)
    if not all(np.array_equal(np.sort(move), everything) for move in table.left):
        return False
    if size == 1:
        return True
    depth = np.zeros(size, dtype=np.int64)
    for k, level in enumerate(table.levels):
        depth[level] = k + 1
    parent, via = table.parent[1:], table.via[1:]
    # with 0 alone at depth 0 and depths that fall from i to its parent, the way from i back to 0 has no circles
    falls = depth[0] == 0 and (depth[1:] > depth[parent]).all()
    return bool(
        falls and np.array_equal(np.stack(table.left)[via, parent], everything[1:])
    )


def _follows(
    every: ExactArray, images: tuple[ExactArray, ...], moves: tuple[IndexArray, ...]
) -> bool:
    """rho(g_0) = 1 and rho(s) rho(g_i) = rho(s g_i), exactly."""
    if every.shape[1:] != every.shape[:0:-1] or not every[0].equals(
        identity(every.shape[1])
    ):
        return False
    columns = every.transpose(0, 2, 1)
    for image, move in zip(images, moves, strict=True):
        # rho(s) rho(g) as (rho(g)^T rho(s)^T)^T: the fixed factor stands on the right, one product for all elements
        moved = (columns @ image.T).transpose(0, 2, 1)
        if not moved.equals(every.take(move)):
            return False
    return True


def _permutes(
    every: IndexArray,
    images: tuple[tuple[int, ...], ...],
    moves: tuple[IndexArray, ...],
) -> bool:
    """The same for permutations of 0, …, size - 1."""
    if not np.array_equal(every[0], np.arange(every.shape[1])):
        return False
    pairs = zip(images, moves, strict=True)
    return all(
        np.array_equal(np.array(image)[every], every[move]) for image, move in pairs
    )
