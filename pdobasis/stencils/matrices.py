r"""Operators on whole grids as sparse matrices, with boundaries.

A field is an array (components, N_d, …, N_1), x1 along the last axis, and a vector in the order of the flattened array.
On a periodic grid any stencil is a matrix; with boundaries $\partial^\alpha$ is the Kronecker product of derivatives
along the axes (`pdobasis.stencils.bounded`), corners included.

If an operator is its own formal adjoint, or the negative of it, the matrix on a periodic grid is symmetric or skew bit
by bit: $A_{(o,y),(i,z)} = W_{oi}(z - y)$, and stencils have the symmetry of their operators exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SizeError, SpecError, require_type
from pdobasis.exact.given import sizes_of
from pdobasis.stencils.assemble import Stencil, fill
from pdobasis.stencils.axes import Sparse
from pdobasis.stencils.errors import GridError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.sampled import Sampled

MAX_ENTRIES = 500_000_000
"""Non-zero entries of one matrix: 6 GB."""

Value = float | Callable[..., Any] | Sequence[Any]


@dataclass(frozen=True, eq=False)
class GridMatrix:
    """A u + b: the matrix A of an operator on fields of a grid, and what boundary values add to it.

    ``shapes_in`` and ``shapes_out`` are those of every component: between the walls of a staggered grid they differ.
    ``norm`` and ``weighted`` are H and H A where there is summation by parts; H A is made when it is asked for.
    """

    matrix: Sparse
    shapes_in: tuple[tuple[int, ...], ...]
    shapes_out: tuple[tuple[int, ...], ...]
    boundary_part: Callable[[Mapping[str, Value]], NDArray[np.float64]] | None = None
    norm: NDArray[np.float64] | None = None
    energy: Callable[[], Sparse] | None = None
    """Makes H A."""

    @cached_property
    def weighted(self) -> Sparse | None:
        """H A, products of matrices that are symmetric or skew bit by bit; None without summation by parts."""
        if self.energy is None:
            return None
        return self.energy()

    def __repr__(self) -> str:
        rows, columns = self.matrix.shape
        return f"<GridMatrix {rows}x{columns}, {self.matrix.nnz} entries>"

    @property
    def shape_in(self) -> tuple[int, ...]:
        """(c_in, *space), where all components have one shape."""
        return _one_shape(self.shapes_in)

    @property
    def shape_out(self) -> tuple[int, ...]:
        """(c_out, *space), where all components have one shape."""
        return _one_shape(self.shapes_out)

    @property
    def is_symmetric(self) -> bool:
        """A = A^T, bit by bit; of H A, and on fields that are zero at the ends, where there is summation by parts."""
        return self._is_transpose(1)

    @property
    def is_skew(self) -> bool:
        """A = -A^T, bit by bit, in the same sense."""
        return self._is_transpose(-1)

    def _is_transpose(self, sign: int) -> bool:
        own = self.matrix
        if self.weighted is not None:
            inside = np.concatenate([_inner(shape) for shape in self.shapes_in])
            if own.shape[0] != own.shape[1]:
                return False
            own = self.weighted[inside][:, inside]
        other = sign * own.T
        return bool(own.shape == other.shape and (own != other).nnz == 0)

    def right_hand_side(self, values: Mapping[str, Value]) -> NDArray[np.float64]:
        """b for values on the faces, "x1-", "x1+", "x2-", …: what a solver moves to the other side.

        A value is a number, a function of (x1, …, xd), or a list of one of these for each component.
        """
        if self.boundary_part is None:
            raise SpecError(
                "a periodic grid has no faces: leave out the right-hand side"
            )
        require_type(values, Mapping, "values", "a mapping of faces to what is given")
        return self.boundary_part(values)

    def __call__(self, field: Any) -> Any:
        """A u for a field (c_in, *space), or for a list of components where their shapes differ."""
        return unflattened(
            self.matrix @ flattened(field, self.shapes_in), self.shapes_out
        )


Shapes = tuple[tuple[int, ...], ...]


def flattened(field: Any, shapes: Shapes) -> NDArray[Any]:
    """The vector of a field; refused if its components have other shapes."""
    if len(set(shapes)) == 1:
        array = np.asarray(field)
        if array.shape != _one_shape(shapes):
            raise SpecError(
                f"the matrix takes fields of shape {_one_shape(shapes)}, got {array.shape}"
            )
        return array.ravel()
    parts = [np.asarray(part) for part in field]
    found = tuple(part.shape for part in parts)
    if found != shapes:
        raise SpecError(
            f"the matrix takes components of the shapes {', '.join(map(str, shapes))}, got {', '.join(map(str, found))}"
        )
    return np.concatenate([part.ravel() for part in parts])


def unflattened(vector: ArrayLike, shapes: Shapes) -> Any:
    """The field of a vector: one array, or a list of components where their shapes differ."""
    array = np.asarray(vector)
    if len(set(shapes)) == 1:
        return array.reshape(_one_shape(shapes))
    ends = np.cumsum([prod(shape) for shape in shapes])[:-1]
    parts = np.split(array, ends)
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]


def _one_shape(shapes: Shapes) -> tuple[int, ...]:
    if len(set(shapes)) != 1:
        raise SpecError(
            f"the components have the shapes {', '.join(map(str, shapes))}: fields are lists of components"
        )
    return (len(shapes), *shapes[0])


def _inner(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """All points but those at the ends of an axis."""
    mask = np.zeros(shape, dtype=np.bool_)
    mask[(slice(1, -1),) * len(shape)] = True
    return mask.ravel()


def periodic_matrices(sampled: Sampled, shape: Sequence[int]) -> list[GridMatrix]:
    """One matrix per element, of any stencil; ``shape`` is that of the array, x1 last."""
    space = check_periodic(sampled, shape)
    return [periodic_matrix(sampled.grid, s, space) for s in sampled.stencils]


def check_periodic(sampled: Sampled, shape: Sequence[int]) -> tuple[int, ...]:
    """The shape of the array, if the stencils fit on it."""
    space = space_of(shape, sampled.grid.dim)
    if any(n % 2 == 0 for n in sampled.grid.size) or any(sampled.grid.offset):
        raise GridError(
            "a matrix gives values at points of the grid: use odd sizes, and in_offsets= or out_offsets="
        )
    for n, size, step in zip(
        space, sampled.grid.array_shape, sampled.grid.dilation[::-1], strict=True
    ):
        if n < (size - 1) * step + 1:
            raise GridError(
                f"a stencil of {size} points does not fit on a periodic axis of {n}: use a larger shape"
            )
    return space


def periodic_matrix(
    grid: Grid, stencil: NDArray[np.float64], space: tuple[int, ...]
) -> GridMatrix:
    """Box after box of points whose neighbours lie at the same distances: one stencil each, as `assemble` writes it."""
    from scipy.sparse import csr_matrix

    c_out, c_in = stencil.shape[:2]
    points = prod(space)
    entries = int(np.count_nonzero(stencil)) * points
    require_few(float(entries))
    kind = _index_type(stencil, points)
    data, indices = np.empty(entries), np.empty(entries, dtype=kind)
    # Of x1 first, as `fill` has them; the same for all components.
    strides = [[prod(space[len(space) - k :]) for k in range(len(space))]] * c_in
    starts, begin = [], 0
    for own in stencil:
        count = int(np.count_nonzero(own))
        first = begin + count * np.arange(points, dtype=np.int64).reshape(space)
        starts.append(first.ravel())
        begin += count * points
        for box in product(*(_alike(grid, axis, n) for axis, n in enumerate(space))):
            line = _wrapped(own, [part.start for part in box], grid, space)
            if line:
                fill(data, indices, first[box], line, strides)
    ends = np.concatenate([*starts, [entries]]).astype(kind)
    matrix = csr_matrix((data, indices, ends), shape=(c_out * points, c_in * points))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return GridMatrix(matrix, (space,) * c_in, (space,) * c_out)


def _alike(grid: Grid, axis: int, count: int) -> list[slice]:
    """The points along an array axis: each near the ends, where windows go round, by itself, and all in the middle."""
    reach = grid.array_shape[axis] // 2 * grid.dilation[::-1][axis]
    low, high = min(reach, count), max(count - reach, min(reach, count))
    ends = [slice(k, k + 1) for k in (*range(low), *range(high, count))]
    if low < high:
        ends.insert(low, slice(low, high))
    return ends


def _wrapped(
    own: NDArray[np.float64],
    point: Sequence[int],
    grid: Grid,
    space: tuple[int, ...],
) -> Stencil:
    """The columns and weights (c_in, *stencil) of the row of one point, sorted."""
    line = []
    sizes = list(zip(grid.array_shape, grid.dilation[::-1], strict=True))
    for i, *place in np.argwhere(own).tolist():
        near = [
            (y + step * (k - (n - 1) // 2)) % total
            for y, k, (n, step), total in zip(point, place, sizes, space, strict=True)
        ]
        column = int(np.ravel_multi_index(near, space)) + i * prod(space)
        line.append((column, float(own[(i, *place)]), i))
    return tuple(sorted(line))


def _index_type(
    stencil: NDArray[np.float64], points: int
) -> type[np.signedinteger[Any]]:
    """SciPy takes short indices where they are enough, and would convert others."""
    largest = (
        max(np.count_nonzero(stencil), stencil.shape[0], stencil.shape[1]) * points
    )
    if largest < 2**31:
        return np.int32
    return np.int64


def space_of(shape: Sequence[int], dim: int) -> tuple[int, ...]:
    return sizes_of(shape, dim, "shape=", "those of the array (x1 last)")


def require_few(entries: float) -> None:
    if entries > MAX_ENTRIES:
        raise SizeError(
            f"a matrix of {entries:,.0f} entries is too large (at most {MAX_ENTRIES:,}): use a smaller shape"
        )
