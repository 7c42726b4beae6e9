"""Every code block of the page on the transfer solver runs as printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs

PAGE = Path(__file__).parents[2] / "docs" / "transfer.md"


def test_the_page_runs() -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags, encoding="utf-8")
    assert result.attempted > 40
    assert result.failed == 0
