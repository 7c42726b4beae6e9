r"""The group with which error terms are to commute: one that contains the group of the question.

Groups of the catalogue and finite ones know their elements. Of others only generators are known: then an element g is
looked for as $f e^{t_1 X_1 + …}$, f being one of the finite part, in floating point. That decides about a refusal only.
Whatever it says, error terms are those that commute with the generators of *both* groups, exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.groups.membership import contains_group, lie_contains
from pdobasis.question.as_json import read_group
from pdobasis.stencils.errors import StencilError

STARTS = 8
TOLERANCE = 1e-9

Array = NDArray[np.float64]


def larger_group(named: str | Group, group: Group) -> Group:
    """A group by name, file, text or value, with the generators of ``group``; refused unless it contains it."""
    found = read_group(named, group.dim)
    if not contains_group(found, group) and not _is_reached(found, group):
        raise StencilError(
            f"isotropic_group {found.name} does not contain {group.name}: errors that commute with it would not be "
            f"equivariant; use a group around {group.name}"
        )
    generators = (*found.generators, *group.generators)
    labels = tuple(f"g{k}" for k in range(len(generators)))
    return Group(found.name, found.dim, generators, labels, (*found.lie, *group.lie))


def _is_reached(larger: Group, group: Group) -> bool:
    """Whether every generator is f exp(X), up to rounding."""
    if not larger.lie or not larger.discrete.is_finite:
        return False
    if not lie_contains(larger, group.lie):
        return False
    table = to_float(closure(larger.discrete).matrices)
    algebra = np.stack([to_float(x) for x in larger.lie])
    return all(
        any(_is_exponential(np.linalg.solve(f, to_float(g)), algebra) for f in table)
        for g in group.generators
    )


def _is_exponential(g: Array, algebra: Array) -> bool:
    from scipy.linalg import expm
    from scipy.optimize import least_squares

    def missed(t: Array) -> Array:
        return np.asarray((expm(np.tensordot(t, algebra, 1)) - g).ravel())

    # exp(X) has the determinant exp(tr X).
    if np.linalg.det(g) < 0:
        return False
    rng = np.random.default_rng(0)
    for scale in np.linspace(0.0, np.pi, STARTS):
        start = scale * rng.standard_normal(len(algebra))
        solved = least_squares(missed, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
        if np.abs(missed(solved.x)).max() < TOLERANCE:
            return True
    return False
