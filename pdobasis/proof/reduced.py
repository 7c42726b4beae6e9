r"""Elements and characters of a finite group modulo a prime, where K is large: lists over K would be most of the work.

At a place of K the generators have images over $\mathbb{F}_p$, and these make a list of products. It is closed under
every generator, and so are the images under $\rho$ in the same way: both are looked at. Then the average over the list
is a projection onto the invariants of the reduced representation (see :mod:`.elements`; p does not divide the length of
the list), and its trace is their dimension. That is at least their dimension over K, since a basis of invariants over K
can be chosen such that it stays one at the place: of what is a representation (the hypothesis, which is claimed by
itself) a count is never too low. And it is the number itself where $\rho$ is one over K: the list then has |G| members.
For what is 1 at the place has an order that is a power of p, and in a finite group over K only 1 has: an element of
order p needs $d\,[K : \mathbb{Q}] \ge p - 1$.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.bounds.watch import check
from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field
from pdobasis.exact.types import FloatArray, IndexArray, IntArray
from pdobasis.groups.closure import MAX_ELEMENTS
from pdobasis.groups.group import Group
from pdobasis.proof.elements import signed_permutations
from pdobasis.proof.modular import Place, residues
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

HALF = 14
"""Bits of the lower half of a residue."""
COMPOSED = 10
"""Sizes from which it is asked whether a representation is made of smaller ones: those are looked at sooner."""
TERMS = 1 << 10
"""Products of half a residue with a whole one that float64 holds the sum of: 42 bits each."""

WORTH_TAKING_APART = 20
"""Sizes from which it is asked whether the basis falls apart under the generators."""
SMALL = 32
"""Sizes of matrices up to which the way to float64 and back costs more than BLAS saves."""

Times = Callable[[IntArray, IntArray], IntArray]
"""The product of images, one of them or a list of them each."""


@dataclass(frozen=True, slots=True)
class Stage:
    """How a list H grows to H, H r_1, H r_2, …: r_j is an earlier r (the first is 1) times a generator.

    Where H is 1 alone, it becomes 1, s, …, with so many ``powers`` of a generator s, before.
    """

    powers: tuple[int, int]
    cosets: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """All elements at a place, how they were made, and where every generator sends them."""

    matrices: IntArray
    stages: tuple[Stage, ...]
    moves: tuple[IndexArray, ...]

    def __len__(self) -> int:
        return len(self.matrices)

    def images(
        self, generators: Sequence[IntArray], one: IntArray, times: Times
    ) -> IntArray | None:
        """Those of all elements; None where they do not multiply as the elements do."""
        every = one[None]
        for stage in self.stages:
            every = _grown(every, stage, generators, one, times)
        for image, move in zip(generators, self.moves, strict=True):
            if not np.array_equal(times(image, every), every[move]):
                return None
        return every


def fits(bits: int) -> bool:
    """Whether float64 holds the sums, modulo a prime of so many bits."""
    return bits <= 2 * HALF


@remembered
def roll(group: Group, field: Field, at: Place) -> Roll:
    """By Dimino's algorithm, modulo the prime."""
    times = _modulo(at.prime)
    generators = [residues(g.over(field), at) for g in group.generators]
    one = np.eye(group.dim, dtype=np.int64)
    every, seen, stages = one[None], {one.tobytes()}, []
    for k, g in enumerate(generators):
        if g.tobytes() in seen:
            continue
        powers, cosets = (k, 1), []
        if len(every) == 1:
            every = _all_powers(g, one, times)
            powers = (k, len(every))
            seen.update(_keys(every))
        subgroup, grown, representatives = every, [every], [one]
        # the list of representatives grows while it is walked, and ends when no product is new
        for number, r in enumerate(representatives):
            check()
            for s in range(k + 1):
                candidate = times(r, generators[s])
                if candidate.tobytes() in seen:
                    continue
                cosets.append((number, s))
                representatives.append(candidate)
                grown.append(times(subgroup, candidate))
                seen.update(_keys(grown[-1]))
                _require_few(len(seen))
        every = np.concatenate(grown)
        stages.append(Stage(powers, tuple(cosets)))
    index = {key: i for i, key in enumerate(_keys(every))}
    moved = [[index.get(key, -1) for key in _keys(times(g, every))] for g in generators]
    everything = list(range(len(every)))
    if not all(sorted(own) == everything for own in moved):
        raise ProofError(
            f"the list of the {len(every)} elements of {group.name} is not closed under its generators"
        )
    moves = tuple(np.array(own, dtype=np.int64) for own in moved)
    return Roll(every, tuple(stages), moves)


@remembered
def reduced_characters(rep: Representation, field: Field, at: Place) -> IntArray:
    """The trace of every element at a place, in the order of :func:`roll`; for primes that ``fits`` allows."""
    p, listed = at.prime, roll(rep.group, field, at)
    if rep.generators == rep.group.generators and rep.generators:
        return np.asarray(listed.matrices.trace(axis1=1, axis2=2) % p)
    points = rep.permutations
    if points is None:
        points = signed_permutations(rep)
    if points is not None:
        return _fixed_points(rep, listed, points) % p
    if rep.size >= COMPOSED:
        found = _by_factors(rep, field, at)
        if found is not None:
            return found
    if rep.size < WORTH_TAKING_APART or not rep.generators:
        return np.asarray(_images(rep, field, at).trace(axis1=1, axis2=2) % p)
    return _by_parts(rep, field, at)


def _images(rep: Representation, field: Field, at: Place) -> IntArray:
    """The matrices of all elements at the place."""
    return _listed(rep, rep.generators, field, at)


def _listed(
    rep: Representation, images: Sequence[ExactArray], field: Field, at: Place
) -> IntArray:
    """What all elements have at the place, where generators have these images."""
    generators = [residues(m.over(field), at) for m in images]
    one = np.eye(len(generators[0]) if generators else rep.size, dtype=np.int64)
    found = roll(rep.group, field, at).images(generators, one, _modulo(at.prime))
    return _required(rep, found)


def _by_parts(rep: Representation, field: Field, at: Place) -> IntArray:
    """The sum of the traces on parts of the basis that no generator leads out of.

    So no product does, and what is done to a part is the product of what generators do to it: one that does not
    multiply as the group does is found in the part where it does not.
    """
    every = _unmixed(rep.generators)
    if len(every) == 1:
        return _traces(rep, rep.generators, field, at)
    known: dict[bytes, IntArray] = {}
    total = np.zeros(len(roll(rep.group, field, at)), dtype=np.int64)
    for own in every:
        images = [m[own[:, None], own] for m in rep.generators]
        key = b"|".join(m.packed_key() for m in images)
        if key not in known:
            known[key] = _traces(rep, images, field, at)
        total = (total + known[key]) % at.prime
    return total


def _unmixed(images: Sequence[ExactArray]) -> list[IndexArray]:
    """The finest partition of the basis such that no matrix leads out of a part."""
    # loaded for large representations
    from pdobasis.proof.sparse import entries, parts

    places = [entries(m)[:2] for m in images]
    rows, columns = (np.concatenate(own) for own in zip(*places, strict=True))
    entry = np.arange(len(rows))
    # every entry joins its row with its column; that none is cut is looked at
    label = parts(
        np.tile(entry, 2),
        np.concatenate([rows, columns]),
        (len(entry), len(images[0])),
    )
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


def _traces(
    rep: Representation, images: Sequence[ExactArray], field: Field, at: Place
) -> IntArray:
    """Of what all elements have, where generators have these images: blocks of coordinates that are moved as wholes
    without the zeros beside them.
    """
    if len(images[0]) >= COMPOSED:
        from pdobasis.proof.moved_blocks import blocks_of, times, traces

        read = blocks_of(images, field, at)
        if read is not None:
            listed = roll(rep.group, field, at)
            every = listed.images(*read, times(_modulo(at.prime)))
            return traces(_required(rep, every), at.prime)
    found = _listed(rep, images, field, at).trace(axis1=1, axis2=2)
    return np.asarray(found % at.prime)


def _fixed_points(
    rep: Representation, listed: Roll, points: Sequence[tuple[int, ...]]
) -> IntArray:
    """Of the points e_0, e_1, …: how many stay, less those that go to -e_j, which is number j + size where there are
    signs.
    """
    generators = [np.array(image, dtype=np.int64) for image in points]
    # without generators there is 1 alone, which moves nothing
    one = np.arange(max(rep.size, *map(len, points), 0))
    # a after b sends i to a[b[i]]
    found = listed.images(generators, one, lambda a, b: np.take(a, b, axis=-1))
    every = _required(rep, found)[:, : rep.size]
    kept = (every == one[: rep.size]).sum(axis=1)
    return np.asarray(kept - (every == one[: rep.size] + rep.size).sum(axis=1))


def _by_factors(rep: Representation, field: Field, at: Place) -> IntArray | None:
    """The traces of tensors, from the factors alone."""
    from pdobasis.proof.factors import square_of, tensor_factors

    p = at.prime
    factors = tensor_factors(rep)
    if factors is not None:
        a, b = (reduced_characters(own, field, at) for own in factors)
        return np.asarray(a * b % p)
    found = square_of(rep)
    if found is None:
        return None
    root, sign = found
    trace, every = reduced_characters(root, field, at), _images(root, field, at)
    products = every * every.transpose(0, 2, 1) % p
    squares = products.sum(axis=(1, 2)) % p
    return np.asarray((trace * trace + sign * squares) % p * pow(2, -1, p) % p)


def _required(rep: Representation, found: IntArray | None) -> IntArray:
    if found is None:
        raise ProofError(f"{rep.spec} does not multiply as {rep.group.name} does")
    return found


def _grown(
    every: IntArray,
    stage: Stage,
    generators: Sequence[IntArray],
    one: IntArray,
    times: Times,
) -> IntArray:
    s, count = stage.powers
    step = generators[s]
    while len(every) < count:  # twice as many with every product
        more = times(every, step)
        every, step = np.concatenate([every, more])[:count], times(step, step)
    cosets, representatives = [every], [one]
    for parent, s in stage.cosets:
        representatives.append(times(representatives[parent], generators[s]))
        cosets.append(times(every, representatives[-1]))
    return np.concatenate(cosets)


def _all_powers(g: IntArray, one: IntArray, times: Times) -> IntArray:
    """1, g, g^2, … until 1 comes again."""
    every, step, end = one[None], g, one.tobytes()
    while True:
        check()
        more = times(every, step)
        keys = _keys(more)
        if end in keys:
            return np.concatenate([every, more[: keys.index(end)]])
        every, step = np.concatenate([every, more]), times(step, step)
        _require_few(len(every))


def _require_few(found: int) -> None:
    if found > MAX_ELEMENTS:
        raise ProofError(
            f"the generators make more than {MAX_ELEMENTS} elements modulo a prime"
        )


def _keys(batch: IntArray) -> list[bytes]:
    return [own.tobytes() for own in batch]


def _modulo(p: int) -> Times:
    def times(a: IntArray, b: IntArray) -> IntArray:
        """a b modulo p: halves of the numbers of a, so that BLAS holds the sums."""
        if b.shape[-2] <= SMALL:
            # int64 holds sums of 2^7 products of 28 bits each
            return np.asarray(a @ b % p)
        right = b.astype(np.float64)
        high, low = (
            _sums(h.astype(np.float64), right, p) for h in divmod(a, 1 << HALF)
        )
        return np.asarray((high * (1 << HALF) + low) % p).astype(np.int64)

    return times


def _sums(a: FloatArray, b: FloatArray, p: int) -> FloatArray:
    """a b modulo p, so few terms at a time that no float is rounded."""
    starts = range(0, a.shape[-1], TERMS)
    parts = (a[..., s : s + TERMS] @ b[..., s : s + TERMS, :] % p for s in starts)
    return reduce(lambda x, y: (x + y) % p, parts)
