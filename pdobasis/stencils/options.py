"""Options of a discretization: fields of a frozen dataclass that say how they are read, recorded and explained.

A field that is None was not given, unless the option says what None means; then `NOT_GIVEN` stands for that. The
command line, the files and the layers read nothing but these fields:

>>> @dataclass(frozen=True, slots=True)
... class Blur:
...     width: float | None = option(Kind.NUMBER, "how far to smooth.  [1]")
>>> [(o.name, o.kind.value, o.help) for o in options_of(Blur)]
[('width', 'one number', 'how far to smooth.  [1]')]
>>> given(Blur()), given(Blur(width=2.0))
({}, {'width': 2.0})

>>> @dataclass(frozen=True, slots=True)
... class Cut:
...     limit: float | NotGiven | None = option(Kind.NUMBER, "what is cut off.  [3]", none_means="no limit")
>>> given(Cut()), given(Cut(limit=None))
({}, {'limit': None})
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, Final

import numpy as np

from pdobasis.question.yaml_files import is_file_name


class NotGiven(Enum):
    """The type of `NOT_GIVEN`."""

    NOT_GIVEN = "not given"


NOT_GIVEN: Final = NotGiven.NOT_GIVEN
"""Stands for an option that was not given where None is a value."""


class Kind(Enum):
    """What an option holds, as plain data."""

    NAME = "a name"
    NUMBER = "one number"
    WHOLE = "one whole number"
    NUMBERS = "one number, or several"
    LIST = "a list of numbers"
    GROUP = "a group"

    def fits(self, value: Any) -> bool:
        """Whether a value of a file (text, number or list) is of this kind."""
        if self is Kind.GROUP:
            # What a file of somebody's says is no part of the value.
            return isinstance(value, str) and not is_file_name(value)
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
    ``needed_on_points`` says why it has no default on a point cloud; ``none_means`` what None means as a value;
    ``stands_for`` the option that it is another way to give.
    """

    name: str
    kind: Kind
    help: str
    is_hidden: bool = False
    on_page: bool = False
    needed_on_points: str = ""
    none_means: str = ""
    stands_for: str = ""

    def fits(self, value: Any) -> bool:
        """Whether a value of a file is one of this option."""
        if value is None:
            return bool(self.none_means)
        return self.kind.fits(value)


def option(
    kind: Kind,
    help: str = "",
    *,
    is_hidden: bool = False,
    on_page: bool = False,
    needed_on_points: str = "",
    none_means: str = "",
    stands_for: str = "",
) -> Any:
    """A field of a dataclass of options; None until it is given, or `NOT_GIVEN` where None is a value."""
    described = {
        "kind": kind,
        "help": help,
        "is_hidden": is_hidden,
        "on_page": on_page,
        "needed_on_points": needed_on_points,
        "none_means": none_means,
        "stands_for": stands_for,
    }
    default = None
    if none_means:
        default = NOT_GIVEN
    return field(default=default, metadata=described)


def options_of(options: type[Any]) -> tuple[Option, ...]:
    """The options that a dataclass declares, in the order of its fields."""
    return tuple(Option(f.name, **f.metadata) for f in fields(options))


def given(options: Any) -> dict[str, Any]:
    """What was given (or filled in), by name: what is handed to the weights, and recorded."""
    values = {f.name: getattr(options, f.name) for f in fields(options)}
    return only_given(values, options_of(type(options)))


def only_given(values: Mapping[str, Any], options: Iterable[Option]) -> dict[str, Any]:
    """The values that were given; None counts for those of the options that have a meaning for it."""
    none_counts = {option.name for option in options if option.none_means}
    return {
        name: value
        for name, value in values.items()
        if value is not NOT_GIVEN and (value is not None or name in none_counts)
    }


def missing_on_points(names: Collection[str], options: Sequence[Option]) -> str | None:
    """What a cloud needs and is not among the given names, in words."""
    said = {*names, *(o.stands_for for o in options if o.name in names)}
    for option in options:
        if option.needed_on_points and option.name not in said:
            return option.needed_on_points
    return None


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
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        # asked this way a whole number of any length can be compared, and NaN is not below anything
        and abs(value) <= sys.float_info.max
    )
