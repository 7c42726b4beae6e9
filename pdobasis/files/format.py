"""What a file format is: everything that the rest of the program knows about one.

A new format is one file: a writer (and a reader), a `Format` that names them, and its line in
``pdobasis/files/formats.py`` (or a call of `pdobasis.files.formats.register`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pdobasis.files.stencil_file import StencilFile


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write stencils down.

    ``write`` gives the same bytes for the same contents. ``recognise`` says by its own marks, never by a name, whether
    bytes are of this format; ``read`` gives the contents back or raises FileFormatError. Both are None for a format
    that is not read back. Texts may be printed.
    """

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[StencilFile], bytes]
    read: Callable[[bytes], StencilFile] | None = None
    recognise: Callable[[bytes], bool] | None = None
    is_text: bool = False
