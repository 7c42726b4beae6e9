"""Part 4: from a basis to stencils on grids, and RBF-FD on point clouds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.common import Answer, Context, Section, failure, interleaved, median, ratio, seconds

QUESTION = ("C8", "regular", "regular")
METHODS = {"fd": "finite differences", "rbffd": "RBF-FD", "gauss": "Gauss", "kernel": "kernels"}


def run(context: Context) -> Section:
    section = Section("4. Stencils")
    section.add(
        f"Sampling the basis of {QUESTION[0]} regular→regular (order ≤ 2 on 3×3, ≤ 3 on 5×5 and 7×7), which is already "
        "there on both sides. RBF-FD is not the same on both: ours takes r³ or r⁵ with polynomials (in extended "
        "precision, conditions checked), e2cnn Gaussian functions without."
    )
    e2cnn = context.worker("e2cnn", "e2cnn")
    if e2cnn is not None:
        section.add(f"The RBF package inside e2cnn: {e2cnn.ask('rbf')['rbf']}.")
    rows = []
    for size in (3,) if context.quick else (3, 5, 7):
        for method, name in METHODS.items():
            found = interleaved(_jobs(context, size, method), context.rounds, f"{size}×{size} {name}")
            row = [f"{size}×{size}", name, seconds(median(found["ours"])), _cell(found, "e2cnn", "ours")]
            rows.append(row)
    section.table(["size", "method", "ours", "e2cnn / ours"], rows)
    section.add(
        "RBF-FD on point clouds of the plane: 12 neighbours, r³ with polynomials of degree 2, both second derivatives; "
        "ours includes neighbours and condition numbers. *LAPACK* is one batched solve of the same systems, assembled "
        "beforehand: the limit."
    )
    cloud = []
    for n in (1000,) if context.quick else (1000, 10_000, 100_000):
        found = interleaved(_cloud_jobs(context, n), context.rounds, f"{n:,} targets")
        cloud.append(
            [f"{n:,}", seconds(median(found["ours"])), _cell(found, "rbf", "ours"), _cell(found, "ours", "LAPACK")]
        )
    section.table(["targets", "ours", "treverhines-rbf / ours", "ours / LAPACK"], cloud)
    for name in ("e2cnn", "rbf"):
        if name in context.missing:
            section.add(f"{name}: {context.missing[name]}")
    return section


def _jobs(context: Context, size: int, method: str) -> dict[Any, Callable[[], Answer]]:
    group, source, target = QUESTION
    arguments: dict[str, Any] = {"group": group, "source": source, "target": target, "size": size, "method": method}
    arguments["order"] = 2 if size == 3 else 3
    jobs: dict[Any, Callable[[], Answer]] = {}
    if ours := context.worker("ours"):
        jobs["ours"] = partial(ours.ask, "stencils", **arguments)
    e2cnn = context.worker("e2cnn", "e2cnn")
    if e2cnn is not None and method != "kernel":
        jobs["e2cnn"] = partial(e2cnn.ask, "stencils", limit=120, **arguments)
    return jobs


def _cloud_jobs(context: Context, targets: int) -> dict[Any, Callable[[], Answer]]:
    jobs: dict[Any, Callable[[], Answer]] = {}
    if ours := context.worker("ours"):
        jobs["ours"] = partial(ours.ask, "cloud", targets=targets)
        jobs["LAPACK"] = partial(ours.ask, "lapack", targets=targets)
    if rbf := context.worker("rbf", "rbf"):
        jobs["rbf"] = partial(rbf.ask, "cloud", limit=120, targets=targets)
    return jobs


def _cell(found: dict[Any, list[Answer]], slower: str, faster: str) -> str:
    if slower not in found or faster not in found:
        return "–"
    return failure(found[slower]) or str(ratio(found[slower], found[faster]))
