"""The command line as a user meets it: output, files, exit codes, refusals."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from pdobasis_cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_solve_prints_the_answer_and_the_proof() -> None:
    result = run("solve", "--group", "SO(3)", "--in", "vector", "--out", "vector", "--order", "1")
    assert result.exit_code == 0
    assert "curl" in result.output
    assert "⎣-∂₂   ∂₁    0⎦" in result.output
    assert len(re.findall("✓", result.output)) == 3


def test_solve_prints_json_that_verify_proves_again(tmp_path: Path) -> None:
    result = run("solve", "--group", "D8", "--in", "regular", "--out", "trivial", "--json")
    data = json.loads(result.stdout)
    assert data["group"] == "D8"
    assert data["group_order"] == 16
    assert data["dimensions"] == {"0": 1, "1": 2, "2": 3}
    assert data["in"] == {"spec": "regular", "size": 16}
    assert data["certificate"]["complete"] is True
    path = tmp_path / "d8.json"
    assert run("solve", "--group", "D8", "--in", "regular", "--out", "trivial", "-o", str(path)).exit_code == 0
    written = json.loads(path.read_text())
    assert written.pop("witness")["in"]["layout"] == [[0, 1]]
    assert written == data
    verified = run("verify", str(path))
    assert verified.exit_code == 0
    assert "proved: 6 elements" in verified.output
    assert [p.name for p in tmp_path.iterdir()] == ["d8.json"]


def test_verify_rejects_a_changed_coefficient_with_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    run("solve", "--group", "D4", "--in", "vector", "--out", "trivial", "--order", "1", "-o", str(path))
    path.write_text(path.read_text().replace('"d2"', '"2*d2"'))
    result = run("verify", str(path))
    assert result.exit_code == 1
    assert "not equivariant" in result.output
    assert json.loads(run("verify", str(path), "--json").stdout)["proved"] is False


def test_an_empty_basis_is_an_answer() -> None:
    result = run("solve", "--group", "D8", "--in", "vector", "--out", "trivial", "--order", "0")
    assert result.exit_code == 0
    assert "lowest order with solutions is 1" in result.output
    none = run("solve", "--group", "GL(2)", "--in", "dual(vector)", "--out", "trivial", "--order", "1")
    assert none.exit_code == 0
    assert re.search(r"no equivariant PDOs up to order \d+", none.output)
    data = json.loads(
        run("solve", "--group", "D8", "--in", "vector", "--out", "trivial", "--order", "0", "--json").stdout
    )
    assert data["dimension"] == 0
    assert data["lowest_order"] == 1


def test_groups_and_reps() -> None:
    listing = run("groups")
    assert listing.exit_code == 0
    assert re.search(r"^D8 +2 +16 ", listing.output, re.M)
    assert re.search(r"^m-3m +3 +48 ", listing.output, re.M)
    one = run("groups", "I")
    assert "order 60" in one.output
    assert json.loads(run("groups", "D8", "--json").stdout)[0]["order"] == 16
    reps = run("reps", "--group", "D8")
    assert "regular = irrep(0,0) + irrep(1,0) + 2xirrep(1,1)" in reps.output
    assert "order 16" in reps.output
    assert json.loads(run("reps", "--group", "C5", "--json").stdout)["regular"] == {
        "irrep(0)": 1,
        "irrep(1)": 1,
        "irrep(2)": 1,
    }


BAD = [
    (["solve"], "Missing option"),
    (["slove"], "did you mean solve"),
    (["solve", "--group", "D8", "--in", "regular"], "--out"),
    (["solve", "--group", "Dx8", "--in", "regular", "--out", "trivial"], "unknown group"),
    (["solve", "--group", "D8", "--in", "regulr", "--out", "trivial"], "did you mean regular"),
    (["solve", "--group", "D8", "--in", "regular", "--out", "trivial", "--order", "x"], "--order"),
    (["solve", "--group", "D8", "--in", "regular", "--out", "trivial", "--order", "-1"], "order"),
    (["solve", "--group", "D8", "--in", "regular", "--out", "trivial", "--order", "900"], "order"),
    (["solve", "--group", "D8", "--in", "regular", "--out", "trivial", "-o", "x.txt"], ".json"),
    (["solve", "--group", "D8", "--in", "regular", "--out", "trivial", "-o", "/no/such/folder/x.json"], "folder"),
    (["solve", "--group", "D8", "--in", "regular", "--out", "trivial", "--max-unknowns", "3"], "--max-unknowns"),
    (["solve", "--group", "none.yaml", "--in", "vector", "--out", "trivial"], "no such file"),
    (["solve", "--group", "C9999999", "--in", "vector", "--out", "trivial"], "limit"),
    (["solve", "--group", "C20", "--max-elements", "5", "--in", "vector", "--out", "trivial"], "--max-elements"),
    (["solve", "--group", "SO(3)", "--in", "regular", "--out", "trivial"], "finite"),
    (["verify", "none.json"], "no such file"),
    (["verify"], "FILE"),
    (["groups", "Q8"], "unknown group"),
    (["reps", "--group", ""], "empty"),
]


@pytest.mark.parametrize(("arguments", "says"), BAD, ids=lambda a: " ".join(a)[:60] if isinstance(a, list) else "")
def test_wrong_use_is_exit_code_2_and_a_line_that_names_the_place(arguments: list[str], says: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert says in result.output
    assert "Traceback" not in result.output
    errors = [line for line in result.output.splitlines() if line.startswith("Error")]
    assert len(errors) == 1


def test_a_refused_question_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    assert run("solve", "--group", "D8", "--in", "foo", "--out", "trivial", "-o", str(path)).exit_code == 2
    assert not list(tmp_path.iterdir())


TELLING = """
import os, sys
from pdobasis_cli import main

plain = type(main).main

def telling(*args, **extra):
    try:
        plain(*args, **extra)
    finally:
        tell()

type(main).main = telling
"""
"""The process that works tells something at its end; the one that watches it goes on, and may do so after it."""


def loaded_modules(*arguments: str) -> set[str]:
    code = (
        f"{TELLING}\ndef tell():\n    print('MODULES', *sorted({{m.split('.')[0] for m in sys.modules}}), flush=True)\n"
        f"try:\n    main({list(arguments)!r}, prog_name='pdobasis')\nexcept SystemExit:\n    tell()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    worker, watcher = done.stdout.split("MODULES")[1:]
    return {*worker.split(), *watcher.split()}


def every_command(command: click.Command = main, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from every_command(below, (*words, name))


def test_help_fits_into_80_columns_and_is_not_cut() -> None:
    """Examples too: a terminal would break them inside words."""
    wrong = []
    for words in every_command():
        for line in run(*words, "--help").output.splitlines():
            if len(line) > 80 or (line.endswith("...") and not line.startswith("Usage:")):
                wrong.append((*words, line))
    assert wrong == []


def test_help_is_light() -> None:
    assert not loaded_modules("--help") & {"sympy", "numpy", "scipy", "flint", "rich", "torch", "yaml", "matplotlib"}


def test_solve_needs_neither_sympy_nor_scipy_nor_torch() -> None:
    modules = loaded_modules("solve", "--group", "D8", "--in", "regular", "--out", "trivial")
    assert not modules & {"sympy", "scipy", "torch", "matplotlib", "yaml"}


NOT_NEEDED = {
    "numpy.typing", "pdobasis.answer.choose", "pdobasis.bounds.sizes", "pdobasis.exact.division", "pdobasis.exact.echelon",
    "pdobasis.exact.primes", "pdobasis.exact.products", "pdobasis.exact.terms", "pdobasis.exact.text", "pdobasis.groups.lie",
    "pdobasis.linear.components", "pdobasis.linear.elimination", "pdobasis.linear.lanes", "pdobasis.linear.span",
    "pdobasis.linear.stages",
    "pdobasis.operators.relations", "pdobasis.question.frames", "pdobasis.representations.characters",
    "pdobasis.representations.intertwiners", "pdobasis.representations.weights", "pdobasis.solvers.reducible",
    "pdobasis.solvers.signs", "pdobasis.solvers.small", "pdobasis.solvers.small_actions", "pdobasis.solvers.small_average",
}  # fmt: skip


def test_a_short_question_loads_what_it_needs_and_no_more() -> None:
    """Every module is a quarter of a millisecond, of a command that takes a tenth of a second."""
    code = (
        "import sys\nfrom pdobasis_cli import main\n"
        "main.main(['solve', '--group', 'D8', '--in', 'regular', '--out', 'trivial'], standalone_mode=False)\n"
        "print('MODULES', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split("MODULES")[1].split())
    assert not loaded & NOT_NEEDED
    assert len([name for name in loaded if name.startswith("pdobasis")]) <= 122
    for name in NOT_NEEDED:
        importlib.import_module(name)  # there is such a module still


@pytest.mark.parametrize(("given", "found"), [(None, "4"), ("20", "20")])
def test_threads_of_openblas_sleep_unless_somebody_wants_them_awake(given: str | None, found: str) -> None:
    """They are told before NumPy is loaded, in the process that works: whoever calls a command keeps its own."""
    code = (
        f"{TELLING}\ndef tell():\n"
        "    print('FOUND', 'numpy' in sys.modules, os.environ.get('OPENBLAS_THREAD_TIMEOUT'), flush=True)\n"
        "try:\n    main(['solve', '--group', 'C1', '--in', 'trivial', '--out', 'trivial'])\nexcept SystemExit:\n    tell()"
    )
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_THREAD_TIMEOUT"}
    if given is not None:
        env["OPENBLAS_THREAD_TIMEOUT"] = given
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    worker, watcher = done.stdout.split("FOUND")[1:]
    assert (worker.split(), watcher.split()) == (["True", found], ["False", str(given)])


def test_importing_the_library_is_light() -> None:
    code = "import sys, pdobasis; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"torch", "matplotlib", "click", "rich", "cli", "tables"}


def test_no_module_called_cli_or_tables_is_importable() -> None:
    code = "import importlib.util as u, sys; sys.exit(any(u.find_spec(n) for n in ('cli', 'tables')))"
    assert subprocess.run([sys.executable, "-I", "-c", code], check=False).returncode == 0


def test_python_m_pdobasis_is_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pdobasis", "--version"], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout.startswith("pdobasis ")


def test_an_interrupt_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    question = ["solve", "--group", "Ih", "--in", "regular", "--out", "regular", "--order", "6", "-o", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pdobasis", *question, "--max-unknowns", "999999999"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ},
    )  # fmt: skip
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "interrupted\n"
    assert not list(tmp_path.iterdir())


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m pdobasis groups | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr


def test_without_arguments_it_greets_with_three_commands_that_work() -> None:
    greeting = run()
    assert greeting.exit_code == 0
    commands = [line.strip() for line in greeting.output.splitlines() if line.startswith("    pdobasis ")]
    assert len(commands) == 3
    assert max(map(len, greeting.output.splitlines())) < 80
    for line in (commands[0], commands[2]):
        assert run(*shlex.split(line)[1:]).exit_code == 0


def test_only_and_sort_choose_what_is_printed() -> None:
    question = ("solve", "--group", "SO(3)", "--in", "vector", "--out", "vector", "--order", "2")
    second = run(*question, "--only", "order=2").output
    assert "Laplacian" in second
    assert "curl" not in second
    # what is proved, and how many there are, is said of all
    assert "4 elements: 1 of order 0, 1 of order 1, 2 of order 2" in second
    named = run(*question, "--sort", "name", "--only", "name=CURL,Laplacian").output
    assert re.findall(r"curl|Laplacian|identity", named) == ["Laplacian", "curl"]
    assert "… and 3 more" in run(*question, "--sort", "entries", "--show", "1").output
    assert run(*question, "--only", "order=2", "--latex").stdout.count("pmatrix") == 4
    assert "No element is as --only asks for" in run(*question, "--only", "order=7").output


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--only", "ordr=2"), "did you mean order?"),
        (("--only", "order=two"), "order is a whole number"),
        (("--only", "2"), "such as order=2 or name=curl"),
        (("--sort", "nam"), "did you mean name?"),
        (("--only", "order=1", "--json"), "JSON is the whole answer"),
    ],
)
def test_a_wrong_choice_is_refused(options: tuple[str, ...], said: str) -> None:
    result = run("solve", "--group", "C4", "--in", "trivial", "--out", "trivial", *options)
    assert result.exit_code == 2
    assert said in result.output


def test_reports_and_exports_of_nothing_say_from_which_order_on_there_is_something(tmp_path: Path) -> None:
    question = ("--group", "D8", "--in", "vector", "--out", "trivial", "--order", "0")
    page = tmp_path / "none.html"
    assert run("report", *question, "-o", str(page)).exit_code == 0
    assert "the lowest order with solutions is 1" in page.read_text()
    exported = run("export", *question, "-o", str(tmp_path / "none.npz"))
    assert exported.exit_code == 0
    assert "the lowest order with solutions is 1. The file holds no stencils." in exported.stderr


def test_one_element_is_no_plural(tmp_path: Path) -> None:
    path = str(tmp_path / "gradient.npz")
    words = ["--group", "D4", "--in", "trivial", "--out", "vector", "--order", "1", "--stencil", "fd", "--size", "3"]
    assert run("export", *words, "-o", path).exit_code == 0
    assert run("verify", path).output.endswith("proved: 1 element\n")
    assert ", 1 element\n" in run("show", path).output
