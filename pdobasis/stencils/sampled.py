r"""A basis as plain numbers: what a file holds, and what is measured.

`sample` turns a basis into stencils, on one grid or on a staggered one. There, component i of a field lives at
its own offset in the cell, and every generator of the group has to take places to places; otherwise the
combination is refused, because no stencil could be equivariant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.bounds.estimate import cost
from pdobasis.errors import SizeError, SpecError, require_type
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.stencils.discretization import Derivatives, Discretization, recorded
from pdobasis.stencils.discretize import GRID_OPTIONS, discretize, read_options
from pdobasis.stencils.discretized import Discretized
from pdobasis.stencils.errors import NotAGridSymmetryError
from pdobasis.stencils.finite import finite, require_finite
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.registry import find, find_staggered, kernel_names
from pdobasis.stencils.staggered import Offset, check_offsets, check_places, staggered

if TYPE_CHECKING:
    from pdobasis.stencils.keywords import SamplingKeywords

MAX_NUMBERS = 64_000_000
"""Weights of one answer: half a gigabyte."""
MAX_SIDE = 255
"""Points along an axis."""


@dataclass(frozen=True, slots=True)
class CellPlaces:
    """Where in the cell each component lives, in cells: one offset per channel."""

    out_offsets: tuple[Offset, ...]
    in_offsets: tuple[Offset, ...]

    def grid(self, grid: Grid, row: int, column: int) -> Grid:
        """The nodes of the stencil from component ``column`` to component ``row``, relative to the target."""
        offset = tuple(
            s - t
            for s, t in zip(self.in_offsets[column], self.out_offsets[row], strict=True)
        )
        return Grid(grid.size, grid.spacing, grid.dilation, offset, grid.layout)


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """Stencils (elements, c_out, c_in, *shape) of the operators ``coefficients`` over ``monomials``.

    Invariants: all arrays are read-only; ``orders`` has one entry per element. For kernels, ``coefficients`` are
    those of the angular part and ``rings`` says on which ring it lies.
    """

    problem: Problem
    method: str
    grid: Grid
    options: tuple[tuple[str, Any], ...]
    stencils: NDArray[np.float64]
    orders: NDArray[np.int64]
    coefficients: NDArray[np.float64]
    monomials: NDArray[np.int64]
    rings: tuple[int, ...] | None = None
    places: CellPlaces | None = None

    def __post_init__(self) -> None:
        for array in (self.stencils, self.orders, self.coefficients, self.monomials):
            array.setflags(write=False)

    @property
    def elements(self) -> int:
        return len(self.orders)

    def node_grid(self, row: int, column: int) -> Grid:
        """The nodes of one entry, relative to its target."""
        if self.places is None:
            return self.grid
        return self.places.grid(self.grid, row, column)


def sample(
    basis: Basis,
    method: str = "gauss",
    size: int | Sequence[int] = 5,
    *,
    in_offsets: Sequence[Sequence[Any]] | None = None,
    out_offsets: Sequence[Sequence[Any]] | None = None,
    **options: Unpack[SamplingKeywords],
) -> Sampled:
    """The stencils of a basis; `discretize` lists the options, offsets make the grid staggered."""
    require_type(basis, Basis, "basis", "a Basis, as solve() finds it")
    with finite(options):
        if in_offsets is None and out_offsets is None:
            found = multiplied_out(on_one_grid(basis, method, size, **options))
        else:
            _require_sampling(basis, method)
            between = find_staggered(method)
            _check_numbers(basis, between, size)
            places = check_field_places(basis.problem, in_offsets, out_offsets)
            found = _staggered(basis, between, size, places, options)
    require_finite(found.stencils, options)
    return found


def on_one_grid(
    basis: Basis,
    method: str,
    size: int | Sequence[int],
    **options: Unpack[SamplingKeywords],
) -> Discretized:
    """`discretize`, refused before any work where it would give too many numbers."""
    _require_sampling(basis, method)
    _check_numbers(basis, find(method), size)
    return discretize(basis, method, size, **options)


def _require_sampling(basis: Basis, method: str) -> None:
    if basis.problem.kernel and method not in kernel_names():
        raise SpecError(
            f"these are the angular parts of kernels, which {method!r} does not sample: "
            f"use {' or '.join(f'stencil={name!r}' for name in kernel_names())}"
        )


def multiplied_out(parts: Discretized) -> Sampled:
    """The stencils of a discretized basis, each combined from its atoms."""
    return Sampled(
        parts.basis.problem,
        parts.method,
        parts.grid,
        parts.options,
        parts.dense(),
        np.array(parts.orders, dtype=np.int64),
        parts.coefficients(),
        _monomials(parts.basis),
        parts.ring_of_elements(),
    )


def check_field_places(
    problem: Problem,
    in_offsets: Sequence[Sequence[Any]] | None,
    out_offsets: Sequence[Sequence[Any]] | None,
) -> CellPlaces:
    """The offsets of all components; refused where the group does not take places to places."""
    dim = problem.group.dim
    places = []
    for which, offsets, field_type in (
        ("out", out_offsets, problem.out_type),
        ("in", in_offsets, problem.in_type),
    ):
        if offsets is None:
            offsets = [(0,) * dim] * field_type.size
        given = list(offsets)
        if len(given) != field_type.size:
            raise SpecError(
                f"{which}_offsets= needs one place for each of the {field_type.size} components of {field_type}, "
                f"got {len(given)}"
            )
        places.append(
            check_offsets([[Fraction(s) for s in place] for place in given], dim)
        )
    out, into = places
    if problem.group.lie:
        raise NotAGridSymmetryError(
            f"{problem.group.name} is continuous and does not map the places of a staggered grid to each other: "
            "use a subgroup of the grid's own symmetries (C4, D4, Oh)"
        )
    # What holds for generators holds for the group.
    for label, g in zip(problem.group.labels, problem.group.on_space, strict=True):
        matrix = signed_permutation(g)
        if matrix is None:
            raise NotAGridSymmetryError(
                f"the generator {label} of {problem.group.name} does not map the grid to itself, so it cannot take "
                "the places of a staggered grid to each other: use a subgroup of its symmetries (C4, D4, Oh)"
            )
        check_places(matrix, matrix_at(problem.out_type, g), out)
        check_places(matrix, matrix_at(problem.in_type, g), into)
    return CellPlaces(out, into)


def signed_permutation(g: ExactArray) -> NDArray[np.int64] | None:
    """The matrix in whole numbers, if it maps the cubic grid to itself."""
    # The first element of a field's basis is 1: a part along the others is no whole number.
    if g.denominator != 1 or not g.is_rational:
        return None
    m = np.asarray(g.numerators[..., 0], dtype=np.int64)
    # A matrix of whole numbers with one entry of size 1 in each row and column.
    fits = np.all(np.abs(m).sum(axis=0) == 1) and np.all(np.abs(m).sum(axis=1) == 1)
    if not fits:
        return None
    return m


def matrix_at(field_type: FieldType, g: ExactArray) -> NDArray[np.float64]:
    """rho(g) of a sum, as numbers."""
    out = np.zeros((field_type.size, field_type.size))
    for rep in field_type.distinct:
        block = to_float(rep.at(g))
        for at in field_type.offsets(rep):
            out[at : at + rep.size, at : at + rep.size] = block
    return out


def _staggered(
    basis: Basis,
    method: Derivatives[Any],
    size: int | Sequence[int],
    places: CellPlaces,
    options: Mapping[str, Any],
) -> Sampled:
    grid, own = read_options(
        method, basis, size, options, (*GRID_OPTIONS, *method.option_names)
    )
    if grid.lattice is not None:
        raise SpecError(
            "a staggered grid lies on no lattice: leave out lattice=, or the offsets"
        )
    coefficients = basis.coefficients()
    pairs = staggered(
        lambda alphas, inner: method.stencils(alphas, inner, own),
        basis.monomials(),
        grid,
        places.out_offsets,
        places.in_offsets,
        np.any(coefficients != 0, axis=0),
    )
    return Sampled(
        basis.problem,
        method.name,
        grid,
        recorded(own),
        _combined(coefficients, pairs.weights),
        np.repeat(np.arange(basis.problem.order + 1), list(basis.dimensions.values())),
        coefficients,
        _monomials(basis),
        None,
        places,
    )


def _monomials(basis: Basis) -> NDArray[np.int64]:
    return np.array(basis.monomials(), dtype=np.int64).reshape(
        -1, basis.problem.group.dim
    )


def _combined(
    coefficients: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """`StaggeredStencils.combine`, term by term in a fixed order: the same bits on every machine."""
    out = np.zeros((*coefficients.shape[:3], *weights.shape[3:]))
    ones = (1,) * (weights.ndim - 3)
    # Not by einsum, whose order of summation depends on the machine.
    for m in range(coefficients.shape[3]):
        out += (
            coefficients[..., m].reshape(*coefficients.shape[:3], *ones)
            * weights[:, :, m]
        )
    return out


def _check_numbers(
    basis: Basis, method: Discretization[Any], size: int | Sequence[int]
) -> None:
    """Refuse what is too large before any work."""
    problem = basis.problem
    sizes = Grid.regular(problem.group.dim, size).size
    # In floating point: whole numbers of NumPy would overflow unnoticed, and pass.
    nodes = float(np.prod([float(n) for n in sizes]))
    most = method.max_nodes
    if max(sizes, default=0) > MAX_SIDE or (most is not None and nodes > most):
        limit = f"{MAX_SIDE} points along an axis"
        if most is not None:
            limit = f"{most} nodes for {method.name}"
        raise SizeError(
            f"a stencil of {nodes:,.0f} nodes is too large (at most {limit}): use a smaller size="
        )
    c_out, c_in = problem.out_type.size, problem.in_type.size
    numbers = (
        basis.dimension
        * c_out
        * c_in
        * max(nodes, len(basis.monomials()))
        * method.copies(sizes)
    )
    if numbers > MAX_NUMBERS:
        raise SizeError(
            f"{basis.dimension} stencils of {c_out} x {c_in} x {nodes:.0f} "
            f"weights are {numbers:,.0f} numbers, beyond {MAX_NUMBERS:,}: ask for one summand of each representation "
            "(multiplicities only repeat its block), a lower order or a smaller size"
        )
    atoms = len(basis.monomials()) * nodes
    features = {"numbers": numbers, "atoms": atoms}
    if most is not None:
        # one dense system with an unknown for each node
        features |= {"squares": nodes**2, "cubes": nodes**3}
    cost("sample", features).require(
        f"sampling {basis.dimension} stencils of {nodes:,.0f} nodes",
        "use a smaller size=",
    )
