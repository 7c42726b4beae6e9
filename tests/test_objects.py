"""What objects look like: one line that is short, a text that can be read, and what a notebook shows."""

from __future__ import annotations

import pickle
from html.parser import HTMLParser

import pytest

import pdobasis
from pdobasis import field_type, group
from pdobasis.answer.told import Layout, operator_text


@pytest.mark.parametrize(("name", "dim"), [("D8", None), ("C4", 3), ("O(3)", None), ("m-3m", None)])
def test_groups_and_field_types_can_be_pasted_back(name: str, dim: int | None) -> None:
    own = group(name, dim)
    fields = field_type("2xvector + trivial", own)
    for value in (own, fields):
        again = eval(repr(value), {"group": group, "field_type": field_type})  # noqa: S307
        assert again == value


@pytest.fixture(scope="module")
def basis() -> pdobasis.Basis:
    return pdobasis.solve("D8", "regular", "regular", order=1)


def test_every_repr_is_one_short_line(basis: pdobasis.Basis) -> None:
    problem = basis.problem
    values = [
        basis, basis.elements, basis[0], basis[20], problem.group, problem.in_type,
        problem.in_type.distinct[0], basis.certificate, pdobasis.all_orders("D4", "trivial", "vector"),
    ]  # fmt: skip
    for value in values:
        text = repr(value)
        assert "\n" not in text
        assert len(text) < 200
        assert " object at 0x" not in text


def test_a_basis_is_a_sequence(basis: pdobasis.Basis) -> None:
    assert len(basis) == 48
    assert basis[-1].entries.keys() == basis[47].entries.keys()
    assert [e.order for e in basis[14:18]] == [0, 0, 1, 1]
    assert len(list(basis)) == 48
    with pytest.raises(IndexError):
        basis[48]


def test_printed_a_basis_shows_operators_and_proof(basis: pdobasis.Basis) -> None:
    text = str(basis)
    assert "… and 24 more" in text
    assert "✓ complete: Molien count over 16 elements" in text
    assert max(map(len, text.splitlines())) <= 120
    # one entry stands for its orbit, and nothing is left out silently
    assert "carried to 15 more" in text
    assert "is carried to g(i,j)" in text


def test_an_orbit_says_what_all_entries_say() -> None:
    r"""Entries at g(i, j) are P(g^T x): the text of one orbit and the full text have the same entries."""
    element = pdobasis.solve("D8", "regular", "trivial", order=2)[1]
    short = operator_text(element, Layout(width=80))
    assert short == "1×16: (1,1) ∂₁, carried to 15 more"
    assert len(element.entries) == 16
    full = operator_text(element, Layout(width=80, full=True))
    assert full.count("∂") >= 16
    assert max(map(len, full.splitlines())) <= 80


@pytest.mark.parametrize("width", [80, 120])
def test_lines_break_between_entries(width: int) -> None:
    element = pdobasis.solve("SO(3)", "sym(2,vector)", "tensor(vector,vector)", order=2)[-1]
    text = operator_text(element, Layout(width=width))
    for line in text.splitlines():
        assert len(line) <= max(width - 48, 30) + 20
        assert line.strip().startswith(("(", "9×"))


class _Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(
    "question", [("SO(3)", "vector", "vector"), ("Oh", "regular", "regular"), ("D8", "regular", "trivial")]
)
def test_notebooks_get_bounded_html_and_latex(question: tuple[str, str, str]) -> None:
    found = pdobasis.solve(*question, order=1)
    page = found._repr_html_()
    parser = _Balanced()
    parser.feed(page)
    assert not parser.open
    assert len(page) < 200_000
    assert len(found._repr_latex_()) < 60_000
    if question[0] == "SO(3)":
        assert "<math>" in page
        assert "curl" in page


def test_everything_is_pickled(basis: pdobasis.Basis) -> None:
    for value in (basis, basis[3], basis.problem, basis.certificate, pdobasis.all_orders("D4", "trivial", "vector")):
        assert repr(pickle.loads(pickle.dumps(value))) == repr(value)  # noqa: S301
