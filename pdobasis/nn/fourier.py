"""Nonlinearities for functions on a group that are given by their Fourier coefficients (irreps)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.groups.group import Group
from pdobasis.layers.fourier import Sampling, keeps_grid, sampling, sampling_group
from pdobasis.layers.invariants import require_orthogonal
from pdobasis.layers.warn import warn_user
from pdobasis.nn.arguments import described, function_text, require_channels
from pdobasis.nn.exact_buffers import ExactBuffers
from pdobasis.nn.nonlinear import Function
from pdobasis.question.field_type import FieldType


class FourierNonlinearity(ExactBuffers):
    r"""Sample the functions, apply, transform back: $x \mapsto A^+ \phi(Ax)$ (see `pdobasis.layers.fourier`).

    ``fields`` hold functions by their coefficients, ``8x(trivial + irrep(1) + irrep(2))`` eight of them.
    ``samples`` is a number of rotations, or a finite subgroup by name; a finite group is sampled everywhere. Exact for
    the elements of that subgroup, and the better for others the more there are.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    samples : int, str or Group, optional
        The rotations on which functions are sampled, or their number.
    function : callable
        Of one number.

    Raises
    ------
    LayerError
        Fields for which this is not equivariant; the message says which part is.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> part = FourierNonlinearity(field_type("irrep(0) + irrep(1)", "SO(2)"), 16)
    >>> part(torch.randn(1, 3, 5, 5)).shape
    torch.Size([1, 3, 5, 5])
    """

    def __init__(
        self,
        fields: FieldType,
        samples: int | str | Group | None = None,
        function: Function = torch.relu,
    ) -> None:
        super().__init__()
        require_orthogonal(fields, "FourierNonlinearity")
        self.in_type = fields
        self.out_type: FieldType = self.in_type
        self.function = function
        self.sampling: Sampling = sampling(
            fields, sampling_group(fields.group, samples)
        )
        if not keeps_grid(fields.group, self.sampling.group):
            warn_user(
                f"samples of {self.sampling.group.name} are not kept by all symmetries of the grid in "
                f"{fields.group.name}: take a multiple of 4 in the plane, or a subgroup that has them"
            )
        self._register()

    def forward(self, x: Tensor) -> Tensor:
        """Sample on the group, apply the function, transform back."""
        require_channels(x, self.in_type)
        own = self.sampling
        if self._is_moved:
            x = x.index_select(1, self.get_buffer("order"))
        parts = torch.unflatten(x, 1, (own.functions, -1))
        values = self.function(
            torch.einsum("sk,bnk...->bns...", self.get_buffer("there"), parts)
        )
        back = torch.einsum("ks,bns...->bnk...", self.get_buffer("back"), values)
        y = back.flatten(1, 2)
        if self._is_moved:
            y = y.index_select(1, self.get_buffer("inverse"))
        return y

    @property
    def _is_moved(self) -> bool:
        return self.sampling.order != tuple(range(self.in_type.size))

    def _sources(self) -> dict[str, NDArray[Any]]:
        order = np.array(self.sampling.order)
        # Sorting a permutation gives its inverse.
        return {
            "there": self.sampling.there,
            "back": self.sampling.back,
            "order": order,
            "inverse": np.argsort(order),
        }

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        own = self.sampling
        return (
            f"{described(self.in_type)}, {len(own.there)} samples of {own.group.name}, "
            f"{function_text(self.function)}"
        )
