"""Names of fields: each stands for one thing in every output, and LaTeX reads them."""

from __future__ import annotations

import pytest

import pdobasis
from pdobasis.errors import SpecError


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"u": "vector", "u1": "trivial"}, "u1 is a component of u"),
        ({"u1": "trivial", "u": "vector"}, "u1 is a component of u"),
        ({"x1": "trivial"}, "x1"),
        ({"d2": "trivial"}, "d2"),
        ({"dt": "trivial"}, "dt"),
    ],
)
def test_a_name_that_would_stand_for_two_things_is_refused(fields: dict[str, str], says: str) -> None:
    with pytest.raises(SpecError, match=says):
        pdobasis.terms("O(2)", fields, "trivial", 1, 1)


def test_names_with_digits_that_stand_for_one_thing() -> None:
    found = pdobasis.terms("O(2)", {"u": "vector", "u3": "trivial", "B2": "trivial"}, "trivial", 1, 0)
    assert [term.text for term in found] == ["u3", "B2"]


@pytest.mark.parametrize("group", ["O(2)", "D4"])
def test_greek_names_are_greek_letters_in_latex(group: str) -> None:
    found = pdobasis.terms(
        group, {"rho": "trivial", "λ": "trivial", "Omega": "trivial", "rate": "trivial"}, "trivial", 1, 0
    )
    assert [term.latex() for term in found] == [r"\rho", r"\lambda", r"\Omega", r"\mathrm{rate}"]
    assert found.latex_document().isascii()


def test_letters_that_latex_does_not_know_are_written_without_their_marks() -> None:
    (term,) = pdobasis.terms("O(2)", {"é": "vector"}, "trivial", 2, 0)
    assert term.latex() == r"\mathrm{e}_{i} \mathrm{e}_{i}"
