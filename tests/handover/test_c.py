"""C and CUDA sources, compiled and run."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pdobasis
from pdobasis.handover import StencilSet

Array = NDArray[np.float64]
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
needs_gxx = pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
STRICT = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC"]

AS_CPP = """
#include <stddef.h>
#define __global__
#define __device__
static struct { long x; } blockIdx, blockDim, threadIdx;
#include "stencil.cu"
extern "C" int run(const REAL *field, REAL *out, const ptrdiff_t *n, const double *weights, int periodic)
{
    pdobasis_shape shape;
    ptrdiff_t values = C_OUT;
    for (int a = 0; a < DIM; a++) { shape.n[a] = n[a]; values *= n[a]; }
    blockDim.x = 7;
    for (blockIdx.x = 0; blockIdx.x * blockDim.x < values; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
            pdobasis_kernel(field, out, shape, weights, periodic);
    return 0;
}
"""
"""A graphics card of one thread after the other."""


def compiled(folder: Path, command: list[str], name: str) -> Any:
    subprocess.run([*command, "-o", "stencil.so"], cwd=folder, check=True, capture_output=True)
    return getattr(ctypes.CDLL(str(folder / "stencil.so")), name)


def call(function: Any, field: Array, out: Array, weights: Array | None, periodic: bool) -> int:
    space = field.shape[1:]
    shape = (ctypes.c_ssize_t * len(space))(*space)
    given = None
    if weights is not None:
        given = weights.ctypes.data_as(ctypes.c_void_p)
    data = (array.ctypes.data_as(ctypes.c_void_p) for array in (field, out))
    return int(function(*data, shape, given, int(periodic)))


def check(function: Any, stencils: StencilSet, field: Array, weights: Array, periodic: Array) -> None:
    out = np.full(periodic.shape, np.nan)
    assert call(function, field, out, weights, True) == 0
    assert np.allclose(out, periodic, rtol=1e-12, atol=1e-12)
    # Where the stencil does not fit nothing is written.
    out = np.full(periodic.shape, np.nan)
    assert call(function, field, out, weights, False) == 0
    used = np.argwhere(stencils.weights.any(axis=(0, 1, 2)))
    steps = np.array(stencils.dilation[::-1])
    shifts = (used - (np.array(stencils.size) - 1) // 2) * steps
    inside = tuple(
        slice(max(-low, 0), n - max(high, 0))
        for low, high, n in zip(shifts.min(axis=0), shifts.max(axis=0), field.shape[1:], strict=True)
    )
    assert np.allclose(out[(slice(None), *inside)], periodic[(slice(None), *inside)], rtol=1e-12, atol=1e-12)
    out[(slice(None), *inside)] = np.nan
    assert np.isnan(out).all()


@needs_gcc
def test_c(stencils: StencilSet, field: Array, weights: Array, periodic: Array, tmp_path: Path) -> None:
    (tmp_path / "stencil.c").write_text(stencils.source("c"))
    function = compiled(tmp_path, ["gcc", *STRICT, "stencil.c"], "pdobasis_apply")
    check(function, stencils, field, weights, periodic)
    small = np.ones((stencils.c_in, *(1,) * stencils.dim))
    assert call(function, small, np.zeros((stencils.c_out, *(1,) * stencils.dim)), weights, True) == -1


@needs_gxx
def test_cuda_kernels_on_a_card_of_one_thread(
    stencils: StencilSet, field: Array, weights: Array, periodic: Array, tmp_path: Path
) -> None:
    (tmp_path / "stencil.cu").write_text(stencils.source("cuda"))
    (tmp_path / "card.cpp").write_text(AS_CPP)
    function = compiled(tmp_path, ["g++", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "card.cpp"], "run")
    check(function, stencils, field, weights, periodic)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no CUDA compiler")
def test_cuda_sources_compile(tmp_path: Path) -> None:
    text = pdobasis.solve("D4", "vector", "vector", 2).stencil_set(size=5).source("cuda")
    (tmp_path / "stencil.cu").write_text(text)
    subprocess.run(["nvcc", "-c", "stencil.cu", "-o", "stencil.o"], cwd=tmp_path, check=True, capture_output=True)


@needs_gcc
def test_one_dimension_single_precision_and_a_name_of_ones_own(tmp_path: Path) -> None:
    text = pdobasis.operator("d1^2").stencil_set(size=5, spacing="1/10").source("c")
    (tmp_path / "stencil.c").write_text(text)
    command = ["gcc", *STRICT, "-DREAL=float", "-DPDOBASIS_APPLY=second", "stencil.c"]
    function = compiled(tmp_path, command, "second")
    x = np.arange(20, dtype=np.float32) / 10
    field, out = np.ascontiguousarray((x**2)[None]), np.zeros((1, 20), np.float32)
    shape = (ctypes.c_ssize_t * 1)(20)
    data = (array.ctypes.data_as(ctypes.c_void_p) for array in (field, out))
    assert function(*data, shape, None, 0) == 0
    assert np.allclose(out[0, 2:-2], 2, atol=1e-3)


@needs_gcc
def test_the_zero_operator(tmp_path: Path) -> None:
    (tmp_path / "stencil.c").write_text(pdobasis.operator("0*d1 + 0*d2", dim=2).stencil_set().source("c"))
    function = compiled(tmp_path, ["gcc", *STRICT, "stencil.c"], "pdobasis_apply")
    out = np.full((1, 4, 4), np.nan)
    assert call(function, np.ones((1, 4, 4)), out, None, True) == 0
    assert not out.any()


def test_a_comment_is_not_ended_by_a_name() -> None:
    from dataclasses import replace

    stencils = replace(pdobasis.operator("d1").stencil_set(), title="*/ int x; /*\n#include")
    assert stencils.source("c").split("\n")[0] == "/* * / int x; /*?#include"
