"""Which release wrote a file: a fact about the file, that no question settles and nobody can prove."""

from __future__ import annotations

import re
from typing import Any

from pdobasis.version import __version__

KEY = "written_by"
_WRITER = re.compile(
    r"pdobasis \d{1,4}(\.\d{1,4}){1,3}((a|b|rc|\.post|\.dev)\d{1,4})?", re.ASCII
)


def writer() -> str:
    """The name and version of this program."""
    return f"pdobasis {__version__}"


def is_writer(value: Any) -> bool:
    """Whether it names a release.

    >>> is_writer("pdobasis 0.2.0"), is_writer("pdobasis 2.0rc1"), is_writer("proved by somebody")
    (True, True, False)
    """
    return isinstance(value, str) and _WRITER.fullmatch(value) is not None
