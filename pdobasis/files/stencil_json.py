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
    shapes = {name: list(array.shape) for name, array in file.arrays.items()}
    arrays = {name: json.dumps(array.tolist()) for name, array in file.arrays.items()}
    parts = {"meta": file.meta_text, "shapes": json.dumps(shapes), **arrays}
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
    shapes = whole.get("shapes")
    if not isinstance(shapes, dict):
        raise FileFormatError('"shapes" is missing: not written by pdobasis export')
    arrays = {name: _array(name, kind, whole.get(name), shapes.get(name)) for name, kind in ARRAYS.items()}
    return checked(arrays, json.dumps(whole["meta"]))


def _array(name: str, kind: str, values: Any, shape: Any) -> NDArray[Any]:
    """Numbers only, in the shape that is recorded (nested lists lose it when they are empty)."""
    try:
        raw = np.array(values)
        whole = np.zeros(0) if raw.size == 0 else raw
        if values is None or whole.dtype.kind not in "if" or (kind == "<i8" and raw.size and raw.dtype.kind == "f"):
            raise ValueError
        if raw.size and list(raw.shape) != shape:
            raise ValueError
        return whole.astype(kind).reshape(shape)
    except (ValueError, TypeError, OverflowError):
        what = "whole numbers" if kind == "<i8" else "numbers"
        raise FileFormatError(f"the array {name!r} has to be nested lists of {what} of shape {shape}") from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")
