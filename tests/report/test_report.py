"""pdobasis report: one page, whole, self-contained, and drawn by a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from pdobasis_cli import main

BROWSER = next((b for b in ("chromium", "chromium-browser", "google-chrome") if shutil.which(b)), None)
QUESTIONS = [
    ("D8", "regular", "trivial", ()),
    ("SO(3)", "vector", "vector", ("--stencil", "fd", "--size", "3")),
    ("O(2)", "trivial", "vector + irrep(1,2)", ("--order", "3")),
    ("SL(2)", "vector", "dual(vector)", ("--order", "4", "--stencil", "none")),
    ("SO(1,3)", "vector", "vector", ()),
    ("SO(2)", "irrep(5)", "trivial", ()),
]


def run(folder: Path, group: str, source: str, out: str, *more: str) -> Result:
    return CliRunner().invoke(
        main, ["report", "--group", group, "--in", source, "--out", out, *more, "-o", str(folder / "page.html")]
    )


@pytest.mark.parametrize(("group", "source", "out", "more"), QUESTIONS)
def test_the_page_is_well_formed_and_self_contained(
    group: str, source: str, out: str, more: tuple[str, ...], tmp_path: Path
) -> None:
    result = run(tmp_path, group, source, out, *more)
    assert result.exit_code == 0, result.output
    text = (tmp_path / "page.html").read_text()
    ElementTree.fromstring(re.sub(r"<!DOCTYPE html>|<meta[^>]*>", "", text))
    assert not re.search(r"<script|https?:|src=|@import|url\(", text)
    assert text.count("✓") == 3
    assert "✗" not in text


def test_the_page_has_all_operators_and_stencils(tmp_path: Path) -> None:
    run(tmp_path, "D8", "regular", "trivial")
    text = (tmp_path / "page.html").read_text()
    assert text.count('<section class="card">') == 6
    assert text.count("<svg ") == 6 * 16
    assert text.count("<rect ") == 6 * 16 * 25
    assert "There are 6: 1 of order 0, 2 of order 1, 3 of order 2. 5 angular operators, times powers of Δ." in text


def test_elements_have_the_numbers_that_show_prints(tmp_path: Path) -> None:
    run(tmp_path, "SO(3)", "vector", "vector", "--stencil", "fd", "--size", "3")
    headings = re.findall(r"<h3>(.*?) <small>", (tmp_path / "page.html").read_text())
    assert headings == ["0. identity", "1. curl", "2. Laplacian", "3. grad∘div"]
    words = ["export", "-g", "SO(3)", "--in", "vector", "--out", "vector", "--stencil", "fd", "--size", "3"]
    CliRunner().invoke(main, [*words, "-o", str(tmp_path / "stencils.npz")])
    shown = CliRunner().invoke(main, ["show", str(tmp_path / "stencils.npz")]).output
    found = re.findall(r"^element (\d+): order \d, (.*)$", shown, re.MULTILINE)
    assert [f"{k}. {name}" for k, name in found] == headings


def test_the_same_question_gives_the_same_page(tmp_path: Path) -> None:
    pages = []
    for _ in range(2):
        run(tmp_path, "D4", "vector", "trivial")
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]


def test_stencils_are_drawn_with_x2_upwards(tmp_path: Path) -> None:
    """d/dx2 by finite differences on three points: +1/2 above, -1/2 below the centre."""
    run(tmp_path, "O(2)", "trivial", "vector", "--order", "1", "--stencil", "fd", "--size", "3")
    picture = re.findall(r"<svg .*?</svg>", (tmp_path / "page.html").read_text())[1]
    squares = ElementTree.fromstring(picture).findall("rect")
    weights = {(s.get("x"), s.get("y")): (s.findtext("title"), s.get("fill")) for s in squares}
    assert weights["1", "0"] == ("0.5", "#b2182b")
    assert weights["1", "2"] == ("-0.5", "#2166ac")
    assert weights["0", "1"][0] == "0"


def test_text_from_files_is_escaped(tmp_path: Path) -> None:
    group = tmp_path / "g.yaml"
    group.write_text('name: "<b>mine</b> & co"\ngenerators:\n  r: [[0, -1], [1, 0]]\n')
    assert run(tmp_path, str(group), "trivial", "vector").exit_code == 0
    text = (tmp_path / "page.html").read_text()
    assert "<b>" not in text
    assert "&lt;b&gt;mine&lt;/b&gt; &amp; co" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "trivial", "-o", "page.pdf"), "has to end in .html"),
        (("--out", "trivial", "-o", "nowhere/page.html"), "there is no folder nowhere"),
        (("--out", "trivial", "--stencil", "fd", "--size", "2", "-o", "page.html"), "needs at least 3 points"),
        (("--out", "trivia", "-o", "page.html"), "did you mean trivial"),
    ],
)
def test_refusals(words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["report", "--group", "D4", "--in", "vector", *words])
    assert result.exit_code == 2
    assert message in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(BROWSER is None, reason="no chromium is installed")
@pytest.mark.parametrize("width", [400, 1400])
def test_a_browser_draws_the_page(width: int, tmp_path: Path) -> None:
    """Without network: the picture has the red and blue of stencils, and the page is not wider than the window."""
    from matplotlib.image import imread

    run(tmp_path, "D8", "regular", "trivial", "--order", "1")
    page = tmp_path / "page.html"
    probe = "<script>document.title = document.documentElement.scrollWidth</script></body>"
    (tmp_path / "probe.html").write_text(page.read_text().replace("</body>", probe))
    _chromium(tmp_path, f"--window-size={width},1200", f"--screenshot={tmp_path / 'page.png'}", str(page))
    picture = imread(tmp_path / "page.png")[..., :3]
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    assert ((red > 0.6) & (green < 0.25) & (blue < 0.3)).sum() >= 50
    assert ((blue > 0.6) & (red < 0.25)).sum() >= 50
    dom = _chromium(tmp_path, f"--window-size={width},1200", "--dump-dom", str(tmp_path / "probe.html"))
    found = re.search(r"<title>(\d+)</title>", dom)
    assert found is not None
    assert int(found[1]) <= max(width, 500)


def _chromium(folder: Path, *words: str) -> str:
    switches = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
                "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip
    command = [str(BROWSER), *switches, f"--user-data-dir={folder / 'profile'}", *words[:-1], f"file://{words[-1]}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
