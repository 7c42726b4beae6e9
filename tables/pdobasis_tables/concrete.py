"""Tables of any group: every pair of irreps (or of given representations), solved, proved and written in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import solve_problem
from pdobasis.bounds.estimate import cost
from pdobasis.bounds.watch import step
from pdobasis.errors import SizeError, SpecError
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import Group
from pdobasis.proof.counting import count_pdos
from pdobasis.proof.spherical import count_spherical
from pdobasis.question.cost import estimate_again
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS, Problem
from pdobasis.question.text import parse_field_type
from pdobasis.question.truncation import Truncation
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.named import irreps_of
from pdobasis_tables.formula import Formula, text
from pdobasis_tables.mathml import formula, sentence
from pdobasis_tables.polynomial import of_element
from pdobasis_tables.table import Cell, Head, Prose, Table, broken

# TeX has no lengths beyond 5.7 m
WIDEST = 1000
"""Characters of the largest cell."""
HIGHEST = 400.0
"""Lines of the largest cell."""
Progress = Callable[[str], None]
LIMITS = {2: 3, 3: 2}
"""Largest frequency of SO(2), O(2) and order l of SO(3), O(3) when nothing is said, by dimension."""

_SMALLER = "lower order= or choose fewer with irreps="
_REAL_NOTE = "Rows: output, columns: input. All basis elements up to this order; ∅: there is none."
_MODULE_NOTE = (
    r"Rows: output, columns: input. Times all powers of $\Delta$ these are a basis of all equivariant PDOs; "
    "∅: there is none up to this order."
)


@dataclass(frozen=True, slots=True)
class Question:
    """Which table: a group, its representations (all irreps when empty), and the largest order."""

    group: Group
    specs: tuple[str, ...]
    order: int
    limit: int | None = None
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS
    truncation: Truncation | None = None

    @property
    def truncated(self) -> str:
        """In words, for a title."""
        if self.truncation is None:
            return ""
        return f", truncated to {self.truncation.text}"

    def types(self) -> list[FieldType]:
        """The rows and columns."""
        specs = self.specs or tuple(irreps_of(self.group, self._limit()))
        if not specs:
            raise SpecError(
                f"the irreps of {self.group.name} are not known by name: say which representations the table is for, "
                "as in --irreps 'trivial, vector'"
            )
        # the largest come last: what is too large is refused before the others are made
        found = [parse_field_type(spec, self.group) for spec in reversed(specs)]
        return found[::-1]

    def _limit(self) -> int:
        if self.limit is not None:
            return self.limit
        return LIMITS.get(self.group.dim, 2)


def split(text_: str) -> tuple[str, ...]:
    """Representations between commas, those in brackets aside.

    >>> split("trivial, irrep(1,2), sym(2, vector)")
    ('trivial', 'irrep(1,2)', 'sym(2, vector)')
    """
    parts = [""]
    depth = 0
    for c in text_:
        if c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return tuple(part.strip() for part in parts)


def elements_table(
    question: Question, progress: Progress = lambda message: None
) -> Table:
    """The PDOs of every pair: the module basis for G in O(d), else the real basis."""
    types = question.types()
    require_few(question, types)
    group = question.group
    bases = [
        [_solve(question, source, out, progress) for source in types] for out in types
    ]
    # r^2 is invariant under G in O(d): its powers times the angular elements are everything, unless some are filtered
    is_filtered = (
        question.truncation is not None and question.truncation.kept is not None
    )
    what, note = "bases", _REAL_NOTE
    if group.is_orthogonal and not is_filtered:
        what, note = "module bases", _MODULE_NOTE
    if question.truncation is not None:
        note = note.replace("all equivariant PDOs", "those within the truncation")
        note = note.replace(
            "All basis elements", "The basis elements within the truncation"
        )
    heads = tuple(_head(t.spec, group) for t in types)
    return Table(
        title=(
            f"{group.name}: {what} of equivariant PDOs, order ≤ {question.order}{question.truncated}",
        ),
        columns=heads,
        rows=heads,
        cells=tuple(tuple(map(_cell, row)) for row in bases),
        notes=(sentence(note),),
        proof=_proof([basis for row in bases for basis in row]),
    )


def require_few(question: Question, types: Sequence[FieldType]) -> None:
    """Refuse a table with too many entries, or too large ones, before any work."""
    total = cost("cells", {"cells": float(len(types) ** 2)})
    for source in types:
        for out in types:
            total += replace(estimate_again(_problem(question, source, out)), memory=0)
    total.require(f"a table of {len(types)} x {len(types)} entries", _SMALLER)


def counts_table(question: Question) -> Table:
    """How many PDOs there are of each order, counted by characters without finding any."""
    if question.truncation is not None:
        raise SpecError(
            f"--counts counts all PDOs: leave it out, or the truncation to {question.truncation.text}"
        )
    specs, counted = _counted(question)
    hows: list[str] = []
    cells = []
    for row in counted:
        shown = []
        for numbers, how in row:
            hows += how
            listed = r",\,".join(map(str, numbers))
            shown.append(broken([formula(listed)]))
        cells.append(tuple(shown))
    orders = ", ".join(map(str, range(question.order + 1)))
    heads = tuple(_head(spec, question.group) for spec in specs)
    note: Prose = (
        f"Rows: output, columns: input; the numbers of independent PDOs of exactly the orders {orders}.",
    )
    return Table(
        title=(
            f"{question.group.name}: dimensions of the spaces of equivariant PDOs of order {orders}",
        ),
        columns=heads,
        rows=heads,
        cells=tuple(cells),
        notes=(note,),
        proof=(f"Counted: {_once(hows)}.",),
    )


Counted = tuple[list[int], list[str]]
"""The numbers of each order, and how they were counted."""


def _counted(question: Question) -> tuple[list[str], list[list[Counted]]]:
    """(rows and columns, what is counted for each pair)."""
    if turns_space(question.group) and not question.specs:
        # by a theorem: matrices of high order are large, and not needed
        irreps = irreps_of(question.group, question._limit())
        terms = [term for term in irreps.values() if isinstance(term, Spherical)]
        return list(irreps), _spherical(question, terms)
    types = question.types()
    characters = sum(t.size for t in types) ** 2 * (question.order + 1.0)
    counted = {"cells": float(len(types) ** 2), "characters": characters}
    cost("counts", counted).require(
        f"a table of {len(types)} x {len(types)} entries", _SMALLER
    )
    rows: list[list[Counted]] = []
    for out in types:
        step("counting", len(rows), len(types))
        row = []
        for source in types:
            # the limit on questions holds here too, though counting has no unknowns
            _problem(question, source, out).require(question.max_unknowns)
            row.append(_count(source, out, question.order))
        rows.append(row)
    return [t.spec for t in types], rows


def _spherical(question: Question, terms: list[Spherical]) -> list[list[Counted]]:
    rows = []
    for out in terms:
        row: list[Counted] = []
        for source in terms:
            found = count_spherical(question.group, source, out, question.order)
            row.append((list(found.numbers), [found.how]))
        rows.append(row)
    return rows


def _solve(
    question: Question, source: FieldType, out: FieldType, progress: Progress
) -> Basis:
    progress(f"{source} -> {out}")
    problem = _problem(question, source, out)
    return solve_problem(problem, max_unknowns=question.max_unknowns)


def _problem(question: Question, source: FieldType, out: FieldType) -> Problem:
    return Problem(
        question.group,
        source,
        out,
        question.order,
        truncation=question.truncation,
    )


def _count(source: FieldType, out: FieldType, order: int) -> Counted:
    """The numbers of each order, and how they were counted: Hom of sums is the sum of the Homs."""
    total = [0] * (order + 1)
    hows = []
    for a in source.distinct:
        for b in out.distinct:
            copies = source.copies(a) * out.copies(b)
            counts = count_pdos(a, b, order)
            for n, number in enumerate(counts.numbers):
                total[n] += copies * number
            hows.append(counts.how)
    return total, hows


def _cell(basis: Basis) -> Cell:
    elements = list(basis.elements)
    if basis.angular is not None:
        elements = list(basis.angular)
    cell = broken([of_element(e) for e in elements])
    if cell.width > WIDEST or cell.height > HIGHEST:
        problem = basis.problem
        raise SizeError(
            f"the entry {problem.in_type} -> {problem.out_type} has {len(elements)} matrices of "
            f"{problem.out_type.size} x {problem.in_type.size}, too many for a table: lower --order, choose --irreps, "
            "or ask for --counts"
        )
    return cell


def _head(spec: str, group: Group) -> Head:
    match = re.fullmatch(r"(\d+)([eo])", spec)
    if match is None:
        return Head(label(spec, group))
    # e3nn's names of O(3): the order, and whether inversion changes the sign
    degree, letter = match.groups()
    parity = {"e": "even", "o": "odd"}[letter]
    return Head(formula(rf"\ell = {degree}"), text(f"{parity} ({spec})"))


def label(spec: str, group: Group) -> Formula:
    r"""The name of an irrep as it is written: $\psi_{1,2}$, $T_{2u}$, $\ell = 1$; other specifications as they are."""
    match = re.fullmatch(r"irrep\((.*)\)", spec)
    if match is None:
        return text(spec)
    inner = match[1].replace(" ", "")
    # Mulliken's names: a letter, an index with the parity, primes
    if mulliken := re.fullmatch(r"([A-Z])(\d*[gu]?)('*)", inner):
        letter, index, primes = mulliken.groups()
        latex = rf"\mathrm{{{letter}}}"
        if index:
            latex += f"_{{{index}}}"
        return formula(latex + primes)
    if not re.fullmatch(r"\d+(,\d+)?", inner):
        return text(spec)
    if turns_space(group) == "SO":
        return formula(rf"\ell = {inner}")
    return formula(rf"\psi_{{{inner}}}")


def _proof(bases: Sequence[Basis]) -> tuple[str, ...]:
    certificates = [basis.certificate for basis in bases]
    total = sum(basis.dimension for basis in bases)
    what = f"{total} elements"
    if bases[0].angular is not None:
        what += " with the powers of the Laplacian"
    # each pair has a number field of its own
    equivariant = _once(
        re.sub(r"over .* for", "over its number field for", c.how_equivariant)
        for c in certificates
    )
    complete = f"complete: {_once(c.how_complete for c in certificates)}"
    if certificates[0].truncated is not None:
        every = sum(sum(c.of) for c in certificates)
        told = _once(c.how_truncated.partition(": ")[2] for c in certificates)
        complete = f"{total} of {every} elements: {told}"
    return (
        f"Certificate: {len(bases)} pairs, {what}; for each pair",
        f"  equivariant: {equivariant};",
        # independence is shown in the same way for every pair
        f"  independent: {certificates[0].how_independent};",
        f"  {complete}.",
    )


def _once(sentences: Iterable[str]) -> str:
    """Each different one, in order of appearance."""
    return "; ".join(dict.fromkeys(sentences))
