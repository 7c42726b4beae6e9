r"""Theorem: where G does nothing, the elements at one place of P stand for those at all others.

Let every generator be 1 in space and on both fibres. If every element has one entry, and the same polynomials
$p_1, p_2, \dots$ in the same order, with the same structure, stand in all N places, then the elements are
$E_{rc}\,p_k$. Those in different places have no coefficients in common. So all of them are independent where the $p_k$
are, there are N times as many, $E_{rc}\,p_k$ is $r^2 E_{rc}\,p_j$ where $p_k$ is $r^2 p_j$, and all are equivariant.

That they are repeated is seen by comparing every number with that of the first place. What is not is left as it is; so
is what carries no structure, since its elements are looked at once in any case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.types import IndexArray
from pdobasis.operators.symbols import Structure, Symbols
from pdobasis.proof.action import on_space
from pdobasis.proof.batch import Found
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation


def once(problem: Problem, found: Sequence[Found]) -> list[Found]:
    """The blocks, each at its first place where the others repeat it."""
    group = problem.group
    # a truncation says something of elements that are told apart by more than their numbers
    if problem.truncation is not None or group.lie:
        return list(found)
    if not all(map(_is_one, on_space(group))):
        return list(found)
    return [_at_first_place(block) for block in found]


def _at_first_place(block: Found) -> Found:
    rows, columns = block.rep_out.size, block.rep_in.size
    if rows * columns == 1 or not all(block.formed):
        return block
    if not _does_nothing(block.rep_in) or not _does_nothing(block.rep_out):
        return block
    structure = block.structure
    if structure is None or len(structure) != len(block.parts):
        return block
    parts, described = [], []
    for part, own in zip(block.parts, map(tuple, structure), strict=True):
        chosen = _first_place(part, own)
        if chosen is None:
            return block
        parts.append(_taken(part, chosen))
        described.append(tuple(own[k] for k in chosen.tolist()))
    once = (tuple(parts), tuple(described))
    return replace(block, parts=once[0], structure=once[1], places=rows * columns)


def _first_place(part: Symbols, described: tuple[Structure, ...]) -> IndexArray | None:
    """The elements at one place, where those at all others are the same; None where they are not."""
    rows, columns = part.shape
    places = rows * columns
    if not len(part.element) == part.size == len(described):
        return None
    if not part.size:
        return part.element
    # sorted, distinct and as many entries as elements: one each, if every element has one
    if (np.diff(part.element) != 1).any() or part.element[0]:
        return None
    place = part.row * columns + part.column
    # elements of one place come in runs, and N runs with all N places, from the first on, are a section
    heads = np.concatenate([[0], np.flatnonzero(np.diff(place)) + 1])
    if len(heads) % places:
        return None
    where = place[heads].reshape(-1, places)
    every = np.sort(where[0])
    if where[0, 0] or (every != np.arange(places)).any() or (where != where[0]).any():
        return None
    lengths = np.diff(heads, append=part.size).reshape(-1, places)
    if (lengths != lengths[:, :1]).any():
        return None
    chosen = []
    numbers = part.coefficients.numerators
    starts = heads.reshape(-1, places)[:, 0]
    for first, length in zip(starts.tolist(), lengths[:, 0].tolist(), strict=True):
        end, last = first + length, first + length * places
        own = numbers[first:last].reshape(places, length, -1)
        if not (own == own[0]).all():
            return None
        if described[first:last] != described[first:end] * places:
            return None
        chosen.append(np.arange(first, end))
    return np.concatenate(chosen)


def _taken(part: Symbols, chosen: IndexArray) -> Symbols:
    return Symbols(
        part.dim,
        part.order,
        len(chosen),
        part.shape,
        np.arange(len(chosen)),
        part.row[chosen],
        part.column[chosen],
        part.coefficients.take(chosen),
    )


def _does_nothing(rep: Representation) -> bool:
    """Whether every generator is 1 on the fibre."""
    still = tuple(range(rep.size))
    if any(p != still for p in rep.permutations or ()):
        return False
    return all(map(_is_one, rep.generators))


def _is_one(m: ExactArray) -> bool:
    """Looked at number by number."""
    one = np.eye(len(m), dtype=np.int64)
    return bool(
        m.shape == one.shape
        and (m.numerators[..., 0] == m.denominator * one).all()
        and m.is_rational
    )
