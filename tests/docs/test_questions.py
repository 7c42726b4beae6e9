"""The page of questions: every command runs, and says what the page says it does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

pytestmark = pytest.mark.docs

PAGE = Path(__file__).parents[2] / "docs" / "questions.md"


def test_every_command_gives_the_answer_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page: some read what others wrote."""
    monkeypatch.chdir(tmp_path)
    asked = re.findall(r"^### (\d+)\. (.+)\n\n(.+)\n\n```text\npdobasis (.+)\n```$", PAGE.read_text(), re.M)
    assert [int(number) for number, *_ in asked] == list(range(1, len(asked) + 1))
    assert len(asked) >= 40
    for _, question, answer, command in asked:
        told = CliRunner().invoke(main, shlex.split(command)).output
        words = re.findall(r"\*\*(.+?)\*\*", answer)
        assert words, f"{question} has no answer that could be checked"
        for word in words:
            assert word in told, f"{question}\n{command}\nsays nothing of {word!r}:\n{told}"
