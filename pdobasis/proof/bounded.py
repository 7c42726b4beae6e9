r"""Theorem: there is an order beyond which nothing new comes.

*Finite groups.* By Molien the series of all steerable symbols is a mean of $\chi(g) / \det(1 - tg)$, a rational
function of degree at most $-d$; times $\prod_i (1 - t^{d_i})$ it is the polynomial of the generators' orders, of degree
at most $\sum (d_i - 1)$.

*Lie groups.* The Lie algebra holds an X with $X^3 = \pm X \neq 0$, so X has an eigenvalue $\pm 1$ or $\pm i$ and a
linear form v with it.

* If the algebra holds sl(d), or sp(d), the polynomials of order n are irreducible and $v^n$ has weight n.
* If it is so(q) for a regular quadratic form q, the polynomials of order n modulo q are irreducible (in the plane: two
  weights, n and -n). Eigenvectors are isotropic, so $v^n$ is harmonic, and has weight n modulo q.

A steerable symbol of order n that is not zero (modulo q) makes that space a part of
$\mathrm{Hom}(\rho_{in}, \rho_{out})$ or of its dual, which then has the weight n. No weight of $\mathrm{Hom}$ exceeds
the largest absolute row sum of $d\rho_{in}(X)$ plus that of $d\rho_{out}(X)$.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, identity, integers
from pdobasis.exact.numbers import to_float
from pdobasis.groups.group import Group
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.action import lie_on_space
from pdobasis.proof.modular import place, residues
from pdobasis.proof.parameters import beyond, matrix_modulo
from pdobasis.representations.representation import Representation

BY_MOLIEN = "by Molien's series"
BY_WEIGHTS = "by the weights of a Lie generator"
SLACK = 1e-6
"""More than the rounding of row sums, less than what would hide a whole number."""


def last_order(
    group: Group,
    primary: Sequence[Symbols],
    reps_in: Sequence[Representation],
    reps_out: Sequence[Representation],
) -> int | None:
    """No generator has a larger order; None when nothing is known."""
    if group.is_finite:
        if len(primary) != group.dim:
            return None
        return beyond([theta.order for theta in primary]) - 1
    turn = _turn(group)
    if turn is None or not _is_known(group, primary):
        return None
    # The sum is whole where its parts may be halves: spinors have order 1 between them.
    return int(_weight(reps_in, turn) + _weight(reps_out, turn) + SLACK)


def _weight(reps: Sequence[Representation], turn: int) -> float:
    """An upper bound on the weights of all of them."""
    return max(_row_sum(rep.lie[turn]) for rep in reps)


def _row_sum(x: ExactArray) -> float:
    if x.field.is_rational:
        # from the numerators: were rounding wrong, finder and proof would both stop too early
        whole = np.abs(x.numerators[..., 0].astype(object)).sum(axis=1)
        return float(Fraction(int(max(whole, default=0)), x.denominator))
    return float(np.abs(to_float(x)).sum(axis=1).max(initial=0))


def _turn(group: Group) -> int | None:
    """The Lie generator whose weights are taken."""
    for k, x in enumerate(lie_on_space(group)):
        cube = x @ x @ x
        if not x.is_zero and (cube.equals(x) or cube.equals(-x)):
            return k
    return None


def _is_known(group: Group, primary: Sequence[Symbols]) -> bool:
    """Whether the Lie algebra and the primary invariants are those of the theorem."""
    if not primary:
        return is_linear(group) or is_symplectic(group)
    if len(primary) > 1 or primary[0].order != 2:
        return False
    return is_orthogonal_for(group, quadratic_form(primary[0]))


@remembered
def is_linear(group: Group) -> bool:
    """Whether the Lie algebra holds sl(d): its trace-free parts are all that there are.

    Then it is sl(d) up to scalars, and its brackets are sl(d).
    """
    d = group.dim
    parts = []
    for x in lie_on_space(group):
        parts.append(x.scale(d) - identity(d, x.field) * x.trace())
    return d > 1 and _rank(group, parts) == d * d - 1


@remembered
def is_symplectic(group: Group) -> bool:
    """Whether it is sp(d) of the form [[0, 1], [-1, 0]]."""
    d = group.dim
    if d % 2:
        return False
    n = d // 2
    form = np.zeros((d, d), dtype=np.int64)
    form[:n, n:], form[n:, :n] = np.eye(n), -np.eye(n)
    return _keeps(group, integers(form)) and _rank_of(group) == d * (d + 1) // 2


def is_orthogonal_for(group: Group, form: ExactArray) -> bool:
    """Whether it is so(q) for a symmetric matrix that is regular, on the symbols' side: $X Q + Q X^T = 0$."""
    d = group.dim
    if d < 2 or _rank(group, [form[k : k + 1] for k in range(d)]) != d:
        return False
    return _keeps(group, form) and _rank_of(group) == d * (d - 1) // 2


def quadratic_form(theta: Symbols) -> ExactArray:
    """The symmetric matrix 2Q of a form of order 2 (monomials x1^2, x1 x2, …)."""
    d = theta.dim
    i, j = np.triu_indices(d)
    values = theta.coefficients.numerators[0]
    out = np.zeros((d, d, values.shape[-1]), dtype=values.dtype)
    out[i, j] += values
    out[j, i] += values
    return ExactArray(out, theta.coefficients.denominator, theta.coefficients.field)


def _keeps(group: Group, form: ExactArray) -> bool:
    """A form on the symbols' variables, which g moves by its transpose."""
    return all((x @ form + form @ x.T).is_zero for x in lie_on_space(group))


def _rank_of(group: Group) -> int:
    return _rank(group, lie_on_space(group))


def _rank(group: Group, matrices: Sequence[ExactArray]) -> int:
    """Of matrices as vectors, modulo a prime: at most the true one."""
    at = place(group.field)
    rows = [residues(m.over(group.field), at).ravel() for m in matrices]
    if not rows:  # a discrete group has no Lie algebra
        return 0
    return int(matrix_modulo(np.array(rows), at.prime).rank())
