"""Every table runs: one row of each at its smallest size, from the command to the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from experiments.commands import main
from experiments.data import cifar
from experiments.data.mnist import keep
from experiments.data.samples import Stored
from experiments.settings.files import CONFIGS, read_table, tables

ROWS = {
    "mnist_rot": "vanilla_5x5",
    "flow": "pdo_c8",
    "stl10": "gauss_d4",
    "cifar10": "vanilla",
    "small": "pdo_econv_c8",
    "beyond": "irreps",
}


def test_every_table_has_its_row_here() -> None:
    assert sorted(ROWS) == tables()


@pytest.mark.parametrize("table", ROWS)
def test_a_row_runs_and_stands_in_its_table(table: str, tmp_path: Path) -> None:
    path = str(CONFIGS / table / f"{ROWS[table]}.yaml")
    where = ["--runs", str(tmp_path)]
    done = CliRunner().invoke(main, ["run", path, "--scale", "smoke", *where])
    assert done.exit_code == 0, done.output
    assert "seed 0" in done.output
    shown = CliRunner().invoke(main, ["table", table, "--scale", "smoke", "--results", str(tmp_path), *where])
    assert shown.exit_code == 0, shown.output
    assert f"1 of {read_table(table).seeds}" in shown.output
    assert "missing" in shown.output
    assert r"\begin{tabular}" in shown.output


def test_what_is_misspelt_is_said_in_a_line(tmp_path: Path) -> None:
    for words, message in (
        (["table", "mnist_rto"], "unknown table 'mnist_rto'; did you mean mnist_rot?"),
        (["run", str(CONFIGS / "mnist_rot" / "vanilla_5x5.yaml"), "--scale", "ful"], "did you mean full?"),
        (["run", str(tmp_path / "none.yaml")], "cannot read"),
        (["fetch", "stl10"], "stl10 cannot be fetched"),
        (["run", str(CONFIGS / "mnist_rot" / "vanilla_5x5.yaml"), "--cache", str(tmp_path), "--runs", str(tmp_path)],
         "is missing: run python -m experiments fetch mnist_rot"),
    ):  # fmt: skip
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 2, words
        assert message in done.output
        assert "Traceback" not in done.output


@pytest.mark.parametrize("words", [["--seeds", "0"], ["--jobs", "0"], ["--first-seed", "-1"]])
def test_numbers_that_ask_for_nothing_are_refused(words: list[str], tmp_path: Path) -> None:
    row = str(CONFIGS / "mnist_rot" / "vanilla_5x5.yaml")
    done = CliRunner().invoke(main, ["run", row, "--scale", "smoke", "--runs", str(tmp_path), *words])
    assert done.exit_code == 2
    assert f"Invalid value for '{words[0]}'" in done.output
    assert not list(tmp_path.iterdir())


def test_data_that_differ_from_those_of_the_page_are_refused(tmp_path: Path) -> None:
    """A file of other images under the name that fetch gives: printed, and said."""
    few = np.zeros((2, 3, 32, 32), np.uint8), np.zeros(2, np.uint8)
    keep(cifar.file(tmp_path), Stored(*few, *few))
    done = CliRunner().invoke(main, ["fetch", "cifar10", "--cache", str(tmp_path)])
    assert done.exit_code == 2
    assert f"has results of {cifar.SHA256}: remove the file and fetch it again" in done.output
