"""Linear relations between symbols, exactly."""

from __future__ import annotations

import numpy as np

from pdobasis.linear.sparse import Sparse
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.operators.symbols import Symbols


def relations(part: Symbols) -> int:
    """The number of independent linear relations between the elements, found
    and verified.
    """
    if not part.size:
        return 0
    mask = part.coefficients.nonzero_mask()
    entry, monomial = np.nonzero(mask)
    pair = part.row[entry] * part.shape[1] + part.column[entry]
    place = pair * mask.shape[1] + monomial
    names, rows = np.unique(place, return_inverse=True)
    values = part.coefficients[entry, monomial]
    # A row for each coefficient that occurs, a column for each element: a null
    # vector is a relation.
    shape = (len(names), part.size)
    system = Sparse(rows, part.element[entry], values, shape)
    return null_space_in_stages([system]).shape[0]
