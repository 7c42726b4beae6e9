"""The meta data of a stencil file: what has to be in them, and the discretization as plain data."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from pdobasis.errors import FileFormatError, SpecError
from pdobasis.exact.fraction_text import parse_fraction
from pdobasis.files.read import unique_keys
from pdobasis.question.names import require_ascii, require_line
from pdobasis.stencils import Grid, GridError
from pdobasis.stencils.lattices import Lattice
from pdobasis.stencils.options import plain
from pdobasis.stencils.registry import names, option_of, samples_kernels
from pdobasis.stencils.sampled import CellPlaces, Sampled

FORMAT = "pdobasis-stencils"
VERSION = 1
MAX_TEXT = 200
"""Characters of one number of a lattice."""
MAX_WINDOW = 20_000
LAYOUTS = {
    "grid": "coordinates grow with the index along every axis",
    "image": "x2 grows upwards, against the row index; the other coordinates grow with the index",
}


def parse_meta(text: str) -> Any:
    """The JSON in a text."""
    try:
        return json.loads(text, object_pairs_hook=unique_keys)
    except FileFormatError:
        raise
    except (ValueError, RecursionError):
        raise FileFormatError("its meta data are not JSON (truncated?)") from None


def check_meta(meta: Any) -> dict[str, Any]:
    """The mapping; refused unless everything that is read later is there and of its type."""
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise FileFormatError(f'not a stencil file (expected "format": "{FORMAT}")')
    if meta.get("version") != VERSION or type(meta["version"]) is not int:
        raise FileFormatError(
            f"version {meta.get('version')!r}, this program reads version {VERSION}"
        )
    _check_question(meta)
    _check_discretization(meta)
    if not isinstance(meta.get("certificate"), dict) or not isinstance(
        meta.get("checksum"), str
    ):
        raise FileFormatError("the certificate or the checksum is missing")
    elements = meta.get("elements")
    if not isinstance(elements, list) or not all(isinstance(e, dict) for e in elements):
        raise FileFormatError("elements has to be a list of objects")
    for element in elements:
        for key in ("name", "in_irrep", "out_irrep"):
            if key in element:
                require_line(element[key], f"{key} of an element")
    return meta


def discretization_to_json(sampled: Sampled) -> dict[str, Any]:
    grid = sampled.grid
    out: dict[str, Any] = {
        "stencil": sampled.method,
        "size": list(grid.size),
        "spacing": [str(h) for h in grid.spacing],
        "dilation": list(grid.dilation),
        "offset": [str(s) for s in grid.offset],
        "layout": grid.layout,
        "options": {name: plain(value) for name, value in sampled.options},
    }
    if grid.lattice is not None:
        out["lattice"] = {
            "name": grid.lattice.name,
            "vectors": [list(row) for row in grid.lattice.texts],
            "window": grid.window or "closed",
        }
    if sampled.rings is not None:
        out["rings"] = list(sampled.rings)
    if sampled.places is not None:
        out["in_offsets"] = [
            [str(s) for s in place] for place in sampled.places.in_offsets
        ]
        out["out_offsets"] = [
            [str(s) for s in place] for place in sampled.places.out_offsets
        ]
    return out


def discretization_from_json(
    meta: dict[str, Any],
) -> tuple[Grid, dict[str, Any], CellPlaces | None]:
    """(grid, options of the method, places of the components) of meta data that `check_meta` has checked."""
    data = meta["discretization"]
    try:
        grid = Grid.regular(
            len(data["size"]),
            data["size"],
            spacing=data["spacing"],
            dilation=data["dilation"],
            offset=data["offset"],
            layout=data["layout"],
            **_lattice(data),
        )
        places = None
        if "in_offsets" in data:
            places = CellPlaces(
                _offsets(data["out_offsets"]), _offsets(data["in_offsets"])
            )
    except (SpecError, GridError, ValueError, ZeroDivisionError) as error:
        raise FileFormatError(f"the discretization cannot be read ({error})") from None
    options = {str(name): value for name, value in data["options"].items()}
    for name, value in options.items():
        # JSON has no tuples, and options are to be what they were before they were written.
        if isinstance(value, list):
            options[name] = tuple(value)
    return grid, options, places


def _lattice(data: dict[str, Any]) -> dict[str, Any]:
    """The lattice of the nodes by its vectors, and its window; nothing for a plain grid."""
    found = data.get("lattice")
    if found is None:
        return {}
    return {
        "lattice": Lattice(found["vectors"], found["name"]),
        "window": found["window"],
    }


def _check_question(meta: dict[str, Any]) -> None:
    whole = (
        isinstance(meta.get("group"), str)
        and _is_whole(meta.get("dim"))
        and _is_whole(meta.get("order"))
    )
    for which in ("in", "out"):
        part = meta.get(which)
        whole = (
            whole
            and isinstance(part, dict)
            and isinstance(part.get("spec"), str)
            and _is_whole(part.get("size"))
        )
    if not whole:
        raise FileFormatError(
            "the question is incomplete: expected group, dim, order, in and out with spec and size"
        )
    require_ascii(meta["group"], "group")
    for which in ("in", "out"):
        require_ascii(meta[which]["spec"], f"{which}.spec")


def _check_discretization(meta: dict[str, Any]) -> None:
    data, dim = meta.get("discretization"), meta["dim"]
    if (
        not isinstance(data, dict)
        or data.get("stencil") not in names()
        or data.get("layout") not in tuple(LAYOUTS)
    ):
        raise FileFormatError(
            f"the discretization is incomplete: expected stencil ({', '.join(names())}) and layout"
        )
    for name in ("size", "dilation"):
        _require(
            _is_list(data.get(name), _is_whole, dim), f"{name}: {dim} whole numbers"
        )
    for name in ("spacing", "offset"):
        _require(
            _is_list(data.get(name), lambda v: isinstance(v, str), dim),
            f"{name}: {dim} texts such as '1/2'",
        )
    if "lattice" in data:
        _check_lattice(data["lattice"], dim)
    options = data.get("options")
    fit = isinstance(options, dict) and all(
        option_of(name).fits(value) for name, value in options.items()
    )
    _require(fit, "options: names, numbers")
    if "rings" in data or samples_kernels(data["stencil"]):
        _require(_is_list(data.get("rings"), _is_whole), "rings: whole numbers")
    if "in_offsets" in data or "out_offsets" in data:
        for which in ("in", "out"):
            places = data.get(f"{which}_offsets")
            fits = _is_list(
                places,
                lambda p: _is_list(p, lambda v: isinstance(v, str), dim),
                meta[which]["size"],
            )
            _require(fits, f"{which}_offsets: a place for each component")


def _check_lattice(data: Any, dim: int) -> None:
    def is_row(row: Any) -> bool:
        return _is_list(row, lambda v: isinstance(v, str) and len(v) <= MAX_TEXT, dim)

    whole = (
        isinstance(data, dict)
        and _is_list(data.get("vectors"), is_row, dim)
        and isinstance(data.get("window"), str)
        and len(data["window"]) <= MAX_WINDOW
    )
    _require(whole, f"lattice: {dim} vectors of {dim} texts, and a window")
    require_line(data.get("name"), "the name of the lattice")


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise FileFormatError(f"the discretization cannot be read: expected {what}")


def _is_whole(value: Any) -> bool:
    # true is read as True, which is an int.
    return (
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40
    )


def _is_list(value: Any, fits: Any, length: int | None = None) -> bool:
    return (
        isinstance(value, list)
        and length in (None, len(value))
        and all(fits(v) for v in value)
    )


def _offsets(data: Any) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(parse_fraction(s) for s in place) for place in data)
