"""What the layers refuse, and what they warn of."""

from __future__ import annotations

from pdobasis.errors import PdoBasisError


class LayerError(PdoBasisError, ValueError):
    """A layer that cannot be built, or a tensor that does not fit it."""


class EmptyBasisError(LayerError):
    """No PDO of these orders is equivariant."""

    def __init__(
        self, question: str, order: int, lowest: int | None, looked: int
    ) -> None:
        if lowest is not None:
            hint = f"use order={lowest}"
        else:
            hint = f"there are none up to order {looked} either"
        super().__init__(
            f"no PDO of order at most {order} is equivariant for {question}: {hint}"
        )


class NotEquivariantError(LayerError):
    """An operation that does not commute with the representation it was asked for."""


class FieldMismatchError(LayerError):
    """Two modules of a network that follow each other, and whose field types are not the same."""


class EquivarianceWarning(UserWarning):
    """Equivariance that holds on the grid for some image sizes only, or for none; off the grid, less than it might."""
