"""What is asked on the page, as a value: it comes from text, and can be written as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from pdobasis.errors import SpecError
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.group import Group
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_problem
from pdobasis.question.yaml_files import names_file
from pdobasis.solvers.registry import methods
from pdobasis.stencils.registry import discretizations
from pdobasis_explore.own_group import read_own_group

LONGEST = 600
"""Characters of one text."""
LARGEST_ORDER = 12
KEYS = {"in_rep": "in", "out_rep": "out"}
"""Names in a link that are no names in Python."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question and how it is looked at; ``own`` are matrices of one's own, and win over ``group``."""

    group: str = "D8"
    own: str = ""
    in_rep: str = "regular"
    out_rep: str = "trivial"
    order: int = 2
    method: str = "auto"
    stencil: str = "gauss"
    size: int = 5
    sigma: float = 1.0

    def problem(self) -> Problem:
        """The question of the library; refused where a text names a file, which a page has no business to read."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str):
                _require_plain(KEYS.get(field.name, field.name), value)
        if not 0 <= self.order <= LARGEST_ORDER:
            raise SpecError(
                f"on this page the order is between 0 and {LARGEST_ORDER}, got {self.order}: "
                "pdobasis solve has no such limit"
            )
        return parse_problem(self.read_group(), self.in_rep, self.out_rep, self.order)

    def read_group(self) -> Group:
        if self.own.strip():
            return read_own_group(self.own)
        return parse_group(self.group.strip())

    def link(self) -> str:
        """All that differs from an empty page, as the end of an address.

        >>> Asked(group="SO(2)", in_rep="vector", order=1).link()
        '?group=SO%282%29&in=vector&order=1'
        """
        plain = Asked()
        given = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != getattr(plain, field.name):
                given[KEYS.get(field.name, field.name)] = value
        return "?" + urlencode(given)


def from_link(text: str) -> Asked:
    """What :meth:`Asked.link` wrote, perhaps with an address before it; words that are not known are left alone.

    >>> from_link("http://127.0.0.1:8080/?token=x&group=SO%282%29&in=vector&order=1").order
    1
    """
    if len(text) > 4 * LONGEST:
        raise SpecError(f"a link of {len(text)} characters is none of ours")
    asked = Asked()
    names = {KEYS.get(field.name, field.name): field for field in fields(Asked)}
    for key, value in parse_qsl(text.rpartition("?")[2], keep_blank_values=True):
        if key in names:
            name = names[key].name
            asked = replace(asked, **{name: _read(key, value, getattr(asked, name))})
    _require_one_of("method", asked.method, methods())
    _require_one_of("stencil", asked.stencil, stencil_names())
    return asked


def stencil_names() -> list[str]:
    """The discretizations that the page offers: those of operators."""
    return [method.name for method in discretizations() if not method.samples_kernels]


def _require_one_of(key: str, value: str, known: Iterable[str]) -> None:
    """What is chosen from a list cannot be anything else."""
    if value not in (names := list(known)):
        raise SpecError(
            f"the link says {key}={value[:40]!r}, and that is none of {', '.join(names)}"
        )


def _read(key: str, value: str, like: object) -> Any:
    try:
        if isinstance(like, int):
            return int(value)
        if isinstance(like, float):
            return float(value)
    except ValueError:
        raise SpecError(
            f"the link says {key}={value[:40]!r}, and that is no number"
        ) from None
    return value


def _require_plain(name: str, text: str) -> None:
    if len(text) > LONGEST:
        raise SpecError(
            f"{name}: {len(text)} characters, and at most {LONGEST} are read here"
        )
    if names_file(text):
        raise SpecError(
            f"{name}: this page reads no files; pdobasis solve does, and matrices can be typed in"
        )
