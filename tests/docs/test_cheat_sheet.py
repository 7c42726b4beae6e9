"""The cheat sheet: every line of ours runs, in the order of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs

PAGE = Path(__file__).parents[2] / "docs" / "cheat-sheet.md"


def test_our_lines_run() -> None:
    pytest.importorskip("torch")
    names: dict[str, object] = {}
    lines = re.findall(r"^\|.*\| `(.+)` \|$", PAGE.read_text(), re.M)
    assert len(lines) > 35
    for line in lines:
        exec(compile(line, line, "exec"), names)  # noqa: S102
    import pdobasis.nn as pnn

    assert names["hidden"].size == 128  # type: ignore[attr-defined]
    assert isinstance(names["points"], pnn.PDOPointConv)
