r"""Groups that keep an axis, layer by layer of the powers of $x_3$: a layer is met again in every order."""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING

from pdobasis.bounds.caches import remembered
from pdobasis.exact.polynomials import count, position
from pdobasis.operators.few import laplacians
from pdobasis.solvers.small_actions import Line

if TYPE_CHECKING:
    from pdobasis.solvers.small import Pairing


def along_axis(
    pairing: Pairing, order: int, *, harmonic: bool
) -> list[dict[int, int]] | None:
    r"""The solutions of an order where $x_3$ changes its sign at most: $x_3^b$ times solutions in $x_1$ and $x_2$.

    No equation has two powers of $x_3$, and as $x_3^2$ is invariant those of b and b + 2 are the same. Harmonic
    ones follow from their parts with b = 0 and b = 1, which come first: no other coefficient starts an element,
    since by $\Delta P = 0$ it is a sum of coefficients of higher powers of $x_1$, or of $x_2$ beside the same.
    """
    where, size = position(3, order), count(3, order)
    out = []
    for b in range(min(order, 1) + 1 if harmonic else order + 1):
        plane, odd = order - b, b % 2
        if (plane, odd) not in pairing.layers:
            pairing.layers[plane, odd] = _layer(pairing, plane, odd)
        layer = pairing.layers[plane, odd]
        if layer is None:
            return None
        powers = [[(where[plane - i, i, b], 1)] for i in range(plane + 1)]
        if harmonic:
            powers = _continued(plane, b, pairing.action.squares)
        for own in layer:
            moved: dict[int, int] = {}
            for u, v in own.items():
                place, i = divmod(u, plane + 1)
                for alpha, w in powers[i]:
                    to = place * size + alpha
                    moved[to] = moved.get(to, 0) + v * w
            out.append({u: moved[u] for u in sorted(moved) if moved[u]})
    # no two have a first coefficient in common with another: together they are in echelon form
    return sorted(out, key=min)


def _layer(pairing: Pairing, plane: int, odd: int) -> list[dict[int, int]] | None:
    """The solutions with x_3 once, or not at all: by the places and the powers of x_2."""
    order = plane + odd
    where, size = position(3, order), count(3, order)
    powers = {where[plane - i, i, odd]: i for i in range(plane + 1)}
    asked = []
    for k, alphas in pairing.asked(order):
        kept = [alpha for alpha in alphas if alpha in powers]
        if kept:
            asked.append((k, kept))
    found = pairing.left_to_equations(order, pairing.unknowns(order, asked))
    if found is None:
        return None
    out = []
    for own in found:
        numbers = ((divmod(u, size), v) for u, v in own.items())
        out.append({k * (plane + 1) + powers[alpha]: v for (k, alpha), v in numbers})
    return out


@remembered
def _continued(plane: int, b: int, squares: tuple[int, ...]) -> list[Line]:
    r"""A multiple of the harmonic $\sum_j x_3^{b+2j} q_j$ for every monomial $q_0$ of an order in $x_1$ and $x_2$.

    With $c_i$ in the place of 1 in the Laplacian $(b + 2j + 2)(b + 2j + 1)\,c_3\,q_{j+1} = -\Delta_{12}\,q_j$.
    """
    where = position(3, plane + b)
    rest = plane - plane % 2
    flat, last = squares[:2], squares[2] if squares else 1
    # the product of all numbers that are divided by
    weight = last ** (rest // 2) * factorial(b + rest) // factorial(b)
    polynomials = [{i: weight} for i in range(plane + 1)]
    out: list[Line] = [[] for _ in polynomials]
    for k in range(plane, -1, -2):
        power = plane - k + b
        for line, own in zip(out, polynomials, strict=True):
            line += [(where[k - i, i, power], v) for i, v in own.items()]
        if k < 2:
            break
        table, step = laplacians(2, k, flat), -last * (power + 2) * (power + 1)
        for number, own in enumerate(polynomials):
            lower: dict[int, int] = {}
            for i, v in own.items():
                for j, w in table[i]:
                    lower[j] = lower.get(j, 0) + v * w
            polynomials[number] = {j: v // step for j, v in lower.items() if v}
    return out
