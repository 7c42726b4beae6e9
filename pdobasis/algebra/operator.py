r"""A PDO as a value: the matrix P of its symbol, with sums, products, powers and formal adjoints.

Composition is the product of symbols, and the formal adjoint is $P^*(x) = P(-x)^T$, since integration by parts sends
$\partial_i$ to $-\partial_i$.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from flint import fmpq
from numpy.typing import ArrayLike, NDArray

from pdobasis.answer.element import MANY, displayed, shortened
from pdobasis.errors import SpecError, WrongTypeError
from pdobasis.exact.given import numbers_of
from pdobasis.exact.numbers import readable
from pdobasis.exact.polynomials import monomials
from pdobasis.exact.scalars import Number, exact_of, float_of, number
from pdobasis.exact.text import parse_number, parse_polynomial
from pdobasis.operators.layout import listed
from pdobasis.operators.printing import (
    Coefficients,
    latex,
    matrix_latex,
    plain,
    pretty,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike

    import sympy

    from pdobasis.answer.element import Element
    from pdobasis.handover import StencilSet
    from pdobasis.stencils.cloud_blocks import BlockedCloud
    from pdobasis.stencils.cloud_matrices import CloudMatrix, Operators
    from pdobasis.stencils.keywords import (
        CloudKeywords,
        MethodKeywords,
        StencilKeywords,
    )
    from pdobasis.stencils.matrices import GridMatrix
    from pdobasis.stencils.mehrstellen import Pair

LINE = 120
"""Characters of an operator that its repr writes out."""

Alpha = tuple[int, ...]
Cell = Mapping[Alpha, Number]
Cells = dict[tuple[int, int], dict[Alpha, Number]]


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """``cells[r, c]`` is the polynomial in row r and column c, by exponents; zeros are left out.

    >>> grad = operator([["d1"], ["d2"]])
    >>> div = -grad.adjoint()
    >>> print(div @ grad, (div @ grad).order)
    [∂₁² + ∂₂²] 2

    Attributes
    ----------
    dim : int
        The number of variables.
    shape : tuple of int
        (c_out, c_in).
    cells : dict
        The polynomials, by (row, column).
    """

    dim: int
    shape: tuple[int, int]
    cells: Mapping[tuple[int, int], Cell]

    @property
    def order(self) -> int:
        """The highest order; 0 for the zero operator."""
        return max((sum(a) for p in self.cells.values() for a in p), default=0)

    @property
    def is_zero(self) -> bool:
        """Whether all entries are zero, exactly."""
        return not self.cells

    def part(self, order: int) -> Operator:
        """The homogeneous part of one order.

        Parameters
        ----------
        order : int
            Which one.

        Returns
        -------
        Operator
            Zero, if there is none.

        Examples
        --------
        >>> from pdobasis import operator
        >>> print(operator("1 + d1 + d1*d2").part(2))
        [∂₁∂₂]
        """
        cells = {
            place: {a: v for a, v in p.items() if sum(a) == order}
            for place, p in self.cells.items()
        }
        return _operator(self.dim, self.shape, cells)

    def __add__(self, other: Operator) -> Operator:
        if not isinstance(other, Operator):
            return NotImplemented
        self._require(other.dim == self.dim and other.shape == self.shape, "+", other)
        cells: Cells = {place: dict(p) for place, p in self.cells.items()}
        for place, p in other.cells.items():
            own = cells.setdefault(place, {})
            for a, v in p.items():
                own[a] = own.get(a, fmpq(0)) + v
        return _operator(self.dim, self.shape, cells)

    def __neg__(self) -> Operator:
        return self * -1

    def __sub__(self, other: Operator) -> Operator:
        if not isinstance(other, Operator):
            return NotImplemented
        return self + (-other)

    def __mul__(self, factor: Any) -> Operator:
        """A multiple: by a whole number, a Fraction, or a text such as "sqrt(2)/2"."""
        value = as_number(factor)
        if value is None:
            return NotImplemented
        cells = {k: {a: v * value for a, v in p.items()} for k, p in self.cells.items()}
        return _operator(self.dim, self.shape, cells)

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> Operator:
        value = as_number(factor)
        if value is None:
            return NotImplemented
        if not value:
            raise SpecError("an operator is not divided by 0")
        return self * (1 / value)

    def __matmul__(self, other: Operator) -> Operator:
        """First the other, then this one."""
        if not isinstance(other, Operator):
            return NotImplemented
        fits = other.dim == self.dim and self.shape[1] == other.shape[0]
        self._require(fits, "@", other)
        by_row: dict[int, list[tuple[int, Cell]]] = {}
        for (k, c), q in other.cells.items():
            by_row.setdefault(k, []).append((c, q))
        cells: Cells = {}
        for (r, k), p in self.cells.items():
            for c, q in by_row.get(k, ()):
                _add_product(cells.setdefault((r, c), {}), p, q)
        return _operator(self.dim, (self.shape[0], other.shape[1]), cells)

    def __pow__(self, n: int) -> Operator:
        if not isinstance(n, int) or n < 0:
            return NotImplemented
        self._require(self.shape[0] == self.shape[1], "**", self)
        out = identity(self.dim, self.shape[0])
        for _ in range(n):
            out = out @ self
        return out

    @property
    def T(self) -> Operator:
        """The transposed matrix, with the same derivatives."""
        cells = {(c, r): p for (r, c), p in self.cells.items()}
        return _operator(self.dim, self.shape[::-1], cells)

    def adjoint(self) -> Operator:
        """The formal adjoint for the sum of products of components: the integral of v·Du is that of D*v·u.

        Returns
        -------
        Operator
            Transposed, with a sign for every derivative.

        Examples
        --------
        >>> from pdobasis import operator
        >>> print(operator([["d1"], ["d2"]]).adjoint())
        [-∂₁, -∂₂]
        """
        cells = {
            (c, r): {a: v * (-1) ** sum(a) for a, v in p.items()}
            for (r, c), p in self.cells.items()
        }
        return _operator(self.dim, self.shape[::-1], cells)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Operator):
            return NotImplemented
        same = self.dim == other.dim and self.shape == other.shape
        return same and (self - other).is_zero

    def __hash__(self) -> int:
        places = tuple(sorted((k, tuple(sorted(p))) for k, p in self.cells.items()))
        return hash((self.dim, self.shape, places))

    def apply(self, expressions: Any) -> sympy.Matrix:
        """To SymPy expressions in x1, x2, …, one for each column.

        Parameters
        ----------
        expressions : expression, list of expressions or sympy.Matrix
            One for each column.

        Returns
        -------
        sympy.Matrix
            A column.

        Raises
        ------
        SpecError
            Another number of expressions.

        Examples
        --------
        >>> import sympy
        >>> from pdobasis import operator
        >>> x1, x2 = sympy.symbols("x1 x2", real=True)
        >>> operator("d1, d2").apply([x1**2, x1 * x2])
        Matrix([[3*x1]])
        """
        import sympy

        from pdobasis.exact.expressions import expressions as read
        from pdobasis.exact.expressions import variables
        from pdobasis.exact.numbers import to_sympy

        given = read(expressions, "what an operator is applied to")
        if len(given) != self.shape[1]:
            raise SpecError(f"{len(given)} expressions for {self.shape[1]} components")
        x = variables([f"x{i + 1}" for i in range(self.dim)], given)
        out = sympy.zeros(self.shape[0], 1)
        for (r, c), p in self.cells.items():
            for alpha, value in p.items():
                own = given[c]
                for variable, n in zip(x, alpha, strict=True):
                    own = sympy.diff(own, variable, n)
                out[r] += to_sympy(_terms(value)) * own
        return out

    def on_arrays(
        self,
        field: ArrayLike,
        spacing: float | Sequence[float] = 1.0,
        *,
        stencil: str = "spectral",
        size: int | Sequence[int] = 5,
        boundary: str = "periodic",
        **options: Unpack[MethodKeywords],
    ) -> NDArray[np.float64]:
        """To an array (components, *grid) with x1 along the last axis; derivatives as in ``Terms.evaluate``.

        Parameters
        ----------
        field : array_like, (c_in, ..., x2, x1)
            One component may be the grid alone.
        spacing : float or sequence of float
            Of the grid, x1 first.
        stencil : str
            spectral, fd, gauss, rbffd.
        size : int or sequence of int
            Points of the stencil.
        boundary : str
            periodic, reflect, nearest, zero.
        **options
            Those of the stencil.

        Returns
        -------
        numpy.ndarray
            float64 (c_out, ..., x2, x1).

        Raises
        ------
        SpecError
            An array of another shape, a stencil or option that nobody knows.

        Examples
        --------
        >>> import numpy as np
        >>> from pdobasis import operator
        >>> x = np.linspace(0, 2 * np.pi, 8, endpoint=False)
        >>> bool(np.allclose(operator("d1^2").on_arrays(np.sin(x), x[1]), -np.sin(x)))
        True
        """
        from pdobasis.stencils.on_arrays import derivative_of

        array = numbers_of(field, "a field")
        if array.ndim == self.dim and self.shape[1] == 1:
            array = array[None]
        if array.ndim != self.dim + 1 or array.shape[0] != self.shape[1]:
            raise SpecError(
                f"the operator takes ({self.shape[1]}, {', '.join(['…'] * self.dim)}), got {array.shape}"
            )
        take = derivative_of(self.dim, spacing, stencil, size, boundary, options)
        out = np.zeros((self.shape[0], *array.shape[1:]))
        known: dict[tuple[int, Alpha], NDArray[np.float64]] = {}
        for (r, c), p in self.cells.items():
            for alpha, value in p.items():
                if (c, alpha) not in known:
                    known[c, alpha] = take(array[c], alpha) if any(alpha) else array[c]
                out[r] += float_of(value) * known[c, alpha]
        return out

    def on_grid(
        self,
        shape: Sequence[int] | None = None,
        size: int = 3,
        *,
        spacing: Any = 1,
        boundary: str | Mapping[str, str] = "periodic",
        axes: Sequence[Sequence[Any]] | None = None,
        in_offsets: Sequence[Sequence[Any]] | None = None,
        out_offsets: Sequence[Sequence[Any]] | None = None,
    ) -> GridMatrix:
        """A sparse matrix of finite differences on a grid, with boundaries, as in ``Basis.matrix``.

        Parameters
        ----------
        shape : sequence of int, optional
            Of the array, x1 last; not needed with ``axes``.
        size : int
            Points along each axis.
        spacing : number or sequence of numbers
            x1 first.
        boundary : str or mapping of str
            periodic, one-sided, dirichlet, neumann, sbp, or one for each face.
        axes : sequence of sequences of numbers, optional
            The points along x1, x2, …, which may be uneven.
        in_offsets, out_offsets : sequence of places, optional
            One place in the cell for each component.

        Returns
        -------
        GridMatrix
            It can be called, and has a ``matrix`` of SciPy.

        Raises
        ------
        SpecError
            Boundaries or places that do not go together.

        Examples
        --------
        >>> from pdobasis import operator
        >>> operator("d1^2").on_grid((4,), boundary="dirichlet").matrix.toarray().astype(int).tolist()
        [[-2, 1, 0, 0], [1, -2, 1, 0], [0, 1, -2, 1], [0, 0, 1, -2]]
        """
        from pdobasis.stencils.bounded import Places, bounded_grid
        from pdobasis.stencils.grids import Grid
        from pdobasis.stencils.staggered import check_offsets

        steps = Grid.regular(self.dim, 1, spacing=spacing).spacing
        places = Places.together(self.dim, *self.shape)
        staggered = not (in_offsets is None and out_offsets is None)
        if staggered:
            places = Places(
                check_offsets(in_offsets or places.inputs, self.dim, self.shape[1]),
                check_offsets(out_offsets or places.outputs, self.dim, self.shape[0]),
            )
        grid = bounded_grid(
            shape, boundary, size, steps, places, axes, staggered=staggered
        )
        cells = {
            at: {alpha: float_of(value) for alpha, value in p.items()}
            for at, p in self.cells.items()
        }
        return grid.matrix(cells)

    def on_cloud(
        self,
        points: ArrayLike,
        neighbours: int | None = None,
        *,
        targets: ArrayLike | None = None,
        method: str = "rbffd",
        **options: Unpack[CloudKeywords],
    ) -> CloudMatrix:
        """The sparse matrix on a point cloud, as in ``Basis.on_cloud``.

        Parameters
        ----------
        points : array_like, (points, d)
            Where fields are known.
        neighbours : int, optional
            How many points a target takes.
        targets : array_like, (targets, d), optional
            At the points, if not given.
        method : str
            rbffd, or gauss with ``sigma``.
        **options
            Those of the method.

        Returns
        -------
        CloudMatrix
            It can be called, and has a ``matrix`` of SciPy.

        Raises
        ------
        SpecError
            Points or options that do not go together.

        Examples
        --------
        >>> import numpy as np
        >>> from pdobasis import operator
        >>> points = np.random.default_rng(0).random((50, 2))
        >>> d1 = operator("d1", dim=2).on_cloud(points)
        >>> bool(np.allclose(d1([points[:, 0]]), 1))
        True
        """
        from pdobasis.stencils.cloud_matrices import cloud_matrices

        found = cloud_matrices(
            self._for_clouds(), points, neighbours, targets, method, options
        )
        return found.matrices[0]

    def on_cloud_blocks(
        self,
        points: Any,
        folder: str | PathLike[str],
        neighbours: int | None = None,
        *,
        method: str = "rbffd",
        block: int = 1_000_000,
        executor: Executor | None = None,
        **options: Unpack[CloudKeywords],
    ) -> BlockedCloud:
        """The matrix of :meth:`on_cloud` in blocks of rows on disk, as in ``Basis.on_cloud_blocks``.

        Parameters
        ----------
        points : array_like or path
            Where fields are known.
        folder : str or path
            Where the blocks are written.
        neighbours : int, optional
            As in :meth:`on_cloud`.
        method : str
            rbffd, or gauss with ``sigma``.
        block : int
            Points that are in memory at once.
        executor : concurrent.futures.Executor, optional
            Who shares the blocks.
        **options
            Those of the method.

        Returns
        -------
        BlockedCloud
            It is applied block after block.

        Raises
        ------
        SpecError
            Blocks smaller than two neighbourhoods, options that do not go together.

        Examples
        --------
        >>> import tempfile
        >>> import numpy as np
        >>> from pdobasis import operator
        >>> points = np.random.default_rng(0).random((500, 2))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     d1 = operator("d1", dim=2).on_cloud_blocks(points, folder, block=200)
        ...     bool(np.allclose(d1.apply([points[:, 0]]), 1))
        True
        """
        from pdobasis.stencils.cloud_blocks import write_blocks

        return write_blocks(
            self._for_clouds(),
            points,
            Path(folder),
            neighbours,
            method,
            options,
            block=block,
            executor=executor,
        )

    def _for_clouds(self) -> Operators:
        from pdobasis.stencils.cloud_matrices import Operators

        alphas = tuple(dict.fromkeys(a for p in self.cells.values() for a in p))
        own = np.zeros((1, *self.shape, len(alphas)))
        for (r, c), p in self.cells.items():
            for alpha, value in p.items():
                own[0, r, c, alphas.index(alpha)] = float_of(value)
        return Operators(own, alphas)

    def stencil_set(
        self,
        method: str = "fd",
        size: int | Sequence[int] = 3,
        **options: Unpack[StencilKeywords],
    ) -> StencilSet:
        """The stencil for other programs: ``.to("jax")``, ``.to("findiff")``, ``.source("c")``.

        Options are those of ``Basis.stencils``, offsets too; isotropic stencils belong to a basis.

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
        >>> from pdobasis import operator
        >>> operator("d1").stencil_set("fd", 3).weights.ravel().tolist()
        [-0.5, 0.0, 0.5]
        """
        from pdobasis.handover.of_cells import of_cells

        cells = {
            at: {alpha: float_of(value) for alpha, value in p.items()}
            for at, p in self.cells.items()
        }
        title = "; ".join(", ".join(row) for row in self.strings())
        return of_cells(
            self.dim,
            self.shape,
            cells,
            method,
            size,
            title,
            self.name or "",
            options,
        )

    def mehrstellen(
        self,
        lattice: Any = None,
        left: Any = 3,
        right: Any = "ball 1",
        accuracy: int | None = None,
    ) -> Pair:
        """A compact pair of stencils, L u = R f for P u = f, with exact weights and the highest order there is.

        ``lattice`` is a name, vectors as a text, or a ``Lattice`` (the grid with step 1, if none is given); the windows
        are sides of boxes, "ball r", or lists of nodes.

        Parameters
        ----------
        lattice : Lattice, str or None
            Where.
        left, right : int, str or sequence of nodes
            The windows of L and R.
        accuracy : int, optional
            The highest there is, if not given.

        Returns
        -------
        Pair
            Exact weights on both sides, and the order.

        Raises
        ------
        SpecError
            No operator on scalars, a lattice or window that nobody knows.
        StencilError
            No pair of this accuracy.

        Examples
        --------
        >>> from pdobasis import operator
        >>> operator("d1^2 + d2^2").mehrstellen().accuracy
        4
        """
        from pdobasis.algebra.compact import compact_pair

        return compact_pair(self, lattice, left, right, accuracy)

    @property
    def matrix(self) -> sympy.Matrix:
        """A SymPy matrix in d1, d2, …"""
        import sympy

        from pdobasis.exact.numbers import to_sympy

        d = sympy.symbols([f"d{i + 1}" for i in range(self.dim)])
        out = sympy.zeros(*self.shape)
        for place, p in self.cells.items():
            for alpha, value in p.items():
                powers = [v**a for v, a in zip(d, alpha, strict=True)]
                out[place] += to_sympy(_terms(value)) * sympy.Mul(*powers)
        return out

    def strings(self) -> list[list[str]]:
        """In d1, d2, …: text that :func:`operator` reads.

        Returns
        -------
        list of list of str
            Rows of entries.

        Examples
        --------
        >>> from pdobasis import operator
        >>> operator([["d1"], ["d2"]]).strings()
        [['d1'], ['d2']]
        """
        return self._written(plain)

    def pretty(self) -> list[list[str]]:
        """The entries as texts in ∂₁, ∂₂, ….

        Returns
        -------
        list of list of str
            Rows of entries.

        Examples
        --------
        >>> from pdobasis import operator
        >>> operator("d1^2 + 2*d2").pretty()
        [['∂₁² + 2 ∂₂']]
        """
        return self._written(pretty)

    def latex(self) -> str:
        r"""The matrix as LaTeX.

        Returns
        -------
        str
            For mathematical mode.

        Examples
        --------
        >>> from pdobasis import operator
        >>> print(operator("d1^2 + d2/2").latex())
        \begin{pmatrix} \partial_{1}^{2} + \tfrac{1}{2} \partial_{2} \end{pmatrix}
        """
        return matrix_latex(self._written(latex))

    def _repr_latex_(self) -> str | None:
        """None where it would be longer than a page: then a notebook shows the text."""
        return displayed(self.latex())

    def _repr_html_(self) -> str:
        from pdobasis.notebook.bases import matrix_html

        return matrix_html(self)

    @property
    def name(self) -> str | None:
        """The usual name, if it has one."""
        from pdobasis.algebra.naming import name_of_operator

        return name_of_operator(self)

    def _written(self, write: Any) -> list[list[str]]:
        rows, columns = self.shape
        return [
            [write(coefficients(self.cells.get((r, c), {}))) for c in range(columns)]
            for r in range(rows)
        ]

    def __str__(self) -> str:
        height, width = self.shape
        if height * width > MANY:
            return self._entries_text()
        rows = ["[" + ", ".join(row) + "]" for row in self.pretty()]
        if len(rows) == 1:
            return rows[0]
        return "[" + ", ".join(rows) + "]"

    def _entries_text(self) -> str:
        """The entries that are not zero, with their places."""
        height, width = self.shape
        if self.is_zero:
            return f"{height}×{width}: 0"
        parts = []
        for (r, c), cell in self.cells.items():
            parts.append(f"({r + 1},{c + 1}) {pretty(coefficients(cell))}")
        return listed(f"{height}×{width}:", parts)

    def __repr__(self) -> str:
        """What makes it again, where that is short."""
        rows, columns = self.shape
        if rows * columns <= MANY:
            text = "; ".join(", ".join(row) for row in self.strings())
            if len(text) <= LINE:
                return f"operator({text!r}, dim={self.dim})"
        return f"<Operator of order {self.order}, {rows}x{columns}: {shortened(str(self), 60)}>"

    def _require(self, holds: bool, sign: str, other: Operator) -> None:
        if not holds:
            raise SpecError(
                f"no {sign} of operators of shapes {self.shape} in dimension {self.dim} "
                f"and {other.shape} in dimension {other.dim}"
            )


def operator(matrix: Any, dim: int | None = None) -> Operator:
    """From an element of a basis, or from the texts of a matrix in d1, d2, …; one text is one row.

    >>> operator("d1**2 + d2**2").order
    2

    Parameters
    ----------
    matrix : str, Element, Operator, or rows of texts
        Polynomials in d1, d2, … with exact coefficients.
    dim : int, optional
        The dimension, where the name of the group leaves it open (``C4``, ``D4``).

    Returns
    -------
    Operator
        A value that can be added, composed and transposed.

    Raises
    ------
    SpecError
        Rows of different lengths, or none.
    WrongTypeError
        What is neither an operator nor texts.
    ParseError
        A text is no polynomial; the message points at the place.
    """
    from pdobasis.answer.element import Element

    if isinstance(matrix, Operator):
        return matrix
    if isinstance(matrix, Element):
        return of_element(matrix)
    if isinstance(matrix, str):
        matrix = [row.split(",") for row in matrix.split(";")]
    elif isinstance(matrix, bytes) or not hasattr(matrix, "__iter__"):
        raise WrongTypeError(
            "an operator",
            "an element, a text such as 'd1, d2' or rows of texts",
            matrix,
        )
    rows = [[str(cell).strip() for cell in row] for row in matrix]
    widths = {len(row) for row in rows}
    if len(widths) != 1 or not widths.pop():
        raise SpecError(
            "an operator is a matrix with rows of one length, as 'd1, d2' or [['d1'], ['d2']]"
        )
    if dim is None:
        dim = _dim_of(rows)
    cells: Cells = {}
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            polynomial = parse_polynomial(text, dim)
            cells[r, c] = {a: number(v) for a, v in polynomial.items()}
    return _operator(dim, (len(rows), len(rows[0])), cells)


def of_element(element: Element) -> Operator:
    dim = element.basis.problem.group.dim
    alphas = monomials(dim, element.order)
    cells: Cells = {}
    for place, values in element.entries.items():
        own = {}
        for k in values.nonzero_mask().nonzero()[0].tolist():
            own[alphas[k]] = number(values[k])
        cells[place] = own
    return _operator(dim, element.shape, cells)


def identity(dim: int, size: int) -> Operator:
    cells: Cells = {(i, i): {(0,) * dim: fmpq(1)} for i in range(size)}
    return Operator(dim, (size, size), cells)


def zero(dim: int, shape: tuple[int, int]) -> Operator:
    return Operator(dim, shape, {})


def as_number(value: Any) -> Number | None:
    """None for what is no exact number; a float is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Fraction):
        q = Fraction(value)
        return fmpq(q.numerator, q.denominator)
    if isinstance(value, str):
        return number(parse_number(value))
    if isinstance(value, Number):
        return value
    return None


def _operator(
    dim: int, shape: tuple[int, int], cells: Mapping[tuple[int, int], Cell]
) -> Operator:
    """Zeros are dropped, and everything is sorted."""
    kept: Cells = {}
    for place in sorted(cells):
        own = {a: v for a, v in sorted(cells[place].items(), reverse=True) if v}
        if own:
            kept[place] = own
    return Operator(dim, shape, kept)


def _add_product(total: dict[Alpha, Number], p: Cell, q: Cell) -> None:
    for a, v in p.items():
        for b, w in q.items():
            key = tuple(x + y for x, y in zip(a, b, strict=True))
            total[key] = total.get(key, fmpq(0)) + v * w


def coefficients(cell: Cell) -> Coefficients:
    """The terms of one entry, as they are printed."""
    return tuple((_terms(value), alpha) for alpha, value in cell.items())


def _terms(value: Number) -> Any:
    own = exact_of(value)
    return readable(tuple(own.numerators.tolist()), own.denominator, own.field)


def _dim_of(rows: Sequence[Sequence[str]]) -> int:
    """The largest variable that is written."""
    import re

    found = re.findall(
        r"\bd(\d{1,2})\b", " ".join(cell for row in rows for cell in row)
    )
    if not found:
        raise SpecError("the operator has no derivative: say its dimension with dim=")
    return max(map(int, found))
