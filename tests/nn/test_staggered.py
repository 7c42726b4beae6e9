"""Layers between the places of a staggered grid: the C-grid, exactly equivariant under the grid's own group."""

from __future__ import annotations

import copy
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from click.testing import CliRunner  # noqa: E402
from pdobasis_cli import main  # noqa: E402

from pdobasis import field_type, group  # noqa: E402
from pdobasis.errors import PdoBasisError  # noqa: E402
from pdobasis.layers.elements import grid_elements  # noqa: E402
from pdobasis.layers.errors import FieldMismatchError, LayerError, NotEquivariantError  # noqa: E402
from pdobasis.layers.placed import placed  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    Adjoint,
    BlurPool,
    FieldBatchNorm,
    FieldDropout,
    GatedNonlinearity,
    GlobalPool,
    GroupPool,
    Merge,
    NormNonlinearity,
    PDOConv1d,
    PDOConv2d,
    PDOConv3d,
    PDOConvTranspose2d,
    PerField,
    Pointwise,
    Restrict,
    Sequential,
    Split,
    TensorProduct,
    check_equivariance,
    check_types,
    summary,
    to_plain,
    transform,
)

nn = torch.nn

FACES = {"vector": [("1/2", 0), (0, "1/2")]}
CORNERS = {"regular": [("1/2", "1/2")] * 8}
FACES_3D = {"vector": [("1/2", 0, 0), (0, "1/2", 0), (0, 0, "1/2")]}
EDGES_3D = {"alt(2,vector)": [("1/2", "1/2", 0), ("1/2", 0, "1/2"), (0, "1/2", "1/2")]}
CASES: dict[str, tuple[Any, tuple[str, str, str], dict[str, Any]]] = {
    "gradient": (PDOConv2d, ("D4", "2xtrivial", "vector"), {"out_offsets": FACES}),
    "divergence": (PDOConv2d, ("D4", "2xvector", "trivial"), {"in_offsets": FACES, "size": 3}),
    "faces to faces": (PDOConv2d, ("D4", "vector + trivial", "2xvector"), {"in_offsets": FACES, "out_offsets": FACES}),
    "curl": (PDOConv2d, ("D4", "vector", "det"), {"in_offsets": FACES, "out_offsets": {"det": [("1/2", "1/2")]}}),
    "corners": (PDOConv2d, ("D4", "regular + vector", "regular"), {"in_offsets": {**CORNERS, **FACES}, "stencil": "fd", "order": 2}),
    "turns": (PDOConv2d, ("C4", "2xvector", "vector + regular"), {"in_offsets": FACES, "out_offsets": FACES, "apply": "jets"}),
    "copies at two places": (
        PDOConv2d, ("D4", "3xtrivial", "vector + 2xtrivial"),
        {"in_offsets": [(0, 0), ("1/2", "1/2"), (0, 0)], "out_offsets": [("1/2", 0), (0, "1/2"), ("1/2", "1/2"), (0, 0)]},
    ),
    "groups": (PDOConv2d, ("D4", "2xvector", "2xtrivial"), {"in_offsets": FACES, "groups": 2}),
    "rbf": (PDOConv2d, ("D4", "vector", "vector"), {"in_offsets": FACES, "out_offsets": FACES, "stencil": "rbffd", "order": 1}),
    "two methods": (PDOConv2d, ("D4", "vector", "trivial"), {"in_offsets": FACES, "stencil": ["fd", "gauss"]}),
    "on a line": (PDOConv1d, ("O(1)", "det + trivial", "trivial"), {"in_offsets": {"det": [("1/2",)]}}),
    "curl in space": (PDOConv3d, ("Oh", "vector", "alt(2,vector)"), {"in_offsets": FACES_3D, "out_offsets": EDGES_3D, "size": 3}),
    "two sizes": (PDOConv2d, ("D2", "vector", "trivial"), {"in_offsets": FACES, "size": (5, 3)}),
}  # fmt: skip


def made(name: str, **options: Any) -> Any:
    torch.manual_seed(0)
    kind, question, own = CASES[name]
    layer = kind(*question, **{"size": 5, "padding": 1, "dtype": torch.float64, **own, **options})
    with torch.no_grad():
        if layer.bias is not None:
            layer.bias.normal_()
    return layer


LAYOUTS = ["grid", "image"]
PADS: list[dict[str, Any]] = [{"padding": 0}, {"padding": 3}, {"padding": "same", "padding_mode": "circular"}]


def symmetries(layer: Any) -> Any:
    every = grid_elements(layer.in_type.group)
    if layer.dim == 3:
        return [every[k] for k in (1, 7, 20, 33, 47)]
    return every


@pytest.mark.parametrize("pads", PADS, ids=["none", "zeros", "torus"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", CASES)
def test_exactly_equivariant(name: str, layout: str, pads: dict[str, Any]) -> None:
    layer = made(name, layout=layout, **pads)
    # In space the mirrors and quarter turns are enough, and a few points.
    for size in {3: (6,)}.get(layer.dim, (8, 9)):
        report = check_equivariance(layer, size=size, elements=symmetries(layer))
        assert report.error <= 1e-13


@pytest.mark.parametrize("name", [name for name in CASES if name != "two sizes"])
def test_without_places_the_check_fails(name: str) -> None:
    """The same filters on fields that are thought to lie in one place, and a filter that was turned, break it."""
    layer = made(name)
    flat = [field_type(str(t.spec), t.group) for t in (layer.in_type, layer.out_type)]
    assert check_equivariance(layer, *flat, size=9).error > 1e-3
    broken = copy.deepcopy(layer.eval())
    with torch.no_grad():
        broken._buffers["basis_0_0"].mul_(torch.rand_like(broken._buffers["basis_0_0"]) + 0.5)
    assert check_equivariance(broken, size=9).error > 1e-3


@pytest.mark.parametrize("layout", LAYOUTS)
def test_derivatives_are_taken_from_place_to_place(layout: Any) -> None:
    """Divergence and gradient of a polynomial, whose values stand where the places say."""
    x1, x2 = np.meshgrid(np.arange(9.0), np.arange(9.0))
    if layout == "image":
        x2 = -x2
    down = PDOConv2d("D4", "vector", "trivial", 1, size=3, stencil="fd", in_offsets=FACES, layout=layout, bias=False)
    up = PDOConv2d("D4", "trivial", "vector", 1, size=3, stencil="fd", out_offsets=FACES, layout=layout, bias=False)
    down.double().coefficients = 1
    up.double().coefficients = 1
    u, v = (x1 + 0.5) ** 2 + x2, x1 * (x2 + 0.5) ** 2
    found = down(torch.tensor(np.stack([u, v]))[None])[0, 0].detach().numpy()
    # Central differences of half a cell are exact on squares.
    np.testing.assert_allclose(found, (2 * x1 + 2 * x1 * x2)[1:-1, 1:-1], atol=1e-12)
    p = x1**2 * x2 + x2**2
    gradient = up(torch.tensor(p)[None, None])[0].detach().numpy()
    first, second = gradient
    inner = (slice(1, -1), slice(1, -1))
    expected = (2 * (x1 + 0.5) * x2)[inner], (x1**2 + 2 * (x2 + 0.5))[inner]
    last = {"grid": slice(None, -1), "image": slice(1, None)}[layout]
    np.testing.assert_allclose(first[:, :-1], expected[0][:, :-1], atol=1e-12)
    np.testing.assert_allclose(second[last], expected[1][last], atol=1e-12)
    # What lies outside is zero.
    assert not first[:, -1].any()
    assert not second[{"grid": -1, "image": 0}[layout]].any()


def test_curl_of_a_gradient_and_divergence_of_a_curl_vanish() -> None:
    """On a torus, for any weights of first order: the discrete complex of the C-grid."""
    torus: dict[str, Any] = {"size": 3, "stencil": "fd", "padding": 1, "padding_mode": "circular", "bias": False}
    gradient = PDOConv2d("D4", "trivial", "vector", 1, out_offsets=FACES, **torus)
    curl = PDOConv2d("D4", gradient.out_type, "det", 1, out_offsets={"det": [("1/2", "1/2")]}, **torus)
    divergence = PDOConv2d("D4", gradient.out_type, "trivial", 1, **torus)
    for layer in (gradient, curl, divergence):
        layer.double().coefficients = 1
    x = torch.randn(1, 1, 8, 8, dtype=torch.float64)
    assert float(curl(gradient(x)).detach().abs().max()) < 1e-12
    laplacian = divergence(gradient(x))
    five = sum(x.roll(s, a) for s in (1, -1) for a in (2, 3)) - 4 * x
    torch.testing.assert_close(laplacian, five)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", CASES)
def test_adjoint(name: str, layout: str) -> None:
    layer = made(name, layout=layout, bias=False)
    x = torch.randn(2, layer.in_channels, *[8] * layer.dim, dtype=torch.float64)
    y = layer(x)
    z = torch.randn_like(y)
    adjoint = Adjoint(layer)
    back = adjoint(z, output_size=x.shape)
    torch.testing.assert_close((y * z).sum(), (x * back).sum(), rtol=1e-12, atol=1e-10)
    assert (adjoint.in_type, adjoint.out_type) == (layer.out_type, layer.in_type)
    assert check_equivariance(adjoint, size=6, elements=symmetries(layer)).error <= 1e-13
    torch.testing.assert_close(to_plain(adjoint)(z), adjoint(z))


def test_transposed_is_the_layer() -> None:
    options: dict[str, Any] = {"size": 5, "in_offsets": FACES, "out_offsets": FACES, "dtype": torch.float64}
    layer = PDOConv2d("D4", "vector", "vector", padding=2, **options)
    up = PDOConvTranspose2d("D4", "vector", "vector", padding=2, **options)
    up.load_state_dict(layer.state_dict())
    x = torch.randn(2, 2, 9, 9, dtype=torch.float64)
    torch.testing.assert_close(up(x), layer(x))
    assert check_equivariance(up, size=9).error <= 1e-13
    torch.testing.assert_close(to_plain(up)(x), up(x))
    with pytest.raises(LayerError, match="stride 1"):
        PDOConvTranspose2d("D4", "vector", "vector", stride=2, **options)


def network() -> Any:
    """Velocities on the faces to regular fields in the middle, and back."""
    first = PDOConv2d("D4", "vector", "2xregular", padding=2, in_offsets=FACES)
    second = PDOConv2d("D4", first.out_type, "2xvector", padding=2, out_offsets=FACES)
    return Sequential(
        first, FieldBatchNorm(first.out_type), Pointwise(first.out_type), second,
        FieldBatchNorm(second.out_type), FieldDropout(second.out_type),
        PDOConv2d("D4", second.out_type, "vector", 2, size=3, padding=1, out_offsets=FACES),
    )  # fmt: skip


def test_a_network_of_the_c_grid(tmp_path: Path) -> None:
    model = network().double()
    for _ in range(3):  # running statistics that are not 0 and 1
        model(torch.randn(4, 2, 9, 9, dtype=torch.float64))
    assert check_equivariance(model, size=9).error <= 1e-13
    check_types(model, 9)
    table = summary(model, 9)
    assert table.rows[3].fields == "2xvector at 1/2,0; 0,1/2 of D4"
    assert str(table).endswith("exactly equivariant on the grid")
    assert "in_offsets" not in repr(model)
    assert "vector at 1/2,0; 0,1/2 -> 2xregular" in repr(model[0])
    plain = to_plain(model)
    assert not [m for m in plain.modules() if type(m).__module__.startswith("pdobasis")]
    x = torch.randn(2, 2, 9, 9, dtype=torch.float64)
    torch.testing.assert_close(plain(x), model.eval()(x), rtol=1e-12, atol=1e-12)


def test_onnx(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxscript")
    from onnx.reference import ReferenceEvaluator

    model = network().eval()
    x = torch.randn(2, 2, 9, 9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(to_plain(model), (x,), tmp_path / "m.onnx", dynamo=True, verbose=False)
    session: Any = ReferenceEvaluator(str(tmp_path / "m.onnx"))
    found = session.run(None, {session.input_names[0]: x.numpy()})[0]
    np.testing.assert_allclose(found, model(x).detach().numpy(), atol=2e-5)


def test_from_file(tmp_path: Path) -> None:
    path = str(tmp_path / "c.npz")
    words = ["-g", "D4", "--in", "vector", "--out", "vector + trivial", "-n", "2", "--stencil", "fd", "--size", "3"]
    offsets = ["--in-offsets", "1/2,0;0,1/2", "--out-offsets", "1/2,0;0,1/2;0,0"]
    assert CliRunner().invoke(main, ["export", *words, *offsets, "-o", path]).exit_code == 0
    layer = PDOConv2d.from_file(path, in_fields=2, padding=1)
    same = PDOConv2d("D4", "2xvector", "vector + trivial", 2, size=3, padding=1, stencil="fd", in_offsets=FACES,
                     out_offsets=FACES)  # fmt: skip
    assert (layer.in_type, layer.out_type) == (same.in_type, same.out_type)
    same.load_state_dict(layer.state_dict())
    x = torch.randn(1, 4, 7, 7)
    torch.testing.assert_close(layer(x), same(x))


def test_places_are_part_of_the_type() -> None:
    faces = placed(field_type("2xvector", group("D4")), FACES)
    vectors = field_type("2xvector", group("D4"))
    assert faces != vectors
    assert vectors != faces
    assert placed(vectors, {"vector": [(0, 0), (0, 0)]}) == vectors
    assert faces == placed(vectors, [(Fraction(1, 2), 0), (0, 0.5)] * 2)
    assert len({faces, vectors, placed(vectors, FACES)}) == 2
    scalars = field_type("trivial", group("D4"))
    assert str(scalars + faces) == "trivial + 2xvector at 1/2,0; 0,1/2"
    assert (scalars + faces)[1:] == faces
    assert (scalars + faces)[:1] == scalars
    assert Merge(scalars, faces).out_type == scalars + faces
    assert Split(scalars + faces).out_types == (scalars, faces)
    assert Split(scalars + faces, "trivial", "2xvector").out_types == (scalars, faces)
    assert GlobalPool(faces).out_type == vectors


def test_restriction_keeps_places() -> None:
    cut = Restrict(placed(field_type("vector + regular", group("D4")), {**FACES, **CORNERS}), "C4")
    assert str(cut.out_type).startswith("vector at 1/2,0; 0,1/2 + 2xregular at 1/2,1/2")
    assert check_equivariance(cut.double(), size=8).error == 0


def test_fields_at_other_places_do_not_meet() -> None:
    first = PDOConv2d("D4", "trivial", "vector", size=3, out_offsets=FACES)
    with pytest.raises(FieldMismatchError, match=r"gives vector at 1/2,0; 0,1/2 of D4, .* takes vector of D4"):
        Sequential(first, PDOConv2d("D4", "vector", "trivial", size=3))
    Sequential(first, PDOConv2d("D4", "vector", "trivial", size=3, in_offsets=FACES))

    class Sum(nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.one = PDOConv2d("D4", "trivial", "vector", size=3, padding=1, out_offsets=FACES)
            self.other = PDOConv2d("D4", "trivial", "vector", size=3, padding=1)

        def forward(self, x: Any) -> Any:
            return self.one(x) + self.other(x)

    with pytest.raises(FieldMismatchError, match="a sum of vector at"):
        check_types(Sum(), 9)


@pytest.mark.parametrize("make", [
    NormNonlinearity, GatedNonlinearity, lambda f: BlurPool(f), lambda f: PerField(f, {"vector": None}),
    lambda f: TensorProduct(f, f, field_type("trivial", group("D4"))), GroupPool,
])  # fmt: skip
def test_parts_that_take_channels_together_refuse(make: Any) -> None:
    with pytest.raises(NotEquivariantError, match="different places"):
        make(placed(field_type("vector", group("D4")), FACES))


@pytest.mark.parametrize(
    "module", [nn.AvgPool2d(2), nn.MaxPool2d(2), nn.Upsample(scale_factor=2), nn.ReflectionPad2d(1), nn.ZeroPad2d(1)]
)
def test_torch_s_windows_are_refused(module: Any) -> None:
    scalars = PDOConv2d("D4", "trivial", "trivial", size=5, out_offsets=[("1/2", "1/2")])
    with pytest.raises(NotEquivariantError, match="different places"):
        Sequential(scalars, module)
    Sequential(scalars, nn.ReLU(), nn.BatchNorm2d(1), nn.Dropout2d())


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"in_offsets": [("1/2", 0)]}, "one place for each of the 2 channels of vector"),
    ({"in_offsets": [("1/3", 0), (0, "1/3")]}, "0 or 1/2 each"),
    ({"in_offsets": "faces"}, "as in"),
    ({"in_offsets": {"vector": [("1/2", 0)]}}, "vector has 2 components, and its offsets are 1 places"),
    ({"in_offsets": {"regular": []}}, "has no such field: it has vector"),
    ({"in_offsets": [("1/2", 0), (0, 0)]}, "give both components offsets that the group exchanges"),
    ({"in_offsets": FACES, "stride": 2}, "stride 1"),
    ({"in_offsets": FACES, "size": 4}, "odd"),
    ({"in_offsets": FACES, "dilation": 2}, "without dilation"),
    ({"in_offsets": FACES, "padding_mode": "reflect", "padding": 1}, "zeros or circularly"),
    ({"in_offsets": FACES, "padding_mode": "circular", "padding": 1}, r"padding=\(2, 2\)"),
    ({"in_offsets": FACES, "stencil": "kernel"}, "staggered grid"),
    ({"in_ofsets": FACES}, "in_offsets"),
]


@pytest.mark.parametrize(("options", "words"), REFUSED)
@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning")
def test_refusals(options: dict[str, Any], words: str) -> None:
    with pytest.raises(PdoBasisError, match=words):
        PDOConv2d("D4", "vector", "trivial", **{"size": 5, **options})
    for name in ("C8", "SO(2)"):
        with pytest.raises(PdoBasisError, match="staggered grid"):
            PDOConv2d(name, "vector", "trivial", size=5, in_offsets=FACES)


def test_weights_know_their_places() -> None:
    one = PDOConv2d("D4", "vector", "trivial", size=3, in_offsets=FACES)
    with pytest.raises(RuntimeError, match="belong to another basis"):
        PDOConv2d("D4", "vector", "trivial", size=3).load_state_dict(one.state_dict())
    again = PDOConv2d("D4", one.in_type, "trivial", size=3)
    again.load_state_dict(one.state_dict())
    with pytest.raises(LayerError, match="leave them out"):
        PDOConv2d("D4", one.in_type, "trivial", size=3, in_offsets=[("1/2", "1/2")] * 2)


def test_operator_and_identity() -> None:
    layer = made("copies at two places", bias=False)
    with torch.no_grad():
        for weight in layer.weights.values():
            weight.zero_()
        layer.weights["vector at 1/2,0; 0,1/2", "trivial at 1/2,1/2"].fill_(1.0)
    operator = layer.operator()
    assert operator[0, 1].coefficients.any()
    assert not operator[0, 0].coefficients.any()
    assert not operator[0, 2].coefficients.any()
    same = PDOConv2d("D4", "vector + trivial", "vector", 2, size=3, padding=1, stencil="fd", in_offsets=FACES,
                     out_offsets=FACES, init="identity", dtype=torch.float64)  # fmt: skip
    x = torch.randn(1, 3, 6, 6, dtype=torch.float64)
    y = same(x)
    torch.testing.assert_close(y[:, 0, :, :-1], x[:, 0, :, :-1])
    torch.testing.assert_close(y[:, 1, :-1], x[:, 1, :-1])
    assert layer.off_grid_error() == 0


def test_transform_of_half_points() -> None:
    """A mirror of a line: points 1/2, 3/2, 5/2 between 0 and 3 change places, and the entry outside stays."""
    fields = placed(field_type("det", group("O(1)")), [("1/2",)])
    x = torch.tensor([[[1.0, 2.0, 3.0, 9.0]]])
    assert transform(x, [[-1.0]], fields).tolist() == [[[-3, -2, -1, -9]]]
