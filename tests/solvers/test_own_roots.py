"""Representations of one's own with square roots of their own: answered on every road, and whatever was asked before."""

from __future__ import annotations

from pathlib import Path

import pytest

import pdobasis

METHODS = ("auto", "direct", "transfer")
HARMONICS = """
lie:
  - [["0", "0", "0", "-sqrt(14)/7", "0"], ["0", "0", "-sqrt(3)", "0", "-sqrt(3)/3"], ["0", "sqrt(3)", "0", "0", "0"],
     ["sqrt(14)/2", "0", "0", "0", "0"], ["0", "sqrt(3)", "0", "0", "0"]]
  - [["0", "0", "0", "0", "-2*sqrt(6)/3"], ["0", "0", "0", "-sqrt(7)/7", "0"], ["0", "0", "0", "0", "0"],
     ["0", "sqrt(7)", "0", "0", "0"], ["sqrt(6)", "0", "0", "0", "0"]]
  - [["0", "sqrt(2)", "0", "0", "0"], ["-sqrt(2)/2", "0", "0", "0", "0"], ["0", "0", "0", "-sqrt(21)/7", "0"],
     ["0", "0", "sqrt(21)", "0", "-sqrt(21)/3"], ["0", "0", "0", "sqrt(21)/7", "0"]]
"""
"""irrep(2) of SO(3), its basis scaled by square roots: two Lie generators need different fields."""


def written(folder: Path, text: str) -> str:
    path = folder / "own.yaml"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("method", METHODS)
def test_stages_of_a_system_in_different_fields(tmp_path: Path, method: str) -> None:
    """Nothing was found, since roots were looked for at the places of another field."""
    own = written(tmp_path, "name: own" + HARMONICS)
    for source, target, dimensions in [
        (own, "irrep(2)", [1]),
        ("irrep(2)", own, [1]),
        ("trivial", own, [0, 0, 1]),
        (own, "sym(2, vector)", [1]),
    ]:
        found = pdobasis.solve("SO(3)", source, target, order=len(dimensions) - 1, method=method)
        assert list(found.dimensions.values()) == dimensions
        assert found.certificate.holds


@pytest.mark.parametrize("method", METHODS)
def test_roots_of_a_fibre_beside_those_of_turns(tmp_path: Path, method: str) -> None:
    """sqrt(6) beside the sqrt(3) of thirds of a turn: their field has no basis of roots, and ended in a traceback."""
    rows = '["-1/2", "-sqrt(6)/4", "0"], ["sqrt(6)/2", "-1/2", "0"], ["0", "0", "1"]'
    own = written(tmp_path, f"name: own\ngenerators:\n  r: [{rows}]\n")
    found = pdobasis.solve("3", own, "vector", order=1, method=method)
    assert found.dimensions == pdobasis.solve("3", "vector", "vector", order=1).dimensions
    assert found.certificate.holds


@pytest.mark.parametrize("method", METHODS)
def test_an_equal_group_in_another_field_asked_before(tmp_path: Path, method: str) -> None:
    """Elements are remembered, and were those of the group by its name: sqrt(3) is twice a cosine there."""
    rows = "[-1/2, -sqrt(3)/2], [sqrt(3)/2, -1/2]"
    own = written(tmp_path, f"generators:\n  r: [{rows}]\n  f: [[1, 0], [0, -1]]\n")
    pdobasis.solve("D3", "regular", "vector", order=2)
    found = pdobasis.solve(own, "3xvector + vector", "vector", order=2, method=method)
    assert found.dimension == 16
    assert found.certificate.holds
