"""What a layer takes beside its own arguments, as keywords with types: options of the stencil, and truncations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

# not for type checkers alone: a class inherits when it is made
from pdobasis.stencils.keywords import CloudKeywords, MethodKeywords

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from pdobasis.question.truncating import BasisFilter
    from pdobasis.stencils.grids import Number
    from pdobasis.stencils.lattices import Lattice


class TruncationKeywords(TypedDict, total=False):
    """As in :func:`pdobasis.solve`."""

    max_offset: int | None
    """Largest offset t of the frequencies m ± n + tN of C_N and D_N."""
    basis_filter: BasisFilter | None
    """A function of (order, angular order, Laplacian power) to whether such elements are kept."""
    frame_order: int | None
    """Largest order in each variable of a frame that turns with the field."""
    frame_angle: str | Fraction | None
    """The angle of that frame."""


class LayerKeywords(MethodKeywords, TruncationKeywords, total=False):
    """Of a layer on a grid."""

    spacing: Number | Sequence[Number] | None
    """Between samples.  [1]"""
    lattice: Lattice | str | Sequence[Sequence[Any]] | None
    """On which the samples lie, in steps along its vectors; window is then for every method.  [none]"""


class PointLayerKeywords(CloudKeywords, TruncationKeywords, total=False):
    """Of a layer on points."""
