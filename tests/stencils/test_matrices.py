"""Sparse matrices of operators on grids: against dense sums, polynomials, convergence, and exact symmetry."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

import pdobasis
from pdobasis.algebra.operator import of_element
from pdobasis.stencils.axes import axis_of
from pdobasis.stencils.matrices import GridMatrix


def dense_periodic(stencil: Any, shape: tuple[int, ...]) -> Any:
    """Entry by entry, from the definition."""
    c_out, c_in, *window = stencil.shape
    out = np.zeros((c_out, *shape, c_in, *shape))
    for o, i, *k in np.argwhere(stencil):
        for y in np.ndindex(*shape):
            z = tuple((a + b - n // 2) % m for a, b, n, m in zip(y, k, window, shape, strict=True))
            out[(o, *y, i, *z)] += stencil[(o, i, *k)]
    return out.reshape(c_out * int(np.prod(shape)), -1)


@pytest.mark.parametrize(
    ("question", "shape", "options"),
    [
        (("D4", "vector", "vector", 2), (5, 6), {"size": 3}),
        (("D4", "trivial", "vector", 1), (5, 6), {"size": 3, "out_offsets": [("1/2", 0), (0, "1/2")]}),
        (("O(2)", "trivial", "trivial", 2), (5, 7), {"size": 3, "isotropic": 4, "layout": "image"}),
        (("Oh", "vector", "trivial", 1), (3, 4, 5), {"size": 3, "spacing": "1/2"}),
        (("C4", "trivial", "vector", 2), (5, 6), {"size": 5, "method": "gauss"}),
    ],
)
def test_periodic_matrices_are_those_of_the_definition(
    question: tuple[Any, ...], shape: tuple[int, ...], options: dict[str, Any]
) -> None:
    basis = pdobasis.solve(*question)
    own = dict(options)
    stencils = basis.stencils(own.pop("method", "fd"), **own)
    found = basis.matrix(shape, **options)
    assert len(found) == len(basis)
    for matrix, stencil in zip(found, stencils, strict=True):
        assert (matrix.matrix.toarray() == dense_periodic(stencil, shape)).all()


@pytest.mark.parametrize(
    "options", [{"size": 3}, {"size": 5}, {"size": 5, "isotropic": 4}, {"size": 5, "method": "gauss"}]
)
def test_adjoint_operators_have_transposed_matrices_bit_by_bit(options: dict[str, Any]) -> None:
    gradient, divergence = (
        pdobasis.solve("O(3)", a, b, 1).matrix((6, 5, 7), **options)[0].matrix
        for a, b in (("trivial", "vector"), ("vector", "trivial"))
    )
    assert (gradient != -divergence.T).nnz == 0
    curl = pdobasis.solve("SO(3)", "vector", "vector", 1).matrix((5, 6, 7), **options)[1]
    assert curl.is_symmetric
    assert not curl.is_skew
    for laplacian in pdobasis.solve("O(2)", "vector", "vector", 2).matrix((7, 8), **options):
        assert laplacian.is_symmetric
    assert pdobasis.operator([["d1"]], dim=2).on_grid((6, 6)).is_skew


def test_periodic_products_are_the_stencils_of_tensor_products() -> None:
    basis = pdobasis.solve("D4", "vector", "vector", 2)
    for element, matrix in zip(basis, basis.matrix((7, 6), size=5, spacing="1/2"), strict=True):
        op = of_element(element).on_grid((7, 6), size=5, spacing="1/2")
        assert abs(op.matrix - matrix.matrix).max() < 1e-13


POLYNOMIALS: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (lambda x, y: 1 + 0 * x, lambda x, y: 0 * x),
    (lambda x, y: x**2 - x * y, lambda x, y: 2 + 0 * x),
    (lambda x, y: x**3 + y**3 - 2 * x * y, lambda x, y: 6 * x + 6 * y),
]
MIXED = {"x1-": "dirichlet", "x1+": "neumann", "x2-": "one-sided", "x2+": "dirichlet"}


@pytest.mark.parametrize("boundary", ["one-sided", "dirichlet", MIXED])
@pytest.mark.parametrize("uneven", [False, True])
def test_cubic_polynomials_are_differentiated_exactly_up_to_corners(boundary: Any, uneven: bool) -> None:
    """Windows of five nodes; the derivative at a Neumann end is exact on polynomials of degree five."""
    laplacian = pdobasis.operator([["d1^2 + d2^2"]], dim=2)
    conditions = boundary if isinstance(boundary, dict) else dict.fromkeys(MIXED, boundary)
    lines, inner = [], []
    for k in (1, 2):
        low, high = (int(conditions[f"x{k}{s}"] in ("dirichlet", "neumann")) for s in "-+")
        # Gaps that grow from 1/4 by 1/20 each.
        nodes = [Fraction(j, 4) + uneven * Fraction(j * j, 40) for j in range(-low, 8 + k + high)]
        lines.append(nodes)
        inner.append(np.array([float(x) for x in nodes[low : len(nodes) - high]]))
    if uneven:
        matrix = laplacian.on_grid(size=5, boundary=boundary, axes=lines)
    else:
        matrix = laplacian.on_grid((len(inner[1]), len(inner[0])), size=5, boundary=boundary, spacing="1/4")
    x, y = np.meshgrid(*inner)
    for f, image in POLYNOMIALS:
        faces: dict[str, Any] = {face: f for face, c in conditions.items() if c == "dirichlet"}
        if conditions["x1+"] == "neumann":
            step = 1e-6
            faces["x1+"] = lambda x, y, f=f, step=step: (f(x + step, y) - f(x - step, y)) / (2 * step)
        given = matrix.right_hand_side(faces)
        assert np.abs(matrix(f(x, y)[None]).ravel() + given - image(x, y).ravel()).max() < 1e-6


@pytest.mark.parametrize(("size", "order"), [(3, 2), (5, 4)])
def test_poisson_converges_with_dirichlet_and_neumann_values(size: int, order: int) -> None:
    errors = []
    for n in (19, 39):
        h = Fraction(1, n + 1)
        boundary = {"x1-": "dirichlet", "x1+": "neumann", "x2-": "dirichlet", "x2+": "dirichlet"}
        grid = pdobasis.operator([["d1^2 + d2^2"]], dim=2).on_grid((n, n), size=size, boundary=boundary, spacing=h)
        x, y = np.meshgrid(np.arange(n) * float(h), np.arange(n) * float(h))
        exact = np.sin(2 * x + y)
        values = {face: lambda x, y: np.sin(2 * x + y) for face in ("x1-", "x2-", "x2+")}
        values["x1+"] = lambda x, y: 2 * np.cos(2 * x + y)
        found = spsolve(grid.matrix.tocsc(), -5 * exact.ravel() - grid.right_hand_side(values))
        errors.append(np.abs(found - exact.ravel()).max())
    assert np.log2(errors[0] / errors[1]) > order - 0.3


def test_weights_on_uneven_nodes_are_exact() -> None:
    """Through 0, 1 and 3: f'(1) = -2/3 f(0) + 1/2 f(1) + 1/6 f(3) is 0, 1, 2 on 1, x, x^2, and so is that at 0."""
    rows = axis_of([0, 1, 3, 4, 6], ("one-sided", "one-sided"), 3).derivative(1).toarray()
    assert rows[1].tolist() == [float(Fraction(v)) for v in ("-2/3", "1/2", "1/6", "0", "0")]
    assert rows[0].tolist() == [float(Fraction(v)) for v in ("-4/3", "3/2", "-1/6", "0", "0")]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: b.matrix((2, 9)), "does not fit"),
        (lambda b: b.matrix((9, 9), boundary="dirichet"), "boundary= is"),
        (lambda b: b.matrix((9, 9), boundary={"x1-": "periodic"}), "x1-, x1\\+, x2-, x2\\+"),
        (lambda b: b.matrix((9, 9), "gauss", 5, boundary="dirichlet"), "plain finite differences"),
        (lambda b: b.matrix((9,)), "2 positive whole numbers"),
        (lambda b: b.matrix((3, 9), boundary="dirichlet", size=5)[0], "too short"),
        (lambda b: b.matrix((9, 9))[0].right_hand_side({}), "no faces"),
        (lambda b: b.matrix((9, 9), boundary="dirichlet")[0].right_hand_side({"x1-": 0}), "values are needed"),
        (
            lambda b: b.matrix((7, 9), boundary="dirichlet")[0].right_hand_side(
                {"x1-": 0, "x1+": np.ones(7), "x2-": 0, "x2+": 0}
            ),
            "face x1\\+: .* a number or a function of \\(x1, …, x2\\).*\\(7,\\)",
        ),
        (
            lambda b: b.matrix((7, 9), boundary="dirichlet")[0].right_hand_side(
                {"x1-": 0, "x1+": 0, "x2-": lambda x1, x2: "warm", "x2+": 0}
            ),
            "face x2-: ",
        ),
        (
            lambda b: b.matrix((7, 9), boundary="dirichlet")[0].right_hand_side(
                {"x1-": 0, "x1+": 0, "x2-": 0, "x2+": np.nan}
            ),
            "face x2\\+: .*finite",
        ),
        (lambda b: b.matrix((9, 9), boundary="dirichlet")[0].right_hand_side([1, 2]), "a mapping of faces"),
        (lambda b: b.matrix((9, 9))[0](np.zeros((9, 9))), "takes fields of shape"),
        (lambda b: b.matrix((9, 9), size=4), "odd sizes"),
        (lambda b: b.matrix(axes=[np.arange(9), [*range(8), np.nan]], boundary="one-sided"), "finite"),
        (lambda b: b.matrix(axes=[np.arange(9), [*range(8), 7]], boundary="one-sided"), "grow"),
        (lambda b: b.matrix(axes=[np.arange(9)] * 2), "periodic at both ends"),
        (lambda b: b.matrix(boundary="one-sided"), "give shape="),
    ],
)
def test_what_does_not_fit_is_refused(call: Callable[[Any], GridMatrix], message: str) -> None:
    with pytest.raises(pdobasis.PdoBasisError, match=message):
        call(pdobasis.solve("D4", "trivial", "trivial", 2))
