"""Part 14: matrices of grids beside SciPy's COO to CSR of the same entries, findiff, py-pde; of clouds beside rbf."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

import pdobasis
from benchmarks.common import Answer, Context, Goal, Section, interleaved, median, ratio, seconds
from pdobasis.stencils import Grid, finite_difference, multi_indices

WINDOW_LIMIT, ROWS_RATIO = 1.0, 3.0
PEERS = {"findiff": "findiff", "py-pde": "pde", "treverhines-rbf": "rbf"}
"""Packages that are measured where they are installed beside pdobasis, and their modules."""


def run(context: Context) -> Section:
    section = Section("14. Matrices with boundaries, and of clouds")
    section.add("Processor time of one thread, interleaved; a ratio is to the line above the others of its table.")
    side = 100 if context.quick else 1000
    window(context, section)
    for title, make in kinds(side).items():
        rows(context, section, f"{title}, {side}×{side}", make)
    peers(context, section, side // 4)
    clouds(context, section, 2_000 if context.quick else 100_000)
    context.versions |= {name: version(name) for name, module in PEERS.items() if find_spec(module) is not None}
    return section


def kinds(side: int) -> dict[str, Callable[[], Any]]:
    operator = pdobasis.operator("d1^2 + d2^2")
    basis = pdobasis.solve("O(2)", "trivial", "trivial", order=2)
    shape = (side, side)
    return {
        "periodic, five points": lambda: basis.matrix(shape)[1].matrix,
        "periodic, nine points": lambda: basis.matrix(shape, isotropic=4)[1].matrix,
        "Dirichlet, five points": lambda: operator.on_grid(shape, boundary="dirichlet").matrix,
        "Dirichlet, order 4": lambda: operator.on_grid(shape, 5, boundary="dirichlet").matrix,
        "one-sided, order 4": lambda: operator.on_grid(shape, 5, boundary="one-sided").matrix,
        "Neumann, order 4": lambda: operator.on_grid(shape, 5, boundary="neumann").matrix,
        "summation by parts, order 4": lambda: operator.on_grid(shape, 5, boundary="sbp").matrix,
    }


def window(context: Context, section: Section) -> None:
    """All weights of derivatives of order ≤ 4 on 9×9×9."""
    alphas = multi_indices(3, 4)
    found = timed(context, {"weights": lambda: finite_difference(alphas, Grid.regular(3, 9))}, "9×9×9")
    own = median(found["weights"]) or 0.0
    name = f"all {len(alphas)} derivatives of order ≤ 4 on 9×9×9"
    section.add(f"{name}: {seconds(own)}.")
    section.goals.append(Goal(f"{name} < {WINDOW_LIMIT:.0f} s", seconds(own), own < WINDOW_LIMIT))


def rows(context: Context, section: Section, title: str, make: Callable[[], Any]) -> None:
    from scipy.sparse import coo_matrix

    entries = make().tocoo()
    data, places = entries.data, (entries.row, entries.col)

    def convert() -> Any:
        return coo_matrix((data, places), shape=entries.shape).tocsr()

    found = timed(context, {"SciPy, COO to CSR": convert, "ours, from the operator": make}, title)
    first = found["SciPy, COO to CSR"]
    lines = [[name, seconds(median(a)), str(ratio(a, first))] for name, a in found.items()]
    section.table([f"{title}, {entries.nnz:,} entries", "median", "ratio"], lines)
    if not context.quick:
        share = (median(found["ours, from the operator"]) or 0.0) / (median(first) or 1.0)
        section.goals.append(Goal(f"{title}: at most {ROWS_RATIO:.0f} × SciPy", f"{share:.1f}", share <= ROWS_RATIO))


def peers(context: Context, section: Section, side: int) -> None:
    """Laplacians of second order that others make a matrix of."""
    operator = pdobasis.operator("d1^2 + d2^2")
    tasks: dict[str, Callable[[], Any]] = {
        "ours, one-sided at the ends": lambda: operator.on_grid((side, side), boundary="one-sided").matrix
    }
    if find_spec("findiff") is not None:
        from findiff import FinDiff

        tasks["findiff"] = lambda: (FinDiff(0, 1.0, 2, acc=2) + FinDiff(1, 1.0, 2, acc=2)).matrix((side, side))
    if find_spec("pde") is not None:
        tasks["py-pde"] = partial(py_pde, side)
    found = timed(context, tasks, f"{side}×{side}")
    first = next(iter(found.values()))
    lines = [[name, seconds(median(a)), str(ratio(a, first))] for name, a in found.items()]
    section.table([f"Laplacian, {side}×{side}", "median", "ratio"], lines)


def py_pde(side: int) -> Any:
    grid = import_module("pde").CartesianGrid([[0, side], [0, side]], side)
    operators = import_module("pde.backends.scipy.operators.cartesian")
    return operators._get_laplace_matrix(grid.get_boundary_conditions({"value": 0}))


def clouds(context: Context, section: Section, count: int) -> None:
    """The Laplacian on random points: r³ with polynomials of degree 2, 12 neighbours."""
    operator = pdobasis.operator("d1^2 + d2^2")
    points = np.random.default_rng(0).random((count, 2))
    tasks: dict[str, Callable[[], Any]] = {
        "ours, condition numbers included": lambda: operator.on_cloud(points, 12).matrix
    }
    difference = ""
    if find_spec("rbf") is not None:
        from rbf.pde.fd import weight_matrix

        second = [(2, 0), (0, 2)]
        tasks["treverhines-rbf"] = lambda: weight_matrix(points, points, 12, second, phi="phs3", order=2)
        ours, theirs = (task() for task in tasks.values())
        difference = f"; the matrices differ by {abs(ours - theirs).max() / abs(ours).max():.0e} of the largest weight"
    found = timed(context, tasks, f"{count:,} targets")
    first = next(iter(found.values()))
    lines = [[name, seconds(median(a)), str(ratio(a, first))] for name, a in found.items()]
    section.table([f"Laplacian on a cloud of {count:,} points{difference}", "median", "ratio"], lines)


def timed(context: Context, tasks: dict[str, Callable[[], Any]], title: str) -> dict[Any, list[Answer]]:
    for task in tasks.values():
        task()  # once to warm up
    jobs: dict[Any, Callable[[], Answer]] = {name: partial(processor_time, task) for name, task in tasks.items()}
    return interleaved(jobs, context.rounds, title)


def processor_time(task: Callable[[], Any]) -> Answer:
    start = time.process_time()
    task()
    return {"seconds": time.process_time() - start}
