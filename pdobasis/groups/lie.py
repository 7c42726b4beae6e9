r"""A small set that generates a Lie algebra.

What is equivariant under X and Y is equivariant under [X, Y], so a solver needs the constraint for generators only: for
so(d) these are d - 1 of d(d-1)/2 basis elements. Ranks are taken modulo a prime, which can only make the set larger.
"""

from __future__ import annotations

from pdobasis.bounds.caches import remembered
from pdobasis.exact.primes import split_prime
from pdobasis.exact.types import IntArray
from pdobasis.groups.group import Group
from pdobasis.linear.span import Span, image

MAX_SEARCH = 40
"""Above this many Lie generators the search costs more than it saves."""


@remembered
def generating_indices(group: Group) -> tuple[int, ...]:
    """Positions in ``group.lie`` that generate, with all brackets, everything that ``group.lie`` spans.

    >>> from pdobasis.groups.classical import special_orthogonal
    >>> generating_indices(special_orthogonal(4))
    (0, 1, 2)
    """
    if not 1 < len(group.lie) <= MAX_SEARCH:
        return tuple(range(len(group.lie)))
    if group.term is not None and group.term.family in ("SO", "O"):
        # the rotations in the planes of x1 and each of the others come first in the catalogue: brackets are the rest
        return tuple(range(group.dim - 1))
    matrices = [image(x, group.field) for x in group.lie]
    prime = split_prime(group.field, 0).prime
    whole = Span(prime)
    for m in matrices:
        whole.add(m)
    reached = Span(prime)
    members: list[IntArray] = []
    chosen: list[int] = []
    # greedily: an element that brackets of the earlier ones reach is not needed
    for k, m in enumerate(matrices):
        if len(reached) == len(whole):
            break
        if reached.add(m):
            chosen.append(k)
            members.append(m)
            _close(reached, members, whole)
    return tuple(chosen)


def _close(reached: Span, members: list[IntArray], whole: Span) -> None:
    """Add brackets until nothing new comes; one that leaves the whole span is left out (then every element is kept)."""
    done = 0
    while done < len(members) and len(reached) < len(whole):
        a = members[done]
        for b in members[:done]:
            bracket = (a @ b - b @ a) % reached.prime
            is_within = not whole.rest(bracket).any()
            if is_within and reached.add(bracket):
                members.append(bracket)
        done += 1
