r"""A word about stencils that are far from equivariance off the grid, where others are near.

Decided by the off-grid error of the derivatives themselves (`derivative_error`), which depends on the method, its
options, the grid and the order alone: it is computed once for each of these, and only for groups that leave the grid.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pdobasis.bounds.caches import remembered
from pdobasis.errors import PdoBasisError
from pdobasis.groups.group import Group
from pdobasis.layers.warn import warn_user
from pdobasis.measure.derivative_error import derivative_error
from pdobasis.stencils import Grid
from pdobasis.stencils.discretization import Change, Derivatives
from pdobasis.stencils.discretized import Discretized
from pdobasis.stencils.options import plain
from pdobasis.stencils.registry import find
from pdobasis.stencils.results import MonomialStencils
from pdobasis.stencils.sampled import signed_permutation
from pdobasis.stencils.symmetry import keeps_grid

WORSE = 10.0
NOTICED = 0.01
"""Errors below this are no matter for a warning, however small others are."""

_told: set[str] = set()
"""What was said in this process: every sentence once, wherever the layers are built."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A discretization of derivatives up to an order. Its stencils follow from the rest, and are not compared."""

    method: Derivatives[Any]
    options: tuple[tuple[str, Hashable], ...]
    grid: Grid
    order: int
    stencils: MonomialStencils = field(compare=False, repr=False)


def warn_if_far_off(parts: Sequence[Discretized]) -> None:
    """Say once which stencils would be rounder by an order of magnitude."""
    for part in parts:
        method = find(part.method)
        problem = part.basis.problem
        if not isinstance(method, Derivatives) or not _leaves(problem.group, part.grid):
            continue
        options = tuple((name, _hashable(value)) for name, value in part.options)
        # As a copy: the atoms of a layer live as long as the layer, these as long as the cache.
        alphas = part.basis.monomials()
        stencils = MonomialStencils(tuple(alphas), part.grid, part.atoms.copy())
        message = advice(Choice(method, options, part.grid, problem.order, stencils))
        if message is not None and message not in _told:
            warn_user(message)
            # Behind the warning: where it is made an error, it stays one.
            _told.add(message)


@remembered
def advice(choice: Choice) -> str | None:
    """The sentence, or None where nothing named is better by an order of magnitude."""
    try:
        options = choice.method.Options(**dict(choice.options))
        change = choice.method.rounder(options)
        if change is None:
            return None
        error = derivative_error(choice.stencils)
        if error < NOTICED:
            return None
        other = derivative_error(_changed(choice, change))
    except PdoBasisError:  # no such stencils on this grid
        return None
    if error < WORSE * other:
        return None
    size = "×".join(map(str, choice.grid.size))
    return (
        f"{choice.method.name} stencils on {size} up to order {choice.order} miss equivariance by {error:.2g} "
        f"(relative, smooth fields) for rotations that do not map the grid to itself; with {_named(choice, change)} by "
        f"{other:.2g}"
    )


def _changed(choice: Choice, change: Change) -> MonomialStencils:
    options = dict(change.options)
    if change.method == choice.method.name:
        options = {**dict(choice.options), **options}
    method: Any = find(change.method)
    completed = method.completed(method.Options(**options), choice.grid, choice.order)
    found: MonomialStencils = method.stencils(
        choice.stencils.alphas, choice.grid, completed
    )
    return found


def _named(choice: Choice, change: Change) -> str:
    words = [f"{name}={value!r}" for name, value in change.options]
    if change.method != choice.method.name:
        words = [f"stencil={change.method!r}", *words]
    return ", ".join(words)


@remembered
def _leaves(group: Group, grid: Grid) -> bool:
    """Whether some element does not map the grid to itself: then a generator does not, or there are rotations."""
    if not group.is_orthogonal:
        return False
    if group.lie:
        return True
    found = [signed_permutation(g) for g in group.on_space]
    return any(m is None or not keeps_grid(m, grid) for m in found)


def _hashable(value: Any) -> Hashable:
    found = plain(value)
    if isinstance(found, list):
        return tuple(_hashable(v) for v in found)
    return found  # type: ignore[no-any-return]
