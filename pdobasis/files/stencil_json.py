"""Stencils as JSON text: large, and readable by anything."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import FileFormatError
from pdobasis.files.stencil_file import ARRAYS, StencilFile, checked


def to_bytes(file: StencilFile) -> bytes:
    """One line per array; a float is written with the digits that give it back exactly."""
    parts = {"meta": file.meta_text, **{name: json.dumps(array.tolist()) for name, array in file.arrays.items()}}
    body = ",\n".join(f" {json.dumps(name)}: {text}" for name, text in parts.items())
    return f'{{\n "format": {json.dumps(file.meta["format"])},\n{body}\n}}\n'.encode()


def from_bytes(data: bytes) -> StencilFile:
    try:
        whole = json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError:
        raise FileFormatError("not a text file") from None
    except (ValueError, RecursionError) as error:
        place = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise FileFormatError(f"not complete JSON{place} (truncated?)") from None
    return from_mapping(whole)


def from_mapping(whole: Any) -> StencilFile:
    if not isinstance(whole, dict) or not isinstance(whole.get("meta"), dict):
        raise FileFormatError('not a stencil file (expected an object with "meta")')
    arrays = {name: _array(name, kind, whole.get(name)) for name, kind in ARRAYS.items()}
    return checked(arrays, json.dumps(whole["meta"]))


def _array(name: str, kind: str, values: Any) -> NDArray[Any]:
    """Numbers only, all rows of one length, and no rounding on the way."""
    try:
        raw = np.array(values)
    except ValueError:
        raw = np.array("ragged")
    if values is None or raw.dtype.kind not in "if":
        if isinstance(values, list) and raw.size == 0 and raw.dtype != object:
            return raw.astype(kind)
        raise FileFormatError(f"the array {name!r} has to be nested lists of numbers, all of one length")
    if kind == "<i8" and raw.dtype.kind == "f":
        raise FileFormatError(f"the array {name!r} has to hold whole numbers")
    return raw.astype(kind)


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")
