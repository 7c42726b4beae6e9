"""Which symmetry do the data have? Groups are compared by what their equations leave of other data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pdobasis.bounds.watch import step
from pdobasis.discovery.discover import complexity, fits
from pdobasis.discovery.moments import Moments
from pdobasis.discovery.search import choose, path
from pdobasis.discovery.task import Task
from pdobasis.errors import PdoBasisError, SpecError
from pdobasis.groups.group import Group
from pdobasis.question.text import resolve_group

GROUPS: dict[int, tuple[str, ...]] = {
    1: ("O(1)", "trivial(1)"),
    2: ("O(2)", "SO(2)", "D6", "D4", "C6", "D3", "C4", "D2", "C2", "trivial(2)"),
    3: ("O(3)", "SO(3)", "Oh", "O", "D4h", "D2h"),
}
"""From large to small, by dimension."""
FOLDS = 4
WORSE = 1.15
"""Held-out error, compared with the best, up to which a larger group is preferred."""


@dataclass(frozen=True)
class Verdict:
    """``error``: root of mean squares of what is left of held-out data, as a part of ∂_t."""

    group: str
    candidates: int
    terms: int
    error: float
    noise_ratio: float


def compare_groups(task: Task, target: str, names: Sequence[str] = ()) -> list[Verdict]:
    """One verdict for each group that the fields have representations of."""
    dim = task.ready[0].recording.dim
    out = []
    for name in names or GROUPS.get(dim, ()):
        step(f"fitting {name}")
        try:
            found = task.of_group(resolve_group(name, dim)).candidates(target)
        except PdoBasisError:
            continue
        cost = complexity(found)
        best = min(fits(found, task.ready, True, 0), key=lambda f: f.model.score)
        error = held_out(best.moments, cost)
        out.append(
            Verdict(name, len(found), len(best.model.terms), error, best.model.ratio)
        )
    if not out:
        raise SpecError("no group to compare has these representations")
    return out


def supported(verdicts: Sequence[Verdict]) -> Verdict:
    """The largest group that is as good as the best: the first, since they are listed from large to small."""
    least = min(v.error for v in verdicts)
    return next(v for v in verdicts if v.error <= max(WORSE * least, 1e-3))


def chosen(verdicts: Sequence[Verdict]) -> Group:
    return resolve_group(supported(verdicts).group, None)


def held_out(own: Moments, cost: Sequence[float]) -> float:
    """Every tile is predicted by a model chosen and fitted without its fold."""
    count = len(own.gram)
    left = whole = 0.0
    for fold in range(min(FOLDS, count)):
        inside = [b for b in range(count) if b % FOLDS != fold]
        outside = [b for b in range(count) if b % FOLDS == fold]
        total = own.total(np.array(inside))
        model = choose(path(total, 2, every=0), total.rows, cost)
        c = np.array(model.coefficients) * total.lengths[-1]
        e = np.append(c / total.lengths[list(model.terms)], -1.0)
        index = np.array([*model.terms, own.size])
        gram = own.gram[outside].sum(axis=0)
        left += float(e @ gram[np.ix_(index, index)] @ e)
        whole += float(gram[-1, -1])
    return float(np.sqrt(max(left, 0.0) / max(whole, 1e-300)))
