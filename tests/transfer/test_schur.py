"""What is known of maps between irreps needs no linear system: the same symbols and projections, over the same fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import identity
from pdobasis.question.problem import Problem
from pdobasis.representations import decomposition as decompositions
from pdobasis.representations import intertwiners
from pdobasis.representations.decomposition import decomposition
from pdobasis.solvers.reducible import Meeting, meeting
from pdobasis.solvers.transfer import solve_modules


def told(problem: Problem) -> list[Any]:
    """All that is known of the angular elements, to the byte."""
    (module,) = solve_modules([(problem.in_type.distinct[0], problem.out_type.distinct[0])], problem.order)
    out: list[Any] = []
    for own in module.angular:
        part = own.symbols
        values = part.coefficients
        numbers = values.field, values.denominator, values.numerators.tolist()
        out.append((own.irreps, part.size, *(side.tolist() for side in part.index), *numbers))
    return out


@pytest.mark.parametrize(
    ("group", "source", "target"),
    [
        ("D6d", "alt(2, vector)", "dual(vector)"),  # nothing in common
        ("3m", "vector", "tensor(vector, vector)"),
        ("622", "sym(2, vector)", "tensor(vector, vector)"),
        ("D5h", "tensor(vector, vector)", "alt(2, vector)"),
        ("I", "tensor(vector, sym(2, vector))", "tensor(vector, vector)"),
        ("D8", "tensor(vector, vector)", "sym(2, vector)"),
    ],
)
def test_constants_by_schur(group: str, source: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = ask(group, source, target, 0)
    met = meeting(problem.in_type.distinct[0], problem.out_type.distinct[0], range(1))
    assert met is not None
    known = met.by_schur()
    assert known is not None
    found = told(problem)
    monkeypatch.setattr(Meeting, "by_schur", lambda self: None)
    assert found == told(problem)


@pytest.mark.parametrize(("group", "order"), [("C5", 0), ("S8", 0), ("O", 0), ("3m", 1)])
def test_where_schur_does_not_say_all(group: str, order: int) -> None:
    """Irreps of complex type, rational groups, other orders."""
    problem = ask(group, "tensor(vector, vector)", "vector", order)
    met = meeting(problem.in_type.distinct[0], problem.out_type.distinct[0], range(order + 1))
    assert met is not None
    assert met.by_schur() is None


@pytest.mark.parametrize(
    ("group", "spec"),
    [
        ("6mm", "tensor(vector, sym(2, vector))"),
        ("C7", "tensor(sym(3, vector), sym(3, vector))"),
        ("3", "tensor(sym(2, vector), sym(2, vector))"),
    ],
)
def test_projections_from_one_inverse(group: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rep = ask(group, spec, "trivial", 0).in_type.distinct[0]
    found = decomposition(rep)
    assert found is not None
    assert 12 < rep.size <= intertwiners.INVERTED
    irreps = tuple((s.irrep, s.multiplicity) for s in found.summands)
    project = intertwiners.projections.__wrapped__
    whole = project(rep, irreps)
    monkeypatch.setattr(intertwiners, "INVERTED", 0)
    for own, one_by_one in zip(whole, project(rep, irreps), strict=True):
        for a, b in zip(own, one_by_one, strict=True):
            assert a.field == b.field
            assert a.equals(b)


@pytest.mark.parametrize("group", ["-3m", "Ih", "6/mmm", "Oh", "D5d"])
@pytest.mark.parametrize("spec", ["vector", "alt(2, vector)", "tensor(det, sym(2, vector))", "dual(alt(3, vector))"])
def test_parities_by_formula(group: str, spec: str) -> None:
    """The trace of -1, by the formula and by the matrix."""
    rep = ask(group, spec, "trivial", 0).in_type.distinct[0]
    found = decompositions._dimensions(rep, ["g", "u"])
    assert found == decompositions._dimensions(replace(rep, term=None), ["g", "u"])
    minus = -identity(3)
    assert found["g"] - found["u"] == int(rep.at(minus).trace().fraction())
