r"""Grids with boundaries: products of axes, staggered or not.

$\partial^\alpha$ is the Kronecker product of derivatives along the axes, corners included. On a staggered grid of N
cells along an axis, place 0 (the middle of a cell) has the points 0, …, N - 1, and place 1/2 the faces between them;
walls are the outermost faces, at -1/2 and N - 1/2. There a component at place 1/2 lives on the wall itself: its value
is given, or (one-sided) in the array; one at place 0 has the given value half a cell away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.stencils.assemble import Cells, assembled
from pdobasis.stencils.axes import (
    CONDITIONS,
    HAS_VALUES,
    PERIODIC,
    SBP,
    Axis,
    Sparse,
    axis_of,
)
from pdobasis.stencils.errors import GridError
from pdobasis.stencils.matrices import GridMatrix, Value, require_few, space_of

Line = tuple[Fraction, ...]
Array = NDArray[np.float64]
HALF = Fraction(1, 2)


@dataclass(frozen=True, eq=False)
class BoundedGrid:
    """Axes for every component of the input, and the points of every component of the output, x1 first."""

    sources: tuple[tuple[Axis, ...], ...]
    targets: tuple[tuple[Line, ...], ...]
    known: dict[Any, Sparse] = field(default_factory=dict, repr=False)
    """Derivatives along axes that were made already."""

    @property
    def shapes_in(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(a.count for a in reversed(axes)) for axes in self.sources)

    @property
    def shapes_out(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(len(t) for t in reversed(lines)) for lines in self.targets)

    @property
    def has_energy(self) -> bool:
        return any(SBP in axis.ends for axis in self.sources[0])

    def matrix(self, cells: Cells) -> GridMatrix:
        """The matrix of an operator with these coefficients."""
        terms = sum(len(p) for p in cells.values())
        points = max(prod(shape) for shape in self.shapes_out)
        nodes = prod(axis.size + 1 for axis in self.sources[0])
        require_few(float(terms) * points * nodes)
        norm: Array | None = None
        energy: Callable[[], Sparse] | None = None
        if self.has_energy:
            norm = self._norm()

            def energy() -> Sparse:
                return assembled(cells, self.shapes_out, self.shapes_in, self._weighted)

        return GridMatrix(
            assembled(cells, self.shapes_out, self.shapes_in, self.inside),
            self.shapes_in,
            self.shapes_out,
            lambda values: self.boundary_part(cells, values),
            norm,
            energy,
        )

    def along(self, o: int, i: int, axis: int, order: int) -> Sparse:
        """∂^order along an axis, from all nodes of component i to the points of component o."""
        source, line = self.sources[i][axis], self.targets[o][axis]
        # Components at one place share their axes and points, as objects.
        key = (id(source), id(line), order)
        if key not in self.known:
            self.known[key] = source.derivative(order, line)
        return self.known[key]

    def inside(self, o: int, i: int, axis: int, order: int) -> Sparse:
        """∂^order along an axis from the array alone, given values being zero."""
        own = self.along(o, i, axis, order) @ self.sources[i][axis].extension[0]
        own.sort_indices()
        return own

    def _weighted(self, o: int, i: int, axis: int, order: int) -> Sparse:
        """H ∂^order: products of matrices that are symmetric or skew bit by bit are so, too."""
        return self.sources[i][axis].weighted(order)

    def _norm(self) -> Array:
        one = np.ones(1)
        for axis in reversed(self.sources[0]):
            one = np.kron(one, np.array(axis.norm))
        return np.tile(one, len(self.targets))

    def boundary_part(self, cells: Cells, values: Mapping[str, Value]) -> Array:
        faces = self.faces()
        if set(values) != set(faces):
            raise SpecError(
                f"values are needed for the faces {', '.join(faces) or '(none)'}, got {', '.join(values)}"
            )
        out = [np.zeros(shape) for shape in self.shapes_out]
        for i in range(len(self.sources)):
            own = {f: _of_component(v, i, len(self.sources)) for f, v in values.items()}
            extended = self._extended(i, own)
            for (o, column), p in cells.items():
                for alpha, value in p.items():
                    if column == i:
                        out[o] += value * self.applied(o, i, alpha, extended)
        return np.concatenate([part.ravel() for part in out])

    def faces(self) -> list[str]:
        """The faces with given values."""
        names = []
        for k, axis in enumerate(self.sources[0]):
            names += [
                f"x{k + 1}{'-+'[end]}" for end in (0, 1) if axis.ends[end] in HAS_VALUES
            ]
        return names

    def _extended(self, i: int, values: Mapping[str, Any]) -> Array:
        """The values at all nodes where those in the array are zero: axis after axis, corners with the last."""
        axes = self.sources[i]
        out = np.zeros(self.shapes_in[i])
        lines = [[float(x) for x in axis.points] for axis in axes]
        for k, axis in enumerate(axes):
            place = len(axes) - 1 - k
            own, given = axis.extension
            extended = along_axis(own, out, place)
            for end in (0, 1):
                name = f"x{k + 1}{'-+'[end]}"
                value = values.get(name)
                if value is not None:
                    face = [np.array(line) for line in lines]
                    face[k] = np.array([float(axis.nodes[(0, -1)[end]])])
                    on_it = _on_face(name, value, face)
                    extended = extended + along_axis(given[:, [end]], on_it, place)
            out = extended
            lines[k] = [float(x) for x in axis.nodes]
        return out

    def applied(self, o: int, i: int, alpha: tuple[int, ...], extended: Array) -> Array:
        """∂^α of values at all nodes, axis by axis."""
        for k, order in enumerate(alpha):
            own = self.along(o, i, k, order)
            extended = along_axis(own, extended, len(alpha) - 1 - k)
        return extended


@dataclass(frozen=True, slots=True)
class Places:
    """Where in the cell the components live: one offset each, in the input and in the output."""

    inputs: tuple[Line, ...]
    outputs: tuple[Line, ...]

    @classmethod
    def together(cls, dim: int, c_out: int, c_in: int) -> Places:
        here = (Fraction(0),) * dim
        return cls((here,) * c_in, (here,) * c_out)


def bounded_grid(
    shape: Sequence[int] | None,
    boundary: str | Mapping[str, str],
    size: int,
    spacing: Sequence[Fraction],
    places: Places,
    axes: Sequence[Sequence[Any]] | None = None,
    *,
    staggered: bool = False,
) -> BoundedGrid:
    """Axes of the ``shape`` of an array (of cells, where staggered), or through points of one's own (x1 first)."""
    dim = len(spacing)
    ends = face_conditions(dim, boundary)
    lines: list[dict[Fraction, Axis]] = []
    for k in range(dim):
        conditions, accuracy = ends[k]
        if axes is not None:
            if len(axes) != dim or staggered:
                raise GridError(
                    f"axes= needs the points of {dim} axes (x1 first) and no offsets, got {len(axes)}"
                )
            own = {Fraction(0): axis_of(axes[k], conditions, size, accuracy)}
        elif shape is None:
            raise GridError(
                "give shape=, the points of the array along every axis (x1 last), or axes="
            )
        else:
            count = space_of(shape, dim)[dim - 1 - k]
            make = _cells if staggered else _plain
            own = {
                s: make(count, spacing[k], conditions, size, accuracy, s)
                for s in (Fraction(0), HALF)[: 1 + staggered]
            }
        lines.append(own)
    # One object for each place of an axis, which derivatives are remembered by.
    points = [{s: axis.points for s, axis in own.items()} for own in lines]
    return BoundedGrid(
        tuple(tuple(lines[k][s] for k, s in enumerate(p)) for p in places.inputs),
        tuple(tuple(points[k][s] for k, s in enumerate(p)) for p in places.outputs),
    )


Accuracy = tuple[int | None, int | None]


def _plain(
    count: int,
    step: Fraction,
    ends: tuple[str, str],
    size: int,
    accuracy: Accuracy,
    place: Fraction,
) -> Axis:
    return Axis.uniform(count, step, ends, size, accuracy)


def _cells(
    count: int,
    step: Fraction,
    ends: tuple[str, str],
    size: int,
    accuracy: Accuracy,
    place: Fraction,
) -> Axis:
    """The points at one place of N cells, and the walls where values are given."""
    if SBP in ends:
        raise SpecError("summation by parts is there without offsets only")
    if PERIODIC in ends:
        nodes = [k + place for k in range(count)]
        return Axis(tuple(step * x for x in nodes), ends, size, step * count, step)
    if place:
        nodes = [k - HALF for k in range(count + 1)]
    else:
        nodes = [Fraction(k) for k in range(count)]
        nodes = [-HALF] * (ends[0] in HAS_VALUES) + nodes
        nodes = nodes + [count - HALF] * (ends[1] in HAS_VALUES)
    return Axis(tuple(step * x for x in nodes), ends, size, None, step, accuracy)


def face_conditions(
    dim: int, boundary: str | Mapping[str, str]
) -> list[tuple[tuple[str, str], Accuracy]]:
    """Conditions and stated accuracies at both ends of every axis, of one word or one for each face.

    >>> face_conditions(1, {"x1-": "dirichlet", "x1+": "one-sided 4"})
    [(('dirichlet', 'one-sided'), (None, 4))]
    """
    faces = [f"x{k + 1}{sign}" for k in range(dim) for sign in "-+"]
    if isinstance(boundary, str):
        boundary = dict.fromkeys(faces, boundary)
    if set(boundary) != set(faces):
        raise _unknown(faces, boundary)
    read = {}
    for face, text in boundary.items():
        word, _, number = str(text).partition(" ")
        stated = None
        if number:
            if not (number.isdecimal() and 1 <= int(number) <= 20) or word in (
                PERIODIC,
                SBP,
            ):
                raise _unknown(faces, boundary)
            stated = int(number)
        if word not in CONDITIONS:
            raise _unknown(faces, boundary)
        read[face] = (word, stated)
    pairs = [(read[f"x{k + 1}-"], read[f"x{k + 1}+"]) for k in range(dim)]
    return [((low[0], high[0]), (low[1], high[1])) for low, high in pairs]


def _unknown(faces: Sequence[str], boundary: object) -> SpecError:
    return SpecError(
        f"boundary= is {', '.join(CONDITIONS[:-1])} or {CONDITIONS[-1]} (or one-sided 4, with a stated accuracy), or a "
        f"mapping of {', '.join(faces)} to these; got {boundary!s:.80}"
    )


def is_periodic(dim: int, boundary: str | Mapping[str, str]) -> bool:
    return all(e == (PERIODIC, PERIODIC) for e, _ in face_conditions(dim, boundary))


def along_axis(matrix: Sparse, array: Array, axis: int) -> Array:
    """A sparse matrix along one axis of an array."""
    first = np.moveaxis(array, axis, 0)
    flat = np.asarray(matrix @ first.reshape(first.shape[0], -1))
    return np.moveaxis(flat.reshape(matrix.shape[0], *first.shape[1:]), 0, axis)


def _on_face(name: str, value: Any, lines: Sequence[Array]) -> Array:
    """The values on a face, whose own axis has one point."""
    shape = tuple(len(line) for line in reversed(lines))
    if callable(value):
        # The first array axis is the last coordinate.
        grids = np.meshgrid(*reversed(lines), indexing="ij")
        value = value(*reversed(grids))
    try:
        found = np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), shape))
    except (TypeError, ValueError):
        got = repr(value)[:60]
        if isinstance(value, np.ndarray):
            got = f"an array of shape {value.shape}"
        raise SpecError(
            f"face {name}: expected a number or a function of (x1, …, x{len(lines)}) for each component, got {got}"
        ) from None
    if not np.isfinite(found).all():
        raise SpecError(f"face {name}: values have to be finite")
    return found


def _of_component(value: Value, component: int, count: int) -> Any:
    if isinstance(value, Sequence):
        if len(value) != count:
            raise SpecError(
                f"a face needs one value, or one for each of the {count} components, got {len(value)}"
            )
        return value[component]
    return value
