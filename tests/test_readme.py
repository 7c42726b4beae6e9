"""README and docs say what happens: every Python snippet runs, every command prints what is shown."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def fenced(page: Path) -> list[tuple[str, str]]:
    """(what stands behind the opening fence, what is in it) of every block, in order."""
    return re.findall(r"^```([^\n]*)\n(.*?)^```$", page.read_text(), re.S | re.M)


def blocks(page: Path, language: str) -> list[str]:
    return [body for info, body in fenced(page) if info == language]


def without_progress(output: str) -> str:
    """A slow machine shows progress after a second; no page does."""
    return re.sub(r"^.*( …|left) \(\d+ s\).*\n", "", output, flags=re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_python_snippets(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n".join(b for b in blocks(page, "python") if ">>>" in b)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert runner.run(test).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_python_programs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Snippets without a prompt run one after the other, as one program."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        if ">>>" not in block:
            exec(compile(block, page.name, "exec"), names)  # noqa: S102


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a block, a line ``$ pdobasis …`` is a command, and the lines up to the next are its output ('...' skips)."""
    monkeypatch.chdir(tmp_path)
    for info, content in fenced(page):
        if info.startswith("yaml title="):
            (tmp_path / info.removeprefix("yaml title=")).write_text(content)
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
                assert re.fullmatch(pattern, without_progress(result.output).rstrip(), re.S), (
                    f"{command}\n{result.output}"
                )
            else:
                assert result.exit_code == 0, result.output
