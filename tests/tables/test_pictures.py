"""The pictures of docs/conventions.md are what the script draws."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_pictures_are_drawn_again_byte_for_byte() -> None:
    drawn = runpy.run_path(str(DOCS / "pictures.py"))["pictures"]()
    assert len(drawn) == 2
    for name, text in drawn.items():
        assert (DOCS / name).read_text() == text


def test_links_between_pages_lead_somewhere() -> None:
    import re

    for page in [*DOCS.glob("*.md"), *DOCS.parent.glob("*.md"), DOCS.parent / "tables" / "README.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
