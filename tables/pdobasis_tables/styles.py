"""The four styles, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pdobasis_tables.html import html
from pdobasis_tables.latex import fragment, standalone
from pdobasis_tables.markdown import markdown
from pdobasis_tables.table import Table

Writer = Callable[[Sequence[Table], Sequence[str]], str]
STYLES: dict[str, Writer] = {
    "standalone": standalone,
    "fragment": fragment,
    "markdown": markdown,
    "html": html,
}
SUFFIXES = {
    "standalone": ".tex",
    "fragment": ".tex",
    "markdown": ".md",
    "html": ".html",
}


def style_of(suffix: str) -> str:
    """The style that a file name asks for when nothing else is said: the first of those with its suffix."""
    for style, known in SUFFIXES.items():
        if known == suffix:
            return style
    return "standalone"
