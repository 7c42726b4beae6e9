"""solve --method reference, --transcript and verify --symbolic, as a user calls them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.operators.symbols import join_symbols, renumber
from pdobasis.reference.judge import judge
from pdobasis.reference.transcript import transcript

DIVERGENCE = ["--group", "SO(2)", "--in", "vector", "--out", "trivial", "--order", "2"]


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, words)
    return result.exit_code, result.output


def test_the_reference_engine_answers_and_its_answer_is_proved() -> None:
    basis = pdobasis.solve("D4", "vector", "vector", 3, method="reference")
    assert basis.method == "reference"
    assert basis.certificate.holds
    assert basis.dimensions == pdobasis.solve("D4", "vector", "vector", 3).dimensions
    assert [(e.angular_order, e.laplacian_power) for e in basis.elements if e.order == 2] == [(0, 1), (2, 0), (2, 0)]


def test_a_saved_basis_is_judged_in_sympy(tmp_path: Path) -> None:
    file = tmp_path / "basis.json"
    assert run("solve", *DIVERGENCE, "--method", "reference", "-o", str(file))[0] == 0
    code, output = run("verify", "--symbolic", str(file))
    assert code == 0
    assert "✓ equivariant (SymPy): by substitution, R(θ): every rotation" in output
    assert "✓ complete (SymPy): 2 elements, nullity 2 of 12 unknowns" in output
    code, output = run("verify", "--symbolic", "--json", str(file))
    assert [claim["holds"] for claim in json.loads(output)["symbolic"]] == [True, True, True]


@pytest.mark.parametrize(("old", "new"), [('"d1"', '"2*d1"'), ('"-d1"', '"d1"'), ('"d2"', '"-d2"')])
def test_a_changed_coefficient_is_refused(tmp_path: Path, old: str, new: str) -> None:
    file = tmp_path / "basis.json"
    run("solve", *DIVERGENCE, "--method", "reference", "-o", str(file))
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    code, output = run("verify", "--symbolic", str(file))
    assert code == 1
    assert "✗ equivariant (SymPy): by substitution, R(θ)" in output
    assert "fails for R(θ)" in output


def test_a_missing_element_and_a_doubled_one_are_noticed() -> None:
    problem = ask("C4", "vector", "vector", 2)
    (block,) = pdobasis.solve_problem(problem).blocks
    low, high = block.orders[:2], block.orders[2]
    assert all(claim.holds for claim in judge(problem, [(0, 0, (*low, high))]))
    less = renumber(high, np.array([-1, *range(high.size - 1)]), high.size - 1)
    assert [claim.holds for claim in judge(problem, [(0, 0, (*low, less))])] == [True, True, False]
    doubled = join_symbols([less, renumber(less, np.array([0] + [-1] * (less.size - 1)), 1)])
    assert [claim.holds for claim in judge(problem, [(0, 0, (*low, doubled))])] == [True, False, True]


def test_the_transcript_tells_the_derivation() -> None:
    text = transcript(ask("SO(2)", "vector", "trivial", 2), ".md")
    assert "P = \\begin{pmatrix} u_{1} x_{1} + u_{2} x_{2} & u_{3} x_{1} + u_{4} x_{2} \\end{pmatrix}" in text
    assert "u_{1} - u_{4} = 0 \\\\ u_{2} + u_{3} = 0" in text
    assert (
        "P(g^{-T}x)\\,\\rho_{in}(g) = \\begin{pmatrix} x_{2} & - x_{1} \\end{pmatrix} = \\rho_{out}(g)\\,P(x)" in text
    )
    assert "The left side of the constraint is 0 for each of the 2 solutions." in text


QUESTIONS = [
    ("O(2)", "vector", "sym(2, vector)", 2),
    ("D5", "irrep(1,1)", "irrep(1,2)", 2),
    ("C4", "regular", "trivial + vector", 1),
    ("C8", "quotient(<r^2>)", "irrep(2)", 2),
    ("SL(2)", "vector", "dual(vector)", 2),
    ("SO(1,3)", "vector", "trivial", 1),
    ("trivial(2)", "trivial", "trivial", 1),
    ("SO(3)", "irrep(2)", "irrep(1)", 1),
]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q[0])
def test_the_transcript_compiles(tmp_path: Path, question: tuple[str, str, str, int]) -> None:
    (tmp_path / "t.tex").write_text(transcript(ask(*question), ".tex"))
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert "?" not in (tmp_path / "t.tex").read_text()  # a letter that LaTeX lacks


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q[0])
def test_every_question_has_a_transcript(question: tuple[str, str, str, int]) -> None:
    text = transcript(ask(*question), ".md")
    assert text.count("$$") % 2 == 0
    assert "does not hold" not in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--transcript", "x.md"], "a derivation is written by --method reference"),
        (["--transcript", "x.pdf", "--method", "reference"], "a name that ends in .md or .tex"),
        (["--transcript", "missing/x.md", "--method", "reference"], "there is no folder missing"),
    ],
)
def test_wrong_uses(words: list[str], message: str) -> None:
    code, output = run("solve", *DIVERGENCE, *words)
    assert code == 2
    assert message in " ".join(output.split())


def test_kernels_of_groups_that_are_not_orthogonal_are_refused() -> None:
    with pytest.raises(pdobasis.PdoBasisError, match="is not a subgroup of O"):
        pdobasis.solve("SL(2)", "vector", "trivial", 1, method="reference", kernel=True)


def test_a_plain_solve_does_not_load_sympy() -> None:
    program = (
        "import sys, pdobasis; from pdobasis.solvers import registry; registry.methods();"
        "pdobasis.solve('SO(3)', 'vector', 'vector', 2); assert 'sympy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
