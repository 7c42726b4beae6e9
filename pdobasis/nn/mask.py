r"""Corners turn out of the image: a mask leaves a disc (a ball), which every rotation maps to itself.

With $r$ the distance from the centre of an image of n points along every axis and $R = \frac{n-1}{2} - \text{margin}$,
every field is multiplied by 1 inside of R and by $e^{-(r^2 - R^2)/2\sigma^2}$ outside; by 0 if $\sigma = 0$.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.layers.arguments import fields_of, whole
from pdobasis.layers.errors import LayerError
from pdobasis.nn.arguments import described, require_images
from pdobasis.nn.exact_buffers import ExactBuffers
from pdobasis.question.field_type import FieldType


class Mask(ExactBuffers):
    """Fields of any type on images of ``size`` points along every axis, times a disc around the centre.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    size : int
        Points along every axis of the image.
    margin : float
        By how many points the disc is smaller than the image.
    sigma : float
        How softly it ends.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> float(Mask(field_type("trivial", "D4"), 9)(torch.ones(1, 1, 9, 9))[0, 0, 4, 4])
    1.0
    """

    def __init__(
        self, fields: FieldType, size: int, margin: float = 0.0, sigma: float = 1.0
    ) -> None:
        super().__init__()
        self.in_type: FieldType = fields_of(fields, "Mask")
        self.out_type: FieldType = self.in_type
        self.size: int = whole(size, "size", 1)
        for name, value in (("margin", margin), ("sigma", sigma)):
            if not isinstance(value, (int, float)) or not value >= 0:
                raise LayerError(
                    f"{name} has to be a number of at least 0, got {value!r}"
                )
        self.margin: float = float(margin)
        self.sigma: float = float(sigma)
        self._register()

    def forward(self, x: Tensor) -> Tensor:
        """Set what is outside of the disc to zero."""
        require_images(x, self.in_type)
        dim = self.in_type.group.dim
        if isinstance(x, Tensor) and x.shape[2:] != (self.size,) * dim:
            raise LayerError(
                f"this mask is for images of {'x'.join([str(self.size)] * dim)} points, got {tuple(x.shape)}"
            )
        return x * self.get_buffer("disc")

    def _sources(self) -> dict[str, NDArray[Any]]:
        # Halves of whole numbers: their squares and the sums of these are exact, so the disc is symmetric.
        squares = (np.arange(self.size) - (self.size - 1) / 2) ** 2
        radii = np.zeros(())
        for _ in range(self.in_type.group.dim):
            radii = radii[..., None] + squares
        outside = np.maximum(radii - max((self.size - 1) / 2 - self.margin, 0) ** 2, 0)
        if self.sigma == 0:
            return {"disc": (outside == 0).astype(np.float64)}
        return {"disc": np.exp(-outside / (2 * self.sigma**2))}

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return (
            f"{described(self.in_type)}, size={self.size}, margin={self.margin:g}, "
            f"sigma={self.sigma:g}"
        )
