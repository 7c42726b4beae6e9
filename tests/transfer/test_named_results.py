"""Operators that are in every textbook come out as module elements, over polynomials in the Laplacian."""

from __future__ import annotations

import pytest
import sympy

from pdobasis.answer.solve import solve

d1, d2, d3 = sympy.symbols("d1 d2 d3")


def test_vector_to_vector_on_so2_is_id_r_grad_div_grad_curl() -> None:
    basis = solve("SO(2)", "vector", "vector", order=6)
    names = ["identity", "rotation by π/2", "grad∘div", "grad∘curl"]
    assert basis.angular is not None
    assert [e.name for e in basis.angular] == names
    laplacian = d1**2 + d2**2
    modules = [sympy.eye(2), sympy.Matrix([[0, -1], [1, 0]]), *_grad_of_div_and_curl()]
    for element in basis.elements:
        angular, k = element.angular_order, element.laplacian_power
        candidates = [
            (laplacian**k * m).expand() for m, order in zip(modules, (0, 0, 2, 2), strict=True) if order == angular
        ]
        assert element.matrix.expand() in candidates


def _grad_of_div_and_curl() -> tuple[sympy.Matrix, sympy.Matrix]:
    grad = sympy.Matrix([d1, d2])
    return grad * sympy.Matrix([[d1, d2]]), grad * sympy.Matrix([[-d2, d1]])


def test_curl_and_grad_div_on_so3() -> None:
    basis = solve("SO(3)", "vector", "vector", order=3)
    assert [(e.order, e.name) for e in basis.elements] == [
        (0, "identity"), (1, "curl"), (2, "Laplacian"), (2, "grad∘div"), (3, "Laplacian ∘ curl"),
    ]  # fmt: skip
    assert basis.elements[1].matrix == sympy.Matrix([[0, -d3, d2], [d3, 0, -d1], [-d2, d1, 0]])


def test_divergence_and_curl_on_so2() -> None:
    basis = solve("SO(2)", "vector", "trivial", order=1)
    assert [e.matrix for e in basis.elements] == [sympy.Matrix([[d1, d2]]), sympy.Matrix([[-d2, d1]])]


def test_vector_to_order_two_is_the_symmetrised_traceless_gradient() -> None:
    r"""$v \mapsto Y_2$ of the tensor $\partial_i v_j + \partial_j v_i - \frac23 \delta_{ij}\,\mathrm{div}\,v$, component by component in e3nn's basis."""
    (element,) = solve("O(3)", "1o", "2e", order=1).elements
    v = sympy.symbols("v1:4")
    d = (d1, d2, d3)
    div = sum(a * b for a, b in zip(d, v, strict=True))
    tensor = sympy.Matrix(3, 3, lambda i, j: d[i] * v[j] + d[j] * v[i] - (sympy.Rational(2, 3) * div if i == j else 0))
    assert tensor.trace().expand() == 0
    # Y_2m = x^T A_m x with (x, y, z) = (x3, x1, x2): xy, yz, (2zz - xx - yy)/(2 sqrt 3), xz, (xx - yy)/2
    x, y, z = 2, 0, 1
    root = sympy.sqrt(3)
    expected = sympy.Matrix([
        tensor[x, y], tensor[y, z], (2 * tensor[z, z] - tensor[x, x] - tensor[y, y]) / (2 * root), tensor[x, z],
        (tensor[x, x] - tensor[y, y]) / 2,
    ])  # fmt: skip
    found = element.matrix * sympy.Matrix(v)
    factor = sympy.cancel(found[0] / expected[0])
    assert factor.is_number
    assert (found - factor * expected).applyfunc(sympy.expand) == sympy.zeros(5, 1)


@pytest.mark.parametrize("name", ["SO(4)", "SO(5)", "O(4)"])
def test_vectors_in_higher_dimensions(name: str) -> None:
    """id and grad∘div, over polynomials in the Laplacian; nothing else."""
    basis = solve(name, "vector", "vector", order=3)
    assert basis.angular is not None
    assert [e.name for e in basis.angular] == ["identity", "grad∘div"]
    assert basis.dimensions == {0: 1, 1: 0, 2: 2, 3: 0}


# Of order 2: δd and dδ; SO(4) has the Hodge star of each; on SO(5) the star of d maps two-forms to two-forms.
TWO_FORMS = [("O(4)", [1, 0, 2], [1, 0, 1]), ("SO(4)", [2, 0, 4], [2, 0, 2]), ("SO(5)", [1, 1, 2], [1, 1, 1])]


@pytest.mark.parametrize(("name", "dimensions", "angular"), TWO_FORMS)
def test_two_forms_in_higher_dimensions(name: str, dimensions: list[int], angular: list[int]) -> None:
    basis = solve(name, "alt(2, vector)", "alt(2, vector)", order=2)
    assert list(basis.dimensions.values()) == dimensions
    assert basis.angular is not None
    assert [sum(e.order == n for e in basis.angular) for n in range(3)] == angular


def test_the_hodge_star_is_of_order_zero_on_so4() -> None:
    zeroth = [e.matrix for e in solve("SO(4)", "alt(2, vector)", "alt(2, vector)", order=0).elements]
    # 12 13 14 23 24 34: *(e1e2) = e3e4, *(e1e3) = -e2e4, *(e1e4) = e2e3
    star = sympy.zeros(6, 6)
    for i, j, sign in ((0, 5, 1), (1, 4, -1), (2, 3, 1)):
        star[i, j] = star[j, i] = sign
    assert len(zeroth) == 2
    assert sympy.eye(6) in zeroth
    assert any(m in (star, -star) for m in zeroth)
    assert len(solve("O(4)", "alt(2, vector)", "alt(2, vector)", order=0).elements) == 1


def test_hessian_takes_the_place_of_its_traceless_part() -> None:
    basis = solve("O(3)", "trivial", "sym(2, vector)", order=2)
    assert [(e.name, e.angular_order, e.laplacian_power) for e in basis.elements] == [
        (None, 0, 0), (None, 0, 1), ("Hessian", 2, 0),
    ]  # fmt: skip
