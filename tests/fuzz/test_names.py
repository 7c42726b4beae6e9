"""The same hostile names in every place, for every command and every format."""

from __future__ import annotations

import ast
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import pdobasis
from pdobasis.files.formats import find
from pdobasis.files.stencil_file import StencilFile, checksum, contents
from pdobasis.stencils.sampled import sample
from tests.fuzz.harness import CONTROL, run
from tests.fuzz.hostile import NAMES

QUESTION = ["--in", "vector", "--out", "trivial", "--order", "1"]
ALLOWED = [name for name in NAMES if name.isascii() and name.isprintable() and name.strip()]


def yaml_group(folder: Path, name: str) -> str:
    # JSON is YAML, and writes every letter
    matrix = {"r": [[0, -1], [1, 0]]}
    (folder / "own.yaml").write_text(json.dumps({"name": name, "generators": matrix}))
    return str(folder / "own.yaml")


class Page(HTMLParser):
    """Every tag, attribute and comment of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.comments: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def is_harmless(page: Page, like: Page) -> bool:
    return page.tags <= like.tags and page.attributes <= like.attributes and len(page.comments) == len(like.comments)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    """Pages about a group with an ordinary name."""
    group = yaml_group(tmp_path_factory.mktemp("plain"), "mine")
    found = {
        style: run(["table", "--group", group, "--irreps", "vector", "--style", style]).out
        for style in ("html", "markdown")
    }
    found["report"] = run(["report", "--group", group, *QUESTION, "-o", "-"]).out
    return {style: Page(text) for style, text in found.items()}


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_of_a_group_is_refused_or_harmless_in_every_medium(
    name: str, plain: dict[str, Page], tmp_path: Path
) -> None:
    group = yaml_group(tmp_path, name)
    first = run(["solve", "--group", group, *QUESTION])
    assert first.faults() == []
    # an empty name is none; the longest are cut
    assert first.code == (0 if name in ALLOWED or not name.strip(" ") else 2)
    if first.code == 2:
        assert first.err.count("\n") == 1
        return
    assert first.out.count("proved") + first.out.count("✓ complete") <= 1 + name.count("proved")
    for style in ("html", "markdown", "standalone", "fragment"):
        table = run(["table", "--group", group, "--irreps", "vector", "--style", style])
        assert (table.code, table.faults()) == (0, [])
        if style in plain:
            assert is_harmless(Page(table.out), plain[style])
        else:
            _require_latex(table.out)
    page = run(["report", "--group", group, *QUESTION, "-o", "-"])
    assert (page.code, page.faults()) == (0, [])
    assert is_harmless(Page(page.out), plain["report"])
    stencils = ["export", "--group", group, *QUESTION, "--size", "3", "--format"]
    assert isinstance(ast.parse(run([*stencils, "python"]).out), ast.Module)
    _require_latex(run([*stencils, "latex"]).out)


def _require_latex(text: str) -> None:
    """Names stand in comments, which nothing ends, or escaped."""
    for line in text.splitlines():
        if not line.startswith("%"):
            assert not re.search(r"\\input\W|\^\^|\\end\{document\}.", line)
    assert text.count(r"\end{document}") <= 1 or "% " in text


@pytest.mark.parametrize("name", [n for n in ALLOWED if "$" in n or "\\" in n or "[" in n])
def test_a_name_is_no_formula_of_matplotlib(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    group = yaml_group(tmp_path, name)
    drawn = run(["plot", "--group", group, *QUESTION, "--size", "3", "-o", str(tmp_path / "x.svg")])
    assert (drawn.code, drawn.faults()) == (0, [])


@pytest.mark.parametrize("place", ["group", "spec", "element"])
def test_names_in_a_stencil_file_with_a_right_checksum(place: str, tmp_path: Path) -> None:
    basis = pdobasis.solve("C4", "trivial", "vector", 1)
    good = contents(basis, sample(basis, "fd", 3))
    for name in NAMES:
        meta = json.loads(good.meta_text)
        if place == "group":
            meta["group"] = name
        elif place == "spec":
            meta["in"]["spec"] = name
        else:
            meta["elements"][0]["name"] = name
        meta["checksum"] = checksum(good.arrays, meta)
        try:
            data = find("json").write(StencilFile(**good.arrays, meta=meta))
        except UnicodeEncodeError:  # half a letter cannot be written
            continue
        (tmp_path / "x.json").write_bytes(data)
        for command in (
            ["show"],
            ["show", "--json"],
            ["verify"],
            ["export", "--format", "python"],
            ["export", "--format", "latex"],
        ):
            found = run([*command, str(tmp_path / "x.json")])
            assert found.faults() == []
            assert found.code in ((1, 2) if command == ["verify"] else (0, 2))
            assert not found.out.startswith("proved")
            assert "\nproved" not in found.out


@pytest.mark.parametrize("name", [n for n in NAMES if "\0" not in n and "\ud800" not in n])
def test_texts_of_the_command_line_are_shown_not_obeyed(name: str) -> None:
    for arguments in (
        ["verify", f"/nowhere/{name[:100]}"],
        ["solve", "--group", name, *QUESTION],
        ["solve", "--group", "C4", "--in", name or "?", "--out", "vector"],
        ["groups", name or "?"],
        ["table", "--group", "C4", "--irreps", name or "?"],
        ["solve", "--group", "C4", *QUESTION, "-o", f"/nowhere/{name[:100]}.json"],
        ["export", "--group", "C4", *QUESTION, "--format", name or "?"],
    ):
        found = run(arguments)
        assert found.faults() == []
        assert found.code in (0, 2)


def test_a_terminal_gets_texts_and_no_markup(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pdobasis_cli import console

    monkeypatch.setattr(console, "is_terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "10000")
    for name in NAMES:
        console.print_line(name, "bold")
        console.print_table(("a",), [(name,)], name)
    assert not CONTROL.search(re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out))
