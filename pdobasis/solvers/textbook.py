r"""Module bases in textbook form: id, R, grad∘div, grad∘curl rather than their harmonic parts.

A module basis over the polynomials in Δ stays one when an angular element $\chi$ is replaced by $c\chi +
\Delta(\dots)$ with anything steerable in the brackets (the paper does this in "Vector to vector PDOs"). So an
operator with a name whose harmonic part is a multiple of $\chi$ takes its place. It keeps the angular order of
$\chi$.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import lcm

import numpy as np

from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.polynomials import count
from pdobasis.operators.laplacian import harmonic_projection, times_radius
from pdobasis.operators.names import Vector, named_operators, textbook_scale
from pdobasis.operators.relations import relations
from pdobasis.operators.symbols import Symbols, join_symbols, renumber, replace_element
from pdobasis.solvers.module import Module
from pdobasis.solvers.planar import from_dense


def textbook_module(module: Module) -> Module:
    """The same module with named operators where they are representatives of its elements."""
    named: list[Symbols] = []
    everything: list[Symbols] = []
    for n, angular in enumerate(module.angular):
        lower = times_radius(everything[n - 2]) if n >= 2 else None
        part = textbook_scale(angular.symbols)
        if lower is not None and lower.size and part.size:
            part = _with_names(part, lower)
        named.append(part)
        everything.append(part if lower is None else join_symbols([lower, part]))
    return Module(tuple(replace(a, symbols=p) for a, p in zip(module.angular, named, strict=True)))


def _with_names(part: Symbols, lower: Symbols) -> Symbols:
    for operator, harmonic in _representatives(part.dim, part.order, part.shape):
        for k in range(part.size):
            if _proportional(part, k, harmonic) and _is_extension(part, k, operator, lower):
                part = replace_element(part, k, operator)
                break
    return part


@cache
def _representatives(dim: int, order: int, shape: tuple[int, int]) -> tuple[tuple[Symbols, Symbols], ...]:
    """(operator, its harmonic part) of all named operators that have one."""
    operators = [_symbol(vector, dim, order, shape) for _, vector in named_operators(dim, order, shape)]
    pairs = ((op, replace(op, coefficients=op.coefficients @ harmonic_projection(dim, order))) for op in operators)
    return tuple((operator, harmonic) for operator, harmonic in pairs if not harmonic.coefficients.is_zero)


def _symbol(vector: Vector, dim: int, order: int, shape: tuple[int, int]) -> Symbols:
    """A named operator as one element."""
    common = lcm(*(v.denominator for v in vector.values()))
    data = np.zeros((1, *shape, count(dim, order)), dtype=object)
    for (row, column, monomial), v in vector.items():
        data[0, row, column, monomial] = int(v * common)
    values = integers(data)
    return from_dense(exact(values.numerators, common, values.field), dim, order)


def _proportional(part: Symbols, k: int, other: Symbols) -> bool:
    """Whether element k spans the same line as the one element of ``other``."""
    rows, columns, values = part.select(k)
    nonzero = np.flatnonzero(other.coefficients.nonzero_mask().any(axis=-1))
    if not np.array_equal(rows, other.row[nonzero]) or not np.array_equal(columns, other.column[nonzero]):
        return False
    return _parallel(values, other.coefficients.take(nonzero))


def _parallel(a: ExactArray, b: ExactArray) -> bool:
    """a = c b for a number c: all 2 x 2 minors with one non-zero entry vanish."""
    at = tuple(int(i) for i in np.argwhere(b.nonzero_mask())[0])
    return (a * b[at] - b * a[at]).is_zero


def _is_extension(part: Symbols, k: int, operator: Symbols, lower: Symbols) -> bool:
    """Whether the operator is in the span of element k and of the Laplacian multiples (which are independent)."""
    ranks = np.full(part.size, -1)
    ranks[k] = 0
    return relations(join_symbols([operator, renumber(part, ranks, 1), lower])) == 1
