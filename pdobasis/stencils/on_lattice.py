r"""The stencils of a basis on a lattice: exact weights on a closed window, and the proof that they are equivariant.

With $x = A n$ the derivatives are $\partial_x = A^{-T} \partial_n$. Moments of whole n are rational, so that an
operator over a number field has one rational system for each of its parts over the field's basis, and weights in the
field. Arrays hold them in skew coordinates, n1 along the last axis: a convolution of arrays applies them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError, require_type
from pdobasis.exact.array import (
    ExactArray,
    exact,
    integers,
    same_denominator,
    zeros,
)
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import monomials
from pdobasis.groups.group import Group
from pdobasis.question.field_type import FieldType
from pdobasis.stencils.cloud import Neighbourhoods
from pdobasis.stencils.cloud_matrices import CloudWeights
from pdobasis.stencils.combine import combine
from pdobasis.stencils.commuting import in_other_coordinates
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.grids import Grid, Number
from pdobasis.stencils.larger_group import larger_group
from pdobasis.stencils.lattices import Lattice, Node, Symmetry
from pdobasis.stencils.matrices import GridMatrix, periodic_matrix, space_of
from pdobasis.stencils.moment_system import MomentSystem, NodeSet, Wish, flat
from pdobasis.stencils.rationals import echelon
from pdobasis.stencils.registry import require_options

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.stencils.keywords import CloudKeywords

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LatticeStencils:
    """Weights (elements, c_out, c_in, nodes) of a basis on the nodes of a window.

    ``exact`` are the same in the number field, where the method has them; ``symmetries`` all that group and lattice
    share.
    """

    basis: Basis
    lattice: Lattice
    nodes: tuple[Node, ...]
    weights: Array
    symmetries: tuple[Symmetry, ...]
    exact: ExactArray | None = None

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
            raise SpecError("only weights of fd are exact numbers: see defects()")
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
    **options: Unpack[CloudKeywords],
) -> LatticeStencils:
    """As `pdobasis.answer.basis.Basis.on_lattice` says."""
    group = basis.problem.group
    if isinstance(lattice, str):
        lattice = Lattice.named(lattice)
    require_type(lattice, Lattice, "a lattice", "a name such as square, or a Lattice")
    for number, name in ((accuracy, "accuracy"), (isotropic, "isotropic")):
        require_type(number, int, name, "a whole number")
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
        found = _Exact(basis, lattice, nodes, wish, _decay(decay)).weights()
        return LatticeStencils(
            basis, lattice, nodes, to_float(found), symmetries, found
        )
    own = CloudWeights.of(method, basis.problem.order, lattice.dim, len(nodes), options)
    near = Neighbourhoods(np.arange(len(nodes))[None], np.array([len(nodes)]))
    alphas = basis.monomials()
    points = lattice.coordinates(nodes)
    stencils = own.method.cloud(
        points, np.zeros((1, lattice.dim)), alphas, near, own.options
    )
    weights = combine(basis.coefficients(), stencils.weights[0])
    return LatticeStencils(basis, lattice, nodes, weights, symmetries)


def nodes_of(
    lattice: Lattice, window: int | str | Sequence[Sequence[int]], group: Group
) -> tuple[Node, ...]:
    """A closed window: what remains of a box or a ball, or one's own nodes and all that symmetries make of them."""
    if isinstance(window, (int, str)):
        # A ball is closed where lengths are kept.
        return lattice.kept(window_nodes(lattice, window), group)
    return lattice.closed(window, group)


def window_nodes(
    lattice: Lattice, window: int | str | Sequence[Sequence[int]]
) -> tuple[Node, ...]:
    """The points of a box of n along each axis, of "ball r", or nodes of one's own."""
    if isinstance(window, int):
        return lattice.box(window)
    if isinstance(window, str):
        word, _, radius = window.partition(" ")
        if word != "ball" or not radius.strip():
            raise SpecError(
                f'a window is the side of a box, "ball r" (as "ball sqrt(3)"), or a list of nodes; got {window!r:.40}'
            )
        return lattice.ball(radius.strip())
    nodes = tuple(sorted({tuple(int(v) for v in node) for node in window}))
    if not nodes or any(len(node) != lattice.dim for node in nodes):
        raise SpecError(f"a node of this lattice has {lattice.dim} whole coordinates")
    return nodes


@dataclass(frozen=True, slots=True, eq=False)
class _Exact:
    basis: Basis
    lattice: Lattice
    nodes: tuple[Node, ...]
    wish: Wish
    decay: Fraction

    def weights(self) -> ExactArray:
        """(elements, c_out, c_in, nodes) over the number field."""
        problem = self.basis.problem
        shape = (problem.out_type.size, problem.in_type.size, len(self.nodes))
        parts = list(self._parts())
        if not parts:
            return zeros((0, *shape))
        return _assembled(parts, (self.basis.dimension, *shape))

    def _parts(self) -> Iterator[tuple[int, Any, ExactArray]]:
        """(first element, places, weights) of every block and order, as in ``Basis.coefficients``."""
        at = 0
        for order in range(self.basis.problem.order + 1):
            solved = self._solved(order)
            for block, moved in zip(self.basis.blocks, solved, strict=True):
                part = block.orders[order]
                for r, c in self.basis.offsets(block):
                    yield at, (part.element, part.row + r, part.column + c), moved
                    at += part.size

    def _solved(self, order: int) -> list[ExactArray]:
        """The weights (entries, nodes) of the coefficients of every block."""
        change = in_steps(self.lattice, order)
        moved = [b.orders[order].coefficients @ change for b in self.basis.blocks]
        rows = []
        for own in moved:
            flattened = np.moveaxis(own.numerators, -1, 0).reshape(-1, change.shape[1])
            rows += [
                [Fraction(int(v)) for v in row]
                for row in flattened.tolist()
                if any(row)
            ]
        reduced = [row for row in echelon(rows) if any(row)]
        if not reduced:
            return [zeros((len(own), len(self.nodes)), own.field) for own in moved]
        alphas = monomials(self.lattice.dim, order)
        space = [dict(zip(alphas, row, strict=True)) for row in reduced]
        solved = _fractions(self._of_space(space, order))
        # In echelon form the coordinates of a row are its entries at the pivots.
        pivots = np.array([next(j for j, v in enumerate(row) if v) for row in reduced])
        return [own[:, pivots] @ solved.over(own.field) for own in moved]

    def _of_space(self, space: list[Any], order: int) -> list[list[Fraction]]:
        origin = (0,) * self.lattice.dim
        if order == 0:
            return [[u[origin] * int(n == origin) for n in self.nodes] for u in space]
        system = MomentSystem.of(space, order, self._node_set(), self.wish)
        found = system.solve()
        if found is None:
            raise StencilError(
                f"no stencil on these {len(self.nodes)} nodes has the derivatives of order {order} with accuracy "
                f"{self.wish.accuracy} and isotropic errors up to degree {self.wish.isotropic}: use a larger window"
            )
        return found

    def _node_set(self) -> NodeSet:
        metric = self.lattice.metric
        if metric is None:
            if self.wish.isotropic:
                raise StencilError(
                    "isotropic errors need a lattice whose lengths and angles have rational products"
                )
            metric = flat(self.lattice.dim)
        if self.wish.isotropic and not self.basis.problem.group.is_orthogonal:
            raise StencilError(
                f"{self.basis.problem.group.name} keeps no length: leave out isotropic"
            )
        places = tuple(tuple(Fraction(v) for v in n) for n in self.nodes)
        return NodeSet(places, self._bells(), metric)

    def _bells(self) -> tuple[Fraction, ...]:
        """decay^s for the s-th distance from the origin."""
        if self.decay == 1:
            return (Fraction(1),) * len(self.nodes)
        if not self.basis.problem.group.is_orthogonal:
            raise StencilError(
                f"{self.basis.problem.group.name} keeps no length: leave out decay"
            )
        shells = self.lattice.shells(self.nodes)
        return tuple(self.decay ** shells[n] for n in self.nodes)


def in_steps(lattice: Lattice, order: int) -> ExactArray:
    """(α, β): the coefficients of k_x^α over k_n^β, where k_x = A^{-T} k_n."""
    alphas = monomials(lattice.dim, order)
    where = {alpha: k for k, alpha in enumerate(alphas)}
    dim = lattice.dim
    # Rows of A^{-T}: what ∂_i is in steps.
    rows = lattice.inverse.T
    out = zeros((len(alphas), len(alphas)), rows.field).numerators.copy().astype(object)
    denominator = rows.denominator**order
    for k, alpha in enumerate(alphas):
        terms: dict[Node, ExactArray] = {(0,) * dim: integers(1, rows.field)}
        for axis, power in enumerate(alpha):
            for _ in range(power):
                terms = _times(terms, rows[axis])
        for beta, value in terms.items():
            scaled = value.scale(denominator)
            out[k, where[beta]] = scaled.numerators.astype(object) // scaled.denominator
    return exact(out, denominator, rows.field)


def _times(terms: dict[Node, ExactArray], row: ExactArray) -> dict[Node, ExactArray]:
    out: dict[Node, ExactArray] = {}
    for beta, value in terms.items():
        for j in range(len(row)):
            raised = (*beta[:j], beta[j] + 1, *beta[j + 1 :])
            term = value * row[j]
            if raised in out:
                term = out[raised] + term
            out[raised] = term
    return out


def _fractions(rows: list[list[Fraction]]) -> ExactArray:
    common = int(
        np.lcm.reduce(
            np.array([v.denominator for row in rows for v in row], dtype=object)
        )
    )
    numerators = [[[int(v * common)] for v in row] for row in rows]
    return exact(np.array(numerators, dtype=object), common, RATIONALS)


def _assembled(
    parts: list[tuple[int, Any, ExactArray]], shape: tuple[int, ...]
) -> ExactArray:
    numerators, common, field = same_denominator([own for _, _, own in parts])
    out = np.zeros((*shape, field.degree), dtype=object)
    for (at, (element, row, column), _), own in zip(parts, numerators, strict=True):
        out[at + np.asarray(element), row, column] = own
    return exact(out, common, field)


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


def _decay(value: Any) -> Fraction:
    try:
        found = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 1:
        raise SpecError(f"decay= is a number above 0 and at most 1, got {value!r:.40}")
    return found
