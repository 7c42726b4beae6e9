"""The algebra of operators: identities that are found from bases alone."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis import Operator, operator
from pdobasis.algebra.linear import coordinates, relations
from pdobasis.algebra.spaces import operators_of
from pdobasis.errors import SpecError

GRAD = operator([["d1"], ["d2"], ["d3"]])
CURL = operator([["0", "-d3", "d2"], ["d3", "0", "-d1"], ["-d2", "d1", "0"]])
DIV = operator("d1, d2, d3")


def test_vector_calculus() -> None:
    assert (CURL @ GRAD).is_zero
    assert (DIV @ CURL).is_zero
    assert GRAD.adjoint() == -DIV
    assert CURL.adjoint() == CURL
    laplacian = DIV @ GRAD
    assert laplacian.name == "Laplacian"
    assert GRAD @ DIV - _diagonal(laplacian) == CURL @ CURL
    assert (laplacian**2).order == 4
    assert GRAD.T == DIV
    assert GRAD * Fraction(3, 2) == (2 * GRAD - GRAD / 2)
    assert hash(GRAD + GRAD) == hash(2 * GRAD)


def _diagonal(scalar: Operator) -> Operator:
    ((text,),) = scalar.strings()
    return operator([[text if i == j else "0" for j in range(3)] for i in range(3)], 3)


@pytest.mark.parametrize("group", ["D5", "SO(2)", "C8"])
def test_the_algebra_is_one(group: str) -> None:
    every = operators_of(pdobasis.solve(group, "vector", "vector", 3))
    a, b, c = every[0], every[-1], every[len(every) // 2]
    assert (a @ b) @ c == a @ (b @ c)
    assert a @ (b + c) == a @ b + a @ c
    assert (a @ b).adjoint() == b.adjoint() @ a.adjoint()
    assert a.adjoint().adjoint() == a
    assert operator(a.strings(), a.dim) == a


def test_coordinates() -> None:
    basis = pdobasis.solve("O(3)", "vector", "vector", 2)
    double = CURL @ CURL
    assert double in basis
    assert CURL not in basis
    own = basis.coordinates(double)
    again = sum((e.operator * str(c) for c, e in zip(own, basis.elements, strict=True)), double - double)
    assert again == double
    with pytest.raises(SpecError, match="not equivariant"):
        basis.coordinates(CURL)
    roots = pdobasis.solve("C8", "regular", "trivial", 1)
    mixed = roots.elements[1].operator * "sqrt(2)" - roots.elements[2].operator
    assert [str(c) for c in roots.coordinates(mixed)] == ["0", "sqrt(2)", "-1"]


def test_self_adjoint_and_skew() -> None:
    basis = pdobasis.solve("SO(2)", "vector", "vector", 2)
    plus = pdobasis.solve("SO(2)", "vector", "vector", 2, self_adjoint=True)
    minus = pdobasis.solve("SO(2)", "vector", "vector", 2, skew=True)
    assert plus.dimension + minus.dimension == basis.dimension
    assert all(op.adjoint() == op for op in plus)
    assert all(op.adjoint() == -op for op in minus)
    with pytest.raises(SpecError, match="itself"):
        pdobasis.solve("SO(2)", "vector", "trivial", 1, skew=True)


def test_null_compositions_are_found() -> None:
    curls = pdobasis.solve("SO(3)", "vector", "vector", 1)
    gradients = pdobasis.solve("SO(3)", "trivial", "vector", 1)
    divergences = pdobasis.solve("SO(3)", "vector", "trivial", 1)
    assert [str(r) for r in pdobasis.null_compositions(curls, gradients)] == ["curl ∘ gradient = 0"]
    assert [str(r) for r in pdobasis.null_compositions(divergences, curls)] == ["divergence ∘ curl = 0"]
    assert pdobasis.null_compositions(divergences, gradients) == []


def test_factorisations() -> None:
    basis = pdobasis.solve("O(3)", "vector", "vector", 2)
    found = pdobasis.factorise(basis, ["trivial", "alt(2, vector)"])
    # the identity has no order to share; grad div goes through scalars, and Δ is grad div - curl curl
    assert [f.terms is None for f in found] == [True, False, False]
    for f in found[1:]:
        assert f.terms is not None
        total = sum((b @ a * w for w, b, a in f.terms), f.operator - f.operator)
        assert total == f.operator


def test_complexes_are_output() -> None:
    (de_rham,) = pdobasis.complexes("SO(3)", ["trivial", "vector", "vector", "trivial"])
    assert str(de_rham) == "trivial --gradient--> vector --curl--> vector --divergence--> trivial"
    (plane,) = pdobasis.complexes("O(2)", ["trivial", "vector", "det"])
    assert str(plane) == "trivial --gradient--> vector --curl--> det"
    first, *_ = pdobasis.complexes("O(3)", ["vector", "sym(2, vector)", "sym(2, vector)", "vector"], [1, 2, 1])
    strain, inc, div = first.operators
    assert first.is_complex
    assert first.is_exact
    # Saint-Venant: inc e = curl (curl e)ᵀ, whose first component is ∂₃²e22 - 2∂₂∂₃e23 + ∂₂²e33
    assert inc.strings()[0] == ["0", "0", "0", "d3**2", "-2*d2*d3", "d2**2"]
    assert "strain" in str(strain.name)
    assert "divergence" in str(div.name)


def test_application() -> None:
    import sympy

    x1, x2 = sympy.symbols("x1 x2", real=True)
    laplacian = operator("d1**2 + d2**2")
    expression = sympy.sin(x1) * sympy.exp(x2)
    assert laplacian.apply([expression])[0] == 0
    n = 16
    x = 2 * np.pi * np.arange(n) / n
    field = np.sin(x)[None, :] * np.cos(3 * x)[:, None]
    np.testing.assert_allclose(laplacian.on_arrays(field, x[1])[0], -10 * field, atol=1e-10)
    rough = laplacian.on_arrays(field, x[1], stencil="fd", size=5)[0]
    assert np.abs(rough + 10 * field).max() < 0.6


# the product over the six axes of a regular icosahedron, and over those of the one that a quarter turn makes of it
PHI = "(3/2 + sqrt(5)/2)"
ICOSAHEDRON = f"({PHI}*d1**2 - d2**2)*({PHI}*d2**2 - d3**2)*({PHI}*d3**2 - d1**2)"
OTHER_ICOSAHEDRON = f"({PHI}*d2**2 - d1**2)*({PHI}*d1**2 - d3**2)*({PHI}*d3**2 - d2**2)"


def test_an_operator_in_fewer_variables_than_its_group_is_refused() -> None:
    with pytest.raises(SpecError, match=r"1 variable.*2"):
        pdobasis.symmetries(operator([["d1"]]), "O(2)", "trivial", "trivial")


def test_turns_that_only_a_frequency_of_the_output_shows() -> None:
    # z̄² has the frequency -2, which is 5 modulo 7
    found = pdobasis.symmetries("d1**2 - d2**2; -2*d1*d2", "O(2)", "trivial", "irrep(1,5)")
    assert (len(found.algebra), len(found.elements)) == (0, 14)


@pytest.mark.parametrize(
    ("text", "group", "reps", "algebra", "elements"),
    [
        ("d1**2 + d2**2 - d3**2", "GL(3)", ("trivial", "trivial"), 3, 16),  # so(2,1), D4h
        ("d1**2 + 2*d2**2 + 3*d3**2", "O(3)", ("trivial", "trivial"), 0, 8),  # D2h
        ("d1, d2", "O(2)", ("vector", "trivial"), 1, 8),
        ("d1, d2", "GL(2)", ("vector", "trivial"), 4, 8),
        ("-d2, d1", "O(2)", ("vector", "trivial"), 1, 4),  # curl: rotations alone
        ("d1**2 - d2**2", "D4", ("trivial", "trivial"), 0, 4),
        # no signed permutations: turns of the hexagon, the pentagon, the heptagon, and of a prism about x3
        ("d1**6 - 15*d1**4*d2**2 + 15*d1**2*d2**4 - d2**6", "O(2)", ("trivial", "trivial"), 0, 12),
        ("d1**6 - 15*d1**4*d2**2 + 15*d1**2*d2**4 - d2**6", "SL(2)", ("trivial", "trivial"), 0, 6),
        ("d1**5 - 10*d1**3*d2**2 + 5*d1*d2**4", "O(2)", ("trivial", "trivial"), 0, 10),
        ("d1**3*d3 - 3*d1*d2**2*d3", "O(3)", ("trivial", "trivial"), 0, 12),  # D3d
        (ICOSAHEDRON, "O(3)", ("trivial", "trivial"), 0, 120),
        (OTHER_ICOSAHEDRON, "O(3)", ("trivial", "trivial"), 0, 120),
        (ICOSAHEDRON, "SO(3)", ("trivial", "trivial"), 0, 60),
    ],
)
def test_the_symmetries_of_an_operator(
    text: str, group: str, reps: tuple[str, str], algebra: int, elements: int
) -> None:
    found = pdobasis.symmetries(text, group, *reps)
    assert (len(found.algebra), len(found.elements)) == (algebra, elements)
    assert found.subgroup is not None
    kept = pdobasis.symmetries(text, found.subgroup, *reps)
    assert kept.is_equivariant
    answer = pdobasis.solve(group, *reps, order=operator(text).order)
    assert found.is_equivariant == (operator(text, found.group.dim) in answer)


def test_check_says_it_on_the_command_line() -> None:
    arguments = ["check", "--group", "O(2)", "--in", "vector", "--out", "trivial", "--operator"]
    assert CliRunner().invoke(main, [*arguments, "d1, d2"]).exit_code == 0
    result = CliRunner().invoke(main, [*arguments, "-d2, d1", "--json"])
    assert result.exit_code == 1
    data = json.loads(result.output)
    assert data["lie_algebra"]["dimension"] == 1
    assert data["elements"]["number"] == 4
    wrong = CliRunner().invoke(main, [*arguments, "d1; d2"])
    assert wrong.exit_code == 2
    assert "1 rows and 2 columns" in wrong.output


def test_linear_algebra_over_roots() -> None:
    from pdobasis.algebra.operator import as_number

    two, root = as_number(2), as_number("sqrt(2)")
    assert two is not None
    assert root is not None
    ((a, b),) = relations([{"x": root}, {"x": two}])
    assert not (a * root + b * two)
    found = coordinates([{"x": root, "y": two}], {"x": two, "y": 2 * root})
    assert found == [root]


def test_a_layer_gives_an_operator() -> None:
    torch = pytest.importorskip("torch")
    from pdobasis.nn import PDOConv2d

    torch.manual_seed(0)
    layer = PDOConv2d("SO(2)", "trivial", "vector", size=5, order=1)
    learned = layer.operator()[0, 0].exact()
    assert learned.shape == (2, 1)
    assert learned in pdobasis.solve("SO(2)", "trivial", "vector", 1)


@pytest.mark.parametrize(
    ("fields", "orders", "names"),
    [
        # Hessian, curl of symmetric matrices (trace-free matrices are a 2-tensor and a vector), divergence of rows
        (["trivial", "sym(2, vector)", "irrep(2)+vector", "vector"], [2, 1, 1], ["Hessian", None, None]),
        # trace-free gradient, symmetric curl, div div
        (
            ["vector", "irrep(2)+vector", "sym(2, vector)", "trivial"],
            [1, 1, 2],
            [None, None, "div∘div of a symmetric tensor"],
        ),
        (
            ["vector", "sym(2, vector)", "sym(2, vector)", "vector"],
            [1, 2, 1],
            ["strain (symmetrised gradient)", "incompatibility (Saint-Venant)", "divergence of a symmetric tensor"],
        ),
        # conformal: trace-free strain, Cotton-York, divergence
        (["vector", "irrep(2)", "irrep(2)", "vector"], [1, 3, 1], [None, None, None]),
    ],
)
def test_complexes_of_hessians_and_double_divergences(
    fields: list[str], orders: list[int], names: list[str | None]
) -> None:
    first, *_ = pdobasis.complexes("SO(3)", fields, orders)
    assert first.is_complex
    assert first.is_exact
    assert [op.name for op in first.operators] == names
    # formal adjoints make the dual complex
    back = [op.adjoint() for op in reversed(first.operators)]
    assert all((b @ a).is_zero for a, b in pairwise(back))


def test_a_chain_that_is_no_exact_sequence_is_not_listed() -> None:
    # gradient of one part of the field after the Hessian's trace-free part is a complex, but loses information
    every = pdobasis.complexes("O(3)", ["trivial", "2e+0e", "2o+1o"], [2, 1], exact=False)
    assert all(chain.is_complex for chain in every)
    assert any(not chain.is_exact for chain in every)
    assert not [c for c in pdobasis.complexes("O(3)", ["trivial", "2e+0e", "2o+1o"], [2, 1]) if not c.is_exact]


def test_division() -> None:
    assert GRAD / "sqrt(2)" == GRAD * "sqrt(2)/2"
    with pytest.raises(SpecError, match="by 0"):
        GRAD / 0


def test_a_part_of_a_complex_is_listed_with_all() -> None:
    # gradient and exterior derivative in four dimensions: two more fields follow in the complex of de Rham
    asked = ["complex", "--group", "O(4)", "--field", "trivial", "--field", "vector", "--field", "alt(2, vector)"]
    assert "--all" in CliRunner().invoke(main, asked).output
    assert "trivial --gradient--> vector --exterior derivative-->" in CliRunner().invoke(main, [*asked, "--all"]).output
