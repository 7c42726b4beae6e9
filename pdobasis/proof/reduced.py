r"""Characters of a finite group modulo a prime, where K is large: products over K would be most of the work.

At a place of K the generators have images over $\mathbb{F}_p$. Where these satisfy (a) and (b) of :mod:`.elements`
modulo p, which is looked at, the average over the list of elements is a projection onto the invariants of the reduced
representation, and its trace is their dimension. That is at least their dimension over K, since a basis of invariants
over K can be chosen such that it stays one at the place: of what is a representation (the hypothesis, which is claimed
by itself) a count is never too low. And it is the number itself where $\rho$ is one over K: the trace of the average
there is a whole number, and p does not divide |G|.
"""

from __future__ import annotations

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.exact.field import Field
from pdobasis.exact.types import IntArray
from pdobasis.groups.closure import closure
from pdobasis.proof.elements import elements
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.modular import Place, residues
from pdobasis.representations.representation import Representation

HALF = 14
"""Bits of the lower half of a residue."""
LARGEST = 1 << 10
"""Sizes up to which float64 holds sums of products of half a residue with a whole one."""


def fits(rep: Representation, bits: int) -> bool:
    """Whether float64 holds the sums, modulo a prime of so many bits."""
    return rep.size <= LARGEST and bits <= 2 * HALF


@remembered
def reduced_characters(rep: Representation, field: Field, at: Place) -> IntArray:
    """The trace of every element at a place, in the order of :func:`.elements.elements`; for what ``fits``."""
    p = at.prime
    _, moves = elements(rep.group)
    table = closure(rep.group)
    images = [residues(m.over(field), at) for m in matrices_of(rep)]
    every = np.empty((len(table), rep.size, rep.size), dtype=np.int64)
    every[0] = np.eye(rep.size, dtype=np.int64)
    # parents in the spanning tree are done before their children
    for level in table.levels:
        for s, image in enumerate(images):
            members = level[table.via[level] == s]
            if len(members):
                every[members] = _times(image, every[table.parent[members]], p)
    for image, move in zip(images, moves, strict=True):
        if not np.array_equal(_times(image, every, p), every[move]):
            raise ProofError(f"{rep.spec} does not multiply as {rep.group.name} does")
    return np.asarray(every.trace(axis1=1, axis2=2) % p)


def _times(a: IntArray, b: IntArray, p: int) -> IntArray:
    """a b modulo p, one matrix a for all b: halves of its numbers, so that BLAS holds the sums."""
    right = b.astype(np.float64)
    high, low = ((h.astype(np.float64) @ right) % p for h in divmod(a, 1 << HALF))
    return np.asarray((high * (1 << HALF) + low) % p).astype(np.int64)
