"""Groups, representations, field types, questions and certificates."""

from __future__ import annotations

from html import escape

from pdobasis.algebra.symmetries import Symmetries
from pdobasis.groups.group import Group
from pdobasis.notebook.parts import SHOWN, lines, matrix, page, table
from pdobasis.proof.certificate import MARKS, Certificate
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation


def group_html(group: Group) -> str:
    """Its size, and the matrices that make it."""
    rows = []
    for label, g in zip(group.labels, group.generators, strict=True):
        rows.append([f"generator {escape(label)}", matrix(g)])
    for k, x in enumerate(group.lie, start=1):
        rows.append([f"Lie generator {k}", matrix(x)])
    number = "infinitely many"
    if group.order is not None:
        number = str(group.order)
    title = f"{group.name}: {number} elements, dimension {group.dim}"
    return page(lines([title]), table(("", "matrix"), rows[:SHOWN], len(rows) - SHOWN))


def representation_html(rep: Representation) -> str:
    """The matrices of the generators."""
    rows = []
    for label, m in zip(rep.group.labels, rep.matrices(), strict=True):
        rows.append([f"ρ({escape(label)})", matrix(m)])
    for k, x in enumerate(rep.lie, start=1):
        rows.append([f"dρ(X{k})", matrix(x)])
    title = f"{rep.spec} of {rep.group.name}, size {rep.size}"
    return page(lines([title]), table(("", "matrix"), rows[:SHOWN], len(rows) - SHOWN))


def field_type_html(fields: FieldType) -> str:
    """Which fields, how often, and their channels."""
    rows, at = [], 0
    for rep, n in fields.terms:
        end = at + rep.size * n
        rows.append([escape(rep.spec), str(n), str(rep.size), f"{at}…{end - 1}"])
        at = end
    title = f"{fields.spec} of {fields.group.name}: {fields.size} channels"
    heads = ("field", "times", "size", "channels")
    return page(lines([title]), table(heads, rows[:SHOWN], len(rows) - SHOWN))


def problem_html(problem: Problem) -> str:
    """The question in words."""
    from pdobasis.answer.told import question_text

    return page(lines([question_text(problem)]))


def certificate_html(certificate: Certificate) -> str:
    """Every claim with how it was decided, and the numbers of each order."""
    told = [f"{MARKS[c.holds]} {c.what}: {c.how}" for c in certificate.claims]
    numbers = zip(
        certificate.found, certificate.ranks, certificate.counted, strict=False
    )
    rows = [[str(n), *map(str, own)] for n, own in enumerate(numbers)]
    heads = ("order", "found", "exact rank", "counted")
    return page(lines(told), table(heads, rows[:SHOWN], len(rows) - SHOWN))


def symmetries_html(found: Symmetries) -> str:
    """The verdict, the subalgebra and the elements that keep the operator."""
    rows = [[f"X{k}", matrix(x)] for k, x in enumerate(found.algebra, start=1)]
    rows += [[f"g{k}", matrix(g)] for k, g in enumerate(found.elements, start=1)]
    shown = table(("", "matrix"), rows[:SHOWN], len(rows) - SHOWN)
    return page(lines([str(found)]), shown if rows else "")
