"""Nothing is forgotten: commands, pages and public names that no page lists are added where a page says ``others``."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

from pdobasis_cli.commands import COMMANDS
from sphinx.application import Sphinx

ROOMS = ("pdobasis", "pdobasis.nn", "pdobasis.nn.models", "pdobasis.stencils", "pdobasis.measure")
OTHERS = re.compile(r"^(?:<!-- others -->|\.\. others)$", re.M)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def complete(app: Sphinx, page: str, source: list[str]) -> None:
    if page == "index":
        listed = other_pages(Path(app.srcdir), source[0])
        source[0] = OTHERS.sub("\n".join(listed), source[0])
    elif page == "reference/further":
        source[0] = OTHERS.sub(lambda found: other_names(Path(app.srcdir)), source[0])
    elif page == "reference/commands":
        source[0] = OTHERS.sub(lambda found: all_commands(), source[0])


def other_pages(folder: Path, index: str) -> list[str]:
    """What is beside the index and not in it."""
    pages = sorted(path.stem for path in folder.glob("*.md"))
    listed = set(index.split()) | {"index", "README"}
    return [page for page in pages if page not in listed]


def all_commands() -> str:
    return "\n".join(f"## {name}\n\n```{{command}} {name}\n```\n" for name in COMMANDS)


def other_names(folder: Path) -> str:
    """Directives for public names that no page of the reference has."""
    text = "".join(page.read_text() for page in sorted((folder / "reference").glob("*.rst")))
    out = ""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in sorted(set(module.__all__) - named(text, room)):
            out += f"\n.. {directive(getattr(module, name))}:: {room}.{name}\n"
            if inspect.isclass(getattr(module, name)):
                out += "   :members:\n"
    return out


def named(text: str, room: str) -> set[str]:
    """The names of a room that directives ask for; a version is none of them."""
    out = {"__version__"}
    for part in re.split(r"^\.\. currentmodule:: ", text, flags=re.M)[1:]:
        if part.split("\n", 1)[0] == room:
            out.update(re.findall(r"^\.\. auto\w+:: (\w+)$", part, re.M))
    return out


def directive(value: object) -> str:
    if inspect.isclass(value):
        if issubclass(value, BaseException):
            return "autoexception"
        return "autoclass"
    if inspect.isroutine(value):
        return "autofunction"
    return "autodata"
