"""Pictures show the numbers that they are made of; stencils are arrays that know themselves."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.errors import MissingExtraError, SpecError
from pdobasis.pictures.symbols import values
from pdobasis.stencils.array import Stencils
from pdobasis.stencils.discretize import GRID_OPTIONS
from pdobasis.stencils.registry import discretizations


@pytest.fixture(scope="module")
def basis() -> pdobasis.Basis:
    return pdobasis.solve("D4", "trivial", "trivial", order=2)


@pytest.fixture(scope="module")
def gradient() -> pdobasis.Basis:
    return pdobasis.solve("O(2)", "trivial", "vector", order=1)


def test_a_picture_of_stencils_holds_their_weights(basis: pdobasis.Basis) -> None:
    pytest.importorskip("matplotlib")
    stencils = basis.stencils("fd", size=3)
    figure = stencils.plot()
    shown = [axis.images[0].get_array() for axis in figure.axes if axis.images]
    np.testing.assert_array_equal(shown, stencils[:, 0, 0])
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_vector_fields_are_arrows_along_the_weights(gradient: pdobasis.Basis) -> None:
    pytest.importorskip("matplotlib")
    weights = gradient.stencils("fd", size=3)[0, :, 0]
    (axis,) = gradient.plot("fd", size=3).axes
    arrows: Any = axis.collections[0]
    nonzero = np.hypot(*weights) > 0
    # in one scale for all of them
    factor = arrows.U[0] / weights[0][nonzero][0] if weights[0][nonzero][0] else arrows.V[0] / weights[1][nonzero][0]
    np.testing.assert_allclose(arrows.U, weights[0][nonzero] * factor, atol=1e-15)
    np.testing.assert_allclose(arrows.V, weights[1][nonzero] * factor, atol=1e-15)


def test_symbols_are_evaluated_as_sympy_does(gradient: pdobasis.Basis) -> None:
    element = pdobasis.solve("D8", "trivial", "regular", order=3)[-1]
    x = np.array([[0.3, -0.7], [1.0, 0.25]])
    for place in [(0, 0), (3, 0), (9, 0)]:
        entry = element.matrix[place]
        wanted = [float(entry.subs({"d1": a, "d2": b})) for a, b in x.tolist()]
        np.testing.assert_allclose(values(element.operator, place, x), wanted, rtol=1e-14)


@pytest.mark.parametrize(
    ("question", "panels"),
    [
        (("trivial(1)", "trivial", "trivial", 2), 1), (("O(2)", "trivial", "vector", 1), 1),
        (("O(2)", "vector", "trivial", 1), 1), (("D4", "regular", "trivial", 1), 4),
        (("SO(3)", "vector", "vector", 1), 9),
    ],
)  # fmt: skip
def test_every_dimension_has_its_picture_of_a_symbol(question: tuple[str, str, str, int], panels: int) -> None:
    pytest.importorskip("matplotlib")
    name, source, target, order = question
    element = pdobasis.solve(name, source, target, order)[-1]
    assert len(pdobasis.plot_symbol(element).axes) == panels


def test_a_symbol_beyond_space_has_no_picture() -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(SpecError, match="dimension 4 has no picture"):
        pdobasis.plot_symbol(pdobasis.solve("SO(1,3)", "trivial", "vector", order=1)[0])


def test_errors_of_a_layer_over_angles() -> None:
    """The grid has quarter turns: there the error is that of rounding, and not in between."""
    pytest.importorskip("matplotlib")
    nn = pytest.importorskip("pdobasis.nn")
    layer = nn.PDOConv2d("C8", "trivial", "regular", size=5, padding=2)
    (axis,) = nn.plot_equivariance(layer, size=25).axes
    (points,) = axis.lines
    angles, errors = points.get_data()
    np.testing.assert_allclose(angles, np.arange(8) * np.pi / 4, atol=1e-12)
    assert errors[::2].max() < 1e-5 < errors[1::2].min()
    with pytest.raises(pdobasis.PdoBasisError, match="rotations of the plane"):
        nn.plot_equivariance(nn.PDOConv3d("O", "trivial", "vector", size=3))


def test_filters_of_a_layer_are_those_that_it_applies() -> None:
    pytest.importorskip("matplotlib")
    nn = pytest.importorskip("pdobasis.nn")
    for kind in (nn.PDOConv2d, nn.PDOConvTranspose2d):
        layer = kind("C4", "vector", "regular", size=3)
        figure = layer.plot_filters(show=3)
        shown = [axis.images[0].get_array() for axis in figure.axes]
        filters = layer.filter().detach().numpy()
        if kind is nn.PDOConvTranspose2d:
            filters = filters.swapaxes(0, 1)
        np.testing.assert_array_equal(np.reshape(shown, (3, 2, 3, 3)), filters[:3, :3])


def test_a_missing_matplotlib_is_named_in_one_line(basis: pdobasis.Basis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pdobasis.pictures.find_spec", lambda name: None)
    nn = pytest.importorskip("pdobasis.nn")
    layer = nn.PDOConv2d("C4", "trivial", "trivial", size=3)
    calls: list[Callable[[], Any]] = [
        basis.plot, basis.stencils("fd", size=3).plot, lambda: pdobasis.plot_symbol(basis[0]),
        layer.plot_filters, lambda: nn.plot_equivariance(layer),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(MissingExtraError, match=r"^a picture needs .* pip install 'pdobasis\[plot\]'$"):
            call()


def test_stencils_are_an_array_and_whatever_is_made_of_them_a_plain_one(basis: pdobasis.Basis) -> None:
    stencils = basis.stencils("gauss", size=5, sigma=1.25)
    assert isinstance(stencils, Stencils)
    assert repr(stencils) == (
        "<Stencils of 2 PDOs: D4, trivial -> trivial, gauss 5×5, sigma=1.25, array of shape (2, 1, 1, 5, 5)>"
    )
    for made in (stencils[0], stencils[:, 0], stencils + 1, 2 * stencils, stencils.mean(axis=0), np.sqrt(stencils**2)):
        assert type(made) is np.ndarray
    for other in (pickle.loads(pickle.dumps(stencils)), copy.deepcopy(stencils)):  # noqa: S301
        assert repr(other) == repr(stencils)
        np.testing.assert_array_equal(other, stencils)
    assert "<svg" in (stencils._repr_html_() or "")
    with pytest.raises(ValueError, match="read-only"):
        stencils[0] = 1
    turned: Any = stencils.reshape(2, 5, 5)
    assert repr(turned).startswith("array(")
    with pytest.raises(SpecError, match="computed from stencils"):
        turned.plot()


def test_an_editor_sees_every_option_of_every_method() -> None:
    shown = inspect.signature(pdobasis.Basis.stencils).parameters
    known = {*GRID_OPTIONS, *(name for method in discretizations() for name in method.option_names)}
    assert known <= set(shown)
    for name in known:
        assert shown[name].annotation not in ("Any", inspect.Parameter.empty), name
