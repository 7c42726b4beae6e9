"""The library names arguments as Python does; the command line says the same with its options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis

LIBRARY = Path(pdobasis.__file__).parent
LISTING = "C4v C4h D4h D2d S4 ... (any n), C4, D4 with --dim 3"
"""A row that the command `pdobasis groups` prints."""


def texts(tree: ast.AST) -> Iterator[str]:
    """All strings that are not docstrings."""
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.value


def test_no_text_of_the_library_names_an_option_of_the_command_line() -> None:
    sources = {path: path.read_text(encoding="utf8") for path in LIBRARY.rglob("*.py")}
    # Programs of their own have options of their own, as the page that is handed to strangers.
    programs = [path for path, source in sources.items() if "__main__" in source]
    found = [
        (path.name, text)
        for path, source in sources.items()
        if path not in programs
        for text in texts(ast.parse(source))
        if re.search(r"(?<![\w-])--[a-z]", text) and text != LISTING
    ]
    assert found == []
    assert {"check_pdobasis.py"} <= {path.name for path in programs}


QUESTION = ["--in", "vector", "--out", "trivial"]


@pytest.mark.parametrize(("command", "words"), [
    (["solve", "-g", "Oh", "--dim", "2", *QUESTION], "not 2: leave out --dim or choose another group"),
    (["solve", "-g", "C20000", *QUESTION], "beyond the limit of 10000 (--max-elements raises it)"),
    (["solve", "-g", "D4", "--max-unknowns", "3", *QUESTION], "lower --order, or lift it with --max-unknowns 12"),
    (["solve", "-g", "SL(2)", "--method", "transfer", *QUESTION], "ask for PDOs with --method direct"),
    (["solve", "-g", "C4", "--method", "direct", "--kernel", *QUESTION],
     "--kernel goes with --method transfer, both or auto"),
    (["export", "-g", "D4", *QUESTION, "--order", "3", "--stencil", "fd", "--size", "3", "-o", "x.npz"],
     "use a larger stencil (--size 5) or a lower order"),
    (["export", "-g", "D4", *QUESTION, "--stencil", "fd", "--size", "3", "-o", "x.foo"], "or --format has to say it"),
    # A name that looks like an argument is none.
    (["show", "dim=3.json"], "dim=3.json: there is no such file"),
])  # fmt: skip
def test_the_command_line_says_it_with_options(command: list[str], words: str) -> None:
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2
    assert words in done.output


def test_python_says_it_with_arguments() -> None:
    with pytest.raises(pdobasis.PdoBasisError, match="leave out dim= or choose"):
        pdobasis.solve("Oh", "vector", "trivial", dim=2)
    with pytest.raises(pdobasis.PdoBasisError, match="max_unknowns=12"):
        pdobasis.solve("D4", "vector", "trivial", order=2, max_unknowns=3)
    with pytest.raises(pdobasis.PdoBasisError, match=r"\(size=5\)"):
        pdobasis.solve("D4", "vector", "trivial", order=3).stencils("fd", size=3)
