"""What a network says of itself: printed, and as a table."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    Adjoint,
    BlurPool,
    FieldBatchNorm,
    FieldDropout,
    FieldGroupNorm,
    FieldInstanceNorm,
    FieldMismatchError,
    FourierNonlinearity,
    GatedNonlinearity,
    GlobalPool,
    GroupPool,
    InducedNormNonlinearity,
    LayerError,
    Mask,
    MaxPool,
    Merge,
    NormMaxPool,
    NormNonlinearity,
    NormPool,
    PDOConv1d,
    PDOConv2d,
    PDOConvTranspose2d,
    PDOPointConv,
    PerField,
    Pointwise,
    Restrict,
    Sequential,
    Split,
    Upsample,
    check_equivariance,
    summary,
)
from pdobasis.nn.models import UNet, WideResNet  # noqa: E402

nn = torch.nn


def of(text: str, name: str = "D4") -> Any:
    return field_type(text, group(name))


PRINTED: list[tuple[Any, str]] = [
    (lambda: PDOConv2d("D8", "vector + trivial", "2xregular", 2, size=3, stencil="fd", padding=1),
     "PDOConv2d(D8, vector + trivial -> 2xregular, order 2, fd, size (3, 3), stride=(1, 1), padding=(1, 1), "
     "apply='dense', 38 parameters)"),
    (lambda: PDOConv2d("SO(2)", "vector", "trivial", 1, size=5, stencil="kernel", bias=False),
     "PDOConv2d(SO(2), vector -> trivial, order 1, kernel, radii=(0.0, 1.0, 2.0), widths=0.6, size (5, 5), "
     "stride=(1, 1), padding=(0, 0), apply='dense', bias=False, 4 parameters)"),
    (lambda: PDOConvTranspose2d("C4", "vector", "trivial", 1, size=3, stencil="fd"),
     "PDOConvTranspose2d(C4, vector -> trivial, order 1, fd, size (3, 3), stride=(1, 1), padding=(0, 0), 3 parameters)"),
    (lambda: PDOPointConv("C4", "vector", "trivial", 1, degree=2),
     "PDOPointConv(C4, vector -> trivial, order 1, rbffd, degree=2, phi=phs3, neighbours=20, 3 parameters)"),
    (lambda: Pointwise(of("2xregular")), "Pointwise(2xregular of D4, relu)"),
    (lambda: NormNonlinearity(of("vector"), torch.tanh), "NormNonlinearity(vector of D4, tanh)"),
    (lambda: GatedNonlinearity(of("2xvector")), "GatedNonlinearity(2xvector of D4, sigmoid)"),
    (lambda: FourierNonlinearity(of("trivial + irrep(1)", "SO(2)"), 8),
     "FourierNonlinearity(trivial + irrep(1) of SO(2), 8 samples of C8, relu)"),
    (lambda: InducedNormNonlinearity(of("induced(C4, irrep(1))")),
     "InducedNormNonlinearity(induced(C4, irrep(1)) of D4, relu)"),
    (lambda: FieldInstanceNorm(of("vector")), "FieldInstanceNorm(vector of D4, eps=1e-05, affine=False)"),
    (lambda: FieldGroupNorm(2, of("2xvector")), "FieldGroupNorm(2xvector of D4, groups=2, eps=1e-05, affine=True)"),
    (lambda: FieldDropout(of("vector"), 0.1), "FieldDropout(vector of D4, p=0.1)"),
    (lambda: GroupPool(of("regular")), "GroupPool(regular of D4)"),
    (lambda: NormPool(of("vector")), "NormPool(vector of D4)"),
    (lambda: GlobalPool(of("vector")), "GlobalPool(vector of D4, mean)"),
    (lambda: MaxPool(of("regular"), 2), "MaxPool(regular of D4, size=2, stride=2, padding=0)"),
    (lambda: NormMaxPool(of("vector"), 3, 2, 1), "NormMaxPool(vector of D4, size=3, stride=2, padding=1)"),
    (lambda: BlurPool(of("vector")), "BlurPool(vector of D4, size=5, stride=2, padding=2, sigma=0.667)"),
    (lambda: Mask(of("vector"), 9), "Mask(vector of D4, size=9, margin=0, sigma=1)"),
    (lambda: Upsample(of("vector")), "Upsample(vector of D4, factor=2, align='points')"),
    (lambda: Restrict(of("regular"), "C4"), "Restrict(regular of D4 -> 2xregular of C4)"),
    (lambda: Split(of("regular + vector")), "Split(regular + vector of D4 -> regular | vector)"),
    (lambda: Merge(of("regular"), of("vector")), "Merge(regular | vector -> regular + vector of D4)"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "text"), PRINTED)
def test_print(make: Any, text: str) -> None:
    assert repr(make()) == text


def test_print_of_batch_norm() -> None:
    assert repr(FieldBatchNorm(of("2xregular"))).splitlines()[:2] == ["FieldBatchNorm(", "  2xregular of D4"]


def test_print_of_several_kinds() -> None:
    part = PerField(of("regular + vector"), {"regular": lambda f: Pointwise(f, nn.ELU()), "vector": GatedNonlinearity})
    assert (
        repr(part)
        == """PerField(
  regular + vector + trivial of D4
  (parts): ModuleDict(
    (regular): Pointwise(
      regular of D4
      (function): ELU(alpha=1.0)
    )
    (vector): GatedNonlinearity(vector of D4, sigmoid)
  )
)"""
    )


@pytest.mark.parametrize("order", [0, 1, 3])
def test_layers_know_their_order(order: int) -> None:
    assert PDOConv2d("C4", "trivial", "trivial", order, size=5).order == order
    assert PDOPointConv("C4", "trivial", "trivial", order, neighbours=30).order == order


def network(size: int = 2) -> Any:
    first = PDOConv2d("D8", "vector", "2xregular", 2, size=5, padding=2)
    pool = MaxPool(first.out_type, size)
    cut = Restrict(first.out_type, "C4")
    second = PDOConv2d("C4", cut.out_type, "regular + vector", 1, size=3, stencil="fd")
    last = PerField(second.out_type, {"regular": GroupPool, "vector": NormPool})
    return Sequential(
        first, nn.ReLU(), pool, cut, second, last, nn.BatchNorm2d(2), GlobalPool(last.out_type), nn.Linear(2, 10), nn.Softmax(1)
    )  # fmt: skip


def test_summary_of_a_network() -> None:
    found = summary(network(), 12)
    assert (
        str(found)
        == """\
layer          fields                  size   parameters  receptive field  exact
0 PDOConv2d    2xregular of D8         12x12          26  5x5              yes
1 ReLU         2xregular of D8         12x12           0  5x5              yes
2 MaxPool      2xregular of D8         6x6             0  6x6              yes
3 Restrict     8xregular of C4         6x6             0  6x6              yes
4 PDOConv2d    regular + vector of C4  4x4           145  10x10            yes
5 PerField     2xtrivial of C4         4x4             0  10x10            yes
6 BatchNorm2d  2xtrivial of C4         4x4             4  10x10            yes
7 GlobalPool   2xtrivial of C4         -               0  all              yes
8 Linear       10xtrivial of C4        -              30  all              yes
9 Softmax      -                       -               0  all              -
205 parameters; exactly equivariant on the grid"""
    )
    assert found.parameters == sum(p.numel() for p in network().parameters())


@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning")
@pytest.mark.parametrize("size", [11, 12, 13])
@pytest.mark.parametrize("window", [2, 3])
def test_exact_is_what_the_check_finds(size: int, window: int) -> None:
    """The table says yes exactly where turned images give turned outputs to rounding."""
    model = network(window)[:-1].double()
    found = summary(model, size)
    assert (check_equivariance(model, size=size).error <= 1e-12) is found.exact
    assert [row.exact for row in found.rows].count(False) == (not found.exact)
    if not found.exact:
        assert str(found).endswith("parameters; NOT exactly equivariant on the grid")


RECEPTIVE: list[tuple[Any, int, str]] = [
    (lambda: PDOConv2d("C4", "trivial", "trivial", 2, size=5), 21, "5x5"),
    (lambda: PDOConv2d("C4", "trivial", "trivial", 2, size=3, dilation=2), 21, "5x5"),
    (lambda: BlurPool(of("trivial", "C4"), 2), 21, "5x5"),
    (lambda: Sequential(BlurPool(of("trivial", "C4"), 2), PDOConv2d("C4", "trivial", "trivial", size=3)), 21, "9x9"),
    (lambda: Sequential(BlurPool(of("trivial", "C4"), 2, size=1), Upsample(of("trivial", "C4"))), 21, "3x3"),
    (lambda: Sequential(BlurPool(of("trivial", "C4"), 2, size=1), Upsample(of("trivial", "C4")),
                        PDOConv2d("C4", "trivial", "trivial", size=3)), 21, "5x5"),
    (lambda: PDOConv2d("C4", "trivial", "trivial", 1, size=(3, 5)), 21, "3x5"),
    (lambda: PDOConvTranspose2d("C4", "trivial", "trivial", 2, size=3, stride=2, padding=1), 9, "2x2"),
    (lambda: PDOConvTranspose2d("C4", "trivial", "trivial", 2, size=5, stride=2, padding=1), 9, "3x3"),
    (lambda: Adjoint(PDOConv2d("C4", "trivial", "trivial", 2, size=3, stride=2)), 9, "2x2"),
    (lambda: Sequential(BlurPool(of("trivial", "C4"), 2, size=1), Upsample(of("trivial", "C4"), 2, "cells")), 20, "3x3"),
    (lambda: nn.Sequential(Pointwise(of("trivial", "C4")), nn.AvgPool2d(3, 2), nn.AvgPool2d(2)), 21, "5x5"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning")
@pytest.mark.parametrize(("make", "size", "expected"), RECEPTIVE)
def test_receptive_fields_are_where_gradients_go(make: Any, size: int, expected: str) -> None:
    """The input points that some output depends on span what the table says, and no more."""
    torch.manual_seed(0)
    model = make()
    assert summary(model, size).rows[-1].receptive_field == expected
    widths = []
    x = torch.rand(1, 1, size, size, requires_grad=True)
    y = model(x)
    middle = y.shape[2] // 2
    for row in range(middle - 1, middle + 2):
        for column in range(middle - 1, middle + 2):
            (gradient,) = torch.autograd.grad(y[0, 0, row, column], x, retain_graph=True)
            spans = [gradient[0, 0].abs().sum(1 - axis).nonzero() for axis in (0, 1)]
            widths.append([int(span.max() - span.min()) + 1 for span in spans])
    # Between the points of a coarser grid an output sees one point more than at them.
    assert [max(w) for w in zip(*widths, strict=True)] == [int(n) for n in expected.split("x")]


def test_summary_of_a_forward_of_one_s_own() -> None:
    found = summary(UNet("C4", "vector", fields=(1, 1), size=3), 8)
    assert [row.layer for row in found.rows][-1] == "last PDOConv2d"
    assert all(row.exact for row in found.rows)
    rows = {row.layer: row.receptive_field for row in found.rows}
    # The way up sees what the way down saw at the coarser level, and the concatenation the larger of the two.
    assert rows["down.1.3 PDOConv2d"] == "14x14"
    assert rows["enlarge Upsample"] == "16x16"
    assert rows["up.0.0 PDOConv2d"] == "18x18"


def test_long_sums_are_cut() -> None:
    layer = PDOConv2d("C4", "trivial", "2xregular + 3xvector + 4xtrivial + irrep(2)", 2, size=3)
    assert summary(layer, 5).rows[0].fields == "2xregular + 3xvector + 4xtriv… of C4"
    split = Split(of("regular + vector"))
    assert summary(split, 5).rows[0].fields == "regular | vector of D4"


def test_summary_in_other_dimensions_and_sizes() -> None:
    line = PDOConv1d("flip", "trivial", "regular", 1, size=3)
    assert summary(line, 7).rows[0].size == (5,)
    assert summary(PDOConv2d("C4", "trivial", "trivial", 1, size=3), (5, 8)).rows[0].size == (3, 6)


def test_summary_refuses() -> None:
    with pytest.raises(LayerError, match="has an in_type"):
        summary(nn.Sequential(nn.ReLU()), 5)
    with pytest.raises(LayerError, match="size has to be"):
        summary(network(), 0)
    model = nn.Sequential(Pointwise(of("regular")), Pointwise(of("8xtrivial")))
    with pytest.raises(FieldMismatchError, match=r"0 .Pointwise. gives"):
        summary(model, 5)


@pytest.mark.parametrize(("make", "size"), [
    (lambda: WideResNet(16, 1), 33), (lambda: UNet("C8", "3xtrivial", "vector + trivial", fields=(1, 1, 1)), 16),
])  # fmt: skip
def test_tables_fit_into_a_terminal(make: Any, size: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make()
    found = summary(model, size)
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 80
    # Rows still tell their layers, kinds and groups apart.
    shown = lines[2:-1]
    assert [line.split()[0] for line in shown] == [row.layer.split()[0] for row in found.rows]
    assert all(line.split()[1][:4] == row.layer.split()[1][:4] for line, row in zip(shown, found.rows, strict=True))
    with_fields = [(line, row) for line, row in zip(shown, found.rows, strict=True) if row.fields != "-"]
    assert all(f" of {row.fields.rpartition(' of ')[2]} " in line for line, row in with_fields)
