"""The paper's table of relative equivariance errors: C16, 3×3 and 5×5, all methods and unconstrained filters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pdobasis.answer.solve import solve
from pdobasis.measure.rotation import RUNS, WIDTHS, RotationError, identity_error, rotation_errors, unconstrained_errors
from pdobasis.stencils.sampled import sample

ROWS: tuple[tuple[str, str, dict[int, dict[str, Any]]], ...] = (
    ("kernels", "kernel", {3: {}, 5: {}}),
    ("FD", "fd", {3: {}, 5: {}}),
    ("RBF-FD, r³ or r⁵", "rbffd", {3: {"phi": "phs3"}, 5: {"phi": "phs5"}}),
    ("Gauss", "gauss", {3: {"sigma": 1.0}, 5: {"sigma": 1.3}}),
    ("Gauss, moments", "gauss", {3: {"sigma": 1.0, "normalize": "moments"}, 5: {"sigma": 1.3, "normalize": "moments"}}),
)
FLOOR, FREE = "interpolation alone", "unconstrained"
ORDERS = {3: 2, 5: 3}
"""The paper's largest orders. (r³ has no third derivative at its centre, so 5×5 takes r⁵.)"""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The relative error of a method on a field, over all angles and random layers; of the floor, with one layer."""

    method: str
    size: int
    field: str
    mean: float
    deviation: float


def comparison_table(
    group: str = "C16",
    in_rep: str = "trivial",
    out_rep: str = "regular",
    runs: int = RUNS,
    progress: Callable[[str], None] = lambda message: None,
) -> tuple[TableRow, ...]:
    """Every method on 3×3 (order ≤ 2) and 5×5 (order ≤ 3), on a smooth and on a rough field."""
    out: list[TableRow] = []
    for size, order in ORDERS.items():
        basis = solve(group, in_rep, out_rep, order)
        samples = [(name, sample(basis, method, size, **options[size])) for name, method, options in ROWS]
        first = samples[0][1]
        for field in WIDTHS:
            progress(f"{group}, {size}×{size}, {field} field")
            # The floor knows no stencil, so it is measured once and not for every size.
            if size == min(ORDERS):
                out.append(_row(FLOOR, 1, field, identity_error(first.problem, first.grid, field=field)))
            out.append(_row(FREE, size, field, unconstrained_errors(first, runs, field=field)))
            for name, sampled in samples:
                progress(f"{name}, {size}×{size}, {field} field")
                out.append(_row(name, size, field, rotation_errors(sampled, runs, field=field)))
    order_of = {name: k for k, name in enumerate((FLOOR, FREE, *(r[0] for r in ROWS)))}
    # sorted keeps the order of equals: the fields stay in the order of WIDTHS.
    return tuple(sorted(out, key=lambda row: (order_of[row.method], row.size)))


def _row(name: str, size: int, field: str, found: tuple[RotationError, ...]) -> TableRow:
    """Mean over everything; the deviation between layers, of their means over the angles."""
    errors = np.array([f.errors for f in found])
    return TableRow(name, size, field, float(errors.mean()), float(errors.mean(axis=0).std()))
