r"""From a basis to its stencils.

Every stencil of a basis is a combination of few scalar stencils, the *atoms*: one per monomial for a PDO, one per
monomial and ring for a steerable kernel. So a basis is discretized by sampling the atoms once and keeping, for each
pair of different summands, the coefficients of its elements over them, by their non-zero entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError, UnknownNameError
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import monomials
from pdobasis.operators.angular import harmonic_part
from pdobasis.stencils import Grid, finite_difference, gaussian, rbf_fd, sampled_kernels

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.operators.block import Block
    from pdobasis.operators.symbols import Symbols

METHODS = ("fd", "rbffd", "gauss", "kernel")
GRID_OPTIONS = ("spacing", "dilation", "offset", "layout")
OPTIONS = {
    "fd": (),
    "rbffd": ("phi", "epsilon", "degree", "max_condition"),
    "gauss": ("sigma", "normalize"),
    "kernel": ("radii", "widths", "band_limit"),
}
SIGMA_PER_POINT = 0.26
"""The default sigma, in steps of the grid, for each point along an axis: 1.3 for five."""
RING_WIDTH = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class BlockStencils:
    """The elements between two summands: entry k adds ``values[k]`` (over the atoms) at (row, column) of an element.

    Invariants: ``orders`` has one entry per element, the order of the PDO or the angular order of the kernel.
    """

    in_index: int
    out_index: int
    shape: tuple[int, int]
    orders: tuple[int, ...]
    element: NDArray[np.int64]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    values: NDArray[np.float64]

    @property
    def size(self) -> int:
        return len(self.orders)


@dataclass(frozen=True, slots=True, eq=False)
class Discretized:
    """A basis over atoms (atoms, *kernel) on a grid; the exact basis stays what it was.

    ``terms[k]`` is the number of the monomial of atom k, ``rings[k]`` its ring (kernels only).
    """

    basis: Basis
    method: str
    grid: Grid
    options: tuple[tuple[str, Any], ...]
    atoms: NDArray[np.float64]
    blocks: tuple[BlockStencils, ...]
    terms: tuple[int, ...]
    rings: tuple[int, ...] | None = None

    def dense(self) -> NDArray[np.float64]:
        """float64 (elements, c_out, c_in, *kernel), in the order of the elements of the basis."""
        return self._spread(self.atoms)

    def coefficients(self) -> NDArray[np.float64]:
        """(elements, c_out, c_in, monomials) of the PDO, or of the angular part of the kernel."""
        return self._spread(np.eye(len(self.basis.monomials()))[list(self.terms)])

    def ring_of_elements(self) -> tuple[int, ...] | None:
        """The ring on which every kernel lies; None for PDOs."""
        if self.rings is None:
            return None
        marks = self._spread(np.eye(max(self.rings, default=0) + 1)[list(self.rings)])
        return tuple(int(k) for k in np.abs(marks).sum(axis=(1, 2)).argmax(axis=-1))

    def _spread(self, atoms: NDArray[np.float64]) -> NDArray[np.float64]:
        """The combinations of any arrays, one per atom."""
        runs = list(self._runs())
        problem = self.basis.problem
        shape = (sum(len(r[1]) for r in runs), problem.out_type.size, problem.in_type.size)
        out = np.zeros((*shape, *atoms.shape[1:]))
        at = 0
        for block, members, (row, column) in runs:
            low, high = np.searchsorted(block.element, [members.start, members.stop])
            entries = slice(int(low), int(high))
            where = block.element[entries] - members.start + at
            out[where, block.row[entries] + row, block.column[entries] + column] = _sums(block.values[entries], atoms)
            at += len(members)
        return out

    @property
    def orders(self) -> tuple[int, ...]:
        """The order of every element of :meth:`dense`."""
        return tuple(block.orders[e] for block, members, _ in self._runs() for e in members)

    def _runs(self) -> Iterator[tuple[BlockStencils, range, tuple[int, int]]]:
        """(block, its elements of one order, (row, column) of one copy), as `Basis.elements` lists them."""
        places = [self.basis.offsets(block) for block in self.basis.blocks]
        for n in range(self.basis.problem.order + 1):
            for block, copies in zip(self.blocks, places, strict=True):
                low, high = np.searchsorted(block.orders, [n, n + 1])
                for place in copies:
                    yield block, range(int(low), int(high)), place


def _sums(values: NDArray[np.float64], atoms: NDArray[np.float64]) -> NDArray[np.float64]:
    """values @ atoms, term by term in a fixed order: the same bits on every machine, which BLAS does not promise."""
    flat = atoms.reshape(len(atoms), -1)
    out = np.zeros((len(values), flat.shape[1]))
    for k in np.flatnonzero(values.any(axis=0)):
        out += values[:, k, None] * flat[k]
    return out.reshape(len(values), *atoms.shape[1:])


def discretize(basis: Basis, method: str = "gauss", size: int | Sequence[int] = 5, **options: Any) -> Discretized:
    """Sample a basis on a grid of ``size`` points (one number, or x1 first).

    Options: spacing, dilation, offset, layout of the grid; sigma and normalize (gauss); phi, epsilon, degree and
    max_condition (rbffd); radii, widths and band_limit (kernel).
    """
    if method not in METHODS:
        raise UnknownNameError("stencil", method, METHODS, f"(one of {', '.join(METHODS)})")
    _check_options(method, options)
    grid = Grid.regular(
        basis.problem.group.dim, size, **{k: v for k, v in options.items() if k in GRID_OPTIONS and v is not None}
    )
    given = {k: v for k, v in options.items() if k in OPTIONS[method] and v is not None}
    if method == "kernel":
        return _kernels(basis, grid, given)
    alphas = basis.monomials()
    if method == "fd":
        weights = finite_difference(alphas, grid).weights
    elif method == "rbffd":
        given.setdefault("phi", default_phi(basis.problem.order))
        weights = rbf_fd(alphas, grid, **given).weights
    else:
        given.setdefault("sigma", default_sigma(grid))
        weights = gaussian(alphas, grid, **given).weights
    blocks = tuple(_block(b, b.orders, _starts(basis), len(alphas)) for b in basis.blocks)
    return Discretized(basis, method, grid, tuple(sorted(given.items())), weights, blocks, tuple(range(len(alphas))))


def default_sigma(grid: Grid) -> tuple[float, ...]:
    steps = zip(grid.size, grid.spacing, grid.dilation, strict=True)
    return tuple(SIGMA_PER_POINT * n * float(h * k) for n, h, k in steps)


def default_phi(order: int) -> str:
    """The polyharmonic spline of least power with derivatives of this order at its centre."""
    return f"phs{max(3, order // 2 * 2 + 1 + 2 * (order % 2))}"


def _kernels(basis: Basis, grid: Grid, given: dict[str, Any]) -> Discretized:
    """The harmonic part of the basis on rings: a basis of steerable kernels up to that angular order."""
    step = max(float(h * n) for h, n in zip(grid.spacing, grid.dilation, strict=True))
    reach = (max(grid.size) - 1) / 2
    given.setdefault("radii", tuple(float(step * r) for r in np.arange(reach % 1, reach + 0.5)))
    given.setdefault("widths", RING_WIDTH * step)
    exponents = basis.monomials()
    unit = np.eye(len(exponents)).reshape(len(exponents), 1, 1, len(exponents))
    sampled = sampled_kernels(exponents, unit, grid, **given)
    atoms = sampled.weights.reshape(len(sampled.elements), *grid.array_shape)
    parts = [tuple(harmonic_part(part, basis.problem.group) for part in b.orders) for b in basis.blocks]
    plain = [_block(b, p, _starts(basis), len(exponents)) for b, p in zip(basis.blocks, parts, strict=True)]
    rings = np.array(sampled.rings)
    blocks = tuple(_on_rings(block, exponents, np.array(sampled.elements), rings) for block in plain)
    options = tuple(sorted(given.items()))
    return Discretized(basis, "kernel", grid, options, atoms, blocks, sampled.elements, sampled.rings)


def _block(block: Block, parts: Sequence[Symbols], starts: Sequence[int], atoms: int) -> BlockStencils:
    """All orders of a block in one list of entries, each number rounded once."""
    shifts = np.cumsum([0, *(p.size for p in parts)])
    values = np.zeros((sum(len(p.element) for p in parts), atoms))
    at = 0
    for n, part in enumerate(parts):
        values[at : at + len(part.element), starts[n] : starts[n + 1]] = to_float(part.coefficients)
        at += len(part.element)
    return BlockStencils(
        block.in_index,
        block.out_index,
        parts[0].shape,
        tuple(n for n, p in enumerate(parts) for _ in range(p.size)),
        np.concatenate([p.element + s for p, s in zip(parts, shifts, strict=False)]),
        np.concatenate([p.row for p in parts]),
        np.concatenate([p.column for p in parts]),
        values,
    )


def _on_rings(
    block: BlockStencils, exponents: Sequence[tuple[int, ...]], terms: NDArray[np.int64], rings: NDArray[np.int64]
) -> BlockStencils:
    """Each angular part on each ring that keeps it, by increasing order, then ring."""
    totals = np.array([sum(alpha) for alpha in exponents])
    kept = {n: sorted({int(r) for t, r in zip(terms, rings, strict=True) if totals[t] == n}) for n in set(block.orders)}
    orders: list[int] = []
    parts: list[tuple[NDArray[np.int64], ...]] = []
    values: list[NDArray[np.float64]] = []
    for n in sorted(kept):
        members = np.flatnonzero(np.array(block.orders) == n)
        low, high = np.searchsorted(block.element, [members[0], members[-1] + 1])
        for ring in kept[n]:
            element = block.element[low:high] - members[0] + len(orders)
            parts.append((element, block.row[low:high], block.column[low:high]))
            values.append(np.where(rings == ring, block.values[low:high][:, terms], 0.0))
            orders.extend([n] * len(members))
    none = np.zeros(0, dtype=np.int64)
    element, row, column = (np.concatenate([none, *(p[k] for p in parts)]) for k in range(3))
    stacked = np.concatenate([np.zeros((0, len(terms))), *values])
    return BlockStencils(block.in_index, block.out_index, block.shape, tuple(orders), element, row, column, stacked)


def _starts(basis: Basis) -> list[int]:
    sizes = [len(monomials(basis.problem.group.dim, n)) for n in range(basis.problem.order + 1)]
    return [0, *np.cumsum(sizes).tolist()]


def _check_options(method: str, options: dict[str, Any]) -> None:
    for name, value in options.items():
        if value is not None and name not in (*GRID_OPTIONS, *OPTIONS[method]):
            known = ", ".join((*OPTIONS[method], *GRID_OPTIONS))
            raise SpecError(f"the stencil {method!r} has no option {name!r}; it has {known}")
