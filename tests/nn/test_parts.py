"""The parts of a network: each commutes with the symmetries of the grid, and stops doing so when it is broken."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.errors import PdoBasisError  # noqa: E402
from pdobasis.layers.elements import grid_elements, rho  # noqa: E402
from pdobasis.layers.errors import LayerError  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    BlurPool,
    EquivarianceWarning,
    FieldBatchNorm,
    FieldDropout,
    FieldGroupNorm,
    FieldInstanceNorm,
    FourierNonlinearity,
    GatedNonlinearity,
    GroupPool,
    InducedNormNonlinearity,
    Mask,
    MaxPool,
    Merge,
    NormMaxPool,
    NormNonlinearity,
    NotEquivariantError,
    PDOConv2d,
    PerField,
    Pointwise,
    Restrict,
    Sequential,
    Split,
    Upsample,
    check_equivariance,
    transform,
)

nn = torch.nn
F = torch.nn.functional


def of(text: str, name: str = "D4") -> Any:
    return field_type(text, group(name))


MIXED = "regular + 2xvector + det + 3xtrivial + regular"
PARTS: dict[str, Any] = {
    "per field": lambda: PerField(
        of("regular + 2xvector + regular + det"),
        {"regular": Pointwise, "irrep(1,1)": NormNonlinearity, "det": NormNonlinearity},
    ),
    "per field with gates": lambda: PerField(
        of("2xvector + regular + vector"), {"vector": GatedNonlinearity, "regular": Pointwise}
    ),
    "per field to scalars": lambda: PerField(of("vector + 2xregular + vector"), {"regular": GroupPool, "vector": None}),
    "dropout": lambda: FieldDropout(of(MIXED)),
    "maximum": lambda: MaxPool(of("regular + quotient(C2) + trivial"), 3, 2, 1),
    "maximum, side by side": lambda: MaxPool(of("regular", "D4"), 3),
    "longest field": lambda: NormMaxPool(of(MIXED), 3, 2, 1),
    "blur": lambda: BlurPool(of(MIXED)),
    "blur in steps of four": lambda: BlurPool(of(MIXED), 4, sigma=1.1, size=5),
    "mask": lambda: Mask(of(MIXED), 13, 1.0),
    "hard mask": lambda: Mask(of(MIXED), 13, sigma=0),
    "finer points": lambda: Upsample(of(MIXED)),
    "finer cells": lambda: Upsample(of(MIXED), 3, "cells"),
    "functions on D4": lambda: FourierNonlinearity(of("3x(irrep(0,0) + irrep(1,0) + irrep(1,1) + irrep(1,1))")),
    "functions on SO(2)": lambda: FourierNonlinearity(of("4xtrivial + 4xirrep(1) + 4xirrep(2)", "SO(2)"), 8),
    "functions on O(2)": lambda: FourierNonlinearity(of("2x(trivial + irrep(1,1) + irrep(1,2) + irrep(1,3))", "O(2)"), 12),
    "induced norm": lambda: InducedNormNonlinearity(of("2xinduced(C4, irrep(1)) + regular + vector")),
    "instance norm": lambda: FieldInstanceNorm(of(MIXED), affine=True),
    "group norm": lambda: FieldGroupNorm(4, of(MIXED)),
}  # fmt: skip


def made(name: str) -> Any:
    torch.manual_seed(0)
    part = PARTS[name]().double()
    with torch.no_grad():
        for parameter in part.parameters():
            parameter.add_(torch.rand_like(parameter) - 0.3)
    return part


@pytest.mark.parametrize("name", PARTS)
def test_parts_are_equivariant(name: str) -> None:
    part = made(name)
    size = 13 if name != "maximum, side by side" else 12
    with warnings.catch_warnings():
        warnings.simplefilter("error", EquivarianceWarning)
        report = check_equivariance(part, size=size)
    assert len(report.errors) == {"SO(2)": 4}.get(part.in_type.group.name, 8)
    assert report.error <= 1e-13


@pytest.mark.parametrize("name", PARTS)
def test_half_precision_and_back_loses_no_digit(name: str) -> None:
    part = made(name)
    before = {k: b.clone() for k, b in part.named_buffers()}
    part.half().double()
    assert all(torch.equal(b, before[k]) for k, b in part.named_buffers())


def shifted(function: Any, *shape: int) -> Any:
    """Channel by channel another number: what no part may do."""
    return lambda x: function(x + torch.linspace(0, 1, x.shape[1], dtype=x.dtype).view(1, -1, *(1,) * (x.ndim - 2)))


BROKEN: dict[str, Any] = {
    # Each as a user might write it instead, on the same fields.
    "per field": (lambda: nn.ReLU(), "regular + 2xvector + regular + det"),
    "maximum": (lambda: nn.MaxPool2d(3, 2), "vector"),
    "longest field": (lambda: nn.MaxPool2d(3, 2, 1), "2xvector"),
    "blur": (lambda: nn.AvgPool2d(2, 2), "regular"),
    "finer points": (lambda: nn.Sequential(nn.Upsample(scale_factor=2, mode="nearest"), nn.ZeroPad2d((0, 1, 0, 1))), "vector"),
    "induced norm": (lambda: nn.ReLU(), "induced(C4, irrep(1))"),
    "instance norm": (lambda: nn.InstanceNorm2d(8, affine=True), "regular"),
    "group norm": (lambda: nn.GroupNorm(1, 2, affine=False), "vector"),
    "mask": (lambda: nn.ZeroPad2d((-1, 1, 0, 0)), "vector"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_the_check_sees_what_torch_alone_would_do(name: str) -> None:
    make, text = BROKEN[name]
    fields, module = of(text), make()
    with torch.no_grad():
        for n, parameter in enumerate(module.parameters()):
            parameter.copy_(torch.linspace(n, n + 1, len(parameter)))
    assert check_equivariance(module, fields, fields, size=13).error > 1e-3


def test_the_check_sees_broken_parts() -> None:
    """One number changed in what makes each of them equivariant."""
    blur = made("blur")
    blur.kernel[0, 0, 0, 1] += 0.1
    fourier = made("functions on SO(2)")
    fourier.there[1, 2] += 0.1
    mask = made("mask")
    mask.disc[0, 3] += 0.5
    norm = made("group norm")
    norm.spreading[0, 1] += 0.5
    induced = InducedNormNonlinearity(of("induced(C4, irrep(1)) + regular"), torch.tanh)
    induced.sizes[1] = 2  # blocks that do not follow those of the representation
    for part in (blur, fourier, mask, norm, induced):
        assert check_equivariance(part, size=13).error > 1e-3, part


def one_channel(x: Any, first: int) -> Any:
    """One channel of a field by another number than the others."""
    return torch.cat([x[:, :first], 1.5 * x[:, first : first + 1], x[:, first + 1 :]], 1)


def two_channels(x: Any, first: int) -> Any:
    """Two channels of a field change places."""
    return torch.cat([x[:, :first], x[:, first : first + 2].flip(1), x[:, first + 2 :]], 1)


def one_point(x: Any, first: int) -> Any:
    """A point beside the middle, which quarter turns move."""
    weights = torch.ones(x.shape[2:], dtype=x.dtype)
    weights[x.shape[2] // 2, x.shape[3] // 2 - 1] = 1.5
    return x * weights


def start(fields: Any) -> int | None:
    """The first channel of a field that has several."""
    return next((s.start for s in fields.slices if s.stop - s.start > 1), None)


@pytest.mark.parametrize("damage", [one_channel, two_channels, one_point])
@pytest.mark.parametrize("name", PARTS)
def test_the_check_sees_every_part_broken(name: str, damage: Any) -> None:
    """In what it takes, and in what it gives."""
    part = made(name)
    size = 13 if name != "maximum, side by side" else 12
    taken, given = start(part.in_type), start(part.out_type)
    hook = part.register_forward_pre_hook(lambda _, args: damage(args[0], taken))
    assert check_equivariance(part, size=size).error > 1e-3
    hook.remove()
    assert check_equivariance(part, size=size).error <= 1e-13
    part.register_forward_hook(lambda _, args, y: damage(y, given))
    assert check_equivariance(part, size=size).error > 1e-3


@pytest.mark.parametrize("name", PARTS)
def test_the_check_sees_every_buffer_changed(name: str) -> None:
    """Numbers that were computed, not learned: with others in their place the part is not equivariant any more."""
    count = len([b for b in made(name).buffers() if b.is_floating_point()])
    for k in range(count):
        part = made(name)
        buffer = [b for b in part.buffers() if b.is_floating_point()][k]
        buffer.mul_(1 + torch.rand(buffer.shape, dtype=buffer.dtype))
        assert check_equivariance(part, size=13).error > 1e-3


def test_dropout_in_training() -> None:
    """With the same draw it commutes with every element; channels that are dropped one by one do not."""
    fields = of(MIXED)
    x = torch.randn(3, fields.size, 5, 5, dtype=torch.float64)

    def drawn(module: Any, x: Any) -> Any:
        torch.manual_seed(1)
        return module(x)

    ours, theirs = FieldDropout(fields, 0.4), nn.Dropout2d(0.4)
    for g in grid_elements(group("D4"))[1:]:
        moved = transform(x, g, fields)
        assert torch.equal(drawn(ours, moved), transform(drawn(ours, x), g, fields))
        assert not torch.allclose(drawn(theirs, moved), transform(drawn(theirs, x), g, fields))
    y = drawn(ours, x)
    for field in fields.slices:
        kept = (y[:, field] != 0).flatten(1)
        assert torch.equal(kept.any(1), kept.all(1))
    torch.testing.assert_close(y[y != 0], x[y != 0] / 0.6)
    assert torch.equal(FieldDropout(fields, 0.4).eval()(x), x)


@pytest.mark.parametrize("make", [
    lambda f: MaxPool(f, 2), lambda f: BlurPool(f), lambda f: NormMaxPool(f, 2), lambda f: MaxPool(f, 3, 3),
])  # fmt: skip
def test_sizes_that_do_not_fit_warn_and_break(make: Any) -> None:
    part = make(of("regular")).double()
    for size in (12, 13, 14):
        exact = part.is_exact_on((size, size))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            report = check_equivariance(part, size=size)
        assert bool(caught) is not exact
        # Whether the sizes fit is what decides, to rounding.
        assert (report.error <= 1e-13) is exact
        if caught:
            assert issubclass(caught[0].category, EquivarianceWarning)
            assert f"on {size} points" in str(caught[0].message)


def test_windows_agree_with_torch() -> None:
    x = torch.randn(2, 4, 9, 9, dtype=torch.float64)
    scalars = of("4xtrivial")
    assert torch.equal(MaxPool(scalars, 3, 2, 1)(x), F.max_pool2d(x, 3, 2, 1))
    # The longest of positive scalars is the largest.
    assert torch.equal(NormMaxPool(scalars, 3, 2, 1)(x.abs()), F.max_pool2d(x.abs(), 3, 2, 1))
    # Constants stay where the window lies inside of the image, and a blur of one point is that point.
    inside = BlurPool(scalars).double()(torch.ones_like(x))[:, :, 1:-1, 1:-1]
    torch.testing.assert_close(inside, torch.ones_like(inside))
    assert torch.equal(BlurPool(scalars, 2, size=1).double()(x), x[:, :, ::2, ::2])


def test_the_longest_vector_is_taken_whole() -> None:
    fields = of("vector")
    x = torch.zeros(1, 2, 3, 3, dtype=torch.float64)
    x[0, :, 2, 0] = torch.tensor([3.0, -4.0])
    x[0, :, 0, 1] = torch.tensor([4.5, 0.0])
    assert NormMaxPool(fields, 3)(x).flatten().tolist() == [3, -4]


@pytest.mark.parametrize(("name", "dim"), [("flip", 1), ("Oh", 3)])
def test_other_dimensions(name: str, dim: int) -> None:
    fields = field_type("vector + regular", group(name, dim=dim))
    parts = [
        BlurPool(fields), NormMaxPool(fields, 3, 2, 1), Upsample(fields), Upsample(fields, 2, "cells"), Mask(fields, 5),
        MaxPool(field_type("regular", group(name, dim=dim)), 3, 2, 1), FieldInstanceNorm(fields, affine=True),
    ]  # fmt: skip
    for part in parts:
        assert check_equivariance(part.double(), size=5, elements=grid_elements(fields.group)[:6]).error <= 1e-13


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_finer_points_keep_the_old_ones_and_linear_functions(factor: int) -> None:
    up = Upsample(of("2xtrivial"), factor)
    rows, columns = torch.meshgrid(torch.arange(5.0).double(), torch.arange(4.0).double(), indexing="ij")
    x = torch.stack([rows + 2 * columns, rows * columns])[None]
    y = up(x)
    assert y.shape[2:] == (4 * factor + 1, 3 * factor + 1)
    torch.testing.assert_close(y[:, :, ::factor, ::factor], x)
    fine = torch.meshgrid(torch.arange(4 * factor + 1), torch.arange(3 * factor + 1), indexing="ij")
    r, c = (f.double() / factor for f in fine)
    torch.testing.assert_close(y, torch.stack([r + 2 * c, r * c])[None])


def test_mask_is_a_disc() -> None:
    ones = torch.ones(1, 1, 9, 9, dtype=torch.float64)
    hard = Mask(of("trivial"), 9, sigma=0).double()(ones)[0, 0]
    lengths = torch.hypot(*torch.meshgrid(*(torch.arange(-4.0, 5.0).double(),) * 2, indexing="ij"))
    assert torch.equal(hard, (lengths <= 4).double())
    soft = Mask(of("trivial"), 9, margin=1, sigma=0.7).double()(ones)[0, 0]
    assert torch.equal(soft == 1, lengths <= 3)
    assert float(soft[0, 0]) == pytest.approx(np.exp(-(32 - 9) / (2 * 0.49)), rel=1e-12)


def test_fourier_of_the_identity_is_the_identity() -> None:
    for name in ("functions on D4", "functions on SO(2)", "functions on O(2)"):
        part = made(name)
        part.function = lambda x: x
        x = torch.randn(2, part.in_type.size, 3, 3, dtype=torch.float64)
        torch.testing.assert_close(part(x), x, rtol=1e-13, atol=1e-13)


def test_fourier_squares_are_products_of_series() -> None:
    """(a0 + a1 cos + b1 sin)^2 has the coefficients that trigonometry gives, kept up to frequency 2."""
    part = FourierNonlinearity(of("trivial + irrep(1) + irrep(2)", "SO(2)"), 12, torch.square).double()
    a0, a1, b1 = 0.5, 2.0, -3.0
    x = torch.tensor([a0, a1, b1, 0.0, 0.0], dtype=torch.float64)[None]
    expected = [a0**2 + (a1**2 + b1**2) / 2, 2 * a0 * a1, 2 * a0 * b1, (a1**2 - b1**2) / 2, a1 * b1]
    torch.testing.assert_close(part(x)[0], torch.tensor(expected, dtype=torch.float64))


def test_fourier_of_a_regular_field_is_pointwise() -> None:
    part = FourierNonlinearity(of("2xregular", "C8")).double()
    x = torch.randn(1, 16, 3, 3, dtype=torch.float64)
    torch.testing.assert_close(part(x), torch.relu(x))


def test_fourier_samples_that_break_the_grid_warn() -> None:
    with pytest.warns(EquivarianceWarning, match="multiple of 4"):
        part = FourierNonlinearity(of("trivial + irrep(1)", "SO(2)"), 6)
    assert check_equivariance(part.double(), size=5).error > 1e-3
    turns = [np.linalg.matrix_power(np.array([[0.5, -(0.75**0.5)], [0.75**0.5, 0.5]]), k) for k in range(6)]
    x = torch.randn(1, 3, dtype=torch.float64)
    for g in turns:
        torch.testing.assert_close(part(transform(x, g, part.in_type)), transform(part(x), g, part.in_type))


def test_induced_norms_are_norms_of_blocks() -> None:
    fields = of("induced(C4, irrep(1))", "D4")
    part = InducedNormNonlinearity(fields, torch.tanh, bias=False)
    x = torch.randn(1, 4, 2, dtype=torch.float64)
    norms = torch.stack([x[:, :2].norm(dim=1), x[:, 2:].norm(dim=1)], 1).repeat_interleave(2, 1)
    torch.testing.assert_close(part(x), x * torch.tanh(norms) / norms)
    vectors = of("3xvector")
    same = NormNonlinearity(vectors, torch.tanh)
    y = torch.randn(1, 6, 4, 4, dtype=torch.float64)
    torch.testing.assert_close(InducedNormNonlinearity(vectors, torch.tanh)(y), same(y))


@pytest.mark.parametrize("name", ["D4", "D8"])
def test_induced_blocks_of_rotations(name: str) -> None:
    """Turned by 45 degrees a block is no signed permutation: its channels alone have no invariant length."""
    fields = of("induced(C8, irrep(1)) + induced(flip, trivial)" if name == "D8" else "induced(C2, irrep(1))", name)
    part: Any = InducedNormNonlinearity(fields).double()
    with torch.no_grad():
        part.bias.add_(torch.rand_like(part.bias) - 0.8)
    x = torch.randn(5, fields.size, dtype=torch.float64)
    for k in range(group(name).order or 0):
        torch.testing.assert_close(part(transform(x, k, fields)), transform(part(x), k, fields))


def test_norms_of_scalars_are_those_of_torch() -> None:
    x = torch.randn(3, 6, 5, 5, dtype=torch.float64) * 3 + 1
    scalars = of("6xtrivial")
    pairs = [
        (FieldInstanceNorm(scalars, affine=True), nn.InstanceNorm2d(6, affine=True)),
        (FieldGroupNorm(2, scalars), nn.GroupNorm(2, 6)),
        (FieldGroupNorm(1, scalars, affine=False), nn.GroupNorm(1, 6, affine=False)),
    ]
    for ours, theirs in pairs:
        ours, theirs = ours.double(), theirs.double()
        assert {k: v.shape for k, v in ours.state_dict().items()} == {
            k: v.shape for k, v in theirs.state_dict().items()
        }
        with torch.no_grad():
            for a, b in zip(ours.parameters(), theirs.parameters(), strict=True):
                a.copy_(b.add_(torch.randn_like(b)))
        torch.testing.assert_close(ours(x), theirs(x))
    # A group of regular fields has the mean and variance of all their numbers, as torch takes them.
    regular = of("2xregular")
    y = torch.randn(3, 16, 5, 5, dtype=torch.float64) * 2 - 1
    torch.testing.assert_close(FieldGroupNorm(2, regular, affine=False).double()(y), F.group_norm(y, 2))


def test_norms_normalise() -> None:
    fields = of("vector + regular")
    x = torch.randn(2, 10, 6, 6, dtype=torch.float64) * 5 + 3
    y = FieldInstanceNorm(fields, eps=0.0).double()(x)
    # A vector keeps its mean, which points somewhere, over the root of its mean square; a regular field loses it.
    ones = torch.ones(2, dtype=torch.float64)
    torch.testing.assert_close(y[:, :2].square().mean((1, 2, 3)), ones)
    root = x[:, :2].square().mean((1, 2, 3)).sqrt()
    torch.testing.assert_close(y[:, :2].mean((2, 3)), x[:, :2].mean((2, 3)) / root[:, None])
    torch.testing.assert_close(y[:, 2:].mean((1, 2, 3)), 0 * ones)
    torch.testing.assert_close(y[:, 2:].square().mean((1, 2, 3)), ones)


def test_split_and_merge() -> None:
    fields = of("regular + 2xvector + trivial")
    split = Split(fields)
    assert [t.spec for t in split.out_types] == ["regular", "2xvector", "trivial"]
    merge = Merge(*split.out_types)
    assert merge.out_type == fields
    x = torch.randn(1, 13, 3, 3)
    assert torch.equal(merge(split(x)), x)
    assert torch.equal(merge(*split(x)), x)
    halves = Split(fields, "regular + vector", "vector + trivial")
    assert [tuple(part.shape) for part in halves(x)] == [(1, 10, 3, 3), (1, 3, 3, 3)]
    assert check_equivariance(Sequential(halves, Merge(*halves.out_types)), fields, fields, size=3).error == 0


def test_per_field_is_what_its_parts_are() -> None:
    fields = of("regular + 2xvector + regular + vector")
    part = PerField(fields, {"regular": lambda f: Pointwise(f, torch.tanh), "vector": GatedNonlinearity})
    assert part.in_type.spec == "regular + 2xvector + regular + 4xvector".replace("4xvector", "vector + 3xtrivial")
    assert part.out_type == fields
    x = torch.randn(2, part.in_type.size, 3, 3)
    y = part(x)
    assert torch.equal(y[:, :8], torch.tanh(x[:, :8]))
    assert torch.equal(y[:, 12:20], torch.tanh(x[:, 12:20]))
    gates = torch.sigmoid(x[:, 22:25])
    vectors = torch.cat([x[:, 8:12], x[:, 20:22]], 1)
    assert torch.equal(torch.cat([y[:, 8:12], y[:, 20:22]], 1), vectors * gates.repeat_interleave(2, 1))
    scalars = PerField(fields, {"regular": GroupPool, "vector": nn.AvgPool2d(1)})
    assert scalars.out_type.spec == "trivial + 2xvector + trivial + vector"


@pytest.mark.parametrize(("call", "words"), [
    (lambda: PerField(of("regular + vector"), {"regular": Pointwise}), "no module for vector"),
    (lambda: PerField(of("regular"), {"regular": None, "vector": None}), "regular has no such field"),
    (lambda: PerField(of("vector"), {"vector": None, "irrep(1,1)": None}), "two modules"),
    (lambda: PerField(of("vector"), {"vector": Pointwise}), "use NormNonlinearity"),
    (lambda: PerField(of("vector"), {"vector": nn.ReLU()}), "NormNonlinearity"),
    (lambda: PerField(of("regular"), {"regular": nn.BatchNorm2d(8)}), "FieldBatchNorm"),
    (lambda: PerField(of("regular"), {"regular": lambda f: Restrict(f, "C4")}), "makes 2xregular of regular"),
    (lambda: PerField(of("regular"), {"regular": Pointwise(of("2xregular"))}), None),
    (lambda: PerField(of("regular"), {"regular": Pointwise(of("vector + regular", "C1"))}), "takes"),
    (lambda: Split(of("regular + vector"), "vector", "regular"), "do not make up"),
    (lambda: Merge(), "needs the field types"),
    (lambda: Merge(of("vector"), of("vector"))(torch.zeros(1, 2, 3)), "takes 2 tensors, got 1"),
    (lambda: MaxPool(of("vector"), 2), "NormMaxPool"),
    (lambda: NormMaxPool(of("vector", "GL(2)"), 2), "does not preserve"),
    (lambda: MaxPool(of("regular"), 2, padding=2), "more than half"),
    (lambda: MaxPool(of("regular"), 0), "size has to be"),
    (lambda: MaxPool(of("regular"), 2)(torch.zeros(1, 8, 5)), r"\(batch, 8, 2 space axes\)"),
    (lambda: BlurPool(of("regular"), sigma=0), "sigma"),
    (lambda: BlurPool(of("regular"), size=4), "odd"),
    (lambda: Mask(of("regular"), 5)(torch.zeros(1, 8, 5, 6)), "5x5 points"),
    (lambda: Mask(of("regular"), 5, -1), "margin"),
    (lambda: Upsample(of("regular"), align="corners"), "unknown align 'corners': one of points, cells"),
    (lambda: FieldDropout(of("regular"), 2), "probability"),
    (lambda: FieldGroupNorm(3, of("2xregular")), "do not divide the 2 fields"),
    (lambda: FieldInstanceNorm(of("sym(2, vector)", "C8")), "does not preserve"),
    (lambda: FourierNonlinearity(of("trivial", "SO(2)")), "give samples"),
    (lambda: FourierNonlinearity(of("irrep(1) + irrep(3)", "SO(2)"), 4), "do not tell them apart: take more samples"),
    (lambda: FourierNonlinearity(of("trivial + 2xirrep(1)", "SO(2)"), 16), "trivial . 2xirrep.1. are not those"),
    (lambda: FourierNonlinearity(of("trivial", "C8"), 8), "name a subgroup of C8"),
    (lambda: FourierNonlinearity(of("trivial", "C8"), "C16"), "not a subgroup"),
    (lambda: InducedNormNonlinearity(of("sym(2, vector)", "C8")), "norm of a block"),
])  # fmt: skip
def test_refusals(call: Any, words: str | None) -> None:
    if words is None:
        with pytest.raises(PdoBasisError):
            call()
        return
    with pytest.raises(PdoBasisError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_network_of_mixed_fields_trains() -> None:
    torch.manual_seed(0)
    act = PerField(of("2xregular + 2xvector"), {"regular": Pointwise, "vector": GatedNonlinearity})
    first = PDOConv2d("D4", "vector", act.in_type, size=3, padding=1)
    pool = BlurPool(act.out_type)
    last = PDOConv2d("D4", act.out_type, "vector", size=3, padding=1)
    model = Sequential(first, FieldBatchNorm(first.out_type), act, FieldDropout(act.out_type, 0.1), pool, last)
    assert check_equivariance(model.double(), size=13).error <= 1e-12
    model(torch.randn(2, 2, 13, 13, dtype=torch.float64)).square().sum().backward()
    assert all(p.grad is not None and bool(p.grad.abs().sum() > 0) for p in model.parameters())


def test_rho_of_nothing_is_guessed() -> None:
    """The images that the tests above turn are turned by the representation itself."""
    g = np.array([[0, -1], [1, 0]])
    assert np.array_equal(rho(of("vector").distinct[0], g), g)
    with pytest.raises(NotEquivariantError):
        Pointwise(of("vector"))


@pytest.mark.parametrize("kind", [NormNonlinearity, InducedNormNonlinearity])
@pytest.mark.parametrize("function", [torch.relu, torch.nn.functional.relu, torch.nn.ReLU()])
def test_a_norm_nonlinearity_that_does_nothing_is_refused(kind: Any, function: Any) -> None:
    """Lengths are never negative, so that without a bias the rectifier is the identity."""
    fields = field_type("2xvector", group("D4"))
    with pytest.raises(LayerError, match="without a bias is the identity"):
        kind(fields, function, bias=False)
    x = torch.randn(3, 4, 5, 5)
    for part in (kind(fields, function), kind(fields, torch.tanh, bias=False)):
        assert float((part(x) - x).detach().abs().max()) > 0.1
