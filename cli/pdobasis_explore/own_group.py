"""A group of one's own, typed as matrices: one generator a line."""

from __future__ import annotations

import re

from pdobasis.errors import SpecError
from pdobasis.groups.group import Group
from pdobasis.question.own_group import build_group
from pdobasis.question.yaml_files import read_matrices

LINE = re.compile(r"\s*(lie\s+)?(?:(\w+)\s*[=:])?([^=:]+)", re.ASCII)


def read_own_group(text: str) -> Group:
    """Rows are separated by ``;``, entries by blanks or commas; ``lie`` begins an element of the Lie algebra.

    >>> read_own_group("r = 0 -1; 1 0").order, read_own_group("1/2 -sqrt(3)/2; sqrt(3)/2 1/2").order
    (4, 6)
    """
    generators: dict[str, list[list[str]]] = {}
    lie: dict[str, list[list[str]]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        found = LINE.fullmatch(line)
        if found is None:
            raise SpecError(
                f"line {number}: write a matrix as r = 0 -1; 1 0, or as lie X = 0 -1; 1 0"
            )
        place = lie if found[1] else generators
        label = found[2] or f"{'X' if found[1] else 'g'}{number}"
        if label in generators or label in lie:
            raise SpecError(f"line {number}: there is a matrix {label} already")
        place[label] = [re.split(r"[,\s]+", row.strip()) for row in found[3].split(";")]
    return build_group(
        "own",
        read_matrices("generators", generators or None, "g"),
        read_matrices("lie", lie or None, "X"),
        where="your matrices",
    )
