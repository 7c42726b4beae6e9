r"""Representations that are made of smaller ones, as far as their generators show it.

Let $g_i$ be a list with $a(s)\,a(g_i) = a(s g_i)$ for every generator s, and the same for b. Where
$\rho(s) = a(s) \otimes b(s)$ for every s, $\rho(g_i) = a(g_i) \otimes b(g_i)$ has that property, too, and the trace
$\chi_a \chi_b$. Where $\rho(s)$ is what $a(s) \otimes a(s)$ makes of the basis $e_j \otimes e_k \pm e_k \otimes e_j$,
$j < k$ (and $e_j \otimes e_j$ for the upper sign) of all symmetric or antisymmetric tensors, so is $\rho(g_i)$, with
the trace $\frac12 (\chi_a(g)^2 \pm \mathrm{tr}\, a(g)^2)$.

The formula of a representation only says where to look: what it says is compared with the matrices.
"""

from __future__ import annotations

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.matrices import batched_matmul
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Alternating, Symmetric, Tensor


def tensor_factors(rep: Representation) -> tuple[Representation, Representation] | None:
    r"""a and b with $\rho(s) = a(s) \otimes b(s)$ for every generator; None where they are not known."""
    if not isinstance(rep.term, Tensor) or rep.permutations is not None:
        return None
    a, b = (from_term(rep.group, t, rep.spec) for t in (rep.term.a, rep.term.b))
    for x, y, image in zip(a.matrices(), b.matrices(), rep.generators, strict=True):
        cells = x.reshape(a.size, 1, a.size, 1) * y.reshape(1, b.size, 1, b.size)
        if not cells.reshape(a.size * b.size, a.size * b.size).equals(image):
            return None
    return a, b


def square_of(rep: Representation) -> tuple[Representation, int] | None:
    """a, and 1 where the representation is its symmetric square, -1 for the alternating one; None elsewhere."""
    match rep.term:
        case Symmetric(2, inner):
            sign = 1
        case Alternating(2, inner):
            sign = -1
        case _:
            return None
    a = from_term(rep.group, inner, rep.spec)
    if rep.permutations is not None or rep.size != a.size * (a.size + sign) // 2:
        return None
    pairs = zip(a.matrices(), rep.generators, strict=True)
    if all(_square(x, sign).equals(image) for x, image in pairs):
        return a, sign
    return None


def _square(x: ExactArray, sign: int) -> ExactArray:
    r"""Of $x \otimes x$ on the (anti)symmetric tensors: the component (p, q) of what becomes of (j, k), for p <= q.

    >>> from pdobasis.exact.array import integers
    >>> _square(integers([[1, 2], [0, 3]]), 1), _square(integers([[1, 2], [0, 3]]), -1)
    (<ExactArray [[1, 4, 4], [0, 3, 6], [0, 0, 9]]>, <ExactArray [[3]]>)
    """
    p, q = np.triu_indices(len(x), k=int(sign < 0))
    rows, other_rows = p[:, None], q[:, None]
    straight = x[rows, p] * x[other_rows, q]
    crossed = x[rows, q] * x[other_rows, p]
    if sign < 0:
        return straight - crossed
    # e_j ⊗ e_j has no other order
    numbers = np.where((p == q)[:, None], 0, crossed.numerators)
    return straight + exact(numbers, crossed.denominator, crossed.field)


def square_traces(every: ExactArray) -> ExactArray:
    r"""$\mathrm{tr}\, a(g)^2$ of a list (k, n, n)."""
    count, size, _ = every.shape
    left = every.reshape(count, 1, size * size)
    right = every.transpose(0, 2, 1).reshape(count, size * size, 1)
    return batched_matmul(left, right).reshape(count)
