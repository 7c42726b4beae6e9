"""What the files beside the code say of it: one version, written in ``pdobasis/__init__.py``."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

import pdobasis

ROOT = Path(__file__).parent.parent


def test_the_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == pdobasis.__version__


def test_the_changelog_begins_with_this_version() -> None:
    newest = re.search(r"^## (\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert newest is not None
    assert newest[1] == pdobasis.__version__
    assert newest[2] == citation["date-released"]


def test_what_is_made_and_kept_carries_no_version() -> None:
    """Otherwise every release would have to make it again, with the same numbers."""
    kept = [
        *(ROOT / "tables").glob("*.tex"),
        *(ROOT / "docs" / "tutorials").glob("*.ipynb"),
        ROOT / "docs" / "atlas.html",
    ]
    assert len(kept) > 30
    for path in kept:
        assert not re.search(r"pdobasis v?\d+\.\d+", path.read_text(encoding="utf-8")), path.name


def test_the_citation_repeats_what_pyproject_says() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["title"] == project["name"]
    assert citation["license"] == project["license"]
    assert citation["keywords"] == project["keywords"]
    assert citation["authors"] == project["authors"]
