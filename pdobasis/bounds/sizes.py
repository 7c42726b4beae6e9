"""How many bytes a value holds, roughly: what caches are charged for it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

FEW = 16
"""Items of a container that are looked at one by one; of longer ones so many are taken as an example."""
NUMBER = 32
"""Bytes of a Python integer, and of an object that is not looked into."""


def size_of(value: object) -> int:
    """Bytes of a value with all that it holds; what two values share is charged to both.

    >>> size_of("a" * 1000) > 1000
    True
    >>> size_of([1.5] * 100_000) > 800_000
    True
    """
    return _size(value, set())


def size_of_arguments(arguments: tuple[object, ...]) -> int:
    """Bytes that arguments hold themselves: arrays in them, but not what their parts hold.

    A group or a representation is the argument of many, and is charged where it was made.
    """
    return sum([_flat_size(argument) for argument in arguments])


def _flat_size(value: Any) -> int:
    kind = type(value)
    if kind in _PLAIN:
        return sys.getsizeof(value)
    if getattr(kind, "is_charged_once", False):
        return NUMBER
    names = _names(kind)
    if names is None:
        return _array_size(value)
    if names or not isinstance(value, (tuple, list)):
        parts = [getattr(value, name, None) for name in names]
    else:
        parts = list(value)
    return NUMBER + sum(
        [_array_size(part) for part in parts if hasattr(part, "nbytes")]
    )


def _size(value: Any, seen: set[int]) -> int:
    kind = type(value)
    if kind in _PLAIN:
        return sys.getsizeof(value)
    if kind is tuple and len(value) <= FEW and _PLAIN.issuperset(map(type, value)):
        return sys.getsizeof(value) + sum(map(sys.getsizeof, value))
    if id(value) in seen:
        return 0
    # groups, representations and fields are parts of many values, and were charged when they were made
    if seen and getattr(kind, "is_charged_once", False):
        return NUMBER
    seen.add(id(value))
    names = _names(kind)
    if names is None:
        return _array_size(value)
    if names:
        parts = [getattr(value, name, None) for name in names]
        return NUMBER + _sum(parts, seen)
    if isinstance(value, Mapping):
        return sys.getsizeof(value) + _sum(list(value.items()), seen)
    if isinstance(value, (tuple, list, set, frozenset)):
        return sys.getsizeof(value) + _sum(list(value), seen)
    if isinstance(value, type):
        return sys.getsizeof(value)
    return NUMBER + _sum(list(getattr(value, "__dict__", {}).values()), seen)


_PLAIN = frozenset({type(None), bool, int, float, str, bytes})


def _names(kind: type) -> tuple[str, ...] | None:
    """What objects of one kind hold: the fields of a dataclass, the slots of others; None for arrays."""
    if kind not in _NAMES:
        _NAMES[kind] = _found_names(kind)
    return _NAMES[kind]


_NAMES: dict[type, tuple[str, ...] | None] = {}
"""Looked up once for each kind, since every miss of a cache asks."""


def _found_names(kind: type) -> tuple[str, ...] | None:
    if hasattr(kind, "nbytes"):
        return None
    held: tuple[str, ...] | None = getattr(kind, "held", None)
    if held is not None:
        # what is made of it when it is asked for is not asked for here
        return held
    if is_dataclass(kind):
        return tuple(f.name for f in fields(kind))
    slots = getattr(kind, "__slots__", ())
    if isinstance(slots, str):
        return (slots,)
    return tuple(slots)


def _array_size(array: Any) -> int:
    """Of a NumPy array; arrays of objects point at numbers of their own."""
    own = int(array.nbytes)
    if getattr(array.dtype, "hasobject", False):
        own += NUMBER * int(array.size)
    return own


def _sum(items: list[Any], seen: set[int]) -> int:
    shown = items[:FEW]
    found = sum([_size(item, seen) for item in shown])
    if len(items) > FEW:
        # the others are taken to be like the first
        found = found * len(items) // FEW
    return found
