"""Symbols between irreps of I and Ih that are known before anything is solved: there are none, by characters, or they
are those of all rotations.
"""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.groups.group import ICOSAHEDRAL
from pdobasis.operators.symbols import Symbols, empty
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.icosahedral import harmonic_symbols
from pdobasis.representations.representation import Representation
from pdobasis.solvers import spherical
from pdobasis.solvers.batch import Task
from pdobasis.solvers.module import Angular
from pdobasis.solvers.restricted import restricted

Pair = tuple[Representation, Representation]


def harmonic_count(task: Task) -> int | None:
    """None where it is not known."""
    reps = task.rep_in, task.rep_out
    if any(rep.hypothesis.assumed or rep.hypothesis.cover for rep in reps):
        return None
    if task.rep_in.term is None or task.rep_out.term is None:
        return None
    return harmonic_symbols(
        task.rep_in.term,
        task.rep_out.term,
        task.order,
        has_inversion=task.group.term == ICOSAHEDRAL[1],
    )


def known_symbols(
    pairs: Sequence[Pair], orders: Sequence[int], counts: dict[Task, int]
) -> dict[Task, Symbols]:
    """Of the tasks between pairs for which there is nothing to be solved."""
    found: dict[Task, Symbols] = {}
    for a, b in pairs:
        asked = [n for n in orders if counts[Task(a, b, n)]]
        turned = _as_rotations((a, b), asked)
        for n in orders:
            task = Task(a, b, n)
            if n not in asked:
                found[task] = empty(task.group.dim, n, task.shape, task.group.field)
            elif n in turned:
                found[task] = turned[n]
    return found


def _as_rotations(pair: Pair, orders: Sequence[int]) -> dict[int, Symbols]:
    """Of the orders for which all rotations ask for the same; none where one side is no irrep of theirs."""
    if not all(irrep_name(rep) for rep in pair):
        return {}
    for end in range(len(orders), 0, -1):
        found = restricted(*pair, orders[end - 1], are_irreps=True)
        if found is None:
            continue
        parts = spherical.closed_form(*found.pair, orders[:end])
        if parts is None:
            return {}
        scaled = found.irreps([Angular(part, ()) for part in parts], pair)
        return dict(zip(orders, scaled, strict=False))
    return {}
