"""Stencils as JSON text: large, and readable by anything."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import FileFormatError
from pdobasis.files.format import Format
from pdobasis.files.read import unique_keys
from pdobasis.files.shapes import is_shape
from pdobasis.files.stencil_file import ARRAYS, StencilFile, checked
from pdobasis.files.stencil_meta import FORMAT as KIND


def to_bytes(file: StencilFile) -> bytes:
    """One line per array; a float is written with the digits that give it back exactly."""
    # Nested lists forget the shape of an array without entries.
    shapes = {name: list(array.shape) for name, array in file.arrays.items()}
    arrays = {name: json.dumps(array.tolist()) for name, array in file.arrays.items()}
    parts = {"meta": file.meta_text, "shapes": json.dumps(shapes), **arrays}
    body = ",\n".join(f" {json.dumps(name)}: {text}" for name, text in parts.items())
    return f'{{\n "format": {json.dumps(file.meta["format"])},\n{body}\n}}\n'.encode()


def from_bytes(data: bytes) -> StencilFile:
    try:
        # Python reads NaN and Infinity, which are no JSON.
        whole = json.loads(
            data.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=unique_keys
        )
    except FileFormatError:
        raise
    except UnicodeDecodeError:
        raise FileFormatError("not a text file") from None
    except (ValueError, RecursionError) as error:
        place = ""
        if isinstance(error, json.JSONDecodeError):
            place = f" at line {error.lineno}"
        raise FileFormatError(f"not complete JSON{place} (truncated?)") from None
    return from_mapping(whole)


def from_mapping(whole: Any) -> StencilFile:
    if not isinstance(whole, dict) or not isinstance(whole.get("meta"), dict):
        raise FileFormatError('not a stencil file (expected an object with "meta")')
    shapes = whole.get("shapes")
    if not isinstance(shapes, dict):
        raise FileFormatError('"shapes" is missing: not written by pdobasis export')
    if (
        set(whole) != {"format", "meta", "shapes", *ARRAYS}
        or set(shapes) != set(ARRAYS)
        or whole["format"] != KIND
    ):
        raise FileFormatError(
            f"expected format, meta, shapes, {', '.join(ARRAYS)}, and nothing else"
        )
    arrays = {
        name: _array(name, kind, whole.get(name), shapes.get(name))
        for name, kind in ARRAYS.items()
    }
    return checked(arrays, whole["meta"])


def _array(name: str, kind: str, values: Any, shape: Any) -> NDArray[Any]:
    """Numbers only, in the shape that is recorded (nested lists lose it when they are empty)."""
    if not is_shape(shape):
        raise FileFormatError(f"the shape of {name!r} is not that of an array")
    try:
        # Without a type: given one, NumPy would read numbers out of texts instead of showing that they are texts.
        raw = np.array(values)
        if raw.size == 0:
            if 0 not in shape:
                raise ValueError
            return np.zeros(shape, dtype=kind)
        # A whole number is a fine float in JSON, but not the other way round.
        allowed = {"<i8": "i", "<f8": "if"}[kind]
        if raw.dtype.kind not in allowed or list(raw.shape) != shape:
            raise ValueError
        return raw.astype(kind)
    except (ValueError, TypeError, OverflowError):
        what = {"<i8": "whole numbers", "<f8": "numbers"}[kind]
        raise FileFormatError(
            f"the array {name!r} has to be nested lists of {what} of shape {shape}"
        ) from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")


def recognise(data: bytes) -> bool:
    """An object. A text holds no zero byte, and the length at the beginning of .safetensors always does."""
    return data.lstrip()[:1] == b"{" and 0 not in data[:8]


FORMAT = Format("json", (".json",), to_bytes, from_bytes, recognise, is_text=True)
