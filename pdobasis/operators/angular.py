r"""The harmonic PDOs in the span of given ones, $\Delta P = 0$ as polynomials:
the angular parts of steerable kernels.

For $G \le O(d)$ the kernel constraint $K(gx) = \rho_{out}(g) K(x)
\rho_{in}(g)^{-1}$ on the sphere is solved by the equivariant harmonic
polynomials, since every polynomial on the sphere is one (Fischer).

A solver finds harmonic symbols from a question; here a basis is given, perhaps
read from a file, and it need not be that of a solver.
"""

from __future__ import annotations

import numpy as np

from pdobasis.errors import GroupError
from pdobasis.exact.array import integers
from pdobasis.exact.polynomials import count
from pdobasis.exact.scattered import runs
from pdobasis.groups.group import Group
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse, scatter_sum
from pdobasis.operators.laplacian import laplacian
from pdobasis.operators.symbols import Symbols, symbols


def harmonic_part(part: Symbols, group: Group) -> Symbols:
    """A basis of the combinations of these elements that are harmonic."""
    if not group.is_orthogonal:
        raise GroupError(
            "steerable kernels are sampled on rings, "
            f"which {group.name} does not keep: use fd or rbffd"
        )
    if part.order < 2 or not part.size:
        return part
    # A combination is harmonic when the Laplacians of its elements cancel.
    keep = null_space(_laplacians(part))
    return _combinations(part, keep)


def _laplacians(part: Symbols) -> Sparse:
    """Column e holds the coefficients of the Laplacian of element e."""
    table = integers(laplacian(part.dim, part.order))
    image = part.coefficients @ table
    width = count(part.dim, part.order - 2)
    pairs = part.row * part.shape[1] + part.column
    rows = (pairs[:, None] * width + np.arange(width)).ravel()
    columns = np.repeat(part.element, width)
    height = part.shape[0] * part.shape[1] * width
    values = image.reshape(image.size)
    return Sparse(rows, columns, values, (height, part.size))


def _combinations(part: Symbols, keep: Sparse) -> Symbols:
    """Row k of ``keep`` combines the elements to element k."""
    rows, columns = part.shape
    starts = np.searchsorted(part.element, np.arange(part.size + 1))
    member, source = runs(starts, keep.columns)
    weights = keep.values.take(member).reshape(len(member), 1)
    values = part.coefficients.take(source) * weights
    # Entries of one combination that stand in the same place are added up.
    place = part.row[source] * columns + part.column[source]
    key = keep.rows[member] * (rows * columns) + place
    places, slots = np.unique(key, return_inverse=True)
    total = scatter_sum(values, slots, len(places))
    element, rest = np.divmod(places, rows * columns)
    row, column = np.divmod(rest, columns)
    size = keep.shape[0]
    entries = (element, row, column)
    return symbols(part.dim, part.order, size, part.shape, entries, total)
