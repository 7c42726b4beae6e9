"""pdobasis terms, as one types it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

QUESTION = ["terms", "--group", "O(2)", "--field", "u=vector", "--out", "vector", "--derivatives", "1"]


def test_json_has_dimension_and_multidegrees() -> None:
    result = CliRunner().invoke(main, [*QUESTION, "--json"])
    data = json.loads(result.output)
    assert data["dimension"] == 4 == len(data["terms"])
    assert data["terms"][2]["multidegree"] == [
        {"field": "u", "order": 0, "power": 1},
        {"field": "u", "order": 1, "power": 1},
    ]
    assert data["terms"][2]["text"] == "u_j ∂_j u_i"
    assert all(m["certificate"]["complete"] for m in data["multidegrees"])


def test_latex_and_python() -> None:
    latex = CliRunner().invoke(main, [*QUESTION, "--latex"]).output.splitlines()
    assert latex[2] == r"u_{j} \partial_{j} u_{i}"
    assert "def terms(j):" in CliRunner().invoke(main, [*QUESTION, "--python"]).output


def test_a_file_with_a_false_term_has_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "terms.json"
    assert CliRunner().invoke(main, [*QUESTION, "-o", str(path)]).exit_code == 0
    assert CliRunner().invoke(main, ["verify", str(path)]).exit_code == 0
    data = json.loads(path.read_text())
    data["terms"][2]["components"][0][0][0] = "2"
    path.write_text(json.dumps(data))
    assert CliRunner().invoke(main, ["verify", str(path)]).exit_code == 1


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--field", "p"], "NAME=REPRESENTATION"),
        (["--field", "u=trivial"], "given twice"),
        (["--field", "p=vectr"], "did you mean vector"),
        (["--weight", "u"], "name=number"),
        (["--weight", "u=1e999999999,out=1"], "fraction"),
        (["--galilean", "v"], "velocity is one of u"),
        (["-o", "terms.txt"], ".json"),
        (["--weight", "u=1,u=2,out=1"], "twice"),
        (["--json", "--latex"], "one of"),
    ],
)
def test_wrong_use_is_said_in_two_lines(more: list[str], says: str) -> None:
    result = CliRunner().invoke(main, [*QUESTION, *more])
    assert result.exit_code == 2
    assert says in result.output
    assert "Traceback" not in result.output


def test_latex_compiles(tmp_path: Path) -> None:
    latex = shutil.which("pdflatex")
    if latex is None:
        pytest.skip("no pdflatex here")
    path = tmp_path / "terms.tex"
    asked = ["terms", "--group", "D3", "--field", "u=vector", "--field", "rho=trivial", "--out", "vector", "--time"]
    assert CliRunner().invoke(main, [*asked, "--derivatives", "1", "-o", str(path)]).exit_code == 0
    done = subprocess.run(
        [latex, "-interaction=nonstopmode", "-halt-on-error", path.name], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert (tmp_path / "terms.pdf").stat().st_size > 10_000


def test_python_source_runs_without_this_package(tmp_path: Path) -> None:
    path = tmp_path / "source.py"
    assert CliRunner().invoke(main, [*QUESTION, "-o", str(path)]).exit_code == 0
    code = (
        "import sys, numpy as np, source\n"
        "u = np.random.default_rng(0).normal(size=(2, 8, 8))\n"
        "values = source.terms(source.derivatives({'u': u}, (0.5, 0.5)))\n"
        "print(len(values), 'pdobasis' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["4", "False"]


def test_sympy_columns() -> None:
    lines = CliRunner().invoke(main, [*QUESTION, "--sympy"]).output.splitlines()
    assert lines[0] == "Matrix([[u1(x1, x2)], [u2(x1, x2)]])"
    assert len(lines) == 4


def test_a_name_cannot_end_a_docstring() -> None:
    from pdobasis.nonlinear.source import _said

    assert _said('G"""\nimport os\\') == "G????import os?"
