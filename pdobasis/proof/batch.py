r"""What is to be proved, put together: the elements of several blocks and orders as symbols between two sums.

A block between two summands is a part of a matrix between the sums $\bigoplus \rho_{in}$ and $\bigoplus \rho_{out}$,
and an element of order n is a polynomial of order at most N. So small blocks and orders are proved side by side, in one
evaluation; large ones some elements at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import accumulate

import numpy as np

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, join
from pdobasis.exact.types import IndexArray, IntArray
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Structure, Symbols
from pdobasis.proof.points import number_of_monomials
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

TOGETHER = 12_000
"""Coefficients up to which different orders are put side by side, over the monomials of all of them."""
WIDEST = 64
"""Monomials up to which they are: tables of values grow with their square, and with the number of generators."""
LOW = 12
"""Orders up to which they are: n^n fits into int64, and what is beyond has many points where one order has few."""
CHUNK = 50_000
"""Coefficients that are proved at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """The symbols of one order of a block, whose first row and column in the sums are given.

    ``copies`` is how often the block occurs.
    """

    symbols: Symbols
    row: int
    column: int
    copies: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The solutions between two summands: ``parts[n]`` of order n, ``formed[n]`` whether they are what they have to be.

    ``row`` and ``column`` are the first of the block in the sums of all summands; ``copies`` is how often it occurs.
    Where elements are repeated at several ``places`` of the block, they are here once.
    """

    in_index: int
    out_index: int
    rep_in: Representation
    rep_out: Representation
    row: int
    column: int
    copies: int
    parts: tuple[Symbols, ...]
    formed: tuple[bool, ...]
    structure: Sequence[Sequence[Structure]] | None = None
    places: int = 1

    @property
    def times(self) -> int:
        """How often each element occurs."""
        return self.copies * self.places

    def placed(self) -> list[Placed]:
        """What is well formed, at its place."""
        pairs = zip(self.parts, self.formed, strict=True)
        return [
            Placed(part, self.row, self.column, self.times)
            for part, good in pairs
            if good
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Entries as in :class:`Symbols`, over the monomials of all orders from ``low`` to ``high``.

    ``order`` and ``copies`` belong to the elements, which may be multiples of those that were found.
    """

    dim: int
    low: int
    high: int
    shape: tuple[int, int]
    element: IndexArray
    row: IndexArray
    column: IndexArray
    coefficients: ExactArray
    order: IndexArray
    copies: IndexArray

    @property
    def size(self) -> int:
        return len(self.order)


def summands(field_type: FieldType) -> dict[Representation, int]:
    """The different representations of a sum, in order of appearance, and how often each occurs."""
    # read from the terms themselves: how the solvers number the summands is not asked
    out: dict[Representation, int] = {}
    for rep, times in field_type.terms:
        out[rep] = out.get(rep, 0) + times
    return out


def found_blocks(problem: Problem, blocks: Sequence[Block]) -> list[Found]:
    """The blocks, each at its place in the sums."""
    ins, outs = (
        list(summands(problem.in_type).items()),
        list(summands(problem.out_type).items()),
    )
    columns = list(accumulate((rep.size for rep, _ in ins), initial=0))
    rows = list(accumulate((rep.size for rep, _ in outs), initial=0))
    out = []
    for block in blocks:
        i, o, parts = block.in_index, block.out_index, block.orders
        if len(parts) != problem.order + 1:
            raise ProofError(
                f"a block has symbols of {len(parts)} orders, asked for are {problem.order + 1}"
            )
        (rep_in, times_in), (rep_out, times_out) = ins[i], outs[o]
        shape = (rep_out.size, rep_in.size)
        formed = are_well_formed(parts, problem.group.dim, shape)
        copies = times_in * times_out
        out.append(
            Found(
                i,
                o,
                rep_in,
                rep_out,
                rows[o],
                columns[i],
                copies,
                tuple(parts),
                formed,
                block.structure,
            )
        )
    return out


def are_well_formed(
    parts: Sequence[Symbols], dim: int, shape: tuple[int, int]
) -> tuple[bool, ...]:
    """Of the symbols of order 0, 1, …; one look at all of them, and where it finds something one at each."""
    every = [part for n, part in enumerate(parts) if _has_form(part, dim, n, shape)]
    if len(every) == len(parts) and _are_sorted(every, shape):
        return (True,) * len(parts)
    return tuple(is_well_formed(p, dim, n, shape) for n, p in enumerate(parts))


def is_well_formed(part: Symbols, dim: int, order: int, shape: tuple[int, int]) -> bool:
    """Whether the symbols are of this order and shape, and keep what :class:`Symbols` promises of its entries."""
    return _has_form(part, dim, order, shape) and _are_sorted([part], shape)


def _has_form(part: Symbols, dim: int, order: int, shape: tuple[int, int]) -> bool:
    if (part.dim, part.order, part.shape) != (dim, order, shape):
        return False
    entries = len(part.element)
    if part.coefficients.shape != (entries, number_of_monomials(dim, order)):
        return False
    return entries == len(part.row) == len(part.column)


def _are_sorted(parts: Sequence[Symbols], shape: tuple[int, int]) -> bool:
    """Whether all entries have a place, and come in the order of their places, each once."""
    parts = [part for part in parts if len(part.element)]
    if not parts:
        return True
    # the parts one after the other, so that the elements of each have numbers of their own
    shifts = list(accumulate((part.size for part in parts), initial=0))
    pairs = [(p.element, first) for p, first in zip(parts, shifts, strict=False)]
    index = (
        _shifted(pairs),
        np.concatenate([part.row for part in parts]),
        np.concatenate([part.column for part in parts]),
    )
    # negative numbers and numbers that are too large have no place
    try:
        place = np.ravel_multi_index(index, (shifts[-1], *shape))
    except ValueError:
        return False
    # sorted and distinct in one: an entry that came twice would be added up here and counted twice there
    if np.count_nonzero(place[1:] <= place[:-1]):
        return False
    # then the elements of a part are sorted, too, and the first and the last of them say whether all are its own
    ends = ((part.element[0], part.element[-1], part.size) for part in parts)
    return all(first >= 0 and last < size for first, last, size in ends)


def batches(parts: Sequence[Placed], shape: tuple[int, int]) -> Iterator[Batch]:
    """All elements, in batches of bounded size; several parts without their denominators.

    An element is equivariant, and independent of others, as its multiples are.
    """
    # by increasing order, so that a batch spans few orders
    every = sorted((p for p in parts if p.symbols.size), key=lambda p: p.symbols.order)
    # over Q sooner than they are counted: numbers over K are as many as its degree
    values = _over_q([p.symbols.coefficients for p in every])
    first, numbers = 0, 0
    for k, (part, own) in enumerate(zip(every, values, strict=True)):
        numbers += own.numerators[:, 0].size
        if k > first and not _fit(every[first].symbols, part.symbols, numbers):
            yield _joined(every[first:k], values[first:k], shape)
            first, numbers = k, own.numerators[:, 0].size
    if every:
        yield _joined(every[first:], values[first:], shape)


def single(part: Symbols) -> Batch:
    """The symbols of one block and order alone."""
    return _joined([Placed(part, 0, 0)], _over_q([part.coefficients]), part.shape)


def _fit(first: Symbols, last: Symbols, numbers: int) -> bool:
    """Whether what there is from the first to the last, so many numbers a monomial, may be put side by side."""
    width = _width(first.dim, first.order, last.order)
    if first.order == last.order:
        return numbers * width <= CHUNK
    if width > WIDEST or last.order > LOW:
        return False
    return numbers * width <= TOGETHER


def _width(dim: int, low: int, high: int) -> int:
    """The number of monomials of these orders.

    >>> _width(3, 1, 2), _width(2, 0, -1)  # 3 + 6, and none
    (9, 0)
    """
    # those of order at most n in d variables are those of order n in d + 1
    return number_of_monomials(dim + 1, high) - number_of_monomials(dim + 1, low - 1)


def _joined(
    parts: Sequence[Placed], values: Sequence[ExactArray], shape: tuple[int, int]
) -> Batch:
    """One batch, with these coefficients."""
    every = [p.symbols for p in parts]
    dim, low, high = every[0].dim, every[0].order, every[-1].order
    sizes = [s.size for s in every]
    shifts = accumulate(sizes, initial=0)
    return Batch(
        dim,
        low,
        high,
        shape,
        _shifted(
            [(p.symbols.element, at) for p, at in zip(parts, shifts, strict=False)]
        ),
        _shifted([(p.symbols.row, p.row) for p in parts]),
        _shifted([(p.symbols.column, p.column) for p in parts]),
        _coefficients(every, values, low, high),
        _each([s.order for s in every], sizes),
        _each([p.copies for p in parts], sizes),
    )


def _shifted(numbers: Sequence[tuple[IndexArray, int]]) -> IndexArray:
    """One after the other, each moved on by as much as stands beside it."""
    moved = []
    for own, by in numbers:
        # most blocks stand first, and are not moved
        if by:
            own = own + by
        moved.append(own)
    return np.concatenate(moved)


def _each(values: Sequence[int], sizes: Sequence[int]) -> IndexArray:
    """The value of every part for all its elements."""
    return np.array(values, dtype=np.int64).repeat(sizes)


def _coefficients(
    parts: Sequence[Symbols], values: Sequence[ExactArray], low: int, high: int
) -> ExactArray:
    """One below the other, every order in columns of its own."""
    if low == high and len(parts) == 1:
        return values[0]
    return side_by_side(values, [p.order for p in parts], parts[0].dim, (low, high))


def side_by_side(
    values: Sequence[ExactArray],
    orders: Sequence[int],
    dim: int,
    between: tuple[int, int],
) -> ExactArray:
    """The numerators of polynomials of several orders, over the monomials of all orders from the first to the last."""
    low, high = between
    field = reduce(join, (v.field for v in values))
    scaled = [v.over(field).numerators for v in values]
    shape = (sum(map(len, scaled)), _width(dim, low, high), field.degree)
    # Python integers if any part has them
    out: IntArray = np.zeros(shape, dtype=np.result_type(*scaled))
    at = 0
    for order, numbers in zip(orders, scaled, strict=True):
        # polynomials of different orders stand in different columns, so none hides behind another
        start = _width(dim, low, order - 1)
        out[at : at + len(numbers), start : start + numbers.shape[1]] = numbers
        at += len(numbers)
    return exact(out, 1, field)


def _over_q(values: list[ExactArray]) -> list[ExactArray]:
    """Each without an element of the basis of K that all its numbers are rational multiples of.

    As they are where one has none, since all come over one field.
    """
    out: list[ExactArray] = []
    # numbers mix in high orders, if at all: most often the last one has the answer
    for own in reversed(values):
        degree = own.field.degree
        if degree > 1:
            used = _used(own)
            if len(used) != 1:
                return values
            only = used[0]
            own = exact(own.numerators[..., only : only + 1], 1, RATIONALS)
        out.append(own)
    return out[::-1]


def _used(values: ExactArray) -> list[int]:
    """Elements of the basis of K that occur, two of them at most."""
    found: list[int] = []
    for k in range(values.field.degree):
        if np.count_nonzero(values.numerators[..., k]):
            found.append(k)
            if len(found) > 1:
                break
    return found


def orders(batch: Batch) -> Iterator[Batch]:
    """The elements of each order alone, over its own monomials."""
    if batch.low == batch.high:
        yield batch
        return
    of_entry = batch.order[batch.element]
    for n in np.unique(batch.order).tolist():
        entries, members = np.flatnonzero(of_entry == n), batch.order == n
        first = _width(batch.dim, batch.low, n - 1)
        own = slice(first, first + number_of_monomials(batch.dim, n))
        numbers = batch.coefficients.numerators[entries]
        if np.count_nonzero(numbers) != np.count_nonzero(numbers[:, own]):
            raise ProofError(f"an element of order {n} has monomials of another order")
        yield replace(
            batch,
            low=n,
            high=n,
            element=(np.cumsum(members) - 1)[batch.element[entries]],
            row=batch.row[entries],
            column=batch.column[entries],
            coefficients=batch.coefficients.take(entries)[:, own],
            order=batch.order[members],
            copies=batch.copies[members],
        )


def slices(batch: Batch, degree: int = 1) -> Iterator[Batch]:
    """Consecutive elements whose coefficients are about ``CHUNK`` numbers, at least one element each.

    ``degree`` is that of the field that they are taken to.
    """
    own = batch.coefficients.field.degree
    numbers = batch.coefficients.numerators.size * max(degree, own) // own
    if numbers <= CHUNK:
        yield batch
        return
    yield from by_elements(batch, max(1, batch.size * CHUNK // numbers))


def by_elements(batch: Batch, step: int) -> Iterator[Batch]:
    """So many consecutive elements at a time."""
    # entries are sorted by element, so that consecutive elements are consecutive entries
    bounds = np.searchsorted(batch.element, np.arange(batch.size + 1))
    for first in range(0, batch.size, step):
        last = min(first + step, batch.size)
        entries = slice(int(bounds[first]), int(bounds[last]))
        yield replace(
            batch,
            element=batch.element[entries] - first,
            row=batch.row[entries],
            column=batch.column[entries],
            coefficients=batch.coefficients[entries],
            order=batch.order[first:last],
            copies=batch.copies[first:last],
        )
