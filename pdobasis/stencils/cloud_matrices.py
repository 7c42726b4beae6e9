r"""Operators on point clouds as sparse matrices.

A field is an array (components, points), and a vector in the order of the flattened array. Component o of the image at
target t is $\sum_{i,\alpha} c_{oi\alpha} \sum_n w^\alpha_{tn} u_i(x_n)$ over the neighbours $x_n$ of t: all points
that are as near as the k-th are neighbours, so that a cloud keeps its symmetries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.given import whole_number
from pdobasis.stencils.axes import Sparse
from pdobasis.stencils.cloud import Neighbourhoods, check_points, neighbourhoods
from pdobasis.stencils.discretization import Derivatives
from pdobasis.stencils.errors import IllConditionedTargetError
from pdobasis.stencils.ghosts import Ghosts, ghosts_of, nearest_distances
from pdobasis.stencils.multi_index import MultiIndex
from pdobasis.stencils.options import missing_on_points, only_given
from pdobasis.stencils.registry import find, require_options

BLOCK = 65_536
"""Targets whose weights are in memory together."""
ARGUMENTS = (
    "neighbours", "targets", "method", "boundary", "normals", "ghost_layers", "hyperviscosity", "block", "executor",
)  # fmt: skip
"""That stand beside the options, to guess at a misspelt one."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CloudMatrix:
    """A: the matrix of one operator, from fields (c_in, points) to fields (c_out, targets)."""

    matrix: Sparse
    shape_in: tuple[int, int]
    shape_out: tuple[int, int]

    def __repr__(self) -> str:
        rows, columns = self.matrix.shape
        return f"<CloudMatrix {rows}x{columns}, {self.matrix.nnz} entries>"

    def __call__(self, field: ArrayLike) -> Array:
        """A u for a field (c_in, points), ghosts last."""
        array = np.asarray(field)
        if array.shape != self.shape_in:
            raise SpecError(
                f"the matrix takes fields of shape {self.shape_in}, got {array.shape}"
            )
        return np.asarray(self.matrix @ array.ravel()).reshape(self.shape_out)


@dataclass(frozen=True, eq=False)
class CloudMatrices(Sequence[CloudMatrix]):
    """One matrix per operator, all on the same neighbourhoods.

    ``points`` are the places of the columns, ghosts after the points that were given. ``condition`` estimates the
    condition number of the system of every target, where the method solves one.
    """

    matrices: tuple[CloudMatrix, ...]
    points: Array
    targets: Array
    condition: Array | None = None
    ghosts: Ghosts | None = None
    normal_derivative: Sparse | None = field(default=None, repr=False)
    """From values at all points to the derivative along the normals, at the boundary: one row for each normal."""
    hyperviscosity: Sparse | None = field(default=None, repr=False)
    r"""$(-1)^{p+1} h^{2p-1} \Delta^p$ of a scalar, h the distance of the nearest point: it damps the shortest waves."""

    def __repr__(self) -> str:
        ghosts = ""
        if self.ghosts is not None:
            ghosts = f", {len(self.ghosts.points)} of them ghosts"
        return (
            f"<CloudMatrices of {len(self)} operators: {len(self.points)} points{ghosts}, "
            f"{len(self.targets)} targets>"
        )

    def __len__(self) -> int:
        return len(self.matrices)

    def __getitem__(self, index: Any) -> Any:
        return self.matrices[index]

    def __iter__(self) -> Iterator[CloudMatrix]:
        return iter(self.matrices)

    def bordered(self, operator: Any = 0) -> Sparse:
        """[A; N]: an operator on scalars (its number, or a matrix made of several), and the derivatives along normals.

        Square, with one layer of ghosts: solve it with the sources, and then the Neumann values, on the right.
        """
        from scipy.sparse import vstack

        if self.normal_derivative is None:
            raise SpecError(
                "a bordered system needs ghosts: give boundary= and normals="
            )
        if isinstance(operator, int):
            operator = self[operator].matrix
        matrix = vstack([operator, self.normal_derivative], format="csr")
        if matrix.shape[0] != matrix.shape[1]:
            raise SpecError(
                "a bordered system is square for operators of one component, with one layer of ghosts and all points "
                f"as targets; this one is {matrix.shape[0]} by {matrix.shape[1]}"
            )
        return matrix


@dataclass(frozen=True, slots=True, eq=False)
class Operators:
    """Coefficients (operators, c_out, c_in, monomials) over ``alphas``."""

    coefficients: Array
    alphas: tuple[MultiIndex, ...]

    @property
    def order(self) -> int:
        return max((sum(alpha) for alpha in self.used), default=0)

    @property
    def used(self) -> tuple[MultiIndex, ...]:
        wanted = (self.coefficients != 0).any(axis=(0, 1, 2))
        return tuple(
            alpha for alpha, own in zip(self.alphas, wanted, strict=True) if own
        )

    def shrunk(self) -> Operators:
        """Without the derivatives that no operator has."""
        wanted = (self.coefficients != 0).any(axis=(0, 1, 2))
        return Operators(self.coefficients[..., wanted], self.used)


def cloud_matrices(
    operators: Operators,
    points: ArrayLike,
    neighbours: int | None,
    targets: ArrayLike | None,
    method: str,
    options: Mapping[str, Any],
    *,
    boundary: ArrayLike | None = None,
    normals: ArrayLike | None = None,
    ghost_layers: int = 1,
    hyperviscosity: int | None = None,
) -> CloudMatrices:
    """As `pdobasis.answer.basis.Basis.on_cloud` says."""
    own = operators.shrunk()
    given = check_points(points, "points")
    dim = given.shape[1]
    if own.alphas and len(own.alphas[0]) != dim:
        raise SpecError(
            f"the points have {dim} coordinates and the operators {len(own.alphas[0])}"
        )
    ghosts = ghosts_of(given, boundary, normals, ghost_layers)
    cloud = given
    if ghosts is not None:
        cloud = np.concatenate([given, ghosts.points])
    places = given
    if targets is not None:
        places = check_points(targets, "targets")
    weights = CloudWeights.of(method, own.order, dim, neighbours, options)
    near = in_order(neighbourhoods(cloud, places, weights.neighbours))
    matrices, condition = weights.matrices(own, cloud, places, near)
    normal = None
    if ghosts is not None:
        normal = weights.along(ghosts.normals, cloud, given[ghosts.boundary])
    damping = None
    if hyperviscosity is not None:
        damping = weights.damping(hyperviscosity, cloud, places, near)
    return CloudMatrices(matrices, cloud, places, condition, ghosts, normal, damping)


@dataclass(frozen=True, slots=True, eq=False)
class CloudWeights:
    """A method with its options, and how many neighbours it gets."""

    method: Derivatives[Any]
    options: Any
    order: int
    neighbours: int

    @classmethod
    def of(
        cls,
        method: str,
        order: int,
        dim: int,
        neighbours: int | None,
        options: Mapping[str, Any],
    ) -> CloudWeights:
        found = find(method)
        if not isinstance(found, Derivatives) or not found.has_clouds:
            raise SpecError(
                f"{method} has no clouds: take rbffd, or gauss with sigma= and normalize='moments'"
            )
        require_options(options, [method], found.option_names, ARGUMENTS)
        missing = missing_on_points(options, found.options)
        if missing is not None:
            raise SpecError(missing)
        read = found.Options(**only_given(options, found.options))
        if neighbours is None:
            # Twice as many as polynomials of the degree, which is usual.
            degree = max(order, getattr(read, "degree", None) or 0, 1)
            neighbours = 2 * comb(degree + dim, dim)
        count = whole_number(neighbours, "neighbours")
        return cls(found, found.completed_on_points(read, order), order, count)

    def matrices(
        self,
        operators: Operators,
        cloud: Array,
        places: Array,
        near: Neighbourhoods,
    ) -> tuple[tuple[CloudMatrix, ...], Array | None]:
        c_out, c_in = operators.coefficients.shape[1:3]
        builders = [
            _Builder.of(own, near, len(cloud)) for own in operators.coefficients
        ]
        conditions = []
        for start in range(0, len(places), BLOCK):
            rows = slice(start, min(start + BLOCK, len(places)))
            part = Neighbourhoods(near.indices[rows], near.counts[rows])
            weights: Array = np.zeros((len(part.counts), 0, part.indices.shape[1]))
            if operators.alphas:
                try:
                    found = self.method.cloud(
                        cloud, places[rows], operators.alphas, part, self.options
                    )
                except IllConditionedTargetError as error:
                    raise error.numbered(error.target + start) from None
                weights = found.weights
                if found.condition is not None:
                    conditions.append(found.condition)
            for builder in builders:
                builder.fill(rows, weights)
        condition = None
        if conditions:
            condition = np.concatenate(conditions)
        shape_in, shape_out = (c_in, len(cloud)), (c_out, len(places))
        made = tuple(CloudMatrix(b.matrix(), shape_in, shape_out) for b in builders)
        return made, condition

    def along(self, normals: Array, cloud: Array, places: Array) -> Sparse:
        """The derivative along a vector at each of some places."""
        dim = cloud.shape[1]
        alphas = tuple(tuple(int(i == k) for i in range(dim)) for k in range(dim))
        gradient = Operators(np.eye(dim)[:, None, None, :], alphas)
        near = in_order(neighbourhoods(cloud, places, self.neighbours))
        made, _ = self.matrices(gradient, cloud, places, near)
        parts = [m.matrix.multiply(normals[:, [k]]).tocsr() for k, m in enumerate(made)]
        return sum(parts[1:], parts[0])

    def damping(
        self, power: int, cloud: Array, places: Array, near: Neighbourhoods
    ) -> Sparse:
        if not 1 <= power <= 6:
            raise SpecError(
                f"hyperviscosity= is a power of the Laplacian from 1 to 6, got {power}"
            )
        given: dict[str, Any] = {}
        if "phi" in self.method.option_names:
            # r^(2p + 1) has a p-th power of the Laplacian, and is definite beside polynomials of degree p; with degree
            # 2p it is consistent, where there are neighbours enough.
            given = {"phi": None, "degree": power}
            dim = cloud.shape[1]
            for degree in range(power, 2 * power + 1):
                if 3 * comb(degree + dim, dim) <= 2 * near.least:
                    given["degree"] = degree
        options = self.method.completed_on_points(
            replace(self.options, **given), 2 * power
        )
        laplacian = _laplacian_power(cloud.shape[1], power)
        own = replace(self, options=options)
        ((made,), _) = own.matrices(laplacian, cloud, places, near)
        h = nearest_distances(cloud, places) ** (2 * power - 1)
        return made.matrix.multiply((-1) ** (power + 1) * h[:, None]).tocsr()


def in_order(near: Neighbourhoods) -> Neighbourhoods:
    """The same neighbours by their numbers: the rows of a sparse matrix are sorted then."""
    indices = near.indices.copy()
    for count, rows in near.alike():
        indices[rows, :count] = np.sort(indices[rows, :count], axis=1)
    return Neighbourhoods(indices, near.counts)


def _laplacian_power(dim: int, power: int) -> Operators:
    terms: dict[MultiIndex, int] = {(0,) * dim: 1}
    for _ in range(power):
        raised: dict[MultiIndex, int] = {}
        for alpha, value in terms.items():
            for k in range(dim):
                higher = (*alpha[:k], alpha[k] + 2, *alpha[k + 1 :])
                raised[higher] = raised.get(higher, 0) + value
        terms = raised
    values = np.array(list(terms.values()), dtype=np.float64)
    return Operators(values.reshape(1, 1, 1, -1), tuple(terms))


@dataclass(frozen=True, slots=True, eq=False)
class _Builder:
    """The arrays of one matrix in rows, filled block by block: how many entries a row has is known before."""

    coefficients: Array
    near: Neighbourhoods
    points: int
    starts: NDArray[Any]
    indices: NDArray[Any]
    data: Array

    @classmethod
    def of(cls, own: Array, near: Neighbourhoods, points: int) -> _Builder:
        cells = (own != 0).any(axis=-1).sum(axis=1)
        counts = (cells[:, None] * near.counts[None, :]).ravel()
        starts = np.concatenate([[0], np.cumsum(counts)])
        # SciPy takes short indices where they are enough, and would convert others.
        kind: Any = np.int32
        if max(starts[-1], own.shape[1] * points) >= 2**31:
            kind = np.int64
        return cls(
            own,
            near,
            points,
            starts.astype(kind),
            np.empty(starts[-1], dtype=kind),
            np.empty(starts[-1]),
        )

    def fill(self, rows: slice, weights: Array) -> None:
        total = len(self.near.counts)
        counts = self.near.counts[rows]
        inside = np.arange(self.near.indices.shape[1]) < counts[:, None]
        for o, row in enumerate(self.coefficients):
            cells = np.flatnonzero((row != 0).any(axis=-1))
            shape = (len(counts), len(cells), inside.shape[1])
            values, columns = np.zeros(shape), np.empty(shape, self.indices.dtype)
            for j, i in enumerate(cells):
                for m in np.flatnonzero(row[i]):
                    values[:, j] += row[i, m] * weights[:, m]
                columns[:, j] = self.near.indices[rows] + i * self.points
            part = slice(
                self.starts[o * total + rows.start], self.starts[o * total + rows.stop]
            )
            mask = np.broadcast_to(inside[:, None], shape)
            self.data[part], self.indices[part] = values[mask], columns[mask]

    def matrix(self) -> Sparse:
        from scipy.sparse import csr_matrix

        shape = (len(self.starts) - 1, self.coefficients.shape[1] * self.points)
        out = csr_matrix((self.data, self.indices, self.starts), shape=shape)
        # Neighbours are in order, and so are the components.
        out.has_sorted_indices = True
        out.has_canonical_format = True
        return out
