"""Tables of any group: every pair of irreps (or of given representations), solved, proved and written in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import solve_problem
from pdobasis.errors import SizeError, SpecError
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import Group
from pdobasis.proof.counting import count_pdos
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS, Problem
from pdobasis.question.text import parse_field_type
from pdobasis.representations.decomposition import irreps_of
from pdobasis_tables.formula import Formula, of_element, text
from pdobasis_tables.mathml import formula, sentence
from pdobasis_tables.table import Cell, Head, Prose, Table, broken

WIDEST, HIGHEST = 1000, 400.0
"""Characters and lines of the largest cell; TeX has no lengths beyond 5.7 m."""
Progress = Callable[[str], None]
LIMITS = {2: 3, 3: 2}
"""Largest frequency of SO(2), O(2) and order l of SO(3), O(3) when nothing is said, by dimension."""


@dataclass(frozen=True, slots=True)
class Question:
    """Which table: a group, its representations (all irreps when empty), and the largest order."""

    group: Group
    specs: tuple[str, ...]
    order: int
    limit: int | None = None
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS

    def types(self) -> list[FieldType]:
        """The rows and columns."""
        specs = self.specs or tuple(irreps_of(self.group, self._limit()))
        if not specs:
            raise SpecError(
                f"the irreps of {self.group.name} are not known by name: say which representations the table is for, "
                "as in --irreps 'trivial, vector'"
            )
        return [parse_field_type(spec, self.group) for spec in specs]

    def _limit(self) -> int:
        return LIMITS.get(self.group.dim, 2) if self.limit is None else self.limit


def split(text_: str) -> tuple[str, ...]:
    """Representations between commas, those in brackets aside.

    >>> split("trivial, irrep(1,2), sym(2, vector)")
    ('trivial', 'irrep(1,2)', 'sym(2, vector)')
    """
    parts, depth = [""], 0
    for c in text_:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return tuple(part.strip() for part in parts)


def elements_table(question: Question, progress: Progress = lambda message: None) -> Table:
    """The PDOs of every pair: the module basis for G in O(d), else the real basis."""
    types = question.types()
    bases = [[_solve(question, source, out, progress) for source in types] for out in types]
    angular = question.group.is_orthogonal
    what = "module bases" if angular else "bases"
    return Table(
        title=(f"{question.group.name}: {what} of equivariant PDOs, order ≤ {question.order}",),
        columns=tuple(_head(t, question.group) for t in types),
        rows=tuple(_head(t, question.group) for t in types),
        cells=tuple(tuple(_cell(basis) for basis in row) for row in bases),
        notes=_notes(angular=angular),
        proof=_proof([basis for row in bases for basis in row]),
    )


def counts_table(question: Question) -> Table:
    """How many PDOs there are of each order, counted by characters without finding any."""
    types = question.types()
    hows: list[str] = []
    cells = []
    for out in types:
        row = []
        for source in types:
            _problem(question, source, out).require(question.max_unknowns)
            numbers, how = _count(source, out, question.order)
            hows += how
            row.append(broken([formula(r",\,".join(map(str, numbers)))]))
        cells.append(tuple(row))
    orders = ", ".join(map(str, range(question.order + 1)))
    return Table(
        title=(f"{question.group.name}: dimensions of the spaces of equivariant PDOs of order {orders}",),
        columns=tuple(_head(t, question.group) for t in types),
        rows=tuple(_head(t, question.group) for t in types),
        cells=tuple(cells),
        notes=((f"Rows: output, columns: input; the numbers of independent PDOs of exactly the orders {orders}.",),),
        proof=(f"Counted: {'; '.join(dict.fromkeys(hows))}.",),
    )


def _solve(question: Question, source: FieldType, out: FieldType, progress: Progress) -> Basis:
    progress(f"{source} -> {out}")
    return solve_problem(_problem(question, source, out), max_unknowns=question.max_unknowns)


def _problem(question: Question, source: FieldType, out: FieldType) -> Problem:
    return Problem(question.group, source, out, question.order)


def _count(source: FieldType, out: FieldType, order: int) -> tuple[list[int], list[str]]:
    total, hows = [0] * (order + 1), []
    for a in source.distinct:
        for b in out.distinct:
            copies = len(source.offsets(a)) * len(out.offsets(b))
            counts = count_pdos(a, b, order)
            total = [x + copies * y for x, y in zip(total, counts.numbers, strict=True)]
            hows.append(counts.how)
    return total, hows


def _cell(basis: Basis) -> Cell:
    elements = basis.angular if basis.angular is not None else list(basis.elements)
    cell = broken([of_element(e) for e in elements])
    if cell.width > WIDEST or cell.height > HIGHEST:
        problem = basis.problem
        raise SizeError(
            f"the entry {problem.in_type} -> {problem.out_type} has {len(elements)} matrices of "
            f"{problem.out_type.size} x {problem.in_type.size}, too many for a table: lower --order, choose --irreps, "
            "or ask for --counts"
        )
    return cell


def _head(field_type: FieldType, group: Group) -> Head:
    spec = field_type.spec
    if match := re.fullmatch(r"(\d+)([eo])", spec):
        return Head(formula(rf"\ell = {match[1]}"), text({"e": "even", "o": "odd"}[match[2]] + f" ({spec})"))
    return Head(label(spec, group))


def label(spec: str, group: Group) -> Formula:
    r"""The name of an irrep as it is written: $\psi_{1,2}$, $T_{2u}$, $\ell = 1$; other specifications as they are."""
    match = re.fullmatch(r"irrep\((.*)\)", spec)
    if match is None:
        return text(spec)
    inner = match[1].replace(" ", "")
    if mulliken := re.fullmatch(r"([A-Z])(\d*[gu]?)('*)", inner):
        letter, index, primes = mulliken.groups()
        return formula(rf"\mathrm{{{letter}}}" + (f"_{{{index}}}" if index else "") + primes)
    if not re.fullmatch(r"\d+(,\d+)?", inner):
        return text(spec)
    return formula(rf"\ell = {inner}" if turns_space(group) == "SO" else rf"\psi_{{{inner}}}")


def _notes(*, angular: bool) -> tuple[Prose, ...]:
    if not angular:
        return (("Rows: output, columns: input. All basis elements up to this order; ∅: there is none.",),)
    return (
        sentence(
            r"Rows: output, columns: input. Times all powers of $\Delta$ these are a basis of all equivariant PDOs; "
            "∅: there is none up to this order."
        ),
    )


def _proof(bases: Sequence[Basis]) -> tuple[str, ...]:
    certificates = [basis.certificate for basis in bases]
    total = sum(basis.dimension for basis in bases)
    complete = "; ".join(dict.fromkeys(c.how_complete for c in certificates))
    hows = (re.sub(r"over .* for", "over its number field for", c.how_equivariant) for c in certificates)
    equivariant = "; ".join(dict.fromkeys(hows))
    return (
        f"Certificate: {len(bases)} pairs, {total} elements with the powers of the Laplacian; for each pair"
        if bases[0].angular is not None
        else f"Certificate: {len(bases)} pairs, {total} elements; for each pair",
        f"  equivariant: {equivariant};",
        f"  independent: {certificates[0].how_independent};",
        f"  complete: {complete}.",
    )
