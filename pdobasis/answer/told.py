"""A basis as text: what ``print(basis)`` and the command line show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.operators.layout import bracketed, columns, listed, widest
from pdobasis.operators.printing import coefficients_of, pretty
from pdobasis.proof.certificate import MARKS
from pdobasis.question.problem import Problem
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pdobasis.answer.basis import Basis
    from pdobasis.answer.choose import Condition
    from pdobasis.answer.element import Element
    from pdobasis.exact.array import ExactArray

CARRIED = ", carried to "
DENSE = 16
"""Entries of a matrix up to which it is written as one."""
WIDE = 64
"""Entries of one row up to which it is."""
OTHER_COLUMNS = 48
"""Characters of a table beside its widest column."""
BETWEEN = 14
"""Characters between columns and around them, in a terminal."""
COMFORTABLE = 40
"""Characters of an operator below which another column is folded."""
FOLDED = 26
"""Characters of a folded column."""
NARROWEST = 30
"""Characters that an operator may always have."""
WIDTH = 110
"""Characters of a line where nobody says how many there are."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How much is shown: elements of each order, characters of a line, all entries or one of every orbit."""

    show: int = 24
    width: int = WIDTH
    full: bool = False
    more: str = ""
    """What a reader may do to see the rest; {number} is how many there are."""
    only: tuple[Condition, ...] = ()
    """Elements that are shown; all where there is no condition."""
    sort: str | None = None
    """The fact by which they are sorted; then ``show`` counts all of them, and not those of each order."""

    others: int = OTHER_COLUMNS
    """Characters of a table beside its widest column, as far as they are known."""

    @property
    def room(self) -> int:
        """Characters of an operator in a table."""
        return max(self.width - self.others, NARROWEST)

    def beside(self, parts: Sequence[str], names: Sequence[str]) -> Layout:
        """The same where these stand in the other columns; parts may be folded where there is no room for them."""
        part = max(map(len, parts), default=0)
        name = max(map(len, names), default=0)
        fixed = len("order") + max(name, len("name")) + BETWEEN
        others = fixed + part
        if self.width - others < COMFORTABLE:
            others = fixed + min(part, FOLDED)
        return replace(self, others=others)


def basis_text(basis: Basis, layout: Layout | None = None) -> str:
    """Question, operators, numbers and proof."""
    layout = layout or Layout()
    lines = [question_text(basis.problem)]
    shown = rows(basis, layout)
    if basis.dimension:
        lines.append(columns(headers(basis), shown))
    else:
        lines.append(empty_text(basis.problem))
    lines += summary(basis)
    lines += legend(shown)
    lines += [f"{MARKS[c.holds]} {c.what}: {c.how}" for c in basis.certificate.told]
    return "\n".join(lines)


def legend(shown: Sequence[tuple[str, ...]]) -> list[str]:
    """What "carried" means, where one of the rows says it."""
    if not any(CARRIED in row[-1] for row in shown):
        return []
    return [
        "an entry P at (i,j) is carried to g(i,j) as P(gᵀ∂), for every g of the group"
    ]


def question_text(problem: Problem) -> str:
    """The question in one line."""
    group = problem.group
    elements = "infinitely many elements"
    if group.order is not None:
        elements = f"{group.order} element{'s' * (group.order != 1)}"
    text = (
        f"{group.name} ({elements}, dimension {group.dim}): {problem.in_type} (size {problem.in_type.size}) "
        f"→ {problem.out_type} (size {problem.out_type.size}), order ≤ {problem.order}"
    )
    if problem.partial_order is not None:
        text += f", in each variable ≤ {problem.partial_order}"
    if problem.kernel:
        text += ", angular parts of kernels"
    if problem.truncation is not None:
        text += f", truncated to {problem.truncation.text}"
    return text


def empty_text(problem: Problem) -> str:
    """What is said where there is no operator: from which order on there are some."""
    # solving stands above what is told of it
    from pdobasis.answer.solve import lowest_order

    if problem.truncation is not None:
        return (
            f"No equivariant PDO of order ≤ {problem.order} is left by the truncation."
        )
    found, searched = lowest_order(problem)
    if found is None:
        return f"There are no equivariant PDOs up to order {searched}."
    return f"There are no equivariant PDOs of order ≤ {problem.order}; the lowest order with solutions is {found}."


def headers(basis: Basis) -> tuple[str, ...]:
    if basis.has_structure:
        return ("order", "part", "name", "operator")
    return ("order", "name", "operator")


def rows(basis: Basis, layout: Layout) -> list[tuple[str, ...]]:
    """One for each element that is shown, and one for those that are not."""
    out: list[tuple[str, ...]] = []
    structured = basis.has_structure
    irreps = _connects_several(basis)
    groups = list(shown_elements(basis, layout))
    every = [element for _, _, shown in groups for element in shown]
    parts = {id(e): part_text(e, irreps=irreps) for e in every}
    names = {id(e): e.name or "" for e in every}
    layout = layout.beside(list(parts.values()), list(names.values()))
    for head, number, shown in groups:
        for element in shown:
            text = operator_text(element, layout)
            cells = [str(element.order), names[id(element)], text]
            if structured:
                cells.insert(1, parts[id(element)])
            out.append(tuple(cells))
        if number > len(shown):
            more = f"… and {number - len(shown)} more"
            hint = layout.more.format(number=number)
            # the hint in a line of its own, where both would make the column wider
            if len(more + hint) > layout.room:
                hint = "\n" + hint
            more += hint
            cells = [head, "", more]
            if structured:
                cells.insert(1, "")
            out.append(tuple(cells))
    return out


def shown_elements(
    basis: Basis, layout: Layout
) -> Iterator[tuple[str, int, list[Element]]]:
    """(what they have in common, how many there are, those that are shown)."""
    if layout.sort is not None or layout.only:
        # loaded where elements are chosen
        from pdobasis.answer.choose import chosen
    if layout.sort is not None:
        every = chosen(basis.elements, layout.only, layout.sort)
        yield "", len(every), every[: layout.show]
        return
    at = 0
    for order, number in basis.dimensions.items():
        if layout.only:
            own = chosen(basis.elements[at : at + number], layout.only, None)
            yield str(order), len(own), own[: layout.show]
        else:
            # elements are made when asked for: no more of them than are shown
            yield str(order), number, basis.elements[at : at + min(number, layout.show)]
        at += number


def _connects_several(basis: Basis) -> bool:
    """Whether elements differ in the irreps that they connect."""
    pairs = set()
    for block in basis.blocks:
        for part in block.structure or ():
            pairs |= {(s.in_irrep, s.out_irrep) for s in part}
    return len(pairs) > 1


def summary(basis: Basis) -> list[str]:
    """How many elements there are."""
    counts = ", ".join(f"{k} of order {n}" for n, k in basis.dimensions.items())
    out = [f"{basis.dimension} element{'s' * (basis.dimension != 1)}: {counts}"]
    number = basis.angular_dimension
    if number:
        what = "angular operator{}, times powers of Δ"
        if basis.problem.kernel:
            what = "angular part{}, to be read as functions of x/|x|"
        out.append(f"{number} {what.format('s' * (number != 1))}")
    return out


def part_text(element: Element, *, irreps: bool) -> str:
    """Which angular order it has, between which irreps, and which power of the Laplacian is in front of it."""
    structure = element.structure
    if structure is None:
        return ""
    power = structure.laplacian_power
    front = {0: "angular,", 1: "Δ ×"}.get(power, f"Δ^{power} ×")
    text = f"{front} l = {structure.angular_order}"
    if not power and not element.is_harmonic:
        text += " mod Δ"
    if irreps and structure.in_irrep:
        text += f", {structure.in_irrep} → {structure.out_irrep}"
    return text


def operator_text(element: Element, layout: Layout | None = None) -> str:
    """The matrix when it fits; otherwise one entry of every orbit, or the entries that are not zero."""
    layout = layout or Layout()
    height, width = element.shape
    if element.basis.problem.kernel:
        texts = [[t.replace("∂", "x") for t in row] for row in element.pretty()]
        return bracketed(texts, layout.room)
    if height * width <= DENSE or (height == 1 and width <= WIDE):
        text = bracketed(element.pretty())
        if widest(text) <= layout.room:
            return text
    if not layout.full:
        carried = orbit_text(element, layout)
        if carried is not None:
            return carried
    if height == 1 and width <= WIDE:
        return bracketed(element.pretty(), layout.room)
    return entries_text(element, layout)


def entries_text(element: Element, layout: Layout) -> str:
    """The entries that are not zero, with their places."""
    entries = element.entries
    parts = (_entry_text(element, place, entries[place]) for place in entries)
    return listed(_size_text(element), parts, layout.room)


def orbit_text(element: Element, layout: Layout) -> str | None:
    r"""One entry of every orbit of the group on the places, where it permutes the fields of both sides.

    $P(g^{-T}x) = \rho_{out}(g) P(x) \rho_{in}(g)^{-1}$ then says $P_{g(i,j)}(x) = P_{ij}(g^T x)$.
    """
    block, problem = element.block, element.basis.problem
    rep_in = problem.in_type.distinct[block.in_index]
    rep_out = problem.out_type.distinct[block.out_index]
    if rep_in.permutations is None or rep_out.permutations is None:
        return None
    entries = element.entries
    orbits = _orbits(element, entries)
    if len(orbits) == len(entries):
        return None
    parts = []
    for first, size in orbits:
        text = _entry_text(element, first, entries[first])
        parts.append(f"{text}{CARRIED}{size - 1} more")
    return listed(_size_text(element), parts, layout.room)


def _orbits(
    element: Element, entries: dict[tuple[int, int], ExactArray]
) -> list[tuple[tuple[int, int], int]]:
    """(first place, how many) of the orbits whose entries are not zero."""
    block, problem = element.block, element.basis.problem
    ins = np.array(problem.in_type.distinct[block.in_index].permutations)
    outs = np.array(problem.out_type.distinct[block.out_index].permutations)
    left = dict.fromkeys(entries)
    out = []
    for first in list(left):
        if first not in left:
            continue
        reached = _reached(element, first, outs, ins)
        out.append((first, len(reached)))
        for place in reached:
            left.pop(place, None)
    return out


def _reached(
    element: Element,
    first: tuple[int, int],
    outs: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    ins: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
) -> set[tuple[int, int]]:
    """The orbit of a place under the generators."""
    row, column = element.row_offset, element.column_offset
    found, waiting = {first}, [first]
    while waiting:
        i, j = waiting.pop()
        for rows_to, columns_to in zip(outs, ins, strict=True):
            place = (
                int(rows_to[i - row]) + row,
                int(columns_to[j - column]) + column,
            )
            if place not in found:
                found.add(place)
                waiting.append(place)
    return found


def _entry_text(element: Element, place: tuple[int, int], values: ExactArray) -> str:
    dim = element.basis.problem.group.dim
    terms = coefficients_of(values, dim, element.order)
    return f"({place[0] + 1},{place[1] + 1}) {pretty(terms)}"


def _size_text(element: Element) -> str:
    return f"{element.shape[0]}×{element.shape[1]}:"
