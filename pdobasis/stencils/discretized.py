r"""A basis over atoms: what every discretization returns.

Every stencil of a basis is a combination of few scalar stencils, the *atoms*: one per monomial for a PDO, one per
monomial and ring for a steerable kernel. So a basis is discretized by sampling the atoms once and keeping, for each
pair of different summands, the coefficients of its elements over them, by their non-zero entries.

`Discretized` is this factored form, with the exact basis: what a layer is built from, small for any multiplicity.
`pdobasis.stencils.sampled.Sampled` is the same multiplied out: what a file holds (which has no atoms, and its basis as
text only) and what is measured. A staggered grid, where each pair of components has atoms of its own, is known in the
second form only. So there are two classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import monomials
from pdobasis.stencils.grids import Grid

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.operators.block import Block
    from pdobasis.operators.symbols import Symbols

Run = tuple["BlockStencils", range, tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class BlockStencils:
    """The elements between two summands: entry k adds ``values[k]`` (over the atoms) at (row, column) of an element.

    Invariants: ``orders`` has one entry per element, the order of the PDO or the angular order of the kernel; entries
    are sorted by element.
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

    ``options`` are those that were given or filled in, by name. ``terms[k]`` is the number of the monomial of atom k,
    ``rings[k]`` its ring (kernels only).
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
        """(elements, c_out, c_in, monomials) of the PDO, or of the angular part of the kernel.

        The combination of unit vectors: each number is the one that was rounded for the block, not rounded again.
        """
        units = np.eye(len(self.basis.monomials()))
        return self._spread(units[list(self.terms)])

    def ring_of_elements(self) -> tuple[int, ...] | None:
        """The ring on which every kernel lies; None for PDOs."""
        if self.rings is None:
            return None
        # An element has coefficients over the atoms of its own ring only, so one mark is not zero.
        units = np.eye(max(self.rings, default=0) + 1)
        marks = np.abs(self._spread(units[list(self.rings)]))
        return tuple(int(k) for k in marks.sum(axis=(1, 2)).argmax(axis=-1))

    @property
    def orders(self) -> tuple[int, ...]:
        """The order of every element of :meth:`dense`."""
        return tuple(
            block.orders[e] for block, members, _ in self._runs() for e in members
        )

    def _spread(self, atoms: NDArray[np.float64]) -> NDArray[np.float64]:
        """The combinations of any arrays, one per atom."""
        runs = list(self._runs())
        problem = self.basis.problem
        elements = sum(len(members) for _, members, _ in runs)
        out = np.zeros(
            (elements, problem.out_type.size, problem.in_type.size, *atoms.shape[1:])
        )
        at = 0
        for block, members, (row, column) in runs:
            # entries are sorted by element, so those of a run of elements are a slice
            low, high = np.searchsorted(block.element, [members.start, members.stop])
            entries = slice(int(low), int(high))
            where = block.element[entries] - members.start + at
            summed = _sums(block.values[entries], atoms)
            out[where, block.row[entries] + row, block.column[entries] + column] = (
                summed
            )
            at += len(members)
        return out

    def _runs(self) -> Iterator[Run]:
        """(block, its elements of one order, (row, column) of one copy), as `Basis.elements` lists them."""
        places = [self.basis.offsets(block) for block in self.basis.blocks]
        for n in range(self.basis.problem.order + 1):
            for block, copies in zip(self.blocks, places, strict=True):
                low, high = np.searchsorted(block.orders, [n, n + 1])
                for place in copies:
                    yield block, range(int(low), int(high)), place


def blocks_of(basis: Basis) -> tuple[BlockStencils, ...]:
    """The PDOs of a basis over its monomials as atoms."""
    return tuple(block_stencils(block, block.orders, basis) for block in basis.blocks)


def block_stencils(
    block: Block, parts: Sequence[Symbols], basis: Basis
) -> BlockStencils:
    """The symbols of all orders of a block in one list of entries, each number rounded once."""
    sizes = [
        len(monomials(basis.problem.group.dim, n))
        for n in range(basis.problem.order + 1)
    ]
    starts = np.cumsum([0, *sizes])
    values = np.zeros((sum(len(part.element) for part in parts), int(starts[-1])))
    at = 0
    for n, part in enumerate(parts):
        entries = slice(at, at + len(part.element))
        values[entries, starts[n] : starts[n + 1]] = to_float(part.coefficients)
        at = entries.stop
    # Elements are numbered through all orders.
    shifts = np.cumsum([0, *(part.size for part in parts)])
    return BlockStencils(
        block.in_index,
        block.out_index,
        parts[0].shape,
        tuple(n for n, part in enumerate(parts) for _ in range(part.size)),
        # One more shift than parts: the last is the number of all elements.
        np.concatenate(
            [part.element + shift for part, shift in zip(parts, shifts, strict=False)]
        ),
        np.concatenate([part.row for part in parts]),
        np.concatenate([part.column for part in parts]),
        values,
    )


def _sums(
    values: NDArray[np.float64], atoms: NDArray[np.float64]
) -> NDArray[np.float64]:
    """values @ atoms, term by term in a fixed order: the same bits on every machine, which BLAS does not promise."""
    flat = atoms.reshape(len(atoms), -1)
    out = np.zeros((len(values), flat.shape[1]))
    for k in np.flatnonzero(values.any(axis=0)):
        out += values[:, k, None] * flat[k]
    return out.reshape(len(values), *atoms.shape[1:])
