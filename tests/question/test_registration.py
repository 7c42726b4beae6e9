"""A family of groups is one registration: names, files and layers follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.errors import SpecError
from pdobasis.exact.array import integers
from pdobasis.groups.families import GroupFamily, Wish, register, unregister
from pdobasis.groups.group import CatalogueTerm, Group


def shear(n: int) -> Group:
    """Signed swaps of the axes: x1 -> x2 -> (-1)^n x1."""
    matrix = integers([[0, (-1) ** n], [1, 0]])
    return Group(f"Toy{n}", 2, (matrix,), ("t",), term=CatalogueTerm("toy", (n,)))


def read(wish: Wish) -> Group | None:
    match = re.fullmatch(r"Toy(\d)", wish.text)
    return shear(int(match.group(1))) if match else None


@pytest.fixture
def toys() -> Iterator[None]:
    register(GroupFamily("toy", read, (("Toy0, Toy1", "2", "for a test"),), ("Toy0", "Toy1"), terms=("toy",)))
    yield
    unregister("toy")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.usefixtures("toys")
def test_a_registered_family_is_listed_solved_saved_verified_and_made_a_layer(tmp_path: Path) -> None:
    nn = pytest.importorskip("pdobasis.nn")
    assert "Toy0, Toy1" in run("groups")
    assert "Toy1 (4 elements" in run("solve", "-g", "Toy1", "--in", "regular", "--out", "vector", "-n", "1")
    path = tmp_path / "toy.json"
    run("solve", "-g", "Toy1", "--in", "regular", "--out", "vector", "-n", "1", "-o", str(path))
    assert "group_definition" not in path.read_text()
    assert "proved" in run("verify", str(path))
    layer = nn.PDOConv2d("Toy1", "regular", "vector", order=1, size=3)
    assert layer.in_type.group == pdobasis.group("C4")  # a quarter turn by another name
    with pytest.raises(SpecError, match="already"):
        register(GroupFamily("toy", read, ()))


def test_an_unregistered_family_is_unknown_again() -> None:
    with pytest.raises(SpecError, match="unknown group 'Toy1'"):
        pdobasis.group("Toy1")
