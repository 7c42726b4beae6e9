"""Errors that commute with a group that is named: moments by plain sums, terms under its elements, refusals, files."""

from fractions import Fraction
from itertools import product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from pdobasis_cli.commands import main

import pdobasis
from pdobasis.question.text import resolve_group
from pdobasis.stencils import Grid, IsotropyError, StencilError
from pdobasis.stencils.commuting import commuting_maps
from pdobasis.stencils.isotropic import exact_atoms
from pdobasis.stencils.moment_system import Wish

Polynomial = dict[tuple[int, ...], Fraction]

AXIAL = """name: around x3
generators:
  f: [[1, 0, 0], [0, -1, 0], [0, 0, 1]]
  s: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]
lie:
  X: [[0, -1, 0], [1, 0, 0], [0, 0, 0]]
"""


@pytest.mark.parametrize(
    ("group", "low", "high"),
    [
        ("O(2)", 2, 4),
        ("SO(2)", 2, 4),
        ("D4", 2, 4),
        ("D8", 0, 8),
        ("C3", 1, 2),
        ("D12", 1, 3),
        ("Oh", 2, 4),
        ("SO(3)", 2, 4),
    ],
)
def test_as_many_maps_as_the_engine_has_operators(group: str, low: int, high: int) -> None:
    found = pdobasis.group(group)
    rep = f"sym({low}, vector)" if low else "trivial"
    assert len(commuting_maps(found, low, high)) == pdobasis.solve(found, rep, "trivial", order=high).dimensions[high]


def part(weights: list[Fraction], grid: Grid, degree: int) -> Polynomial:
    """The terms of one degree of the sum of w(y) exp(k·y), by plain sums."""
    out: Polynomial = {}
    for beta in product(range(degree + 1), repeat=grid.dim):
        if sum(beta) == degree:
            total = Fraction(0)
            for w, y in zip(weights, grid.nodes(), strict=True):
                term = w
                for x, b in zip(y, beta, strict=True):
                    term *= x**b / factorial(b)
                total += term
            out[beta] = total
    return out


def rotated_difference(u: Polynomial, angle: float, points: Any) -> float:
    """The largest |u(gk) - u(k)| in the plane of x1 and x2."""
    turn = np.eye(points.shape[1])
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]

    def value(k: Any) -> Any:
        return sum(float(v) * np.prod(k ** np.array(beta), axis=1) for beta, v in u.items())

    return float(np.abs(value(points @ turn.T) - value(points)).max())


def laplacian_weights(basis: Any, grid: Grid, wish: Wish) -> list[Fraction]:
    """The last element of a basis on scalars, from the weights of its monomials."""
    atoms = exact_atoms(basis, grid, wish)
    coefficients = [Fraction(float(v)).limit_denominator(10**6) for v in basis.coefficients()[-1, 0, 0]]
    return [
        sum((c * row[j] for c, row in zip(coefficients, atoms, strict=True)), Fraction(0))
        for j in range(len(grid.nodes()))
    ]


def test_the_group_of_all_rotations_is_the_default() -> None:
    for question, size in ((("D4", "vector", "vector"), 5), (("C4", "trivial", "vector"), 3)):
        basis = pdobasis.solve(*question, order=2 if size == 5 else 1)
        plain = basis.stencils("fd", size=size, isotropic=4)
        assert np.array_equal(plain, basis.stencils("fd", size=size, isotropic=4, isotropic_group="O(2)"))


def test_terms_under_an_eighth_turn() -> None:
    """Invariants of D8 are those of O(2) below degree 8, where Re z^8 is one more: smaller windows do."""
    basis = pdobasis.solve("D4", "trivial", "trivial", order=2)
    eighth = pdobasis.group("D8")
    grid = Grid.regular(2, 5)
    with pytest.raises(IsotropyError):
        exact_atoms(basis, grid, Wish(8, 4))
    weights = laplacian_weights(basis, grid, Wish(8, 4, larger=eighth))
    points = np.random.default_rng(0).standard_normal((40, 2))
    assert part(weights, grid, 2) == {(2, 0): 1, (1, 1): 0, (0, 2): 1}
    for degree in (4, 6, 8):
        own = part(weights, grid, degree)
        size = max(abs(float(v)) for v in own.values())
        assert rotated_difference(own, np.pi / 4, points) <= 1e-9 * max(size, 1) * np.abs(points).max() ** degree
    assert rotated_difference(part(weights, grid, 8), 0.3, points) > 1e-3


def test_a_group_around_one_axis(tmp_path: Path) -> None:
    """d1² + d2² in space, on a grid with another step along x3: errors turn with all rotations around x3, exactly."""
    (tmp_path / "axial.yaml").write_text(AXIAL)
    axial = resolve_group(str(tmp_path / "axial.yaml"))
    basis = pdobasis.solve(pdobasis.group("D4h"), "trivial", "trivial", order=2)
    grid = Grid.regular(3, 3, spacing=(1, 1, "1/2"))
    atoms = exact_atoms(basis, grid, Wish(4, larger=axial))
    alphas = basis.monomials()
    plane = [a + b for a, b in zip(atoms[alphas.index((2, 0, 0))], atoms[alphas.index((0, 2, 0))], strict=True)]
    own = part(plane, grid, 4)
    # (k1² + k2²)² and (k1² + k2²) k3² and k3⁴ are the invariants of degree 4.
    assert own[4, 0, 0] == own[0, 4, 0] == own[2, 2, 0] / 2
    assert own[2, 0, 2] == own[0, 2, 2]
    assert not any(v for beta, v in own.items() if any(b % 2 for b in beta))
    assert part(plane, grid, 2) == {b: int(b in ((2, 0, 0), (0, 2, 0))) for b in part(plane, grid, 2)}


def test_a_group_of_ones_own_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("axial.yaml").write_text(AXIAL)
    run = CliRunner().invoke
    question = [
        "--group",
        "D4h",
        "--in",
        "trivial",
        "--out",
        "vector",
        "--order",
        "1",
        "--stencil",
        "fd",
        "--size",
        "3",
    ]
    options = ["--isotropic", "3", "--isotropic-group", "axial.yaml"]
    assert run(main, ["export", *question, *options, "-o", "a.npz"]).exit_code == 0
    Path("axial.yaml").unlink()  # what is written stands for itself
    assert run(main, ["verify", "a.npz"]).exit_code == 0
    assert run(main, ["error", "a.npz"]).exit_code == 0
    refused = run(main, ["export", *question, *options, "-o", "b.npz"])
    assert refused.exit_code == 2
    assert not Path("b.npz").exists()


@pytest.mark.parametrize(
    ("named", "said"),
    [("D6", "does not contain D4"), ("C4", "does not contain D4"), ("O(3)", "dimension"), ("zz", "unknown group")],
)
def test_refusals(named: str, said: str) -> None:
    basis = pdobasis.solve("D4", "trivial", "trivial", order=2)
    with pytest.raises(pdobasis.PdoBasisError, match=said):
        basis.stencils("fd", size=3, isotropic=4, isotropic_group=named)


def test_a_group_without_a_degree_is_refused() -> None:
    basis = pdobasis.solve("D4", "trivial", "trivial", order=2)
    with pytest.raises(StencilError, match="give both"):
        basis.stencils("fd", size=3, isotropic_group="D8")


def test_on_a_hexagonal_lattice() -> None:
    """The seven points have an isotropic error of degree 4 by themselves; D12 asks for it up to degree 11."""
    basis = pdobasis.solve("D6", "trivial", "trivial", order=2)
    all_rotations = basis.on_lattice("hexagonal", "ball 2", isotropic=6)
    twelve = basis.on_lattice("hexagonal", "ball 2", isotropic=6, isotropic_group="D12")
    assert twelve.prove()
    assert twelve.exact is not None
    assert all_rotations.exact is not None
    assert twelve.exact.equals(all_rotations.exact)
