r"""Products $\theta^a D_k$ of invariants and generators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.polynomials import count, monomials, times_monomials
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols, empty, join_symbols, symbols


def expanded(block: Block, primary: Sequence[Symbols], order: int) -> Block:
    """All products up to an order; each $\\theta^a$ is reached by one road, invariant after invariant."""
    parts: list[list[Symbols]] = [[] for _ in range(order + 1)]
    for n, part in enumerate(block.orders[: order + 1]):
        if part.size:
            parts[n].append(part)
    for theta in primary:
        for n in range(order + 1 - theta.order):
            # what is here already has earlier factors and powers of this one
            parts[n + theta.order] += [times(theta, part) for part in parts[n]]
    shape, dim = block.orders[0].shape, block.orders[0].dim
    joined = []
    for n, own in enumerate(parts):
        none = empty(dim, n, shape)
        joined.append(join_symbols(own or [none]))
    return Block(block.in_index, block.out_index, tuple(joined))


def times(theta: Symbols, part: Symbols) -> Symbols:
    """theta P for every element."""
    factor = theta.coefficients[0]
    order = theta.order + part.order
    total: ExactArray | None = None
    for k, alpha in enumerate(monomials(theta.dim, theta.order)):
        number = factor[k]
        if number.is_zero:
            continue
        moved = _moved(part, alpha, order) * number
        if total is not None:
            moved = total + moved
        total = moved
    if total is None:
        return empty(part.dim, order, part.shape)
    return symbols(part.dim, order, part.size, part.shape, part.index, total)


def _moved(part: Symbols, alpha: tuple[int, ...], order: int) -> ExactArray:
    """x^alpha P over the monomials of its order."""
    values = part.coefficients
    shape = (len(part.element), count(part.dim, order), values.field.degree)
    out = np.zeros(shape, dtype=values.numerators.dtype)
    out[:, times_monomials(part.dim, part.order, alpha)] = values.numerators
    return exact(out, values.denominator, values.field)
