r"""The grammar of field types, as syntax alone: which sums, counts, names and arguments a text is made of.

    sum   = term { "+" term }
    term  = [ count "x" ] ( name [ "(" argument { "," argument } ")" ] | l "e" | l "o" | "(" sum ")" )

What arguments mean (sums, whole numbers, names of groups, words in the generators) depends on the name:
:mod:`.text` builds representations from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pdobasis.errors import ParseError
from pdobasis.values import dataclass

MAX_COUNT = 100_000
MAX_DEPTH = 50

_COUNT = r"\s*(\d+)\s*[x*]\s*(?=\S)"
_NAME = r"[A-Za-z_][A-Za-z_0-9]*"
_DEPTH = {"(": 1, ")": -1}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that remembers where it stands."""

    whole: str
    start: int
    text: str

    def fail(self, expected: str, at: int = 0) -> ParseError:
        return ParseError(self.whole, self.start + at, expected)

    def part(self, low: int, high: int) -> Piece:
        raw = self.text[low:high]
        # spaces are left out, and places counted with them
        skipped = len(raw) - len(raw.lstrip())
        return Piece(self.whole, self.start + low + skipped, raw.strip())


@dataclass(frozen=True, slots=True)
class Call:
    """``name(arguments)``; ``piece`` is all of it."""

    piece: Piece
    name: str
    arguments: tuple[Piece, ...]

    def expect(self, count: int, usage: str) -> None:
        if len(self.arguments) != count:
            many = "s" * (count != 1)
            raise self.piece.fail(
                f"{usage} ({count} argument{many}, got {len(self.arguments)})"
            )


def whole_text(text: str) -> Piece:
    return Piece(text, 0, text).part(0, len(text))


def summands(piece: Piece) -> Iterator[tuple[Piece, int]]:
    """The terms of a sum, brackets multiplied out: (term, how often) in their order."""
    for part in _split(piece, "+"):
        if not part.text:
            raise part.fail("a representation such as trivial, vector or regular")
        rest, count = _counted(part)
        if rest.text.startswith("("):
            yield from _bracket(rest, count)
        else:
            yield rest, count


def _counted(part: Piece) -> tuple[Piece, int]:
    match = None
    # only where there is a number in front
    if part.text.lstrip()[:1].isdigit():
        match = re.match(_COUNT, part.text)
    if match is None:
        return part, 1
    digits = match.group(1)
    if len(digits) > 6 or not 1 <= int(digits) <= MAX_COUNT:
        raise part.fail(f"a count from 1 to {MAX_COUNT}")
    rest = part.part(match.end(), len(part.text))
    return rest, int(digits)


def _bracket(part: Piece, count: int) -> list[tuple[Piece, int]]:
    if part.text[-1] != ")":
        raise part.fail("')' at the end of the bracket", len(part.text))
    inner = list(summands(part.part(1, len(part.text) - 1)))
    # brackets in brackets multiply: refused before the list is made
    if len(inner) * count > MAX_COUNT:
        raise part.fail(f"at most {MAX_COUNT} summands")
    return inner * count


def call(piece: Piece) -> Call:
    """A name with its arguments, which are not looked into."""
    # the usual case, without a pattern to be made first
    if piece.text.isascii() and piece.text.isidentifier():
        return Call(piece, piece.text, ())
    match = re.match(_NAME, piece.text)
    if match is None:
        raise piece.fail("a representation such as trivial, vector or regular")
    rest = piece.text[match.end() :].lstrip()
    # a name alone is a call without arguments
    if not rest:
        return Call(piece, match.group(), ())
    # where the rest starts, behind spaces: an error points there
    open_at = piece.text.index(rest, match.end())
    if not rest.startswith("("):
        raise piece.fail("'+', '(' or the end", open_at)
    close = _matching(piece, open_at)
    if piece.text[close + 1 :].strip():
        raise piece.fail("'+' or the end", close + 1)
    inner = piece.part(open_at + 1, close)
    if not inner.text:
        return Call(piece, match.group(), ())
    return Call(piece, match.group(), tuple(_split(inner, ",")))


def number(piece: Piece, text: str, low: int, high: int) -> int:
    if not re.fullmatch(r"\d{1,6}", text) or not low <= int(text) <= high:
        raise piece.fail(f"a whole number from {low} to {high}")
    return int(text)


def _matching(piece: Piece, open_at: int) -> int:
    depth = 0
    for i in range(open_at, len(piece.text)):
        depth += _DEPTH.get(piece.text[i], 0)
        if depth == 0:
            return i
    raise piece.fail("')'", len(piece.text))


def _split(piece: Piece, separator: str) -> list[Piece]:
    """At separators outside brackets."""
    out = []
    depth = 0
    low = 0
    for i, c in enumerate(piece.text):
        depth += _DEPTH.get(c, 0)
        if depth < 0:
            raise piece.fail("no ')' without its '('", i)
        if depth > MAX_DEPTH:
            raise piece.fail(f"at most {MAX_DEPTH} nested brackets", i)
        if c == separator and depth == 0:
            out.append(piece.part(low, i))
            low = i + 1
    if depth:
        raise piece.fail("')'", len(piece.text))
    out.append(piece.part(low, len(piece.text)))
    return out
