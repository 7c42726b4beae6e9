"""One question, answered: a row for the table, and the file of the answer.

A question that fails is a row with its message, not the end of a sweep.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import solve
from pdobasis.atlas.questions import Question
from pdobasis.bounds.watch import budget
from pdobasis.errors import PdoBasisError
from pdobasis.files.json_file import dump
from pdobasis.files.module_file import dump_module
from pdobasis.modules.all_orders import all_orders
from pdobasis.modules.module_basis import ModuleBasis

DONE, FAILED = "done", "failed"
LONGEST = 400
"""Characters of a message that are kept."""


@dataclass(frozen=True, slots=True)
class Row:
    """What the table holds of a question.

    ``dimensions`` are numbers by order: of elements, or of generators where all orders are asked for (``hilbert`` has
    the series then). ``answer`` is the hash of the file with the answer.
    """

    key: str
    group: str
    in_rep: str
    out_rep: str
    order: int | None
    dim: int | None
    status: str
    message: str = ""
    dimension: int = 0
    dimensions: tuple[int, ...] = field(default=())
    degrees: tuple[int, ...] = field(default=())
    hilbert: str = ""
    seconds: float = 0.0
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    row: Row
    contents: str = ""


def answer_all(
    questions: Sequence[Question], seconds: float | None = None
) -> list[Answered]:
    """A batch: what a worker is sent."""
    return [answer(question, seconds) for question in questions]


def answer(question: Question, seconds: float | None = None) -> Answered:
    """The answer is proved; ``seconds`` is what it may take."""
    start = time.perf_counter()
    try:
        with budget(seconds):
            found, contents = _solved(question)
    except (PdoBasisError, MemoryError, RecursionError) as error:
        message = str(error)[:LONGEST] or type(error).__name__
        return Answered(_row(question, FAILED, start, message=message))
    digest = hashlib.sha256(contents.encode()).hexdigest()
    row = _row(question, DONE, start, answer=digest, **found)
    return Answered(row, contents)


def failed(question: Question, message: str) -> Answered:
    """A question whose worker did not come back."""
    return Answered(_row(question, FAILED, time.perf_counter(), message=message))


def _solved(question: Question) -> tuple[dict[str, object], str]:
    q = question
    if q.order is not None:
        basis = solve(q.group, q.in_rep, q.out_rep, q.order, dim=q.dim)
        return facts_of(basis), dump(basis, with_witness=True)
    module = all_orders(q.group, q.in_rep, q.out_rep, dim=q.dim)
    return facts_of(module), dump_module(module, with_witness=True)


def facts_of(found: Basis | ModuleBasis) -> dict[str, object]:
    """What a row tells of an answer."""
    if isinstance(found, Basis):
        numbers = tuple(found.dimensions.values())
        return {"dimension": found.dimension, "dimensions": numbers}
    series = found.hilbert
    return {
        "dimension": len(found),
        "dimensions": series.numerator,
        "degrees": series.degrees,
        "hilbert": str(series),
    }


def _row(q: Question, status: str, start: float, **rest: object) -> Row:
    seconds = time.perf_counter() - start
    return Row(
        q.key,
        q.group,
        q.in_rep,
        q.out_rep,
        q.order,
        q.dim,
        status,
        seconds=seconds,
        **rest,  # type: ignore[arg-type]
    )
