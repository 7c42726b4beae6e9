"""Weights by formula are those of the matrices."""

from __future__ import annotations

import pytest

from pdobasis.answer.solve import ask
from pdobasis.representations import weights
from pdobasis.representations.characters import inner_product
from pdobasis.representations.decomposition import _has_weights, decomposition
from pdobasis.representations.intertwiners import _maps
from pdobasis.representations.named import named_irreps
from pdobasis.representations.representation import Representation
from pdobasis.representations.rotation_maps import intertwine_all_rotations, rational_images
from pdobasis.solvers.planar import closed_form

SPECS = [
    "trivial",
    "det",
    "vector",
    "irrep(3)",
    "dual(tensor(vector, det))",
    "tensor(irrep(2), vector)",
    "sym(3, vector)",
    "sym(2, tensor(vector, det))",
    "alt(2, irrep(3))",
    "alt(3, tensor(vector, vector))",
    "tensor(sym(2, alt(2, vector)), irrep(2))",
]


PLANAR = [
    "trivial",
    "det",
    "vector",
    "irrep(3)",
    "dual(tensor(vector, det))",
    "tensor(irrep(2), vector)",
    "sym(3, vector)",
    "alt(2, tensor(vector, vector))",
    "tensor(sym(2, alt(2, vector)), irrep(2))",
]


def _rep(group: str, spec: str) -> Representation:
    if group.startswith(("O(", "D")):
        spec = spec.replace("irrep(3)", "irrep(1,3)").replace("irrep(2)", "irrep(1,2)")
    return ask(group, spec, "trivial", 0).in_type.distinct[0]


QUESTIONS = [(g, s) for g in ("SO(3)", "O(3)") for s in SPECS]
QUESTIONS += [(g, s) for g in ("SO(2)", "O(2)", "O(2,pi/4)") for s in PLANAR]


@pytest.mark.parametrize(("group", "spec"), QUESTIONS)
def test_weights_by_formula(group: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rep = _rep(group, spec)
    found = weights.weights.__wrapped__(rep)
    asked: list[object] = []
    monkeypatch.setattr(weights, "_by_formula", asked.append)
    assert found == weights.weights.__wrapped__(rep)
    assert len(asked) == 1


FINITE = [*(f"C{n}" for n in (1, 2, 3, 4, 6, 7, 8, 12)), *(f"D{n}" for n in (1, 2, 3, 4, 6, 7, 8, 12)), "D8(pi/8)",
          "D4(pi/4)", "D3(pi/6)", "flip", "flip(pi/4)"]  # fmt: skip


@pytest.mark.parametrize("group", FINITE)
def test_irreps_of_finite_groups_by_weights_and_by_characters(group: str) -> None:
    """How often each irrep occurs, times the dimension of its commutant, is the product of characters."""
    counted = 0
    for spec in PLANAR:
        if "irrep" in spec and group in ("C1", "C2", "C3", "C4", "C6", "D1", "D2", "D3", "D4", "D6", "D3(pi/6)", "D4(pi/4)",
                                         "flip", "flip(pi/4)"):  # fmt: skip
            continue
        rep = _rep(group, spec)
        found = decomposition(rep)
        assert found is not None
        assert _has_weights(rep)
        named = {s.name: s for s in found.summands}
        for name, psi in named_irreps(rep.group, 0).items():
            meets = inner_product(psi, rep)
            assert (name in named) == bool(meets)
            if name in named:
                own = named[name]
                assert own.multiplicity * own.type == meets
                assert own.type == inner_product(psi, psi)
                assert own.irrep_size == psi.size
                counted += 1
    assert counted


@pytest.mark.parametrize("group", ["C6", "D6", "D8(pi/8)", "C5", "D5", "SO(2)", "O(2)", "flip", "D2", "C1"])
def test_what_does_not_meet_has_no_elements(group: str) -> None:
    """And what meets has some at one order, up to mirrors."""
    rep = _rep(group, "tensor(sym(2, vector), vector)")
    found = decomposition(rep)
    assert found is not None
    orders = range(9)
    for a in found.summands:
        for b in found.summands:
            known = closed_form(a.irrep, b.irrep, orders)
            assert known is not None
            for n, part in zip(orders, known, strict=True):
                if not a.may_meet(b, [n]):
                    assert not part.size
                elif a.irrep_size == b.irrep_size == 2:
                    assert part.size


def test_formulas_with_signs_of_half_turns() -> None:
    """irrep(0,4) of D8 is no representation of O(2): it is counted by characters, of C8 by its weight."""
    assert not _has_weights(_rep("D8", "tensor(irrep(0,4), vector)"))
    rep = _rep("C8", "tensor(irrep(4), vector)")
    assert _has_weights(rep)
    found = decomposition(rep)
    assert found is not None
    assert [(s.name, s.multiplicity) for s in found.summands] == [("irrep(3)", 1)]


@pytest.mark.parametrize("group", ["C5", "D5", "C8", "D8", "D8(pi/8)", "D12", "C24"])
def test_maps_of_all_rotations(group: str) -> None:
    """Where weights agree for all rotations, the rational system has the maps of the group; where not, fewer."""
    smooth = 0
    for left in ("vector", "sym(2, vector)", "tensor(vector, vector)", "sym(3, vector)"):
        for right in ("vector", "tensor(vector, sym(2, vector))", "det"):
            a, b = _rep(group, left), _rep(group, right)
            pairs = list(zip(rational_images(a), rational_images(b), strict=True))
            number = len(_maps(pairs, a.size * b.size))
            assert (number == inner_product(a, b)) == intertwine_all_rotations(a, b)
            smooth += intertwine_all_rotations(a, b)
    assert smooth
