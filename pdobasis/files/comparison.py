"""Does a file say what it should? Whatever can be computed again is compared, key by key; nothing else may stand in it.

What the question and the elements do not settle: the method, which is one of those there are, and the names of groups
and representations of one's own. What the reader took over from the file is not settled by comparing: Laplacian powers
are a claim of the certificate, and the irreps that elements connect are looked at in :mod:`pdobasis.files.irreps`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pdobasis.errors import PdoBasisError
from pdobasis.exact.text import parse_polynomial

Path = tuple[str | int, ...]
LATER: set[Path] = {("witness",), ("certificate", "claims")}
"""Keys that the first files of this version do not have."""
WORDING = ("certificate", "how")
"""How a claim was decided, in words that have changed since the first files."""


def differences(found: Any, expected: Any) -> Iterator[tuple[Path, str]]:
    """(place, what is wrong there), in the order in which a file is written.

    >>> [text for _, text in differences({"a": [1, 2], "c": 0}, {"a": [1, 3], "b": True})]
    ['a[1] is 2, it should be 3', 'b is missing', 'c is not known here']
    """
    yield from _differences(found, expected, ())


def name(path: Path) -> str:
    """A place as it is written: elements[1].name"""
    text = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part[:40]}" for part in path
    )
    return text.removeprefix(".") or "the file"


def is_wording(path: Path) -> bool:
    return path[: len(WORDING)] == WORDING


def _differences(found: Any, expected: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(found, dict) and isinstance(expected, dict):
        for key, value in expected.items():
            if key in found:
                yield from _differences(found[key], value, (*path, key))
            else:
                yield (*path, key), f"{name((*path, key))} is missing"
        # Nobody has checked what an unknown key says, so it must not pass as verified.
        for key in found:
            if key not in expected:
                yield (*path, key), f"{name((*path, key))} is not known here"
    elif (
        isinstance(found, list)
        and isinstance(expected, list)
        and len(found) == len(expected)
    ):
        for k, (one, other) in enumerate(zip(found, expected, strict=True)):
            yield from _differences(one, other, (*path, k))
    elif not _is_equal(found, expected, path):
        yield path, f"{name(path)} is {_shown(found)}, it should be {_shown(expected)}"


def _is_equal(found: Any, expected: Any, path: Path) -> bool:
    """1 is neither true nor 1.0 here. An entry of an element may be written in another way."""
    if type(found) is type(expected) and found == expected:
        return True
    return _is_entry(path) and _is_same_polynomial(found, expected)


def _is_entry(path: Path) -> bool:
    """elements[k].matrix[i][j]"""
    return path[:1] == ("elements",) and path[2:3] == ("matrix",) and len(path) == 5


def _is_same_polynomial(found: Any, expected: Any) -> bool:
    """d2 + d1 for d1 + d2."""
    if not isinstance(found, str) or not isinstance(expected, str):
        return False
    dim = max((int(k) for k in re.findall(r"d(\d+)", expected)), default=1)
    try:
        one, other = parse_polynomial(found, dim), parse_polynomial(expected, dim)
    except PdoBasisError:
        return False
    return one.keys() == other.keys() and all(
        one[alpha].equals(other[alpha]) for alpha in one
    )


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)[:60]
