"""What is asked for by the names of truncations, and where each of them means something."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pdobasis.errors import GroupError, SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.groups.arguments import turns
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import determinant
from pdobasis.groups.planar import planar_shape
from pdobasis.question.truncation import Pair, Truncation, pairs_of

if TYPE_CHECKING:
    from pdobasis.question.frames import FrameLimit
    from pdobasis.question.problem import Problem

BasisFilter = Callable[[int, int, int], bool]
"""(order, angular order, Laplacian power) to whether such elements are kept."""
NAMES = ("max_offset", "basis_filter", "frame_order", "frame_angle")
"""The names, in Python."""


def truncation_of(
    group: Group,
    order: int,
    *,
    max_offset: int | None = None,
    basis_filter: BasisFilter | None = None,
    frame_order: int | None = None,
    frame_angle: str | Fraction | None = None,
) -> Truncation | None:
    """What is asked for by these names; None where nothing is left out by definition.

    A filter is asked once for every (order, angular order, Laplacian power) that there is:

    >>> from pdobasis.groups.catalogue import parse_group
    >>> truncation_of(parse_group("C4"), 2, basis_filter=lambda n, l, k: l < 2)
    Truncation(max_offset=None, kept=((0, 0), (1, 0), (0, 1)), frame=None)
    >>> truncation_of(parse_group("SO(2)"), 2, max_offset=0)
    """
    offset = _offset(group, max_offset)
    kept = _filtered(order, basis_filter)
    frame = _frame(order, frame_order, frame_angle)
    if offset is None and kept is None and frame is None:
        return None
    return Truncation(offset, kept, frame)


def at_most(angular: int | None, power: int | None) -> BasisFilter | None:
    """The filter with these largest angular order and Laplacian power; None where neither is limited."""
    if angular is None and power is None:
        return None

    def keeps(n: int, own_angular: int, own_power: int) -> bool:
        is_low = angular is None or own_angular <= angular
        return is_low and (power is None or own_power <= power)

    return keeps


def require_defined(problem: Problem) -> None:
    """Refuse a truncation that says nothing about this question."""
    truncation = problem.truncation
    if truncation is None:
        return
    if problem.partial_order is not None:
        raise SpecError(
            "partial_order= limits the order in the fixed variables: leave it out, or the other truncation"
        )
    if truncation.max_offset is not None and not has_offsets(problem.group):
        raise GroupError(
            f"{problem.group.name} has all its frequencies at offset 0: leave out max_offset"
        )
    if truncation.kept is not None and not problem.group.is_orthogonal:
        raise GroupError(
            f"{problem.group.name} is not a subgroup of O({problem.group.dim}), so elements have no angular order "
            "and no Laplacian power to filter by"
        )
    if truncation.frame is not None:
        _require_frame(problem, truncation)


def has_offsets(group: Group) -> bool:
    """Whether the frequencies of its table have an offset t; GroupError where it has no such table.

    SO(2) and O(2) have no t, and for a mirror or the identity alone the paper lets the frequency run over everything.
    """
    shape = planar_shape(group)
    if shape is not None:
        return shape.turns > 1
    if group.dim == 2 and group.is_finite and group.is_orthogonal:
        every = closure(group).matrices
        rotations = [i for i in range(len(every)) if is_rotation(every[i])]
        if len(rotations) == 1:
            return False
    raise GroupError(
        "max_offset speaks of the solution tables of the planar groups C_N and D_N, by name "
        f"(SO(2) and O(2) have all at offset 0), not of {group.name}"
    )


def is_rotation(g: ExactArray) -> bool:
    return determinant(g).fraction() == 1


def _offset(group: Group, max_offset: int | None) -> int | None:
    if max_offset is None:
        return None
    _require_whole(max_offset, "max_offset")
    if not has_offsets(group):
        return None
    return max_offset


def _filtered(order: int, basis_filter: BasisFilter | None) -> tuple[Pair, ...] | None:
    if basis_filter is None:
        return None
    if not callable(basis_filter) or not _takes_three(basis_filter):
        raise SpecError(
            "basis_filter is a function of (order, angular order, Laplacian power) to True or False, "
            f"got {basis_filter!r:.60}"
        )
    kept = []
    every = pairs_of(order)
    for angular, power in every:
        verdict = basis_filter(angular + 2 * power, angular, power)
        if not isinstance(verdict, (bool, np.bool_)):
            raise SpecError(
                "basis_filter has to answer True or False, got "
                f"{verdict!r:.40} for ({angular + 2 * power}, {angular}, {power})"
            )
        if verdict:
            kept.append((angular, power))
    if len(kept) == len(every):
        return None
    return tuple(kept)


def _takes_three(function: Callable[..., object]) -> bool:
    try:
        inspect.signature(function).bind(0, 0, 0)
    except TypeError:
        return False
    except ValueError:  # a function of C that does not say what it takes
        return True
    return True


def _frame(
    order: int, frame_order: int | None, frame_angle: str | Fraction | None
) -> FrameLimit | None:
    if frame_order is None:
        if frame_angle is not None:
            raise SpecError("frame_angle turns a frame: it goes with frame_order")
        return None
    _require_whole(frame_order, "frame_order")
    angle: str | Fraction = Fraction(0)
    if frame_angle is not None:
        angle = frame_angle
    if isinstance(angle, str):
        angle = turns(angle)
    if not isinstance(angle, (Fraction, int)) or isinstance(angle, bool):
        raise SpecError(
            f"frame_angle is a text such as 'pi/8', or a Fraction of pi, got {angle!r:.40}"
        )
    # up to this order the frame limits nothing
    if order <= frame_order:
        return None
    # loaded for questions about frames alone, here and below
    from pdobasis.question.frames import FrameLimit

    return FrameLimit(frame_order, Fraction(angle))


def _require_frame(problem: Problem, truncation: Truncation) -> None:
    frame = truncation.frame
    if frame is None:
        return
    from pdobasis.question.frames import frame_side

    if problem.kernel or truncation != Truncation(frame=frame):
        raise SpecError(
            "a limit in a frame is not kept by the Laplacian or by harmonic polynomials: "
            "frame_order goes without max_offset, a filter or kernels"
        )
    if frame.angle and problem.group.dim != 2:
        raise SpecError(
            f"frame_angle turns the frame of a plane, and {problem.group.name} acts in dimension {problem.group.dim}"
        )
    for rep_in in problem.in_type.distinct:
        for rep_out in problem.out_type.distinct:
            if frame_side(rep_in, rep_out, frame, problem.order) is None:
                raise SpecError(
                    "frame_order needs a side whose components are frames of their own (regular, or a quotient by a "
                    f"subgroup that keeps the limit): {rep_in.spec} -> {rep_out.spec} of {problem.group.name} has none"
                )


def _require_whole(value: Any, name: str) -> None:
    if type(value) is not int or value < 0:
        raise SpecError(f"{name} is a whole number from 0 on, got {value!r:.40}")
