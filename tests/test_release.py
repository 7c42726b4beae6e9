"""What is released: extras that are complete, a wheel with everything that runs and nothing else, a source archive."""

from __future__ import annotations

import re
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
FOR_USERS = {"torch", "plot", "safetensors", "atlas", "discovery", "explore", "findiff", "xarray"}
ALONE = {"jax", "devito"}
"""Programs that stencils are handed to: whoever has them has installed them."""
FOR_DEVELOPERS = {"docs", "experiments", "lint", "release", "test", "dev"}


def test_every_extra_has_its_place_and_all_is_all_of_them() -> None:
    assert set(EXTRAS) == FOR_USERS | ALONE | FOR_DEVELOPERS | {"all"}
    (everything,) = EXTRAS["all"]
    named = re.fullmatch(r"pdobasis\[(.*)\]", everything)
    assert named is not None
    assert set(named[1].split(",")) == FOR_USERS


def test_every_extra_is_named_where_one_looks_for_it() -> None:
    rows = [line for line in (ROOT / "docs" / "install.md").read_text().splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`([a-z]+)`", " ".join(row.split("|")[1] for row in rows))) == set(EXTRAS)
    readme = (ROOT / "README.md").read_text()
    install = readme[readme.index("## Install") : readme.index("## A minute on the command line")]
    assert set(re.findall(r"`([a-z]+)` \(", install)) == FOR_USERS - {"findiff", "xarray"} | {"all"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    builder = pytest.importorskip("hatchling.builders.wheel")
    folder = tmp_path_factory.mktemp("wheel")
    (made,) = builder.WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return Path(made)


def test_the_wheel_holds_every_module_and_what_they_read(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    wanted = set()
    for folder in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        package = ROOT / folder
        files = [p for p in package.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
        wanted |= {str(p.relative_to(package.parent)) for p in files}
    assert inside == wanted
    assert {Path(name).suffix for name in inside} == {".py", ".css", ".typed"}
    assert "pdobasis/py.typed" in inside
    assert wheel.stat().st_size < 2_000_000


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        said = Parser().parsestr(archive.read(name).decode())
        (scripts,) = [n for n in archive.namelist() if n.endswith("/entry_points.txt")]
        assert "pdobasis = pdobasis_cli.start:main" in archive.read(scripts).decode()
        assert any(n.endswith("/licenses/LICENSE") for n in archive.namelist())
    assert set(said.get_all("Provides-Extra") or []) == set(EXTRAS)
    assert said["Description-Content-Type"] == "text/markdown"
    # torch and matplotlib come with their extras only
    plain = [need for need in said.get_all("Requires-Dist") or [] if "extra ==" not in need]
    assert {re.split(r"[>=<]", need)[0] for need in plain} == {
        "click", "numpy", "python-flint", "pyyaml", "rich", "scipy", "sympy",
    }  # fmt: skip


def test_the_source_archive_holds_what_is_needed_to_build_and_test(tmp_path: Path) -> None:
    builder = pytest.importorskip("hatchling.builders.sdist")
    (made,) = builder.SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "tests/test_release.py"):
        assert needed in names
    assert "pdobasis/py.typed" in names
    assert not [n for n in names if "__pycache__" in n or n.startswith((".git/", ".venv/")) or n.endswith(".pyc")]
    assert Path(made).stat().st_size < 6_000_000
