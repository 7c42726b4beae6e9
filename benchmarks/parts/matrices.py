"""Part 13: whole grids, applied and assembled, beside findiff, py-pde and SciPy. Processor time of one thread."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pdobasis
from benchmarks.common import Answer, Context, Section, interleaved, median, ratio, seconds
from pdobasis.handover import StencilSet

Array = NDArray[np.float64]
Task = Callable[[], object]


def run(context: Context) -> Section:
    section = Section("13. Whole grids: applying and assembling")
    section.add("Processor time, each in one thread where it can be asked for; the Laplacian with 5 points, periodic.")
    side = 100 if context.quick else 1_000
    applying(context, section, side)
    assembling(context, section, side)
    for name in ("findiff", "pde"):
        if find_spec(name) is None:
            section.add(f"{name} is not installed beside pdobasis and is left out.")
    return section


def applying(context: Context, section: Section, side: int) -> None:
    stencils = pdobasis.solve("D4", "trivial", "trivial", order=2)[1].stencil_set("fd", 3)
    field = np.random.default_rng(0).standard_normal((1, side, side))
    by_numpy, by_scipy = stencils.to("numpy"), stencils.to("scipy")
    matrix = stencils.to("sparse", shape=side)
    tasks: dict[str, Task] = {
        "sums of np.roll, by hand": partial(rolled, field[0]),
        "ours, to numpy": lambda: by_numpy(field, padding="wrap"),
        "ours, to scipy": lambda: by_scipy(field),
        "ours, a sparse matrix": lambda: matrix @ field.ravel(),
    }
    if shutil.which("gcc") is not None:
        tasks["ours, to c (gcc -O3)"] = in_c(stencils, field)
    if find_spec("torch") is not None:
        import torch

        torch.set_num_threads(1)
        by_torch, tensor = stencils.to("torch"), torch.from_numpy(field)
        tasks["ours, to torch"] = lambda: by_torch(tensor, padding="wrap")
    if find_spec("findiff") is not None:
        [[laplacian]] = stencils.to("findiff", periodic=True)[0]
        tasks["findiff"] = lambda: laplacian(field[0])
    if find_spec("pde") is not None:
        tasks["py-pde (numba)"] = by_pde(field[0])
    compared(context, section, f"Applied to {side} × {side} points", tasks)


def assembling(context: Context, section: Section, side: int) -> None:
    from scipy.sparse import coo_array

    basis = pdobasis.solve("D4", "trivial", "trivial", order=2)
    stencils = basis[1].stencil_set("fd", 3)
    entries = stencils.to("sparse", shape=side).tocoo()
    tasks: dict[str, Task] = {
        "scipy.sparse, COO to CSR of the same entries": lambda: coo_array(
            (entries.data, (entries.row, entries.col)), shape=entries.shape
        ).tocsr(),
        "ours, both elements (basis.matrix)": lambda: basis.matrix((side, side)),
        "ours, boundaries (one-sided)": lambda: basis.matrix((side, side), boundary="one-sided"),
    }
    if find_spec("findiff") is not None:
        [[laplacian]] = stencils.to("findiff", periodic=True)[0]
        tasks["findiff"] = lambda: laplacian.matrix((side, side))
    compared(context, section, f"A matrix of {side**2:,} rows", tasks)


def rolled(u: Array) -> Array:
    return np.asarray(np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u)


def in_c(stencils: StencilSet, field: Array) -> Task:
    folder = Path(mkdtemp())
    (folder / "stencil.c").write_text(stencils.source("c"))
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", "stencil.c", "-o", "stencil.so"]
    subprocess.run(command, cwd=folder, check=True)
    function = ctypes.CDLL(str(folder / "stencil.so")).pdobasis_apply
    out = np.empty_like(field)
    shape = (ctypes.c_ssize_t * 2)(*field.shape[1:])
    given = [array.ctypes.data_as(ctypes.c_void_p) for array in (field, out)]
    return lambda: function(*given, shape, None, 1)


def by_pde(field: Array) -> Task:
    pde = import_module("pde")
    grid = pde.CartesianGrid([[0, n] for n in field.shape], field.shape, periodic=True)
    apply: Any = grid.make_operator("laplace", bc="periodic")
    return lambda: apply(field)


def compared(context: Context, section: Section, title: str, tasks: dict[str, Task]) -> None:
    """Interleaved, after one round to warm up (and to compile); ratios to the first task."""
    for task in tasks.values():
        task()
    jobs: dict[Any, Callable[[], Answer]] = {name: partial(clocked, task) for name, task in tasks.items()}
    found = interleaved(jobs, context.rounds, title)
    first = next(iter(found.values()))
    section.table([title, "median", "ratio"], [[n, seconds(median(a)), str(ratio(a, first))] for n, a in found.items()])


def clocked(task: Task) -> Answer:
    start = time.process_time()
    task()
    return {"seconds": time.process_time() - start}
