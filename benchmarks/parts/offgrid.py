"""Part 10: which stencil is rounder? The off-grid error of all methods, in closed form."""

from __future__ import annotations

from typing import Any

from benchmarks.common import Context, Section
from pdobasis.answer.solve import solve
from pdobasis.errors import PdoBasisError
from pdobasis.measure.off_grid import WIDTH, off_grid_error
from pdobasis.stencils.sampled import sample

SMOOTH, ROUGH = WIDTH, WIDTH / 2
SHAPES = [(3, 1), (3, 2), (5, 2), (5, 3), (7, 3), (7, 4)]
"""Points along an axis, and the largest order."""
QUESTIONS = [
    ("C8", "trivial", "regular"),
    ("C16", "trivial", "regular"),
    ("D8", "trivial", "regular"),
    ("D8", "vector", "vector"),
    ("O(2)", "trivial", "vector"),
    ("O(2)", "vector", "vector"),
    ("O(2)", "vector", "irrep(1,2)"),
    ("O(2)", "irrep(1,2)", "irrep(1,2)"),
]
Options = dict[str, Any]


ROUND = {3: 0.6, 5: 0.73, 7: 0.83}
"""The roundest sigmas by size; docs/stencils.md says why."""


def methods(size: int, order: int) -> list[tuple[str, str, Options]]:
    """Every method, with the options that matter; defaults first."""
    sigmas = {"0.26 size": 0.26 * size, "1": 1.0, "0.6, 0.73, 0.83": ROUND[size]}
    gauss = [(f"Gauss, σ = {name}", "gauss", {"sigma": sigma}) for name, sigma in sigmas.items()]
    return [
        ("FD", "fd", {}),
        ("RBF-FD, r³ or r⁵", "rbffd", {}),
        ("RBF-FD, r³ or r⁵, degree + 2", "rbffd", {"degree": order + 2}),
        ("RBF-FD, r⁷", "rbffd", {"phi": "phs7"}),
        ("RBF-FD, Gaussians", "rbffd", {"phi": "gaussian"}),
        ("RBF-FD, multiquadrics", "rbffd", {"phi": "multiquadric"}),
        *gauss,
        *((f"{name}, moments", method, {**options, "normalize": "moments"}) for name, method, options in gauss),
        ("kernels", "kernel", {}),
        ("kernels, widths 0.4", "kernel", {"widths": 0.4}),
    ]


def run(context: Context) -> Section:
    section = Section("10. Off-grid errors")
    section.add(
        "The off-grid error of C16, trivial→regular (of regular→regular it is the same), on smooth fields "
        f"(width {SMOOTH:g}) / on rough ones (width {ROUGH:g})."
    )
    shapes = SHAPES[:1] if context.quick else SHAPES
    rows: dict[str, list[str]] = {}
    for size, order in shapes:
        for name, method, options in methods(size, order):
            rows.setdefault(name, []).append(_both("C16", "trivial", "regular", order, method, size, options))
    section.table(
        ["method", *(f"{n}×{n}, order ≤ {order}" for n, order in shapes)],
        [[name, *cells] for name, cells in rows.items()],
    )
    for size, order in [(3, 2)] if context.quick else [(3, 2), (5, 3)]:
        section.add(f"Other questions on {size}×{size}, order ≤ {order}, smooth fields.")
        questions = QUESTIONS[:1] if context.quick else QUESTIONS
        section.table(
            ["method", *(f"{g}, {a}→{b}" for g, a, b in questions)],
            [
                [name, *(_one(*question, order, method, size, options, SMOOTH) for question in questions)]
                for name, method, options in methods(size, order)
            ],
        )
    return section


def _both(group: str, source: str, target: str, order: int, method: str, size: int, options: Options) -> str:
    found = [_one(group, source, target, order, method, size, options, width) for width in (SMOOTH, ROUGH)]
    return " / ".join(dict.fromkeys(found))


def _one(
    group: str, source: str, target: str, order: int, method: str, size: int, options: Options, width: float
) -> str:
    try:
        sampled = sample(solve(group, source, target, order), method, size, **options)
    except PdoBasisError:  # too few points for this degree
        return "–"
    return f"{off_grid_error(sampled, width):.1e}"
