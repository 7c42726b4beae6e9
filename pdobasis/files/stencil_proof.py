"""Prove a stencil file again: the basis from its exact elements, then every number from the basis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.files.json_file import basis_from_json
from pdobasis.files.stencil_file import StencilFile, contents
from pdobasis.files.stencil_meta import discretization_from_json
from pdobasis.files.verified import compared
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS
from pdobasis.stencils.discretized import Discretized
from pdobasis.stencils.sampled import Sampled, multiplied_out, on_one_grid, sample

TOLERANCE = 1e-12
"""Largest difference to stencils sampled again, relative to the largest weight of the element.

On one machine they agree bit by bit; exp and the linear algebra of another may round differently."""


@dataclass(frozen=True, slots=True)
class StencilProof:
    """The basis with its certificate, what failed, and how far the stencils are from those sampled again.

    ``parts`` is the basis over the atoms that were sampled; None on a staggered grid, which has none in common.
    """

    basis: Basis
    failures: tuple[str, ...]
    difference: float
    parts: Discretized | None = None
    remarks: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.failures

    @property
    def how(self) -> str:
        if self.difference == 0:
            return "bit by bit"
        return f"to {self.difference:.1e} (rounding of another machine)"


def prove_again(
    file: StencilFile,
    progress: Callable[[str], None] = lambda message: None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
) -> StencilProof:
    """Nothing is believed but the question, the exact elements and the parameters of the discretization."""
    basis = basis_from_json(file.meta, progress, max_unknowns)
    failures = basis.certificate.failures()
    progress("sampling again")
    parts, again = _again(basis, file)
    remarks: tuple[str, ...] = ()
    if not failures:
        expected = {
            **contents(basis, again).meta,
            "checksum": file.meta["checksum"],
        }  # compared when it was read
        failures, remarks = compared(file.meta, basis, expected)
    difference = 0.0
    # These are whole numbers or exact ones rounded once, so they have to be equal.
    for name in ("orders", "monomials", "coefficients"):
        if not np.array_equal(getattr(again, name), getattr(file, name)):
            failures.append(f"{name} differ from those of the elements")
    if again.stencils.shape != file.stencils.shape:
        failures.append("there are not as many stencils as elements")
    else:
        difference = _difference(again.stencils, file.stencils)
        # Asked in the negative, since NaN is within no tolerance.
        if not difference <= TOLERANCE:
            failures.append(
                f"the stencils differ from those sampled again by {difference:.2g} (relative)"
            )
    return StencilProof(basis, tuple(failures), difference, parts, remarks)


def _again(basis: Basis, file: StencilFile) -> tuple[Discretized | None, Sampled]:
    """The basis over atoms, where the grid is not staggered, and its stencils."""
    grid, options, places = discretization_from_json(file.meta)
    method = file.meta["discretization"]["stencil"]
    every: dict[str, Any] = {
        "spacing": grid.spacing,
        "dilation": grid.dilation,
        "offset": grid.offset,
        "layout": grid.layout,
        **options,
    }
    if grid.lattice is not None:
        every |= {"lattice": grid.lattice, "window": grid.window}
    if places is not None:
        every |= {"in_offsets": places.in_offsets, "out_offsets": places.out_offsets}
        return None, sample(basis, method, grid.size, **every)
    parts = on_one_grid(basis, method, grid.size, **every)
    return parts, multiplied_out(parts)


def _difference(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """The largest difference of an element, relative to its largest weight."""
    if not a.size:
        return 0.0
    axes = tuple(range(1, a.ndim))
    # The smallest normal number stands in for an element of zeros.
    scale = np.maximum(np.abs(a).max(axis=axes), np.finfo(float).tiny)
    return float((np.abs(a - b).max(axis=axes) / scale).max())
