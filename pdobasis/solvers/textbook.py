r"""Module bases in textbook form: id, R, grad∘div, grad∘curl rather than their
harmonic parts.

A module basis over the polynomials in Δ stays one when an angular element
$\chi$ is replaced by $c\chi + \Delta(\dots)$ with anything steerable in the
brackets (the paper does this in "Vector to vector PDOs"). So an operator with a
name whose harmonic part is a multiple of $\chi$ takes its place. It keeps the
angular order of $\chi$.
"""

from __future__ import annotations

from dataclasses import replace
from math import lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.polynomials import count
from pdobasis.linear.small import first_independent
from pdobasis.operators.few import (
    Few,
    are_few,
    elements_of,
    harmonic_part,
    is_multiple,
)
from pdobasis.operators.laplacian import project
from pdobasis.operators.names import textbook_scale
from pdobasis.operators.symbols import (
    Symbols,
    from_dense,
    join_symbols,
    renumber,
    replace_element,
)
from pdobasis.operators.textbook_operators import (
    FlatOperator,
    angular_operators,
)


def textbook(part: Symbols, lower: Symbols | None) -> Symbols:
    """Angular elements with named operators where they represent the same.

    ``lower`` holds the multiples of the Laplacian of the same order.
    """
    # an operator with powers of the Laplacian is not harmonic, and so it is no multiple of an angular element
    if not angular_operators(part.dim, part.order, part.shape):
        return part
    part = textbook_scale(part)
    if lower is None or not lower.size or not part.size:
        return part
    if are_few(part) and are_few(lower):
        return _few_with_names(part, lower)
    return _with_names(part, lower)


def _few_with_names(part: Symbols, lower: Symbols) -> Symbols:
    """As :func:`_with_names`, of few rational numbers, without arrays."""
    shape = (part.dim, part.order, part.shape)
    representatives = _few_representatives(*shape)
    if not representatives:
        return part
    elements, multiples = elements_of(part), elements_of(lower)
    for named, operator, harmonic in representatives:
        for k, own in enumerate(elements):
            if not is_multiple(own, harmonic):
                continue
            # chi and the multiples of r^2 are independent
            every = [*multiples, own, operator]
            if len(first_independent(every)) < len(every):
                part = replace_element(part, k, _symbol(named, *shape))
                elements[k] = operator
                break
    return part


@remembered
def _few_representatives(
    dim: int, order: int, shape: tuple[int, int]
) -> tuple[tuple[FlatOperator, Few, Few], ...]:
    """(operator, its numerators, those of its harmonic part) of all named operators that have one."""
    out = []
    for named in angular_operators(dim, order, shape):
        common = lcm(*(v.denominator for v in named.values()))
        operator = {place: int(named[place] * common) for place in sorted(named)}
        harmonic = harmonic_part(operator, dim, order)
        if harmonic:
            out.append((named, operator, harmonic))
    return tuple(out)


def _with_names(part: Symbols, lower: Symbols) -> Symbols:
    shape = (part.dim, part.order, part.shape)
    # Each operator takes the place of one element at most, in the order of
    # their names.
    for operator, harmonic in _representatives(*shape):
        for k in _alike(part, harmonic):
            if not _is_proportional(part, k, harmonic):
                continue
            if _is_extension(part, k, operator, lower):
                part = replace_element(part, k, operator)
                break
    return part


@remembered
def _representatives(
    dim: int, order: int, shape: tuple[int, int]
) -> tuple[tuple[Symbols, Symbols], ...]:
    """(operator, its harmonic part) of all named operators that have one."""
    pairs = []
    for named in angular_operators(dim, order, shape):
        operator = _symbol(named, dim, order, shape)
        # A multiple of the Laplacian has no harmonic part: it represents no
        # angular element.
        harmonic = replace(operator, coefficients=project(operator))
        if not harmonic.coefficients.is_zero:
            pairs.append((operator, harmonic))
    return tuple(pairs)


def _symbol(
    operator: FlatOperator, dim: int, order: int, shape: tuple[int, int]
) -> Symbols:
    """A named operator as one element."""
    common = lcm(*(v.denominator for v in operator.values()))
    data = np.zeros((1, *shape, count(dim, order)), dtype=object)
    for (row, column, monomial), v in operator.items():
        data[0, row, column, monomial] = int(v * common)
    numerators = integers(data).numerators
    values = exact(numerators, common, RATIONALS)
    return from_dense(values, dim, order)


def _alike(part: Symbols, other: Symbols) -> list[int]:
    """The elements with as many entries as the one of ``other``, the first in the same place: few of many."""
    nonzero = np.flatnonzero(other.coefficients.nonzero_mask().any(axis=-1))
    starts = np.searchsorted(part.element, np.arange(part.size + 1))
    own = np.flatnonzero(np.diff(starts) == len(nonzero))
    at, first = starts[own], nonzero[0]
    is_there = part.row[at] == other.row[first]
    is_there &= part.column[at] == other.column[first]
    return [int(k) for k in own[is_there]]


def _is_proportional(part: Symbols, k: int, other: Symbols) -> bool:
    """Whether element k spans the same line as the one of ``other``."""
    rows, columns, values = part.select(k)
    mask = other.coefficients.nonzero_mask().any(axis=-1)
    nonzero = np.flatnonzero(mask)
    if not np.array_equal(rows, other.row[nonzero]):
        return False
    if not np.array_equal(columns, other.column[nonzero]):
        return False
    line = other.coefficients.take(nonzero)
    if not np.array_equal(values.nonzero_mask(), line.nonzero_mask()):
        return False
    return _is_parallel(values, line)


def _is_parallel(a: ExactArray, b: ExactArray) -> bool:
    """a = c b for a number c: all 2 x 2 minors with one entry vanish."""
    at = tuple(int(i) for i in np.argwhere(b.nonzero_mask())[0])
    return (a * b[at] - b * a[at]).is_zero


def _is_extension(part: Symbols, k: int, operator: Symbols, lower: Symbols) -> bool:
    """Whether the operator is in the span of element k and of the Laplacian
    multiples (which are independent).
    """
    # loaded where an operator has to be told from its multiples
    from pdobasis.operators.relations import relations

    # operator, chi and the multiples of r^2 have exactly one relation where the
    # operator is c chi + r^2 (...).
    ranks = np.full(part.size, -1)
    ranks[k] = 0
    alone = renumber(part, ranks, 1)
    return relations(join_symbols([operator, alone, lower])) == 1
