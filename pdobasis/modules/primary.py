r"""Primary invariants of a group: as many as variables for a finite one, one quadratic form or none for a Lie group.

For a finite group the orders $d_i$ of a system of parameters have a product that |G| divides, and
$\prod_i (1 - t^{d_i})$ times Molien's series of the invariants is a polynomial without negative coefficients, of value
$\prod d_i / |G|$ at t = 1. Orders with that property are tried by increasing product, so that the generators are few.
Nothing here is believed: :mod:`pdobasis.proof.parameters` decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import GroupError, SizeError
from pdobasis.exact.polynomials import count
from pdobasis.groups.group import Group
from pdobasis.modules.cost import require_proof
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols, renumber, symbols
from pdobasis.proof.bounded import is_linear, is_symplectic
from pdobasis.proof.counting import count_pdos
from pdobasis.proof.parameters import beyond, is_system, numerator
from pdobasis.question.cost import estimate_of_finding
from pdobasis.question.problem import MAX_ORDER, Problem
from pdobasis.question.text import parse_field_type
from pdobasis.solvers.registry import AUTO, choose

MAX_MONOMIALS = 3_000
"""Monomials of the order in which a system of parameters is recognised: the side of a dense matrix."""
MAX_CHARACTERS = 5_000_000
"""Numbers in the characters of a group up to the orders that are worked with; larger groups have larger invariants."""
CHOICES = 64
"""Systems that are tried for one list of orders."""
MULTIPLES = 60
"""Products of the orders that are tried, in multiples of |G|."""


@remembered
def primary_invariants(group: Group) -> tuple[Symbols, ...]:
    """One symbol each, by increasing order.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> [theta.order for theta in primary_invariants(parse_group("D8"))]
    [2, 8]
    """
    if group.is_finite:
        return _system(group)
    if is_linear(group) or is_symplectic(group):
        return ()
    quadratic = _invariants(group, 2)
    if quadratic.orders[2].size != 1 or quadratic.orders[1].size:
        raise GroupError(
            f"all orders at once are known for finite groups and for those that contain SO(p,q), SL(d) or Sp(d), and "
            f"{group.name} is none of them: ask for an order"
        )
    return tuple(_of_order(quadratic, 2))


def _system(group: Group) -> tuple[Symbols, ...]:
    for degrees in islice(_degrees(group), CHOICES):
        _require_small(group, degrees)
        every = _invariants(group, max(degrees))
        for chosen in islice(_choices(every, degrees), CHOICES):
            if is_system(chosen, group.dim):
                return tuple(chosen)
    raise GroupError(
        f"no primary invariants of {group.name} were found among the first {CHOICES} lists of orders: ask for an order"
    )


def _require_small(group: Group, degrees: Sequence[int]) -> None:
    """Before any work: the next list of orders is no smaller.

    The invariants are found, recognised as a system of parameters, and proved.
    """
    monomials = count(group.dim, beyond(degrees))
    if max(degrees) > MAX_ORDER or monomials > MAX_MONOMIALS:
        raise SizeError(
            f"primary invariants of {group.name} have orders {', '.join(map(str, degrees))} or more, beyond what is "
            f"worked with ({MAX_ORDER}, and {MAX_MONOMIALS} monomials): ask for an order"
        )
    trivial = parse_field_type("trivial", group)
    problem = Problem(group, trivial, trivial, max(degrees))
    parts = dict.fromkeys(degrees, 1.0)
    require_proof(problem, degrees, parts, estimate_of_finding(problem))


def _degrees(group: Group) -> Iterator[tuple[int, ...]]:
    """Orders that a system of parameters may have, by increasing product, then the most even ones first.

    Those beyond MAX_ORDER are left out; where nothing else fits, that is told.
    """
    trivial = parse_field_type("trivial", group).distinct[0]
    size = group.order or 1
    most = group.dim * MAX_ORDER
    # numbers in the table of characters of all orders that may be asked for
    if most * size * group.field.degree > MAX_CHARACTERS:
        raise _too_large(group)
    series: Sequence[int] = ()
    found, left_out = False, False
    for multiple in range(1, MULTIPLES + 1):
        every = list(_factors(size * multiple, group.dim, 1))
        lists = [degrees for degrees in every if max(degrees) <= MAX_ORDER]
        left_out = left_out or len(lists) < len(every)
        longest = max((sum(degrees) for degrees in lists), default=0)
        if longest >= len(
            series
        ):  # twice as far as before, so that it is rarely counted anew
            series = count_pdos(
                trivial, trivial, min(most, max(longest, 2 * len(series)))
            ).numbers
        for degrees in sorted(lists, key=lambda d: (sum(d), d)):
            if _fits(series, degrees, multiple):
                found = True
                yield degrees
    if left_out and not found:
        raise _too_large(group)


def _too_large(group: Group) -> SizeError:
    return SizeError(
        f"primary invariants of {group.name} have orders beyond {MAX_ORDER}, with which nothing is worked: ask for an "
        "order"
    )


def _fits(series: Sequence[int], degrees: tuple[int, ...], rank: int) -> bool:
    """Whether Molien's series allows a system of these orders with ``rank`` secondary invariants."""
    if not all(series[d] for d in degrees):
        return False
    top = numerator(series[: sum(degrees) + 1], degrees)
    return min(top) >= 0 and sum(top) == rank


def _factors(number: int, parts: int, least: int) -> Iterator[tuple[int, ...]]:
    """All increasing lists of so many factors.

    >>> list(_factors(8, 2, 1))
    [(1, 8), (2, 4)]
    """
    if parts == 1:
        if number >= least:
            yield (number,)
        return
    for first in range(least, number + 1):
        if first**parts > number:
            return
        if number % first == 0:
            for rest in _factors(number // first, parts - 1, first):
                yield (first, *rest)


@remembered
def _invariants(group: Group, order: int) -> Block:
    trivial = parse_field_type("trivial", group)
    problem = Problem(group, trivial, trivial, order)
    (block,) = choose(problem, AUTO).solve(problem, lambda message: None).blocks
    return block


def _of_order(block: Block, order: int) -> list[Symbols]:
    """The elements one by one: those without a factor Δ first, since Δ may be there already."""
    part = block.orders[order]
    numbers = list(range(part.size))
    if block.structure is not None:
        described = block.structure[order]
        numbers.sort(key=lambda k: (described[k].laplacian_power, k))
    return [_single(part, k) for k in numbers]


def _single(part: Symbols, number: int) -> Symbols:
    ranks = np.full(part.size, -1)
    ranks[number] = 0
    return renumber(part, ranks, 1)


def _choices(block: Block, degrees: Sequence[int]) -> Iterator[list[Symbols]]:
    """First the elements themselves, then sums of them with small coefficients, which are in general position soon."""
    lists = [_of_order(block, d) for d in degrees]
    for numbers in islice(product(*(range(len(own)) for own in lists)), CHOICES):
        # two forms of one order have to be different, and which comes first does not matter
        pairs = list(zip(degrees, numbers, strict=True))
        if len(set(pairs)) == len(pairs) and pairs == sorted(pairs):
            yield [own[k] for own, k in zip(lists, numbers, strict=True)]
    for attempt in range(1, CHOICES):
        yield [_mixed(own, attempt + 7 * i) for i, own in enumerate(lists)]


def _mixed(forms: Sequence[Symbols], seed: int) -> Symbols:
    """A sum with the coefficients 1 + (seed k mod 11), the same on every machine."""
    first = forms[0]
    total = first.coefficients.scale(1)
    for k, form in enumerate(forms[1:], start=1):
        total = total + form.coefficients.scale(1 + seed * k % 11)
    return symbols(first.dim, first.order, 1, (1, 1), first.index, total)
