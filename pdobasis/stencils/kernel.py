r"""Sampled steerable kernels: angular polynomials times Gaussian rings.

For a matrix Y of harmonic polynomials, homogeneous of degree l, and a ring of radius $r_j$ and width $s_j$,

$$K(x) = Y(x / |x|)\, e^{-(|x| - r_j)^2 / 2 s_j^2},$$

sampled at the nodes. If Y solves $Y(g x) = \rho_{out}(g) Y(x) \rho_{in}(g)^{-1}$, so does K, and so do its
samples under the grid's own point group. At the origin x / |x| has no value; the mean over all directions is
taken, so only l = 0 survives.

Band limit (the idea of Weiler & Cesa 2019): a ring of radius r crosses about $2 \pi r / h$ cells, so by the
sampling theorem it holds angular frequencies up to $\pi r / h$. An angular part of degree l is kept on a ring
only if $l \le \text{band\_limit} \cdot r / h$, with 3 (just below pi) by default and h the largest step of
the grid; a ring of radius 0 keeps l = 0 alone. What is cut would be aliased and break the equivariance under
rotations off the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import require_type
from pdobasis.stencils.arrays import numbers
from pdobasis.stencils.combine import combine
from pdobasis.stencils.discretization import Discretization, recorded
from pdobasis.stencils.discretized import BlockStencils, Discretized, block_stencils
from pdobasis.stencils.errors import KernelError, ShapeError, as_numbers
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattice_atoms import angular_part, in_box
from pdobasis.stencils.lattice_weights import grid_window
from pdobasis.stencils.multi_index import MultiIndex, check_alphas, monomial_values
from pdobasis.stencils.options import Kind, NotGiven, given, option

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis

VANISHING = 1e-12
"""A ring whose profile is below this everywhere would give a stencil of zeros."""
BAND_LIMIT = 3.0
RING_WIDTH = 0.6
"""The default width of a ring, in steps of the grid."""


@dataclass(frozen=True, slots=True)
class KernelOptions:
    radii: Sequence[float] | None = option(Kind.LIST, "radii of the rings.")
    widths: float | Sequence[float] | None = option(
        Kind.NUMBERS, "widths of the rings."
    )
    band_limit: float | NotGiven | None = option(
        Kind.NUMBER, "largest angular order per radius.  [3]", none_means="no limit"
    )


class Kernel(Discretization[KernelOptions]):
    name = "kernel"
    Options = KernelOptions
    samples_kernels = True

    def completed(
        self, options: KernelOptions, grid: Grid, order: int
    ) -> KernelOptions:
        """One ring through every distance of the nodes along the longest axis."""
        step = _largest_step(grid)
        if options.radii is None:
            reach = (max(grid.size) - 1) / 2
            # an odd size has a node at 0, an even one its first nodes at half a step
            radii = tuple(float(step * r) for r in np.arange(reach % 1, reach + 0.5))
            options = replace(options, radii=radii)
        if options.widths is None:
            options = replace(options, widths=RING_WIDTH * step)
        return options

    def discretize(
        self, basis: Basis, grid: Grid, options: KernelOptions
    ) -> Discretized:
        """The harmonic part of the basis on rings: a basis of steerable kernels up to that angular order."""
        exponents = basis.monomials()
        # Monomials as angular parts: the kernels of the basis are combinations of these few.
        unit = np.eye(len(exponents)).reshape(len(exponents), 1, 1, len(exponents))
        sampled = sampled_kernels(exponents, unit, grid, **given(options))
        atoms = sampled.weights.reshape(len(sampled.elements), *grid.array_shape)
        if grid.lattice is not None:
            places, _ = grid_window(grid, basis.problem.group)
            flat = atoms.reshape(len(atoms), -1)[:, places]
            atoms = in_box(flat, places, grid)
        terms = np.array(sampled.elements, dtype=np.int64)
        rings = np.array(sampled.rings, dtype=np.int64)
        totals = np.array([sum(alpha) for alpha in exponents])
        blocks = []
        for block in basis.blocks:
            parts = [angular_part(basis, block, n) for n in range(len(block.orders))]
            angular = block_stencils(block, parts, basis)
            blocks.append(_on_rings(angular, totals, terms, rings))
        return Discretized(
            basis,
            self.name,
            grid,
            recorded(options),
            atoms,
            tuple(blocks),
            sampled.elements,
            sampled.rings,
        )

    def copies(self, size: Sequence[int]) -> int:
        """One for every ring."""
        return max(size, default=1) // 2 + 1


@dataclass(frozen=True, slots=True, eq=False)
class KernelStencils:
    """Kernels (kernels, c_out, c_in, *grid.array_shape).

    Kernel i is the angular part ``elements[i]`` on the ring ``rings[i]``.

    Attributes
    ----------
    grid : Grid
        The nodes.
    weights : array
        (kernels, c_out, c_in, *grid.array_shape).
    elements : tuple of int
        The angular part of each kernel.
    rings : tuple of int
        The ring of each kernel.

    Examples
    --------
    >>> coefficients = np.ones((1, 1, 1, 1))
    >>> found = sampled_kernels([(0, 0)], coefficients, Grid.regular(2, 3), radii=[0.0, 1.0], widths=0.6)
    >>> found.elements, found.rings
    ((0, 0), (0, 1))
    """

    grid: Grid
    weights: NDArray[np.float64]
    elements: tuple[int, ...]
    rings: tuple[int, ...]

    def __post_init__(self) -> None:
        self.weights.setflags(write=False)


def sampled_kernels(
    exponents: ArrayLike,
    coefficients: NDArray[np.float64],
    grid: Grid,
    radii: Sequence[float],
    widths: float | Sequence[float],
    *,
    band_limit: float | None = BAND_LIMIT,
) -> KernelStencils:
    """Every angular part on every ring that can hold it.

    exponents (terms, d) and coefficients (elements, c_out, c_in, terms) describe the polynomials, each
    element homogeneous of one degree; radii and widths are in the units of the spacing; ``band_limit=None``
    keeps everything.

    Parameters
    ----------
    exponents : array_like
        (terms, d).
    coefficients : array
        (elements, c_out, c_in, terms).
    grid : Grid
        The nodes.
    radii : sequence of float
        Of the rings.
    widths : float or sequence of float
        Of the rings.
    band_limit : float, optional
        Angular orders that a ring can hold, for each unit of its radius.

    Returns
    -------
    KernelStencils
        Of every pair of an angular part and a ring that is kept.

    Raises
    ------
    ShapeError
        Coefficients of another shape.
    KernelError
        A ring that does not reach the grid.

    Examples
    --------
    >>> scalar_to_vector = np.array([[[[1.0, 0.0]], [[0.0, 1.0]]]])
    >>> found = sampled_kernels([(1, 0), (0, 1)], scalar_to_vector, Grid.regular(2, 3), radii=[1.0], widths=0.6)
    >>> found.weights.shape
    (1, 2, 1, 3, 3)
    """
    require_type(grid, Grid, "grid", "a Grid, as Grid.regular(2, 5) makes it")
    coefficients = numbers(coefficients, "coefficients", 1)
    terms = check_alphas(np.asarray(exponents).tolist(), grid.dim)
    if coefficients.ndim != 4 or coefficients.shape[-1] != len(terms):
        raise ShapeError(
            f"coefficients (elements, c_out, c_in, {len(terms)}) are needed, got {coefficients.shape}"
        )
    rings = _check_rings(radii, widths)
    degrees = _degrees(coefficients, np.array([sum(term) for term in terms]))
    angular = _angular(coefficients, terms, grid)
    distance = grid.distances().reshape(grid.array_shape)
    step = _largest_step(grid)
    kept = [
        (e, j)
        for e, degree in enumerate(degrees)
        for j, (radius, _) in enumerate(rings)
        if band_limit is None or degree <= band_limit * radius / step
    ]
    profiles = [
        np.exp(-((distance - radius) ** 2) / (2 * width**2)) for radius, width in rings
    ]
    for (radius, _), profile in zip(rings, profiles, strict=True):
        if profile.max() < VANISHING:
            raise KernelError(
                f"the ring of radius {radius:g} does not reach the grid, whose corners are at {distance.max():.3g}: "
                "use a smaller radius or a larger stencil"
            )
    # A kernel is a product of an angular and a radial part, so each is sampled once.
    weights = np.empty((len(kept), *angular.shape[1:]))
    for row, (e, j) in enumerate(kept):
        weights[row] = angular[e] * profiles[j]
    return KernelStencils(
        grid, weights, tuple(e for e, _ in kept), tuple(j for _, j in kept)
    )


def _on_rings(
    block: BlockStencils,
    totals: NDArray[np.int64],
    terms: NDArray[np.int64],
    rings: NDArray[np.int64],
) -> BlockStencils:
    """Each angular part on each ring that keeps it, by increasing order, then ring.

    ``totals`` are the orders of the monomials, ``terms`` and ``rings`` those of the atoms.
    """
    orders: list[int] = []
    parts: list[tuple[NDArray[np.int64], ...]] = []
    values: list[NDArray[np.float64]] = []
    for n in sorted(set(block.orders)):
        members = np.flatnonzero(np.array(block.orders) == n)
        low, high = np.searchsorted(block.element, [members[0], members[-1] + 1])
        # The band limit keeps an angular part on large rings only.
        for ring in np.unique(rings[totals[terms] == n]):
            element = block.element[low:high] - members[0] + len(orders)
            parts.append((element, block.row[low:high], block.column[low:high]))
            values.append(
                np.where(rings == ring, block.values[low:high][:, terms], 0.0)
            )
            orders.extend([n] * len(members))
    # NumPy joins no empty list, and a block may have no kernel at all.
    none = np.zeros(0, dtype=np.int64)
    element, row, column = (
        np.concatenate([none, *(p[k] for p in parts)]) for k in range(3)
    )
    stacked = np.concatenate([np.zeros((0, len(terms))), *values])
    return BlockStencils(
        block.in_index,
        block.out_index,
        block.shape,
        tuple(orders),
        element,
        row,
        column,
        stacked,
    )


def _largest_step(grid: Grid) -> float:
    return max(grid.steps)


def _angular(
    coefficients: NDArray[np.float64], terms: Sequence[MultiIndex], grid: Grid
) -> NDArray[np.float64]:
    """Y(x / |x|) at the nodes; at the origin Y(0), which is its mean over all directions."""
    x = grid.coordinates()
    radius = grid.distances()
    # at the origin x / |x| becomes 0, and Y(0) is the mean of Y over all directions: 0 unless its degree is 0
    directions = x / np.where(radius == 0, 1.0, radius)[:, None]
    values = combine(coefficients, monomial_values(directions, terms).T)
    return values.reshape(*coefficients.shape[:3], *grid.array_shape)


def _degrees(coefficients: NDArray[np.float64], totals: NDArray[np.int64]) -> list[int]:
    degrees = []
    for e, element in enumerate(coefficients):
        used = np.unique(totals[np.any(element != 0, axis=(0, 1))])
        if len(used) > 1:
            raise KernelError(
                f"angular part {e} mixes the degrees {used.tolist()}: give homogeneous polynomials"
            )
        degrees.append(int(used.max(initial=0)))
    return degrees


def _check_rings(
    radii: Sequence[float], widths: float | Sequence[float]
) -> list[tuple[float, float]]:
    inner = as_numbers(radii, "radii")
    if isinstance(widths, (int, float)):
        widths = [widths] * len(inner)
    each = as_numbers(widths, "widths")
    if not inner:
        raise KernelError("no rings: give at least one radius")
    if len(each) != len(inner):
        raise KernelError(
            f"{len(inner)} rings need one width, or {len(inner)} widths, got {len(each)}"
        )
    rings = list(zip(inner, each, strict=True))
    if not all(0 <= r < np.inf and 0 < s < np.inf for r, s in rings):
        raise KernelError(f"rings need radii >= 0 and widths > 0, got {rings}")
    return rings
