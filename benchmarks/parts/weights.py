"""Part 9: what stencils cost beside their limits: one BLAS product, exact weights of others, one LAPACK solve."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

import pdobasis
from benchmarks.common import Answer, Context, Goal, Section, interleaved, median, ratio, seconds
from pdobasis.stencils import Grid, combine, finite_difference, multi_indices, radial_function, rbf_fd, rbf_fd_cloud
from pdobasis.stencils.cloud import gather, neighbourhoods
from pdobasis.stencils.moments import unit_scale
from pdobasis.stencils.rbf_fd import assemble
from pdobasis.stencils.sampled import sample

LIMIT = 0.2
"""Seconds to sample a basis."""
TARGETS, NEIGHBOURS, CHUNK = 100_000, 20, 2_000
CLOUD_LIMIT, CLOUD_RATIO = 20.0, 2.0

Task = Callable[[], object]


def run(context: Context) -> Section:
    section = Section("9. Stencils beside their limits")
    basis_times(context, section)
    finite_difference_times(context, section)
    if find_spec("rbf") is None:
        section.add("treverhines-rbf is not installed beside pdobasis: its weights are not compared.")
    else:
        peer(context, section)
    cloud(context, section)
    return section


def basis_times(context: Context, section: Section) -> None:
    group, order, size = ("C4", 2, 3) if context.quick else ("C16", 3, 5)
    basis = pdobasis.solve(group, "regular", "regular", order=order)
    weights = finite_difference(basis.monomials(), Grid.regular(2, size)).weights
    coefficients = basis.coefficients()
    tasks: dict[str, Task] = {"one dense BLAS product": lambda: combine(coefficients, weights)}
    for method in ("fd", "rbffd", "gauss", "kernel"):
        tasks[f"basis.stencils({method!r}, {size})"] = partial(basis.stencils, method, size)
        tasks[f"sample({method!r}, {size}), with coefficients"] = partial(sample, basis, method, size)
    title = f"{group} regular→regular, order {order}, {size}×{size}"
    found = compared(context, section, title, tasks)
    if not context.quick:
        slowest = max(median(answers) or 0.0 for answers in found.values())
        section.goals.append(Goal(f"stencils: {title} < {LIMIT} s", seconds(slowest), slowest < LIMIT))


def finite_difference_times(context: Context, section: Section) -> None:
    from sympy import Rational, finite_diff_weights

    points = [Rational(k) for k in range(-4, 5)]
    plane, space = (list(multi_indices(dim, 3)) for dim in (2, 3))
    tasks: dict[str, Task] = {
        "SymPy finite_diff_weights, one axis": lambda: finite_diff_weights(3, points, 0)[3][-1],
        "ours, all monomials of order 3 on 9×9": lambda: finite_difference(plane, Grid.regular(2, 9)),
        "ours, all monomials of order 3 on 9×9×9": lambda: finite_difference(space, Grid.regular(3, 9)),
    }
    if find_spec("findiff") is not None:
        from findiff import coefficients

        tasks["findiff coefficients, one axis"] = lambda: coefficients(deriv=3, offsets=list(range(-4, 5)))
    compared(context, section, "Exact finite differences", tasks)


def peer(context: Context, section: Section) -> None:
    from rbf.pde.fd import weights

    alphas = [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
    grid = Grid.regular(2, 5)
    nodes = grid.coordinates()
    theirs = np.array([weights(np.zeros(2), nodes, a, phi="phs5", order=2) for a in alphas])
    ours = rbf_fd(alphas, grid, "phs5", degree=2).weights.reshape(len(alphas), -1)
    tasks: dict[str, Task] = {
        "treverhines-rbf": lambda: [weights(np.zeros(2), nodes, a, phi="phs5", order=2) for a in alphas],
        "ours (extended precision, condition checked)": lambda: rbf_fd(alphas, grid, "phs5", degree=2),
    }
    difference = f"largest difference of the weights {np.abs(ours - theirs).max():.1e}"
    compared(context, section, f"RBF-FD r⁵, five derivatives on 5×5, degree 2; {difference}", tasks)


def compared(context: Context, section: Section, title: str, tasks: dict[str, Task]) -> dict[str, list[Answer]]:
    """Interleaved, after one round to warm up; ratios to the first task."""
    for task in tasks.values():
        task()
    jobs: dict[Any, Callable[[], Answer]] = {name: partial(clocked, task) for name, task in tasks.items()}
    found = interleaved(jobs, context.rounds, title)
    first = next(iter(found.values()))
    section.table([title, "median", "ratio"], [[n, seconds(median(a)), str(ratio(a, first))] for n, a in found.items()])
    return found


def clocked(task: Task) -> Answer:
    start = time.perf_counter()
    task()
    return {"seconds": time.perf_counter() - start}


def cloud(context: Context, section: Section) -> None:
    """RBF-FD on a point cloud: orders 1 and 2, r³ with degree 2, against a solve of the assembled systems.

    Ours uses all processors, so that the ratio is only meaningful on a quiet machine; hence the processor time.
    """
    targets = 1_000 if context.quick else TARGETS
    points = np.random.default_rng(0).random((targets, 2))
    alphas = [a for a in multi_indices(2, 2) if sum(a)]
    ours, lapack, processor = [], [], []
    for _ in range(1 if context.quick else 3):
        start, used = time.perf_counter(), time.process_time()
        found = rbf_fd_cloud(points, points, alphas, neighbours=NEIGHBOURS, phi="phs3", degree=2)
        ours.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
        lapack.append(solve_only(points, alphas))
    if found.condition is None:
        raise RuntimeError("no system was solved")
    a, b = statistics.median(ours), statistics.median(lapack)
    exact = np.exp(points[:, 0])
    error = np.median(np.abs(found.apply(exact)[:, 0] - exact))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    rows = [
        ["ours, neighbours and conditions included", seconds(a), f"{a / targets * 1e6:.1f} µs"],
        ["one batched LAPACK solve, systems ready", seconds(b), f"{b / targets * 1e6:.1f} µs"],
    ]
    section.table([f"{targets:,} targets × {NEIGHBOURS} neighbours", "median", "for each target"], rows)
    section.add(
        f"Ratio {a / b:.2f}; processor time of ours {seconds(statistics.median(processor))}; largest condition number "
        f"{np.max(found.condition):.1e}, error of ∂₁ exp(x1): median {error:.1e}; largest memory of the process "
        f"{memory:.2f} GB."
    )
    if not context.quick:
        section.goals += [
            Goal(f"cloud: {targets:,} targets < {CLOUD_LIMIT:.0f} s", seconds(a), a < CLOUD_LIMIT),
            Goal(f"cloud: < {CLOUD_RATIO:.0f} times one LAPACK solve", f"{a / b:.2f}", a / b < CLOUD_RATIO),
        ]


def solve_only(points: np.ndarray, alphas: list[tuple[int, ...]]) -> float:
    """Seconds that numpy.linalg.solve takes for all systems; the assembly is not counted."""
    indices = neighbourhoods(points, points, NEIGHBOURS).indices
    phi, betas, total = radial_function("phs3"), multi_indices(2, 2), 0.0
    for low in range(0, len(points), CHUNK):
        part = slice(low, low + CHUNK)
        nodes = gather(points, points[part], indices[part])
        scale = unit_scale(nodes)
        matrix, right = assemble(phi, nodes / scale[:, None, None], scale, alphas, betas)
        start = time.perf_counter()
        np.linalg.solve(matrix, right)
        total += time.perf_counter() - start
    return total
