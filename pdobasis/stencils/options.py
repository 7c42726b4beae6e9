"""Options of a discretization: fields of a frozen dataclass that say how they are read, recorded and explained.

A field that is None was not given. The command line, the files and the layers read nothing but these fields:

>>> @dataclass(frozen=True, slots=True)
... class Blur:
...     width: float | None = option(Kind.NUMBER, "how far to smooth.  [1]")
>>> [(o.name, o.kind.value, o.help) for o in options_of(Blur)]
[('width', 'one number', 'how far to smooth.  [1]')]
>>> given(Blur()), given(Blur(width=2.0))
({}, {'width': 2.0})
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from math import isfinite
from typing import Any

import numpy as np


class Kind(Enum):
    """What an option holds, as plain data."""

    NAME = "a name"
    NUMBER = "one number"
    WHOLE = "one whole number"
    NUMBERS = "one number, or several"
    LIST = "a list of numbers"

    def fits(self, value: Any) -> bool:
        """Whether a value of a file (text, number or list) is of this kind."""
        if self is Kind.NAME:
            return isinstance(value, str)
        if self is Kind.WHOLE:
            return isinstance(value, int) and _is_number(value)
        if self is Kind.NUMBER:
            return _is_number(value)
        if isinstance(value, list):
            return all(_is_number(v) for v in value)
        return self is Kind.NUMBERS and _is_number(value)


@dataclass(frozen=True, slots=True)
class Option:
    """One field of a dataclass of options.

    ``is_hidden`` keeps it from the command line; ``on_page`` offers it for the page of a report, as a positive number;
    ``needed_on_points`` says why it has no default on a point cloud.
    """

    name: str
    kind: Kind
    help: str
    is_hidden: bool = False
    on_page: bool = False
    needed_on_points: str = ""


def option(
    kind: Kind,
    help: str = "",
    *,
    is_hidden: bool = False,
    on_page: bool = False,
    needed_on_points: str = "",
) -> Any:
    """A field of a dataclass of options; None until it is given."""
    described = {
        "kind": kind,
        "help": help,
        "is_hidden": is_hidden,
        "on_page": on_page,
        "needed_on_points": needed_on_points,
    }
    return field(default=None, metadata=described)


def options_of(options: type[Any]) -> tuple[Option, ...]:
    """The options that a dataclass declares, in the order of its fields."""
    return tuple(Option(f.name, **f.metadata) for f in fields(options))


def given(options: Any) -> dict[str, Any]:
    """What was given (or filled in), by name: what is handed to the weights, and recorded."""
    values = {f.name: getattr(options, f.name) for f in fields(options)}
    return {name: value for name, value in values.items() if value is not None}


def plain(value: Any) -> Any:
    """An option as JSON holds it: a radial function by its name, numbers of NumPy as numbers of Python."""
    name = getattr(value, "name", None)
    if isinstance(name, str):
        return name
    if isinstance(value, (tuple, list, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def _is_number(value: Any) -> bool:
    # True and False are ints in Python; in a file they are no numbers
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
