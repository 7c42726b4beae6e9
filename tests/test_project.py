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
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert newest is not None
    assert newest[1] == pdobasis.__version__


def test_the_citation_repeats_what_pyproject_says() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["title"] == project["name"]
    assert citation["license"] == project["license"]
    assert citation["keywords"] == project["keywords"]
    assert citation["authors"] == project["authors"]
