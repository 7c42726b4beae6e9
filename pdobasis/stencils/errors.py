"""What can be wrong with a stencil: each type holds the facts and says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pdobasis.errors import PdoBasisError


class StencilError(PdoBasisError, ValueError):
    """Root of everything that this package refuses."""


class GridError(StencilError):
    """Sizes, spacings, dilations or offsets that do not make a grid."""


class MultiIndexError(StencilError):
    """A multi-index of the wrong length, or with an entry that is not an order."""

    def __init__(self, alpha: object, dim: int) -> None:
        self.alpha: object = alpha
        self.dim: int = dim
        super().__init__(
            f"{alpha!r} is not a multi-index in dimension {dim}: give {dim} non-negative integers (a1, ..., a{dim})"
        )


class ShapeError(StencilError):
    """Arrays whose shapes do not belong together."""


class RepeatedNodeError(StencilError):
    """Finite differences need distinct nodes."""

    def __init__(self, node: object) -> None:
        self.node = node
        super().__init__(
            f"the node {node} occurs twice: finite differences need distinct nodes, drop one of them"
        )


class StencilTooSmallError(StencilError):
    """Too few points along an axis for a derivative of this order to be seen at all."""

    def __init__(self, order: int, axis: int, size: int, smallest: int) -> None:
        self.order: int = order
        self.axis: int = axis
        self.size: int = size
        self.smallest: int = smallest
        super().__init__(
            f"a derivative of order {order} along x{axis + 1} needs at least {order + 1} points along its "
            f"axis, got {size}: use a larger stencil (size={smallest}) or a lower order"
        )


class StaggeredTooSmallError(StencilTooSmallError):
    """The same between places half a cell apart, where an odd stencil has one point less."""

    def __init__(self, order: int, axis: int, size: int) -> None:
        # Odd, with a point to spare.
        smallest = order + 2 + (order + 1) % 2
        super().__init__(order, axis, size, smallest)
        self.args: tuple[Any, ...] = (
            f"a derivative of order {order} along x{axis + 1} needs at least {order + 1} points along its axis, and "
            f"between places half a cell apart a stencil of size {size + 1} has {size}: use a larger stencil "
            f"(size={smallest}) or a lower order",
        )


class DegreeTooHighError(StencilError):
    """The nodes do not determine the polynomials of the augmentation."""

    def __init__(
        self, degree: int, points: int, needed: int, where: str, remedy: str
    ) -> None:
        self.degree: int = degree
        self.points: int = points
        self.needed: int = needed
        super().__init__(
            f"polynomials of degree {degree} need at least {needed} points {where}, got {points}: {remedy}"
        )


class NonSmoothCentreError(StencilError):
    """The radial function lacks this derivative, and a node sits where it is asked for."""

    def __init__(
        self, name: str, alpha: Sequence[int], highest: int, instead: str
    ) -> None:
        self.name: str = name
        self.alpha: tuple[int, ...] = tuple(alpha)
        self.highest: int = highest
        self.instead: str = instead
        super().__init__(
            f"{name} has derivatives up to order {highest} only, and {tuple(alpha)} has order {sum(alpha)} "
            f"with a node at the target: use {instead}"
        )


class IllConditionedError(StencilError):
    """A linear system whose solution would be mostly rounding errors."""

    def __init__(self, what: str, condition: float, limit: float, remedy: str) -> None:
        self.condition: float = condition
        self.limit: float = limit
        super().__init__(
            f"{what} is ill-conditioned: condition number {condition:.3g}, limit {limit:.3g}; {remedy}"
        )


class IllConditionedTargetError(IllConditionedError):
    """The system of one target of a cloud."""

    def __init__(
        self, target: int, others: int, condition: float, limit: float, remedy: str
    ) -> None:
        self.target = target
        self._facts = (others, condition, limit, remedy)
        what = f"the system of target {target} (and of {others} others in its chunk)"
        super().__init__(what, condition, limit, remedy)

    def numbered(self, target: int) -> IllConditionedTargetError:
        """The same of a target that has another number in the whole cloud."""
        return IllConditionedTargetError(target, *self._facts)


class NotAGridSymmetryError(StencilError):
    """A matrix that does not map the nodes of the stencil to themselves."""


class IncompatibleOffsetsError(StencilError):
    """A representation mixes components whose places on a staggered grid the group does not exchange."""

    def __init__(self, row: int, column: int, offset: object, moved: object) -> None:
        self.row: int = row
        self.column: int = column
        super().__init__(
            f"the representation sends component {column + 1} to component {row + 1}, but the group moves its place "
            f"in the cell to {moved}, not to {offset} (modulo whole cells): give both components offsets "
            f"that the group exchanges, or use a smaller group"
        )


class IsotropyError(StencilError):
    """No stencil on these nodes has error terms that are isotropic up to the degree."""

    def __init__(
        self,
        order: int,
        isotropic: int,
        accuracy: int,
        size: tuple[int, ...],
        smallest: tuple[int, ...] | None,
    ) -> None:
        self.smallest = smallest
        advice = "and no window that is tried has: ask for a lower degree"
        if smallest is not None:
            advice = (
                f"use size={','.join(map(str, smallest))}, the smallest window that has"
            )
        super().__init__(
            f"no stencil of {'×'.join(map(str, size))} nodes for these derivatives of order {order} has the accuracy "
            f"{accuracy} and isotropic errors up to degree {isotropic}: {advice}"
        )


class KernelError(StencilError):
    """Angular polynomials or rings that do not make a kernel."""


def as_numbers(values: Sequence[object], name: str) -> tuple[float, ...]:
    """Floats, or a refusal that names the option."""
    try:
        return tuple(float(v) for v in values)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise StencilError(
            f"{name} has to be a number, or a list of numbers, got {values!r}"
        ) from None
