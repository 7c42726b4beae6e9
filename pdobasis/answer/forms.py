r"""Quadratic forms that a group preserves: $g^T B g = B$.

They are the PDOs of order 0 from scalars to sym(2, dual(vector)): a symmetric
tensor B of covectors is moved to $g^{-T} B g^{-1}$, and stays where it is
exactly if $g^T B g = B$. So the engine finds them, and proves that these are
all.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.element import Element
from pdobasis.answer.solve import solve
from pdobasis.errors import GroupError
from pdobasis.exact.array import ExactArray, identity, matrix, zeros
from pdobasis.exact.numbers import readable, sign, to_float, to_sympy
from pdobasis.exact.polynomials import monomials
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import determinant

if TYPE_CHECKING:
    import sympy

STEPS = 400
"""Of the ascent that looks for a positive form among several."""
DENOMINATORS = (1, 8, 64, 4096)
"""Coefficients are rounded to these; the form is then checked exactly."""
OTHERWISE = "polynomial kernels exist for every group: pdobasis.kernels"


def invariant_forms(group: Group) -> tuple[ExactArray, ...]:
    """A basis of the symmetric matrices B with g^T B g = B.

    >>> from pdobasis import group
    >>> for name in ("O(2)", "SO(1,1)", "SL(2)", "trivial(2)"):
    ...     print(name, len(invariant_forms(group(name))))
    O(2) 1
    SO(1,1) 1
    SL(2) 0
    trivial(2) 3

    Parameters
    ----------
    group : Group
        Finite or Lie.

    Returns
    -------
    tuple of ExactArray
        A basis, exactly.

    Raises
    ------
    SizeError
        The question is too large for its limits: refused before any work.
    """
    found = solve(group, "trivial", "sym(2, dual(vector))", order=0)
    return tuple(_square(element, group.dim) for element in found)


def positive_form(group: Group) -> ExactArray:
    """A positive definite B with g^T B g = B: the length that a group keeps.

    The identity for G <= O(d). There is one exactly if G lies in a compact
    group; where several forms are kept it is looked for, and then checked.
    """
    if group.is_orthogonal:
        return identity(group.dim)
    forms = invariant_forms(group)
    if not forms:
        raise GroupError(
            f"{group.name} preserves no quadratic form, so it keeps no "
            f"length |x|; {OTHERWISE}"
        )
    for candidate in _candidates(group, forms):
        if is_positive(candidate):
            return candidate
    if len(forms) == 1:
        why = "the only quadratic form that it preserves is not definite"
    else:
        why = f"none of the {len(forms)} forms that it preserves, nor a sum of "
        why += "them that was tried, is positive"
    raise GroupError(f"{group.name} keeps no length |x|: {why}; {OTHERWISE}")


def is_positive(form: ExactArray) -> bool:
    """Sylvester: all leading minors are positive."""
    minors = [determinant(form[:k, :k]) for k in range(1, len(form) + 1)]
    return all(sign(minor) > 0 for minor in minors)


def sympy_form(form: ExactArray) -> sympy.Matrix:
    import sympy

    def entry(i: int, j: int) -> sympy.Expr:
        row = tuple(form.numerators[i, j].tolist())
        return to_sympy(readable(row, form.denominator, form.field))

    return sympy.Matrix(*form.shape, entry)


def _square(element: Element, dim: int) -> ExactArray:
    """The symmetric matrix of its components T_ij with i <= j."""
    cells = {}
    # Components i <= j of sym(2) are listed like the monomials of order 2.
    for place, alpha in enumerate(monomials(dim, 2)):
        own = element.entries.get((place, 0))
        value = zeros(())
        if own is not None:
            value = own[0]
        pair = [i for i, a in enumerate(alpha) for _ in range(a)]
        cells[pair[0], pair[1]] = cells[pair[1], pair[0]] = value
    return matrix([[cells[i, j] for j in range(dim)] for i in range(dim)])


def _candidates(group: Group, forms: tuple[ExactArray, ...]) -> Iterator[ExactArray]:
    # The sign of a solution is arbitrary, so a definite form may come as negative.
    for form in forms:
        yield form
        yield -form
    if group.is_finite:
        # The average of x^T x over the group is kept, and positive.
        total = zeros((group.dim, group.dim))
        for g in group.elements:
            total = total + g.T @ g
        yield total
        return
    best = _ascent(np.stack([to_float(form) for form in forms]))
    # Positive forms are an open set, so a rational point near to one is one as well.
    for largest in DENOMINATORS:
        total = zeros((group.dim, group.dim))
        for c, form in zip(best.tolist(), forms, strict=True):
            total = total + form.scale(Fraction(round(c * largest), largest))
        yield total


def _ascent(forms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients c of norm 1 with a large smallest eigenvalue of sum c_i B_i.

    That eigenvalue is concave in c, with the gradient v^T B_i v for its unit
    eigenvector v.
    """
    flat = forms.reshape(len(forms), -1)
    one = np.eye(forms.shape[-1]).ravel()
    # Positive forms surround the identity, so the nearest kept form is a good start.
    nearest = np.linalg.lstsq(flat.T, one, rcond=None)[0]
    c = np.asarray(nearest, dtype=np.float64)
    best, height = c, -np.inf
    for step in range(STEPS):
        c = c / max(float(np.linalg.norm(c)), 1e-12)
        values, vectors = np.linalg.eigh(np.tensordot(c, forms, axes=1))
        if values[0] > height:
            best, height = c, values[0]
        v = vectors[:, 0]
        # Steps like 1/n tend to 0 and sum to infinity, as supergradient ascent needs.
        c = c + (forms @ v @ v) / (step + 4)
    return best
