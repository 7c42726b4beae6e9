"""pdobasis itself, asked in the same way as its peers."""

from __future__ import annotations

import platform
import sys
import tracemalloc
from importlib.metadata import version
from typing import Any

import flint
import numpy as np
import scipy
import sympy
from protocol import serve, timed

import pdobasis
from pdobasis.basis import Basis
from pdobasis.field_type import Problem
from pdobasis.solve import ask, solve_problem
from pdobasis.stencils import CloudStencils, rbf_fd_cloud


def clear_caches() -> None:
    """Forget every group, representation, field and table, so that each round does the whole work."""
    for module in [m for name, m in sys.modules.items() if name.startswith("pdobasis.")]:
        for value in vars(module).values():
            if callable(getattr(value, "cache_clear", None)):
                value.cache_clear()


def basis(
    group: str, source: str, target: str, order: int, method: str = "auto", whole: bool = False
) -> dict[str, Any]:
    """Solve and prove; ``whole`` also times reading the question and building group and representations."""
    if whole:
        seconds, found = timed(lambda: pdobasis.solve(group, source, target, order=order, method=method), clear_caches)
    else:
        problems: list[Problem] = []

        def before() -> None:
            clear_caches()
            problems[:] = [ask(group, source, target, order)]

        seconds, found = timed(lambda: solve_problem(problems[0], method=method), before)
    return {"seconds": seconds, "dimension": found.dimension, "numbers": numbers(found), "bytes": answer_bytes(found)}


def memory(group: str, source: str, target: str, order: int, method: str = "auto") -> dict[str, Any]:
    """The peak of what Python and NumPy hold while solving and proving, and what the answer holds, in bytes."""
    pdobasis.solve(group, source, target, order=order, method=method)
    clear_caches()
    problem = ask(group, source, target, order)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        found = solve_problem(problem, method=method)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return {"peak": peak - before, "bytes": answer_bytes(found), "numbers": numbers(found)}


def cloud(targets: int, neighbours: int = 12) -> dict[str, Any]:
    """RBF-FD weights of both second derivatives at points of the plane, from their nearest neighbours."""
    _cloud(100, neighbours)
    seconds, found = timed(lambda: _cloud(targets, neighbours))
    return {"seconds": seconds, "numbers": found.weights.size}


def cloud_memory(targets: int, neighbours: int = 12) -> dict[str, Any]:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        found = _cloud(targets, neighbours)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return {"peak": peak - before, "bytes": found.weights.nbytes + found.indices.nbytes, "numbers": found.weights.size}


def _cloud(targets: int, neighbours: int) -> CloudStencils:
    points = np.random.default_rng(0).random((targets, 2))
    return rbf_fd_cloud(points, points, [(2, 0), (0, 2)], neighbours=neighbours)


def numbers(found: Basis) -> int:
    """How many integers the answer consists of."""
    return max(1, sum(part.coefficients.numerators.size for block in found.blocks for part in block.orders))


def answer_bytes(found: Basis) -> int:
    parts = [part for block in found.blocks for part in block.orders]
    places = sum(getattr(part, name).nbytes for part in parts for name in ("element", "row", "column"))
    return max(1, places + sum(part.coefficients.numerators.nbytes for part in parts))


if __name__ == "__main__":
    serve(
        {"basis": basis, "memory": memory, "cloud": cloud, "cloud_memory": cloud_memory},
        {
            "Python": platform.python_version(),
            "NumPy": np.__version__,
            "SciPy": scipy.__version__,
            "SymPy": sympy.__version__,
            "python-flint": getattr(flint, "__version__", None) or version("python-flint"),
        },
    )
