"""A list of questions: products of groups, representations and orders, from a YAML file.

sweep:
  - groups: crystal classes        # or: planar(32), or a list of names
    in: irreps                     # or a list of representations
    out: irreps
    order: all                     # or a list of orders
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from pdobasis.errors import SpecError, UnknownNameError
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.point import HERMANN_MAUGUIN
from pdobasis.question.names import require_line
from pdobasis.question.problem import MAX_ORDER
from pdobasis.question.yaml_files import read_mapping

MAX_QUESTIONS = 2_000_000
MAX_PLANAR = 64
KEYS = ("groups", "in", "out", "order", "dim")
ALL = "all"
IRREPS = "irreps"
FIRST = 4
"""Irreps of a group that has infinitely many: the first ones."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, in texts: ``order`` None asks for all orders at once."""

    group: str
    in_rep: str
    out_rep: str
    order: int | None = None
    dim: int | None = None

    def __str__(self) -> str:
        """
        >>> print(Question("D8", "trivial", "irrep(1,1)", 2))
        D8: trivial → irrep(1,1), order ≤ 2
        """
        orders = "all orders"
        if self.order is not None:
            orders = f"order ≤ {self.order}"
        return f"{self.group}: {self.in_rep} → {self.out_rep}, {orders}"

    @property
    def key(self) -> str:
        """Equal for equal questions, on every machine.

        >>> Question("D8", "trivial", "vector").key == Question("D8", "trivial", "vector", None).key
        True
        """
        facts = {
            "dim": self.dim,
            "group": self.group,
            "in_rep": self.in_rep,
            "order": self.order,
            "out_rep": self.out_rep,
        }
        text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def read_questions(path: str | Path) -> tuple[Question, ...]:
    """All questions of a file, each once, in the order in which they stand there."""
    data = read_mapping(Path(path), ("sweep",))
    if not isinstance(data["sweep"], list):
        raise SpecError(f"{path}: expected a list under the key sweep")
    out: dict[Question, None] = {}
    for number, item in enumerate(data["sweep"], start=1):
        try:
            for question in _questions(item):
                out[question] = None
                if len(out) > MAX_QUESTIONS:
                    raise SpecError(f"more than {MAX_QUESTIONS:,} questions")
        except SpecError as error:
            raise SpecError(f"{path}: entry {number}: {error}") from None
    return tuple(out)


def _questions(item: Any) -> Iterator[Question]:
    if not isinstance(item, Mapping):
        raise SpecError(f"expected the keys {', '.join(KEYS)}")
    for key in item:
        if key not in KEYS:
            raise UnknownNameError(
                "key", str(key)[:40], KEYS, f"(one of {', '.join(KEYS)})"
            )
    for key in ("groups", "in", "out"):
        if key not in item:
            raise SpecError(f"{key} is missing")
    orders = _orders(item.get("order", ALL))
    for name, dim in _groups(item["groups"], item.get("dim")):
        ins = _representations(item["in"], name, dim)
        outs = _representations(item["out"], name, dim)
        for in_rep, out_rep, order in product(ins, outs, orders):
            yield Question(name, in_rep, out_rep, order, dim)


def _groups(wish: Any, dim: Any) -> list[tuple[str, int | None]]:
    """Names, with the dimension where a name has two meanings."""
    if dim is not None and (type(dim) is not int or dim < 1):
        raise SpecError(f"dim is a whole number from 1, got {dim!r:.40}")
    if wish == "crystal classes":
        return [(name, 3) for name in HERMANN_MAUGUIN.values()]
    if isinstance(wish, str) and (found := re.fullmatch(r"planar\((\d{1,3})\)", wish)):
        last = int(found[1])
        if not 1 <= last <= MAX_PLANAR:
            raise SpecError(f"planar(N) goes from 1 to {MAX_PLANAR}, got {last}")
        return [(f"{family}{n}", 2) for family in "CD" for n in range(1, last + 1)]
    return [(name, dim) for name in _texts(wish, "groups")]


def _representations(wish: Any, name: str, dim: int | None) -> list[str]:
    if wish != IRREPS:
        return _texts(wish, "in and out")
    group = parse_group(name, dim)
    names = list(group.irreps)
    if not names:
        raise SpecError(
            f"the irreps of {name} have no names here: list representations"
        )
    if not group.is_finite:
        names = names[:FIRST]
    return names


def _orders(wish: Any) -> list[int | None]:
    if wish == ALL:
        return [None]
    orders = wish
    if not isinstance(wish, list):
        orders = [wish]
    for order in orders:
        if type(order) is not int or not 0 <= order <= MAX_ORDER:
            raise SpecError(
                f"order is {ALL}, or whole numbers from 0 to {MAX_ORDER}, got {order!r:.40}"
            )
    return list(orders)


def _texts(wish: Any, what: str) -> list[str]:
    texts = wish
    if isinstance(wish, str):
        texts = [wish]
    if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
        raise SpecError(f"{what} are texts, or a list of them, got {wish!r:.60}")
    for text in texts:
        require_line(text, what)
    return texts
