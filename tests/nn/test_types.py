"""Networks whose types do not meet are refused when they are built, with both modules and both types in one line."""

from __future__ import annotations

import subprocess
import sys
from collections import OrderedDict
from functools import partial
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.errors import PdoBasisError  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    Adjoint,
    BlurPool,
    FieldBatchNorm,
    FieldDropout,
    FieldMismatchError,
    GatedNonlinearity,
    GlobalPool,
    GroupPool,
    LayerError,
    Merge,
    NormNonlinearity,
    NotEquivariantError,
    PDOConv2d,
    PDOConvTranspose2d,
    PDOPointConv,
    Pointwise,
    Restrict,
    Sequential,
    Split,
    TensorProduct,
    check_equivariance,
    check_types,
)
from pdobasis.nn.models import PointNetwork, UNet, WideResNet, regular_network, spatial_network  # noqa: E402

nn = torch.nn
F = torch.nn.functional


def of(text: str, name: str = "D4") -> Any:
    return field_type(text, group(name))


def conv(source: Any, target: Any, name: str = "D4") -> Any:
    return PDOConv2d(name, source, target, order=1, size=3, padding=1)


def refused(call: Any, error: type[Exception] = FieldMismatchError) -> str:
    with pytest.raises(error) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_channels_that_transform_otherwise_do_not_fit() -> None:
    """D8 4xregular into 64xtrivial runs in nn.Sequential, and is not equivariant at all."""
    pair = (conv("trivial", "4xregular", "D8"), conv("64xtrivial", "trivial", "D8"))
    silent = nn.Sequential(*pair).double()
    assert check_equivariance(silent).error > 0.1
    expected = (
        "0 (PDOConv2d) gives 4xregular of D8, 1 (PDOConv2d) takes 64xtrivial of D8: "
        "both have 64 channels, which transform in different ways"
    )
    assert refused(lambda: Sequential(*pair)) == expected
    assert refused(lambda: check_types(silent)) == expected


def test_another_group_does_not_fit_without_a_restriction() -> None:
    first, second = conv("trivial", "2xregular"), conv("4xregular", "trivial", "C4")
    assert refused(lambda: Sequential(first, nn.Identity(), second)) == (
        "0 (PDOConv2d) gives 2xregular of D4, 2 (PDOConv2d) takes 4xregular of C4: "
        "Restrict goes from a group to a subgroup"
    )
    cut = Restrict(first.out_type, "C4")
    model = Sequential(first, cut, second)
    assert (model.in_type, model.out_type) == (first.in_type, second.out_type)


def test_types_are_compared_by_their_matrices() -> None:
    Sequential(conv("trivial", "vector"), NormNonlinearity(of("irrep(1,1)")))
    Sequential(conv("trivial", "regular + regular"), Pointwise(of("2xregular")))
    refused(lambda: Sequential(conv("trivial", "regular + vector"), conv("vector + regular", "trivial")))


def test_all_ways_to_change_a_network_are_checked_and_leave_it_as_it_was() -> None:
    fits, misfit = Pointwise(of("regular")), Pointwise(of("2xregular"))
    changes: dict[str, Any] = {
        "append": lambda m: m.append(misfit),
        "extend": lambda m: m.extend([fits, misfit]),
        "insert": lambda m: m.insert(1, misfit),
        "insert at the front": lambda m: m.insert(0, conv("vector", "vector")),
        "set": lambda m: m.__setitem__(1, misfit),
        "delete": lambda m: m.__delitem__(1),
        "pop": lambda m: m.pop(1),
        "iadd": lambda m: m.__iadd__(nn.Sequential(misfit)),
        "add": lambda m: m + nn.Sequential(misfit),
        "mul": lambda m: m * 2,
        "imul": lambda m: m.__imul__(2),
    }
    for name, change in changes.items():
        model = Sequential(conv("trivial", "vector"), conv("vector", "regular"), fits)
        before = list(model)
        assert refused(lambda m=model, c=change: c(m)), name
        assert list(model) == before, name
    model = Sequential(conv("trivial", "vector"), conv("vector", "regular"))
    model.append(fits).extend([fits]).insert(2, fits)
    model += nn.Sequential(fits)
    assert type(model + nn.Sequential(fits)) is Sequential
    assert len(model) == 6
    assert model[:1].out_type == of("vector")
    assert len(2 * Sequential(fits)) == 2


def test_names_and_nesting() -> None:
    inner = nn.Sequential(conv("trivial", "regular"), Pointwise(of("regular")))
    parts = OrderedDict(body=inner, head=conv("vector", "trivial"))
    assert refused(lambda: Sequential(parts)).startswith("body.1 (Pointwise) gives regular of D4, head (PDOConv2d)")

    class Model(nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(OrderedDict(a=inner, b=nn.Sequential(conv("vector", "trivial"))))

    assert "body.a.1 (Pointwise) gives regular of D4, body.b.0 (PDOConv2d)" in refused(lambda: check_types(Model()))


@pytest.mark.parametrize("make", [
    nn.Identity, nn.ReLU, nn.ELU, nn.Tanh, nn.PReLU, lambda: nn.MaxPool2d(2), lambda: nn.AvgPool2d(2), nn.Dropout2d,
    lambda: nn.AdaptiveAvgPool2d(1), lambda: nn.InstanceNorm2d(8), lambda: nn.ZeroPad2d(1),
    lambda: nn.ReflectionPad2d(1), lambda: nn.Upsample(scale_factor=2), lambda: nn.ConstantPad2d(1, 3.0), nn.Dropout,
])  # fmt: skip
def test_modules_of_torch_that_treat_permuted_channels_alike(make: Any) -> None:
    fields = of("regular")
    model = Sequential(Pointwise(fields), make(), Pointwise(fields))
    # What is permitted commutes indeed (in evaluation).
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.3)
    assert check_equivariance(model.double(), size=12).error <= 1e-13


@pytest.mark.parametrize(("make", "fields", "words"), [
    (nn.ReLU, "vector", "1 (ReLU) commutes with permutations of channels only, and vector of D4 is not one: "
     "use NormNonlinearity, GatedNonlinearity or PerField"),
    (lambda: nn.MaxPool2d(2), "vector", "use NormMaxPool or BlurPool"),
    (lambda: nn.BatchNorm2d(8), "regular", "1 (BatchNorm2d) treats every channel in its own way, which breaks the "
     "equivariance of regular of D4: use FieldBatchNorm"),
    (lambda: nn.GroupNorm(2, 8), "regular", "use FieldGroupNorm"),
    (lambda: nn.InstanceNorm2d(8, affine=True), "regular", "use FieldInstanceNorm"),
    (lambda: nn.InstanceNorm2d(2), "vector", "use FieldInstanceNorm"),
    (lambda: nn.PReLU(8), "regular", "use num_parameters=1"),
    (nn.Dropout2d, "vector", "use FieldDropout"),
    (lambda: nn.ConstantPad2d(1, 3.0), "vector", "pad with zeros"),
    (lambda: nn.BatchNorm2d(1), "det", "use FieldBatchNorm"),
])  # fmt: skip
def test_modules_of_torch_that_do_not_commute(make: Any, fields: str, words: str) -> None:
    assert words in refused(lambda: Sequential(conv("vector", fields), make()), NotEquivariantError)


def test_scalars_take_what_they_like_and_the_end_is_free() -> None:
    pool = GroupPool(of("4xregular"))
    model = Sequential(
        conv("trivial", "4xregular"), pool, nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 6, 1), GlobalPool(of("6xtrivial")),
        nn.Dropout(), nn.Linear(6, 10), nn.BatchNorm1d(10),
    )  # fmt: skip
    assert model.out_type == of("10xtrivial")
    assert check_equivariance(model.double()).error <= 1e-12
    # Whoever ends with an ordinary convolution may: nothing asks for fields behind it.
    assert Sequential(conv("trivial", "regular"), nn.Conv2d(8, 3, 3)).out_type is None
    words = refused(
        lambda: Sequential(conv("trivial", "regular"), nn.Conv2d(8, 8, 3), Pointwise(of("regular"))), LayerError
    )
    assert (
        words
        == "1 (Conv2d) mixes the channels of fields, and 2 (Pointwise) takes regular of D4: use PDOConv in its place"
    )


def test_behind_an_unknown_module_nothing_is_known() -> None:
    class Own(nn.Module):  # type: ignore[name-defined,misc]
        def forward(self, x: Any) -> Any:
            return x

    Sequential(conv("trivial", "regular"), Own(), conv("vector", "trivial"))
    assert Sequential(Own(), conv("trivial", "regular")).in_type is None


def test_several_tensors() -> None:
    fields = of("regular + vector")
    split = Split(fields)
    Sequential(conv("trivial", "regular + vector"), split, Merge(*split.out_types))
    assert refused(lambda: Sequential(split, Merge(of("vector"), of("regular")))) == (
        "0 (Split) gives regular of D4 | vector of D4, 1 (Merge) takes vector of D4 | regular of D4"
    )


class Residual(nn.Module):  # type: ignore[name-defined,misc]
    """A sum around two layers; ``wrong`` says what does not fit."""

    def __init__(self, wrong: str = "") -> None:
        super().__init__()
        fields = of("2xregular + vector")
        other = of("16xtrivial + vector") if wrong == "sum" else fields
        self.first = PDOConv2d("D4", fields, "4xtrivial + 2xregular", order=1, size=3, padding=1)
        self.norm = FieldBatchNorm(of("3xtrivial + vector") if wrong == "chain" else self.first.out_type)
        self.second = PDOConv2d("D4", self.first.out_type, other, order=1, size=3, padding=1)
        self.last = PDOConv2d(
            "D4", of("16xtrivial + vector") if wrong == "last" else fields, "trivial", order=0, size=1
        )
        self.wrong = wrong

    def forward(self, x: Any) -> Any:
        y = self.second(F.relu(self.norm(self.first(x))))
        if self.wrong == "function":
            y = torch.relu(y)
        return self.last(0.5 * (x + y))


def test_a_network_that_is_run_meets_its_types_in_its_own_order() -> None:
    check_types(Residual(), 5)
    for wrong in ("sum", "last", "chain", "function"):
        check_types(Residual(wrong))  # from the outside nobody knows what it calls
    assert refused(lambda: check_types(Residual("sum"), 5)) == (
        "a sum of 2xregular + vector of D4 (of the input) and 16xtrivial + vector of D4 (of second (PDOConv2d)): "
        "fields are added to fields of the same type"
    )
    assert "last (PDOConv2d) takes 16xtrivial" in refused(lambda: check_types(Residual("last"), 5))
    words = refused(lambda: check_types(Residual("function"), (5, 7)), NotEquivariantError)
    assert "relu behind second (PDOConv2d) commutes with permutations" in words
    # Where torch refuses first, because channels are missing, the line is ours as well.
    assert "(batch, 5, ...)" in refused(lambda: check_types(Residual("chain"), 5), LayerError)


def test_a_walk_leaves_no_trace() -> None:
    model = Residual()
    model.norm.eval()
    check_types(model, 5)
    assert [model.training, model.first.training, model.norm.training] == [True, True, False]
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in model.modules())
    with pytest.raises(FieldMismatchError):
        check_types(broken := Residual("last"), 5)
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in broken.modules())


def test_networks_on_points_have_no_size() -> None:
    assert "is called with a cloud" in refused(lambda: check_types(PointNetwork("C4", fields=(1,)), 5), LayerError)


def test_concatenations_and_products() -> None:
    class Both(nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self, order: tuple[int, int]) -> None:
            super().__init__()
            self.scalars, self.vectors = conv("vector", "trivial"), conv("vector", "vector")
            self.product = TensorProduct(of("trivial"), of("vector"), of("vector"))
            self.last = conv("trivial + vector", "vector")
            self.order = order

        def forward(self, x: Any) -> Any:
            pair = [self.scalars(x), self.vectors(x)]
            y = self.last(torch.cat([pair[k] for k in self.order], 1))
            return y + self.product(*pair)

    check_types(Both((0, 1)), 5)
    assert "torch.cat gives vector + trivial of D4, last" in refused(lambda: check_types(Both((1, 0)), 5))


@pytest.mark.parametrize(("make", "size"), [
    (lambda: regular_network("D4", width=1 / 16), 30), (lambda: WideResNet(10, 1), 33), (lambda: UNet("D4", fields=(1, 1)), 8),
    (lambda: spatial_network("O", fields=(1, 1)), 6), (lambda: PointNetwork("C4", fields=(1, 2)), None),
])  # fmt: skip
def test_models_fit(make: Any, size: int | None) -> None:
    check_types(make(), size)


def test_gates_and_dropout_in_a_chain() -> None:
    gate = GatedNonlinearity(of("2xvector + regular"))
    Sequential(conv("trivial", gate.in_type), gate, FieldDropout(gate.out_type), BlurPool(gate.out_type))
    refused(lambda: Sequential(conv("trivial", gate.out_type), gate))


@pytest.mark.parametrize("apply", ["dense", "jets"])
def test_wrong_channels_in_one_line(apply: str) -> None:
    layer = PDOConv2d("D8", "vector + trivial", "2xregular", size=3, apply=apply)
    for shape in [(1, 4, 9, 9), (3, 9, 9, 9), (3, 9), (4, 9, 9)]:
        words = refused(lambda s=shape: layer(torch.zeros(s)), LayerError)
        assert words == f"images of vector + trivial are (batch, 3, 2 space axes), got {shape}"
    assert layer(torch.zeros(3, 9, 9)).shape == (32, 7, 7)


def test_a_cloud_of_another_length_in_one_line() -> None:
    layer = PDOPointConv("C4", "vector", "trivial", 1, neighbours=6)
    jets = layer.jets(torch.rand(30, 2))
    for points in (29, 31):
        words = refused(lambda n=points: layer(torch.zeros(1, 2, n), jets), LayerError)
        assert "(batch, 2, 30 points)" in words


def test_without_torch_the_extra_is_named() -> None:
    code = "import sys; sys.modules['torch'] = None\nimport pdobasis.nn"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip().splitlines()[-1] == (
        "pdobasis.errors.MissingExtraError: pdobasis.nn needs the package torch: pip install 'pdobasis[torch]'"
    )


class Between(nn.Module):  # type: ignore[name-defined,misc]
    """Two layers and a function of torch between them."""

    def __init__(self, fields: str, function: Any) -> None:
        super().__init__()
        self.first = PDOConv2d("D4", "trivial", fields, size=3, padding=1)
        self.gate = PDOConv2d("D4", "trivial", "trivial", size=3, padding=1)
        self.last = PDOConv2d("D4", fields, "trivial", size=3)
        self.function = function

    def forward(self, x: Any) -> Any:
        return self.last(self.function(self.first(x), self.gate(x)))


SINGLE = {
    "abs": lambda y, s: y.abs(), "clamp": lambda y, s: y.clamp(min=0), "shift": lambda y, s: y + 1,
    "square": lambda y, s: y**2, "product": lambda y, s: y * y, "pool": lambda y, s: nn.functional.max_pool2d(y, 3, 1, 1),
    "maximum": lambda y, s: torch.maximum(y, -y), "hardtanh": lambda y, s: nn.functional.hardtanh(y),
}  # fmt: skip


@pytest.mark.parametrize("name", SINGLE)
def test_functions_of_single_channels_between_modules(name: str) -> None:
    check_types(Between("2xregular", SINGLE[name]), 9)
    with pytest.raises(NotEquivariantError, match="vector of D4 is not"):
        check_types(Between("vector", SINGLE[name]), 9)


def test_products_with_a_scalar_field_and_joins_along_any_name_of_the_axis() -> None:
    check_types(Between("vector", lambda y, s: y * s.sigmoid()), 9)
    check_types(Between("vector", lambda y, s: s * y), 9)
    with pytest.raises(FieldMismatchError, match="channel by channel"):
        check_types(Between("vector", lambda y, s: y * torch.cat([s, s], -3)), 9)
    for axis in (1, -3):
        with pytest.raises(
            FieldMismatchError, match=r"torch.cat gives trivial [+] trivial of D4, last .* takes vector of D4"
        ):
            check_types(Between("vector", partial(twice, axis=axis)), 9)


def twice(y: Any, s: Any, axis: int) -> Any:
    return torch.cat([s, s], dim=axis)


def test_a_group_of_another_dimension_names_the_layer() -> None:
    for name in ("SO(3)", "Oh", "C4h"):
        with pytest.raises(PdoBasisError, match="use PDOConv3d"):
            PDOConv2d(name, "trivial", "vector")


class Chosen(nn.Module):  # type: ignore[name-defined,misc]
    """A layer, a choice of its channels, and another layer."""

    def __init__(self, given: str, choose: Any, taken: str) -> None:
        super().__init__()
        self.first, self.choose, self.last = conv("trivial", given), choose, conv(taken, "vector")

    def forward(self, x: Any) -> Any:
        return self.last(self.choose(self.first(x)))


TAKEN_APART: list[tuple[str, Any, str]] = [
    ("vector", lambda y: y[:, [1, 0]], "vector"),
    ("vector", lambda y: F.dropout(y[:, [1, 0]], training=False), "vector"),
    ("vector", lambda y: y[:, torch.tensor([1, 0]), 1:-1, 1:-1], "vector"),
    ("regular", lambda y: y.flip(1), "regular"),
    ("regular", lambda y: torch.roll(y, 1, 1), "regular"),
    ("regular", lambda y: y[:, :1], "trivial"),
    ("regular", lambda y: torch.index_select(y, 1, torch.arange(8).flip(0)), "regular"),
    ("2xvector", lambda y: y[:, ::2], "vector"),
    ("2xvector", lambda y: y.narrow(1, 1, 2), "vector"),
]
WHOLE: list[tuple[str, Any, str]] = [
    ("2xtrivial", lambda y: y[:, [1, 0]], "2xtrivial"),
    ("vector + regular", lambda y: y[:, 2:], "regular"),
    ("vector + trivial", lambda y: y[:, [2, 0, 1]], "trivial + vector"),
    ("2xvector", lambda y: y.narrow(1, 2, 2), "vector"),
    ("vector", lambda y: y[:, :, 1:-1, 1:-1], "vector"),
]


@pytest.mark.parametrize(("given", "choose", "taken"), TAKEN_APART)
def test_channels_that_take_fields_apart(given: str, choose: Any, taken: str) -> None:
    model = Chosen(given, choose, taken)
    assert check_equivariance(model.double(), size=9).error > 1e-3
    words = refused(lambda: check_types(model, 9), NotEquivariantError)
    assert words.startswith("a choice of channels behind first (PDOConv2d) mixes the channels of fields, and last")
    assert words.endswith(": take whole fields, as Split does")


@pytest.mark.parametrize(("given", "choose", "taken"), WHOLE)
def test_channels_that_are_whole_fields(given: str, choose: Any, taken: str) -> None:
    model = Chosen(given, choose, taken)
    check_types(model, 9)
    assert check_equivariance(model.double(), size=9).error <= 1e-13
    other = Chosen(given, choose, f"{conv('trivial', taken).out_channels}xdet")
    # What is left is known, and compared; behind a choice of points nothing is.
    if other.choose(other.first(torch.zeros(1, 1, 9, 9))).shape[2] == 9:
        refused(lambda: check_types(other, 9))


@pytest.mark.parametrize("make", [
    lambda f: PDOConv2d("D4", f, "vector", size=3), lambda f: Adjoint(PDOConv2d("D4", "vector", f, size=3, bias=False)),
    lambda f: PDOConvTranspose2d("D4", f, "vector", size=3), Pointwise, FieldBatchNorm, GroupPool, GlobalPool, BlurPool,
    lambda f: Restrict(f, "C4"), Split, FieldDropout, NormNonlinearity,
])  # fmt: skip
@pytest.mark.parametrize("given", [[1, 2], None, 3.0, "field"])
def test_what_is_no_tensor(make: Any, given: Any) -> None:
    expected = f"fields of type regular are a tensor (batch, 8, ...), got {type(given).__name__}"
    assert refused(lambda: make(of("regular"))(given), LayerError) == expected
