"""Families of groups: who reads which text, and what is known about the groups that come out.

A family is one :class:`GroupFamily`. The catalogue, the listings and the questions about members read the register, so
that a new family is one file with one ``register`` line.
"""

from __future__ import annotations

from collections.abc import Callable

from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.groups.group import Group
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True)
class Wish:
    """A text that should be a group: with the dimension, if it is known, and the number of elements allowed."""

    text: str
    dim: int | None
    limit: int


@dataclass(frozen=True, slots=True)
class GroupFamily:
    """``read`` returns None for a text in another notation, and an error for a wrong one in its own.

    ``rows`` (names, dimension, what it is) are listed by ``pdobasis groups``; ``words`` are offered for a misspelt one;
    ``any_dim`` are texts whose dimension follows that of the other factors of a product. ``terms`` are the families of
    the :class:`~pdobasis.groups.group.CatalogueTerm` s that it makes; ``contains`` decides about elements of infinite
    groups.
    """

    name: str
    read: Callable[[Wish], Group | None]
    rows: tuple[tuple[str, str, str], ...]
    words: tuple[str, ...] = ()
    any_dim: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    contains: Callable[[Group, ExactArray], bool] | None = None


_FAMILIES: dict[str, GroupFamily] = {}


def register(family: GroupFamily) -> GroupFamily:
    """Add a family; it is asked after those that are there already."""
    # a mapping keeps the order in which its keys came
    if family.name in _FAMILIES:
        raise SpecError(f"there is a family of groups called {family.name!r} already")
    _FAMILIES[family.name] = family
    return family


def unregister(name: str) -> None:
    _FAMILIES.pop(name, None)


def families() -> tuple[GroupFamily, ...]:
    return tuple(_FAMILIES.values())


def family_of(group: Group) -> GroupFamily | None:
    """The family that makes the group; None for one's own."""
    if group.term is None:
        return None
    return next((f for f in families() if group.term.family in f.terms), None)
