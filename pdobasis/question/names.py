"""Names that people read: only letters that are what they look like."""

from __future__ import annotations

from typing import Any
from unicodedata import name

from pdobasis.errors import SpecError

MAX_LINE = 10_000
"""Characters of a text that people read; a representation may be a long sum."""


def require_line(text: Any, where: str) -> None:
    """Refuse a text that is not one printable line: it would be obeyed by a terminal, or pass for a line of ours."""
    if not isinstance(text, str) or len(text) > MAX_LINE or not text.isprintable():
        raise SpecError(f"{where}: {text!r:.60} is not one line of printable letters")


def require_ascii(text: str, where: str) -> None:
    """Refuse a name with anything else than printable ASCII: a Cyrillic О in it would pass for another group."""
    for place, letter in enumerate(text):
        if not letter.isascii() or not letter.isprintable():
            what = name(letter, f"character {ord(letter)}")
            raise SpecError(
                f"{where}: {text[:60]!r} has {what} at character {place + 1}; names are printable ASCII"
            )
