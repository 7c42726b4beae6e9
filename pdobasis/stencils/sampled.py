r"""A basis as plain numbers: what a file holds, and what is measured.

`sample` turns a basis into stencils, on one grid or on a staggered one. There, component i of a field lives at
its own offset in the cell, and every generator of the group has to take places to places; otherwise the
combination is refused, because no stencil could be equivariant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.errors import SizeError, SpecError, UnknownNameError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.stencils import (
    Grid,
    MonomialStencils,
    NotAGridSymmetryError,
    check_places,
    finite_difference,
    gaussian,
    rbf_fd,
    staggered,
)
from pdobasis.stencils.discretize import GRID_OPTIONS, METHODS, OPTIONS, default_phi, default_sigma, discretize
from pdobasis.stencils.staggered import Offset, check_offsets

MAX_NUMBERS = 64_000_000
"""Weights of one answer: half a gigabyte."""
MAX_SIDE = 255
MAX_RBF_NODES = 3_000
"""Nodes of one RBF-FD system, which is solved densely."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where in the cell each component lives, in cells: one offset per channel."""

    out_offsets: tuple[Offset, ...]
    in_offsets: tuple[Offset, ...]

    def grid(self, grid: Grid, row: int, column: int) -> Grid:
        """The nodes of the stencil from component ``column`` to component ``row``, relative to the target."""
        offset = tuple(s - t for s, t in zip(self.in_offsets[column], self.out_offsets[row], strict=True))
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
    places: Places | None = None

    def __post_init__(self) -> None:
        for array in (self.stencils, self.orders, self.coefficients, self.monomials):
            array.setflags(write=False)

    @property
    def elements(self) -> int:
        return len(self.orders)

    def node_grid(self, row: int, column: int) -> Grid:
        """The nodes of one entry, relative to its target."""
        return self.grid if self.places is None else self.places.grid(self.grid, row, column)


def sample(
    basis: Basis,
    method: str = "gauss",
    size: int | Sequence[int] = 5,
    *,
    in_offsets: Sequence[Sequence[Any]] | None = None,
    out_offsets: Sequence[Sequence[Any]] | None = None,
    **options: Any,
) -> Sampled:
    """The stencils of a basis; `discretize` lists the options, offsets make the grid staggered."""
    if basis.problem.kernel and method != "kernel":
        raise SpecError(
            f"these are the angular parts of kernels, which {method!r} does not sample: use --stencil kernel"
        )
    _check_numbers(basis, method, size)
    monomials = np.array(basis.monomials(), dtype=np.int64).reshape(-1, basis.problem.group.dim)
    if in_offsets is not None or out_offsets is not None:
        return _staggered(basis, method, size, check_field_places(basis.problem, in_offsets, out_offsets), options)
    d = discretize(basis, method, size, **options)
    orders = np.array(d.orders, dtype=np.int64)
    coefficients = d.coefficients() if d.rings is not None else basis.coefficients()
    rings = d.ring_of_elements()
    return Sampled(basis.problem, method, d.grid, d.options, d.dense(), orders, coefficients, monomials, rings)


def check_field_places(
    problem: Problem, in_offsets: Sequence[Sequence[Any]] | None, out_offsets: Sequence[Sequence[Any]] | None
) -> Places:
    """The offsets of all components; refused where the group does not take places to places."""
    dim = problem.group.dim
    places = []
    for which, offsets, field_type in (("out", out_offsets, problem.out_type), ("in", in_offsets, problem.in_type)):
        given = [(0,) * dim] * field_type.size if offsets is None else list(offsets)
        if len(given) != field_type.size:
            raise SpecError(
                f"--{which}-offsets needs one place for each of the {field_type.size} components of {field_type}, "
                f"separated by ';', got {len(given)}"
            )
        places.append(check_offsets([[Fraction(s) for s in place] for place in given], dim))
    out, into = places
    if problem.group.lie:
        raise NotAGridSymmetryError(
            f"{problem.group.name} is continuous and does not map the places of a staggered grid to each other: "
            "use a subgroup of the grid's own symmetries (C4, D4, Oh)"
        )
    for label, g in zip(problem.group.labels, problem.group.generators, strict=True):
        matrix = signed_permutation(g)
        if matrix is None:
            raise NotAGridSymmetryError(
                f"the generator {label} of {problem.group.name} does not map the grid to itself, so it cannot take "
                "the places of a staggered grid to each other: use a subgroup of its symmetries (C4, D4, Oh)"
            )
        check_places(matrix, matrix_at(problem.out_type, g), out)
        check_places(matrix, matrix_at(problem.in_type, g), into)
    return Places(out, into)


def signed_permutation(g: ExactArray) -> NDArray[np.int64] | None:
    """The matrix in whole numbers, if it maps the cubic grid to itself."""
    if g.denominator != 1 or g.numerators[..., 1:].any():
        return None
    m = np.asarray(g.numerators[..., 0], dtype=np.int64)
    fits = np.all(np.abs(m).sum(axis=0) == 1) and np.all(np.abs(m).sum(axis=1) == 1)
    return m if fits else None


def matrix_at(field_type: FieldType, g: ExactArray) -> NDArray[np.float64]:
    """rho(g) of a sum, as numbers."""
    out = np.zeros((field_type.size, field_type.size))
    for rep in field_type.distinct:
        block = to_float(rep.at(g))
        for at in field_type.offsets(rep):
            out[at : at + rep.size, at : at + rep.size] = block
    return out


def monomial_stencils(basis: Basis, method: str, grid: Grid, options: dict[str, Any]) -> MonomialStencils:
    """The stencils of all monomials of a basis."""
    alphas = basis.monomials()
    if method == "fd":
        return finite_difference(alphas, grid)
    if method == "rbffd":
        return rbf_fd(alphas, grid, **options)
    if method == "gauss":
        return gaussian(alphas, grid, **options)
    raise UnknownNameError("stencil for a staggered grid", method, METHODS[:3], "(one of fd, rbffd, gauss)")


def _staggered(basis: Basis, method: str, size: Any, places: Places, options: dict[str, Any]) -> Sampled:
    known = (*GRID_OPTIONS, *OPTIONS.get(method, ()))
    if unknown := [k for k, v in options.items() if v is not None and k not in known]:
        raise SpecError(f"the stencil {method!r} has no option {unknown[0]!r}; it has {', '.join(known)}")
    on_grid = {k: v for k, v in options.items() if k in GRID_OPTIONS and v is not None}
    grid = Grid.regular(basis.problem.group.dim, size, **on_grid)
    given = {k: v for k, v in options.items() if k not in GRID_OPTIONS and v is not None}
    if method == "gauss":
        given.setdefault("sigma", default_sigma(grid))
    if method == "rbffd":
        given.setdefault("phi", default_phi(basis.problem.order))
    parts = staggered(
        lambda inner: monomial_stencils(basis, method, inner, given), grid, places.out_offsets, places.in_offsets
    )
    coefficients = basis.coefficients()
    orders = np.repeat(np.arange(basis.problem.order + 1), list(basis.dimensions.values()))
    monomials = np.array(basis.monomials(), dtype=np.int64).reshape(-1, grid.dim)
    stencils = _combined(coefficients, parts.weights)
    arguments = tuple(sorted(given.items()))
    return Sampled(basis.problem, method, grid, arguments, stencils, orders, coefficients, monomials, None, places)


def _combined(coefficients: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """`StaggeredStencils.combine`, term by term in a fixed order: the same bits on every machine."""
    out = np.zeros((*coefficients.shape[:3], *weights.shape[3:]))
    ones = (1,) * (weights.ndim - 3)
    for m in range(coefficients.shape[3]):
        out += coefficients[..., m].reshape(*coefficients.shape[:3], *ones) * weights[:, :, m]
    return out


def _check_numbers(basis: Basis, method: str, size: int | Sequence[int]) -> None:
    dim = basis.problem.group.dim
    sizes = [size] * dim if isinstance(size, int) else list(size)
    nodes = float(np.prod([float(n) for n in sizes]))
    if max(sizes, default=0) > MAX_SIDE or (method == "rbffd" and nodes > MAX_RBF_NODES):
        limit = f"{MAX_RBF_NODES} nodes for rbffd" if method == "rbffd" else f"{MAX_SIDE} points along an axis"
        raise SizeError(f"a stencil of {nodes:,.0f} nodes is too large (at most {limit}): use a smaller --size")
    cells = basis.dimension * basis.problem.out_type.size * basis.problem.in_type.size
    rings = max(1, max(sizes, default=1) // 2 + 1) if method == "kernel" else 1
    numbers = cells * max(nodes, len(basis.monomials())) * rings
    if numbers > MAX_NUMBERS:
        raise SizeError(
            f"{basis.dimension} stencils of {basis.problem.out_type.size} x {basis.problem.in_type.size} x {nodes:.0f} "
            f"weights are {numbers:,.0f} numbers, beyond {MAX_NUMBERS:,}: ask for one summand of each representation "
            "(multiplicities only repeat its block), a lower order or a smaller size"
        )
