r"""The answer: all elements of all orders, exactly, with their proof.

Bulk numbers live in :class:`~pdobasis.operators.symbols.Symbols`, one set for
every pair of *different* summands and every order; an
:class:`~pdobasis.answer.element.Element` is a view of one PDO.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from types import EllipsisType
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.answer.element import Element, Elements
from pdobasis.errors import SpecError
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import count, monomials
from pdobasis.operators.block import Block
from pdobasis.proof.certificate import Certificate
from pdobasis.question.problem import Problem

if TYPE_CHECKING:
    from pdobasis.algebra.spaces import OperatorSpace
    from pdobasis.answer.fourier import Multipliers
    from pdobasis.answer.gaussian_kernels import GaussianKernels
    from pdobasis.answer.homogeneous_kernels import HomogeneousKernels
    from pdobasis.groups.group import Group
    from pdobasis.handover import StencilSet
    from pdobasis.pictures.canvas import Picture
    from pdobasis.stencils.array import Stencils
    from pdobasis.stencils.of_basis import (
        BlockedCloud,
        CloudMatrices,
        GridMatrix,
        Lattice,
        LatticeStencils,
    )
    from pdobasis.stencils.rbf import RadialFunction

Number = int | float | Fraction

SHOWN = 40
"""Elements that a notebook shows."""
LONGEST = 20_000
"""Characters of LaTeX after which it shows no further one."""


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """All equivariant PDOs of a question (or of the truncation that it asks for), and
    the proof that they are.

    Two are equal when they hold the same elements for the same question, however they were found.
    """

    problem: Problem
    method: str
    blocks: tuple[Block, ...]
    certificate: Certificate
    _elements: Elements | None = field(default=None, init=False, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Basis):
            return NotImplemented
        if self is other:
            return True
        return (
            self.problem == other.problem
            and len(self.blocks) == len(other.blocks)
            and all(map(Block.equals, self.blocks, other.blocks))
        )

    def __hash__(self) -> int:
        return hash((self.problem, *self.dimensions.values()))

    @property
    def dimensions(self) -> dict[int, int]:
        """The number of elements of each order."""
        out = dict.fromkeys(range(self.problem.order + 1), 0)
        for block in self.blocks:
            # Blocks are solved once, however often their summands occur.
            copies = self.copies(block)
            for n in out:
                out[n] += block.orders[n].size * copies
        return out

    @property
    def dimension(self) -> int:
        """The number of elements."""
        return sum(self.dimensions.values())

    @property
    def elements(self) -> Elements:
        """The elements by increasing order; the list is made once."""
        elements = self._elements
        if elements is None:
            # A basis never changes, so neither does what is derived from it.
            elements = Elements(self)
            object.__setattr__(self, "_elements", elements)
        return elements

    @property
    def angular(self) -> list[Element] | None:
        """The module basis: the elements without a Laplacian factor.

        None when the method does not know them, or when some powers are left out.
        """
        if self.angular_dimension is None:
            return None
        return [e for e in self.elements if e.laplacian_power == 0]

    @property
    def angular_dimension(self) -> int | None:
        """The number of elements of the module basis."""
        truncation = self.problem.truncation
        if truncation is not None and truncation.kept is not None:
            return None
        total = 0
        for block in self.blocks:
            if block.structure is None:
                return None
            every = [s for part in block.structure for s in part]
            angular = [s for s in every if s.laplacian_power == 0]
            total += len(angular) * self.copies(block)
        return total

    @property
    def has_structure(self) -> bool:
        """Whether the elements know their angular orders and Laplacian powers."""
        return all(block.structure is not None for block in self.blocks)

    def __len__(self) -> int:
        return self.dimension

    @overload
    def __getitem__(self, index: int) -> Element: ...

    @overload
    def __getitem__(self, index: slice) -> list[Element]: ...

    def __getitem__(self, index: int | slice) -> Element | list[Element]:
        return self.elements[index]

    def __iter__(self) -> Iterator[Element]:
        return iter(self.elements)

    def copies(self, block: Block) -> int:
        """How often a block occurs."""
        in_type, out_type = self.problem.in_type, self.problem.out_type
        columns = in_type.copies(in_type.distinct[block.in_index])
        rows = out_type.copies(out_type.distinct[block.out_index])
        return rows * columns

    def places(self, block: Block) -> tuple[list[int], list[int]]:
        """The first rows of the copies of a block, and the first columns."""
        in_type, out_type = self.problem.in_type, self.problem.out_type
        columns = in_type.offsets(in_type.distinct[block.in_index])
        rows = out_type.offsets(out_type.distinct[block.out_index])
        return rows, columns

    def offsets(self, block: Block) -> list[tuple[int, int]]:
        """The first (row, column) of every copy of a block."""
        rows, columns = self.places(block)
        # Elements and coefficients are numbered in this order, so both have to use it.
        return [(r, c) for r in rows for c in columns]

    def coefficients(self) -> NDArray[np.float64]:
        """float64 (elements, c_out, c_in, monomials of all orders).

        Each number is rounded once.
        """
        problem = self.problem
        orders = range(problem.order + 1)
        sizes = [count(problem.group.dim, n) for n in orders]
        starts = np.cumsum([0, *sizes]).tolist()
        fields = (problem.out_type.size, problem.in_type.size)
        out = np.zeros((self.dimension, *fields, starts[-1]))
        at = 0
        # The loops are nested as in Elements, so that row k is element k.
        for n in orders:
            for block in self.blocks:
                part = block.orders[n]
                # Rounded here and nowhere else.
                values = to_float(part.coefficients)
                for r, c in self.offsets(block):
                    own = out[at : at + part.size]
                    target = own[..., starts[n] : starts[n + 1]]
                    row, column = part.row + r, part.column + c
                    target[part.element, row, column] = values
                    at += part.size
        return out

    def monomials(self) -> tuple[tuple[int, ...], ...]:
        """The exponents of the last axis of :meth:`coefficients`."""
        out: list[tuple[int, ...]] = []
        for n in range(self.problem.order + 1):
            out += monomials(self.problem.group.dim, n)
        return tuple(out)

    def save(self, path: str) -> None:
        """Write the basis as JSON, whole or not at all."""
        # Files and stencils stand above the answer: they are imported when they
        # are asked for.
        from pdobasis.files.json_file import save_basis

        save_basis(self, path)

    def stencils(
        self,
        method: str = "gauss",
        size: int | Sequence[int] = 5,
        *,
        spacing: Number | Sequence[Number] | None = None,
        dilation: int | Sequence[int] | None = None,
        offset: Number | Sequence[Number] | None = None,
        layout: str | None = None,
        in_offsets: Sequence[Sequence[Number | str]] | None = None,
        out_offsets: Sequence[Sequence[Number | str]] | None = None,
        sigma: float | Sequence[float] | None = None,
        sigma_paper: float | Sequence[float] | None = None,
        normalize: str | None = None,
        phi: str | RadialFunction | None = None,
        epsilon: float | None = None,
        degree: int | None = None,
        max_condition: float | None = None,
        isotropic: int | None = None,
        isotropic_group: str | Group | None = None,
        accuracy: int | None = None,
        window: str | None = None,
        optimize: float | None = None,
        objective: str | None = None,
        radii: Sequence[float] | None = None,
        widths: float | Sequence[float] | None = None,
        band_limit: float | EllipsisType | None = ...,
        **others: Any,
    ) -> Stencils:
        """An array float64 (elements, c_out, c_in, *kernel) that can be plotted; an option that is None is not given.

        Of the grid: ``spacing``, ``dilation``, ``offset``, ``layout``; ``in_offsets`` and ``out_offsets`` (one place in
        the cell for each component) make it staggered. Of gauss: ``sigma`` or ``sigma_paper``, ``normalize``. Of rbffd:
        ``phi``, ``epsilon``, ``degree``, ``max_condition``. Of fd: ``isotropic``, ``isotropic_group``, ``accuracy``,
        ``window``, ``optimize``, ``objective``. Of kernel: ``radii``, ``widths``, ``band_limit`` (None is no limit).
        ``others`` are those of a method of one's own.

        >>> from pdobasis import solve
        >>> solve("D4", "trivial", "trivial").stencils("fd", size=3)[1, 0, 0].astype(int).tolist()
        [[0, 1, 0], [1, -4, 1], [0, 1, 0]]
        """
        given: dict[str, Any] = {
            "spacing": spacing, "dilation": dilation, "offset": offset, "layout": layout,
            "in_offsets": in_offsets, "out_offsets": out_offsets,
            "sigma": sigma, "sigma_paper": sigma_paper, "normalize": normalize,
            "phi": phi, "epsilon": epsilon, "degree": degree, "max_condition": max_condition,
            "isotropic": isotropic, "isotropic_group": isotropic_group, "accuracy": accuracy, "window": window,
            "optimize": optimize, "objective": objective, "radii": radii, "widths": widths,
        }  # fmt: skip
        # None is a value of this one
        if band_limit is not ...:
            given["band_limit"] = band_limit
        from pdobasis.stencils.array import Stencils
        from pdobasis.stencils.sampled import sample

        return Stencils(self, sample(self, method, size, **given, **others))

    def stencil_set(
        self,
        method: str = "fd",
        size: int | Sequence[int] = 3,
        **options: Any,
    ) -> StencilSet:
        """The stencils for other programs: ``.to("jax")``, ``.to("findiff")``, ``.source("c")``."""
        from pdobasis.files.sources import of_basis
        from pdobasis.stencils.sampled import sample

        return of_basis(self, sample(self, method, size, **options))

    def plot(
        self,
        method: str = "gauss",
        size: int | Sequence[int] = 9,
        *,
        show: int = 12,
        entries: int = 16,
        **options: Any,
    ) -> Picture:
        """A picture of the elements, each by its stencils; needs the extra ``pdobasis[plot]``.

        ``show`` elements are drawn, with at most ``entries`` entries each; the options are those of :meth:`stencils`.
        """
        from pdobasis.pictures import require_matplotlib

        # before any work
        require_matplotlib()
        if self.problem.kernel and method == "gauss":
            method = "kernel"
        return self.stencils(method, size, **options).plot(show=show, entries=entries)

    def matrix(
        self,
        shape: Sequence[int] | None = None,
        method: str = "fd",
        size: int | Sequence[int] = 3,
        *,
        boundary: str | Mapping[str, str] = "periodic",
        axes: Sequence[Sequence[Any]] | None = None,
        **options: Any,
    ) -> list[GridMatrix]:
        """One sparse matrix per element, on a grid with an array of this shape (x1 last).

        Periodic grids take every stencil. With other boundaries (one-sided, dirichlet, neumann, sbp; or a mapping of
        the faces x1-, x1+, … to these) and on axes of one's own, derivatives are finite differences. With
        ``in_offsets`` and ``out_offsets`` the grid is staggered, and between walls the shape is that of the cells.
        """
        from pdobasis.stencils.of_basis import basis_matrices

        return basis_matrices(self, shape, method, size, boundary, axes, options)

    def linear_operators(
        self,
        shape: Sequence[int] | None = None,
        method: str = "fd",
        size: int | Sequence[int] = 3,
        *,
        boundary: str | Mapping[str, str] = "periodic",
        axes: Sequence[Sequence[Any]] | None = None,
        **options: Any,
    ) -> list[Any]:
        """The operators of :meth:`matrix` as SciPy's ``LinearOperator``, which need no matrix."""
        from pdobasis.stencils.of_basis import basis_operators

        return basis_operators(self, shape, method, size, boundary, axes, options)

    def on_cloud(
        self,
        points: ArrayLike,
        neighbours: int | None = None,
        *,
        targets: ArrayLike | None = None,
        method: str = "rbffd",
        **options: Any,
    ) -> CloudMatrices:
        """One sparse matrix per element, from fields (c_in, points) to fields (c_out, targets).

        Each target (all points, if none are given) takes its nearest points, and those as near as the last of them.
        ``boundary`` (numbers of points), ``normals`` (outwards) and ``ghost_layers`` add ghosts behind a boundary;
        ``hyperviscosity=p`` a damping by the p-th power of the Laplacian. Other options are those of the method.
        """
        from pdobasis.stencils.of_basis import basis_on_cloud

        return basis_on_cloud(self, points, neighbours, targets, method, options)

    def on_cloud_blocks(
        self,
        points: Any,
        folder: str | PathLike[str],
        neighbours: int | None = None,
        *,
        method: str = "rbffd",
        **options: Any,
    ) -> BlockedCloud:
        """The matrices of :meth:`on_cloud` in blocks of rows, as files of a folder, for clouds that exceed memory.

        ``points`` is an array, also one on disk, or a .npy file; ``block`` the number of points that are in memory at
        once (a million); ``executor`` shares the blocks (of ``concurrent.futures``, or Dask's ``get_executor()``).
        """
        from pdobasis.stencils.of_basis import basis_on_cloud_blocks

        return basis_on_cloud_blocks(self, points, folder, neighbours, method, options)

    def on_lattice(
        self,
        lattice: Lattice | str,
        window: int | str | Sequence[Sequence[int]] = "ball 1",
        method: str = "fd",
        **options: Any,
    ) -> LatticeStencils:
        """Stencils on a window of a lattice, closed under all symmetries that it shares with the group.

        A window is the side of a box, "ball r", or a list of nodes. ``fd`` has exact weights: the least Σ w² / decay^s
        (s numbers the distances of nodes) with this ``accuracy``, and errors that are ``isotropic`` up to this degree
        (or commute with ``isotropic_group`` up to there). Other methods (rbffd, gauss) take the nodes as points.
        """
        from pdobasis.stencils.of_basis import on_lattice

        return on_lattice(self, lattice, window, method, **options)

    def fourier(self) -> Multipliers:
        r"""The multipliers P(ik): the PDOs in Fourier space, with
        $\hat f(k) = \int f(x)\, e^{-ik\cdot x}\, dx$.
        """
        from pdobasis.answer.fourier import Multipliers

        return Multipliers(self)

    def gaussian_kernels(self) -> GaussianKernels:
        r"""The steerable kernels $D(P)\,G_\sigma$, exactly, for every σ.

        For groups that keep a length; others are refused.
        """
        from pdobasis.answer.gaussian_kernels import gaussian_kernels

        return gaussian_kernels(self)

    def homogeneous_kernels(self, degree: int | Fraction) -> HomogeneousKernels:
        r"""The steerable kernels $|x|^{s-n} P(x)$ of degree s.

        For groups that keep a length; others are refused.
        """
        from pdobasis.answer.homogeneous_kernels import homogeneous_kernels

        return homogeneous_kernels(self, degree)

    def coordinates(self, op: Any) -> list[Any]:
        """The exact numbers in front of the elements that make up an operator; SpecError when it is not in the span.

        An operator is an :class:`~pdobasis.algebra.operator.Operator`, an element, or a matrix of texts.
        """
        from pdobasis.algebra.spaces import coordinates_in

        found = coordinates_in(self, op)
        if found is None:
            raise SpecError(
                f"the operator is no sum of the {self.dimension} elements: it is not equivariant, "
                "or of another shape or order"
            )
        return found

    def __contains__(self, op: object) -> bool:
        """Whether an operator is a sum of the elements: equivariant, and of these orders."""
        from pdobasis.algebra.spaces import coordinates_in

        return coordinates_in(self, op) is not None

    def self_adjoint(self) -> OperatorSpace:
        """The operators P with P* = P."""
        from pdobasis.algebra.spaces import with_adjoint

        return with_adjoint(self, 1)

    def skew(self) -> OperatorSpace:
        """The operators P with P* = -P."""
        from pdobasis.algebra.spaces import with_adjoint

        return with_adjoint(self, -1)

    def latex(self) -> str:
        """The elements as LaTeX."""
        return ",\\quad ".join(e.latex() for e in self.elements)

    def _repr_latex_(self) -> str | None:
        """The first elements; None where there are none."""
        if not self.dimension:
            return None
        shown, length = [], 0
        for element in self.elements[:SHOWN]:
            shown.append(element.latex())
            length += len(shown[-1])
            if length > LONGEST:
                break
        text = ",\\quad ".join(shown)
        if self.dimension > len(shown):
            text += ",\\ \\dots"
        return f"$\\displaystyle {text}$"

    def __str__(self) -> str:
        from pdobasis.answer.told import Layout, basis_text

        return basis_text(self, Layout(show=8))

    def _repr_html_(self) -> str:
        from pdobasis.notebook.bases import basis_html

        return basis_html(self)

    def __repr__(self) -> str:
        p = self.problem
        proved = "NOT proved"
        if self.certificate.holds:
            proved = "proved"
        truncated = ""
        if p.truncation is not None:
            truncated = f", truncated to {p.truncation.text}"
        return (
            f"<Basis of {self.dimension} PDOs: {p.group.name}, "
            f"{p.in_type} -> {p.out_type}, order <= {p.order}{truncated}, {proved}>"
        )
