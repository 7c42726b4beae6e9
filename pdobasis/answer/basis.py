r"""The answer: all elements of all orders, exactly, with their proof.

Bulk numbers live in :class:`~pdobasis.operators.symbols.Symbols`, one set for
every pair of *different* summands and every order; an
:class:`~pdobasis.answer.element.Element` is a view of one PDO.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from os import PathLike
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np

from pdobasis.answer.element import Element, Elements
from pdobasis.errors import SpecError
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import count, monomials
from pdobasis.operators.block import Block
from pdobasis.proof.certificate import Certificate
from pdobasis.question.problem import Problem
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import ArrayLike, NDArray

    from pdobasis.algebra.spaces import OperatorSpace
    from pdobasis.answer.fourier import Multipliers
    from pdobasis.answer.gaussian_kernels import GaussianKernels
    from pdobasis.answer.homogeneous_kernels import HomogeneousKernels
    from pdobasis.groups.group import Group
    from pdobasis.handover import StencilSet
    from pdobasis.pictures.canvas import Picture
    from pdobasis.stencils.array import Stencils
    from pdobasis.stencils.keywords import (
        CloudKeywords,
        LatticeKeywords,
        StencilKeywords,
    )
    from pdobasis.stencils.of_basis import (
        BlockedCloud,
        CloudMatrices,
        GridMatrix,
        Lattice,
        LatticeStencils,
    )
    from pdobasis.stencils.rbf import RadialFunction

Number = int | float | str | Fraction

SHOWN = 40
"""Elements that a notebook shows."""
LONGEST = 20_000
"""Characters of LaTeX after which it shows no further one."""


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """All equivariant PDOs of a question (or of the truncation that it asks for), and
    the proof that they are.

    Two are equal when they hold the same elements for the same question, however they were found.

    Attributes
    ----------
    problem : Problem
        The question.
    method : str
        The solver that found the elements.
    blocks : tuple of Block
        The elements as exact arrays, once for every pair of different summands.
    certificate : Certificate
        The proof.

    Examples
    --------
    >>> from pdobasis import solve
    >>> basis = solve("SO(2)", "vector", "trivial", order=1)
    >>> len(basis), basis.dimensions, [e.name for e in basis]
    (2, {0: 0, 1: 2}, ['divergence', 'curl'])
    >>> basis[0]
    <Element divergence, order 1, 1x2: [∂₁, ∂₂]>
    >>> basis.certificate.holds
    True
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
        """How often a block occurs.

        Parameters
        ----------
        block : Block
            One of ``blocks``.

        Returns
        -------
        int
            The number of pairs of summands that it stands for.

        Examples
        --------
        >>> from pdobasis import solve
        >>> basis = solve("C4", "2xtrivial", "3xvector", order=1)
        >>> [basis.copies(block) for block in basis.blocks]
        [6]
        """
        in_type, out_type = self.problem.in_type, self.problem.out_type
        columns = in_type.copies(in_type.distinct[block.in_index])
        rows = out_type.copies(out_type.distinct[block.out_index])
        return rows * columns

    def places(self, block: Block) -> tuple[list[int], list[int]]:
        """The first rows of the copies of a block, and the first columns.

        Parameters
        ----------
        block : Block
            One of ``blocks``.

        Returns
        -------
        tuple of two lists of int
            First rows, first columns.

        Examples
        --------
        >>> from pdobasis import solve
        >>> basis = solve("C4", "trivial", "2xvector", order=1)
        >>> basis.places(basis.blocks[0])
        ([0, 2], [0])
        """
        in_type, out_type = self.problem.in_type, self.problem.out_type
        columns = in_type.offsets(in_type.distinct[block.in_index])
        rows = out_type.offsets(out_type.distinct[block.out_index])
        return rows, columns

    def offsets(self, block: Block) -> list[tuple[int, int]]:
        """The first (row, column) of every copy of a block.

        Parameters
        ----------
        block : Block
            One of ``blocks``.

        Returns
        -------
        list of tuple
            (row, column), in the order of the elements.

        Examples
        --------
        >>> from pdobasis import solve
        >>> basis = solve("C4", "trivial", "2xvector", order=1)
        >>> basis.offsets(basis.blocks[0])
        [(0, 0), (2, 0)]
        """
        rows, columns = self.places(block)
        # Elements and coefficients are numbered in this order, so both have to use it.
        return [(r, c) for r in rows for c in columns]

    def coefficients(self) -> NDArray[np.float64]:
        """float64 (elements, c_out, c_in, monomials of all orders).

        Each number is rounded once.

        Returns
        -------
        numpy.ndarray
            The last axis runs over :meth:`monomials`.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("SO(2)", "vector", "trivial", order=1).coefficients()[1].tolist()
        [[[0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]]
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
        """The exponents of the last axis of :meth:`coefficients`.

        Returns
        -------
        tuple of tuple of int
            The exponents of ∂₁, ∂₂, …

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("SO(2)", "vector", "trivial", order=1).monomials()
        ((0, 0), (1, 0), (0, 1))
        """
        out: list[tuple[int, ...]] = []
        for n in range(self.problem.order + 1):
            out += monomials(self.problem.group.dim, n)
        return tuple(out)

    def save(self, path: str) -> None:
        """Write the basis as JSON, whole or not at all.

        Parameters
        ----------
        path : str
            The file; :func:`pdobasis.load` proves what it reads.

        Raises
        ------
        SpecError
            The file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> from pdobasis import load, solve
        >>> basis = solve("D4", "trivial", "vector", order=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "basis.json")
        ...     basis.save(path)
        ...     load(path) == basis
        True
        """
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
        lattice: Lattice | str | Sequence[Sequence[Number | str]] | None = None,
        in_offsets: Sequence[Sequence[Any]] | None = None,
        out_offsets: Sequence[Sequence[Any]] | None = None,
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

        Of the grid: ``spacing``, ``dilation``, ``offset``, ``layout``, ``lattice`` (a name, a ``Lattice`` or vectors;
        then ``window`` is for every method: "closed", "ball r", "nodes 0,0; 1,0; …"); ``in_offsets`` and
        ``out_offsets`` (one place in the cell for each component) make it staggered. Of gauss: ``sigma`` or
        ``sigma_paper``, ``normalize``. Of rbffd: ``phi``, ``epsilon``, ``degree``, ``max_condition``. Of fd:
        ``isotropic``, ``isotropic_group``, ``accuracy``, ``window``, ``optimize``, ``objective``. Of kernel: ``radii``,
        ``widths``, ``band_limit`` (None is no limit). ``others`` are those of a method of one's own.

        >>> from pdobasis import solve
        >>> solve("D4", "trivial", "trivial").stencils("fd", size=3)[1, 0, 0].astype(int).tolist()
        [[0, 1, 0], [1, -4, 1], [0, 1, 0]]

        Parameters
        ----------
        method : str
            fd, rbffd, gauss, kernel, or one that was registered.
        size : int or sequence of int
            Points along the axes, x1 first.
        spacing, dilation, offset, layout : optional
            Of the grid: the step, every how many points, the place of the nodes in steps, "grid" or "image".
        lattice : Lattice, str or vectors, optional
            On which the nodes lie, in steps along its vectors; ``window`` is then for every method.
        in_offsets, out_offsets : sequence of places, optional
            One place in the cell for each component: a staggered grid.
        sigma, sigma_paper, normalize : optional
            Of gauss.
        phi, epsilon, degree, max_condition : optional
            Of rbffd.
        isotropic, isotropic_group, accuracy, window, optimize, objective : optional
            Of fd.
        radii, widths, band_limit : optional
            Of kernel; a ``band_limit`` of None is no limit.
        **others
            Those of a method of one's own.

        Returns
        -------
        Stencils
            A read-only array of NumPy with a picture.

        Raises
        ------
        SpecError
            A name that nobody knows (the nearest one is named), or a value that means nothing.
        StencilError
            A stencil too small for the order, a system that cannot be solved.
        SizeError
            More than 64 million numbers.
        """
        given: dict[str, Any] = {
            "spacing": spacing, "dilation": dilation, "offset": offset, "layout": layout, "lattice": lattice,
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
        **options: Unpack[StencilKeywords],
    ) -> StencilSet:
        """The stencils for other programs: ``.to("jax")``, ``.to("findiff")``, ``.source("c")``.

        Parameters
        ----------
        method : str
            fd, rbffd, gauss, kernel.
        size : int or sequence of int
            Points along the axes, x1 first.
        **options
            Those of :meth:`stencils`.

        Returns
        -------
        StencilSet
            With ``to`` and ``source``.

        Examples
        --------
        >>> from pdobasis import solve
        >>> gradient = solve("D4", "trivial", "vector", order=1).stencil_set("fd", 3).to("numpy")
        >>> gradient([[[0, 1, 2]] * 3], padding="edge")[0, 1].tolist()
        [0.5, 1.0, 0.5]
        """
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
        **options: Unpack[StencilKeywords],
    ) -> Picture:
        """A picture of the elements, each by its stencils; needs the extra ``pdobasis[plot]``.

        ``show`` elements are drawn, with at most ``entries`` entries each; the options are those of :meth:`stencils`.

        Parameters
        ----------
        method : str
            fd, rbffd, gauss, kernel.
        size : int or sequence of int
            Points along the axes, x1 first.
        show : int
            Elements that are drawn.
        entries : int
            Entries of each that are drawn.
        **options
            Those of :meth:`stencils`.

        Returns
        -------
        Picture
            A figure of matplotlib, in ``figure``.

        Raises
        ------
        MissingExtraError
            matplotlib is not installed.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("D4", "trivial", "vector", order=1).plot(size=5)  # doctest: +SKIP
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
        **options: Unpack[StencilKeywords],
    ) -> list[GridMatrix]:
        """One sparse matrix per element, on a grid with an array of this shape (x1 last).

        Periodic grids take every stencil. With other boundaries (one-sided, dirichlet, neumann, sbp; or a mapping of
        the faces x1-, x1+, … to these) and on axes of one's own, derivatives are finite differences. With
        ``in_offsets`` and ``out_offsets`` the grid is staggered, and between walls the shape is that of the cells.

        Parameters
        ----------
        shape : sequence of int, optional
            Of the array, x1 last; not needed with ``axes``.
        method : str
            fd, rbffd, gauss, kernel; with boundaries fd.
        size : int or sequence of int
            Points along the axes, x1 first.
        boundary : str or mapping of str
            periodic, one-sided, dirichlet, neumann, sbp, or one for each face.
        axes : sequence of sequences of numbers, optional
            The points along x1, x2, …, which may be uneven.
        **options
            Those of :meth:`stencils`.

        Returns
        -------
        list of GridMatrix
            In the order of the elements; each can be called, and has a ``matrix`` of SciPy.

        Raises
        ------
        SpecError
            Options, boundaries or places that do not go together.

        Examples
        --------
        >>> from pdobasis import solve
        >>> laplacian = solve("O(1)", "trivial", "trivial", order=2).matrix((4,))[1]
        >>> laplacian.matrix.toarray().astype(int).tolist()
        [[-2, 1, 0, 1], [1, -2, 1, 0], [0, 1, -2, 1], [1, 0, 1, -2]]
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
        **options: Unpack[StencilKeywords],
    ) -> list[Any]:
        """The operators of :meth:`matrix` as SciPy's ``LinearOperator``, which need no matrix.

        Parameters
        ----------
        shape : sequence of int, optional
            Of the array, x1 last; not needed with ``axes``.
        method : str
            fd, rbffd, gauss, kernel; with boundaries fd.
        size : int or sequence of int
            Points along the axes, x1 first.
        boundary : str or mapping of str
            As in :meth:`matrix`.
        axes : sequence of sequences of numbers, optional
            As in :meth:`matrix`.
        **options
            Those of :meth:`stencils`.

        Returns
        -------
        list of scipy.sparse.linalg.LinearOperator
            In the order of the elements.

        Raises
        ------
        SpecError
            Options, boundaries or places that do not go together.

        Examples
        --------
        >>> from pdobasis import solve
        >>> laplacian = solve("O(1)", "trivial", "trivial", order=2).linear_operators((4,))[1]
        >>> (laplacian @ [1.0, 0, 0, 0]).astype(int).tolist()
        [-2, 1, 0, 1]
        """
        from pdobasis.stencils.of_basis import basis_operators

        return basis_operators(self, shape, method, size, boundary, axes, options)

    def on_cloud(
        self,
        points: ArrayLike,
        neighbours: int | None = None,
        *,
        targets: ArrayLike | None = None,
        method: str = "rbffd",
        boundary: ArrayLike | None = None,
        normals: ArrayLike | None = None,
        ghost_layers: int = 1,
        hyperviscosity: int | None = None,
        **options: Unpack[CloudKeywords],
    ) -> CloudMatrices:
        """One sparse matrix per element, from fields (c_in, points) to fields (c_out, targets).

        Each target (all points, if none are given) takes its nearest points, and those as near as the last of them.
        ``boundary`` (numbers of points), ``normals`` (outwards) and ``ghost_layers`` add ghosts behind a boundary;
        ``hyperviscosity=p`` a damping by the p-th power of the Laplacian. Other options are those of the method.

        Parameters
        ----------
        points : array_like, (points, d)
            Where fields are known.
        neighbours : int, optional
            How many points a target takes; twice as many as there are polynomials, if not given.
        targets : array_like, (targets, d), optional
            Where derivatives are wanted; at the points, if not given.
        method : str
            rbffd, or gauss with ``sigma``.
        boundary : array_like of int, optional
            Numbers of the points on the boundary.
        normals : array_like, (boundary, d), optional
            Outward normals there.
        ghost_layers : int
            Layers of ghosts behind the boundary.
        hyperviscosity : int, optional
            The power of the Laplacian that damps.
        **options
            Those of the method: ``phi``, ``epsilon``, ``degree``, ``sigma``, …

        Returns
        -------
        CloudMatrices
            In the order of the elements.

        Raises
        ------
        SpecError
            Points, normals or options that do not go together.
        StencilError
            Fewer points than neighbours, or points that settle no derivative.

        Examples
        --------
        >>> import numpy as np
        >>> from pdobasis import solve
        >>> points = np.random.default_rng(0).random((50, 2))
        >>> gradient = solve("SO(2)", "trivial", "vector", order=1).on_cloud(points)[0]
        >>> np.round(gradient([points[:, 0]])[:, 0], 9).tolist()  # of x1
        [1.0, 0.0]
        """
        from pdobasis.stencils.of_basis import basis_on_cloud

        return basis_on_cloud(
            self,
            points,
            neighbours,
            targets,
            method,
            options,
            boundary=boundary,
            normals=normals,
            ghost_layers=ghost_layers,
            hyperviscosity=hyperviscosity,
        )

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
        """The matrices of :meth:`on_cloud` in blocks of rows, as files of a folder, for clouds that exceed memory.

        ``points`` is an array, also one on disk, or a .npy file; ``block`` the number of points that are in memory at
        once (a million); ``executor`` shares the blocks (of ``concurrent.futures``, or Dask's ``get_executor()``).

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
        >>> from pdobasis import solve
        >>> points = np.random.default_rng(0).random((500, 2))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     blocks = solve("SO(2)", "trivial", "vector", order=1).on_cloud_blocks(points, folder, block=200)
        ...     len(blocks)
        3
        """
        from pdobasis.stencils.of_basis import basis_on_cloud_blocks

        return basis_on_cloud_blocks(
            self, points, folder, neighbours, method, block, executor, options
        )

    def on_lattice(
        self,
        lattice: Lattice | str,
        window: int | str | Sequence[Sequence[int]] = "ball 1",
        method: str = "fd",
        *,
        accuracy: int = 2,
        isotropic: int = 0,
        isotropic_group: str | Group | None = None,
        decay: Number = 1,
        **options: Unpack[LatticeKeywords],
    ) -> LatticeStencils:
        """Stencils on a window of a lattice, closed under all symmetries that it shares with the group.

        A window is the side of a box, "ball r", or a list of nodes. ``fd`` has exact weights: the least Σ w² / decay^s
        (s numbers the distances of nodes) with this ``accuracy``, and errors that are ``isotropic`` up to this degree
        (or commute with ``isotropic_group`` up to there). Other methods (rbffd, gauss) take the nodes as points;
        kernel samples rings, and its angular parts are proved.

        Parameters
        ----------
        lattice : Lattice or str
            square, hexagonal, cubic, bcc, fcc, or one's own.
        window : int, str or sequence of nodes
            As above.
        method : str
            fd, rbffd, gauss, kernel.
        accuracy : int
            Of fd: the order of accuracy.
        isotropic : int
            Of fd: the degree up to which errors commute with all rotations.
        isotropic_group : str or Group, optional
            Of fd: with which they commute instead, one around the group of the question.
        decay : number
            Of fd: weights of distant nodes cost more, if it is below 1.
        **options
            Those of the other methods.

        Returns
        -------
        LatticeStencils
            With ``prove()`` and ``matrix()``.

        Raises
        ------
        SpecError
            A lattice, a window or an option that nobody knows.
        StencilError
            A window too small for the order.

        Examples
        --------
        >>> from pdobasis import solve
        >>> found = solve("D6", "trivial", "trivial", order=2).on_lattice("hexagonal")
        >>> found.prove(), found.weights[1, 0, 0].round(12).tolist()
        (True, [0.666666666667, 0.666666666667, 0.666666666667, -4.0, 0.666666666667, 0.666666666667, 0.666666666667])
        """
        from pdobasis.stencils.of_basis import on_lattice

        return on_lattice(
            self,
            lattice,
            window,
            method,
            accuracy=accuracy,
            isotropic=isotropic,
            isotropic_group=isotropic_group,
            decay=decay,
            **options,
        )

    def fourier(self) -> Multipliers:
        r"""The multipliers P(ik): the PDOs in Fourier space, with
        $\hat f(k) = \int f(x)\, e^{-ik\cdot x}\, dx$.

        Returns
        -------
        Multipliers
            One for each element.

        Examples
        --------
        >>> from pdobasis import solve
        >>> print(solve("O(2)", "trivial", "trivial").fourier()[1])
        [-k₁² - k₂²]
        """
        from pdobasis.answer.fourier import Multipliers

        return Multipliers(self)

    def gaussian_kernels(self) -> GaussianKernels:
        r"""The steerable kernels $D(P)\,G_\sigma$, exactly, for every σ.

        For groups that keep a length; others are refused.

        Returns
        -------
        GaussianKernels
            One for each element.

        Raises
        ------
        SpecError
            The group keeps no length.

        Examples
        --------
        >>> from pdobasis import solve
        >>> print(solve("O(2)", "trivial", "trivial").gaussian_kernels()[1])
        [-2/sigma**2 + x1**2/sigma**4 + x2**2/sigma**4] G_sigma
        """
        from pdobasis.answer.gaussian_kernels import gaussian_kernels

        return gaussian_kernels(self)

    def homogeneous_kernels(self, degree: int | Fraction) -> HomogeneousKernels:
        r"""The steerable kernels $|x|^{s-n} P(x)$ of degree s.

        For groups that keep a length; others are refused.

        Parameters
        ----------
        degree : int or Fraction
            s, the degree of all kernels.

        Returns
        -------
        HomogeneousKernels
            One for each element of which there is one.

        Raises
        ------
        SpecError
            The group keeps no length.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("O(2)", "trivial", "vector", order=1).homogeneous_kernels(-1).matrix(0)
        Matrix([
        [x1/(x1**2 + x2**2)],
        [x2/(x1**2 + x2**2)]])
        """
        from pdobasis.answer.homogeneous_kernels import homogeneous_kernels

        return homogeneous_kernels(self, degree)

    def coordinates(self, op: Any) -> list[Any]:
        """The exact numbers in front of the elements that make up an operator; SpecError when it is not in the span.

        An operator is an :class:`~pdobasis.algebra.operator.Operator`, an element, or a matrix of texts.

        Parameters
        ----------
        op : Operator, Element, str or rows of texts
            What is asked for.

        Returns
        -------
        list
            One exact number for each element.

        Raises
        ------
        SpecError
            It is no sum of the elements.

        Examples
        --------
        >>> from pdobasis import solve
        >>> [str(c) for c in solve("O(2)", "trivial", "trivial").coordinates("3 - d1^2/2 - d2^2/2")]
        ['3', '-1/2']
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
        """The operators P with P* = P.

        Returns
        -------
        OperatorSpace
            The subspace of the span.

        Raises
        ------
        SpecError
            The fields of both sides differ.

        Examples
        --------
        >>> from pdobasis import solve
        >>> [op.name for op in solve("SO(2)", "trivial", "trivial").self_adjoint()]
        ['identity', 'Laplacian']
        """
        from pdobasis.algebra.spaces import with_adjoint

        return with_adjoint(self, 1)

    def skew(self) -> OperatorSpace:
        """The operators P with P* = -P.

        Returns
        -------
        OperatorSpace
            The subspace of the span.

        Raises
        ------
        SpecError
            The fields of both sides differ.

        Examples
        --------
        >>> from pdobasis import solve
        >>> [op.name for op in solve("SO(3)", "vector", "vector", order=1).self_adjoint()]
        ['identity', 'curl']
        >>> len(solve("SO(3)", "vector", "vector", order=1).skew())
        0
        """
        from pdobasis.algebra.spaces import with_adjoint

        return with_adjoint(self, -1)

    def latex(self) -> str:
        r"""The elements as LaTeX.

        Returns
        -------
        str
            For mathematical mode.

        Examples
        --------
        >>> from pdobasis import solve
        >>> print(solve("O(2)", "trivial", "vector", order=1).latex())
        \begin{pmatrix} \partial_{1} \\ \partial_{2} \end{pmatrix}
        """
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
