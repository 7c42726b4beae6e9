"""Maps between small representations, in Python's integers: those of the sparse systems, number by number."""

from __future__ import annotations

import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.polynomials import derivation, substitution
from pdobasis.groups.catalogue import parse_group
from pdobasis.representations import intertwiners
from pdobasis.representations import weights as weights_module
from pdobasis.representations.harmonics import CONVENTIONS, Spherical
from pdobasis.representations.named import named_irreps
from pdobasis.representations.terms import compound
from pdobasis.representations.weights import WHOLE, weights

GROUPS = ("C4v", "D2d", "S4", "Td", "Oh", "D4", "C4", "flip", "inversion(3)", "trivial(2)", "SO(2)", "O(2)", "SO(3)",
          "O(3)", "C3", "C5", "D8", "D16", "3m", "622", "T", "I", "C24", "D12", "D8(pi/8)", "D5")  # fmt: skip
SPECS = ("vector", "tensor(vector, vector)", "sym(2, vector)", "dual(vector)")


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("spec", SPECS)
def test_both_roads(group: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (rep,) = ask(group, spec, "trivial", 0).in_type.distinct
    irreps = tuple(named_irreps(rep.group, 1).values())
    sources = [(psi,) for psi in irreps] + intertwiners._together(rep, list(irreps))
    small = [own for own in sources if intertwiners.are_small(own, rep)]
    assert small
    find = intertwiners._from_many.__wrapped__
    few = [find(own, rep) for own in small]
    monkeypatch.setattr(intertwiners, "are_small", lambda own, b: False)
    for found, own in zip(few, small, strict=True):
        for a, b in zip(found, find(own, rep), strict=True):
            assert a.equals(b)
            assert (a.shape, a.field) == (b.shape, b.field)
            assert a.numerators.dtype == b.numerators.dtype


@pytest.mark.parametrize("group", ["SO(2)", "O(2)", "SO(3)", "O(3)"])
@pytest.mark.parametrize("spec", [*SPECS, "trivial", "det"])
def test_weights_without_blocks(group: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (rep,) = ask(group, spec, "trivial", 0).in_type.distinct
    assert rep.size <= WHOLE
    monkeypatch.setattr(weights_module, "_by_formula", lambda rep: None)
    whole = weights.__wrapped__(rep)
    monkeypatch.setattr(weights_module, "WHOLE", 0)
    assert weights.__wrapped__(rep) == whole


@pytest.mark.parametrize("group", ["Oh", "Ih", "D6h", "O(3)"])
@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("degree", [0, 1])
@pytest.mark.parametrize("parity", [0, 1])
def test_harmonics_of_order_0_and_1(group: str, convention: str, degree: int, parity: int) -> None:
    """Y(gx) = D(g) Y(x), as polynomials."""
    term, own = Spherical(degree, parity, convention), parse_group(group)
    for g in own.generators:
        wanted = term._coordinates(substitution(g.reshape(1, 3, 3), degree)[0])
        if (degree + parity) % 2:
            wanted = wanted * compound(g, 3)
        assert term.at(g).equals(wanted)
    for x in own.lie:
        assert term.derivative(x).equals(term._coordinates(derivation(x, degree)))
