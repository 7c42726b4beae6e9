"""Part 6: how equivariant the stencils are: the paper's table, and reflections."""

from __future__ import annotations

from typing import Any

from benchmarks.common import Context, Section
from pdobasis.answer.solve import solve
from pdobasis.measure.comparison import comparison_table, size_table
from pdobasis.measure.grid_symmetry import grid_equivariance
from pdobasis.measure.rotation import RUNS, SEEDS
from pdobasis.stencils.sampled import sample

PAPER = {
    ("unconstrained", 3): "32716 ± 5484", ("unconstrained", 5): "32785 ± 5620",
    ("kernels", 3): "5.0 ± 1.0", ("kernels", 5): "5.0 ± 1.3",
    ("FD", 3): "4.8 ± 1.1", ("FD", 5): "6.6 ± 1.2",
    ("RBF-FD, r³ or r⁵", 3): "5.9 ± 1.2", ("RBF-FD, r³ or r⁵", 5): "6.1 ± 1.1",
    ("Gauss", 3): "4.9 ± 1.7", ("Gauss", 5): "6.4 ± 0.8",
}  # fmt: skip
"""Jenner and Weiler, table of relative equivariance errors for C16 on a test image, in units of 1e-6."""
PAIRS = [
    ("trivial", "vector"),
    ("vector", "trivial"),
    ("vector", "vector"),
    ("trivial", "regular"),
    ("regular", "regular"),
]
METHODS = {"fd": "finite differences", "rbffd": "RBF-FD", "gauss": "Gauss"}


def run(context: Context) -> Section:
    section = Section("6. Quality of stencils")
    section.add(
        "The paper's table: relative equivariance errors for C16, random layers, trivial→regular. Ours is measured as "
        "in the paper (turn a large image, then scale down), on smooth and on rough synthetic fields: "
        f"{_told(context)}. The paper gives mean and deviation over 10 initialisations on one image, which is not "
        "published, nor is its normalisation of the error: so only the comparison between methods carries over, not "
        "the figures. *Interpolation alone* is what turning and scaling cost without any layer: no figure below it "
        "means anything."
    )
    section.table(["method", "size", "smooth fields", "rough fields", "paper [1e-6]"], _paper(context))
    section.add(
        "The error falls with the size where the order stays: order ≤ 2, trivial→vector, smooth fields, as above."
    )
    section.table(["method", "group", "3×3", "5×5", "7×7"], _sizes(context))
    section.add(
        "Exact symmetries of the grid, D4: the largest relative error over rotations / over reflections. "
        "Ours compares stencils (0 is exact equality); e2cnn's are random combinations of its own stencils in single "
        "precision, with fields turned by its own `transform`. A test through scalars alone cannot see the error: in a "
        "network from scalars to scalars two such mistakes cancel."
    )
    rows = []
    e2cnn = context.worker("e2cnn", "e2cnn")
    for size in (3,) if context.quick else (3, 5):
        for method, name in METHODS.items():
            theirs = e2cnn.ask("reflections", size=size, method=method, limit=300) if e2cnn else {}
            for a, b in PAIRS:
                rows.append(
                    [f"{a}→{b}", f"{size}×{size}", name, _ours(a, b, size, method), _theirs(theirs, f"{a}→{b}")]
                )
    section.table(["layer", "size", "method", "ours: rotations / reflections", "e2cnn: rotations / reflections"], rows)
    return section


def _paper(context: Context) -> list[list[str]]:
    found = comparison_table(runs=_runs(context), seeds=_seeds(context))
    cells = {(r.method, r.size, r.field): r.error.text for r in found}
    keys = list(dict.fromkeys((r.method, r.size) for r in found))
    fields = list(dict.fromkeys(r.field for r in found))
    return [
        [m, f"{s}×{s}" if m != "interpolation alone" else "–", *(cells.get((m, s, f), "–") for f in fields),
         PAPER.get((m, s), "–")]
        for m, s in keys
    ]  # fmt: skip


def _sizes(context: Context) -> list[list[str]]:
    rows = []
    for group in ("C16", "D8"):
        found = size_table(group, runs=_runs(context), seeds=_seeds(context))
        for name in dict.fromkeys(r.method for r in found):
            rows.append([name, group, *(r.error.text for r in found if r.method == name)])
    return rows


def _runs(context: Context) -> int:
    return 1 if context.quick else RUNS


def _seeds(context: Context) -> int:
    return 1 if context.quick else SEEDS


def _told(context: Context) -> str:
    return (
        f"the median over {_seeds(context)} seeds, each with a field and {_runs(context)} layers of its own, and the "
        "lowest and highest median of one seed"
    )


def _ours(source: str, target: str, size: int, method: str) -> str:
    found = grid_equivariance(sample(solve("D4", source, target, 2), method, size))
    worst = [max(s.defect for s in found if s.is_reflection is kind) for kind in (False, True)]
    return " / ".join(f"{w:.0e}" if w else "0" for w in worst)


def _theirs(answer: dict[str, Any], pair: str) -> str:
    errors = answer.get("errors", {}).get(pair, answer.get("error", "–"))
    return errors if isinstance(errors, str) else " / ".join(f"{e:.0e}" if e < 1e-3 else f"{e:.2f}" for e in errors)
