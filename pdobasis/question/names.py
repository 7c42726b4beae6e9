"""Names that people read: only letters that are what they look like."""

from __future__ import annotations

from unicodedata import name

from pdobasis.errors import SpecError


def require_ascii(text: str, where: str) -> None:
    """Refuse a name with anything else than printable ASCII: a Cyrillic О in it would pass for another group."""
    for place, letter in enumerate(text):
        if not letter.isascii() or not letter.isprintable():
            what = name(letter, f"character {ord(letter)}")
            raise SpecError(
                f"{where}: {text[:60]!r} has {what} at character {place + 1}; names are printable ASCII"
            )
