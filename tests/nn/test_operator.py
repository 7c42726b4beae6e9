"""What a layer learned, as a PDO."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import pdobasis  # noqa: E402
from pdobasis.nn import LayerError, PDOConv2d, PDOConv3d, PDOPointConv  # noqa: E402


def test_named_operators() -> None:
    layer = PDOConv2d("O(2)", "vector", "trivial", order=1, size=3, stencil="fd")
    layer.coefficients = 2
    operator = layer.operator()
    assert str(operator) == (
        "O(2), vector -> trivial, order <= 1\n  vector[0] -> trivial[0]: [2 ∂₁, 2 ∂₂]  =  2 divergence"
    )
    laplacian = PDOConv2d("O(2)", "trivial", "trivial", order=2, size=3, stencil="fd", dtype=torch.float64)
    laplacian.coefficients = [0.5, -1]
    assert str(laplacian.operator()).endswith(": [0.5 - ∂₁² - ∂₂²]  =  0.5 identity - 1 Laplacian")
    assert laplacian.operator()[0, 0].pretty() == [["0.5 - ∂₁² - ∂₂²"]]
    assert laplacian.operator()[0, 0].latex() == (
        r"\begin{pmatrix} 0.5 - \partial_{1}^{2} - \partial_{2}^{2} \end{pmatrix}"
    )
    terms = laplacian.operator()[0, 0].terms
    assert [t.element.order for t in terms] == [0, 2]
    np.testing.assert_allclose([t.coefficient for t in terms], [0.5, -1], rtol=1e-12)


@pytest.mark.parametrize(
    ("kind", "question", "options"),
    [
        (PDOConv2d, ("C8", "2xregular + vector", "vector + 2xtrivial + vector"), {"order": 3, "size": 5}),
        (PDOConv2d, ("D4", "trivial + vector", "regular"), {"order": 2, "size": 5, "stencil": ["fd", "rbffd"]}),
        (PDOConv3d, ("O(3)", "vector", "trivial + vector"), {"order": 2, "size": 3, "stencil": "fd"}),
    ],
)
def test_the_operator_is_the_filter_on_polynomials(kind: Any, question: Any, options: Any) -> None:
    """A stencil that is exact to order n takes x^a, |a| <= n, to what the PDO makes of it: a! times its coefficient."""
    torch.manual_seed(0)
    exact = {"stencil": "fd", **options}
    layer = kind(*question, **exact, bias=False, dtype=torch.float64)
    operator = layer.operator()
    matrix = operator.matrix
    dim = layer.dim
    size = layer.kernel_size[0]
    line = torch.arange(size, dtype=torch.float64) - size // 2
    places = torch.meshgrid(*[line] * dim, indexing="ij")[::-1]
    for k, alpha in enumerate(operator.answer.monomials()):
        monomial = torch.ones_like(places[0])
        factorial = 1
        for x, a in zip(places, alpha, strict=True):
            monomial = monomial * x**a
            factorial *= int(np.prod(range(1, a + 1)))
        found = torch.tensordot(layer.filter().detach(), monomial, dim)
        np.testing.assert_allclose(found.numpy(), factorial * matrix[..., k], atol=1e-9)


def test_parts_and_rows() -> None:
    layer = PDOConv2d("C4", "2xtrivial + vector", "vector + trivial", order=2, size=5)
    operator = layer.operator()
    assert operator.shape == (2, 3)
    whole = operator.matrix
    assert np.array_equal(whole[:2, 2:], operator[0, 2].matrix)
    assert np.array_equal(whole[2:, 1:2], operator[1, 1].matrix)
    assert np.array_equal(operator[-1, -1].matrix, whole[2:, 2:])
    assert operator[1, 1].in_field == "trivial[1]"
    for wrong in ((2, 0), (0, 3), (0,), 1, "x"):
        with pytest.raises(LayerError, match="output field, input field"):
            operator[wrong]  # type: ignore[index]
    many = PDOConv2d("C4", "4xregular", "5xregular", order=2, size=5).operator()
    assert str(many).endswith("… 8 more: operator[output field, input field]")
    assert len(list(many)) == 20


def test_pairs_without_operators_are_zero() -> None:
    layer = PDOConv2d("O(2)", "trivial + vector", "trivial", order=0, size=3)
    operator = layer.operator()
    assert not operator[0, 1].matrix.any()
    assert len(list(operator)) == 1


def test_groups_points_and_kernels() -> None:
    layer = PDOConv2d("C4", "2xtrivial", "2xvector", order=1, size=3, groups=2)
    values = layer.coefficients["vector", "trivial"].detach()
    for g in range(2):
        np.testing.assert_allclose(layer.operator(g)[0, 0].coefficients, values[g, 0])
    with pytest.raises(LayerError, match="2 convolution groups"):
        layer.operator(2)
    points = PDOPointConv("O(2)", "vector", "trivial", 1)
    points.coefficients = 1
    assert "divergence" in str(points.operator())
    with pytest.raises(LayerError, match="kernels computes no PDO"):
        PDOConv2d("C4", "trivial", "vector", size=3, stencil="kernel").operator()


def test_a_basis_from_python() -> None:
    basis = pdobasis.solve("D4", "vector", "vector", order=2)
    layer = PDOConv2d(basis, size=5, stencil="fd", dtype=torch.float64)
    layer.coefficients = torch.eye(len(basis))[3]
    operator = layer.operator()[0, 0]
    assert [str(t.element) for t in operator.terms] == [str(basis.elements[3])]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_layer_that_diverged_is_not_zero(number: float) -> None:
    layer = PDOConv2d("O(2)", "vector + trivial", "trivial", order=1, size=3, stencil="fd")
    with torch.no_grad():
        layer.weights["trivial", "vector"].fill_(number)
    with pytest.raises(LayerError, match=r"weights of \('trivial', 'vector'\) are not finite"):
        layer.operator()


@pytest.mark.parametrize("name", ["graded", "orthonormal", "unit", "plain"])
def test_numbers_that_add_little_to_the_filter_are_told(name: str) -> None:
    """1 - Δ at spacing 1/256: of the filter the identity is a part of 1e-6, and of the PDO a half."""
    layer = PDOConv2d(
        "O(2)", "trivial", "trivial", order=2, size=3, stencil="fd", bias=False, spacing="1/256", parametrisation=name
    )
    layer.coefficients = torch.tensor([1.0, -1.0])
    found = layer.operator()[0, 0].terms
    # Orthonormal weights of single precision each hold both, of which the identity is a rounding error.
    if name != "orthonormal":
        assert [round(t.coefficient, 5) for t in found] == [1.0, -1.0]


def test_copies_are_not_measured_by_each_other() -> None:
    layer = PDOConv2d("O(2)", "trivial", "2xtrivial", order=2, size=3, stencil="fd", bias=False)
    layer.coefficients = torch.tensor([[[1000.0, 1000.0]], [[0.001, 0.0]]])
    found = layer.operator()
    assert [round(t.coefficient, 3) for t in found[0, 0].terms] == [1000.0, 1000.0]
    assert [round(t.coefficient, 6) for t in found[1, 0].terms] == [0.001]


def test_a_layer_of_half_precision_tells_its_numbers() -> None:
    layer = PDOConv2d("O(2)", "trivial", "trivial", order=2, size=3, stencil="fd", bias=False)
    layer.coefficients = torch.tensor([1.0, 0.03])
    found = layer.bfloat16().operator()[0, 0].terms
    assert [t.coefficient for t in found] == pytest.approx([1.0, 0.03], rel=0.05)


def test_a_layer_without_numbers_computes_nothing() -> None:
    with torch.device("meta"):
        layer = PDOConv2d("O(2)", "trivial", "trivial", order=2, size=3, stencil="fd", bias=False)
    for asked in (layer.operator, layer.off_grid_error):
        with pytest.raises(LayerError, match="meta device"):
            asked()
    with pytest.raises(LayerError, match="meta device"):
        layer.coefficients = 1.0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", ["graded", "orthonormal"])
@pytest.mark.parametrize(
    ("question", "options"),
    [
        (("C4", "trivial", "regular"), {"order": 4, "stencil": "fd"}),
        (("C4", "vector", "vector"), {"order": 4, "stencil": "fd"}),
        (("C4", "regular", "regular"), {"order": 3}),
        (("O(2)", "vector", "vector"), {"order": 4, "stencil": "fd"}),
        (("D4", "vector", "trivial"), {"order": 3, "stencil": "rbffd"}),
    ],
)
def test_one_number_is_told_alone(question: Any, options: Any, name: str, dtype: Any) -> None:
    layer = PDOConv2d(*question, **options, size=5, bias=False, parametrisation=name, dtype=dtype)
    for k in range(layer.weight.shape[-1]):
        layer.coefficients = np.eye(layer.weight.shape[-1])[k]
        found = layer.operator()[0, 0].terms
        assert [t.coefficient for t in found] == pytest.approx([1.0], rel=1e-4), k


def test_numbers_of_several_methods_are_added_before_they_are_judged() -> None:
    layer = PDOConv2d("O(2)", "trivial", "trivial", order=2, size=5, stencil=["fd", "gauss"], bias=False)
    layer.coefficients = [1, 1 / 3, -1, -1 / 3]
    assert not layer.operator()[0, 0].terms
