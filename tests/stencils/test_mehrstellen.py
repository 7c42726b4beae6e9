"""Compact pairs L u = R f: the tables of Collatz and Numerov, moments by SymPy, orders seen by convergence."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.sparse.linalg import spsolve

import pdobasis
from pdobasis import Lattice

PLANE, SPACE = pdobasis.operator("d1^2 + d2^2"), pdobasis.operator("d1^2 + d2^2 + d3^2")


@pytest.mark.parametrize(
    ("operator", "options", "accuracy", "left", "right"),
    [
        (PLANE, {}, 4, {0: "-10/3", 1: "2/3", 2: "1/6"}, {0: "2/3", 1: "1/12"}),
        (PLANE, {"right": 3}, 4, {0: "-10/3", 1: "2/3", 2: "1/6"}, {0: "2/3", 1: "1/12", 2: "0"}),
        (SPACE, {"left": "ball sqrt(2)"}, 4, {0: "-4", 1: "1/3", 2: "1/6"}, {0: "1/2", 1: "1/12"}),
        (SPACE, {}, 4, {0: "-4", 1: "1/3", 2: "1/6", 3: "0"}, {0: "1/2", 1: "1/12"}),
        (pdobasis.operator("d1^2"), {"right": 3}, 4, {0: "-2", 1: "1"}, {0: "5/6", 1: "1/12"}),  # Numerov
    ],
)
def test_pairs_of_the_tables(operator: Any, options: Any, accuracy: int, left: Any, right: Any) -> None:
    """By the square of the distance from the middle."""
    pair = operator.mehrstellen(**options)
    assert pair.accuracy == accuracy
    for found, expected in ((pair.left, left), (pair.right, right)):
        for node, weight in found.items():
            assert weight == Fraction(expected[sum(v * v for v in node)])


@pytest.mark.parametrize(
    ("operator", "symbol", "options"),
    [
        (PLANE, "x**2 + y**2", {}),
        (PLANE, "x**2 + y**2", {"left": 5, "right": 3}),
        (pdobasis.operator("d1^2 + 3*d2^2"), "x**2 + 3*y**2", {}),
        (PLANE, "x**2 + y**2", {"lattice": Lattice.rectangular(1, "1/2"), "right": "ball 1/2"}),
        (PLANE, "x**2 + y**2", {"lattice": "hexagonal", "left": "ball 1"}),
        (pdobasis.operator("(d1^2 + d2^2)**2"), "(x**2 + y**2)**2", {"left": 5, "right": 3}),
    ],
)
def test_symbols_agree_up_to_the_order_and_no_further(operator: Any, symbol: str, options: Any) -> None:
    """L^ - R^ P by SymPy, in coordinates of space: its terms below the degree m + p vanish, and some of it does not."""
    pair = operator.mehrstellen(**options)
    x, y = sympy.symbols("x y")
    lattice = options.get("lattice", "square")
    vectors = {"square": [[1, 0], [0, 1]], "hexagonal": [[1, 0], [sympy.Rational(1, 2), sympy.sqrt(3) / 2]]}.get(
        str(lattice), [[1, 0], [0, sympy.Rational(1, 2)]]
    )
    top = operator.order + pair.accuracy

    def hat(weights: Any, degree: int) -> Any:
        total = 0
        for node, w in weights.items():
            at = [sum(n * v[i] for n, v in zip(node, vectors, strict=True)) for i in (0, 1)]
            total += (
                sympy.Rational(w.numerator, w.denominator) * (at[0] * x + at[1] * y) ** degree / sympy.factorial(degree)
            )
        return total

    p = sympy.sympify(symbol)
    for degree in range(top + 1):
        right = 0
        if degree >= operator.order:
            right = p * hat(pair.right, degree - operator.order)
        assert (sympy.expand(hat(pair.left, degree) - right) == 0) == (degree < top)
    assert sum(pair.right.values()) == 1


@pytest.mark.parametrize(("dim", "sizes"), [(2, (9, 19)), (3, (5, 9))])
def test_poisson_has_the_order_four_with_windows_of_three(dim: int, sizes: tuple[int, int]) -> None:
    """Δu = f on a cube with the values of u at its faces, which f is known up to."""
    operator = {2: PLANE, 3: SPACE}[dim]
    pair = operator.mehrstellen()
    errors = []
    for n in sizes:
        h = 1 / (n + 1)
        lines = np.meshgrid(*[np.arange(n + 2) * h] * dim, indexing="ij")
        u = np.prod([np.exp((k + 1) * x / 2) for k, x in enumerate(lines)], axis=0)
        f = u * sum(((k + 1) / 2) ** 2 for k in range(dim))
        left, right = pair.matrices((n + 2,) * dim, boundary="inside")
        inner = np.zeros(u.shape, dtype=bool)
        inner[(slice(1, -1),) * dim] = True
        known = left[:, ~inner.ravel()] @ u[~inner]
        found = spsolve(left[:, inner.ravel()].tocsc(), h**2 * (right @ f.ravel()) - known)
        errors.append(np.abs(found - u[inner]).max())
    rate = np.log(errors[0] / errors[1]) / np.log((sizes[1] + 1) / (sizes[0] + 1))
    assert rate > 3.8


def test_a_lattice_is_a_text_too() -> None:
    """As everywhere else; the same pair as by its name."""
    named, read = (PLANE.mehrstellen(text, left="ball 1") for text in ("hexagonal", "1,0; 1/2,sqrt(3)/2"))
    assert (named.left, named.right) == (read.left, read.right)
    assert PLANE.mehrstellen("1,0; 0,1/2").accuracy == 4


def test_periodic_matrices_are_circulant() -> None:
    left, right = PLANE.mehrstellen().matrices((5, 6))
    assert (left != left.T).nnz == 0
    assert abs(left.sum()) < 1e-12
    assert right.sum() == pytest.approx(30)
    wave = np.cos(2 * np.pi * np.arange(6) / 6)[None] * np.ones((5, 1))
    images = [m @ wave.ravel() for m in (left, right)]
    for image in images:
        assert np.linalg.matrix_rank(np.stack([image, wave.ravel()]), tol=1e-9) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PLANE.mehrstellen(accuracy=6), "larger windows"),
        (lambda: PLANE.mehrstellen("cubic"), "dimension 2"),
        (lambda: PLANE.mehrstellen(left="cross"), "ball r"),
        (lambda: PLANE.mehrstellen(left=[(0, 0, 1)]), "2 whole coordinates"),
        (lambda: pdobasis.operator("d1; d2").mehrstellen(), "on scalars"),
        (lambda: pdobasis.operator("d1^2 + d2").mehrstellen(), "one order"),
        (lambda: pdobasis.operator("d1*d2").mehrstellen("hexagonal"), "no rational"),
        (lambda: PLANE.mehrstellen().matrices((2, 5)), "does not fit"),
        (lambda: PLANE.mehrstellen().matrices((5, 5), "dirichlet"), '"inside"'),
    ],
)
def test_what_there_is_not_is_refused(call: Any, message: str) -> None:
    with pytest.raises(pdobasis.PdoBasisError, match=message):
        call()


def test_symmetric_windows_have_symmetric_pairs() -> None:
    pair = PLANE.mehrstellen(left=5, right=3)
    for weights in (pair.left, pair.right):
        for node, (a, b) in product(weights, [(-1, 1), (1, -1)]):
            assert weights[node] == weights[a * node[0], b * node[1]] == weights[node[1], node[0]]
