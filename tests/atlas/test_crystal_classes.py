"""The atlas of the crystal classes in the repository is what the program answers."""

from __future__ import annotations

import csv
import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pdobasis_tables.atlas_page import atlas_page, table_rows

from pdobasis.atlas.answering import answer
from pdobasis.atlas.questions import read_questions

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tables" / "atlas"
BROWSER = next((b for b in ("chromium", "chromium-browser", "google-chrome") if shutil.which(b)), None)
SWITCHES = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip
TITLE = "Equivariant PDOs of the crystal classes, all orders"


def _rows() -> list[tuple[str, ...]]:
    with (FOLDER / "crystal_classes.csv").open(newline="") as stream:
        return [tuple(row) for row in csv.reader(stream)][1:]


def _names() -> list[tuple[str, str, str]]:
    asked = read_questions(FOLDER / "crystal_classes.yaml")
    plain = [(q.group, q.in_rep[6:-1], q.out_rep[6:-1]) for q in asked]
    return sorted(plain)


def test_every_pair_is_there() -> None:
    assert sorted(row[:3] for row in _rows()) == _names()


@pytest.mark.parametrize("first", range(0, 971, 97))
def test_a_sample_is_answered_as_it_stands_there(first: int) -> None:
    row = _rows()[first]
    for question in read_questions(FOLDER / "crystal_classes.yaml"):
        if (question.group, question.in_rep[6:-1], question.out_rep[6:-1]) == row[:3]:
            assert table_rows([answer(question).row]) == [row]


def test_the_page_holds_the_table() -> None:
    """The rows of the page are those of the table; the rest of it is the template."""
    import json

    page = (ROOT / "docs" / "atlas.html").read_text()
    data = page.split("const rows = ", 1)[1].split(";\n", 1)[0]
    rows = json.loads(data)
    assert [tuple(row) for row in rows] == _rows()
    empty = atlas_page([], TITLE)
    assert page.replace(data, "[]") == empty


PROBE = """<script>
const seen = [];
function type(k, text) { inputs[k].value = text; inputs[k].dispatchEvent(new Event("input")); }
function sort(k) { heads[k].querySelector("button").click(); }
function look() {
  const first = body.querySelector("tr");
  seen.push(document.getElementById("count").textContent + "|" + (first ? first.children[4].textContent : ""));
}
look(); type(0, "oh"); type(2, "T1u"); look(); sort(4); sort(4); look(); type(2, "");
type(0, "C2"); look(); type(0, ""); type(6, "t⁹"); look(); type(6, ""); type(2, "T1*"); look(); type(0, "zz"); look();
document.title = seen.join(";");
</script></body>"""


@pytest.mark.skipif(BROWSER is None, reason="no chromium is installed")
def test_a_browser_filters_and_sorts(tmp_path: Path) -> None:
    """What is typed into a filter finds the rows that the table has, and a click on a heading sorts by numbers."""
    page = tmp_path / "page.html"
    page.write_text((ROOT / "docs" / "atlas.html").read_text().replace("</body>", PROBE))
    command = [str(BROWSER), *SWITCHES, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", f"file://{page}"]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    title = re.search(r"<title>(.*?)</title>", dom)
    assert title is not None
    found = [tuple(part.split("|")) for part in html.unescape(title[1]).split(";")]
    rows = _rows()
    vectors = [row for row in rows if (row[0], row[2]) == ("Oh", "T1u")]
    chosen = [
        rows,
        vectors,
        vectors,
        [row for row in rows if row[0] == "C2"],
        [row for row in rows if "t⁹" in row[6]],
        [row for row in rows if row[2].startswith("T1")],
        [],
    ]
    assert [count for count, _ in found] == [f"{len(own)} of 971 questions" for own in chosen]
    assert [first for _, first in found[:2]] == [rows[0][4], vectors[0][4]]
    # from the third on the largest number stands first
    assert [first for _, first in found[2:-1]] == [str(max(int(row[4]) for row in own)) for own in chosen[2:-1]]
