"""The site is built from what is there: no warning, no broken link, every public name, every command, no network."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pdobasis_cli.commands import COMMANDS

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ROOMS = ("pdobasis", "pdobasis.nn", "pdobasis.nn.models", "pdobasis.stencils", "pdobasis.handover", "pdobasis.measure")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("sphinx", "myst_nb", "furo"):
        pytest.importorskip(name)
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", str(DOCS), str(folder)]
    made = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return folder


def test_every_command_has_one_place_on_the_site(site: Path) -> None:
    page = (site / "reference" / "commands.html").read_text()
    for name in COMMANDS:
        assert page.count(f'id="{name}"') == 1, name


def test_every_public_name_has_one_place_on_the_site(site: Path) -> None:
    pages = "".join(page.read_text() for page in (site / "reference").glob("*.html"))
    for room in ROOMS:
        for name in set(importlib.import_module(room).__all__) - {"__version__"}:
            assert pages.count(f'id="{room}.{name}"') == 1, f"{room}.{name}"


def test_no_page_asks_for_anything_elsewhere(site: Path) -> None:
    """Links may lead away; scripts, styles, fonts and pictures are all beside the page."""
    loaded = re.compile(
        r'<(?:script|img|iframe|source)[^>]+src="(https?:)?//|<link[^>]+rel="stylesheet"[^>]+href="https?:'
    )
    for page in site.rglob("*.html"):
        assert not loaded.search(page.read_text()), page


def test_links_between_pages_lead_to_something(site: Path) -> None:
    """Pages and places in them, in what was built: a page that Sphinx has not seen is looked at, too."""
    places: dict[Path, set[str]] = {}
    for page in site.rglob("*.html"):
        places[page] = set(re.findall(r'\sid="([^"]+)"', page.read_text()))
    for page in places:
        for link in re.findall(r'<a[^>]+href="([^"]+)"', page.read_text()):
            name, _, place = link.partition("#")
            if re.match(r"\w+:", link):
                continue
            target = (page.parent / name).resolve() if name else page
            assert target.exists(), (page, link)
            if place and target in places:
                assert place in places[target], (page, link)


def test_formulas_are_drawn_without_a_script(site: Path) -> None:
    text = (site / "mathematics.html").read_text()
    assert "<math" in text
    assert not re.search(r"<script[^>]+mathjax", text, re.I)


def test_search_knows_the_pages(site: Path) -> None:
    index = (site / "searchindex.js").read_text()
    assert '"mathematics"' in index
    assert '"reference/answers"' in index
