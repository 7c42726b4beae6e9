"""RBF-FD on a point cloud: time for each target against one batched LAPACK solve of the same systems.

    python benchmarks/point_cloud.py [--targets 100000] [--neighbours 20]

Both are done in alternation, on the same systems, and the ratio of the medians is printed (goal: below 2, and the
whole cloud in less than 20 s). The reference knows the assembled matrices already and only solves them. Ours uses all
processors, so that the ratio is only meaningful on a quiet machine; the processor time is printed as well.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time

import numpy as np

from pdobasis.stencils import multi_indices, radial_function, rbf_fd_cloud
from pdobasis.stencils.cloud import gather, neighbourhoods
from pdobasis.stencils.moments import unit_scale
from pdobasis.stencils.rbf_fd import assemble

CHUNK = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", type=int, default=100_000)
    parser.add_argument("--neighbours", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    points = np.random.default_rng(0).random((given.targets, 2))
    alphas = [a for a in multi_indices(2, 2) if sum(a)]
    ours, lapack, processor = [], [], []
    for _ in range(given.rounds):
        start, used = time.perf_counter(), time.process_time()
        found = rbf_fd_cloud(points, points, alphas, neighbours=given.neighbours, phi="phs3", degree=2)
        ours.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
        lapack.append(solve_only(points, alphas, given.neighbours))
    if found.condition is None:
        raise RuntimeError("no system was solved")
    a, b = statistics.median(ours), statistics.median(lapack)
    error = np.abs(found.apply(np.exp(points[:, 0]))[:, 0] - np.exp(points[:, 0]))
    print(f"{given.targets:,} targets × {given.neighbours} neighbours, orders 1 and 2, r³ with degree 2")
    print(
        f"  ours, neighbours and conditions included   {a:7.2f} s   {a / given.targets * 1e6:7.1f} µs for each target"
    )
    print(
        f"  one batched LAPACK solve, systems ready    {b:7.2f} s   {b / given.targets * 1e6:7.1f} µs for each target"
    )
    print(f"  ratio {a / b:.2f} (goal: below 2); processor time of ours {statistics.median(processor):.2f} s")
    print(
        f"  largest condition number {np.max(found.condition):.1e}, error of ∂₁ exp(x1): median {np.median(error):.1e}"
    )
    print(f"  largest memory of the process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def solve_only(points: np.ndarray, alphas: list[tuple[int, ...]], neighbours: int) -> float:
    """Seconds that numpy.linalg.solve takes for all systems; the assembly is not counted."""
    indices = neighbourhoods(points, points, neighbours)
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


if __name__ == "__main__":
    main()
