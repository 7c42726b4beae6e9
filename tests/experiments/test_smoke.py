"""Every table runs: one row of each at its smallest size, from the command to the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from experiments.commands import main
from experiments.settings.files import CONFIGS, tables

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
    assert "1 of 3" in shown.output
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
