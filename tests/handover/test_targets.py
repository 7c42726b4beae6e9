"""Every target gives the same numbers as the definition, by running the other program."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pdobasis
from pdobasis.errors import SpecError, UnknownNameError
from pdobasis.handover import StencilSet, Target, targets
from pdobasis.handover.registry import registered

Array = NDArray[np.float64]


def module(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "source.py", "exec"), names)  # noqa: S102 - our own text, which has to run
    return names


def test_numpy(stencils: StencilSet, field: Array, weights: Array, periodic: Array) -> None:
    found = stencils.to("numpy")(field, weights, "wrap")
    assert np.allclose(found, periodic, rtol=1e-13, atol=1e-13)
    text = module(stencils.source("numpy"))["apply"](field, weights, "wrap")
    assert np.array_equal(found, text)


def test_scipy(stencils: StencilSet, field: Array, weights: Array, periodic: Array) -> None:
    apply = stencils.to("scipy")
    assert np.allclose(apply(field, weights), periodic, rtol=1e-13, atol=1e-12)
    assert np.allclose(apply(np.stack([field, 2 * field]), weights)[1], 2 * periodic, rtol=1e-13, atol=1e-12)
    edges = stencils.to("numpy")(field, weights, "edge")
    assert np.allclose(apply(field, weights, "edge"), edges, rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize("padding", ["wrap", "constant"])
def test_linear_operators_have_their_adjoint(stencils: StencilSet, field: Array, weights: Array, padding: str) -> None:
    own = stencils.to("scipy", shape=field.shape[1:], weights=weights, padding=padding)
    expected = stencils.to("numpy")(field, weights, padding)
    assert np.allclose(own @ field.ravel(), expected.ravel(), rtol=1e-13, atol=1e-12)
    other = np.random.default_rng(3).standard_normal(own.shape[0])
    assert np.isclose(other @ (own @ field.ravel()), (own.H @ other) @ field.ravel(), rtol=1e-12)


def test_sparse(stencils: StencilSet, field: Array, weights: Array, periodic: Array) -> None:
    matrix = stencils.to("sparse", shape=field.shape[1:], weights=weights)
    assert np.allclose(matrix @ field.ravel(), periodic.ravel(), rtol=1e-13, atol=1e-12)
    with pytest.raises(SpecError, match="does not fit"):
        stencils.to("sparse", shape=2, weights=weights)


def test_torch(stencils: StencilSet, field: Array, weights: Array, periodic: Array) -> None:
    torch = pytest.importorskip("torch")
    apply = stencils.to("torch")
    own = torch.tensor(weights, requires_grad=True)
    found = apply(torch.from_numpy(field), own, "wrap")
    assert np.allclose(found.detach().numpy(), periodic, rtol=1e-12, atol=1e-12)
    (grad,) = torch.autograd.grad(found.sum(), own)
    each = [stencils.to("numpy")(field, unit, "wrap").sum() for unit in np.eye(stencils.elements)]
    assert np.allclose(grad.numpy(), each, rtol=1e-11, atol=1e-11)
    assert apply(np.ones(field.shape, dtype=int), weights).dtype == torch.get_default_dtype()
    assert apply(torch.zeros(2, *field.shape, dtype=torch.float32), own.float()).dtype == torch.float32


def test_jax(stencils: StencilSet, field: Array, weights: Array, periodic: Array) -> None:
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True):
        apply = stencils.to("jax")
        found = jax.jit(apply, static_argnums=2)(field, weights, "wrap")
        assert np.allclose(found, periodic, rtol=1e-12, atol=1e-12)
        text = module(stencils.source("jax"))["apply"](field, weights, "wrap")
        assert np.allclose(text, found, rtol=1e-14, atol=1e-14)
        # linear in the weights: the gradient of the sum is the sum over each element
        grad = jax.grad(lambda w: apply(field, w, "wrap").sum())(weights)
        each = [stencils.to("numpy")(field, unit, "wrap").sum() for unit in np.eye(stencils.elements)]
        assert np.allclose(grad, each, rtol=1e-11, atol=1e-11)
        many = jax.vmap(lambda f: apply(f, weights, "wrap"))(np.stack([field, -field]))
        assert np.allclose(many[1], -periodic, rtol=1e-12, atol=1e-12)
    assert apply(np.float32(field), np.float32(weights)).dtype == np.float32


PLAIN = [("O(2)", "trivial", "vector", 1, 3), ("D4", "vector", "vector", 2, 5), ("O(2)", "trivial", "trivial", 4, 7)]


@pytest.mark.parametrize(("group", "source", "target", "order", "size"), PLAIN)
def test_findiff(group: str, source: str, target: str, order: int, size: int) -> None:
    """The same weights where the whole stencil fits, and everywhere on a periodic grid."""
    pytest.importorskip("findiff")
    stencils = pdobasis.solve(group, source, target, order).stencil_set("fd", size, spacing=("1/2", "1/4"))
    field = np.random.default_rng(0).standard_normal((stencils.c_in, 16, 18))
    written = module(stencils.source("findiff"))
    assert (written["ORDERS"], written["NAMES"]) == (list(stencils.orders), list(stencils.names))
    texts = written["operators"]
    for periodic, padding, cut in ((True, "wrap", 0), (False, "valid", size // 2)):
        for made in (stencils.to("findiff", periodic=periodic), texts(periodic=periodic)):
            for k, matrix in enumerate(made):
                expected = stencils.to("numpy")(field, np.eye(stencils.elements)[k], padding)
                found = np.array([sum(cell(f) for cell, f in zip(row, field, strict=True)) for row in matrix])
                inside = (..., slice(cut, 16 - cut), slice(cut, 18 - cut))
                assert np.allclose(found[inside], expected, rtol=1e-11, atol=1e-9)


@pytest.mark.parametrize(
    "options", [{"isotropic": 4}, {"layout": "image"}, {"dilation": 2}, {"method": "gauss"}], ids=str
)
def test_what_findiff_would_do_otherwise_is_refused(options: dict[str, Any]) -> None:
    stencils = pdobasis.solve("D4", "trivial", "trivial", 2).stencil_set(size=5, **options)
    with pytest.raises(SpecError, match="finite differences of its own"):
        stencils.source("findiff")


def test_devito(stencils: StencilSet, field: Array, weights: Array, tmp_path: Path) -> None:
    """Devito compiles the loops; it has no periodic arrays of its own, so inside."""
    devito = pytest.importorskip("devito")
    devito.configuration["log-level"] = "ERROR"
    reach = [(n - 1) * s // 2 for n, s in zip(stencils.size, stencils.dilation[::-1], strict=True)]
    grid = devito.Grid(shape=field.shape[1:], dtype=np.float64)
    fields = []
    for i, values in enumerate(field):
        own = devito.Function(name=f"f{i}", grid=grid, space_order=2 * max(reach))
        own.data[:] = values
        fields.append(own)
    expected = stencils.to("numpy")(field, weights)
    inside = tuple(slice(r, n - r) for r, n in zip(reach, field.shape[1:], strict=True))
    for make in (stencils.to("devito"), module(stencils.source("devito"))["expressions"]):
        out = [devito.Function(name=f"o{o}", grid=grid) for o in range(stencils.c_out)]
        made = make(fields, weights)
        devito.Operator([devito.Eq(o, e) for o, e in zip(out, made, strict=True)]).apply()
        for o, values in zip(out, expected, strict=True):
            assert np.allclose(np.array(o.data)[inside], values, rtol=1e-12, atol=1e-12)


def test_operators_and_elements_are_handed_over_as_well() -> None:
    laplacian = pdobasis.operator("d1^2 + d2^2")
    y, x = np.mgrid[0:6, 0:7]
    assert np.allclose(laplacian.stencil_set(size=3).to("numpy")((x**2 + 3 * y**2)[None]), 8)
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    assert np.array_equal(basis[1].stencil_set(size=5).weights, basis.stencil_set(size=5).weights[1:])
    assert basis[1].stencil_set().names == ("Laplacian",)


def test_an_operator_on_a_staggered_grid_is_that_of_the_basis() -> None:
    offsets = [("1/2", 0), (0, "1/2")]
    basis = pdobasis.solve("D4", "vector", "trivial", 1)
    of_basis = basis.stencil_set(size=5, in_offsets=offsets)
    alone = pdobasis.operator("d1, d2").stencil_set(size=5, in_offsets=offsets)
    assert np.array_equal(of_basis.weights, alone.weights)
    assert of_basis.in_offsets == alone.in_offsets


def test_a_file_gives_what_the_basis_gave(tmp_path: Path) -> None:
    from pdobasis.files import export_stencils, load_stencils

    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    export_stencils(basis, tmp_path / "a.npz", "fd", 3)
    of_file, of_basis = load_stencils(tmp_path / "a.npz").stencil_set(), basis.stencil_set("fd", 3)
    assert np.array_equal(of_file.weights, of_basis.weights)
    assert (of_file.title, of_file.what, of_file.names) == (of_basis.title, of_basis.what, of_basis.names)


def test_refusals() -> None:
    basis = pdobasis.solve("C4", "trivial", "vector", 1)
    stencils = basis.stencil_set()
    with pytest.raises(UnknownNameError, match="numpy, scipy"):
        stencils.to("nunpy")
    with pytest.raises(SpecError, match=r"'torch' has no source: use \.to\('torch'\), or one of numpy, jax"):
        stencils.source("torch")
    with pytest.raises(SpecError, match=r"'c' has no object: use \.source\('c'\)"):
        stencils.to("c")
    with pytest.raises(SpecError, match="each of the 2 elements"):
        stencils.to("scipy", shape=(8, 8))
    with pytest.raises(SpecError, match="use odd sizes"):
        basis.stencil_set(size=4).to("scipy")
    with pytest.raises(SpecError, match="'wrap' or 'constant'"):
        stencils.to("scipy", shape=8, weights=[1, 1], padding="edge")
    with pytest.raises(SpecError, match=r"those of the array \(x1 last\), got \(8,\)"):
        stencils.to("sparse", shape=(8,), weights=[1, 1])
    with pytest.raises(SpecError, match="wrap is periodic"):
        stencils.to("numpy")(np.zeros((1, 8, 8)), [1, 1], "periodic")
    with pytest.raises(SpecError, match="no option 'sigma'"):
        pdobasis.operator("d1").stencil_set("fd", sigma=1.0)


def test_a_target_is_one_registration() -> None:
    stencils = pdobasis.solve("C4", "trivial", "vector", 1).stencil_set()
    with registered(Target("count", "the number of weights", build=lambda s: int((s.weights != 0).sum()))):
        assert stencils.to("count") == 8
    assert "count" not in [target.name for target in targets()]


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    code = "import sys, pdobasis; pdobasis.solve('C4', 'trivial', 'vector', 1).stencil_set().source('c');"
    code += "print([m for m in ('torch', 'jax', 'findiff', 'devito', 'xarray', 'sympy') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_pickled_copy_is_equal_and_read_only() -> None:
    basis = pdobasis.solve("D4", "trivial", "vector", order=1)
    stencils = basis.stencil_set("fd", size=3)
    copy = pickle.loads(pickle.dumps(stencils))  # noqa: S301 - our own bytes
    assert copy == stencils
    assert hash(copy) == hash(stencils)
    assert not copy.weights.flags.writeable
    assert stencils != basis.stencil_set("fd", size=5)
    assert stencils != basis.stencil_set("gauss", size=3)
    assert stencils != replace(stencils, coefficients=2 * stencils.coefficients)
    assert stencils != "something else"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("target", [target.name for target in targets() if target.source is not None])
def test_sources_hold_finite_numbers_only(target: str, value: float) -> None:
    gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1).stencil_set("fd", size=3)
    with np.errstate(invalid="ignore"):
        spoiled = gradient.combined([value])
    with pytest.raises(SpecError, match="finite"):
        spoiled.source(target)


@pytest.mark.parametrize("name", [None, 3, ["c"]])
def test_a_target_is_a_name(name: Any) -> None:
    gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1).stencil_set("fd", size=3)
    for ask in (gradient.to, gradient.source):
        with pytest.raises(SpecError, match="numpy"):
            ask(name)
