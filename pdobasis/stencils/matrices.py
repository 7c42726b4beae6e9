r"""Operators on whole grids as sparse matrices, with boundaries.

A field is an array (components, N_d, …, N_1), x1 along the last axis, and a vector in the order of the flattened array.
On a periodic grid any stencil is a matrix; with boundaries $\partial^\alpha$ is the Kronecker product of derivatives
along the axes (`pdobasis.stencils.axes`), corners included.

If an operator is its own formal adjoint, or the negative of it, the matrix on a periodic grid is symmetric or skew bit
by bit: $A_{(o,y),(i,z)} = W_{oi}(z - y)$, and stencils have the symmetry of their operators exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SizeError, SpecError
from pdobasis.stencils.axes import (
    CONDITIONS,
    HAS_VALUES,
    PERIODIC,
    Axis,
    Sparse,
    axis_of,
)
from pdobasis.stencils.errors import GridError
from pdobasis.stencils.sampled import Sampled

MAX_ENTRIES = 500_000_000
"""Non-zero entries of one matrix: 6 GB."""

Cells = Mapping[tuple[int, int], Mapping[tuple[int, ...], float]]
"""The coefficients of an operator: (row, column) to alpha to number."""
Value = float | Callable[..., Any] | Sequence[Any]


@dataclass(frozen=True, eq=False)
class GridMatrix:
    """A u + b: the matrix A of an operator on fields of a grid, and what boundary values add to it."""

    matrix: Sparse
    shape_in: tuple[int, ...]
    shape_out: tuple[int, ...]
    boundary_part: Callable[[Mapping[str, Value]], NDArray[np.float64]] | None = None

    @property
    def is_symmetric(self) -> bool:
        """A = A^T, bit by bit."""
        return self._is_transpose(self.matrix.T)

    @property
    def is_skew(self) -> bool:
        """A = -A^T, bit by bit."""
        return self._is_transpose(-self.matrix.T)

    def _is_transpose(self, other: Sparse) -> bool:
        return bool(
            self.matrix.shape == other.shape and (self.matrix != other).nnz == 0
        )

    def right_hand_side(self, values: Mapping[str, Value]) -> NDArray[np.float64]:
        """b for values on the faces, "x1-", "x1+", "x2-", …: what a solver moves to the other side.

        A value is a number, a function of (x1, …, xd), or a list of one of these for each component.
        """
        if self.boundary_part is None:
            raise SpecError(
                "a periodic grid has no faces: leave out the right-hand side"
            )
        return self.boundary_part(values)

    def __call__(self, field: ArrayLike) -> NDArray[np.float64]:
        """A u for a field (c_in, *space)."""
        array = np.asarray(field)
        if array.shape != self.shape_in:
            raise SpecError(
                f"the matrix takes fields of shape {self.shape_in}, got {array.shape}"
            )
        return np.asarray(self.matrix @ array.ravel()).reshape(self.shape_out)


def periodic_matrices(sampled: Sampled, shape: Sequence[int]) -> list[GridMatrix]:
    """One matrix per element, of any stencil; ``shape`` is that of the array, x1 last."""
    space = _space(shape, sampled.grid.dim)
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
    return [_periodic(sampled, stencil, space) for stencil in sampled.stencils]


def _periodic(
    sampled: Sampled, stencil: NDArray[np.float64], space: tuple[int, ...]
) -> GridMatrix:
    """Row after row: all points have the same weights, so that nothing has to be sorted but the entries of a row."""
    from scipy.sparse import csr_matrix

    c_out, c_in = stencil.shape[:2]
    points = prod(space)
    _require_few(float(np.count_nonzero(stencil)) * points)
    here = np.arange(points, dtype=_index_type(stencil, points)).reshape(space)
    columns, values, counts = [], [], []
    for own in stencil:
        places = np.argwhere(own).tolist()
        # One column for each weight: the neighbours of all points.
        near = np.empty((points, len(places)), dtype=here.dtype)
        for k, (i, *place) in enumerate(places):
            near[:, k] = _neighbours(here, place, sampled).ravel() + i * points
        columns.append(near.ravel())
        values.append(np.tile(own[own != 0], points))
        counts.append(np.full(points, len(places), dtype=here.dtype))
    starts = np.zeros(c_out * points + 1, dtype=here.dtype)
    np.cumsum(np.concatenate(counts), out=starts[1:])
    data, indices = np.concatenate(values), np.concatenate(columns)
    matrix = csr_matrix((data, indices, starts), shape=(c_out * points, c_in * points))
    matrix.sort_indices()
    return GridMatrix(matrix, (c_in, *space), (c_out, *space))


def _neighbours(
    here: NDArray[Any], place: Sequence[int], sampled: Sampled
) -> NDArray[Any]:
    """The number of the point at a place of the stencil, for every point; both grow with the index."""
    grid = sampled.grid
    shifts = [
        step * ((n - 1) // 2 - k)
        for k, n, step in zip(place, grid.array_shape, grid.dilation[::-1], strict=True)
    ]
    return np.roll(here, shifts, axis=tuple(range(here.ndim)))


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


@dataclass(frozen=True, eq=False)
class BoundedGrid:
    """A product of axes, x1 first."""

    axes: tuple[Axis, ...]

    @property
    def space(self) -> tuple[int, ...]:
        return tuple(axis.count for axis in reversed(self.axes))

    def matrix(self, cells: Cells, shape: tuple[int, int]) -> GridMatrix:
        """The matrix of an operator with these coefficients."""
        from scipy.sparse import bmat, csr_matrix

        points = prod(self.space)
        c_out, c_in = shape
        terms = sum(len(p) for p in cells.values())
        _require_few(float(terms) * points * prod(axis.size + 1 for axis in self.axes))
        blocks: list[list[Sparse]] = [
            [csr_matrix((points, points))] * c_in for _ in range(c_out)
        ]
        for (o, i), p in cells.items():
            for alpha, value in p.items():
                blocks[o][i] = blocks[o][i] + value * self._derivative(alpha)
        matrix = csr_matrix(bmat(blocks, format="csr"))
        return GridMatrix(
            matrix,
            (c_in, *self.space),
            (c_out, *self.space),
            lambda values: self._boundary_part(cells, shape, values),
        )

    def _derivative(self, alpha: tuple[int, ...]) -> Sparse:
        from scipy.sparse import kron

        out: Sparse = np.ones((1, 1))
        for axis, order in zip(reversed(self.axes), reversed(alpha), strict=True):
            out = kron(out, axis.derivative(order) @ axis.extension[0], format="csr")
        return out

    def _boundary_part(
        self, cells: Cells, shape: tuple[int, int], values: Mapping[str, Value]
    ) -> NDArray[np.float64]:
        faces = self.faces()
        if set(values) != set(faces):
            raise SpecError(
                f"values are needed for the faces {', '.join(faces) or '(none)'}, got {', '.join(values)}"
            )
        out = np.zeros((shape[0], *self.space))
        for component in range(shape[1]):
            extended = self._extended(
                {
                    face: _of_component(v, component, shape[1])
                    for face, v in values.items()
                }
            )
            for (o, i), p in cells.items():
                for alpha, value in p.items():
                    if i == component:
                        out[o] += value * self._applied(alpha, extended)
        return out.ravel()

    def faces(self) -> list[str]:
        """The faces with given values."""
        names = []
        for k, axis in enumerate(self.axes):
            names += [
                f"x{k + 1}{'-+'[end]}" for end in (0, 1) if axis.ends[end] in HAS_VALUES
            ]
        return names

    def _extended(self, values: Mapping[str, Any]) -> NDArray[np.float64]:
        """The values at all nodes where those in the array are zero: axis after axis, corners with the last."""
        out = np.zeros(self.space)
        lines = [[float(x) for x in axis.nodes[axis.inside]] for axis in self.axes]
        for k, axis in enumerate(self.axes):
            place = len(self.axes) - 1 - k
            own, given = axis.extension
            extended = _along(own, out, place)
            for end in (0, 1):
                value = values.get(f"x{k + 1}{'-+'[end]}")
                if value is not None:
                    face = [np.array(line) for line in lines]
                    face[k] = np.array([float(axis.nodes[(0, -1)[end]])])
                    extended = extended + _along(
                        given[:, [end]], _on_face(value, face), place
                    )
            out = extended
            lines[k] = [float(x) for x in axis.nodes]
        return out

    def _applied(
        self, alpha: tuple[int, ...], extended: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        for k, order in enumerate(alpha):
            extended = _along(
                self.axes[k].derivative(order), extended, len(alpha) - 1 - k
            )
        return extended


def bounded_grid(
    dim: int,
    shape: Sequence[int] | None,
    boundary: str | Mapping[str, str],
    size: int,
    spacing: Sequence[Fraction],
    axes: Sequence[Sequence[Any]] | None = None,
) -> BoundedGrid:
    """The axes of a grid: uniform ones of the ``shape`` of the array, or through points of one's own (x1 first)."""
    ends = face_conditions(dim, boundary)
    if axes is not None:
        if len(axes) != dim:
            raise GridError(
                f"axes= needs the points of {dim} axes (x1 first), got {len(axes)}"
            )
        return BoundedGrid(
            tuple(axis_of(points, ends[k], size) for k, points in enumerate(axes))
        )
    if shape is None:
        raise GridError(
            "give shape=, the points of the array along every axis (x1 last), or axes="
        )
    counts = _space(shape, dim)[::-1]
    return BoundedGrid(
        tuple(Axis.uniform(n, spacing[k], ends[k], size) for k, n in enumerate(counts))
    )


def face_conditions(
    dim: int, boundary: str | Mapping[str, str]
) -> list[tuple[str, str]]:
    """The conditions at both ends of every axis, of one word or one for each face."""
    faces = [f"x{k + 1}{sign}" for k in range(dim) for sign in "-+"]
    if isinstance(boundary, str):
        boundary = dict.fromkeys(faces, boundary)
    if set(boundary) != set(faces) or any(
        c not in CONDITIONS for c in boundary.values()
    ):
        raise SpecError(
            f"boundary= is {', '.join(CONDITIONS[:-1])} or {CONDITIONS[-1]}, or a mapping of {', '.join(faces)} to "
            f"these; got {boundary!s:.80}"
        )
    return [(boundary[f"x{k + 1}-"], boundary[f"x{k + 1}+"]) for k in range(dim)]


def is_periodic(dim: int, boundary: str | Mapping[str, str]) -> bool:
    return all(ends == (PERIODIC, PERIODIC) for ends in face_conditions(dim, boundary))


def _along(
    matrix: Sparse, array: NDArray[np.float64], axis: int
) -> NDArray[np.float64]:
    """A sparse matrix along one axis of an array."""
    first = np.moveaxis(array, axis, 0)
    flat = np.asarray(matrix @ first.reshape(first.shape[0], -1))
    return np.moveaxis(flat.reshape(matrix.shape[0], *first.shape[1:]), 0, axis)


def _on_face(value: Any, lines: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    shape = tuple(len(line) for line in reversed(lines))
    if callable(value):
        # The first array axis is the last coordinate.
        grids = np.meshgrid(*reversed(lines), indexing="ij")
        value = value(*reversed(grids))
    return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), shape))


def _of_component(value: Value, component: int, count: int) -> Any:
    if isinstance(value, Sequence):
        if len(value) != count:
            raise SpecError(
                f"a face needs one value, or one for each of the {count} components, got {len(value)}"
            )
        return value[component]
    return value


def _space(shape: Sequence[int], dim: int) -> tuple[int, ...]:
    found = tuple(int(n) for n in shape)
    if len(found) != dim or any(n < 1 for n in found):
        raise GridError(
            f"shape= needs {dim} positive sizes, those of the array (x1 last), got {shape}"
        )
    return found


def _require_few(entries: float) -> None:
    if entries > MAX_ENTRIES:
        raise SizeError(
            f"a matrix of {entries:,.0f} entries is too large (at most {MAX_ENTRIES:,}): use a smaller shape"
        )
