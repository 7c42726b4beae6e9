"""Elements of a block, packed by the entries that they touch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.discretize import BlockStencils

MERGE_BELOW = 200_000
"""Numbers in the stencils of a block below which one dense product beats a batch of small ones."""
WORTH = 2
"""How much smaller the packed elements have to be."""


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """``coefficients`` (components, elements, entries, atoms).

    ``elements`` (components, elements) says which element stands where (padding repeats element 0, which stands first,
    with zero coefficients); ``source`` (c_out * c_in) where among (components * entries) each entry of the block is
    found. Both are None where they change nothing.
    """

    shape: tuple[int, int]
    size: int
    coefficients: NDArray[np.float64]
    elements: NDArray[np.int64] | None
    source: NDArray[np.int64] | None

    def on_atom(self, atom: int) -> NDArray[np.float64]:
        """(elements, c_out, c_in): the coefficients of all elements over one atom."""
        return self.spread(self.coefficients[..., atom, None])[..., 0]

    def filters(self, atoms: NDArray[np.float64]) -> NDArray[np.float64]:
        """(elements, c_out, c_in, taps): all elements, multiplied out."""
        return self.spread(self.coefficients @ atoms.reshape(len(atoms), -1))

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(elements, c_out, c_in, k) of values that are packed as the coefficients are."""
        if self.elements is None or self.source is None:
            return np.asarray(values[0].reshape(self.size, *self.shape, -1))
        entries = np.arange(len(self.source))[:, None]
        out = np.zeros((self.size, len(entries), values.shape[3]))
        component, slot = np.divmod(self.source, values.shape[2])
        # Padding stands for element 0, and adds nothing to it.
        np.add.at(out, (self.elements[component], entries), values[component, :, slot])
        return out.reshape(self.size, *self.shape, -1)


def pack(block: BlockStencils, atoms: NDArray[np.float64]) -> Packed:
    entries = block.shape[0] * block.shape[1]
    # A layer holds the elements over atoms (jets) or over taps (stencils): the larger of the two counts.
    dense = block.size * entries * max(len(atoms), int(np.prod(atoms.shape[1:])))
    if dense <= MERGE_BELOW:
        return _merged(block)
    packed = _split(block)
    padded = int(np.prod(packed.coefficients.shape[:3]))
    if padded * WORTH < block.size * entries:
        return packed
    return _merged(block)


def _merged(block: BlockStencils) -> Packed:
    entries = block.shape[0] * block.shape[1]
    out = np.zeros((1, block.size, entries, block.values.shape[1]))
    out[0, block.element, block.row * block.shape[1] + block.column] = block.values
    return Packed(block.shape, block.size, out, None, None)


def _split(block: BlockStencils) -> Packed:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    entries = block.shape[0] * block.shape[1]
    pair = block.row * block.shape[1] + block.column
    nodes = block.size + entries
    # Elements and entries as nodes of a graph: components share no entry, so each is a product of its own.
    # 32-bit indices: given others, SciPy 1.11 reports an error to nobody and labels every node -9999
    ends = block.element.astype(np.int32), (block.size + pair).astype(np.int32)
    graph = coo_array((np.ones(len(pair)), ends), shape=(nodes, nodes))
    _, labels = connected_components(graph, directed=False)
    used, component = np.unique(labels[: block.size], return_inverse=True)
    # An entry that no element touches is a component of its own, which is not among those used.
    of_pair = np.searchsorted(used, labels[block.size :])
    touched = (of_pair < len(used)) & np.isin(labels[block.size :], used)
    element_slot, most_elements = _slots(component, len(used))
    # Untouched entries get a class behind all others, whose size does not count.
    pair_slot, most_pairs = _slots(np.where(touched, of_pair, len(used)), len(used))
    # Components are padded to the largest one, so that a batched product serves all.
    width = most_pairs + int(
        not touched.all()
    )  # one empty place for entries that are always zero
    out = np.zeros((len(used), most_elements, width, block.values.shape[1]))
    out[component[block.element], element_slot[block.element], pair_slot[pair]] = (
        block.values
    )
    elements = np.zeros((len(used), most_elements), dtype=np.int64)
    elements[component, element_slot] = np.arange(block.size)
    source = np.where(
        touched, np.where(touched, of_pair, 0) * width + pair_slot, width - 1
    )
    return Packed(block.shape, block.size, out, elements, source)


def _slots(labels: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], int]:
    """The position of every member within its class, and the size of the largest class with a label below count."""
    # Stable: members of a class keep their order, so the packing is the same on every machine.
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels, minlength=count)
    starts = np.cumsum([0, *sizes[:-1]])
    slot = np.empty(len(labels), dtype=np.int64)
    slot[order] = np.arange(len(labels)) - starts[labels[order]]
    return slot, int(sizes[:count].max(initial=0))
