r"""From angular parts to all solutions, for $G \le O(d)$ (paper, "Transferring kernel solutions ...").

A steerable kernel is $\phi(|x|)\,\chi(x/|x|)$. Where $|x|^l\chi(x/|x|)$ is a harmonic polynomial of order l it is not
divisible by $|x|^2$, and $\{|x|^{2k}\,|x|^l\chi\}$ is a basis of all polynomial kernels, so of all steerable symbols.
D turns $|x|^{2k}$ into $\Delta^k$. That harmonics are enough, in every dimension, is Fischer's decomposition:
every polynomial is $\sum_k |x|^{2k}h_k$ with harmonic $h_k$ in one way only, and G keeps $|x|^2$ and $\Delta$.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy.polys.matrices import DomainMatrix

from pdobasis.reference.constraint import entrywise
from pdobasis.reference.null_space import solve_order
from pdobasis.reference.question import SymbolicQuestion


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicSolution:
    r"""A steerable symbol; by transfer it is $|x|^{2k}\tilde\chi$ with an angular part of order ``angular_order``."""

    symbol: DomainMatrix
    order: int
    angular_order: int | None = None
    laplacian_power: int | None = None


def angular(question: SymbolicQuestion, order: int) -> list[SymbolicSolution]:
    r"""$\tilde\chi = |x|^l\chi(x/|x|)$: the steerable symbols of order l with harmonic entries."""
    found = solve_order(question, order, harmonic=True)
    return [SymbolicSolution(symbol, order, order, 0) for symbol in found]


def transfer(question: SymbolicQuestion, order: int) -> list[list[SymbolicSolution]]:
    r"""For every order n up to ``order``: all $|x|^{2k}\tilde\chi$ with l + 2k = n, by increasing l."""
    out: list[list[SymbolicSolution]] = []
    for n in range(order + 1):
        # In the order of the angular parts already, and all of them of a lower order than the new ones.
        raised = []
        if n >= 2:
            raised = [times_radius(s) for s in out[n - 2]]
        out.append([*raised, *angular(question, n)])
    return out


def times_radius(solution: SymbolicSolution) -> SymbolicSolution:
    r"""$|x|^2 P$, whose PDO is $\Delta D(P)$."""
    ring = solution.symbol.domain
    # O(d) keeps |x|^2, so the product is steerable again.
    square = sum((v**2 for v in ring.gens), ring.zero)
    symbol = entrywise(solution.symbol, lambda p: p * square)
    power = (solution.laplacian_power or 0) + 1
    return SymbolicSolution(symbol, solution.order + 2, solution.angular_order, power)


def direct(
    question: SymbolicQuestion, order: int, partial_order: int | None = None
) -> list[list[SymbolicSolution]]:
    """For every order up to ``order``: the null space of the whole constraint, for any group."""
    return [
        [
            SymbolicSolution(symbol, n)
            for symbol in solve_order(question, n, partial_order=partial_order)
        ]
        for n in range(order + 1)
    ]
