r"""Regular grids of nodes with exact coordinates, and how they lie in an array.

Along each axis the nodes are $x_i = h\,(\text{dilation}\cdot(i - (\text{size}-1)/2) + \text{offset})$, so
that an odd size has a node at the target 0 and an even size has its nodes at half-integers, unless the offset
says otherwise.

In an array the last axis is x1, the one before it x2, and so on. ``layout="grid"``: coordinates grow with the
index. ``layout="image"``: x2 grows upwards, against the row index; all other axes as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import require_type
from pdobasis.exact.fraction_text import parse_fraction
from pdobasis.stencils.errors import GridError

if TYPE_CHECKING:
    from pdobasis.stencils.lattices import Lattice

Layout = Literal["grid", "image"]
Number = int | float | str | Fraction


@dataclass(frozen=True, slots=True)
class Grid:
    """Nodes around a target at the origin; every tuple has one entry per coordinate x1, ..., xd.

    Invariants: sizes and dilations at least 1, spacings positive. The offset, in cells of size h, is the
    position of the source samples relative to the target (half cells on a staggered grid).

    >>> Grid.regular(2, (3, 2), spacing=(1, "1/2")).axis_nodes(1)
    (Fraction(-1, 4), Fraction(1, 4))

    Attributes
    ----------
    size : tuple of int
        Nodes along every axis.
    spacing : tuple of Fraction
        Between samples.
    dilation : tuple of int
        Samples from one node to the next.
    offset : tuple of Fraction
        Of the samples from the target, in cells.
    layout : {"grid", "image"}
        Which way x2 grows in arrays.
    lattice : Lattice, optional
        Along whose vectors coordinates are steps.
    window : str, optional
        Of a lattice: "closed" or "ball r".
    """

    size: tuple[int, ...]
    spacing: tuple[Fraction, ...]
    dilation: tuple[int, ...]
    offset: tuple[Fraction, ...]
    layout: Layout = "grid"
    # Not in its text, from which fingerprints of layers are made: without a lattice they stay what they were.
    lattice: Lattice | None = field(default=None, repr=False)
    """Coordinates are then steps along the vectors of the lattice: the nodes are at A y."""
    window: str | None = field(default=None, repr=False)
    """Of a lattice: "closed" (the default) or "ball r"."""

    def __post_init__(self) -> None:
        dim = len(self.size)
        if self.lattice is not None:
            self._check_lattice(self.lattice)
        elif self.window is not None:
            raise GridError("this window= belongs to a lattice=: give both")
        if (
            dim == 0
            or not len(self.spacing) == len(self.dilation) == len(self.offset) == dim
        ):
            raise GridError(
                f"a grid needs one size, spacing, dilation and offset per axis, got {self}"
            )
        for name, values in (
            ("size", self.size),
            ("spacing", self.spacing),
            ("dilation", self.dilation),
        ):
            if any(value <= 0 for value in values):
                raise GridError(
                    f"the {name} must be positive along every axis, got {', '.join(map(str, values))}"
                )
        if self.layout not in ("grid", "image"):
            raise GridError(
                f"unknown layout {self.layout!r}: use 'grid' (x2 grows with the row) or 'image' (upwards)"
            )

    @classmethod
    def regular(
        cls,
        dim: int,
        size: int | Sequence[int],
        *,
        spacing: Number | Sequence[Number] = 1,
        dilation: int | Sequence[int] = 1,
        offset: Number | Sequence[Number] = 0,
        layout: Layout = "grid",
        lattice: Any = None,
        window: str | None = None,
    ) -> Grid:
        """One value for all axes or one per axis; a float such as 0.1 is read as the decimal it prints.

        On a lattice (a name, a ``Lattice`` or vectors) the spacing is one number, by which it is scaled.
        """
        if lattice is not None:
            steps = {_rational(h, "spacing") for h in per_axis(spacing, dim, "spacing")}
            if len(steps) > 1:
                raise GridError(
                    "a lattice is scaled by one spacing: write unequal ones into its vectors"
                )
            lattice, spacing = _lattice(lattice, steps.pop()), 1
        return cls(
            size=tuple(_integer(n, "size") for n in per_axis(size, dim, "size")),
            spacing=tuple(
                _rational(h, "spacing") for h in per_axis(spacing, dim, "spacing")
            ),
            dilation=tuple(
                _integer(n, "dilation") for n in per_axis(dilation, dim, "dilation")
            ),
            offset=tuple(
                _rational(s, "offset") for s in per_axis(offset, dim, "offset")
            ),
            layout=layout,
            lattice=lattice,
            window=window,
        )

    def _check_lattice(self, lattice: Lattice) -> None:
        if lattice.dim != self.dim:
            raise GridError(
                f"the lattice lies in dimension {lattice.dim}, the stencil in {self.dim}"
            )
        if any(n % 2 == 0 for n in self.size) or any(self.offset):
            raise GridError("a stencil on a lattice has odd sizes and no offset")
        if len(set(self.dilation)) > 1 or set(self.spacing) != {1}:
            raise GridError(
                "a stencil on a lattice has one dilation, and steps of 1 along its vectors"
            )

    @property
    def dim(self) -> int:
        """The dimension of space."""
        return len(self.size)

    @property
    def array_shape(self) -> tuple[int, ...]:
        """Sizes in the order of the array axes: (size of xd, ..., size of x1)."""
        return self.size[::-1]

    @property
    def cell_volume(self) -> Fraction:
        """The volume that one node stands for, prod_i h_i dilation_i, in cells of the lattice if there is one."""
        return prod(
            (h * n for h, n in zip(self.spacing, self.dilation, strict=True)),
            start=Fraction(1),
        )

    @property
    def steps(self) -> tuple[float, ...]:
        """The distances of neighbouring nodes along the axes of the array."""
        lengths = (1.0,) * self.dim
        if self.lattice is not None:
            lengths = self.lattice.lengths
        own = zip(self.spacing, self.dilation, lengths, strict=True)
        return tuple(float(h * n) * a for h, n, a in own)

    @property
    def frame(self) -> NDArray[np.float64]:
        """The matrix from nodes to coordinates: A, or 1."""
        if self.lattice is None:
            return np.eye(self.dim)
        return self.lattice.coordinates(
            [tuple(row) for row in np.eye(self.dim, dtype=int).tolist()]
        ).T

    def with_layout(self, layout: Layout) -> Grid:
        """The same grid in another layout."""
        return replace(self, layout=layout)

    def axis_nodes(self, axis: int) -> tuple[Fraction, ...]:
        """The exact coordinates along one axis, growing."""
        n, h = self.size[axis], self.spacing[axis]
        middle = Fraction(n - 1, 2)
        return tuple(
            h * (self.dilation[axis] * (i - middle) + self.offset[axis])
            for i in range(n)
        )

    def array_axis(self, axis: int) -> int:
        """The array axis of the coordinate x_{axis+1}, counted from the end (so -1 for x1)."""
        return -1 - axis

    def descends(self, axis: int) -> bool:
        """Whether this coordinate falls as the array index grows: x2 of an image."""
        return self.layout == "image" and axis == 1

    def nodes(self) -> tuple[tuple[Fraction, ...], ...]:
        """All nodes (x1, ..., xd) in the order of the flattened array."""
        axes = []
        for axis in reversed(
            range(self.dim)
        ):  # the last array axis, which runs fastest, is x1
            nodes = self.axis_nodes(axis)
            if self.descends(axis):
                nodes = nodes[::-1]
            axes.append(nodes)
        return tuple(node[::-1] for node in product(*axes))

    def coordinates(self, dtype: type[np.floating[Any]] = np.float64) -> NDArray[Any]:
        """All nodes as numbers, shape (nodes, d), in the order of the flattened array; each rounded once."""
        if self.lattice is not None:
            return self.lattice.coordinates(self.lattice_nodes()).astype(dtype)
        columns = []
        for axis in range(self.dim):
            # x_i as a tensor product: its nodes along its own axis, ones along all others
            factors = [np.ones(n, dtype=dtype) for n in self.size]
            factors[axis] = to_floats(self.axis_nodes(axis), dtype)
            columns.append(self.lay_out(factors).ravel())
        return np.stack(columns, axis=-1)

    def distances(self) -> NDArray[np.float64]:
        """|x| of all nodes, in the order of the flattened array."""
        if self.lattice is not None:
            return self.lattice.distances(self.lattice_nodes())
        return np.asarray(np.sqrt(np.sum(self.coordinates() ** 2, axis=1)))

    def lattice_nodes(self) -> list[tuple[int, ...]]:
        """The nodes in whole steps along the vectors of the lattice."""
        return [tuple(int(x) for x in node) for node in self.nodes()]

    def lay_out(self, factors: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """The tensor product of one vector per coordinate (in growing order), as an array in this layout."""
        result: NDArray[Any] = np.ones((), dtype=factors[0].dtype)
        for axis in reversed(range(self.dim)):
            if self.descends(axis):
                factor = factors[axis][::-1]
            else:
                factor = factors[axis]
            result = np.asarray(np.multiply.outer(result, factor))
        return result


def per_axis(value: Any, dim: int, name: str) -> tuple[Any, ...]:
    """One value per axis: a single one is repeated, a sequence must have the right length."""
    if isinstance(value, (str, bytes)) or not isinstance(value, (Sequence, np.ndarray)):
        return (value,) * dim
    if len(value) != dim:
        raise GridError(
            f"{name} needs one value, or {dim} values (x1 first), got {len(value)}"
        )
    return tuple(value)


def to_floats(
    values: Sequence[Fraction], dtype: type[np.floating[Any]] = np.float64
) -> NDArray[Any]:
    """Fractions rounded to floating point."""
    if dtype is np.float64:
        return np.array([float(value) for value in values])
    return np.array(
        [
            dtype(str(value.numerator)) / dtype(str(value.denominator))
            for value in values
        ]
    )


def _integer(value: Any, name: str) -> int:
    try:
        # Takes integers of NumPy, and neither 2.0 nor "2".
        return index(value)
    except TypeError:
        raise GridError(f"the {name} must be a whole number, got {value!r}") from None


def _rational(value: Any, name: str) -> Fraction:
    try:
        if isinstance(value, float):  # 0.1 means 1/10, not the binary number next to it
            value = repr(float(value))
        if isinstance(value, str):
            return parse_fraction(value)
        return Fraction(value)
    # a float that is not finite is an OverflowError
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        raise GridError(
            f"the {name} must be a number such as 1, 0.5 or '1/3' (from 1e-300 to 1e300), "
            f"got {value!r:.60}"
        ) from None


def require_grid(grid: object) -> None:
    """A grid whose coordinates are those of space."""
    require_type(grid, Grid, "grid", "a Grid, as Grid.regular(2, 5) makes it")
    if isinstance(grid, Grid) and grid.lattice is not None:
        raise GridError(
            "stencils on a lattice belong to a basis: use basis.stencils(…, lattice=…)"
        )


def _lattice(value: Any, step: Fraction) -> Lattice:
    from pdobasis.stencils.lattices import Lattice  # which is built on this module

    return Lattice.read(value).scaled(step)
