"""From a group to a subgroup, in the middle of a network."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.groups.group import Group
from pdobasis.layers.arguments import fields_of
from pdobasis.layers.placed import places_of, with_places
from pdobasis.layers.restrict import restricted
from pdobasis.nn.arguments import described, require_channels
from pdobasis.nn.exact_buffers import ExactBuffers
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import resolve_group


class Restrict(ExactBuffers):
    """The same fields, seen as fields of a subgroup: D16 → C16 in the middle of a network.

    Names stay where they mean the same matrices. Where the subgroup permutes the channels of a field, they are
    reordered to one field per orbit: a regular field of D16 becomes two of C16. The numbers stay the same.

    Parameters
    ----------
    fields : FieldType
        What comes in, channel by channel.
    subgroup : str or Group
        Whose fields they are from here on.

    Raises
    ------
    LayerError
        It is no subgroup.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> str(Restrict(field_type("regular", "D4"), "C4").out_type.group)
    'C4'
    """

    order: Tensor | None

    def __init__(self, fields: FieldType, subgroup: str | Group) -> None:
        super().__init__()
        larger = fields_of(fields, "Restrict", at_places=True).group
        found = restricted(fields, resolve_group(subgroup, larger.dim))
        # Channels keep their places when they are reordered.
        places = places_of(fields)
        self.in_type = fields
        self.out_type: FieldType = with_places(
            found.fields, (places[k] for k in found.order)
        )
        self.register_buffer("order", None, persistent=False)
        self._order = found.order
        self._register()

    def _sources(self) -> dict[str, NDArray[Any]]:
        if self._order == tuple(range(self.in_type.size)):
            return {}
        return {"order": np.array(self._order)}

    def forward(self, x: Tensor) -> Tensor:
        """The same numbers as fields of the subgroup."""
        require_channels(x, self.in_type)
        if self.order is None:
            return x
        return x.index_select(1, self.order)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)} -> {described(self.out_type)}"
