"""README and docs say what happens: every Python snippet runs, every command prints what is shown."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_python_snippets(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n".join(b for b in blocks(page, "python") if ">>>" in b)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert runner.run(test).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a block, a line ``$ pdobasis …`` is a command, and the lines up to the next are its output ('...' skips)."""
    monkeypatch.chdir(tmp_path)
    for name, content in re.findall(r"^```yaml title=(\S+)\n(.*?)^```", page.read_text(), re.S | re.M):
        (tmp_path / name).write_text(content)
    for block in blocks(page, ""):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            words = shlex.split(command)
            if words[0] != "pdobasis":
                continue
            result = CliRunner().invoke(main, words[1:])
            wanted = shown.rstrip()
            if wanted:
                pattern = ".*".join(re.escape(p) for p in wanted.split("..."))
                assert re.fullmatch(pattern, result.output.rstrip(), re.S), f"{command}\n{result.output}"
            else:
                assert result.exit_code == 0, result.output
