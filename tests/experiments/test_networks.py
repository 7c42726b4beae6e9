"""Networks of all rows: as many parameters as the paper prints, counted on the meta device."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from experiments.commands import main
from experiments.networks.describe import described
from experiments.settings.files import CONFIGS, rows, tables
from experiments.settings.values import Config

FULL = [config for name in tables() for config in rows(name, "full") if config.data.kind != "none"]
QUICK = [c for c in FULL if not any(word in c.name for word in ("restriction", "rbffd", "gauss_3x3", "complete"))]
"""Bases of D16 take seconds, and stencils do not change a number: the others are counted with the slow tests."""


def counted(config: Config) -> None:
    found = described(config)
    assert found.parameters == config.parameters, config.name
    assert found.parameters == sum(part.parameters for part in found.parts)
    assert found.output[0] == config.training.batch
    if printed := config.paper.parameters:
        assert close(found.parameters, printed), (config.name, found.parameters, printed)


def close(count: int, printed: str) -> bool:
    """Printed figures are cut or rounded to their last digit."""
    unit = {"K": 1_000, "M": 1_000_000, "k": 1_000}[printed[-1]]
    step = unit / 10 ** len(printed[:-1].partition(".")[2])
    return bool(abs(count - float(printed[:-1]) * unit) <= 1.001 * step)


EXCEPTIONS = {"vanilla_3x3", "pdo_econv_c8"}
"""Rows whose note says why the printed number is another."""


@pytest.mark.parametrize("config", QUICK, ids=lambda c: f"{c.table}-{c.name}")
def test_full_networks_have_the_parameters_of_the_paper(config: Config) -> None:
    if config.name in EXCEPTIONS:
        assert config.note
        assert described(config).parameters == config.parameters
        return
    counted(config)


def test_one_restricted_network_has_the_parameters_of_the_paper() -> None:
    (config,) = [c for c in FULL if c.name == "restriction_fd_3x3"]
    counted(config)


@pytest.mark.slow
@pytest.mark.parametrize("config", [c for c in FULL if c not in QUICK], ids=lambda c: f"{c.table}-{c.name}")
def test_all_others_have_the_parameters_of_the_paper(config: Config) -> None:
    counted(config)


def test_a_wrong_number_would_be_seen() -> None:
    assert close(941_958, "941K")
    assert not close(941_958, "943K")
    assert close(4_175_707, "4.2M")
    assert not close(3_165_626, "4.2M")


def test_describe_prints_and_gives_json() -> None:
    path = str(CONFIGS / "mnist_rot" / "regular_gauss_5x5.yaml")
    text = CliRunner().invoke(main, ["describe", path, "--scale", "full"])
    assert "941,958 parameters" in text.output
    found = json.loads(CliRunner().invoke(main, ["describe", path, "--scale", "full", "--json"]).output)
    assert found["parameters"] == 941_958
    assert found["parts"][0]["fields"] == "16xregular"
    # 64 images of 256 channels of 26x26 behind the first layer, in single precision
    assert found["parts"][0]["shape"] == [64, 256, 26, 26]
    assert found["memory"]["optimiser"] == 2 * 4 * 941_958
