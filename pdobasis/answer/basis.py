r"""The answer: all elements of all orders, exactly, with their proof.

Bulk numbers live in :class:`~pdobasis.operators.symbols.Symbols`, one set for every pair of *different* summands
and every order; an :class:`Element` is a view of one PDO that knows how to become text, LaTeX or a SymPy matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import monomials
from pdobasis.operators.block import Block
from pdobasis.operators.laplacian import laplacian
from pdobasis.operators.names import name_of
from pdobasis.operators.printing import latex_matrix, matrix_strings, sympy_matrix, unicode_matrix
from pdobasis.operators.symbols import Structure
from pdobasis.proof.certificate import Certificate
from pdobasis.question.problem import Problem

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, slots=True)
class Element:
    """One PDO of a basis."""

    basis: Basis
    order: int
    block: Block
    number: int
    row_offset: int
    column_offset: int

    @property
    def structure(self) -> Structure | None:
        return self.block.structure[self.order][self.number] if self.block.structure is not None else None

    @property
    def angular_order(self) -> int | None:
        return self.structure.angular_order if self.structure else None

    @property
    def laplacian_power(self) -> int | None:
        return self.structure.laplacian_power if self.structure else None

    @property
    def is_harmonic(self) -> bool:
        """Whether ΔP = 0. A named operator such as grad∘div stands for its harmonic part modulo Δ times others."""
        table = laplacian(self.basis.problem.group.dim, self.order).astype(object)
        images = (values.numerators.astype(object).T @ table for values in self.entries.values())
        return not any(image.any() for image in images)

    @property
    def shape(self) -> tuple[int, int]:
        return self.basis.problem.out_type.size, self.basis.problem.in_type.size

    @property
    def entries(self) -> dict[tuple[int, int], ExactArray]:
        """The non-zero polynomials: (row, column) to coefficients over the monomials of the order."""
        rows, columns, values = self.block.orders[self.order].select(self.number)
        places = zip(rows.tolist(), columns.tolist(), strict=True)
        return {(r + self.row_offset, c + self.column_offset): values[k] for k, (r, c) in enumerate(places)}

    @property
    def name(self) -> str | None:
        """The usual name (Laplacian, curl, …), if it has one."""
        part = self.block.orders[self.order]
        whole = self.shape == part.shape and not self.basis.problem.kernel
        return name_of(part, self.number) if whole else None

    @property
    def matrix(self) -> sympy.Matrix:
        """A SymPy matrix in the symbols d1, d2, …"""
        return sympy_matrix(self.entries, self.shape, self.basis.problem.group.dim, self.order)

    def strings(self) -> list[list[str]]:
        """The matrix as text in d1, d2, … (the form of the JSON file)."""
        return matrix_strings(self.entries, self.shape, self.basis.problem.group.dim, self.order)

    def pretty(self) -> list[list[str]]:
        """The matrix as readable text in ∂₁, ∂₂, …"""
        return unicode_matrix(self.entries, self.shape, self.basis.problem.group.dim, self.order)

    def latex(self) -> str:
        return latex_matrix(self.entries, self.shape, self.basis.problem.group.dim, self.order)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        rows = ["[" + ", ".join(row) + "]" for row in self.pretty()]
        return rows[0] if len(rows) == 1 else "[" + ", ".join(rows) + "]"


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """All equivariant PDOs of a question, with the certificate that they are."""

    problem: Problem
    method: str
    blocks: tuple[Block, ...]
    certificate: Certificate

    @property
    def dimensions(self) -> dict[int, int]:
        """The number of elements of each order."""
        return {
            n: sum(b.orders[n].size * len(self._places(b)) for b in self.blocks) for n in range(self.problem.order + 1)
        }

    @property
    def dimension(self) -> int:
        return sum(self.dimensions.values())

    @property
    def elements(self) -> Elements:
        return Elements(self)

    @property
    def angular(self) -> list[Element] | None:
        """The module basis: the elements without a Laplacian factor; None when the method does not know them."""
        if self.angular_dimension is None:
            return None
        return [e for e in self.elements if e.laplacian_power == 0]

    @property
    def angular_dimension(self) -> int | None:
        """The number of elements of the module basis."""
        total = 0
        for b in self.blocks:
            if b.structure is None:
                return None
            total += sum(s.laplacian_power == 0 for part in b.structure for s in part) * len(self._places(b))
        return total

    def __len__(self) -> int:
        return self.dimension

    def __iter__(self) -> Iterator[Element]:
        return iter(self.elements)

    def _places(self, block: Block) -> list[tuple[int, int]]:
        """(row offset, column offset) of every copy of a block."""
        in_rep = self.problem.in_type.distinct[block.in_index]
        out_rep = self.problem.out_type.distinct[block.out_index]
        return [(r, c) for r in self.problem.out_type.offsets(out_rep) for c in self.problem.in_type.offsets(in_rep)]

    def coefficients(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """float64 (elements, c_out, c_in, monomials of all orders), each number rounded once."""
        sizes = [len(monomials(self.problem.group.dim, n)) for n in range(self.problem.order + 1)]
        starts = np.cumsum([0, *sizes])
        shape = (self.dimension, self.problem.out_type.size, self.problem.in_type.size, int(starts[-1]))
        out = np.zeros(shape)
        at = 0
        for n in range(self.problem.order + 1):
            for block in self.blocks:
                part = block.orders[n]
                values = to_float(part.coefficients)
                for r, c in self._places(block):
                    target = out[at : at + part.size, :, :, starts[n] : starts[n + 1]]
                    target[part.element, part.row + r, part.column + c] = values
                    at += part.size
        return out

    def monomials(self) -> tuple[tuple[int, ...], ...]:
        """The exponents of the last axis of :meth:`coefficients`."""
        dim = self.problem.group.dim
        return tuple(a for n in range(self.problem.order + 1) for a in monomials(dim, n))

    def save(self, path: str) -> None:
        """Write the basis as JSON, whole or not at all."""
        from pdobasis.files.json_file import save_basis

        save_basis(self, path)

    def stencils(
        self, method: str = "gauss", size: int | Sequence[int] = 5, **options: Any
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """float64 (elements, c_out, c_in, *kernel); :func:`pdobasis.stencils.discretize.discretize` lists the options.

        ``in_offsets`` and ``out_offsets`` (one place in the cell for each component) make the grid staggered.
        """
        from pdobasis.stencils.sampled import sample

        return sample(self, method, size, **options).stencils

    def latex(self) -> str:
        return ",\\quad ".join(e.latex() for e in self.elements)

    def _repr_latex_(self) -> str:
        shown = [e.latex() for e in self.elements[:40]]
        more = ",\\ \\dots" if self.dimension > 40 else ""
        return "$\\displaystyle " + ",\\quad ".join(shown) + more + "$"

    def __repr__(self) -> str:
        p = self.problem
        return (
            f"<Basis of {self.dimension} PDOs: {p.group.name}, {p.in_type} -> {p.out_type}, order <= {p.order}, "
            f"{'proved' if self.certificate.holds else 'NOT proved'}>"
        )


class Elements(Sequence[Element]):
    """The elements by increasing order; made when asked for."""

    def __init__(self, basis: Basis) -> None:
        self._basis = basis
        self._runs: list[tuple[int, int, Block, tuple[int, int]]] = []  # (first number, order, block, place)
        at = 0
        for n in range(basis.problem.order + 1):
            for block in basis.blocks:
                for place in basis._places(block):
                    if block.orders[n].size:
                        self._runs.append((at, n, block, place))
                        at += block.orders[n].size
        self._size = at
        self._starts = np.array([r[0] for r in self._runs], dtype=np.int64)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Element: ...

    @overload
    def __getitem__(self, index: slice) -> list[Element]: ...

    def __getitem__(self, index: int | slice) -> Element | list[Element]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(f"element {index} of a basis of {self._size}")
        index %= self._size
        start, order, block, (row, column) = self._runs[int(np.searchsorted(self._starts, index, side="right")) - 1]
        return Element(self._basis, order, block, index - start, row, column)
