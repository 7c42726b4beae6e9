"""What a file needs to be checked by a stranger: the matrices of every generator, on space and on both sides.

``pdobasis/reference/check_pdobasis.py`` reads it and nothing else of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pdobasis.exact.array import ExactArray
from pdobasis.exact.writing import matrix_text
from pdobasis.groups.group import Group
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation, as_permutation

Matrix = list[list[str]] | list[int]


def witness(problem: Problem) -> dict[str, Any]:
    """Exact texts, in the grammar of :mod:`pdobasis.exact.text`; a permutation i -> p[i] as the list p.

    >>> import pdobasis
    >>> from pdobasis.question.text import parse_problem
    >>> found = witness(parse_problem("C4", "2xregular + trivial", "vector", 1))
    >>> found["in"]["layout"], found["in"]["summands"][0]["generators"], found["out"]["summands"][0]["generators"]
    ([[0, 2], [1, 1]], {'r': [1, 2, 3, 0]}, {'r': [['0', '-1'], ['1', '0']]})
    """
    group = problem.group
    return {
        "field": str(problem.field),
        "space": _matrices(group, group.on_space, group.lie_on_space),
        "in": _side(problem.in_type),
        "out": _side(problem.out_type),
    }


def _side(fields: FieldType) -> dict[str, Any]:
    """The different summands, and [which, how often] in the order of the channels."""
    distinct = fields.distinct
    return {
        "summands": [_summand(rep) for rep in distinct],
        "layout": [[distinct.index(rep), times] for rep, times in fields.terms],
    }


def _summand(rep: Representation) -> dict[str, Any]:
    return {
        "spec": rep.spec,
        "size": rep.size,
        **_matrices(rep.group, rep.permutations or rep.generators, rep.lie),
    }


def _matrices(
    group: Group,
    generators: Sequence[ExactArray | tuple[int, ...]],
    lie: Sequence[ExactArray],
) -> Any:
    return {
        "generators": {
            label: _matrix(m) for label, m in zip(group.labels, generators, strict=True)
        },
        "lie": {f"X{k + 1}": matrix_text(x) for k, x in enumerate(lie)},
    }


def _matrix(m: ExactArray | tuple[int, ...]) -> Matrix:
    if isinstance(m, tuple):
        return list(m)
    # Permutations are far shorter as lists, and most large matrices are such.
    images = as_permutation(m)
    return matrix_text(m) if images is None else list(images)
