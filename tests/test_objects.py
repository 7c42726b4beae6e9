"""What objects look like: one line that is short, a text that can be read, and what a notebook shows."""

from __future__ import annotations

import copy
import pickle
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis import field_type, group
from pdobasis.answer.told import Layout, operator_text, rows


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


@pytest.mark.parametrize("width", [80, 120])
def test_wide_columns_leave_room_for_entries(width: int) -> None:
    """Irreps make the column of parts wide: then it is folded, and no entry is broken."""
    found = pdobasis.solve("SO(3)", "sym(2,vector)", "tensor(vector,vector)", order=1)
    table = rows(found, Layout(show=1, width=width, more=" (--show {number}, --json or -o FILE.json)"))
    lines = [line for row in table for line in row[-1].splitlines()]
    parts = max(len(row[1]) for row in table)
    folded = 26 if width == 80 else parts
    assert parts == 35
    for line in lines:
        assert re.match(r" ?(\(\d,\d\) |9×6: |… and |\(--show)", line), line
        assert len("order") + folded + len("name") + len(line) + 10 <= width


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
    assert len(found._repr_latex_() or "") < 60_000
    if question[0] == "SO(3)":
        assert "<math>" in page
        assert "curl" in page


@pytest.fixture(scope="module")
def objects(basis: pdobasis.Basis) -> dict[str, Any]:
    """One of every kind that a user is given."""
    small = pdobasis.solve("SO(3)", "vector", "vector", order=2)
    kernels = pdobasis.solve("D4", "trivial", "vector", order=2)
    module = pdobasis.all_orders("D4", "trivial", "vector")
    found = pdobasis.terms("O(3)", {"u": "vector"}, "vector", degree=2, derivatives=1)
    grad, curl = pdobasis.solve("SO(3)", "trivial", "vector", 1), pdobasis.solve("SO(3)", "vector", "vector", 1)
    return {
        "basis": basis, "small basis": small, "empty basis": pdobasis.solve("D8", "trivial", "det", order=2),
        "elements": basis.elements, "element": small[1], "wide element": basis[20],
        "group": group("D8"), "Lie group": group("SO(1,3)"), "fields": field_type("2xregular + vector", "D4"),
        "representation": field_type("irrep(1,2)", "D8")[0], "problem": basis.problem, "certificate": small.certificate,
        "module": module, "invariant": module.invariants[1], "terms": found, "term": found[2],
        "operator": small[1].operator, "wide operator": basis[20].operator, "space": small.self_adjoint(),
        "complex": pdobasis.complexes("SO(3)", ["trivial", "vector", "vector", "trivial"])[0],
        "symmetries": pdobasis.symmetries("d1**2 + d2**2 - d3**2", "GL(3)", "trivial", "trivial"),
        "relation": pdobasis.null_compositions(curl, grad)[0],
        "factorisation": pdobasis.factorise(pdobasis.solve("O(3)", "vector", "vector", 2), ["trivial"])[2],
        "kernels": pdobasis.kernels("D4", "trivial", "vector", order=2), "Gaussians": kernels.gaussian_kernels(),
        "homogeneous": kernels.homogeneous_kernels(1), "multipliers": small.fourier(),
    }  # fmt: skip


def test_every_object_has_one_line_and_one_page(objects: dict[str, Any]) -> None:
    for name, value in objects.items():
        line, text = repr(value), str(value)
        assert "\n" not in line, name
        assert len(line) < 200, name
        assert " object at 0x" not in line + text, name
        assert len(text) < 4_000, name
        assert max(map(len, text.splitlines())) < 600, name


def test_every_page_is_balanced_and_bounded(objects: dict[str, Any]) -> None:
    shown = {name: value for name, value in objects.items() if hasattr(value, "_repr_html_")}
    assert set(objects) - set(shown) == {"invariant", "relation", "factorisation"}
    for name, value in shown.items():
        page = value._repr_html_()
        parser = _Balanced()
        parser.feed(page)
        assert not parser.open, name
        assert len(page) < 20_000, name


def test_what_can_be_pasted_back_is_the_same(objects: dict[str, Any]) -> None:
    names = {n: getattr(pdobasis, n) for n in ("group", "field_type", "operator", "Problem")}
    for name in ("group", "Lie group", "fields", "representation", "problem", "operator"):
        assert eval(repr(objects[name]), names) == objects[name], name  # noqa: S307


def test_copies_are_equal(objects: dict[str, Any]) -> None:
    for name, value in objects.items():
        for other in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):  # noqa: S301
            assert other == value, name
            assert hash(other) == hash(value), name
            assert repr(other) == repr(value), name


def test_what_is_written_and_read_is_equal(objects: dict[str, Any], tmp_path: Path) -> None:
    readers: dict[str, Callable[[str], object]] = {
        "basis": pdobasis.load,
        "module": pdobasis.load_all_orders,
        "terms": pdobasis.load_terms,
    }
    for name, read in readers.items():
        path = str(tmp_path / f"{name}.json")
        objects[name].save(path)
        assert read(path) == objects[name], name


def test_what_differs_is_not_equal(objects: dict[str, Any]) -> None:
    values = list(objects.values())
    for k, value in enumerate(values):
        assert [j for j, other in enumerate(values) if other == value] == [k]
    one, two = objects["small basis"][2:4]
    assert one != two
    assert objects["terms"][1] != objects["terms"][2]


def test_sequences_have_a_length_indices_and_slices(objects: dict[str, Any]) -> None:
    for name in ("basis", "elements", "module", "terms", "space", "kernels", "Gaussians", "homogeneous", "multipliers"):
        value = objects[name]
        every = list(value)
        assert len(value) == len(every), name
        assert value[-1] == every[-1], name
        assert list(value[:2]) == every[:2], name
        with pytest.raises(IndexError):
            value[len(every)]


LATEX = r"\documentclass{article}\usepackage{amsmath,amssymb}\begin{document}%s\end{document}"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex")
def test_all_latex_compiles(objects: dict[str, Any], tmp_path: Path) -> None:
    wide = pdobasis.solve("Oh", "regular", "regular", order=1)
    formulas = [v._repr_latex_() for v in (*objects.values(), wide) if hasattr(v, "_repr_latex_")]
    shown = [text for text in formulas if text is not None]
    assert len(shown) > 8
    assert max(map(len, shown)) < 60_000
    body = "\n\n".join(shown)
    (tmp_path / "all.tex").write_text(LATEX.replace("%s", body))
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "all.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 0, run.stdout[-1500:]


def test_matrices_and_windows_are_one_short_line_too() -> None:
    gradient = pdobasis.solve("D4", "trivial", "vector", order=1)
    cloud = gradient.on_cloud(np.random.default_rng(0).random((40, 2)))
    values = [
        gradient.matrix((4, 4))[0], cloud, cloud[0], gradient.on_lattice("square"),
        pdobasis.operator("d1^2 + d2^2").mehrstellen(), pdobasis.Lattice.named("fcc"), group("Ih").elements[5],
        pdobasis.field_type("regular", "D16")[0].matrices()[0],
    ]  # fmt: skip
    for value in values:
        assert re.fullmatch(r"<\w+ .{1,150}>", repr(value)), repr(value)


def test_lattices_are_known_by_their_vectors() -> None:
    square = pdobasis.Lattice.named("square")
    assert square == pdobasis.Lattice([[1, 0], [0, 1]], "mine") == pickle.loads(pickle.dumps(square))  # noqa: S301
    assert len({square, pdobasis.Lattice.rectangular(1, 1), pdobasis.Lattice.named("hexagonal")}) == 2
    assert square != pdobasis.Lattice.rectangular(1, 2)
