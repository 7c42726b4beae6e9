"""Frozen dataclasses from plain data: every key known, every value of its type, and errors that say where."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from typing import Any, TypeVar

from experiments.errors import ExperimentError

T = TypeVar("T")


def built(kind: type[T], values: object, where: str) -> T:
    """The dataclass that a mapping describes.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Point:
    ...     x: float
    ...     name: str = ""
    >>> built(Point, {"x": 1}, "point")
    Point(x=1.0, name='')
    >>> built(Point, {"x": 1, "nmae": "a"}, "point")
    Traceback (most recent call last):
    experiments.errors.ExperimentError: point: unknown key 'nmae'; did you mean name?
    """
    if not isinstance(values, Mapping):
        raise ExperimentError(f"{where}: expected keys and values, got {values!r}")
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    for key in values:
        if key not in known:
            raise ExperimentError(f"{where}: unknown key {key!r}{_nearest(str(key), list(known))}")
    hints = typing.get_type_hints(kind)
    given = {}
    for name, field in known.items():
        if name in values:
            given[name] = _checked(hints[name], values[name], f"{where}.{name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ExperimentError(f"{where}: the key {name!r} is missing")
    return kind(**given)


def _nearest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    if near:
        return f"; did you mean {near[0]}?"
    return f": one of {', '.join(known)}"


def _checked(hint: Any, value: object, where: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return _one_of(arguments, value, where)
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            raise ExperimentError(f"{where}: expected a list, got {value!r}")
        return tuple(_checked(arguments[0], one, f"{where}[{k}]") for k, one in enumerate(value))
    if origin is not None or hint is Any:  # Mapping[str, Any]: looked at by whoever it belongs to
        return value
    if is_dataclass(hint):
        return built(typing.cast(type, hint), value, where)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    # True is an int to Python, and "yes" no number to anybody.
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        raise ExperimentError(f"{where}: expected {_NAMES.get(hint, hint.__name__)}, got {value!r}")
    return value


def _one_of(arguments: tuple[Any, ...], value: object, where: str) -> Any:
    if value is None and type(None) in arguments:
        return None
    (hint,) = [a for a in arguments if a is not type(None)]
    return _checked(hint, value, where)


_NAMES: dict[Any, str] = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
