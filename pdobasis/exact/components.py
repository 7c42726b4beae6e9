"""Connected components, of the columns of a matrix and of what is given as one."""

from __future__ import annotations

import numpy as np

from pdobasis.exact.types import IndexArray


def component_labels(
    rows: IndexArray, columns: IndexArray, shape: tuple[int, int]
) -> IndexArray:
    """For every column the smallest column connected with it through rows."""
    height, width = shape
    label = np.arange(width)
    while True:
        least = np.full(height, width)
        np.minimum.at(least, rows, label[columns])
        new = label.copy()
        np.minimum.at(new, columns, least[rows])
        # A label is itself a column. Giving the news to it hooks whole trees
        # together, and following it once halves the paths: a chain of n
        # unknowns takes about log n rounds, not n.
        np.minimum.at(new, label, new)
        new = new[new]
        if np.array_equal(new, label):
            return label
        label = new


def numbered(classes: IndexArray) -> IndexArray:
    """The position of every member within its class.

    >>> numbered(np.array([7, 4, 7, 7])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(classes, kind="stable")
    ordered = classes[order]
    first = np.searchsorted(ordered, ordered)
    out = np.empty(len(classes), dtype=np.int64)
    out[order] = np.arange(len(classes)) - first
    return out
