"""Lattices of any basis: symmetries counted, windows closed, moments in fractions, equivariance in the number field."""

import re
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis import Lattice
from pdobasis.stencils.errors import StencilError

HEXAGONAL = Lattice.named("hexagonal")
SHEARED = Lattice([[1, 0], ["1/3", 1]], "sheared")
RHOMBIC = Lattice([[2, 1], [2, -1]])
TETRAGONAL = Lattice.rectangular(1, 1, "3/2")


@pytest.mark.parametrize(
    ("lattice", "group", "order"),
    [
        (Lattice.named("square"), "O(2)", 8),
        (Lattice.rectangular(1, "1/2"), "O(2)", 4),
        (Lattice([[1, 0], [3, 1]]), "O(2)", 8),  # the square lattice in a long basis
        (HEXAGONAL, "O(2)", 12),
        (HEXAGONAL, "SO(2)", 6),
        (HEXAGONAL, "D12", 12),
        (HEXAGONAL, "D4", 4),
        (HEXAGONAL, "C9", 3),
        (SHEARED, "O(2)", 2),
        (RHOMBIC, "D4", 4),
        (TETRAGONAL, "O(3)", 16),
        (Lattice.named("bcc"), "SO(3)", 24),
        (Lattice.named("fcc"), "Oh", 48),
        (Lattice.named("cubic"), "Ih", 24),  # what the icosahedron and the cube share: Th
    ],
)
def test_shared_symmetries_are_as_many_as_crystallography_says(lattice: Lattice, group: str, order: int) -> None:
    found = lattice.symmetries(pdobasis.group(group))
    assert len(found) == order
    matrices = {tuple(map(tuple, m.tolist())) for _, m in found}
    assert len(matrices) == order
    for a, b in product(matrices, repeat=2):
        assert tuple(map(tuple, (np.array(a) @ b).tolist())) in matrices


def test_windows_are_closed() -> None:
    group = pdobasis.group("D6")
    assert len(HEXAGONAL.ball(1)) == 7
    assert len(HEXAGONAL.ball("sqrt(3)")) == 13
    assert len(HEXAGONAL.ball(1.7)) == 7
    assert len(HEXAGONAL.kept(HEXAGONAL.box(3), group)) == 7
    assert len(HEXAGONAL.kept(HEXAGONAL.box(5), group)) == 19
    assert len(HEXAGONAL.closed([(0, 0), (2, 1)], group)) == 13
    assert len(Lattice.named("bcc").ball("sqrt(3)")) == 9
    assert len(Lattice.named("fcc").ball("sqrt(2)")) == 13


def moment(weights: Any, nodes: Any, vectors: list[list[Fraction]], beta: tuple[int, ...]) -> Fraction:
    """Σ w(n) (A n)^β in fractions."""
    total = Fraction(0)
    for w, n in zip(weights, nodes, strict=True):
        x = [sum((Fraction(int(n[j])) * vectors[j][i] for j in range(len(n))), Fraction(0)) for i in range(len(n))]
        total += w * prod((v**b for v, b in zip(x, beta, strict=True)), start=Fraction(1))
    return total


@pytest.mark.parametrize(
    ("vectors", "question", "window", "options"),
    [
        ([[1, 0], ["1/3", 1]], ("O(2)", "trivial", "vector", 1), 3, {}),
        ([[1, 0], ["1/3", 1]], ("D4", "vector", "vector", 2), 5, {"accuracy": 3}),
        ([[2, 1], [2, -1]], ("O(2)", "vector", "trivial", 1), "ball 5", {"accuracy": 4, "decay": "1/2"}),
        ([[-1, 1, 1], [1, -1, 1], [1, 1, -1]], ("Oh", "trivial", "trivial", 2), "ball 2", {}),
        ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], ("O(3)", "vector", "vector", 2), "ball 2", {}),
        ([[1, 0], [0, "1/2"]], ("D2", "regular", "trivial", 2), 3, {"decay": "1/3"}),
    ],
)
def test_moments_are_those_of_the_operators_in_fractions(
    vectors: Any, question: tuple[Any, ...], window: Any, options: dict[str, Any]
) -> None:
    basis = pdobasis.solve(*question)
    lattice = Lattice(vectors)
    found = basis.on_lattice(lattice, window, **options)
    assert found.exact is not None
    assert found.prove()
    rows = [[Fraction(v) for v in row] for row in vectors]
    coefficients, alphas = basis.coefficients(), basis.monomials()
    numbers = found.exact.numerators
    assert not numbers[..., 1:].any()
    for e, o, i in np.ndindex(*coefficients.shape[:3]):
        weights = [Fraction(int(v), found.exact.denominator) for v in numbers[e, o, i, :, 0]]
        assert [float(w) for w in weights] == found.weights[e, o, i].tolist()
        order = next(sum(a) for k, a in enumerate(alphas) if coefficients[e, :, :, k].any())
        top = order + options.get("accuracy", 2) - 1
        for beta in product(range(top + 1), repeat=lattice.dim):
            if sum(beta) > top:
                continue
            expected = Fraction(0)
            if beta in alphas:
                expected = Fraction(coefficients[e, o, i, alphas.index(beta)]) * prod(map(factorial, beta))
            assert moment(weights, found.nodes, rows, beta) == expected


@pytest.mark.parametrize(
    "question",
    [
        ("D6", "vector", "vector", 2),
        ("D6", "regular", "trivial", 1),
        ("C3", "trivial", "vector", 2),
        ("O(2)", "irrep(1,2)", "vector", 3),
    ],
)
def test_stencils_on_the_hexagonal_lattice_are_equivariant_in_the_number_field(question: tuple[Any, ...]) -> None:
    basis = pdobasis.solve(*question)
    found = basis.on_lattice("hexagonal", 5)
    assert found.prove()
    assert len(found.symmetries) == {"D6": 12, "C3": 3, "O(2)": 12}[question[0]]
    assert max(defect for _, defect in found.defects()) < 1e-15
    # A stencil that was turned in its fibre, or moved, is refused.
    wrong = found.exact
    assert wrong is not None
    changed = wrong.numerators.copy()
    changed[-1, 0, 0, 1, 0] += 1
    broken = type(found)(
        basis,
        found.lattice,
        found.nodes,
        found.weights,
        found.symmetries,
        type(wrong)(changed, wrong.denominator, wrong.field),
    )
    assert not broken.prove()


def test_the_laplacians_of_crystallography() -> None:
    """2/3 of the sum over six neighbours less six times the middle; 1/4 over eight of bcc, 1/4 over twelve of fcc."""
    for name, radius, weight, neighbours in [
        ("hexagonal", "1", Fraction(2, 3), 6),
        ("bcc", "sqrt(3)", Fraction(1, 4), 8),
        ("fcc", "sqrt(2)", Fraction(1, 4), 12),
    ]:
        dim = 2 if name == "hexagonal" else 3
        found = pdobasis.solve(f"O({dim})", "trivial", "trivial", 2).on_lattice(name, f"ball {radius}")
        weights = dict(zip(found.nodes, found.weights[1, 0, 0], strict=True))
        middle = weights.pop((0,) * dim)
        assert middle == -neighbours * float(weight)
        assert set(weights.values()) == {float(weight)}
        assert len(weights) == neighbours


@pytest.mark.parametrize(("method", "options"), [("gauss", {"sigma": 0.8, "normalize": "moments"}), ("rbffd", {})])
def test_other_methods_take_windows_too(method: str, options: dict[str, Any]) -> None:
    basis = pdobasis.solve("D6", "vector", "vector", 2)
    found = basis.on_lattice("hexagonal", "ball 2", method, **options)
    assert len(found.nodes) == 19
    assert max(defect for _, defect in found.defects()) < 1e-12
    assert len(found.defects()) == 12
    x = found.lattice.coordinates(found.nodes)
    values = np.einsum("eoin,n->eoi", found.weights, x[:, 0] * x[:, 1])
    # ∂1∂2 of x y is 1: the moments of degree two are the operators'.
    at = basis.monomials().index((1, 1))
    assert np.abs(values - basis.coefficients()[..., at]).max() < 1e-10


def test_isotropic_errors_on_a_hexagonal_lattice_have_order_four() -> None:
    """The seven points have an isotropic error of degree four by symmetry; thirteen make it vanish, at degree six not."""
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    seven = basis.on_lattice("hexagonal", "ball 1", isotropic=5)
    assert len(seven.nodes) == 7
    thirteen = basis.on_lattice("hexagonal", "ball sqrt(3)", accuracy=4)
    errors = []
    for k in (0.5, 0.25):
        angles = np.linspace(0, np.pi, 7)
        x = thirteen.lattice.coordinates(thirteen.nodes)
        waves = np.cos(k * (x[:, :1] * np.cos(angles) + x[:, 1:] * np.sin(angles)))
        errors.append(np.abs(thirteen.weights[1, 0, 0] @ waves + k**2).max() / k**2)
    assert np.log2(errors[0] / errors[1]) > 3.8
    with pytest.raises(StencilError, match="larger window"):
        basis.on_lattice("hexagonal", "ball 1", isotropic=6)


def test_matrices_on_skew_arrays_are_sums_over_neighbours() -> None:
    found = pdobasis.solve("D6", "trivial", "vector", 1).on_lattice("hexagonal", 3)
    (matrix,) = found.matrix((5, 6))
    field = np.random.default_rng(0).normal(size=(1, 5, 6))
    expected = np.zeros((2, 5, 6))
    for (n1, n2), w in zip(found.nodes, np.moveaxis(found.weights[0, :, 0], -1, 0), strict=True):
        # n1 along the last axis.
        expected += w[:, None, None] * np.roll(field, (-n2, -n1), axis=(1, 2))
    assert np.abs(matrix(field) - expected).max() < 1e-14


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: b.on_lattice("hexagnal"), "hexagonal"),
        (lambda b: b.on_lattice("cubic"), "dimension 2"),
        (lambda b: b.on_lattice("square", "disc 2"), "ball r"),
        (lambda b: b.on_lattice("square", [(1, 0)]), "needs the origin"),
        (lambda b: b.on_lattice("square", [(0, 0)]), "larger window"),
        (lambda b: b.on_lattice("square", 3, decay=0), "above 0"),
        (lambda b: b.on_lattice("square", 3, sigma=2), "it has accuracy, isotropic, isotropic_group, decay"),
        (lambda b: b.on_lattice("square", 3, "kernel", sigma=2), "no option 'sigma'"),
        (lambda b: b.on_lattice("square", 4), "odd sizes"),
        (lambda b: b.on_lattice(Lattice([[1, 0], [2, 0]])), "independent"),
        (lambda b: b.on_lattice(Lattice([[1, 0, 0], [2, 0, 1]])), "d vectors|square|rows"),
        (lambda b: b.on_lattice("square", "ball 1000"), "too many"),
        (lambda b: b.on_lattice("square", 3).matrix((2, 9)), "does not fit"),
    ],
)
def test_what_makes_no_sense_is_refused(call: Any, message: str) -> None:
    with pytest.raises(pdobasis.PdoBasisError, match=message):
        call(pdobasis.solve("O(2)", "trivial", "trivial", 2))


@pytest.mark.parametrize(
    ("lattice", "question", "window", "options", "ball"),
    [
        # The shortest vectors of this rhombohedral lattice lie in a plane.
        ("2,1,1; 1,2,1; 1,1,2", ("O(3)", "trivial", "trivial", 2), "ball 2", {}, "ball sqrt(6)"),
        ("hexagonal", ("O(2)", "trivial", "trivial", 2), "ball 1", {"isotropic": 6}, "ball sqrt(3)"),
        ("1,0; 0,20", ("O(2)", "trivial", "vector", 1), "ball 2", {}, "ball 20"),
        # All nodes of the box but the origin leave it under some element.
        ("1,0; 3/2,sqrt(3)/2", ("D6", "trivial", "vector", 1), 3, {}, "ball 1"),
    ],
)
def test_a_window_that_is_too_small_is_refused_with_the_smallest_ball(
    lattice: str, question: tuple[Any, ...], window: Any, options: dict[str, Any], ball: str
) -> None:
    basis, own = pdobasis.solve(*question), Lattice.read(lattice)
    with pytest.raises(StencilError, match=re.escape(f'"{ball}" is the smallest ball that has')):
        basis.on_lattice(own, window, **options)
    assert basis.on_lattice(own, ball, **options).prove()
    within = own.ball(ball.removeprefix("ball "))
    largest = max(own.distances(within))
    nearer = [n for n, far in zip(within, own.distances(within), strict=True) if far < largest - 1e-9]
    with pytest.raises(StencilError, match="larger window"):
        basis.on_lattice(own, nearer, **options)
