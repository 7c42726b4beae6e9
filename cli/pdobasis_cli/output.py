"""-o: names are refused before any work, files are written before anything is printed, and - is stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pdobasis.values import dataclass
from pdobasis_cli.console import shown

if TYPE_CHECKING:
    from pathlib import Path

    from pdobasis.errors import PdoBasisError

DASH = "-"


def is_stdout(path: Path | None) -> bool:
    """Whether a name means standard output: -, or another name of what it is open on, as /dev/stdout."""
    if path is None or str(path) == DASH:
        return path is not None
    from pdobasis.files.atomic import is_standard_stream

    try:
        return is_standard_stream(os.stat(path)) == 1
    except (OSError, ValueError):
        return False


def names_no_format(path: Path) -> bool:
    """Whether the end of a name says nothing: stdout, a pipe or a device is called as it is."""
    if is_stdout(path):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def check(
    path: Path | None, suffixes: Sequence[str], wrong: str, hint: str = "-o"
) -> None:
    """Refuse what could not be written afterwards; ``wrong`` says which endings a name may have."""
    if path is None or str(path) == DASH:
        return
    from pdobasis.errors import SpecError
    from pdobasis.files.atomic import require_writable

    if path.suffix not in suffixes and not names_no_format(path):
        raise click.BadParameter(f"{path}: {wrong}", param_hint=hint)
    if not path.parent.is_dir():
        raise click.BadParameter(
            f"{path}: there is no folder {path.parent}", param_hint=hint
        )
    try:
        found = require_writable(path)
    except SpecError as error:
        raise click.BadParameter(str(error), param_hint=hint) from None
    # a link to nothing: the file is made where it leads, if there is a folder
    if found is None and not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise click.BadParameter(
            f"{path}: it is a link, and there is no folder where it leads",
            param_hint=hint,
        )


def refuse_terminal(path: Path, what: str) -> None:
    """Bytes that are no text would spoil a terminal."""
    if is_stdout(path) and sys.stdout is not None and sys.stdout.isatty():
        raise click.BadParameter(
            f"{what} is no text for a terminal: give the name of a file, or a pipe",
            param_hint="-o",
        )


def write(path: Path, data: bytes, *, with_size: bool = False) -> None:
    """Write FILE, or stdout, and say so."""
    _write(path, data)
    size = ""
    if with_size:
        size = f" ({len(data):,} bytes)"
    _tell(path, size)


def _write(path: Path, data: bytes) -> None:
    from pdobasis.files.atomic import write_atomically

    if not is_stdout(path):
        write_atomically(path, data)
    elif sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _tell(path: Path, size: str = "") -> None:
    if not is_stdout(path):
        click.echo(f"wrote {shown(str(path))}{size}", err=True)


@dataclass(frozen=True, slots=True)
class Written:
    """Which files were written, and the first that could not be: told when the answer has been printed."""

    paths: tuple[Path, ...]
    failure: PdoBasisError | None

    def tell(self) -> None:
        for path in self.paths:
            _tell(path)
        if self.failure is not None:
            raise self.failure


def write_all(texts: Sequence[tuple[Path | None, str]]) -> Written:
    """Write what has a name."""
    from pdobasis.errors import PdoBasisError

    done: list[Path] = []
    failure = None
    for path, text in texts:
        if path is None:
            continue
        try:
            _write(path, text.encode())
            done.append(path)
        except PdoBasisError as error:
            failure = failure or error
    return Written(tuple(done), failure)
