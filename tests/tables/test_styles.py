"""Four styles, one content."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from pdobasis_tables.concrete import Question, counts_table, elements_table, label
from pdobasis_tables.formula import Formula, Matrix, Part
from pdobasis_tables.latex import _bands
from pdobasis_tables.mathml import mathml
from pdobasis_tables.paper import paper_tables
from pdobasis_tables.polynomial import of_element
from pdobasis_tables.styles import STYLES
from pdobasis_tables.table import Table, broken

from pdobasis import solve
from pdobasis.groups.catalogue import parse_group

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "01234567890123456789")


@pytest.fixture(scope="module")
def d8() -> Table:
    return elements_table(Question(parse_group("D8"), (), 2))


def test_every_style_has_every_matrix(d8: Table) -> None:
    number = sum(len(line) for row in d8.cells for cell in row for line in cell.lines)
    texts = {style: write([d8], ["table"]) for style, write in STYLES.items()}
    assert number > 30
    for style in ("standalone", "fragment", "markdown"):
        assert texts[style].count(r"\begin{pmatrix}") == number
    assert texts["html"].count("<mtable>") == number


def test_every_style_says_where_it_comes_from(d8: Table) -> None:
    for write in STYLES.values():
        text = write([d8], ["table", "--group", "D8"])
        assert "pdobasis table --group D8" in text
        assert "Molien count over 16 elements" in text
        assert "independent: exact rank" in text


def test_markdown_escapes_nothing_that_markdown_would_read(d8: Table) -> None:
    for table in (d8, counts_table(Question(parse_group("D4"), (), 2)), paper_tables()["cn"]):
        body = STYLES["markdown"]([table], ["table"]).split("-->")[1]
        formulas = re.findall(r"\$([^$]*)\$", body)
        assert formulas
        assert not [f for f in formulas if re.search(r"\\[^A-Za-z]|\||PDO", f)]


def test_html_is_well_formed_and_needs_nothing_from_outside(d8: Table) -> None:
    text = STYLES["html"]([d8], ["table", "--group", "D8"])
    body = re.sub(r"<!DOCTYPE html>|<meta[^>]*>|<!--.*?-->", "", text, flags=re.S)
    ElementTree.fromstring(body)
    assert not re.search(r"<script|https?:|src=|@import|url\(", text)


@pytest.mark.parametrize(
    "question", [("D8", "trivial", "regular", 3), ("I", "irrep(G)", "irrep(T2)", 1), ("C7", "vector", "vector", 5)]
)
def test_mathml_says_what_the_terminal_says(question: tuple[str, str, str, int]) -> None:
    for element in solve(*question).elements:
        pretty = [entry.translate(SUBSCRIPTS) for row in element.pretty() for entry in row]
        spoken = [_spoken(f) for row in of_element(element).rows for f in row]
        assert spoken == [re.sub(r"[ ()/√]", "", text) for text in pretty]


def _spoken(formula: Formula) -> str:
    text = "".join(ElementTree.fromstring(f"<math>{formula.mathml}</math>").itertext())
    return re.sub(r"[ ()⁡]", "", text).replace("−", "-")


def test_latex_is_what_solve_prints() -> None:
    for element in solve("D8", "vector", "irrep(1,2)", order=3).elements:
        assert of_element(element).latex.replace("[2pt]", "") == element.latex()


@pytest.mark.parametrize(
    ("spec", "group", "latex"),
    [
        ("irrep(1,2)", "D8", r"\psi_{1,2}"),
        ("irrep(T2u)", "Oh", r"\mathrm{T}_{2u}"),
        ("irrep(E'')", "D3h", r"\mathrm{E}''"),
        ("irrep(2)", "SO(3)", r"\ell = 2"),
        ("vector", "D8", r"\text{vector}"),
    ],
)
def test_irreps_have_their_usual_names(spec: str, group: str, latex: str) -> None:
    assert label(spec, parse_group(group)).latex == latex


def test_counts_are_those_of_the_bases() -> None:
    table = counts_table(Question(parse_group("D4"), (), 4))
    assert table.rows[3].name.latex == r"\psi_{0,2}"
    assert table.cells[0][0].lines[0][0].latex == r"1,\,0,\,1,\,0,\,2"
    assert solve("D4", "trivial", "trivial", order=4).dimensions == {0: 1, 1: 0, 2: 1, 3: 0, 4: 2}


def test_groups_without_laplacian_get_their_whole_basis() -> None:
    table = elements_table(Question(parse_group("SL(2)"), ("vector", "dual(vector)"), 2))
    assert len(table.cells[0][1].lines) == 1
    assert "with the powers" not in table.proof[0]


def test_long_cells_and_entries_are_broken() -> None:
    part = Part(False, "x", "<mi>x</mi>", 10)
    long = Formula((part,) * 8)
    assert len(long.lines(48)) == 3
    assert long.broken_latex(48).count(r"\\") == 2
    assert [len(line) for line in broken([Matrix(((Formula((part,)),),))] * 4, 50).lines] == [2, 2]


def test_wide_tables_are_cut_evenly() -> None:
    assert _bands([10.0] * 6, 40) == [range(0, 3), range(3, 6)]
    assert _bands([100.0, 1.0], 50) == [range(0, 1), range(1, 2)]


def test_scripts_bind_to_what_they_follow() -> None:
    assert mathml(r"x_1^{k-i}") == "<msubsup><mi>x</mi><mn>1</mn><mrow><mi>k</mi><mo>−</mo><mi>i</mi></mrow></msubsup>"
    assert mathml(r"\sum_{i}x").startswith("<munder><mo>∑</mo><mi>i</mi></munder>")
