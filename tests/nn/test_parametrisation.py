"""What a weight multiplies: the numbers in front of the PDOs, and what training sees."""

import copy
import io
import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import pdobasis  # noqa: E402
from pdobasis.layers.parametrise import PARAMETRISATIONS, factor_of, parametrise  # noqa: E402
from pdobasis.nn import LayerError, PDOConv1d, PDOConv2d, PDOConv3d, PDOPointConv, check_equivariance  # noqa: E402

QUESTIONS: list[tuple[Any, tuple[str, str, str], dict[str, Any]]] = [
    (PDOConv2d, ("C8", "2xregular", "3xregular"), {"order": 2, "size": 5}),
    (PDOConv2d, ("C16", "regular", "regular"), {"order": 3, "size": 5, "stencil": "fd"}),  # in components
    (PDOConv2d, ("D4", "trivial + vector", "regular + vector"), {"order": 2, "size": 3, "stencil": "rbffd"}),
    (PDOConv2d, ("O(2)", "vector", "irrep(1,2) + trivial"), {"order": 3, "size": 5, "stencil": "kernel"}),
    (PDOConv2d, ("C4", "regular", "regular"), {"order": 2, "size": 5, "stencil": ["fd", "gauss"]}),
    (PDOConv2d, ("D4", "vector", "vector"), {"order": 4, "size": 5, "stencil": "fd", "spacing": "1/1024"}),
    (PDOConv1d, ("trivial(1)", "2xtrivial", "trivial"), {"order": 2, "size": 5}),
    (PDOConv3d, ("O", "vector", "trivial + vector"), {"order": 2, "size": 3, "stencil": "fd"}),
]


def sampled(layer: Any, out: int, inn: int) -> Any:
    """The elements Q of a pair as (elements, entries * taps), from the filters of unit weights."""
    pair = next(p for p in layer.basis.pairs if (p.out_index, p.in_index) == (out, inn))
    rows = []
    with torch.no_grad():
        for k in range(pair.packed.size):
            for weight in layer.weights.values():
                weight.zero_()
            layer._weight(pair)[0, 0, k] = 1
            rows.append(layer.filter().reshape(-1).clone())
    return torch.stack(rows)


@pytest.mark.parametrize(("kind", "question", "options"), QUESTIONS)
def test_elements_have_unit_norm_or_are_orthonormal(kind: Any, question: Any, options: Any) -> None:
    for name in ("unit", "orthonormal", "graded"):
        layer = kind(*question, **options, parametrisation=name, apply="dense", dtype=torch.float64)
        for pair in layer.basis.pairs:
            q = sampled(layer, pair.out_index, pair.in_index)
            gram = (q @ q.T).numpy()
            if name == "graded":  # orders are 1.15 times as long as the one below, around the middle
                lengths = 1.15 ** (np.array(pair.orders) - max(n for p in layer.basis.pairs for n in p.orders) / 2)
                gram = gram / lengths / lengths[:, None]
            np.testing.assert_allclose(np.diag(gram), 1, atol=1e-9)
            if name != "unit":
                np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-9)


@pytest.mark.parametrize("apply", ["dense", "jets"])
@pytest.mark.parametrize(("kind", "question", "options"), QUESTIONS)
def test_coefficients_give_one_filter_in_every_parametrisation(
    kind: Any, question: Any, options: Any, apply: str
) -> None:
    torch.manual_seed(0)
    layers = [kind(*question, **options, apply=apply, parametrisation=p, dtype=torch.float64) for p in PARAMETRISATIONS]
    # Numbers of elements of unit norm: on a fine grid those of different orders differ by many powers of ten.
    numbers = {name: c.detach().clone() for name, c in layers[PARAMETRISATIONS.index("unit")].coefficients.items()}
    filters = []
    for layer in layers:
        layer.coefficients = numbers
        for name, value in layer.coefficients.items():
            torch.testing.assert_close(value, numbers[name], rtol=1e-9, atol=0)
        filters.append(layer.filter())
    for one, other in pairwise(filters):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-9 * float(one.abs().max().detach()))
    # In the plain one a weight is the number itself.
    for name, weight in layers[PARAMETRISATIONS.index("plain")].weights.items():
        assert torch.equal(weight.detach(), numbers[name])


def test_coefficients_are_refused_in_one_line() -> None:
    layer = PDOConv2d("D4", "trivial + vector", "vector", order=2, size=3)
    with pytest.raises(LayerError, match="several pairs of fields: give a mapping"):
        layer.coefficients = 1
    with pytest.raises(LayerError, match=r"no pair \(out, in\) of fields 'x'"):
        layer.coefficients = {"x": 1}
    one = PDOConv2d("D4", "trivial", "vector", order=1, size=3)
    with pytest.raises(LayerError, match=r"are \(1, 1, 1\) \(out copies, in copies, elements\), got \(7,\)"):
        one.coefficients = [1.0] * 7
    with pytest.raises(LayerError, match="expected real numbers"):
        one.coefficients = "gradient"
    with pytest.raises(pdobasis.errors.UnknownNameError, match="unit"):
        PDOConv2d("D4", "trivial", "vector", size=3, parametrisation="unti")
    with pytest.raises(pdobasis.errors.UnknownNameError, match="delta"):
        PDOConv2d("D4", "trivial", "vector", size=3, init="detla")


def test_missing_pairs_become_zero() -> None:
    layer = PDOConv2d("O(2)", "trivial + vector", "trivial", order=2, size=3, stencil="fd", dtype=torch.float64)
    layer.coefficients = {("trivial", "vector"): 1}
    assert float(layer.filter()[:, 0].abs().max().detach()) == 0
    alone = PDOConv2d("O(2)", "vector", "trivial", order=2, size=3, stencil="fd", dtype=torch.float64)
    alone.coefficients = 1
    torch.testing.assert_close(layer.filter()[:, 1:], alone.filter())


def test_coefficients_are_differentiable() -> None:
    layer = PDOConv2d("C4", "trivial", "regular", order=2, size=5)
    layer.coefficients["regular", "trivial"].square().sum().backward()  # type: ignore[no-untyped-call]
    assert layer.weight.grad is not None
    assert float(layer.weight.grad.abs().sum()) > 0


@pytest.mark.parametrize("momentum", [0.0, 0.9])
@pytest.mark.parametrize(
    "question", [("C8", "regular", "regular"), ("SO(2)", "vector", "vector"), ("C3", "vector", "regular")]
)
def test_gradient_descent_does_not_see_the_basis(question: tuple[str, str, str], momentum: float) -> None:
    """`direct` and `transfer` give other bases of one space: orthonormal coordinates, one trajectory of filters."""
    bases = [pdobasis.solve(*question, order=2, method=method) for method in ("direct", "transfer")]
    generator = torch.Generator().manual_seed(3)
    paths: dict[str, list[Any]] = {}
    for name in PARAMETRISATIONS:
        layers = [
            PDOConv2d(b, size=5, bias=False, parametrisation=name, apply="dense", dtype=torch.float64) for b in bases
        ]
        with torch.no_grad():
            # The second layer starts with the filter of the first.
            targets = layers[0].filter().reshape(-1)
            elements = sampled(copy.deepcopy(layers[1]), 0, 0)
            start = torch.linalg.lstsq(elements.T, targets[:, None]).solution[:, 0]
            layers[1].weight.copy_(start.view(layers[1].weight.shape))
        torch.testing.assert_close(layers[0].filter(), layers[1].filter(), rtol=1e-9, atol=1e-9)
        x = torch.randn(2, layers[0].in_channels, 9, 9, generator=generator, dtype=torch.float64)
        y = torch.randn(2, layers[0].out_channels, 5, 5, generator=generator, dtype=torch.float64)
        ends = []
        for layer in layers:
            optimiser = torch.optim.SGD(layer.parameters(), 0.05, momentum=momentum)
            for _ in range(5):
                optimiser.zero_grad()
                (layer(x) - y).square().mean().backward()
                optimiser.step()
            ends.append(layer.filter().detach())
        paths[name] = ends
    for name in ("graded", "orthonormal"):
        torch.testing.assert_close(*paths[name], rtol=1e-9, atol=1e-9)
    # The test can fail: in the other parametrisations these bases part.
    assert float((paths["plain"][0] - paths["plain"][1]).abs().max()) > 1e-4


@pytest.mark.parametrize(("kind", "question", "options"), QUESTIONS)
def test_graded_elements_of_an_order_have_no_lower_ones(kind: Any, question: Any, options: Any) -> None:
    """c = T theta, where T has no entry from a weight of order n to an element of lower order; and so has its inverse."""
    layer = kind(*question, **options)
    assert layer.parametrisation == "graded"
    found = parametrise(layer.basis, "graded")
    for pair, own in zip(layer.basis.pairs, found.pairs, strict=True):
        orders = np.array(pair.orders)
        lower = orders[:, None] < orders
        for way in (own.to_coefficients, own.from_coefficients):
            assert not np.any(way[lower])
        np.testing.assert_allclose(own.from_coefficients @ own.to_coefficients, np.eye(len(orders)), atol=1e-9)


def test_graded_elements_by_hand() -> None:
    """On three points [1, -2, 1] is kept, and of the identity what is orthogonal to it: [1, 1, 1]."""
    layer = PDOConv1d("O(1)", "trivial", "trivial", 2, size=3, stencil="fd", bias=False, dtype=torch.float64)
    rows = sampled(layer, 0, 0)
    wanted = torch.tensor([[1.0, 1, 1], [1, -2, 1]], dtype=torch.float64)
    lengths = torch.tensor([[1 / 1.15], [1.15]], dtype=torch.float64)
    torch.testing.assert_close(rows, lengths * wanted / wanted.norm(dim=1, keepdim=True))


@pytest.mark.parametrize("name", ["graded", "orthonormal"])
def test_elements_that_depend_on_each_other_on_the_grid(name: str) -> None:
    """Kernels on as many rings as the grid has no room for: fewer directions than weights, and still a projection."""
    options: dict[str, Any] = {"stencil": "kernel", "band_limit": None, "radii": (0.0, 0.5, 1.0, 1.2, 1.4)}
    options["parametrisation"] = name
    layer = PDOConv2d("C4", "trivial", "trivial", 4, size=3, bias=False, dtype=torch.float64, **options)
    q = sampled(copy.deepcopy(layer), 0, 0)
    if name == "graded":
        orders = torch.tensor(layer.basis.pairs[0].orders, dtype=torch.float64)
        q = q / 1.15 ** (orders - orders.max() / 2)[:, None]
    gram = q.T @ q
    torch.testing.assert_close(gram @ gram, gram, rtol=1e-8, atol=1e-8)
    rank = int(torch.linalg.matrix_rank(q, rtol=1e-6))
    assert rank < len(q)
    assert abs(float(gram.trace()) - rank) < 1e-8
    # The filter that coefficients ask for comes out although their numbers cannot be told from it.
    options["parametrisation"] = "plain"
    plain = PDOConv2d("C4", "trivial", "trivial", 4, size=3, dtype=torch.float64, **options)
    for one in (layer, plain):
        one.coefficients = torch.arange(len(q), dtype=torch.float64)
    torch.testing.assert_close(layer.filter(), plain.filter(), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("name", PARAMETRISATIONS)
@pytest.mark.parametrize(("kind", "question", "options"), QUESTIONS)
def test_weights_of_version_0_1_load(kind: Any, question: Any, options: Any, name: str) -> None:
    """They stood in front of the PDOs, beside a buffer with the name of the basis."""
    torch.manual_seed(1)
    plain = kind(*question, **options, parametrisation="plain", dtype=torch.float64)
    old = {k: v.clone() for k, v in plain.state_dict().items() if k != "_extra_state"}
    old["basis_fingerprint"] = torch.tensor(list(plain.basis.fingerprint), dtype=torch.uint8)
    layer = kind(*question, **options, parametrisation=name, dtype=torch.float64)
    layer.load_state_dict(old)
    scale = float(plain.filter().abs().max().detach())
    torch.testing.assert_close(layer.filter(), plain.filter(), rtol=1e-10, atol=1e-10 * scale)
    # What the caller holds is not changed.
    assert torch.equal(old["basis_fingerprint"], torch.tensor(list(plain.basis.fingerprint), dtype=torch.uint8))
    for key, weight in plain.named_parameters():
        assert torch.equal(old[key], weight)


def test_weights_go_from_one_parametrisation_to_another_and_back() -> None:
    torch.manual_seed(0)
    layers = {p: PDOConv2d("D4", "vector + trivial", "regular", size=5, parametrisation=p) for p in PARAMETRISATIONS}
    for one in layers.values():
        for other in layers.values():
            before = one.filter().detach()
            other.load_state_dict(one.state_dict())
            torch.testing.assert_close(other.filter(), before, rtol=1e-5, atol=1e-6)
            saved = json.loads(bytes(other.state_dict()["_extra_state"].tolist()))
            assert saved["parametrisation"] == other.parametrisation
    network = torch.nn.Sequential(layers["orthonormal"], torch.nn.ReLU())
    stream = io.BytesIO()
    torch.save(network.state_dict(), stream)
    stream.seek(0)
    network.load_state_dict(torch.load(stream, weights_only=True))


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b'{"fingerprint": 1}', b"\xff" * 9, b"[" * 9999, b'{"fingerprint": "00", "parametrisation": "x"}'],
)
def test_a_broken_state_is_refused(text: bytes) -> None:
    layer = PDOConv2d("C4", "trivial", "regular", size=3)
    state = {**layer.state_dict(), "_extra_state": torch.tensor(list(text), dtype=torch.uint8)}
    with pytest.raises(RuntimeError, match=r"cannot be read|does not know"):
        layer.load_state_dict(state)


def test_averaged_models_keep_the_name() -> None:
    model = torch.nn.Sequential(PDOConv2d("C4", "trivial", "regular", size=3))
    averaged = torch.optim.swa_utils.AveragedModel(model, use_buffers=True)
    for _ in range(3):
        averaged.update_parameters(model)
    model.load_state_dict(averaged.module.state_dict())


def test_weights_that_are_assigned_bring_the_basis() -> None:
    """Built on the meta device and filled by assign=True: the buffers, which are not saved, are made then."""
    real = PDOConv2d("C8", "regular", "2xregular", size=5, stencil="fd")
    x = torch.randn(1, 8, 9, 9)
    with torch.device("meta"):
        layer = PDOConv2d("C8", "regular", "2xregular", size=5, stencil="fd")
    layer.load_state_dict(real.state_dict(), assign=True)
    torch.testing.assert_close(layer(x), real(x))
    skipped = torch.nn.utils.skip_init(PDOConv2d, "C8", "regular", "2xregular", size=5, stencil="fd")
    skipped.load_state_dict(real.state_dict())
    torch.testing.assert_close(skipped(x), real(x))


def test_half_precision_on_a_fine_grid() -> None:
    """Derivatives of order 3 at spacing 1/256 are 1e7, which half precision does not hold; normalised elements are."""
    for apply in ("dense", "jets"):
        torch.manual_seed(0)
        layer = PDOConv2d("C4", "regular", "regular", order=3, size=5, spacing="1/256", apply=apply)
        x = torch.randn(1, 4, 9, 9)
        y = layer(x).detach()
        found = layer.bfloat16()(x.bfloat16()).float().detach()
        assert bool(torch.isfinite(layer.half().filter()).all())
        assert float((found - y).norm() / y.norm()) < 0.05


def test_a_cloud_has_its_own_normalisation() -> None:
    points = np.random.default_rng(0).random((60, 2))
    layers = []
    for scale in (1.0, 1e-3):
        torch.manual_seed(0)
        layer = PDOPointConv("C4", "vector", "regular", 2, neighbours=16, dtype=torch.float64)
        layer.reset_for(layer.jets(points * scale))
        layers.append(layer)
    x = torch.randn(1, 2, 60, dtype=torch.float64)
    y = [layer(x, layer.jets(points * s)) for layer, s in zip(layers, (1.0, 1e-3), strict=True)]
    # The same weights on a cloud that is a thousand times smaller: the same function, so the same learning rate.
    torch.testing.assert_close(layers[0].weight, layers[1].weight, rtol=1e-9, atol=1e-9)
    torch.testing.assert_close(y[0], y[1], rtol=1e-6, atol=1e-6)
    fresh = PDOPointConv("C4", "vector", "regular", 2, neighbours=16, dtype=torch.float64)
    fresh.load_state_dict(layers[1].state_dict())
    torch.testing.assert_close(fresh(x, fresh.jets(points * 1e-3)), y[1])
    plain = PDOPointConv("C4", "vector", "regular", 2, neighbours=16, parametrisation="plain", dtype=torch.float64)
    plain.load_state_dict(layers[1].state_dict())
    torch.testing.assert_close(plain(x, plain.jets(points * 1e-3)), y[1])


def test_factor_has_the_products_of_the_atoms() -> None:
    atoms = np.random.default_rng(0).normal(size=(7, 3, 3))
    flat = atoms.reshape(7, -1)
    factor = factor_of(atoms)
    np.testing.assert_allclose(factor @ factor.T, flat @ flat.T, atol=1e-12)
    layer = PDOConv2d("C4", "trivial", "regular", size=3)
    assert parametrise(layer.basis, "unit").name == "unit"


def test_the_operator_of_a_whole_layer_in_latex() -> None:
    layer = PDOConv2d("O(2)", "vector", "vector + trivial", order=1, size=3, stencil="fd", bias=False)
    layer.coefficients = {("vector", "vector"): [2.0], ("trivial", "vector"): [-1.0]}
    found = layer.operator().latex()
    assert found == r"\begin{pmatrix} 2 & 0 \\ 0 & 2 \\ -\partial_{1} & -\partial_{2} \end{pmatrix}", found
    wide = PDOConv2d("O(2)", "11xtrivial", "trivial", order=0, size=1, stencil="fd", bias=False)
    assert wide.operator().latex().startswith(r"\left(\begin{array}{ccccccccccc}")


@pytest.mark.parametrize("name", PARAMETRISATIONS)
@pytest.mark.parametrize("spacing", [1, 0.1, 0.03, 0.01])
@pytest.mark.parametrize(
    ("kind", "question", "order"),
    [
        (PDOConv2d, ("C8", "trivial", "trivial"), 8),
        (PDOConv2d, ("C4", "regular", "vector"), 6),
        (PDOConv3d, ("T", "trivial", "trivial"), 6),
        (PDOConv3d, ("O", "trivial", "vector"), 4),
    ],
)
def test_elements_that_vanish_on_the_grid_stay_zero(
    kind: Any, question: Any, order: int, spacing: float, name: str
) -> None:
    """What is left of them is rounding, of the size of h^-n: normalised it would be a filter, and not equivariant."""
    layer = kind(
        *question,
        order=order,
        size=3,
        stencil="gauss",
        spacing=spacing,
        parametrisation=name,
        bias=False,
        dtype=torch.float64,
    )
    with torch.no_grad():
        for weight in layer.weights.values():
            weight.normal_()
    # What of the group keeps the grid: a quarter turn is exact there, and so is the layer.
    assert check_equivariance(layer).error < 1e-9


def test_coefficients_have_to_be_real_numbers() -> None:
    layer = PDOConv2d("O(2)", "trivial", "trivial", order=2, size=3, stencil="fd", bias=False)
    before = layer.weight.detach().clone()
    for bad in (None, float("nan"), [1.0, float("inf")], torch.tensor([1j, 2.0]), "a"):
        with pytest.raises(LayerError, match=r"real numbers|finite"):
            layer.coefficients = bad
        assert torch.equal(layer.weight, before)
    fine = PDOConv2d(
        "O(2)", "trivial", "trivial", order=2, size=3, stencil="fd", bias=False, spacing="1/256", dtype=torch.float16
    )
    before = fine.weight.detach().clone()
    with pytest.raises(LayerError, match=r"float16 ends at"):
        fine.coefficients = 1.0
    assert torch.equal(fine.weight, before)
