r"""Characters of finite groups: $\chi_\rho(g) = \mathrm{tr}\,\rho(g)$."""

from __future__ import annotations

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import RepresentationError
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.representations.representation import (
    Representation,
    all_matrices,
    all_permutations,
)


@remembered
def character(rep: Representation) -> ExactArray:
    """The traces of all elements, in their order."""
    if rep.is_permutation:
        fixed = all_permutations(rep) == np.arange(rep.size)
        return integers(fixed.sum(axis=1))
    matrices = all_matrices(rep)
    # the diagonal of a stack, then the sum along it
    own = np.arange(rep.size)
    values = matrices.numerators[:, own, own].astype(object).sum(axis=1)
    return exact(values, matrices.denominator, matrices.field)


def inner_product(a: Representation, b: Representation) -> int:
    r"""$\frac{1}{|G|} \sum_g \chi_a(g)\,\chi_b(g)$, the dimension of the space of maps between real representations.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.finite import regular
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Vector
    >>> group = parse_group("D4")
    >>> inner_product(from_term(group, Vector(), "vector"), regular(group))
    2
    """
    product = character(a) * character(b)
    total = product.numerators.astype(object).sum(axis=0)
    value = exact(total, product.denominator * len(product), product.field).fraction()
    if value.denominator != 1:
        raise RepresentationError(
            f"{a.spec} and {b.spec} are not both representations of {a.group.name}"
        )
    return int(value)
