r"""The stencils of a basis on a lattice: exact weights on a closed window, and the proof that they are equivariant.

Arrays hold them in skew coordinates, n1 along the last axis: a convolution of arrays applies them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import Group
from pdobasis.question.field_type import FieldType
from pdobasis.stencils.cloud import Neighbourhoods
from pdobasis.stencils.cloud_matrices import CloudWeights
from pdobasis.stencils.combine import combine
from pdobasis.stencils.commuting import in_other_coordinates
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.grids import Grid, Number
from pdobasis.stencils.larger_group import larger_group
from pdobasis.stencils.lattice_atoms import angular_values, averaged
from pdobasis.stencils.lattice_weights import ExactWeights, as_decay, nodes_of
from pdobasis.stencils.lattices import Lattice, Node, Symmetry
from pdobasis.stencils.matrices import GridMatrix, periodic_matrix, space_of
from pdobasis.stencils.moment_system import Wish
from pdobasis.stencils.options import only_given
from pdobasis.stencils.registry import find, kernel_names, require_options

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.stencils.keywords import LatticeKeywords

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LatticeStencils:
    """Weights (elements, c_out, c_in, nodes) of a basis on the nodes of a window.

    ``exact`` are the same in the number field, where the method has them; for kernels the angular parts, (elements of
    the basis, …), which rings multiply by functions of the exact distance. ``symmetries`` are all that group and
    lattice share.
    """

    basis: Basis
    lattice: Lattice
    nodes: tuple[Node, ...]
    weights: Array
    symmetries: tuple[Symmetry, ...]
    exact: ExactArray | None = None
    rings: tuple[int, ...] | None = None
    """The ring of every kernel; None for PDOs."""

    def __repr__(self) -> str:
        p = self.basis.problem
        kind = "exact"
        if self.exact is None:
            kind = "float64"
        return (
            f"<LatticeStencils of {len(self.weights)} PDOs: {p.group.name}, {p.in_type} -> {p.out_type}, "
            f"{self.lattice.name}, {len(self.nodes)} nodes, {kind}>"
        )

    @property
    def arrays(self) -> Array:
        """(elements, c_out, c_in, *box): in skew coordinates, n1 along the last axis, zero outside of the window."""
        reach = np.abs(np.array(self.nodes)).max(axis=0)
        sizes = tuple(int(2 * r + 1) for r in reach[::-1])
        out = np.zeros((*self.weights.shape[:3], *sizes))
        for k, node in enumerate(self.nodes):
            place = tuple(
                int(n + r) for n, r in zip(node[::-1], reach[::-1], strict=True)
            )
            target: Any = (..., *place)
            out[target] = self.weights[..., k]
        return out

    def matrix(self, shape: Sequence[int]) -> list[GridMatrix]:
        """One sparse matrix per element, on a periodic array (n1 last)."""
        arrays = self.arrays
        space = space_of(shape, self.lattice.dim)
        if any(n < size for n, size in zip(space, arrays.shape[3:], strict=True)):
            raise SpecError(
                f"a window of {arrays.shape[3:]} does not fit on a periodic array of {space}"
            )
        grid = Grid.regular(self.lattice.dim, arrays.shape[:2:-1])
        return [periodic_matrix(grid, own, space) for own in arrays]

    def defects(self) -> list[tuple[NDArray[np.int64], float]]:
        r"""The largest $|\rho_{out}(g) W(g^{-1} y) \rho_{in}(g)^{-1} - W(y)|$ over the largest |W|, for all g."""
        scale = float(np.abs(self.weights).max(initial=0.0)) or 1.0
        out = []
        for g, m in self.symmetries:
            rho_out, rho_in = (to_float(_at(t, g)) for t in self._types)
            # W(n) moves to M n.
            moved = np.einsum(
                "ab,ebcn,cd->eadn", rho_out, self.weights, np.linalg.inv(rho_in)
            )
            missed = np.abs(moved - self.weights[..., self._images(m)]).max(initial=0.0)
            out.append((m, float(missed) / scale))
        return out

    def prove(self) -> bool:
        """Whether that is exactly zero, in the number field, for every shared symmetry."""
        if self.exact is None:
            raise SpecError(
                "only weights of fd and angular parts of kernels are exact numbers: see defects()"
            )
        # (elements, nodes, c_out, c_in), the last two being multiplied.
        own = self.exact.transpose(0, 3, 1, 2)
        for g, m in self.symmetries:
            rho_out, rho_in = (_at(t, g) for t in self._types)
            left = (own.transpose(0, 1, 3, 2) @ rho_out.T).transpose(0, 1, 3, 2)
            right = own @ rho_in
            if not left.equals(_nodes(right, self._images(m))):
                return False
        return True

    @property
    def _types(self) -> tuple[FieldType, FieldType]:
        return self.basis.problem.out_type, self.basis.problem.in_type

    def _images(self, m: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of M n for every node n."""
        where = {node: k for k, node in enumerate(self.nodes)}
        moved = np.array(self.nodes) @ m.T
        return np.array([where[tuple(n)] for n in moved.tolist()])


def on_lattice(
    basis: Basis,
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
    """As `pdobasis.answer.basis.Basis.on_lattice` says."""
    group = basis.problem.group
    lattice = Lattice.read(lattice)
    nodes = nodes_of(lattice, window, group)
    symmetries = lattice.symmetries(group)
    if (0,) * lattice.dim not in nodes:
        raise StencilError("a window needs the origin, where the derivative is taken")
    if method == "fd":
        require_options(
            options, [method], ("accuracy", "isotropic", "isotropic_group", "decay")
        )
        larger = None
        if isotropic_group is not None:
            named = larger_group(isotropic_group, group)
            larger = in_other_coordinates(named, lattice.matrix)
        wish = Wish(isotropic, accuracy, larger=larger)
        found = ExactWeights(basis, lattice, nodes, wish, as_decay(decay)).weights()
        return LatticeStencils(
            basis, lattice, nodes, to_float(found), symmetries, found
        )
    if method in kernel_names():
        return _kernels(basis, lattice, nodes, method, options)
    own = CloudWeights.of(method, basis.problem.order, lattice.dim, len(nodes), options)
    near = Neighbourhoods(np.arange(len(nodes))[None], np.array([len(nodes)]))
    alphas = basis.monomials()
    points = lattice.coordinates(nodes)
    stencils = own.method.cloud(
        points, np.zeros((1, lattice.dim)), alphas, near, own.options
    )
    atoms = averaged(stencils.weights[0], nodes, symmetries, basis.problem.order)
    weights = combine(basis.coefficients(), atoms)
    return LatticeStencils(basis, lattice, nodes, weights, symmetries)


def _kernels(
    basis: Basis,
    lattice: Lattice,
    nodes: tuple[Node, ...],
    method: str,
    options: Mapping[str, Any],
) -> LatticeStencils:
    """Kernels on rings; their angular parts at the nodes are exact numbers."""
    found = find(method)
    grid = around(lattice, nodes)
    require_options(options, [method], found.option_names)
    read = found.Options(**only_given(options, found.options))
    own = found.completed(read, grid, basis.problem.order)
    sampled = found.discretize(basis, grid, own)
    where = {node: k for k, node in enumerate(grid.lattice_nodes())}
    places = [where[node] for node in nodes]
    dense = sampled.dense()
    weights = dense.reshape(*dense.shape[:3], -1)[..., places]
    return LatticeStencils(
        basis,
        lattice,
        nodes,
        weights,
        lattice.symmetries(basis.problem.group),
        angular_values(basis, lattice, nodes),
        sampled.ring_of_elements(),
    )


def around(lattice: Lattice, nodes: Sequence[Node]) -> Grid:
    """The smallest box around the nodes, which alone have weight."""
    reach = np.abs(np.array(nodes)).max(axis=0)
    text = "; ".join(",".join(map(str, node)) for node in nodes)
    return Grid.regular(
        lattice.dim,
        [int(2 * r + 1) for r in reach],
        lattice=lattice,
        window=f"nodes {text}",
    )


def _at(field_type: FieldType, g: ExactArray) -> ExactArray:
    """rho(g) of a sum, exactly."""
    blocks: list[tuple[int, ExactArray]] = []
    for rep in field_type.distinct:
        own = rep.at(g)
        blocks += [(at, own) for at in field_type.offsets(rep)]
    return block_diagonal([own for _, own in sorted(blocks, key=lambda b: b[0])])


def _nodes(array: ExactArray, images: NDArray[np.int64]) -> ExactArray:
    """W at M n for every node n: (elements, nodes, …)."""
    return exact(array.numerators[:, images], array.denominator, array.field)
