"""Is a PDO that somebody wrote down equivariant? Checked exactly, from its text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.errors import SpecError
from pdobasis.exact.array import stack, zeros
from pdobasis.exact.polynomials import monomials
from pdobasis.exact.text import parse_polynomial
from pdobasis.groups.group import Group
from pdobasis.operators.symbols import Symbols, symbols
from pdobasis.proof.claim import single
from pdobasis.proof.equivariance import is_equivariant
from pdobasis.question.text import parse_field_type, resolve_group


def is_steerable(
    group: str | Group, in_rep: str, out_rep: str, matrix: Sequence[Sequence[str]], dim: int | None = None
) -> bool:
    r"""Whether $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$ for a matrix of homogeneous polynomials in d1, d2, …

    A matrix of the wrong shape maps between other fields, so it is not.

    >>> is_steerable("SO(2)", "vector", "trivial", [["d1", "d2"]])
    True
    >>> is_steerable("SO(2)", "vector", "trivial", [["d1", "-d2"]])
    False
    """
    g = group if isinstance(group, Group) else resolve_group(group, dim)
    source, target = parse_field_type(in_rep, g), parse_field_type(out_rep, g)
    if len(source.terms) > 1 or len(target.terms) > 1:
        raise SpecError("is_steerable takes one representation on each side: check the blocks of a sum one by one")
    rep_in, rep_out = source.terms[0][0], target.terms[0][0]
    part = symbol(matrix, g.dim)
    return part.shape == (rep_out.size, rep_in.size) and is_equivariant(single(part), (rep_in,), (rep_out,))


def symbol(matrix: Sequence[Sequence[str]], dim: int) -> Symbols:
    """One element from the texts of its entries, all of one order."""
    cells = [(r, c, parse_polynomial(text, dim)) for r, row in enumerate(matrix) for c, text in enumerate(row)]
    shape = (len(matrix), len(matrix[0]))
    orders = {sum(alpha) for _, _, polynomial in cells for alpha in polynomial}
    if len(orders) != 1:
        raise SpecError(f"the entries have to be homogeneous of one order, got orders {sorted(orders) or 'none'}")
    (order,) = orders
    zero = zeros(())
    rows = [stack([polynomial.get(alpha, zero) for alpha in monomials(dim, order)]) for _, _, polynomial in cells]
    index = np.array([(0, r, c) for r, c, _ in cells], dtype=np.int64)
    return symbols(dim, order, 1, shape, (index[:, 0], index[:, 1], index[:, 2]), stack(rows))
