"""Is a PDO that somebody wrote down equivariant? Checked exactly."""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.errors import SpecError
from pdobasis.exact.array import stack, zeros
from pdobasis.exact.polynomials import monomials
from pdobasis.exact.text import parse_polynomial
from pdobasis.groups.group import Group
from pdobasis.operators.symbols import Symbols, from_dense
from pdobasis.proof.batch import single
from pdobasis.proof.equivariant import is_equivariant
from pdobasis.question.text import parse_field_type, resolve_group


def is_steerable(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    matrix: Sequence[Sequence[str]],
    dim: int | None = None,
) -> bool:
    r"""Whether $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$ for a matrix
    of homogeneous polynomials in d1, d2, …

    A matrix of the wrong shape maps between other fields, so it is not.

    >>> is_steerable("SO(2)", "vector", "trivial", [["d1", "d2"]])
    True
    >>> is_steerable("SO(2)", "vector", "trivial", [["d1", "-d2"]])
    False
    """
    if isinstance(group, str):
        group = resolve_group(group, dim)
    source = parse_field_type(in_rep, group)
    target = parse_field_type(out_rep, group)
    # An operator between sums is steerable exactly if all of its blocks are.
    if len(source.terms) > 1 or len(target.terms) > 1:
        raise SpecError(
            "is_steerable takes one representation on each side: "
            "check the blocks of a sum one by one"
        )
    rep_in, rep_out = source.terms[0][0], target.terms[0][0]
    part = symbol(matrix, group.dim)
    # A proof needs no solver: what is asked is the constraint itself.
    if part.shape != (rep_out.size, rep_in.size):
        return False
    return is_equivariant(single(part), (rep_in,), (rep_out,))


def symbol(matrix: Sequence[Sequence[str]], dim: int) -> Symbols:
    """One element from the texts of its entries, all of one order."""
    polynomials = [[parse_polynomial(text, dim) for text in row] for row in matrix]
    every = [alpha for row in polynomials for cell in row for alpha in cell]
    # Zero entries have no order, so that they fit every one.
    orders = sorted({sum(alpha) for alpha in every})
    if len(orders) != 1:
        raise SpecError(
            "the entries have to be homogeneous of one order, "
            f"got orders {orders or 'none'}"
        )
    (order,) = orders
    zero = zeros(())
    rows = []
    for row in polynomials:
        cells = []
        for cell in row:
            values = [cell.get(a, zero) for a in monomials(dim, order)]
            cells.append(stack(values))
        rows.append(stack(cells))
    return from_dense(stack([stack(rows)]), dim, order)
