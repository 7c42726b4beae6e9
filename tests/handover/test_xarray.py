"""The accessor of xarray: names of dimensions say which coordinate is which."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.errors import SpecError

xarray = pytest.importorskip("xarray")
pytest.importorskip("pdobasis.xarray")

X = np.linspace(0, 1, 9)
Y = np.linspace(-1, 1, 7)
UNEVEN = np.array([0, 0.1, 0.25, 0.3, 0.55, 0.7, 1.0])


def array(x: Any = X, y: Any = Y, dims: tuple[str, ...] = ("x", "y")) -> Any:
    """x² + 3 x y - 2 y², whose first derivatives three points have exactly."""
    own = xarray.DataArray(x, dims="x", coords={"x": x}), xarray.DataArray(y, dims="y", coords={"y": y})
    return (own[0] ** 2 + 3 * own[0] * own[1] - 2 * own[1] ** 2).transpose(*dims)


@pytest.mark.parametrize("dims", [("x", "y"), ("y", "x")])
@pytest.mark.parametrize("x", [X, X[::-1], UNEVEN, UNEVEN[::-1], X.astype(np.float32)], ids=range(5))
def test_derivatives_belong_to_names_and_not_to_axes(dims: tuple[str, ...], x: Any) -> None:
    f = array(x, dims=dims)
    found = f.pdobasis.apply("d1")
    assert found.dims == dims
    # differences of labelled arrays go by name
    assert abs(found - (2 * f.x + 3 * f.y)).max() < 1e-6
    assert abs(f.pdobasis.apply("d2") - (3 * f.x - 4 * f.y)).max() < 1e-6
    assert abs(f.pdobasis.apply("d1", dims="y") - (3 * f.x - 4 * f.y)).max() < 1e-6
    assert (found.x == f.x).all()


def test_even_coordinates_have_the_weights_of_the_stencil() -> None:
    """Not only exact on polynomials: the same numbers as the matrix of the operator."""
    rng = np.random.default_rng(0)
    values = rng.standard_normal((7, 9))
    f = xarray.DataArray(values, dims=("y", "x"), coords={"x": X, "y": Y})
    op = pdobasis.operator("d1^2 + 2*d1*d2")
    expected = op.on_grid((7, 9), 3, spacing=("1/8", "1/3"), boundary="one-sided")(values[None])[0]
    assert np.allclose(f.pdobasis.apply(op), expected, rtol=1e-9)


def test_vectors_times_and_new_components() -> None:
    f = array().expand_dims(time=3) * xarray.DataArray([1.0, 2.0, 3.0], dims="time")
    gradient = pdobasis.solve("O(2)", "trivial", "vector", 1)[0]
    found = f.pdobasis.apply(gradient)
    assert found.dims == ("component", *f.dims)
    assert np.allclose(found.isel(component=1, time=2), 3 * (3 * f.x - 4 * f.y).isel(time=0, missing_dims="ignore"))
    divergence = found.pdobasis.apply("d1, d2", size=5)
    assert divergence.sizes["component"] == 1
    assert np.allclose(divergence.isel(component=0, time=0), 2 - 4)


def test_periodic_axes_go_round() -> None:
    angle = 2 * np.pi * np.arange(64) / 64
    f = xarray.DataArray(np.sin(angle), dims="phi", coords={"phi": angle})
    found = f.pdobasis.apply("d1", dims="phi", boundary="periodic", size=9)
    assert np.allclose(found, np.cos(angle), atol=1e-8)
    mixed = (f * array()).pdobasis.apply("d1", dims=["phi"], boundary={"phi": "periodic"}, size=9)
    assert np.allclose(mixed, (found * array()).transpose(*mixed.dims), atol=1e-8)


def test_lazy_arrays_stay_lazy() -> None:
    pytest.importorskip("dask.array")
    f = array()
    found = f.chunk({"x": 4, "y": 3}).pdobasis.apply("d1^2 + d2^2")
    assert found.chunks is not None
    assert np.allclose(found.compute(), f.pdobasis.apply("d1^2 + d2^2"))


def test_datasets() -> None:
    data = xarray.Dataset({"u": array(), "v": array() ** 2})
    found = data.pdobasis.apply("d1, d2; -d2, d1", ["u", "v"], ["divergence", "curl"])
    parts = {(k, d): data[k].pdobasis.apply(d) for k in "uv" for d in ("d1", "d2")}
    assert np.allclose(found.divergence, parts["u", "d1"] + parts["v", "d2"])
    assert np.allclose(found.curl, parts["v", "d1"] - parts["u", "d2"])
    with pytest.raises(SpecError, match="no variable 'w'; there are u, v"):
        data.pdobasis.apply("d1, d2", ["u", "w"])


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    (array().rename(x="lon"), {}, "which dimensions are x1 to x2"),
    (array(), {"dims": ["x", "x"]}, "2 different dimensions"),
    (array(), {"dims": ["x", "depth"]}, "2 different dimensions"),
    (array().drop_vars("x"), {}, "no coordinate"),
    (array(UNEVEN), {"boundary": "periodic"}, "uneven"),
    (array(UNEVEN[[0, 2, 1, 3, 4, 5, 6]]), {}, "grow or to fall"),
    (array().assign_coords(x=np.arange(9).astype("datetime64[D]")), {}, "finite numbers, got datetime64"),
    (array(), {"boundary": "dirichlet"}, "one-sided or periodic"),
    (array(), {"boundary": {"z": "periodic"}}, "names 'z'"),
    (array().expand_dims(component=3), {}, "takes 1 components, the array has 3"),
    (array(X[:3]), {}, "too short"),
]


@pytest.mark.parametrize(("f", "options", "message"), REFUSED, ids=[message for *_, message in REFUSED])
def test_refusals(f: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError if message != "too short" else ValueError, match=message):
        f.pdobasis.apply("d1^2 + d2^2", **options)


def test_components_are_asked_for() -> None:
    with pytest.raises(SpecError, match="needs the dimension 'component'"):
        array().pdobasis.apply("d1, d2")


def test_the_package_alone_does_not_import_xarray() -> None:
    code = "import sys, pdobasis, pdobasis.handover; print('xarray' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize("name", ["\x1b[31mred", "x\rproved", "\0", "\u202eevil", "a" * 5000], ids=range(5))
def test_names_of_strangers_are_shown_and_not_obeyed(name: str) -> None:
    f = array().rename(x=name)
    data = xarray.Dataset({name: f})
    refused: list[Callable[[], object]] = [
        lambda: f.pdobasis.apply("d1^2 + d2^2"),
        lambda: f.pdobasis.apply("d1", [name, name]),
        lambda: f.drop_vars(name).pdobasis.apply("d1", [name]),
        lambda: f.pdobasis.apply("d1, d1", [name], component=name + "c"),
        lambda: f.pdobasis.apply("d1", ["y"], boundary={name: "periodic"}),
        lambda: data.pdobasis.apply("d1", ["other"]),
        lambda: data.pdobasis.apply("d1", name + "d"),
    ]
    for ask in refused:
        with pytest.raises(SpecError) as error:
            ask()
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": "x"},
        {"size": None},
        {"size": 3.0},
        {"size": True},
        {"boundary": None},
        {"boundary": ["x"]},
        {"dims": 3},
        {"dims": [["x"], ["y"]]},
        {"component": ["x"]},
    ],
    ids=str,
)
def test_arguments_that_mean_nothing_are_refused(wrong: Any) -> None:
    with pytest.raises(SpecError):
        array().pdobasis.apply("d1^2 + d2^2", **wrong)


@pytest.mark.parametrize("x", [X * 1e-320, np.geomspace(1e-300, 1e300, 9)], ids=["tiny", "uneven"])
def test_steps_whose_weights_overflow_are_refused(x: Any) -> None:
    with pytest.raises(SpecError, match="no finite numbers"):
        xarray.DataArray(X, dims="x", coords={"x": x}).pdobasis.apply("d1^2", ["x"])


@pytest.mark.parametrize("values", [np.full(9, "a"), np.full(9, None), X.astype("datetime64[s]"), X[:0]], ids=range(4))
def test_only_numbers_have_derivatives(values: Any) -> None:
    with pytest.raises(SpecError):
        xarray.DataArray(values, dims="x", coords={"x": X[: len(values)]}).pdobasis.apply("d1", ["x"])


def test_variables_are_named_one_by_one() -> None:
    data = xarray.Dataset({"up": array()})
    with pytest.raises(SpecError, match="different names"):
        data.pdobasis.apply("d1; d2", ["up"], ["a", "a"])
    assert list(data.pdobasis.apply("d1^2 + d2^2", "up", "lap")) == ["lap"]
    for variables in (None, 3, [["up"]], []):
        with pytest.raises(SpecError):
            data.pdobasis.apply("d1", variables)
