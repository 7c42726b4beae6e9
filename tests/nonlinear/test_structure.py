"""Structures of terms: over fields with roots, several at a time, and refused where they have no meaning."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.errors import SpecError
from pdobasis.nonlinear.echelon import echelon, places_of
from pdobasis.nonlinear.file import dump_terms, verify_terms
from pdobasis.nonlinear.independent import rank
from pdobasis.nonlinear.structure.moving import galilean_condition
from pdobasis.nonlinear.structure.variation import euler

NEMATIC = ("SO(3)", {"Q": "irrep(2)"}, "trivial", 3, 1)


def test_elastic_terms_of_a_nematic_modulo_divergences() -> None:
    # L2 - L3 is a divergence, and one of the six terms of third degree is one modulo the others
    left = pdobasis.terms(*NEMATIC, structure="lagrangian")
    gone = pdobasis.terms(*NEMATIC, structure="divergence")
    assert len(left) + len(gone) == len(pdobasis.terms(*NEMATIC))
    assert [t.name for t in left if t.multidegree.total == 2][:2] == ["elastic term L1", "elastic term L2"]
    assert gone[0].text == "∂_i Q_ij ∂_k Q_jk - ∂_i Q_jk ∂_k Q_ji"
    assert not any(p for term in gone for p in euler(gone.question, term.components))


def test_fluxes_of_a_field_with_roots() -> None:
    found = pdobasis.terms("SO(3)", {"Q": "irrep(2)"}, "irrep(2)", 1, 2, structure="divergence")
    # ΔQ and the trace-free part of ∂_i ∂_k Q_kj; and curl Q, which is a divergence as all linear terms with ∂ are
    assert len(found) == 3
    assert all(term.text.startswith("div[") for term in found)


def test_the_multidegree_of_a_divergence_is_its_own() -> None:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 1, structure="divergence")
    assert [found.question.label(term.multidegree) for term in found] == ["u · ∂u", "u · ∂u"]


def test_several_structures_are_an_intersection() -> None:
    question: dict[str, Any] = {"max_total": 2, "time": True}
    arguments = ("O(2)", {"u": "vector", "r": "trivial"}, "vector", 2, 2)
    both = pdobasis.terms(*arguments, **question, structure="divergence", galilean="u")
    conserved = pdobasis.terms(*arguments, **question, structure="divergence")
    moving = pdobasis.terms(*arguments, **question, galilean="u")
    boosts = galilean_condition(both.question, "u")
    for term in both:
        assert not any(euler(both.question, term.components))
        assert not any(boosts(term.components))
    parts = [[t.components for t in found] for found in (conserved, moving)]
    # dim (A ∩ B) = dim A + dim B - dim (A + B)
    assert len(both) == len(conserved) + len(moving) - rank([*parts[0], *parts[1]])
    assert both.structure == "divergence + galilean:u"


def test_a_file_of_several_structures_is_proved_again() -> None:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 2, max_total=2, structure=["divergence", "flip:u,out"])
    data = json.loads(dump_terms(found))
    assert len(found) > 0
    assert verify_terms(data).holds
    data["structure"] = "divergence"
    assert not verify_terms(data).holds


def test_the_multidegrees_of_a_sum_are_written() -> None:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 1, time=True, galilean="u")
    (term,) = json.loads(dump_terms(found))["terms"]
    assert term["name"] == "material derivative"
    assert [sum(f["power"] for f in m) for m in term["multidegrees"]] == [1, 2]


@pytest.mark.parametrize("group", ["C3", "D5"])
def test_the_echelon_form_with_roots_is_reduced(group: str) -> None:
    textbook = pdobasis.terms(group, {"u": "regular"}, "vector", 1, 1)
    reduced = pdobasis.terms(group, {"u": "regular"}, "vector", 1, 1, form="echelon")
    for one, two in zip(textbook.blocks, reduced.blocks, strict=True):
        own = [t.components for t in one.terms]
        others = [t.components for t in two.terms]
        assert rank([*own, *others]) == len(own) == len(others)
        assert echelon(list(reversed(own))) == others
        for k, term in enumerate(others):
            c, monomial = places_of([term])[0]
            assert [other[c].get(monomial, 0) for other in others] == [int(j == k) for j in range(len(others))]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"structure": ["divergence", "divergent"]}, "structure is one of"),
        ({"structure": ["skew", "self-adjoint"]}, "zero alone"),
        ({"structure": [3]}, "a text"),
        ({"structure": "internal:u=1,0;0"}, "square matrix"),
        ({"structure": "internal:u=1e999999999,0;0,0"}, "written as"),
        ({"structure": "internal:u=0,1;1,0|u=0,1;1,0"}, "twice"),
        ({"structure": "flip:w"}, "no field"),
        ({"galilean": "g", "constants": {"g": "vector"}}, "velocity"),
    ],
)
def test_what_has_no_meaning_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(SpecError, match=says):
        pdobasis.terms("O(2)", {"u": "vector"}, "vector", 1, 1, **options)


def test_several_structures_on_the_command_line() -> None:
    asked = ["terms", "--group", "O(2)", "--field", "u=vector", "--out", "vector", "--time", "--max-total", "2"]
    result = CliRunner().invoke(main, [*asked, "--form", "divergence", "--galilean", "u", "--json"])
    assert json.loads(result.output)["structure"] == "divergence + galilean:u"
    wrong = CliRunner().invoke(main, [*asked, "--form", "textbook", "--form", "echelon"])
    assert wrong.exit_code == 2


def test_a_constant_has_no_derivatives_in_a_divergence() -> None:
    # g·∇h = ∂_i (g_i h), h g·∇h = ∂_i (g_i h²/2), because g is the same everywhere
    fields: dict[str, Any] = {"constants": {"g": "vector"}}
    gone = pdobasis.terms("O(2)", {"h": "trivial"}, "trivial", 3, 1, **fields, structure="divergence")
    assert [term.text for term in gone] == ["div[h g_i]", "div[h² g_i]"]
    left = pdobasis.terms("O(2)", {"h": "trivial"}, "trivial", 3, 1, **fields, structure="lagrangian")
    assert [term.text for term in left] == ["h", "h²", "∂_i h ∂_i h", "h³", "h g_i g_i", "h ∂_i h ∂_i h"]


def test_a_lagrangian_density_has_derivatives_in_time_modulo_which_it_counts() -> None:
    # ∂_t h and h ∂_t h are derivatives in time; b ∂_t a = -a ∂_t b modulo one: a Lagrangian of first order (Schrödinger)
    density = pdobasis.terms("O(2)", {"h": "trivial"}, "trivial", 2, 1, time=True, structure="lagrangian")
    assert [term.text for term in density] == ["h", "h²", "∂_t h ∂_t h", "∂_i h ∂_i h"]
    pair = pdobasis.terms("O(2)", {"a": "trivial", "b": "trivial"}, "trivial", 2, 1, time=True, structure="lagrangian")
    first = [term.text for term in pair if term.multidegree.total == 1]
    assert first in (["a ∂_t b"], ["∂_t a b"])
    # a flux is one in space: ∂_t h stands on the other side of a law of conservation
    fluxes = pdobasis.terms("O(2)", {"h": "trivial"}, "trivial", 1, 2, time=True, structure="divergence")
    assert [term.text for term in fluxes] == ["div[∂_i h]"]
