"""The tables in the repository: made again byte for byte, and compiled where pdflatex is installed."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

FOLDER = Path(__file__).parent.parent.parent / "tables"
FILES = sorted(FOLDER.glob("*.tex"))
FOLDERS = ("--paper", "--all-orders")
CONCRETE = [f for f in FILES if not set(FOLDERS) & set(f.read_text().splitlines()[1].split())]


def command_of(file: Path) -> list[str]:
    """The second line of every file is the command that makes it."""
    return shlex.split(file.read_text().splitlines()[1].removeprefix("%"))[1:]


def test_there_are_tables() -> None:
    assert len(FILES) > 20
    assert len(FILES) - len(CONCRETE) == 12


@pytest.mark.parametrize("file", CONCRETE, ids=lambda f: f.stem)
def test_a_table_is_made_again_byte_for_byte(file: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [*command_of(file), "-o", str(tmp_path / "again.tex")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "again.tex").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("convention", ["pdobasis", "paper"])
def test_the_paper_s_tables_are_made_again_byte_for_byte(convention: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["table", "--paper", "--convention", convention, "-o", str(tmp_path / "again")])
    assert result.exit_code == 0, result.output
    made = sorted((tmp_path / "again").iterdir())
    assert len(made) == 5
    for path in made:
        assert path.read_bytes() == (FOLDER / path.name).read_bytes()


def test_the_tables_of_all_orders_are_made_again_byte_for_byte(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["table", "--all-orders", "-o", str(tmp_path / "again")])
    assert result.exit_code == 0, result.output
    made = sorted((tmp_path / "again").iterdir())
    assert [path.stem for path in made] == ["cn-all-orders", "dn-all-orders"]
    for path in made:
        assert path.read_bytes() == (FOLDER / path.name).read_bytes()


PACKAGES = ("amsmath", "amssymb", "booktabs", "geometry", "graphicx")


def latex_is_complete() -> bool:
    """A TeX that came along with another program may lack packages."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    found = subprocess.run(["kpsewhich", *(f"{p}.sty" for p in PACKAGES)], capture_output=True, text=True, check=False)
    return len(found.stdout.split()) == len(PACKAGES)


NEEDS_LATEX = pytest.mark.skipif(not latex_is_complete(), reason="pdflatex or a package is not installed")


@NEEDS_LATEX
@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_table_compiles(file: Path, tmp_path: Path) -> None:
    source = file.read_text()
    if r"\documentclass" not in source:
        source = around(file)
    compile_(source, tmp_path)


@NEEDS_LATEX
@pytest.mark.parametrize("style", ["standalone", "fragment"])
def test_wide_matrices_and_foreign_names_compile(style: str, tmp_path: Path) -> None:
    group = tmp_path / "g.yaml"
    group.write_text('name: "W_8 & 50% {e}"\ngenerators:\n  r: [[1, -1], [1, 0]]\n  f: [[1, -1], [0, -1]]\n')
    words = ["table", "--group", str(group), "--irreps", "trivial, regular", "--order", "0", "--style", style]
    result = CliRunner().invoke(main, [*words, "-o", str(tmp_path / "wide.tex")])
    assert result.exit_code == 0, result.output
    source = (tmp_path / "wide.tex").read_text()
    assert "MaxMatrixCols}{12}" in source
    compile_(source if style == "standalone" else around(tmp_path / "wide.tex"), tmp_path)


def around(fragment: Path) -> str:
    packages = r"\usepackage{amsmath,amssymb,booktabs,graphicx}"
    return rf"\documentclass{{article}}{packages}\begin{{document}}\input{{{fragment}}}\end{{document}}"


def compile_(source: str, tmp_path: Path) -> None:
    (tmp_path / "table.tex").write_text(source)
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "table.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stdout[-2000:]
    assert "Overfull \\hbox" not in result.stdout
