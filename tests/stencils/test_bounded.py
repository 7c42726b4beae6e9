"""Staggered grids between walls, stated accuracies, and operators without matrices."""

from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np
import pytest
from scipy.sparse.linalg import cg, spsolve

import pdobasis

FACES = [("1/2", 0), (0, "1/2")]
H = 0.25


def places(cells: int, half: bool, walls: bool) -> np.ndarray:
    if not half:
        return H * np.arange(cells)
    inside = H * (np.arange(cells - 1) + 0.5)
    if walls:
        return inside
    return np.concatenate([[-H / 2], inside, [inside[-1] + H]])


@pytest.mark.parametrize("boundary", ["dirichlet", "one-sided"])
def test_polynomials_on_a_c_grid_between_walls(boundary: str) -> None:
    """Gradient and divergence are exact where windows of three nodes are, up to the corners."""
    walls = boundary == "dirichlet"
    n1, n2 = 7, 6
    lines = {s: (places(n1, bool(s[0]), walls), places(n2, bool(s[1]), walls)) for s in ((0, 0), (1, 0), (0, 1))}
    points = {s: np.meshgrid(*lines[s]) for s in lines}

    def p(x: Any, y: Any) -> Any:
        return x**2 - 3 * x * y + y

    gradient = pdobasis.solve("D4", "trivial", "vector", 1).matrix(
        (n2, n1), boundary=boundary, out_offsets=FACES, spacing="1/4"
    )[0]
    found = gradient(p(*points[0, 0])[None])
    faces = ("x1-", "x1+", "x2-", "x2+")
    given = np.zeros(gradient.matrix.shape[0])
    if walls:
        given = gradient.right_hand_side(dict.fromkeys(faces, p))
    (x, y), (z, w) = points[1, 0], points[0, 1]
    parts = np.split(given, [x.size])
    assert found[0].shape == x.shape
    assert np.abs(found[0] + parts[0].reshape(x.shape) - (2 * x - 3 * y)).max() < 1e-12
    assert np.abs(found[1] + parts[1].reshape(z.shape) - (1 - 3 * z)).max() < 1e-12
    u = (lambda x, y: x**2 + x * y, lambda x, y: x * y - y**2)
    divergence = pdobasis.solve("D4", "vector", "trivial", 1).matrix(
        (n2, n1), boundary=boundary, in_offsets=FACES, spacing="1/4"
    )[0]
    field = [u[0](x, y), u[1](z, w)]
    x0, y0 = points[0, 0]
    known = np.zeros(x0.size)
    if walls:
        known = divergence.right_hand_side({face: list(u) for face in faces})
    assert np.abs(divergence(field)[0] + known.reshape(x0.shape) - (3 * x0 - y0)).max() < 1e-12


def test_the_c_grid_laplacian_is_exact_on_cubics_between_walls() -> None:
    """Half a cell from the wall the window has a node more, so that the order of accuracy stays."""
    op = pdobasis.operator([["d1^2 + d2^2", "0"], ["0", "d1^2 + d2^2"]])
    found = op.on_grid((8, 9), boundary="dirichlet", in_offsets=FACES, out_offsets=FACES, spacing="1/4")
    f = (lambda x, y: x**3 + y**2 * x, lambda x, y: y**3 - x**2)
    (x, y), (z, w) = (np.meshgrid(places(9, s == 0, True), places(8, s == 1, True)) for s in (0, 1))
    values = {face: list(f) for face in ("x1-", "x1+", "x2-", "x2+")}
    image = found.matrix @ np.concatenate([f[0](x, y).ravel(), f[1](z, w).ravel()]) + found.right_hand_side(values)
    expected = np.concatenate([(8 * x).ravel(), (6 * w - 2).ravel()])
    assert np.abs(image - expected).max() < 1e-11


def test_divergence_and_gradient_are_adjoint_between_walls() -> None:
    """With no flow through the walls: D = -G^T bit by bit, in the discretization of Harlow and Welch."""
    d = pdobasis.operator("d1, d2").on_grid((5, 6), boundary="dirichlet", in_offsets=FACES)
    g = pdobasis.operator("d1; d2").on_grid((5, 6), boundary="one-sided", out_offsets=FACES)
    inside = np.concatenate(
        [np.pad(np.ones((5, 5)), ((0, 0), (1, 1))).ravel(), np.pad(np.ones((4, 6)), ((1, 1), (0, 0))).ravel()]
    )
    assert (d.matrix != -(g.matrix[inside > 0]).T).nnz == 0
    poisson = d.matrix @ g.matrix[inside > 0]
    assert (poisson != poisson.T).nnz == 0


@pytest.mark.parametrize("size", [3, 5])
def test_channel_flow_mixes_periodic_axes_and_walls(size: int) -> None:
    """Poiseuille: u'' = -2 between walls at -h/2 and 1 - h/2 is x(1 - x) from the wall, exactly."""
    n = 8
    boundary = {"x1-": "periodic", "x1+": "periodic", "x2-": "dirichlet", "x2+": "dirichlet"}
    op = pdobasis.operator("d1^2 + d2^2")
    grid = op.on_grid(
        (n, 7), size, boundary=boundary, spacing=Fraction(1, n), in_offsets=[("1/2", 0)], out_offsets=[("1/2", 0)]
    )
    y = (np.arange(n) + 0.5) / n
    u = spsolve(grid.matrix.tocsc(), -2 * np.ones(7 * n)).reshape(n, 7)
    assert np.abs(u - (y * (1 - y))[:, None]).max() < 1e-12


@pytest.mark.parametrize("accuracy", [1, 2, 3, 5])
@pytest.mark.parametrize("order", [1, 2])
def test_a_stated_accuracy_holds_near_its_face_only(accuracy: int, order: int) -> None:
    n = 14
    op = pdobasis.operator(f"d1^{order}")
    grid = op.on_grid((n,), size=5, boundary={"x1-": f"one-sided {accuracy}", "x1+": "one-sided"})
    rows = grid.matrix.toarray()
    for row, at in [(0, accuracy), (n - 1, 4)]:
        for degree in range(order + at + 1):
            moment = rows[row] @ (np.arange(n) - float(row)) ** degree
            expected = {1: 1.0, 2: 2.0}[order] * (degree == order)
            assert (abs(moment - expected) < 1e-9) == (degree < order + at)


@pytest.mark.parametrize(
    ("question", "shape", "options"),
    [
        (("D4", "vector", "vector", 2), (7, 6), {"size": 5}),
        (("D4", "trivial", "vector", 1), (5, 6), {"out_offsets": FACES}),
        (("O(2)", "trivial", "vector", 1), (7, 9), {"method": "gauss", "dilation": (2, 1), "layout": "image"}),
        (("O(3)", "vector", "trivial", 1), (7, 5, 6), {"boundary": "neumann", "spacing": "1/2"}),
        (("D4", "vector", "vector", 2), (7, 8), {"boundary": "dirichlet", "in_offsets": FACES, "out_offsets": FACES}),
        (("O(2)", "vector", "vector", 2), (12, 13), {"boundary": "sbp", "size": 5}),
    ],
)
def test_operators_without_matrices_are_their_matrices(
    question: tuple[Any, ...], shape: tuple[int, ...], options: dict[str, Any]
) -> None:
    basis = pdobasis.solve(*question)
    rng = np.random.default_rng(0)
    for own, free in zip(basis.matrix(shape, **options), basis.linear_operators(shape, **options), strict=True):
        assert free.shape == own.matrix.shape
        u, v = (rng.normal(size=n) for n in own.matrix.shape[::-1])
        scale = abs(own.matrix).sum(axis=1).max()
        assert np.abs(free @ u - own.matrix @ u).max() < 1e-13 * scale * 4
        assert np.abs(free.T @ v - own.matrix.T @ v).max() < 1e-13 * scale * 4


def test_conjugate_gradients_need_no_matrix() -> None:
    identity, laplacian = pdobasis.solve("O(2)", "trivial", "trivial", 2).linear_operators((16, 16))
    rng = np.random.default_rng(1)
    u = rng.normal(size=256)
    # the name that SciPy has given it since 1.12, and the one before
    name = "rtol" if "rtol" in signature(cg).parameters else "tol"
    found, failed = cg(identity - laplacian, (identity - laplacian) @ u, **{name: 1e-10})
    assert not failed
    assert np.abs(found - u).max() < 1e-7


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda o: o.on_grid((8, 8), boundary="one-sided 0"), "stated accuracy"),
        (lambda o: o.on_grid((8, 8), boundary="periodic 2"), "boundary= is"),
        (lambda o: o.on_grid((8, 8), boundary="one-sided 9"), "use more points"),
        (lambda o: o.on_grid((8, 8), in_offsets=[("1/3", 0)]), "0 or 1/2"),
        (lambda o: o.on_grid((8, 8), in_offsets=[(0, 0)] * 2), "each of 1 components"),
        (lambda o: o.on_grid(axes=[range(9)] * 2, boundary="one-sided", in_offsets=[(0, 0)]), "no offsets"),
        (lambda o: o.on_grid((12, 12), boundary="sbp", in_offsets=[(0, 0)]), "without offsets"),
        (lambda o: o.on_grid((8, 8), boundary="dirichlet", in_offsets=[("1/2", 0)]), "--size 5|size=5|5 "),
    ],
)
def test_what_makes_no_sense_is_refused(call: Any, message: str) -> None:
    with pytest.raises(pdobasis.PdoBasisError, match=message):
        call(pdobasis.operator("d1^2 + d2^2"))


def test_components_of_different_shapes_come_as_lists() -> None:
    found = pdobasis.operator("d1, d2").on_grid((5, 6), boundary="dirichlet", in_offsets=FACES)
    assert found.shapes_in == ((5, 5), (4, 6))
    with pytest.raises(pdobasis.PdoBasisError, match=r"shapes \(5, 5\), \(4, 6\), got"):
        found(np.zeros((2, 5, 6)))
    with pytest.raises(pdobasis.PdoBasisError, match="lists of components"):
        _ = found.shape_in


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((6, 7), {"boundary": "dirichlet"}),
        ((6, 7), {"boundary": "neumann", "size": 5}),
        ((7, 8), {"boundary": "dirichlet", "in_offsets": [("1/2", 0), (0, "1/2")], "out_offsets": [(0, 0)] * 2}),
        ((6, 7), {"boundary": {"x1-": "periodic", "x1+": "periodic", "x2-": "neumann", "x2+": "one-sided"}}),
        ((6, 7), {}),
    ],
)
def test_rows_are_written_as_products_say(shape: tuple[int, ...], options: dict[str, Any], monkeypatch: Any) -> None:
    """Runs of equal rows against Kronecker products of SciPy, the naive way."""
    op = pdobasis.operator([["3*d1 - d2", "d1*d2 + 1"], ["d2^2 - 2*d1^2", "d1*d2^2"]])
    if "in_offsets" in options:
        op = pdobasis.operator([["3*d1 - d2", "d2 + 1"], ["d1*d2", "d2 - d1"]])
    options = {"size": 3, **options}
    fast = op.on_grid(shape, **options).matrix
    monkeypatch.setattr("pdobasis.stencils.assemble.MAX_RUNS", -1)
    slow = op.on_grid(shape, **options).matrix
    assert fast.shape == slow.shape
    assert abs(fast - slow).max() < 1e-13
    slow.eliminate_zeros()
    assert fast.nnz <= slow.nnz
    other = fast.copy()
    other.has_sorted_indices = other.has_canonical_format = False
    other.sum_duplicates()
    assert np.array_equal(other.indices, fast.indices)
    assert np.array_equal(other.data, fast.data)


@pytest.mark.parametrize(
    ("size", "boundary", "order"),
    [(3, "neumann", 2), (5, "neumann", 4), (7, "neumann", 6), (5, "neumann 2", 2)],
)
@pytest.mark.parametrize("place", ["0", "1/2"])
def test_rows_next_to_a_neumann_face_have_the_order_of_the_middle_or_the_stated_one(
    size: int, boundary: str, order: int, place: str
) -> None:
    """In the largest norm of the rows themselves, not of solutions only, which have an order more than these."""
    second, errors = pdobasis.operator([["d1^2"]]), []
    for cells in (20, 40):
        h = 1 / cells
        options: dict[str, Any] = {"size": size, "spacing": f"1/{cells}", "boundary": boundary}
        system = second.on_grid((cells,), in_offsets=[(place,)], out_offsets=[(place,)], **options)
        # Walls are half a cell before the first middle, and behind the last.
        x = h * np.arange(cells)
        if place == "1/2":
            x = h * (np.arange(1, cells) - 0.5)
        given = system.right_hand_side({"x1-": lambda x: -2 * np.cos(2 * x), "x1+": lambda x: 2 * np.cos(2 * x)})
        near = np.r_[0:4, len(x) - 4 : len(x)]
        errors.append(np.abs(system.matrix @ np.sin(2 * x) + given + 4 * np.sin(2 * x))[near].max())
    assert order - 0.4 < np.log2(errors[0] / errors[1]) < order + 1.4


def test_a_stated_accuracy_that_an_axis_is_too_short_for_is_refused() -> None:
    with pytest.raises(pdobasis.PdoBasisError, match="too short"):
        pdobasis.operator([["d1"]]).on_grid((5,), size=3, boundary="neumann 9")
