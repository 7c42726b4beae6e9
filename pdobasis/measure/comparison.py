"""The paper's table of relative equivariance errors: C16, 3×3 and 5×5, all methods and unconstrained filters.

`size_table` is a table of our own: what a larger stencil brings when the order stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pdobasis.answer.solve import solve
from pdobasis.measure.rotation import (
    RUNS,
    SEEDS,
    WIDTHS,
    Spread,
    identity_error,
    overall,
    rotation_errors,
    unconstrained_errors,
)
from pdobasis.stencils.sampled import sample

ROWS: tuple[tuple[str, str, dict[int, dict[str, Any]]], ...] = (
    ("kernels", "kernel", {3: {}, 5: {}}),
    ("FD", "fd", {3: {}, 5: {}}),
    ("RBF-FD, r³ or r⁵", "rbffd", {3: {"phi": "phs3"}, 5: {"phi": "phs5"}}),
    ("Gauss", "gauss", {3: {"sigma": 1.0}, 5: {"sigma": 1.3}}),
    (
        "Gauss, moments",
        "gauss",
        {
            3: {"sigma": 1.0, "normalize": "moments"},
            5: {"sigma": 1.3, "normalize": "moments"},
        },
    ),
)
BY_SIZE: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("FD", "fd", {}),
    ("RBF-FD, r³, degree 2", "rbffd", {"phi": "phs3", "degree": 2}),
    ("Gauss, σ = 1", "gauss", {"sigma": 1.0}),
    ("kernels", "kernel", {}),
)
FLOOR, FREE = "interpolation alone", "unconstrained"
ORDERS = {3: 2, 5: 3}
"""The paper's largest orders. (r³ has no third derivative at its centre, so 5×5 takes r⁵.)"""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The relative error of a method on a kind of field, over all angles, seeds and random layers.

    Attributes
    ----------
    method : str
        The name of the method, or of what it is compared to.
    size : int
        Nodes of the stencil along an axis.
    field : str
        ``smooth`` or ``rough``.
    error : Spread
        Relative.

    Examples
    --------
    >>> from pdobasis.measure import spread
    >>> TableRow("FD", 3, "smooth", spread([[0.01, 0.03]])).error.text
    '2.0e-02'
    """

    method: str
    size: int
    field: str
    error: Spread


def comparison_table(
    group: str = "C16",
    in_rep: str = "trivial",
    out_rep: str = "regular",
    runs: int = RUNS,
    seeds: int = SEEDS,
    progress: Callable[[str], None] = lambda message: None,
) -> tuple[TableRow, ...]:
    """Every method on 3×3 (order ≤ 2) and 5×5 (order ≤ 3), on smooth and on rough fields.

    Parameters
    ----------
    group : str, optional
        A group of the plane.
    in_rep : str, optional
        Representation of the input.
    out_rep : str, optional
        Representation of the output.
    runs : int, optional
        Random layers for each seed.
    seeds : int, optional
        Seeds.
    progress : callable, optional
        Is told what is measured next.

    Returns
    -------
    tuple of TableRow
        One for each size, field and method.

    Examples
    --------
    >>> rows = comparison_table("C8", "trivial", "trivial", runs=1, seeds=1)
    >>> rows[0].method, rows[0].error.median < rows[-1].error.median
    ('interpolation alone', True)
    """
    out: list[TableRow] = []
    for size, order in ORDERS.items():
        basis = solve(group, in_rep, out_rep, order)
        samples = [
            (name, sample(basis, method, size, **options[size]))
            for name, method, options in ROWS
        ]
        first = samples[0][1]
        for field in WIDTHS:
            progress(f"{group}, {size}×{size}, {field} field")
            # The floor knows no stencil, so it is measured once and not for every size.
            if size == min(ORDERS):
                floor = identity_error(first.problem, first.grid, seeds, field)
                out.append(TableRow(FLOOR, 1, field, overall(floor)))
            free = unconstrained_errors(first, runs, seeds, field)
            out.append(TableRow(FREE, size, field, overall(free)))
            for name, sampled in samples:
                progress(f"{name}, {size}×{size}, {field} field")
                out.append(
                    TableRow(
                        name,
                        size,
                        field,
                        overall(rotation_errors(sampled, runs, seeds, field)),
                    )
                )
    order_of = {name: k for k, name in enumerate((FLOOR, FREE, *(r[0] for r in ROWS)))}
    # sorted keeps the order of equals: the fields stay in the order of WIDTHS.
    return tuple(sorted(out, key=lambda row: (order_of[row.method], row.size)))


def size_table(
    group: str,
    in_rep: str = "trivial",
    out_rep: str = "vector",
    runs: int = RUNS,
    seeds: int = SEEDS,
    sizes: Sequence[int] = (3, 5, 7),
) -> tuple[TableRow, ...]:
    """Methods of one order (≤ 2) on ever larger stencils, on smooth fields."""
    basis = solve(group, in_rep, out_rep, 2)
    out = []
    for name, method, options in BY_SIZE:
        for size in sizes:
            found = rotation_errors(sample(basis, method, size, **options), runs, seeds)
            out.append(TableRow(name, size, "smooth", overall(found)))
    return tuple(out)
