r"""What a layer needs of a basis, as plain arrays: no torch here.

A layer repeats one small block for every pair of fields. The elements of a block fall into *components* that touch
disjoint entries (c_out, c_in): for C16 regular→regular, 160 elements in 16 components of 10. ``Pair`` packs them as
(components, elements, entries, atoms), so that the filter of a whole layer is one (batched) matrix product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.layers.fingerprint import (
    earlier_fingerprint,
    even_fingerprint,
    fingerprint,
    fingerprint_on_points,
)
from pdobasis.layers.invariants import invariant_vectors
from pdobasis.layers.pack import Packed, pack
from pdobasis.layers.placed import at
from pdobasis.layers.staggered import kinds
from pdobasis.question.field_type import FieldType
from pdobasis.stencils import Grid
from pdobasis.stencils.discretize import BlockStencils, Discretized, discretize


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """Channels that are repeated: ``offsets`` are the first channels of its copies."""

    spec: str
    size: int
    offsets: tuple[int, ...]
    invariants: NDArray[np.float64]

    @property
    def copies(self) -> int:
        return len(self.offsets)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The elements between two units, as they are printed; ``orders`` has the order of each."""

    out_index: int
    in_index: int
    packed: Packed
    orders: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LayerBasis:
    """Field types of one convolution group, atoms (atoms, *kernel), and the non-empty pairs of units.

    ``answer`` is the exact basis; a pair has its elements so many times (``copies``, one for each method), or they are
    kernels (None). Atom 0 is that of the monomial 1 (and of the innermost ring).

    Invariants: immutable, so a copy of a layer shares it; ``fingerprints`` depend on the exact basis and on how it
    was discretized, never on rounding. The first is the one that is saved with weights, all are accepted.
    """

    answer: Basis
    in_units: tuple[Unit, ...]
    out_units: tuple[Unit, ...]
    atoms: NDArray[np.float64]
    pairs: tuple[Pair, ...]
    fingerprints: tuple[bytes, ...]
    description: str
    copies: int | None
    grid: Grid | None = None
    """Where the taps are; None on scattered points."""
    placed: tuple[FieldType, FieldType] | None = None
    """In and out type with their places in the cell, on a staggered grid."""

    def __deepcopy__(self, memo: dict[int, Any]) -> LayerBasis:
        return self

    @property
    def in_type(self) -> FieldType:
        if self.placed is not None:
            return self.placed[0]
        return self.answer.problem.in_type

    @property
    def out_type(self) -> FieldType:
        if self.placed is not None:
            return self.placed[1]
        return self.answer.problem.out_type

    @property
    def fingerprint(self) -> bytes:
        return self.fingerprints[0]

    @property
    def taps(self) -> int:
        return int(np.prod(self.atoms.shape[1:]))


def from_discretized(
    parts: Sequence[Discretized], placed: tuple[FieldType, FieldType] | None = None
) -> LayerBasis:
    """The elements of all discretizations side by side: they may mix methods, not questions or sizes."""
    widths = [len(part.atoms) for part in parts]
    blocks = [
        _joined([part.blocks[k] for part in parts], widths)
        for k in range(len(parts[0].blocks))
    ]
    atoms, blocks = _of_one_size(np.concatenate([part.atoms for part in parts]), blocks)
    return _layer_basis(
        parts[0].basis,
        atoms,
        blocks,
        (
            fingerprint(parts, placed),
            earlier_fingerprint(parts, placed),
            even_fingerprint(parts, placed),
        ),
        " + ".join(_described(part) for part in parts),
        None if any(part.rings is not None for part in parts) else len(parts),
        parts[0].grid,
        placed,
    )


def from_monomials(basis: Basis, method: str, options: Mapping[str, Any]) -> LayerBasis:
    """The monomials themselves as atoms, for points whose weights come later.

    On a cloud the norms of the weights are not known yet: those of Gaussian stencils on a unit grid stand in.
    """
    # Odd, so that there is a node at the target, and wide enough for derivatives of this order.
    on_grid = discretize(basis, "gauss", 2 * basis.problem.order + 3)
    names = (fingerprint_on_points(on_grid, method, options),)
    described = ", ".join(
        [method, *(f"{name}={value}" for name, value in sorted(options.items()))]
    )
    return _layer_basis(basis, on_grid.atoms, on_grid.blocks, names, described, 1)


def _layer_basis(
    answer: Basis,
    atoms: NDArray[np.float64],
    blocks: Sequence[BlockStencils],
    fingerprints: tuple[bytes, ...],
    description: str,
    copies: int | None,
    grid: Grid | None = None,
    placed: tuple[FieldType, FieldType] | None = None,
) -> LayerBasis:
    problem = answer.problem
    sides = placed or (problem.in_type, problem.out_type)
    in_units, out_units = (units(fields) for fields in sides)
    if problem.truncation is not None:
        description += f", truncated to {problem.truncation.text}"
    pairs = [
        Pair(block.out_index, block.in_index, pack(block, atoms), block.orders)
        for block in blocks
        if block.size
    ]
    return LayerBasis(
        answer,
        in_units,
        out_units,
        atoms,
        tuple(pairs),
        fingerprints,
        description,
        copies,
        grid,
        placed,
    )


def units(fields: FieldType) -> tuple[Unit, ...]:
    """Of equal summands, and on a staggered grid at equal places."""
    reps = fields.distinct
    return tuple(
        Unit(
            at(reps[kind.summand].spec, kind.places),
            reps[kind.summand].size,
            kind.channels,
            invariant_vectors(reps[kind.summand]),
        )
        for kind in kinds(fields)
    )


def by_summand(
    basis: LayerBasis, values: Mapping[tuple[int, int], NDArray[np.float64]]
) -> dict[tuple[int, int], NDArray[np.float64]]:
    """(out copies, in copies, …) of pairs of units as those of pairs of summands, with all of their copies."""
    if basis.placed is None:
        return dict(values)
    ins, outs = (kinds(fields) for fields in basis.placed)
    plain = basis.answer.problem
    out: dict[tuple[int, int], NDArray[np.float64]] = {}
    for (o, i), own in values.items():
        target, source = outs[o], ins[i]
        starts = [
            fields.offsets(fields.distinct[kind.summand])
            for fields, kind in ((plain.out_type, target), (plain.in_type, source))
        ]
        shape = (len(starts[0]), len(starts[1]), *own.shape[2:])
        whole = out.setdefault((target.summand, source.summand), np.zeros(shape))
        rows, columns = (
            [every.index(k) for k in kind.channels]
            for every, kind in zip(starts, (target, source), strict=True)
        )
        whole[np.ix_(rows, columns)] = own
    return out


def _of_one_size(
    atoms: NDArray[np.float64], blocks: Sequence[BlockStencils]
) -> tuple[NDArray[np.float64], list[BlockStencils]]:
    """Atoms of norm about 1, and the elements over them: on a fine grid derivatives would not fit half precision.

    Powers of two, so that no digit of a stencil changes.
    """
    norms = np.sqrt(np.square(atoms.reshape(len(atoms), -1)).sum(axis=1))
    sizes = np.exp2(np.rint(np.log2(np.where(norms > 0, norms, 1.0))))
    smaller = atoms / sizes.reshape(-1, *(1,) * (atoms.ndim - 1))
    return smaller, [replace(b, values=b.values * sizes) for b in blocks]


def _joined(blocks: Sequence[BlockStencils], widths: Sequence[int]) -> BlockStencils:
    if len(blocks) == 1:
        return blocks[0]
    # The elements of one method stand behind those of the other, over atoms of their own.
    shifts = np.cumsum([0, *(b.size for b in blocks)])
    starts = np.cumsum([0, *widths])
    values = np.zeros((sum(len(b.element) for b in blocks), int(starts[-1])))
    at = 0
    for k, block in enumerate(blocks):
        values[at : at + len(block.element), starts[k] : starts[k + 1]] = block.values
        at += len(block.element)
    return BlockStencils(
        blocks[0].in_index,
        blocks[0].out_index,
        blocks[0].shape,
        tuple(n for b in blocks for n in b.orders),
        # One more shift than blocks: the last is the number of all elements.
        np.concatenate([b.element + s for b, s in zip(blocks, shifts, strict=False)]),
        np.concatenate([b.row for b in blocks]),
        np.concatenate([b.column for b in blocks]),
        values,
    )


def _described(part: Discretized) -> str:
    options = "".join(f", {k}={v}" for k, v in part.options)
    if part.grid.lattice is not None:
        options += f", lattice={part.grid.lattice.name}"
    return f"{part.method}{options}, size {part.grid.size}"
