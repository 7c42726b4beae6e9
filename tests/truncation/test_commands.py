"""Truncations on the command line: what is printed, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

C16 = ("-g", "C16", "--in", "regular", "--out", "regular")


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(words))
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("words", "number", "everything"),
    [
        (("--order", "2", "--max-offset", "0"), 86, 96),
        (("--order", "3", "--max-offset", "0"), 138, 160),
        (("--frame-order", "2"), 144, 240),
        (("--frame-order", "2", "--frame-angle", "pi/8"), 144, 240),
        (("--order", "3", "--max-angular", "1"), 16 + 32 + 16 + 32, 160),
        (("--order", "3", "--max-laplacian-power", "0"), 16 + 32 + 32 + 32, 160),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, tuple) else str(v),
)
def test_solve(words: tuple[str, ...], number: int, everything: int) -> None:
    # progress is told on stderr
    data = json.loads(CliRunner().invoke(main, ["solve", *C16, *words, "--json"]).stdout)
    assert (data["dimension"], sum(data["certificate"]["of"])) == (number, everything)
    code, output = run("solve", *C16, *words, "--show", "0")
    assert code == 0
    assert f"✓ truncated: {number} of {everything} elements: truncated to " in output
    assert "complete" not in output


def test_nothing_is_left() -> None:
    code, output = run("solve", "-g", "C8", "--in", "irrep(3)", "--out", "irrep(4)", "--max-offset", "0")
    assert code == 0
    assert "No equivariant PDO of order ≤ 2 is left by the truncation." in output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--max-offset", "-1"), "-1 is not in the range x>=0"),
        (("--max-offset", "0", "--method", "both"), "not for --method both"),
        (("--frame-angle", "pi/8"), "frame_angle turns a frame: it goes with frame_order"),
        (("--frame-order", "1", "--frame-angle", "45"), "cannot read the angle '45'"),
        (("--max-offset", "0", "--partial-order", "1"), "leave it out, or the other truncation"),
        (("--max-offset", "0", "--polynomial-kernel"), "without max_offset 0"),
        (("--max-ofset", "0"), "No such option"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, tuple) else "",
)
def test_refusals(words: tuple[str, ...], told: str) -> None:
    code, output = run("solve", *C16, *words)
    assert code == 2
    assert told in output
    assert "Traceback" not in output


def test_a_file_has_its_truncation_already(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    assert run("solve", "-g", "C4", "--in", "regular", "--out", "vector", "--max-offset", "0", "-o", str(path))[0] == 0
    code, output = run("export", str(path), "--max-offset", "0", "-o", str(tmp_path / "b.npz"))
    assert code == 2
    assert "the question is in FILE already: leave out --max-offset" in output
    assert run("export", str(path), "-o", str(tmp_path / "b.npz"))[0] == 0
    assert run("verify", str(tmp_path / "b.npz"))[0] == 0


def test_tables_say_what_is_left_out() -> None:
    words = ("table", "-g", "C8", "--irreps", "irrep(3), irrep(4)", "--style", "markdown")
    complete, kept = run(*words)[1], run(*words, "--max-offset", "0")[1]
    assert "6 of 12 elements: truncated to max_offset 0" in kept
    # in Markdown an underscore has a backslash, whatever stands beside it
    assert r"order ≤ 2, truncated to max\_offset 0" in kept
    assert "--max-offset 0 --style markdown" in kept
    assert "truncated" not in complete
    assert "complete" not in kept
    # psi_3 -> psi_4 has the frequency 1 = 4 - 3, which is t = -1
    assert complete.count("∅") == 1
    assert kept.count("∅") == 3
    filtered = run("table", "-g", "O(3)", "--irreps", "vector", "--max-angular", "0", "--style", "markdown")[1]
    assert "O(3): bases of equivariant PDOs, order ≤ 2, truncated to" in filtered
    code, output = run(*words, "--max-offset", "0", "--counts")
    assert (code, "--counts counts all PDOs" in output) == (2, True)


def test_a_report_says_how_many_of_how_many(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    words = ("--frame-order", "2", "--stencil", "none", "--show", "0", "-o", str(path))
    assert run("report", "-g", "C8", "--in", "regular", "--out", "regular", *words)[0] == 0
    text = path.read_text()
    assert "There are 72 of 120 within the truncation" in text
    assert "--order 4 --frame-order 2 --stencil none" in text
    assert "complete" not in text


def test_the_paper_s_sigma(tmp_path: Path) -> None:
    path = tmp_path / "g.npz"
    words = ("export", "-g", "C4", "--in", "trivial", "--out", "vector", "-o", str(path))
    assert run(*words, "--sigma-paper", "1.3")[0] == 0
    meta = json.loads(run("show", str(path), "--json")[1])
    assert meta["discretization"]["options"] == {"sigma": 1.3**2 / 2**0.5}
    code, output = run(*words, "--sigma-paper", "1.3", "--sigma", "1")
    assert (code, "leave out one of them" in output) == (2, True)
    code, output = run(*words, "--sigma-paper", "0")
    assert (code, "sigma_paper must be positive" in output) == (2, True)


def test_the_mirror_of_photographs_is_told() -> None:
    output = run("groups")[1]
    assert "D1 mirrors up and down" in output
    assert "pi/2: left and right" in output
    matrices = json.loads(run("groups", "D1(pi/2)", "--json")[1])[0]["generators"]
    assert matrices["f"] == [["-1", "0"], ["0", "1"]]
