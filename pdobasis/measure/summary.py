"""All measurements of one discretization, and how they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pdobasis.measure.consistency import Consistency, consistency
from pdobasis.measure.convergence import Convergence, convergence
from pdobasis.measure.grid_symmetry import GridSymmetry, grid_equivariance
from pdobasis.measure.off_grid import (
    WIDTH,
    OffGridError,
    off_grid_errors,
    root_mean_square,
)
from pdobasis.measure.rotation import RUNS, SEEDS, RotationError, rotation_errors
from pdobasis.stencils.sampled import Sampled


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """Consistency and convergence are None for kernels; ``off_grid`` is empty where every element fits the grid.

    ``rotations`` are the first of the same elements, by turning images; ``width`` is that of the fields of the others.
    """

    sampled: Sampled
    consistency: Consistency | None
    convergence: tuple[Convergence, ...] | None
    symmetries: tuple[GridSymmetry, ...]
    rotations: tuple[RotationError, ...]
    off_grid: tuple[OffGridError, ...]
    width: float

    @property
    def off_grid_error(self) -> float:
        return root_mean_square([f.error for f in self.off_grid])

    @property
    def holds(self) -> bool:
        """Every symmetry that the group shares with the grid is kept to 1e-14."""
        return all(s.holds for s in self.symmetries)

    @property
    def title(self) -> str:
        size = "×".join(str(n) for n in self.sampled.grid.size)
        options = "".join(f", {name} {value}" for name, value in self.sampled.options)
        staggered = ""
        if self.sampled.grid.lattice is not None:
            staggered = f", {self.sampled.grid.lattice.name} lattice"
        if self.sampled.places is not None:
            staggered = ", staggered"
        return f"{self.sampled.method} {size}{options}{staggered}, layout {self.sampled.grid.layout}"

    @property
    def verdict(self) -> str:
        if not self.symmetries:
            return (
                "No symmetry of this grid was found in the group, except the identity."
            )
        worst = max(s.defect for s in self.symmetries)
        if self.holds:
            counts = _counts(self.symmetries)
            return f"✓ exactly equivariant under the {counts} that the group shares with the grid: {_bits(worst)}"
        broken = [s for s in self.symmetries if not s.holds]
        reason = ""
        if not any(s.keeps_nodes for s in broken):
            reason = "; they do not map the box of the stencil to itself"
        return (
            f"✗ NOT equivariant under {len(broken)} of the {len(self.symmetries)} symmetries that the group shares "
            f"with the grid ({_counts(broken)}): defect {worst:.2g}{reason}"
        )

    def element_rows(self) -> list[tuple[str, ...]]:
        if self.consistency is None or self.convergence is None:
            return []
        return [
            (
                str(c.element),
                str(c.order),
                _accuracy(p),
                *(_small(v) for v in errors),
                _rate(c.rate),
            )
            for c, p, errors in zip(
                self.convergence,
                self.consistency.accuracy,
                self.consistency.errors,
                strict=True,
            )
        ]

    def moment_rows(self, elements: int) -> list[tuple[str, ...]]:
        """What the first elements give on every monomial along the size, where anything is expected or given."""
        if self.consistency is None:
            return []
        found = self.consistency
        rows: list[tuple[str, ...]] = []
        size = self.sampled.grid.size
        inside = [
            k
            for k, b in enumerate(found.monomials)
            if all(x < n for x, n in zip(b, size, strict=True))
        ]
        for e in range(min(elements, len(found.given))):
            for o, i in np.ndindex(*found.given.shape[1:3]):
                for k in inside:
                    given, exact = (
                        float(found.given[e, o, i, k]),
                        float(found.expected[e, o, i, k]),
                    )
                    if abs(given) > 1e-13 or exact:
                        rows.append(
                            (
                                str(e),
                                f"{o + 1} ← {i + 1}",
                                _monomial(found.monomials[k]),
                                f"{given:.6g}",
                                f"{exact:.6g}",
                            )
                        )
        return rows

    def symmetry_rows(self) -> list[tuple[str, ...]]:
        return [
            (
                "["
                + "; ".join(" ".join(str(v) for v in row) for row in s.matrix.tolist())
                + "]",
                s.kind,
                _bits(s.defect),
            )
            for s in self.symmetries
        ]

    def rotation_rows(self) -> list[tuple[str, ...]]:
        """Each element with both errors, that of turned images where it was measured."""
        turned = [r.spread.text for r in self.rotations]
        missing = ["–"] * (len(self.off_grid) - len(turned))
        return [
            (f.label, text, f"{f.error:.1e}")
            for f, text in zip(self.off_grid, [*turned, *missing], strict=True)
        ]

    @property
    def off_grid_text(self) -> str:
        return (
            f"Off-grid error: {self.off_grid_error:.2e} "
            f"(closed form, root mean square, fields of width {self.width:g})"
        )

    def to_json(self, moments: bool = False) -> dict[str, Any]:
        out: dict[str, Any] = {
            "group": self.sampled.problem.group.name,
            "discretization": self.title,
        }
        if self.consistency is not None and self.convergence is not None:
            out["elements"] = [
                {
                    "element": c.element,
                    "order": c.order,
                    "accuracy": p,
                    "moment_errors": errors.tolist(),
                    "convergence_errors": list(c.errors),
                    "observed_order": c.rate,
                }
                for c, p, errors in zip(
                    self.convergence,
                    self.consistency.accuracy,
                    self.consistency.errors,
                    strict=True,
                )
            ]
            if moments:
                out["monomials"] = [list(b) for b in self.consistency.monomials]
                out["moments"] = self.consistency.given.tolist()
                out["exact_moments"] = self.consistency.expected.tolist()
        out["grid_symmetries"] = [
            {
                "matrix": s.matrix.tolist(),
                "reflection": s.is_reflection,
                "kind": s.kind,
                "keeps_nodes": s.keeps_nodes,
                "defect": s.defect,
            }
            for s in self.symmetries
        ]
        out["other_elements"] = [
            {
                "element": r.label,
                **asdict(r.spread),
                "errors": [list(errors) for errors in r.by_seed],
            }
            for r in self.rotations
        ]
        out["off_grid"] = {
            "width": self.width,
            "error": self.off_grid_error,
            "elements": [asdict(f) for f in self.off_grid],
        }
        out["exact_on_grid"] = self.holds
        return out


def measure(
    sampled: Sampled,
    runs: int = RUNS,
    seeds: int = SEEDS,
    progress: Callable[[str], None] = lambda message: None,
    width: float = WIDTH,
) -> Report:
    """Everything that can be said about a discretization."""
    progress("consistency")
    moments = consistency(sampled)
    progress("convergence")
    rates = convergence(sampled)
    progress("symmetries of the grid")
    symmetries = grid_equivariance(sampled)
    progress("other elements of the group")
    rotations: tuple[RotationError, ...] = ()
    off_grid: tuple[OffGridError, ...] = ()
    if sampled.places is None and sampled.elements:
        off_grid = off_grid_errors(sampled, width)
        rotations = rotation_errors(sampled, runs, seeds)
    return Report(sampled, moments, rates, symmetries, rotations, off_grid, width)


def _counts(symmetries: Sequence[GridSymmetry]) -> str:
    kinds = [s.kind for s in symmetries]
    words = [_number(kinds.count(kind), kind) for kind in ("rotation", "reflection")]
    if "shear" in kinds:
        words.append(_number(kinds.count("shear"), "shear"))
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _bits(defect: float) -> str:
    if defect == 0:
        return "bit by bit"
    return f"{defect:.1e}"


def _accuracy(p: int | None) -> str:
    if p is None:
        return "exact"
    if p == 0:
        return "none"
    return f"O(h^{p})"


def _small(value: float) -> str:
    if value < 1e-14:
        return "0"
    return f"{value:.0e}"


def _rate(rate: float | None) -> str:
    if rate is None:
        return "exact"
    # + 0.0, so that -0.00 is not printed.
    return f"{round(rate, 2) + 0.0:.2f}"


def _monomial(beta: tuple[int, ...]) -> str:
    parts = [f"x{i + 1}^{b}".removesuffix("^1") for i, b in enumerate(beta) if b]
    return " ".join(parts) or "1"
