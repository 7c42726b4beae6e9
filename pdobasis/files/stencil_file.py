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
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.basis import Basis
from pdobasis.errors import FileFormatError, PdoBasisError
from pdobasis.files.json_file import basis_to_json
from pdobasis.files.question import question_from_json
from pdobasis.sampled import Places, Sampled
from pdobasis.stencils import Grid, RadialFunction

FORMAT = "pdobasis-stencils"
VERSION = 1
ARRAYS = {"stencils": "<f8", "orders": "<i8", "coefficients": "<f8", "monomials": "<i8"}
"""The arrays by name, with their types."""
LAYOUTS = {
    "grid": "coordinates grow with the index along every axis",
    "image": "x2 grows upwards, against the row index; the other coordinates grow with the index",
}


@dataclass(frozen=True, slots=True, eq=False)
class StencilFile:
    """The contents of a file: read-only arrays of one consistent shape, and the mapping ``meta``."""

    stencils: NDArray[np.float64]
    orders: NDArray[np.int64]
    coefficients: NDArray[np.float64]
    monomials: NDArray[np.int64]
    meta: dict[str, Any]

    def __post_init__(self) -> None:
        for array in self.arrays.values():
            array.setflags(write=False)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self, name) for name in ARRAYS}

    @property
    def meta_text(self) -> str:
        """The JSON text as it is written: the same contents give the same bytes."""
        return json.dumps(self.meta, ensure_ascii=False, allow_nan=False)

    def sampled(self) -> Sampled:
        """The stencils with their question and grid, as they can be measured."""
        grid, options, places = discretization_from_json(self.meta)
        problem = question_from_json(self.meta)
        rings = self.meta["discretization"].get("rings")
        return Sampled(
            problem,
            self.meta["discretization"]["stencil"],
            grid,
            tuple(sorted(options.items())),
            self.stencils,
            self.orders,
            self.coefficients,
            self.monomials,
            None if rings is None else tuple(rings),
            places,
        )


def contents(basis: Basis, sampled: Sampled) -> StencilFile:
    """The file of a basis and its stencils."""
    whole = basis_to_json(basis)
    meta = {
        **{k: v for k, v in whole.items() if k not in ("certificate", "conventions", "elements")},
        "format": FORMAT,
        "version": VERSION,
        "discretization": discretization_to_json(sampled),
        "certificate": whole["certificate"],
        "conventions": {**whole["conventions"], "layout": LAYOUTS[sampled.grid.layout]},
        "elements": whole["elements"],
    }
    arrays = {name: np.ascontiguousarray(getattr(sampled, name), dtype=kind) for name, kind in ARRAYS.items()}
    meta["checksum"] = checksum(arrays, meta)
    return StencilFile(**arrays, meta=meta)


def discretization_to_json(sampled: Sampled) -> dict[str, Any]:
    grid = sampled.grid
    out: dict[str, Any] = {
        "stencil": sampled.method,
        "size": list(grid.size),
        "spacing": [str(h) for h in grid.spacing],
        "dilation": list(grid.dilation),
        "offset": [str(s) for s in grid.offset],
        "layout": grid.layout,
        "options": {name: _plain(value) for name, value in sampled.options},
    }
    if sampled.rings is not None:
        out["rings"] = list(sampled.rings)
    if sampled.places is not None:
        out["in_offsets"] = [[str(s) for s in place] for place in sampled.places.in_offsets]
        out["out_offsets"] = [[str(s) for s in place] for place in sampled.places.out_offsets]
    return out


def discretization_from_json(meta: dict[str, Any]) -> tuple[Grid, dict[str, Any], Places | None]:
    """(grid, options of the method, places of the components)."""
    data = meta.get("discretization")
    try:
        if not isinstance(data, dict) or not isinstance(data["stencil"], str) or not isinstance(data["options"], dict):
            raise FileFormatError("the discretization is incomplete: expected stencil, size and options")
        lists = {name: tuple(data[name]) for name in ("size", "spacing", "dilation", "offset")}
        grid = Grid.regular(
            len(lists["size"]),
            lists["size"],
            spacing=lists["spacing"],
            dilation=lists["dilation"],
            offset=lists["offset"],
            layout=data["layout"],
        )
        options = {str(k): tuple(v) if isinstance(v, list) else v for k, v in data["options"].items()}
        places = Places(_offsets(data["out_offsets"]), _offsets(data["in_offsets"])) if "in_offsets" in data else None
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        if isinstance(error, PdoBasisError):
            raise
        raise FileFormatError(f"the discretization cannot be read ({type(error).__name__}: {error})") from None
    return grid, options, places


def checksum(arrays: dict[str, NDArray[Any]], meta: dict[str, Any]) -> str:
    """SHA-256 of names, types, shapes and bytes of the arrays, and of the meta data without the checksum."""
    digest = hashlib.sha256()
    for name, kind in ARRAYS.items():
        array = np.ascontiguousarray(arrays[name], dtype=kind)
        digest.update(f"{name} {kind} {list(array.shape)}\n".encode())
        digest.update(array.tobytes())
    rest = {k: v for k, v in meta.items() if k != "checksum"}
    digest.update(json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False).encode())
    return f"sha256:{digest.hexdigest()}"


def checked(arrays: dict[str, NDArray[Any]], meta_text: str) -> StencilFile:
    """The contents that a reader found; refused unless they are whole and belong together."""
    meta = read_meta(meta_text)
    for name, kind in ARRAYS.items():
        if name not in arrays:
            raise FileFormatError(f"the array {name!r} is missing")
        if arrays[name].dtype != np.dtype(kind):
            raise FileFormatError(f"the array {name!r} has type {arrays[name].dtype}, expected {np.dtype(kind)}")
    _check_shapes(arrays, meta)
    if meta.get("checksum") != checksum(arrays, meta):
        raise FileFormatError("the checksum does not fit: the file was altered or damaged; write it again")
    return StencilFile(**{name: np.ascontiguousarray(arrays[name]) for name in ARRAYS}, meta=meta)


def read_meta(text: str) -> dict[str, Any]:
    try:
        meta = json.loads(text)
    except (ValueError, RecursionError):
        raise FileFormatError("its meta data are not JSON (truncated?)") from None
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise FileFormatError(f'not a stencil file (expected "format": "{FORMAT}")')
    if meta.get("version") != VERSION:
        raise FileFormatError(f"version {meta.get('version')!r}, this program reads version {VERSION}")
    return meta


def _check_shapes(arrays: dict[str, NDArray[Any]], meta: dict[str, Any]) -> None:
    grid, _, _ = discretization_from_json(meta)
    try:
        channels = (int(meta["out"]["size"]), int(meta["in"]["size"]))
    except (KeyError, TypeError, ValueError):
        raise FileFormatError("the question is incomplete: expected in.size and out.size") from None
    elements, terms = len(np.atleast_1d(arrays["orders"])), len(np.atleast_2d(arrays["monomials"]))
    expected = {
        "stencils": (elements, *channels, *grid.array_shape),
        "orders": (elements,),
        "coefficients": (elements, *channels, terms),
        "monomials": (terms, grid.dim),
    }
    for name, shape in expected.items():
        if arrays[name].shape != shape:
            raise FileFormatError(f"the array {name!r} has shape {arrays[name].shape}, expected {shape}")
    for name in ("stencils", "coefficients"):
        if not np.isfinite(arrays[name]).all():
            raise FileFormatError(f"the array {name!r} holds numbers that are not finite")


def _plain(value: Any) -> Any:
    if isinstance(value, RadialFunction):
        return value.name
    if isinstance(value, (tuple, list, np.ndarray)):
        return [_plain(v) for v in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def _offsets(data: Any) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(str(s)) for s in place) for place in data)
