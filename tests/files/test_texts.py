"""Stencils for other tools: a NumPy function without this package, and LaTeX."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.errors import SizeError
from pdobasis.files import export_stencils
from pdobasis.files.formats import to_bytes
from pdobasis.files.stencil_file import contents
from pdobasis.stencils.sampled import sample


def source(group: str, in_rep: str, out_rep: str, order: int, method: str, **options: Any) -> Any:
    """The names of the written module."""
    basis = pdobasis.solve(group, in_rep, out_rep, order)
    code = to_bytes(contents(basis, sample(basis, method, **options)), "python").decode()
    names: dict[str, Any] = {}
    exec(compile(code, "stencils.py", "exec"), names)  # noqa: S102
    return SimpleNamespace(**names)


def test_the_function_differentiates_polynomials_exactly() -> None:
    module = source("D4", "trivial", "vector", 1, "fd", size=3, spacing="1/4")
    y, x = np.mgrid[0:6, 0:7] / 4.0
    f = x**2 + 3 * x * y
    out = module.apply(f[None])
    assert out.shape == (2, 4, 5)
    assert np.allclose(out[0], (2 * x + 3 * y)[1:-1, 1:-1])
    assert np.allclose(out[1], (3 * x)[1:-1, 1:-1])


def test_upwards_means_upwards_in_the_layout_of_images() -> None:
    module = source("D4", "trivial", "vector", 1, "fd", size=3, layout="image")
    y = -np.mgrid[0:5, 0:5][0].astype(float)
    assert np.allclose(module.apply(y[None])[1], 1)


@pytest.mark.parametrize("dilation", [1, 2])
@pytest.mark.parametrize("padding", ["valid", "wrap", "constant"])
def test_the_function_is_scipys_correlation(padding: str, dilation: int) -> None:
    from scipy.ndimage import correlate

    module = source("C4", "vector", "vector", 2, "gauss", size=3, dilation=dilation)
    rng = np.random.default_rng(0)
    weights, field = rng.standard_normal(len(module.ORDERS)), rng.standard_normal((3, 2, 9, 8))
    kernel = np.tensordot(weights, module.STENCILS, 1)
    spread = np.zeros((2, 2, 2 * dilation + 1, 2 * dilation + 1))
    spread[..., ::dilation, ::dilation] = kernel
    mode = {"valid": "constant"}.get(padding, padding)
    expected = np.stack(
        [[sum(correlate(f[i], spread[o, i], mode=mode) for i in range(2)) for o in range(2)] for f in field]
    )
    cut = slice(dilation, -dilation) if padding == "valid" else slice(None)
    assert np.allclose(module.apply(field, weights, padding), expected[..., cut, cut])


def test_the_file_needs_numpy_only(tmp_path: Path) -> None:
    export_stencils(pdobasis.solve("Oh", "trivial", "vector", 1), tmp_path / "gradient.py", "fd", 3)
    code = "import numpy as np, gradient, sys; a = np.zeros((1, 5, 5, 5)); print(gradient.apply(a).shape, *sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("(3, 3, 3, 3)")
    assert "pdobasis" not in run.stdout.split()


def test_imaginary_parts_are_kept() -> None:
    module = source("D4", "trivial", "vector", 1, "fd", size=3)
    rng = np.random.default_rng(1)
    real, imaginary = rng.standard_normal((2, 1, 6, 6))
    both = module.apply(real + 1j * imaginary)
    assert np.array_equal(both, module.apply(real) + 1j * module.apply(imaginary))
    assert np.array_equal(module.apply(real, [2j]), 2j * module.apply(real))
    assert module.apply(np.ones((1, 4, 4), dtype=int)).dtype == float


def test_names_and_places_are_written() -> None:
    module = source("D4", "trivial", "vector", 1, "fd", size=3, out_offsets=[("1/2", 0), (0, "1/2")], spacing="1/4")
    assert module.NAMES == ["gradient"]
    assert module.OUT_OFFSETS == [(0.5, 0.0), (0.0, 0.5)]
    assert module.IN_OFFSETS == [(0.0, 0.0)]
    assert module.SPACING == (0.25, 0.25)
    assert source("D4", "vector", "vector", 0, "fd", size=3).IN_OFFSETS == [(0.0, 0.0)] * 2


def test_weights_are_asked_for_where_there_are_several_elements() -> None:
    module = source("C4", "trivial", "vector", 1, "fd", size=3)
    with pytest.raises(ValueError, match="each of the 2 elements"):
        module.apply(np.zeros((1, 5, 5)))
    with pytest.raises(ValueError, match=r"expected a field \(\.\.\., 1"):
        module.apply(np.zeros((1, 2, 2)), [1, 1])


def test_finite_differences_are_fractions_in_latex() -> None:
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    text = to_bytes(contents(basis, sample(basis, "fd", 5)), "latex").decode()
    assert r"-\tfrac{1}{12} & \tfrac{4}{3} & -5 & \tfrac{4}{3} & -\tfrac{1}{12}" in text
    assert text.count(r"\begin{bmatrix}") == text.count(r"\end{bmatrix}") == 2
    assert text.count("{") == text.count("}")


def test_what_is_too_large_for_a_text_is_refused() -> None:
    basis = pdobasis.solve("C16", "regular", "regular", 2)
    file = contents(basis, sample(basis, "gauss", 15))
    for format in ("python", "latex"):
        with pytest.raises(SizeError, match="too many"):
            to_bytes(file, format)
