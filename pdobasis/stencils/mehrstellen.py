r"""Compact pairs of stencils: P u = f becomes L u = R f (Collatz's Mehrstellenverfahren), in fractions.

With $\hat L(k) = \sum_y L(y)\,e^{k\cdot y}$ the condition is $\hat L = \hat R\,P + O(|k|^{m+p})$ and $\hat R(0) = 1$:
linear in L and R, of order p on a window that is too small for such an L alone. Among all pairs that of the least
$\sum 4^s (L^2 + R^2)$ is taken, s numbering the distances of nodes: it is unique, and as symmetric as windows and P.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.stencils.axes import Sparse
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattices import Node
from pdobasis.stencils.matrices import periodic_matrix, space_of
from pdobasis.stencils.moment_system import Polynomial, up_to
from pdobasis.stencils.rationals import fraction, rational, taken

MOST = 14
"""The highest order that is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """L u = R f, with the order of accuracy p: weights at nodes, in steps of the lattice."""

    left: Mapping[Node, Fraction]
    right: Mapping[Node, Fraction]
    accuracy: int

    def __repr__(self) -> str:
        return f"<Pair of stencils: {len(self.left)} and {len(self.right)} nodes, accuracy {self.accuracy}>"

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both in one box, n1 along the last axis, each weight rounded once."""
        nodes = np.array([*self.left, *self.right])
        reach = np.abs(nodes).max(axis=0)[::-1]
        out = np.zeros((2, *(2 * reach + 1)))
        for own, weights in zip(out, (self.left, self.right), strict=True):
            for node, weight in weights.items():
                own[tuple(np.array(node[::-1]) + reach)] = float(weight)
        return out[0], out[1]

    def matrices(
        self, shape: Sequence[int], boundary: str = "periodic"
    ) -> tuple[Sparse, Sparse]:
        """L and R on an array; ``boundary="inside"``: only the rows of points whose window lies in the array."""
        arrays = self.arrays()
        dim = arrays[0].ndim
        space = space_of(shape, dim)
        size = arrays[0].shape
        if any(n < k for n, k in zip(space, size, strict=True)):
            raise SpecError(f"a window of {size} does not fit on an array of {space}")
        if boundary not in ("periodic", "inside"):
            raise SpecError(
                f'boundary= is "periodic" or "inside", got {boundary!r:.40}'
            )
        grid = Grid.regular(dim, size[::-1])
        whole = [periodic_matrix(grid, own[None, None], space).matrix for own in arrays]
        if boundary == "periodic":
            return whole[0], whole[1]
        inner = np.zeros(space, dtype=np.bool_)
        inner[
            tuple(slice(k // 2, n - k // 2) for n, k in zip(space, size, strict=True))
        ] = True
        return whole[0][inner.ravel()], whole[1][inner.ravel()]


def mehrstellen(
    symbol: Polynomial,
    left: Mapping[Node, int],
    right: Mapping[Node, int],
    accuracy: int | None = None,
) -> Pair:
    r"""The pair for a homogeneous P in steps of a lattice; of the highest order there is, if none is given.

    Windows are nodes with the numbers of their distances.

    The nine points of Collatz, and their right-hand side:

    >>> from pdobasis.stencils.lattices import Lattice
    >>> square = Lattice.named("square")
    >>> laplacian = {(2, 0): Fraction(1), (0, 2): Fraction(1)}
    >>> pair = mehrstellen(laplacian, square.shells(square.box(3)), square.shells(square.ball(1)))
    >>> [str(pair.left[n]) for n in [(0, 0), (1, 0), (1, 1)]], [str(pair.right[n]) for n in [(0, 0), (1, 0)]]
    (['-10/3', '2/3', '1/6'], ['2/3', '1/12'])
    >>> pair.accuracy
    4
    """
    orders = {sum(alpha) for alpha in symbol}
    if len(orders) != 1:
        raise StencilError("a pair needs an operator all of whose terms have one order")
    (order,) = orders
    best = None
    tried = range(1, MOST + 1) if accuracy is None else [accuracy]
    for p in tried:
        found = _solved(symbol, order, left, right, p)
        if found is None:
            break
        best = Pair(*found, p)
    if best is None:
        raise StencilError(
            f"no pair of {len(left)} and {len(right)} nodes for this operator has the accuracy {accuracy or 1}: use "
            "larger windows"
        )
    return best


def _solved(
    symbol: Polynomial,
    order: int,
    left: Mapping[Node, int],
    right: Mapping[Node, int],
    p: int,
) -> tuple[dict[Node, Fraction], dict[Node, Fraction]] | None:
    """The least solution of A z = b: z = D A^T (A D A^T)^{-1} b over independent rows; None if there is none."""
    nodes = list(left), list(right)
    rows = [
        [_power(y, beta) for y in nodes[0]]
        + [-v for v in _image(symbol, beta, nodes[1])]
        for beta in up_to(len(nodes[0][0]), order + p - 1)
    ]
    rows.append([Fraction(0)] * len(left) + [Fraction(1)] * len(right))
    a = rational(rows)
    independent = _independent(a)
    # The last row asks for R = 1: it contradicts the others if it depends on them.
    if a.nrows() - 1 not in independent:
        return None
    own = taken(a, independent)
    target = rational(
        [[Fraction(int(k == len(independent) - 1))] for k in range(len(independent))]
    )
    bells = [Fraction(1, 4**s) for s in (*left.values(), *right.values())]
    bent = rational(
        [
            [fraction(v) * b for v, b in zip(row, bells, strict=True)]
            for row in own.tolist()
        ]
    ).transpose()
    solution = bent * ((own * bent).inv() * target)
    values = [fraction(v) for (v,) in solution.tolist()]
    return (
        dict(zip(left, values[: len(left)], strict=True)),
        dict(zip(right, values[len(left) :], strict=True)),
    )


def _independent(a: Any) -> list[int]:
    """Rows none of which depends on those before it."""
    reduced, rank = a.transpose().rref()
    return [
        next(j for j, v in enumerate(row) if v != 0) for row in reduced.tolist()[:rank]
    ]


def _image(symbol: Polynomial, beta: Node, right: Sequence[Node]) -> list[Fraction]:
    """P(∂) y^β at every node."""
    out = [Fraction(0)] * len(right)
    for alpha, value in symbol.items():
        if all(b >= a for a, b in zip(alpha, beta, strict=True)):
            rest = tuple(b - a for a, b in zip(alpha, beta, strict=True))
            factor = value * prod(
                factorial(b) // factorial(r) for b, r in zip(beta, rest, strict=True)
            )
            out = [
                v + factor * _power(y, rest) for v, y in zip(out, right, strict=True)
            ]
    return out


def _power(y: Node, beta: Node) -> Fraction:
    return Fraction(prod(v**b for v, b in zip(y, beta, strict=True)))
