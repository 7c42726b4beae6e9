r"""All subgroups of a finite group, each with words in the generators that make it.

Every subgroup is the join of its cyclic subgroups. So the list starts with the cyclic ones and grows by joining each
member with each cyclic one, until nothing new comes.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import SizeError
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure, generating
from pdobasis.groups.group import Group

MAX_ORDER = 256
"""Elements of a group whose multiplication table is written down."""
MAX_SUBGROUPS = 1_000

Members = tuple[int, ...]


def subgroups(group: Group) -> tuple[Group, ...]:
    """By increasing order, then by the numbers of their elements."""
    return tuple(with_words(group, members) for members in _lattice(group))


@remembered
def _lattice(group: Group) -> tuple[Members, ...]:
    """The subgroups as sorted numbers of elements."""
    size = len(closure(group))
    if size > MAX_ORDER:
        raise SizeError(
            f"{group.name} has {size} elements; subgroups are listed for at most {MAX_ORDER}"
        )
    table = np.stack([closure(group).action(k) for k in range(size)])
    # several elements generate the same cyclic group
    cyclic = list(dict.fromkeys(_generated(table, (k,)) for k in range(size)))
    found = list(cyclic)
    known = set(cyclic)
    # the list grows while it is walked
    for members in found:
        inside = set(members)
        for other in cyclic:
            # what is contained adds nothing
            if inside.issuperset(other):
                continue
            joined = _generated(table, (*members, *other))
            if joined not in known:
                known.add(joined)
                found.append(joined)
            if len(found) > MAX_SUBGROUPS:
                raise SizeError(
                    f"{group.name} has more than {MAX_SUBGROUPS} subgroups, which are not listed"
                )
    # Sorted, so that the numbering does not depend on the search.
    return tuple(sorted(found, key=lambda members: (len(members), members)))


def _generated(table: IndexArray, start: Members) -> Members:
    """What these elements generate: in a finite group the products alone are closed under inverses."""
    reached = np.zeros(len(table), dtype=bool)
    # Element 0 is the identity, which every subgroup holds.
    reached[[0, *start]] = True
    while True:
        members = np.flatnonzero(reached)
        reached[table[np.ix_(members, members)]] = True
        # A round without anything new means that the set is closed under products.
        if reached.sum() == len(members):
            return tuple(members.tolist())


def with_words(group: Group, members: Members) -> Group:
    """The subgroup with these elements, by words in the generators, as in <r^2; f>."""
    table = closure(group)
    # a generator that is the identity makes no word
    few = [k for k in generating(table, np.array(members)) if k]
    words = tuple(_word(group, table.word(k)) for k in few)
    return Group(
        f"<{'; '.join(words)}>", group.dim, tuple(table.matrices[k] for k in few), words
    )


def _word(group: Group, positions: list[int]) -> str:
    """A product of powers, as in r^2*f."""
    factors = []
    for s, run in groupby(positions):
        label = group.labels[s]
        n = len(list(run))
        if n > 1:
            label = f"{label}^{n}"
        factors.append(label)
    return "*".join(factors) or "e"
