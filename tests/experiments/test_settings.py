"""Configurations: what is read is what was written, and what cannot be meant is refused with the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.errors import ExperimentError
from experiments.settings.files import CONFIGS, read_config, rows, tables
from experiments.settings.schema import built
from experiments.settings.values import SCALES, Data, Training
from pdobasis.errors import UnknownNameError

ROW = "labels: [a]\nnetwork: {width: 0.5}\n"
TABLE = """
title: T
columns: [method]
task: classify
measure: error
unit: "%"
rows: [one]
data: {kind: mnist_rot}
network: {kind: digits, width: 1.0, layers: {stencil: fd, order: 2}}
training: {epochs: 30, batch: 64, rate: 0.05}
scales:
  reduced: {training: {epochs: 5}, network: {layers: {order: 1}}}
"""


def write(folder: Path, row: str = ROW, table: str = TABLE) -> Path:
    (folder / "t").mkdir(exist_ok=True)
    (folder / "t.yaml").write_text(table)
    (folder / "t" / "one.yaml").write_text(row)
    return folder / "t" / "one.yaml"


def test_rows_win_over_scales_and_scales_over_tables(tmp_path: Path) -> None:
    path = write(tmp_path, ROW + "scales: {reduced: {training: {rate: 0.1}}}\n")
    full, reduced = read_config(path, "full"), read_config(path, "reduced")
    assert (full.training.epochs, full.training.rate, full.network.width) == (30, 0.05, 0.5)
    assert (reduced.training.epochs, reduced.training.rate, reduced.network.width) == (5, 0.1, 0.5)
    # Mappings inside are merged, not replaced.
    assert (reduced.network.layers.stencil, reduced.network.layers.order) == ("fd", 1)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("labels: [a]\nnetwrok: {}\n", r"one.yaml: unknown key 'netwrok'; did you mean network\?"),
        ("labels: [a]\nnetwork: {widht: 1}\n", r"one.yaml: network: unknown key 'widht'; did you mean width\?"),
        ("labels: [a]\nnetwork: {layers: {stensil: fd}}\n", r"network.layers: unknown key 'stensil'; did you mean stencil\?"),
        ("labels: [a]\ntraining: {epochs: many}\n", r"training.epochs: expected a whole number, got 'many'"),
        ("labels: [a]\ntraining: {epochs: 1.5}\n", "expected a whole number, got 1.5"),
        ("labels: [a]\ntraining: {cycle: 1}\n", "expected true or false, got 1"),
        ("labels: [a]\ndata: {kind: true}\n", "expected text, got True"),
        ("labels: [a]\nscales: {redcued: {}}\n", r"unknown key 'redcued'; did you mean reduced\?"),
        ("labels: [a, b]\n", "labels are method, got"),
        ("labels: a\n", "expected a list, got 'a'"),
        ("network: {}\n", "the key 'labels' is missing"),
        ("- a\n", "expected keys and values"),
        ("labels: [a\n", "is no YAML"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(row: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=message):
        read_config(write(tmp_path, row), "full")


def test_unknown_scales_and_files(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean reduced"):
        read_config(write(tmp_path), "reducd")
    with pytest.raises(ExperimentError, match="cannot read"):
        read_config(tmp_path / "t" / "two.yaml", "full")


def test_every_file_in_the_repository_is_read_at_every_scale() -> None:
    found = [config for name in tables() for scale in SCALES for config in rows(name, scale)]
    assert len(found) == 3 * len(list(CONFIGS.glob("*/*.yaml")))
    # A seed and a recipe settle a run: no two rows of a table and scale have the same recipe.
    assert len({(c.table, c.scale, c.digest) for c in found}) == len(found)


def test_values_keep_their_types() -> None:
    training = built(Training, {"epochs": 1, "batch": 2, "rate": 1, "milestones": [3, 4]}, "t")
    assert training == Training(1, 2, 1.0, milestones=(3, 4))
    assert isinstance(training.rate, float)
    assert built(Data, {"kind": "x"}, "d") == Data("x")


@pytest.mark.parametrize("text", ["note: a\nnote: b\n", "note: " + "9" * 5000 + "\n"])
def test_keys_that_stand_twice_and_endless_numbers_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "row.yaml"
    path.write_text(text)
    with pytest.raises(ExperimentError, match="is no YAML"):
        read_config(path, "smoke")
