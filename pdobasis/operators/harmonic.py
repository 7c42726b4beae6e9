r"""The harmonic PDOs of a basis, $\Delta P = 0$ as polynomials: the angular parts of steerable kernels.

For $G \le O(d)$ the kernel constraint $K(gx) = \rho_{out}(g) K(x) \rho_{in}(g)^{-1}$ on the sphere is solved by the
equivariant harmonic polynomials, since every polynomial on the sphere is one (Fischer).
"""

from __future__ import annotations

import numpy as np

from pdobasis.errors import GroupError
from pdobasis.exact.array import integers
from pdobasis.exact.polynomials import count
from pdobasis.groups.group import Group
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse, scatter_sum
from pdobasis.operators.laplacian import laplacian
from pdobasis.operators.symbols import Symbols, symbols


def harmonic_part(part: Symbols, group: Group) -> Symbols:
    """A basis of the combinations of these elements that are harmonic."""
    if not group.is_orthogonal:
        raise GroupError(f"steerable kernels are sampled on rings, which {group.name} does not keep: use fd or rbffd")
    if part.order < 2 or not part.size:
        return part
    keep = null_space(_laplacians(part))
    return _combinations(part, keep)


def _laplacians(part: Symbols) -> Sparse:
    """Column e holds the coefficients of the Laplacian of element e."""
    image = part.coefficients @ integers(laplacian(part.dim, part.order))
    width = count(part.dim, part.order - 2)
    pairs = part.row * part.shape[1] + part.column
    rows = (pairs[:, None] * width + np.arange(width)).ravel()
    columns = np.repeat(part.element, width)
    return Sparse(
        rows,
        columns,
        image.reshape(image.size),
        (part.shape[0] * part.shape[1] * width, part.size),
    )


def _combinations(part: Symbols, keep: Sparse) -> Symbols:
    """Row k of ``keep`` combines the elements to element k."""
    pairs = part.shape[0] * part.shape[1]
    first = np.searchsorted(part.element, keep.columns, side="left")
    last = np.searchsorted(part.element, keep.columns, side="right")
    member = np.repeat(np.arange(len(first)), last - first)
    source = np.arange(len(member)) - np.repeat(np.cumsum(last - first) - last, last - first)
    values = part.coefficients.take(source) * keep.values.take(member).reshape(len(member), 1)
    key = keep.rows[member] * pairs + part.row[source] * part.shape[1] + part.column[source]
    places, slots = np.unique(key, return_inverse=True)
    total = scatter_sum(values, slots, len(places))
    entries = (
        places // pairs,
        places % pairs // part.shape[1],
        places % part.shape[1],
    )
    return symbols(part.dim, part.order, keep.shape[0], part.shape, entries, total)
