"""Isotropic finite differences: exact weights, moments by plain sums, error terms under rotations of infinite order."""

from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.exact.array import integers
from pdobasis.measure import consistency, grid_equivariance
from pdobasis.stencils import Grid, IsotropyError, StencilError
from pdobasis.stencils.isotropic import exact_atoms, isotropic_weights
from pdobasis.stencils.moment_system import Wish
from pdobasis.stencils.sampled import sample

LAPLACIAN: dict[tuple[int, ...], Fraction] = {(2, 0): Fraction(1), (0, 2): Fraction(1)}
Matrix = list[list[Fraction]]
Vector = tuple[Fraction, ...]


def fractions(rows: list[list[int]], over: int) -> list[Fraction]:
    return [Fraction(v, over) for row in rows for v in row]


def test_the_nine_point_laplacian() -> None:
    [weights] = isotropic_weights([LAPLACIAN], 2, Grid.regular(2, 3), Wish(4))
    assert weights == fractions([[1, 4, 1], [4, -20, 4], [1, 4, 1]], 6)


def test_the_isotropic_gradient() -> None:
    [weights] = isotropic_weights([{(1, 0): Fraction(1)}], 1, Grid.regular(2, 3, spacing=2), Wish(3))
    assert weights == fractions([[-1, 0, 1], [-4, 0, 4], [-1, 0, 1]], 24)


def test_the_laplacian_of_space() -> None:
    """The centre, faces, edges and corners: the four conditions leave one freedom, and the norm settles it."""
    cube = {tuple(2 * int(i == j) for i in range(3)): Fraction(1) for j in range(3)}
    [weights] = isotropic_weights([cube], 2, Grid.regular(3, 3), Wish(4))
    nodes = Grid.regular(3, 3).nodes()
    centre, face, edge, corner = (weights[nodes.index(y)] for y in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)))
    assert face + 4 * edge + 4 * corner == 1
    assert 4 * edge + 8 * corner == Fraction(2, 3)
    assert centre == -6 * face - 12 * edge - 8 * corner


def symbol(weights: list[Fraction], grid: Grid, degree: int, k: Vector) -> Fraction:
    """The part of one degree of the sum of w(y) exp(k·y): the sum of w(y) (k·y)^degree / degree!."""
    terms = (
        w * sum(a * b for a, b in zip(k, y, strict=True)) ** degree for w, y in zip(weights, grid.nodes(), strict=True)
    )
    return sum(terms, Fraction(0)) / factorial(degree)


TURN2 = [[Fraction(3, 5), Fraction(-4, 5)], [Fraction(4, 5), Fraction(3, 5)]]
"""Of infinite order: what holds for it holds for all rotations of the plane."""
TURN3 = [[Fraction(v, 3) for v in row] for row in ([1, -2, 2], [2, -1, -2], [2, 2, 1])]


def applied(g: Matrix, k: Vector) -> Vector:
    return tuple(sum((a * b for a, b in zip(row, k, strict=True)), Fraction(0)) for row in g)


def tensor_power(g: Matrix, rank: int) -> Matrix:
    out = [[Fraction(1)]]
    for _ in range(rank):
        out = [[a * b for a in x for b in y] for x in out for y in g]
    return out


RANKS = {"trivial": 0, "vector": 1, "tensor(vector, vector)": 2}
OPERATORS = [
    ("SO(2)", "trivial", "trivial", 2, 3, Wish(4), 1),
    ("SO(2)", "trivial", "vector", 1, 3, Wish(4), 1),  # gradient and rotated gradient
    ("SO(2)", "vector", "trivial", 1, 3, Wish(4), 1),  # divergence and curl
    ("O(2)", "trivial", "tensor(vector, vector)", 2, 5, Wish(4), 1),  # Hessian
    ("O(2)", "vector", "vector", 2, 5, Wish(4), 1),  # Laplacian, gradient of the divergence
    ("O(2)", "vector", "vector", 2, 7, Wish(6, 4), 1),
    ("O(2)", "trivial", "trivial", 4, 5, Wish(6), 1),
    ("O(2)", "trivial", "trivial", 2, (5, 5), Wish(4), (1, "1/2")),
    ("O(2)", "vector", "vector", 2, (7, 7), Wish(4), (1, "3/4")),
    ("O(3)", "trivial", "trivial", 2, 3, Wish(4), 1),
    ("O(3)", "trivial", "vector", 1, 3, Wish(4), 1),
    ("SO(3)", "vector", "vector", 1, 3, Wish(4), 1),  # curl
    ("O(3)", "vector", "vector", 2, 5, Wish(4), 1),
    ("O(3)", "vector", "trivial", 1, (3, 5, 5), Wish(3), (1, 2, "1/3")),
]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order", "size", "wish", "spacing"), OPERATORS)
def test_error_terms_are_equivariant_under_rotations(
    group: str, in_rep: str, out_rep: str, order: int, size: Any, wish: Wish, spacing: Any
) -> None:
    basis = pdobasis.solve(group, in_rep, out_rep, order)
    dim = basis.problem.group.dim
    grid = Grid.regular(dim, size, spacing=spacing)
    atoms = exact_atoms(basis, grid, wish)
    turn = {2: TURN2, 3: TURN3}[dim]
    rho_out, rho_in = (tensor_power(turn, RANKS[rep]) for rep in (out_rep, in_rep))
    points = [tuple(Fraction(v) for v in k) for k in product(range(-1, 3), repeat=dim)][:: 1 + 4 * (dim == 3)]
    coefficients = np.vectorize(lambda v: Fraction(v).limit_denominator(1000))(basis.coefficients())
    for element, n in zip(coefficients, np.repeat(range(order + 1), list(basis.dimensions.values())), strict=True):
        entries = [
            [[sum(p * a[y] for p, a in zip(c, atoms, strict=True)) for y in range(len(atoms[0]))] for c in row]
            for row in element
        ]
        for degree in range(wish.top(int(n)) + 1):
            for k in points:
                at, turned = (
                    np.array([[symbol(w, grid, degree, q) for w in row] for row in entries])
                    for q in (k, applied(turn, k))
                )
                # P(g k) rho_in = rho_out P(k), since g^{-T} = g
                assert (turned @ np.array(rho_in) == np.array(rho_out) @ at).all()
                if degree < n or n < degree < n + wish.accuracy:
                    assert not at.any()
                if degree == n:
                    wanted = [
                        [
                            sum(
                                v * prod(x**b for x, b in zip(k, beta, strict=True))
                                for v, beta in zip(c, basis.monomials(), strict=True)
                            )
                            for c in row
                        ]
                        for row in element
                    ]
                    assert (at == np.array(wanted)).all()


@pytest.mark.parametrize("options", [{"isotropic": 4.5}, {"isotropic": 4, "accuracy": "2"}])
def test_degrees_are_whole_numbers(options: dict[str, Any]) -> None:
    with pytest.raises(pdobasis.PdoBasisError, match="is a whole number"):
        pdobasis.solve("O(2)", "trivial", "trivial", 2).stencils("fd", size=3, **options)


@pytest.mark.parametrize(
    ("question", "size", "options", "smallest"),
    [
        (("O(2)", "trivial", "trivial", 2), 3, {"isotropic": 6}, (5, 5)),
        (("O(2)", "trivial", "irrep(1,2)", 2), 3, {"isotropic": 4}, (5, 5)),  # ∂11 - ∂22 and 2 ∂12 disagree on 3×3
        (("O(2)", "trivial", "trivial", 2), 3, {"isotropic": 4, "spacing": (1, "1/2")}, (3, 5)),
        (("O(2)", "trivial", "trivial", 2), 3, {"isotropic": 4, "accuracy": 4}, (5, 5)),
        (("O(2)", "trivial", "trivial", 4), 3, {"isotropic": 4}, (5, 5)),
    ],
)
def test_what_cannot_be_is_refused_with_the_smallest_window(
    question: tuple[Any, ...], size: int, options: dict[str, Any], smallest: tuple[int, ...]
) -> None:
    basis = pdobasis.solve(*question)
    with pytest.raises(IsotropyError, match=f"size={','.join(map(str, smallest))}") as error:
        basis.stencils("fd", size=size, **options)
    assert error.value.smallest == smallest
    assert np.abs(basis.stencils("fd", size=smallest, **options)).max() > 0


def test_symmetries_of_the_grid_are_kept_and_other_representations_work() -> None:
    for group, in_rep, out_rep in (
        ("D4", "regular", "vector"),
        ("C16", "trivial", "regular"),
        ("Oh", "vector", "vector"),
    ):
        found = grid_equivariance(sample(pdobasis.solve(group, in_rep, out_rep, 2), "fd", 5, isotropic=4))
        assert found
        assert all(s.holds for s in found)


def test_the_identity_stays_the_identity() -> None:
    stencil = pdobasis.solve("O(2)", "trivial", "trivial", 0).stencils("fd", size=5, isotropic=4)[0, 0, 0]
    assert stencil[2, 2] == 1
    assert np.count_nonzero(stencil) == 1


def test_the_laplacian_is_rounder_than_that_of_tensor_products() -> None:
    """The spread over angles at |k| = 1/2: of order k^4 instead of k^2."""
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    angles = np.linspace(0, np.pi / 2, 91)
    y, x = np.mgrid[-1:2, -1:2]
    spreads = []
    for isotropic in (None, 4):
        w = basis.stencils("fd", size=3, isotropic=isotropic)[-1, 0, 0]
        waves = [(w * np.cos(0.5 * (x * np.cos(t) + y * np.sin(t)))).sum() for t in angles]
        spreads.append(np.ptp(waves))
    assert spreads[0] > 100 * spreads[1]


def test_what_has_no_meaning_is_refused() -> None:
    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    with pytest.raises(StencilError, match="one grid"):
        sample(basis, "fd", 3, isotropic=3, out_offsets=[("1/2", 0), (0, "1/2")])
    with pytest.raises(StencilError, match="from 0 to 20"):
        basis.stencils("fd", size=3, isotropic=-1)


def lattice(*generators: list[list[int]]) -> pdobasis.Group:
    matrices = tuple(integers(g) for g in generators)
    return pdobasis.Group("lattice", len(generators[0]), matrices, tuple(f"g{k}" for k in range(len(matrices))))


HEXAGONAL = lattice([[1, -1], [1, 0]], [[1, -1], [0, -1]])
OF_FCC = lattice(
    [[0, 0, 1], [1, 0, 0], [0, 1, 0]], [[-1, 0, 0], [0, -1, 0], [0, 0, -1]], [[0, 1, 0], [1, 0, 0], [-1, -1, -1]]
)
"""Turns and mirrors of a lattice with three equal steps, in its own basis: some are no signed permutations."""


def test_the_seven_point_laplacian_of_the_hexagonal_lattice() -> None:
    basis = pdobasis.solve(HEXAGONAL, "trivial", "trivial", 2)
    grid = Grid.regular(2, 3)
    atoms = exact_atoms(basis, grid, Wish(0, 2, HEXAGONAL))
    coefficients = [Fraction(v).limit_denominator(100) for v in basis.coefficients()[1, 0, 0]]
    weights = [sum(c * a[k] for c, a in zip(coefficients, atoms, strict=True)) for k in range(9)]
    unit = weights[5]
    assert [w / unit for w in weights] == [1, 1, 0, 1, -6, 1, 0, 1, 1]


@pytest.mark.parametrize("group", [HEXAGONAL, OF_FCC, "D4", "Oh"])
@pytest.mark.parametrize(
    ("in_rep", "out_rep"), [("trivial", "trivial"), ("trivial", "vector"), ("vector", "vector"), ("regular", "trivial")]
)
def test_closed_windows_keep_every_symmetry_of_the_lattice(group: Any, in_rep: str, out_rep: str) -> None:
    basis = pdobasis.solve(group, in_rep, out_rep, 2)
    order = basis.problem.group.order
    sampled = sample(basis, "fd", 5, window="closed")
    found = grid_equivariance(sampled)
    assert order is not None
    assert len(found) == order - 1
    assert all(s.holds for s in found)
    moments = consistency(sampled)
    assert moments is not None
    accuracy = [p for p in moments.accuracy if p is not None]
    assert min(accuracy, default=2) >= 2


def test_windows_of_continuous_groups_and_lengths_that_are_not_kept_are_refused() -> None:
    with pytest.raises(StencilError, match="finite group"):
        pdobasis.solve("O(2)", "trivial", "trivial", 2).stencils("fd", size=3, window="closed")
    with pytest.raises(StencilError, match="does not keep the length"):
        pdobasis.solve(HEXAGONAL, "trivial", "trivial", 2).stencils("fd", size=3, isotropic=4)
    with pytest.raises(StencilError, match="window is closed"):
        pdobasis.solve("D4", "trivial", "trivial", 2).stencils("fd", size=3, window="round")


@pytest.mark.parametrize(("radius", "points"), [("1", 5), ("3/2", 9), ("2", 13), ("9/4", 21)])
def test_balls_are_windows_of_continuous_groups_too(radius: str, points: int) -> None:
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    found = sample(basis, "fd", 5, window=f"ball {radius}", accuracy=2)
    assert np.count_nonzero(found.stencils[1, 0, 0]) == points
    assert max(s.defect for s in grid_equivariance(found)) == 0
    x, y = np.meshgrid(np.arange(-2, 3), np.arange(-2, 3))
    moments = {(a, b): (found.stencils[1, 0, 0] * x**a * y**b).sum() for a in range(4) for b in range(4) if a + b < 4}
    assert all(abs(v - 2 * (k in ((2, 0), (0, 2)))) < 1e-14 for k, v in moments.items())


def test_balls_that_make_no_sense_are_refused() -> None:
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    for text in ("ball", "ball x", "ball 0", "disc 2"):
        with pytest.raises(StencilError, match="window is closed, ball r"):
            basis.stencils("fd", size=5, window=text)
    with pytest.raises(StencilError, match="keep the length"):
        pdobasis.solve("SL(2)", "vector", "trivial", 1).stencils("fd", size=5, window="ball 2")
