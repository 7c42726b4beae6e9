"""pdobasis table: what it prints, writes and refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pdobasis_cli import main


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["table", *words])


def test_it_prints_a_document() -> None:
    result = run("--group", "C2", "--order", "1")
    assert result.exit_code == 0
    assert result.stdout.startswith("% Made by pdobasis")
    assert result.stdout.rstrip().endswith(r"\end{document}")


def test_the_name_of_the_file_chooses_the_style(tmp_path: Path) -> None:
    for suffix, start in ((".md", "<!--"), (".html", "<!DOCTYPE html>"), (".tex", "% Made")):
        path = tmp_path / f"table{suffix}"
        assert run("--group", "C2", "--order", "1", "-o", str(path)).exit_code == 0
        assert path.read_text().startswith(start)


def test_some_representations_only() -> None:
    result = run("--group", "SO(1,3)", "--irreps", "trivial, alt(2, vector)", "--order", "1", "--style", "markdown")
    assert result.exit_code == 0, result.output
    assert r"$\text{alt(2, vector)}$" in result.stdout


REFUSALS = [
    ((), "--group D8, or --paper"),
    (("--paper", "--group", "D8"), "leave out --group"),
    (("--paper", "--order", "2"), "leave out --order"),
    (("--group", "D8", "--convention", "paper"), "--convention belongs to --paper"),
    (("--group", "D8x"), "unknown group"),
    (("--group", "SL(2)"), "--irreps 'trivial, vector'"),
    (("--group", "D8", "--irreps", "trivial, vectr"), "did you mean vector"),
    (("--group", "D8", "--irreps", ""), "is empty"),
    (("--group", "D8", "--irreps", "regular"), "matrices of 16 x 16, too many for a table"),
    (("--group", "D8", "--order", "70"), "0<=x<=64"),
    (("--group", "D8", "-o", "table.pdf"), "has to end in .html or .md or .tex"),
    (("--group", "D8", "--style", "html", "-o", "table.tex"), "has to end in .html"),
    (("--group", "D8", "-o", "nowhere/table.tex"), "there is no folder nowhere"),
    (("--paper", "-o", "nowhere/else"), "need a folder"),
    (("--paper", "-o", "all.tex"), "need a folder"),
]


@pytest.mark.parametrize(("words", "message"), REFUSALS, ids=lambda v: " ".join(v) if isinstance(v, tuple) else "")
def test_refusals(words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []
