"""Stencils that are best over a range of waves: moments exact, symmetries exact, and no feasible change is better."""

from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.exact.array import integers
from pdobasis.measure import grid_equivariance, off_grid_error
from pdobasis.stencils import Grid
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.isotropic import exact_atoms
from pdobasis.stencils.moment_system import Wish
from pdobasis.stencils.sampled import sample

REACH = 1.5


def misses(stencil: Any, isotropy: bool) -> float:
    """The sum of squares of Ŵ/|k|² + 1 of a plane Laplacian, by angles and radii of its own; less its mean over angles."""
    n = stencil.shape[-1]
    y = np.arange(n) - n // 2
    total = 0.0
    for radius in REACH * np.arange(1, 9) / 8:
        angle = 2 * np.pi * (np.arange(48) + 0.5) / 48
        waves = [np.exp(1j * radius * f(angle)[:, None] * y) for f in (np.sin, np.cos)]
        values = np.einsum("ab,ka,kb->k", stencil, *waves).real / radius**2 + 1
        if isotropy:
            values = values - values.mean()
        total += float((values**2).sum())
    return total


@pytest.mark.parametrize("objective", ["dispersion", "isotropy"])
@pytest.mark.parametrize("options", [{}, {"accuracy": 4}, {"isotropic": 4}])
def test_no_change_that_keeps_the_conditions_is_better(objective: str, options: dict[str, Any]) -> None:
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    best = basis.stencils("fd", size=5, optimize=REACH, objective=objective, **options)[1, 0, 0]
    own = misses(best, objective == "isotropy")
    assert own <= misses(basis.stencils("fd", size=5, **options)[1, 0, 0], objective == "isotropy")
    x, y = np.meshgrid(np.arange(-2, 3), np.arange(-2, 3))
    top = max(options.get("accuracy", 2) + 1, options.get("isotropic", 0))
    moments = np.array([(x**a * y**b).ravel() for a, b in product(range(top + 1), repeat=2) if a + b <= top])
    if "isotropic" in options:
        # Of the moments of degree four only those of other functions than |k|^4 are conditions: x^4 = y^4 = 3 x^2 y^2.
        rows = [(x**a * y**b).ravel() for a, b in product(range(4), repeat=2) if a + b <= 3]
        rows += [(x**3 * y).ravel(), (x * y**3).ravel(), (x**4 - y**4).ravel(), (x**4 - 3 * x**2 * y**2).ravel()]
        moments = np.array(rows)
    free = np.linalg.svd(moments.astype(float))[2][np.linalg.matrix_rank(moments) :]
    assert len(free)
    rng = np.random.default_rng(0)
    for size in (1e-1, 1e-2, 1e-3):
        for _ in range(20):
            change = size * (rng.normal(size=len(free)) @ free).reshape(5, 5)
            assert misses(best + change, objective == "isotropy") > own - 1e-9


@pytest.mark.parametrize(
    ("question", "size", "spacing", "wish"),
    [
        (("O(2)", "vector", "vector", 2), 5, 1, Wish(0, 4, None, 2.0)),
        (("D4", "trivial", "regular", 2), 5, (1, "1/2"), Wish(0, 2, None, 1.0)),
        (("O(3)", "vector", "trivial", 1), 3, 1, Wish(0, 2, None, 1.5, "isotropy")),
        (("C4", "trivial", "vector", 1), 5, 1, Wish(0, 3, None, 1.2, "isotropy")),
    ],
)
def test_moments_hold_in_fractions(question: tuple[Any, ...], size: int, spacing: Any, wish: Wish) -> None:
    basis = pdobasis.solve(*question)
    grid = Grid.regular(basis.problem.group.dim, size, spacing=spacing)
    atoms, alphas = exact_atoms(basis, grid, wish), basis.monomials()
    nodes = grid.nodes()
    for element in basis.coefficients():
        for row in element.reshape(-1, len(alphas)):
            if not row.any():
                continue
            weights = [
                sum((Fraction(c) * atoms[k][n] for k, c in enumerate(row) if c), Fraction(0)) for n in range(len(nodes))
            ]
            order = max(sum(alphas[k]) for k in np.flatnonzero(row))
            for beta in product(range(order + wish.accuracy), repeat=grid.dim):
                if sum(beta) < order + wish.accuracy:
                    found = sum(
                        (
                            w * prod(x**b for x, b in zip(y, beta, strict=True))
                            for w, y in zip(weights, nodes, strict=True)
                        ),
                        Fraction(0),
                    )
                    expected = Fraction(0)
                    if beta in alphas:
                        expected = Fraction(row[alphas.index(beta)]) * prod(map(factorial, beta))
                    assert found == expected


@pytest.mark.parametrize(
    "question", [("O(2)", "vector", "vector", 2), ("O(3)", "trivial", "vector", 1), ("C16", "trivial", "regular", 2)]
)
def test_they_are_symmetric_and_nearer_to_all_rotations(question: tuple[Any, ...]) -> None:
    basis = pdobasis.solve(*question)
    size = 3 if question[0] == "O(3)" else 5
    plain = sample(basis, "fd", size)
    best = sample(basis, "fd", size, optimize=REACH, objective="isotropy")
    assert max(s.defect for s in grid_equivariance(best)) <= 1e-14
    assert off_grid_error(best, width=1.5) < off_grid_error(plain, width=1.5) / 3


def test_hexagonal_windows_are_optimised_too() -> None:
    hexagonal = pdobasis.Group("hexagonal", 2, (integers([[1, -1], [1, 0]]), integers([[1, -1], [0, -1]])), ("r", "f"))
    found = sample(pdobasis.solve(hexagonal, "trivial", "trivial", 2), "fd", 5, window="closed", optimize=1.0)
    symmetries = grid_equivariance(found)
    assert len(symmetries) == 11
    assert max(s.defect for s in symmetries) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"optimize": 4.0}, "at most pi"),
        ({"optimize": -1.0}, "above 0"),
        ({"optimize": 1.0, "objective": "roundness"}, "dispersion or isotropy"),
        ({"objective": "isotropy"}, "give both"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(StencilError, match=message):
        pdobasis.solve("O(2)", "trivial", "trivial", 2).stencils("fd", size=5, **options)
