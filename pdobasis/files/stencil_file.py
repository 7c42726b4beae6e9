"""What every stencil file holds, whatever its format: four plain arrays and one JSON text.

``stencils`` (elements, c_out, c_in, ...), ``orders`` (elements,), ``coefficients`` (elements, c_out, c_in, monomials),
``monomials`` (monomials, d), and ``meta``: format and version, the question, the conventions, the discretization with
all its parameters, the certificate, the exact elements and a checksum over all of it. The exact elements are there so
that the basis can be proved again from the file alone.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.errors import FileFormatError
from pdobasis.files.json_file import file_contents
from pdobasis.files.stencil_meta import (
    FORMAT,
    LAYOUTS,
    VERSION,
    check_meta,
    discretization_from_json,
    discretization_to_json,
)
from pdobasis.question.as_json import question_from_json
from pdobasis.stencils.sampled import Sampled

if TYPE_CHECKING:
    from pdobasis.handover import StencilSet

ARRAYS = {"stencils": "<f8", "orders": "<i8", "coefficients": "<f8", "monomials": "<i8"}
"""The arrays by name, with their types."""


@dataclass(frozen=True, slots=True, eq=False)
class StencilFile:
    """The contents of a file: read-only arrays of one consistent shape, and the mapping ``meta``."""

    stencils: NDArray[np.float64]
    orders: NDArray[np.int64]
    coefficients: NDArray[np.float64]
    monomials: NDArray[np.int64]
    meta: dict[str, Any]

    def __post_init__(self) -> None:
        # What the checksum covers must not change behind its back.
        for array in self.arrays.values():
            array.setflags(write=False)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self, name) for name in ARRAYS}

    @property
    def meta_text(self) -> str:
        """The JSON text as it is written: the same contents give the same bytes."""
        return json.dumps(self.meta, ensure_ascii=False, allow_nan=False)

    def stencil_set(self) -> StencilSet:
        """The stencils for other programs: ``.to("jax")``, ``.source("c")``."""
        from pdobasis.files.sources import of_file

        return of_file(self)

    def sampled(self) -> Sampled:
        """The stencils with their question and grid, as they can be measured."""
        grid, options, places = discretization_from_json(self.meta)
        problem = question_from_json(self.meta)
        rings = self.meta["discretization"].get("rings")
        if rings is not None:
            rings = tuple(rings)
        return Sampled(
            problem,
            self.meta["discretization"]["stencil"],
            grid,
            tuple(sorted(options.items())),
            self.stencils,
            self.orders,
            self.coefficients,
            self.monomials,
            rings,
            places,
        )


def contents(basis: Basis, sampled: Sampled) -> StencilFile:
    """The file of a basis and its stencils."""
    whole = file_contents(basis)
    meta = {
        **{
            k: v
            for k, v in whole.items()
            if k not in ("certificate", "conventions", "witness", "elements")
        },
        "format": FORMAT,
        "version": VERSION,
        "discretization": discretization_to_json(sampled),
        "certificate": whole["certificate"],
        "conventions": {**whole["conventions"], "layout": LAYOUTS[sampled.grid.layout]},
        "witness": whole["witness"],
        "elements": whole["elements"],
    }
    arrays = {
        name: np.ascontiguousarray(getattr(sampled, name), dtype=kind)
        for name, kind in ARRAYS.items()
    }
    meta["checksum"] = checksum(arrays, meta)
    return StencilFile(**arrays, meta=meta)


def checksum(arrays: dict[str, NDArray[Any]], meta: dict[str, Any]) -> str:
    """SHA-256 of names, types, shapes and bytes of the arrays, and of the meta data without the checksum."""
    digest = hashlib.sha256()
    for name, kind in ARRAYS.items():
        # A fixed type and byte order give the same digest on every machine.
        array = np.ascontiguousarray(arrays[name], dtype=kind)
        digest.update(f"{name} {kind} {list(array.shape)}\n".encode())
        # the memory itself: a copy of a large array would double it
        digest.update(array.reshape(-1).view(np.uint8).data)
    # Sorted keys, no spaces: a format that writes JSON otherwise has the same checksum.
    rest = {k: v for k, v in meta.items() if k != "checksum"}
    digest.update(
        json.dumps(
            rest, sort_keys=True, separators=(",", ":"), allow_nan=False
        ).encode()
    )
    return f"sha256:{digest.hexdigest()}"


def checked(arrays: dict[str, NDArray[Any]], found: Any) -> StencilFile:
    """The arrays and the meta data that a reader found; refused unless they are whole and belong together."""
    meta = check_meta(found)
    for name, kind in ARRAYS.items():
        if name not in arrays:
            raise FileFormatError(f"the array {name!r} is missing")
        if arrays[name].dtype != np.dtype(kind):
            raise FileFormatError(
                f"the array {name!r} has type {arrays[name].dtype}, expected {np.dtype(kind)}"
            )
    # Shapes before the checksum: it says more to be told which array does not fit.
    _check_shapes(arrays, meta)
    try:
        sum_of_contents = checksum(arrays, meta)
    except ValueError:  # JSON reads 1e999 as infinity, and does not write it
        raise FileFormatError(
            "its meta data hold numbers that are not finite"
        ) from None
    if meta.get("checksum") != sum_of_contents:
        raise FileFormatError(
            "the checksum does not fit: the file was altered or damaged; write it again"
        )
    return StencilFile(
        **{name: np.ascontiguousarray(arrays[name]) for name in ARRAYS}, meta=meta
    )


def _check_shapes(arrays: dict[str, NDArray[Any]], meta: dict[str, Any]) -> None:
    grid, _, _ = discretization_from_json(meta)
    channels = (meta["out"]["size"], meta["in"]["size"])
    # An array without axes has no length; that its shape is wrong is said below.
    elements = len(np.atleast_1d(arrays["orders"]))
    terms = len(np.atleast_2d(arrays["monomials"]))
    expected = {
        "stencils": (elements, *channels, *grid.array_shape),
        "orders": (elements,),
        "coefficients": (elements, *channels, terms),
        "monomials": (terms, grid.dim),
    }
    for name, shape in expected.items():
        if arrays[name].shape != shape:
            raise FileFormatError(
                f"the array {name!r} has shape {arrays[name].shape}, expected {shape}"
            )
    # A checksum can be right for NaN as well, which would spoil every sum.
    for name in ("stencils", "coefficients"):
        if not np.isfinite(arrays[name]).all():
            raise FileFormatError(
                f"the array {name!r} holds numbers that are not finite"
            )
    if (
        arrays["monomials"].min(initial=0) < 0
        or arrays["monomials"].sum(axis=1).max(initial=0) > meta["order"]
    ):
        raise FileFormatError(
            f"the array 'monomials' does not hold exponents up to the order {meta['order']}"
        )
    rings = meta["discretization"].get("rings")
    if rings is not None and len(rings) != elements:
        raise FileFormatError(
            f"the discretization has {len(rings)} rings for {elements} kernels"
        )
