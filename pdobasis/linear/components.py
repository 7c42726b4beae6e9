"""Systems that fall apart: connected components of unknowns and equations.

Unknowns are connected when an equation holds both. A permutation of
coordinates or of a fibre joins few of them, so that one large system is often
many small ones, most of them the same up to names.
"""

from __future__ import annotations

import numpy as np

from pdobasis.exact.components import component_labels
from pdobasis.exact.types import IndexArray
from pdobasis.linear.sparse import Sparse


def components(system: Sparse) -> list[tuple[IndexArray, Sparse]]:
    """(the unknowns, the system in their local numbering) of each."""
    width = system.shape[1]
    label = component_labels(system.rows, system.columns, system.shape)
    roots, component = np.unique(label, return_inverse=True)
    columns = _Groups(component, len(roots))
    local_column = np.empty(width, dtype=np.int64)
    first = columns.starts[component[columns.order]]
    local_column[columns.order] = np.arange(width) - first
    entries = _Groups(component[system.columns], len(roots))
    out = []
    for c in range(len(roots)):
        names, own = columns.members(c), entries.members(c)
        distinct, rows = np.unique(system.rows[own], return_inverse=True)
        shape = (len(distinct), len(names))
        place = local_column[system.columns[own]]
        local = Sparse(rows, place, system.values.take(own), shape)
        out.append((names, local))
    return out


class _Groups:
    """Positions by the class that they belong to."""

    def __init__(self, classes: IndexArray, count: int) -> None:
        self.order = np.argsort(classes, kind="stable")
        ordered = classes[self.order]
        self.starts = np.searchsorted(ordered, np.arange(count + 1))

    def members(self, c: int) -> IndexArray:
        return self.order[self.starts[c] : self.starts[c + 1]]
