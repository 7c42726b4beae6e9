"""What a target is: everything that the rest of the program knows about a program that takes stencils over.

A new target is one file: how its object is built, or its source written (or both), a `Target` that names them, and its
line in ``pdobasis/handover/__init__.py`` (or a call of `pdobasis.handover.register`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pdobasis.handover.stencil_set import StencilSet


@dataclass(frozen=True, slots=True)
class Target:
    """``build(stencils, **options)`` gives an object, ``source(stencils)`` a text; one of them may be missing.

    A source is a file format as well, called ``format``, with these suffixes.
    """

    name: str
    what: str
    build: Callable[..., Any] | None = None
    source: Callable[[StencilSet], str] | None = None
    suffixes: tuple[str, ...] = ()
    format: str = ""

    @property
    def format_name(self) -> str:
        return self.format or self.name
