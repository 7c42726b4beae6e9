r"""Module bases in textbook form: id, R, grad∘div, grad∘curl rather than their
harmonic parts.

A module basis over the polynomials in Δ stays one when an angular element
$\chi$ is replaced by $c\chi + \Delta(\dots)$ with anything steerable in the
brackets (the paper does this in "Vector to vector PDOs"). So an operator with a
name whose harmonic part is a multiple of $\chi$ takes its place. It keeps the
angular order of $\chi$.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import exact, integers
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.polynomials import count
from pdobasis.operators.few import Few, harmonic_part
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
    # loaded where there are names
    from pdobasis.solvers.few_elements import with_names

    few = with_names(part, lower)
    if few is not None:
        return few
    part = textbook_scale(part)
    if lower is None or not lower.size or not part.size:
        return part
    return _with_names(part, lower)


@remembered
def _representatives(
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
    for named, _, harmonic in _representatives(*shape):
        for k in _proportional(part, harmonic):
            operator = _symbol(named, *shape)
            if _is_extension(part, k, operator, lower):
                part = replace_element(part, k, operator)
                break
    return part


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


def _proportional(part: Symbols, line: Few) -> Iterator[int]:
    """The elements that span the same line: few of many, and most are told by where they begin."""
    entries = list(dict.fromkeys((r, c) for r, c, _ in line))
    starts = part.element.searchsorted(np.arange(part.size + 1))
    # as many entries, the first in the same place
    alike = np.flatnonzero(np.diff(starts) == len(entries))
    first = starts[alike]
    is_there = part.row[first] == entries[0][0]
    is_there &= part.column[first] == entries[0][1]
    for k in alike[is_there].tolist():
        rows, columns, values = part.select(k)
        places = list(zip(rows.tolist(), columns.tolist(), strict=True))
        if places == entries and _is_parallel(values.numerators.tolist(), line):
            yield k


def _is_parallel(table: list[list[list[int]]], line: Few) -> bool:
    """a = c b for a number c and rational b: all 2 x 2 minors with one entry vanish, coordinate by coordinate."""
    entries = dict.fromkeys((r, c) for r, c, _ in line)
    numbers = dict(zip(entries, table, strict=True))
    (r, c, alpha), v = next(iter(line.items()))
    first = numbers[r, c][alpha]
    for (r, c), polynomial in numbers.items():
        for alpha, number in enumerate(polynomial):
            w = line.get((r, c, alpha), 0)
            if any(x * v != y * w for x, y in zip(number, first, strict=True)):
                return False
    return True


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
