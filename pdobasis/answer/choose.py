"""Which elements of a basis are shown, and in which order: ``--only order=2 --sort name``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from pdobasis.errors import SpecError, UnknownNameError

if TYPE_CHECKING:
    from pdobasis.answer.element import Element

Fact = int | str | None

FACTS: dict[str, Callable[[Element], Fact]] = {
    "order": lambda e: e.order,
    "angular": lambda e: e.angular_order,
    "laplacian": lambda e: e.laplacian_power,
    "name": lambda e: e.name,
    "entries": lambda e: len(e.entries),
}
"""What an element can be chosen by: numbers, and its name."""

Condition = tuple[str, frozenset[str]]
"""A fact, and the values that it may have."""


def fact(word: str) -> str:
    """The name of a fact; a refusal says the nearest."""
    if word not in FACTS:
        raise UnknownNameError("fact", word, FACTS, f"(one of {', '.join(FACTS)})")
    return word


def condition(text: str) -> Condition:
    """``order=2``, or ``name=curl,Laplacian`` for one of several.

    >>> condition("order=2")
    ('order', frozenset({'2'}))
    """
    word, equals, values = text.partition("=")
    if not equals or not values.strip():
        raise SpecError(
            f"{text!r:.60}: expected a fact and its value, such as order=2 or name=curl"
        )
    name = fact(word.strip())
    found = frozenset(value.strip() for value in values.split(","))
    for value in found:
        if name != "name" and not value.isdecimal():
            raise SpecError(f"{text!r:.60}: {name} is a whole number, such as {name}=2")
    return name, found


def chosen(
    elements: Iterable[Element], only: Sequence[Condition], sort: str | None
) -> list[Element]:
    """Those that meet every condition; sorted where that is asked for, what has no such fact last."""
    kept = [e for e in elements if all(_meets(e, c) for c in only)]
    if sort is not None:
        read = FACTS[fact(sort)]
        kept.sort(key=lambda element: _key(read(element)))
    return kept


def _meets(element: Element, wanted: Condition) -> bool:
    name, values = wanted
    own = FACTS[name](element)
    return own is not None and str(own).casefold() in {v.casefold() for v in values}


def _key(value: Fact) -> tuple[bool, int, str]:
    """What is not known comes last."""
    if isinstance(value, int):
        return False, value, ""
    return value is None, 0, value or ""
