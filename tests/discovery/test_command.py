"""pdobasis discover, as a user types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from pdobasis_cli import main

from benchmarks.discovery.systems import SYSTEMS


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("discover") / "burgers.npz"
    arrays: dict[str, Any] = SYSTEMS["burgers"](seed=1, n=32, frames=40).arrays(0.02, 0)
    np.savez(path, **arrays)
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["discover", *map(str, words)])


def test_json_has_what_was_promised(data: Path) -> None:
    result = run(data, "--group", "O(2)", "--field", "u=vector", "--json", "--samples", 4)
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["equation"].startswith("∂_t u_i = ")
    assert {t["text"] for t in answer["terms"]} == {"u_j ∂_j u_i", "∂_j ∂_j u_i"}
    assert set(answer["terms"][0]) == {"text", "coefficient", "standard_error", "frequency"}
    assert answer["candidates"] == 18


def test_a_known_direction_breaks_the_symmetry(tmp_path: Path) -> None:
    """∂_t p = -(g·∇)p: nothing that O(2) alone allows."""
    x = 2 * np.pi * np.arange(32) / 32
    t = np.linspace(0, 1, 40)
    g = np.array([0.8, -0.5])
    first = x[None, None, :] - g[0] * t[:, None, None]
    second = x[None, :, None] - g[1] * t[:, None, None]
    p = np.sin(first) * np.cos(2 * second) + np.cos(3 * first + second) + np.sin(2 * first - second)
    np.savez(tmp_path / "wind.npz", p=p, t=t, x1=x, x2=x)
    common = [tmp_path / "wind.npz", "-g", "O(2)", "--field", "p=trivial", "--derivatives", 1, "--degree", 2]
    result = run(*common, "--constant", "g=vector:0.8,-0.5", "--json", "--samples", 0)
    assert result.exit_code == 0, result.output
    (term,) = json.loads(result.stdout)["terms"]
    assert term["coefficient"] == pytest.approx(-1, abs=1e-3)
    assert "g_i" in term["text"]
    without = run(*common, "--samples", 0)
    assert "no equation for p" in without.output
    # a direction that nobody knows of: no symmetry is left
    common[2], common[-1] = "auto", 1
    answer = json.loads(run(*common, "--json", "--samples", 0).stdout)
    assert answer["group"] == "trivial(2)"
    assert sorted(t["coefficient"] for t in answer["terms"]) == pytest.approx([-0.8, 0.5], abs=1e-3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.npz"], "there is no file"),
        (["--field", "v=vector"], "has no array 'v'"),
        (["--target", "w"], "unknown field 'w'"),
        (["-g", "O(3)"], "O(3) acts on 3|needs the axes"),
        (["--constant", "g=vector:1,x"], "numbers separated by commas"),
        (["-o", "out.txt"], "ends in .json"),
        (["--plot", "out.jpg"], "a picture is"),
    ],
)
def test_wrong_use_is_told_in_a_line(data: Path, words: list[str], said: str) -> None:
    given: list[object] = [data, "--group", "O(2)", "--field", "u=vector", "--samples", 0, *words]
    if words[0].endswith(".npz"):
        given[0] = words[0]
        given = given[:-1]
    result = run(*given)
    assert result.exit_code == 2, result.output
    assert any(part in result.output for part in said.split("|")), result.output
    assert "Traceback" not in result.output
