"""Weights by formula are those of the matrices."""

from __future__ import annotations

import pytest

from pdobasis.answer.solve import ask
from pdobasis.representations import weights

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


@pytest.mark.parametrize("group", ["SO(3)", "O(3)"])
@pytest.mark.parametrize("spec", SPECS)
def test_weights_by_formula(group: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if group == "O(3)":
        spec = spec.replace("irrep(3)", "irrep(1,3)").replace("irrep(2)", "irrep(1,2)")
    rep = ask(group, spec, "trivial", 0).in_type.distinct[0]
    found = weights.weights.__wrapped__(rep)
    asked: list[object] = []
    monkeypatch.setattr(weights, "formal_weights", asked.append)
    assert found == weights.weights.__wrapped__(rep)
    assert len(asked) == 1
