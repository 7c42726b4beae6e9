"""What a layer says about elements that do not map the grid to itself, and when it warns by itself."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import pdobasis  # noqa: E402
from pdobasis.errors import SpecError  # noqa: E402
from pdobasis.files import export_stencils  # noqa: E402
from pdobasis.layers import advice  # noqa: E402
from pdobasis.layers.elements import rho  # noqa: E402
from pdobasis.measure import off_grid_error  # noqa: E402
from pdobasis.nn import EquivarianceWarning, LayerError, PDOConv1d, PDOConv2d, PDOConv3d, PDOConvTranspose2d  # noqa: E402
from pdobasis.nn.models import UNet  # noqa: E402
from pdobasis.stencils.sampled import sample  # noqa: E402

QUESTIONS: list[tuple[Any, tuple[str, str, str, int], str, int, dict[str, Any]]] = [
    (PDOConv2d, ("C8", "trivial", "regular", 2), "fd", 3, {}),
    (PDOConv2d, ("C16", "regular", "regular", 3), "fd", 5, {}),  # in components
    (PDOConv2d, ("D8", "2xregular + vector", "vector + 3xtrivial", 2), "gauss", 5, {"normalize": "moments"}),
    (PDOConv2d, ("O(2)", "vector", "irrep(1,2) + vector", 2), "rbffd", 5, {"layout": "image"}),
    (PDOConv2d, ("C8", "regular", "vector", 3), "kernel", 5, {}),
    (PDOConv2d, ("C8", "trivial", "vector", 2), "fd", 5, {"spacing": "1/2", "dilation": 2}),
    (PDOConv3d, ("SO(3)", "vector + trivial", "vector", 1), "fd", 3, {}),
]


@pytest.mark.parametrize(("kind", "question", "stencil", "size", "options"), QUESTIONS)
def test_of_the_basis_it_is_that_of_the_stencils(
    kind: Any, question: tuple[str, str, str, int], stencil: str, size: int, options: dict[str, Any]
) -> None:
    layer = kind(*question, size=size, stencil=stencil, **options)
    found = sample(pdobasis.solve(*question), stencil, size, **options)
    for width in (2.0, 3.0):
        whole = off_grid_error(found, width)
        assert whole > 1e-6
        assert layer.off_grid_error("basis", width=width) == pytest.approx(whole, rel=1e-9)


def on_waves(layer: Any, g: Any, width: float) -> float:
    """The same through forward: waves are known at every point, so they are turned without interpolation.

    Frequencies with density ∝ exp(-w²|k|²) by Gauss and Hermite; a wave in one channel after the other.
    """
    points, weights = np.polynomial.hermite.hermgauss(14)
    k = np.stack(np.meshgrid(points, points, indexing="ij"), -1).reshape(-1, 2) / width
    density = torch.tensor(np.multiply.outer(weights, weights).ravel())

    def symbols(k: Any) -> Any:
        sign = {"grid": 1, "image": -1}[layer.layout]
        size = layer.kernel_size[0]
        line = torch.arange(size, dtype=torch.float64) - (size - 1) / 2
        x2, x1 = torch.meshgrid(sign * line, line, indexing="ij")
        phase = torch.tensor(k[:, :1])[..., None] * x1 + torch.tensor(k[:, 1:])[..., None] * x2
        columns = []
        for channel in range(layer.in_channels):
            parts = []
            for wave in (torch.cos(phase), torch.sin(phase)):
                x = torch.zeros(len(k), layer.in_channels, size, size, dtype=torch.float64)
                x[:, channel] = wave
                parts.append(layer(x)[..., 0, 0])
            columns.append(torch.complex(*parts))
        return torch.stack(columns, -1)

    rho_in, rho_out = (
        torch.tensor(rho(fields.distinct[0], np.asarray(g)), dtype=torch.complex128)
        for fields in (layer.in_type, layer.out_type)
    )
    with torch.no_grad():
        turned = rho_out @ symbols(k)
        missed = symbols(k @ np.linalg.inv(g)) @ rho_in - turned
    squares = [float(density @ (v.abs() ** 2).sum(dim=(1, 2))) for v in (missed, turned)]
    return float(np.sqrt(squares[0] / squares[1]))


@pytest.mark.parametrize("apply", ["dense", "jets"])
@pytest.mark.parametrize(("stencil", "layout"), [("gauss", "grid"), ("fd", "image")])
def test_of_the_weights_it_is_what_forward_does_to_waves(apply: str, stencil: str, layout: Any) -> None:
    torch.manual_seed(3)
    layer = PDOConv2d(
        "C8",
        "vector",
        "regular",
        2,
        size=5,
        stencil=stencil,
        layout=layout,
        apply=apply,
        bias=False,
        dtype=torch.float64,
    )
    g = pdobasis.group("C8").elements[1]
    c = np.sqrt(0.5)
    turn = [[c, -c], [c, c]]
    expected = on_waves(layer, turn, 3.0)
    for elements in (None, [1], [turn], [g], [1, 3]):  # 135° is 45° after a quarter turn
        assert layer.off_grid_error(elements=elements) == pytest.approx(expected, rel=1e-8)
    assert layer.eval().float().off_grid_error() == pytest.approx(expected, rel=1e-3)
    assert layer.off_grid_error(elements=[2, 4, 6]) < 1e-6


def test_groups_are_measured_together() -> None:
    """Two groups with the same weights are as far off as one of them."""
    options: dict[str, Any] = {"size": 5, "stencil": "fd", "bias": False, "dtype": torch.float64}
    one = PDOConv2d("C8", "vector + trivial", "regular", 2, **options)
    two = PDOConv2d("C8", "vector + trivial + vector + trivial", "2xregular", 2, groups=2, **options)
    with torch.no_grad():
        for single, double in zip(one.parameters(), two.parameters(), strict=True):
            double.copy_(torch.cat([single, single]))
    assert two.off_grid_error() == pytest.approx(one.off_grid_error(), rel=1e-12)
    assert two.off_grid_error("basis") == pytest.approx(one.off_grid_error("basis"), rel=1e-12)


def test_nothing_is_off_where_every_element_keeps_the_grid() -> None:
    for layer in (PDOConv2d("D4", "vector", "regular"), PDOConv1d("O(1)", "vector", "trivial"), PDOConv3d("Oh", "vector", "vector")):  # fmt: skip
        assert layer.off_grid_error() == layer.off_grid_error("basis") == 0.0
    assert PDOConv2d("D4", "vector", "regular", size=(3, 5)).off_grid_error("basis") > 1e-3


REFUSED: list[tuple[Callable[[Any], Any], Any, str]] = [
    (lambda layer: layer.off_grid_error("bias"), LayerError, "'weights' or 'basis'"),
    (lambda layer: layer.off_grid_error(width=0), SpecError, "width"),
    (lambda layer: layer.off_grid_error(elements=[8]), LayerError, "none has the number 8"),
    (lambda layer: layer.off_grid_error(elements=[np.diag([1, -1])]), LayerError, "not in C8"),
    (lambda _: PDOConv2d("SL(2)", "vector", "vector", 2).off_grid_error(), LayerError, "elements="),
]


@pytest.mark.parametrize(("call", "kind", "text"), REFUSED)
def test_refusals(call: Callable[[Any], Any], kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        call(PDOConv2d("C8", "trivial", "regular", 1, size=3))


def test_elements_that_keep_no_length_can_be_given() -> None:
    layer = PDOConv2d("SL(2)", "vector", "trivial", 1, size=3, stencil="fd", dtype=torch.float64)
    assert layer.off_grid_error(elements=[[[1.0, 0.0], [0.0, 1.0]]]) < 1e-15
    assert 1e-4 < layer.off_grid_error(elements=[[[1.0, 0.5], [0.0, 1.0]]], width=6.0) < 0.1


def far_off() -> PDOConv2d:
    return PDOConv2d("C8", "trivial", "regular", 3, size=5, stencil="gauss", sigma=1.3)


def test_stencils_that_are_far_off_are_told_once_with_what_is_better() -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for _ in range(3):
            layer = far_off()
        far_off()
        PDOConv2d("C16", "regular", "vector", 3, size=5, stencil="gauss", sigma=1.3)
    (only,) = found
    assert only.category is EquivarianceWarning
    better = PDOConv2d("C8", "trivial", "regular", 3, size=5, stencil="gauss", sigma=1.3, normalize="moments")
    assert "normalize='moments'" in str(only.message)
    assert layer.off_grid_error("basis") > 10 * better.off_grid_error("basis")


def test_another_configuration_is_told_too() -> None:
    with pytest.warns(EquivarianceWarning, match="5×5 up to order 3"):
        far_off()
    with pytest.warns(EquivarianceWarning, match="7×7 up to order 4"):
        PDOConv2d("C8", "trivial", "regular", 4, size=7, stencil="gauss")
    with pytest.warns(EquivarianceWarning, match="stencil='fd'"):
        PDOConv2d("SO(2)", "irrep(0)", "irrep(1)", 3, size=5, stencil="rbffd", phi="gaussian", degree=-1)
    with pytest.warns(EquivarianceWarning, match="5×5×5"):
        PDOConv3d("SO(3)", "trivial", "vector", 3, size=5, stencil="gauss")


def test_a_warning_that_is_an_error_stays_one() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with pytest.raises(EquivarianceWarning):
                far_off()


SILENT: list[tuple[Any, tuple[str, str, str, int], dict[str, Any]]] = [
    (PDOConv2d, ("C4", "regular", "vector", 3), {"stencil": "gauss"}),  # the grid has all of its elements
    (PDOConv2d, ("D8", "regular", "vector", 3), {"stencil": "gauss", "normalize": "moments"}),
    (PDOConv2d, ("C16", "trivial", "regular", 3), {"stencil": "fd"}),
    (PDOConv2d, ("C16", "trivial", "regular", 3), {"stencil": "rbffd"}),
    (PDOConv2d, ("C16", "trivial", "regular", 3), {"stencil": "kernel"}),
    (PDOConv2d, ("C16", "trivial", "regular", 2), {"stencil": "gauss", "sigma": 0.6, "size": 3}),
    (PDOConv1d, ("O(1)", "trivial", "vector", 3), {"stencil": "gauss"}),
    (PDOConv3d, ("Oh", "trivial", "vector", 3), {"stencil": "gauss"}),
    (PDOConv2d, ("SL(2)", "vector", "vector", 3), {"stencil": "gauss"}),  # no rotations to speak of
]


@pytest.mark.parametrize(("kind", "question", "options"), SILENT)
def test_others_are_silent(kind: Any, question: tuple[str, str, str, int], options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind(*question, **{"size": 5, **options})


def test_nothing_is_sampled_twice_for_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second layer of a configuration asks the cache."""
    asked: list[Any] = []

    def stand_in(stencils: Any) -> float:
        asked.append(stencils)
        return 0.0

    monkeypatch.setattr(advice, "derivative_error", stand_in)
    advice.advice.cache_clear()
    for _ in range(3):
        PDOConv2d("C8", "trivial", "regular", 3, size=5, stencil="gauss", sigma=[1.25, 1.25])
    advice.advice.cache_clear()  # what the stand-in said is no advice
    assert len(asked) == 1


class Mine(PDOConv2d):
    """A layer of the user's own, one call deeper."""

    def __init__(self, **options: Any) -> None:
        super().__init__("C8", "trivial", "regular", **options)


def line_of(text: str) -> int:
    """Of this file, where a text stands for the first time."""
    lines = Path(__file__).read_text().splitlines()
    return 1 + next(k for k, line in enumerate(lines) if text in line)


def test_warnings_point_at_the_line_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "c8.npz"
    export_stencils(pdobasis.solve("C8", "trivial", "regular", 3), path, "gauss", 5, sigma=1.2)
    here = inspect.currentframe()
    assert here is not None
    calls: list[tuple[Callable[[], Any], int]] = [
        (lambda: PDOConv2d("C4", "trivial", "vector", size=3, stride=2), here.f_lineno),
        (lambda: PDOConv2d("C4", "trivial", "vector", size=4, order=1, padding="same"), here.f_lineno),
        (lambda: PDOConv2d("C8", "trivial", "regular", order=3, stencil="gauss"), here.f_lineno),
        (lambda: PDOConvTranspose2d("C4", "trivial", "vector", size=3, stride=2, output_padding=1), here.f_lineno),
        (lambda: UNet("C8", "trivial", "trivial", fields=(1, 1), size=5, stencil="gauss", sigma=1.31), here.f_lineno),
        (lambda: Mine(size=3, stride=2), line_of("super().__init__(")),
        (lambda: PDOConv2d.from_file(str(path)), here.f_lineno),
        (lambda: PDOConv2d.from_file(str(path), stride=2), here.f_lineno),
    ]
    for call, line in calls:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            call()
        assert [(w.filename, w.lineno) for w in found] == [(__file__, line)]


@pytest.mark.parametrize("group", ["C4", "C16"])
def test_what_is_no_width_and_what_are_no_elements(group: str) -> None:
    """Also where all elements keep the grid, and the error is zero."""
    layer: Any = PDOConv2d(group, "trivial", "regular", order=2, size=3, stencil="fd")
    for width in (0, -1, float("nan"), "a", None, 1j):
        with pytest.raises(pdobasis.PdoBasisError, match="width"):
            layer.off_grid_error(width=width)
    with pytest.raises(LayerError, match="elements is a list"):
        layer.off_grid_error(elements=3)
