r"""Symbols as maps: small tasks of groups that permute the basis of one side up to signs, but for one generator.

With $P(x) = \sum_\alpha C_\alpha x^\alpha$ and $(gx)^\alpha = \sum_\beta S(g)_{\alpha\beta}\,x^\beta$ the constraint
$P(gx) = \rho_{out}(g)\,P(x)\,\rho_{in}(g)^{-1}$ between orthogonal representations says that C, as a matrix from
$\rho_{out}$ to the places $(i, \alpha)$, intertwines $\rho_{out}$ and $\rho_{in} \otimes S^{-T}$. Where $\rho_{in}$
permutes its basis up to signs, so does this product, and its maps are few unknowns (:mod:`.signed_maps`). The transpose
of P is a symbol between the same, exchanged.
"""

from __future__ import annotations

from pdobasis.exact.matrices import kronecker
from pdobasis.exact.polynomials import substitution
from pdobasis.operators.symbols import Symbols, from_dense
from pdobasis.representations.intertwiners import is_orthogonal
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.representations.signed_maps import maps_to_signed
from pdobasis.solvers.batch import Task
from pdobasis.solvers.restricted import from_one

SMALL = 300
"""Unknowns up to which that is less work than systems of many tasks together."""


def one_symbol(task: Task) -> Symbols | None:
    """The harmonic symbol of a task that has no other symbols; None where neither side is signed."""
    if task.unknowns > SMALL:
        return None
    if not is_orthogonal(task.rep_in) or not is_orthogonal(task.rep_out):
        return None
    for signed, other in (
        (task.rep_in, task.rep_out),
        (task.rep_out, task.rep_in),
    ):
        maps = maps_to_signed(other, _with_monomials(signed, task.order), 1)
        if maps is not None and len(maps) == 1:
            break
    else:
        return None
    # (element, place of the signed side, monomial, place of the other)
    cells = maps.reshape(1, signed.size, task.monomials, other.size)
    axes = (0, 3, 1, 2) if signed is task.rep_in else (0, 1, 3, 2)
    part = from_dense(cells.transpose(*axes), task.group.dim, task.order)
    return from_one(part, task)


def _with_monomials(rep: Representation, order: int) -> Representation:
    """rho and S^-T, for orthogonal g: S(g)^-1 = S(g^T)."""
    images = []
    for g, own in zip(rep.group.on_space, rep.matrices(), strict=True):
        back = substitution(g.T.reshape(1, *g.shape), order)[0]
        images.append(kronecker(own, back.T))
    name = f"{rep.spec} with monomials of order {order}"
    return from_matrices(rep.group, name, len(images[0]), tuple(images))
