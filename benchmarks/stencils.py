"""Time to discretize a solved basis, and to make the stencils of single derivatives, as ratios in one interleaved run.

    python benchmarks/stencils.py

The reference for a basis is one BLAS product of the dense coefficients with the sampled monomials. findiff and the
package treverhines-rbf are compared where they are installed; with the latter the weights are compared as well.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import numpy as np

import pdobasis
from pdobasis.stencils import Grid, combine, finite_difference, rbf_fd
from pdobasis.stencils.sampled import sample

GOAL = 0.2
Task = Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    basis_times(rounds)
    finite_difference_times(rounds)
    if find_spec("rbf") is None:
        print("\ntreverhines-rbf is not installed: not compared")
    else:
        peer(rounds)


def basis_times(rounds: int) -> None:
    basis = pdobasis.solve("C16", "regular", "regular", order=3)
    weights = finite_difference(basis.monomials(), Grid.regular(2, 5)).weights
    coefficients = basis.coefficients()
    tasks: dict[str, Task] = {"one dense BLAS product": lambda: combine(coefficients, weights)}
    for method in ("fd", "rbffd", "gauss", "kernel"):
        tasks[f"basis.stencils({method!r}, 5)"] = partial(basis.stencils, method, 5)
        tasks[f"sample({method!r}, 5), with coefficients"] = partial(sample, basis, method, 5)
    report(f"C16 regular→regular, order 3, 5×5 (goal {GOAL} s)", tasks, rounds)


def finite_difference_times(rounds: int) -> None:
    from sympy import Rational, finite_diff_weights

    alphas = [(a, b) for a in range(4) for b in range(4 - a)]
    points = [Rational(k) for k in range(-4, 5)]
    tasks: dict[str, Task] = {
        "SymPy finite_diff_weights, one axis": lambda: finite_diff_weights(3, points, 0)[3][-1],
        "ours, all monomials of order 3 on 9×9": lambda: finite_difference(alphas, Grid.regular(2, 9)),
        "ours, all monomials of order 3 on 9×9×9": lambda: finite_difference(
            [(a, b, c) for a in range(4) for b in range(4 - a) for c in range(4 - a - b)], Grid.regular(3, 9)
        ),
    }
    if find_spec("findiff") is not None:
        from findiff import coefficients

        tasks["findiff coefficients, one axis"] = lambda: coefficients(deriv=3, offsets=list(range(-4, 5)))
    report("exact finite differences", tasks, rounds)


def peer(rounds: int) -> None:
    from rbf.pde.fd import weights

    alphas = [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
    grid = Grid.regular(2, 5)
    nodes = grid.coordinates()
    ours = rbf_fd(alphas, grid, "phs5", degree=2).weights.reshape(len(alphas), -1)
    theirs = np.array([weights(np.zeros(2), nodes, a, phi="phs5", order=2) for a in alphas])
    print(f"\nRBF-FD r⁵ on 5×5, degree 2: largest difference to treverhines-rbf {np.abs(ours - theirs).max():.1e}")
    tasks: dict[str, Task] = {
        "treverhines-rbf": lambda: [weights(np.zeros(2), nodes, a, phi="phs5", order=2) for a in alphas],
        "ours (extended precision, condition checked)": lambda: rbf_fd(alphas, grid, "phs5", degree=2),
    }
    report("RBF-FD, five derivatives on 5×5", tasks, rounds)


def report(title: str, tasks: dict[str, Task], rounds: int) -> None:
    """Medians of interleaved rounds, after one round to warm up; ratios to the first task."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for lap in range(rounds + 1):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            if lap:
                times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(found) for name, found in times.items()}
    first = next(iter(medians.values()))
    print(f"\n{title}")
    for name, seconds in medians.items():
        print(f"  {name:<48} {seconds * 1e3:9.2f} ms   {seconds / first:7.2f} ×")


if __name__ == "__main__":
    main()
