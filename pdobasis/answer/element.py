"""One PDO of a basis: a view that knows how to become text, LaTeX or a SymPy
matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Unpack, overload

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.operators.block import Block
from pdobasis.operators.laplacian import laplacian
from pdobasis.operators.names import name_of
from pdobasis.operators.printing import (
    latex_matrix,
    matrix_strings,
    sympy_matrix,
    unicode_matrix,
)
from pdobasis.operators.symbols import Structure
from pdobasis.question.problem import Problem
from pdobasis.values import dataclass

if TYPE_CHECKING:
    import sympy

    from pdobasis.algebra.operator import Operator
    from pdobasis.answer.basis import Basis
    from pdobasis.handover import StencilSet
    from pdobasis.stencils.keywords import StencilKeywords


LONGEST = 8_000
"""Characters of LaTeX that a notebook is given."""
MANY = 64
"""Entries of a matrix above which only those that are not zero are written."""


def shortened(text: str, length: int) -> str:
    """One line of at most so many characters."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    return line[: length - 1] + "…"


def displayed(latex: str) -> str | None:
    """LaTeX for a notebook; None where it is longer than a page: then the text is shown."""
    if len(latex) > LONGEST:
        return None
    return f"$\\displaystyle {latex}$"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Element:
    """One PDO of a basis.

    Two are equal when they answer the same question with the same matrix.

    Attributes
    ----------
    basis : Basis
        Where it stands.
    order : int
        Of all its derivatives.
    block : Block
        The pair of summands that it lies between.
    number : int
        In the block, among those of its order.
    row_offset, column_offset : int
        Where the block stands in the whole matrix.

    Examples
    --------
    >>> from pdobasis import solve
    >>> curl = solve("SO(3)", "vector", "vector", order=1)[1]
    >>> curl.name, curl.order, curl.shape
    ('curl', 1, (3, 3))
    >>> curl.matrix[0, 1]
    -d3
    """

    basis: Basis
    order: int
    block: Block
    number: int
    row_offset: int
    column_offset: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        if self is other:
            return True
        mine, theirs = self.entries, other.entries
        return (
            self.order == other.order
            and mine.keys() == theirs.keys()
            and self._problem == other._problem
            and all(mine[place].equals(theirs[place]) for place in mine)
        )

    def __hash__(self) -> int:
        return hash((self.order, self.shape, tuple(sorted(self.entries))))

    @property
    def structure(self) -> Structure | None:
        """Angular order and Laplacian power, or None where the method does not know them."""
        if self.block.structure is None:
            return None
        # The block is shared by all its copies, which have the same structure.
        return self.block.structure[self.order][self.number]

    @property
    def angular_order(self) -> int | None:
        """The order l of the angular part, or None."""
        if self.structure is None:
            return None
        return self.structure.angular_order

    @property
    def laplacian_power(self) -> int | None:
        """The power k of the Laplacian factor, or None."""
        if self.structure is None:
            return None
        return self.structure.laplacian_power

    @property
    def is_harmonic(self) -> bool:
        """Whether ΔP = 0.

        A named operator such as grad∘div stands for its harmonic part modulo Δ
        times others.
        """
        # Python integers: the products are not bounded here.
        table = laplacian(self._problem.group.dim, self.order).astype(object)
        _, _, values = self.block.orders[self.order].select(self.number)
        # Coordinates over Q vanish one by one, and a denominator changes nothing.
        coordinates = np.swapaxes(values.numerators.astype(object), -1, -2)
        return not (coordinates @ table).any()

    @property
    def shape(self) -> tuple[int, int]:
        """(channels out, channels in)."""
        return self._problem.out_type.size, self._problem.in_type.size

    @property
    def entries(self) -> dict[tuple[int, int], ExactArray]:
        """The non-zero polynomials: (row, column) to coefficients over the
        monomials of the order.
        """
        part = self.block.orders[self.order]
        rows, columns, values = part.select(self.number)
        out = {}
        for k, (r, c) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
            out[r + self.row_offset, c + self.column_offset] = values[k]
        return out

    @property
    def name(self) -> str | None:
        """The usual name (Laplacian, curl, …), if it has one."""
        part = self.block.orders[self.order]
        # An element between some summands of a sum is not the operator itself.
        if self.shape != part.shape or self._problem.kernel:
            return None
        return name_of(part, self.number)

    @property
    def matrix(self) -> sympy.Matrix:
        """A SymPy matrix in the symbols d1, d2, …"""
        return sympy_matrix(*self._written)

    @property
    def operator(self) -> Operator:
        """The PDO as a value that adds, multiplies and has an adjoint."""
        from pdobasis.algebra.operator import of_element

        return of_element(self)

    def stencil_set(
        self,
        method: str = "fd",
        size: int | Sequence[int] = 3,
        **options: Unpack[StencilKeywords],
    ) -> StencilSet:
        """The stencil of this element for other programs, as in ``Basis.stencil_set``.

        Parameters
        ----------
        method : str
            fd, rbffd, gauss.
        size : int or sequence of int
            Points along the axes, x1 first.
        **options
            Those of ``Basis.stencils``.

        Returns
        -------
        StencilSet
            With ``to`` and ``source``.

        Raises
        ------
        SpecError
            An option that nobody knows; the nearest one is named.

        Examples
        --------
        >>> from pdobasis import solve
        >>> laplacian = solve("D4", "trivial", "trivial")[1]
        >>> laplacian.stencil_set("fd", 3).weights[0, 0, 0].astype(int).tolist()
        [[0, 1, 0], [1, -4, 1], [0, 1, 0]]
        """
        return self.operator.stencil_set(method, size, **options)

    def strings(self) -> list[list[str]]:
        """The matrix as text in d1, d2, … (the form of the JSON file).

        Returns
        -------
        list of list of str
            Rows of entries, which :func:`pdobasis.operator` reads.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("SO(2)", "vector", "trivial", order=1)[1].strings()
        [['-d2', 'd1']]
        """
        return matrix_strings(*self._written)

    def pretty(self) -> list[list[str]]:
        """The matrix as readable text in ∂₁, ∂₂, …

        Returns
        -------
        list of list of str
            Rows of entries.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("SO(2)", "vector", "trivial", order=1)[1].pretty()
        [['-∂₂', '∂₁']]
        """
        return unicode_matrix(*self._written)

    def latex(self) -> str:
        r"""The matrix as LaTeX.

        Returns
        -------
        str
            For mathematical mode.

        Examples
        --------
        >>> from pdobasis import solve
        >>> print(solve("SO(2)", "vector", "trivial", order=1)[1].latex())
        \begin{pmatrix} -\partial_{2} & \partial_{1} \end{pmatrix}
        """
        return latex_matrix(*self._written)

    def _repr_latex_(self) -> str | None:
        """None where it would be longer than a page: then a notebook shows the text."""
        return displayed(self.latex())

    def _repr_html_(self) -> str:
        from pdobasis.notebook.bases import element_html

        return element_html(self)

    def __repr__(self) -> str:
        name = ""
        if self.name is not None:
            name = f" {self.name},"
        rows, columns = self.shape
        return f"<Element{name} order {self.order}, {rows}x{columns}: {shortened(str(self), 60)}>"

    def __str__(self) -> str:
        if self.shape[0] * self.shape[1] > MANY:
            from pdobasis.answer.told import Layout, operator_text

            return operator_text(self, Layout(full=True, width=10_000))
        rows = ["[" + ", ".join(row) + "]" for row in self.pretty()]
        if len(rows) == 1:
            return rows[0]
        return "[" + ", ".join(rows) + "]"

    @property
    def _problem(self) -> Problem:
        return self.basis.problem

    @property
    def _written(
        self,
    ) -> tuple[dict[tuple[int, int], ExactArray], tuple[int, int], int, int]:
        """What every printing needs."""
        dim = self._problem.group.dim
        return self.entries, self.shape, dim, self.order


@dataclass(frozen=True, slots=True)
class Run:
    """The elements of one order in all copies of a block: a run of numbers.

    Copies come row by row, and the elements of a copy one after the other.
    """

    first: int
    order: int
    block: Block
    rows: list[int]
    columns: list[int]

    @property
    def size(self) -> int:
        """Elements of one copy."""
        return self.block.orders[self.order].size

    @property
    def end(self) -> int:
        return self.first + self.size * len(self.rows) * len(self.columns)

    def element(self, basis: Basis, index: int) -> Element:
        copy, number = divmod(index - self.first, self.size)
        row, column = divmod(copy, len(self.columns))
        place = (self.rows[row], self.columns[column])
        return Element(basis, self.order, self.block, number, *place)


class Elements(Sequence[Element]):
    """The elements by increasing order; each is made when asked for."""

    def __init__(self, basis: Basis) -> None:
        self._basis = basis
        self._runs = list(_runs(basis))
        starts = [run.first for run in self._runs]
        self._starts = np.array(starts, dtype=np.int64)
        self._size = 0
        if self._runs:
            self._size = self._runs[-1].end

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"<{self._size} elements of {self._basis!r}>"

    def __str__(self) -> str:
        return str(self._basis)

    def _repr_html_(self) -> str:
        return self._basis._repr_html_()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Elements):
            return NotImplemented
        return self._basis == other._basis

    def __hash__(self) -> int:
        return hash(self._basis)

    @overload
    def __getitem__(self, index: int) -> Element: ...

    @overload
    def __getitem__(self, index: slice) -> list[Element]: ...

    def __getitem__(self, index: int | slice) -> Element | list[Element]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._size))]
        if not -self._size <= index < self._size:
            raise IndexError(f"element {index} of a basis of {self._size}")
        # Python's remainder is never negative, so it counts from the end as well.
        index %= self._size
        # The last run that starts at this number or before it.
        after = np.searchsorted(self._starts, index, side="right")
        return self._runs[int(after) - 1].element(self._basis, index)


def _runs(basis: Basis) -> Iterator[Run]:
    places = [basis.places(block) for block in basis.blocks]
    at = 0
    for n in range(basis.problem.order + 1):
        for block, (rows, columns) in zip(basis.blocks, places, strict=True):
            run = Run(at, n, block, rows, columns)
            # Blocks without elements of this order have no numbers.
            if run.end > at:
                yield run
            at = run.end
