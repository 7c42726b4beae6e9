"""Methods, truncations and the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from pdobasis_cli.commands import main as cli

from pdobasis.answer.check import is_steerable, symbol
from pdobasis.answer.solve import solve
from pdobasis.errors import GroupError, SpecError
from pdobasis.exact.polynomials import monomials
from pdobasis.operators.laplacian import harmonic_projection, is_harmonic
from pdobasis.operators.relations import relations
from pdobasis.operators.symbols import join_symbols
from pdobasis.proof.spans import same_span
from pdobasis.question.text import parse_problem
from pdobasis.solvers.registry import choose


@pytest.mark.parametrize(
    ("group", "method", "expected"),
    [
        ("SO(3)", "auto", "transfer"),
        ("SO(1,3)", "auto", "direct"),
        ("SO(3)", "direct", "direct"),
        ("D8", "both", "both"),
    ],
)
def test_which_method_is_chosen(group: str, method: str, expected: str) -> None:
    assert choose(parse_problem(group, "trivial", "trivial", 2), method).name == expected
    assert solve(group, "trivial", "trivial", 2, method=method).method == expected


def test_transfer_is_refused_without_a_laplacian() -> None:
    for method in ("transfer", "both"):
        with pytest.raises(GroupError, match="not a subgroup of O"):
            solve("SL(2)", "vector", "trivial", 1, method=method)
    with pytest.raises(SpecError, match="unknown method"):
        solve("D4", "trivial", "trivial", 1, method="transfers")


@pytest.mark.parametrize(
    "question", [("D8", "regular", "trivial", 3), ("SO(3)", "vector", "irrep(2)", 4), ("Oh", "vector", "vector", 4)]
)
def test_both_roads_are_certified(question: tuple[str, str, str, int]) -> None:
    basis = solve(*question, method="both")
    assert basis.certificate.spans_equal is True
    assert basis.certificate.to_json()["spans_equal"] is True


def test_spans_that_differ_are_told_apart() -> None:
    div, curl = symbol([["d1", "d2"]], 2), symbol([["-d2", "d1"]], 2)
    twice, mixed = symbol([["2*d1", "2*d2"]], 2), symbol([["d1 - d2", "d1 + d2"]], 2)
    assert same_span(div, twice)
    assert not same_span(div, curl)
    assert same_span(join_symbols([div, curl]), join_symbols([curl, mixed]))
    assert not same_span(join_symbols([div, curl]), join_symbols([div, twice]))
    assert relations(join_symbols([div, curl, mixed])) == 1


@pytest.mark.parametrize(("dim", "order"), [(1, 3), (2, 4), (3, 4), (4, 3), (5, 2)])
def test_harmonic_projection_is_a_projection_onto_harmonics(dim: int, order: int) -> None:
    projection = harmonic_projection(dim, order)
    assert (projection @ projection).equals(projection)
    rank = projection.trace().fraction()
    assert rank == len(monomials(dim, order)) - (len(monomials(dim, order - 2)) if order >= 2 else 0)
    if rank:
        cubic = symbol([[f"d1**{order}"]], dim)
        moved = type(cubic)(
            dim, order, 1, (1, 1), cubic.element, cubic.row, cubic.column, cubic.coefficients @ projection
        )
        assert is_harmonic(moved)
        assert not is_harmonic(cubic)


PARTIAL = [
    ("D4", "trivial", "trivial", 2, [1, 0, 1, 0, 1]),  # 1, Δ, ∂₁²∂₂²
    ("D4", "regular", "regular", 2, [8, 16, 24, 16, 8]),
    ("C4", "trivial", "trivial", 1, [1, 0, 0]),  # ∂₁∂₂ changes sign under a quarter turn
    ("flip", "trivial", "trivial", 1, [1, 1, 0]),
    ("Oh", "vector", "trivial", 1, [0, 1, 0, 0]),
    ("scaling(1,1)", "trivial", "density(-1)", 1, [0, 0, 1]),
]


@pytest.mark.parametrize(("group", "a", "b", "limit", "dimensions"), PARTIAL)
def test_limits_on_the_order_in_each_variable(group: str, a: str, b: str, limit: int, dimensions: list[int]) -> None:
    basis = solve(group, a, b, partial_order=limit)
    assert list(basis.dimensions.values()) == dimensions
    assert basis.certificate.holds
    alphas = basis.monomials()
    for k in range(basis.dimension):
        present = basis.coefficients()[k].any(axis=(0, 1))
        assert all(max(alpha) <= limit for alpha, p in zip(alphas, present, strict=True) if p)


def test_both_limits_together() -> None:
    assert solve("D4", "trivial", "trivial", 2, partial_order=2).dimensions == {0: 1, 1: 0, 2: 1}


@pytest.mark.parametrize(
    ("group", "reason"),
    [("C8", "generator r"), ("D3", "generator r"), ("SO(2)", "Lie generator 1"), ("flip(pi/8)", "generator f")],
)
def test_groups_that_do_not_preserve_the_limit_are_refused(group: str, reason: str) -> None:
    with pytest.raises(GroupError, match=f"{reason} maps .* to a sum with"):
        solve(group, "trivial", "trivial", partial_order=1)


def test_partial_orders_go_with_the_direct_method() -> None:
    for extra in ({"method": "transfer"}, {"method": "both"}, {"kernel": True}):
        with pytest.raises(SpecError, match="partial_order= goes with"):
            solve("D4", "trivial", "trivial", partial_order=1, **extra)


def test_is_steerable_refuses_what_it_cannot_read() -> None:
    with pytest.raises(SpecError, match="homogeneous of one order"):
        is_steerable("SO(2)", "vector", "trivial", [["d1", "d2**2"]])
    with pytest.raises(SpecError, match="one representation on each side"):
        is_steerable("SO(2)", "vector + trivial", "trivial", [["d1", "d2", "0"]])
    assert not is_steerable("SO(2)", "vector", "trivial", [["d1", "d2", "0"]])


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, ["solve", *arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_the_command_says_which_operators_are_angular() -> None:
    output = run("--group", "SO(2)", "--in", "vector", "--out", "trivial", "--order", "3")
    assert "2 angular operators, times powers of Δ" in output
    assert "angular, l = 1" in output
    assert "Δ × l = 1" in output
    assert "both roads meet" in run("--group", "D4", "--in", "vector", "--out", "trivial", "--method", "both")


def test_json_elements_carry_their_structure() -> None:
    data = json.loads(run("--group", "D8", "--in", "regular", "--out", "trivial", "--json"))
    assert data["method"] == "transfer"
    assert data["dimensions"] == {"0": 1, "1": 2, "2": 3}
    assert [(e["order"], e["angular_order"], e["laplacian_power"]) for e in data["elements"]] == [
        (0, 0, 0), (1, 1, 0), (1, 1, 0), (2, 0, 1), (2, 2, 0), (2, 2, 0),
    ]  # fmt: skip
    assert data["elements"][1]["matrix"][0][:2] == ["d1", "sqrt(2)*d1/2 + sqrt(2)*d2/2"]
    spatial = json.loads(run("--group", "O(3)", "--in", "sym(2, vector)", "--out", "trivial", "--json"))
    assert [(e["in_irrep"], e["out_irrep"]) for e in spatial["elements"]] == [("0e", "0e"), ("0e", "0e"), ("2e", "0e")]


@pytest.mark.parametrize(
    "options", [("--kernel", "--order", "3"), ("--partial-order", "2"), ("--method", "both"), ("--method", "direct")]
)
def test_answers_are_saved_and_proved_again(options: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "basis.json"
    run("--group", "D4", "--in", "vector", "--out", "regular", *options, "-o", str(path))
    result = CliRunner().invoke(cli, ["verify", str(path)])
    assert result.exit_code == 0, result.output
    data = json.loads(path.read_text())
    if "--kernel" in options:
        assert data["kernel"] is True
        data["kernel"] = False  # the question without the harmonic condition has more answers
        path.write_text(json.dumps(data))
        assert CliRunner().invoke(cli, ["verify", str(path)]).exit_code == 1


def test_wrong_use_is_refused() -> None:
    run("--group", "SL(2)", "--in", "vector", "--out", "trivial", "--method", "transfer", code=2)
    run("--group", "C8", "--in", "trivial", "--out", "trivial", "--partial-order", "1", code=2)
    run("--group", "D4", "--in", "trivial", "--out", "trivial", "--method", "best", code=2)
