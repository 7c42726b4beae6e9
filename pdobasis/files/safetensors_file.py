"""Stencils as .safetensors (the extra ``pdobasis[safetensors]``); the meta data are its one metadata entry."""

from __future__ import annotations

import json
from math import prod
from types import ModuleType
from typing import Any

import numpy as np

from pdobasis.errors import FileFormatError, MissingExtraError
from pdobasis.files.format import Format
from pdobasis.files.limits import MAX_META
from pdobasis.files.shapes import is_shape
from pdobasis.files.stencil_file import ARRAYS, StencilFile, checked
from pdobasis.files.stencil_meta import parse_meta


def to_bytes(file: StencilFile) -> bytes:
    # The package writes memory as it lies, so that strides would be lost.
    arrays = {name: np.ascontiguousarray(array) for name, array in file.arrays.items()}
    data: bytes = _package().save(arrays, metadata={"meta": file.meta_text})
    return data


def from_bytes(data: bytes) -> StencilFile:
    # Our own look at the header, before the package allocates what it declares.
    header_size = int.from_bytes(data[:8], "little")
    if header_size > min(MAX_META, len(data) - 8):
        raise FileFormatError(
            "not a complete .safetensors file (its header is longer than the file)"
        )
    try:
        header = json.loads(data[8 : 8 + header_size])
        meta = header["__metadata__"]["meta"]
        if set(header["__metadata__"]) != {"meta"}:
            raise KeyError("more than meta")
        if set(header) - {"__metadata__"} != set(ARRAYS) or not isinstance(meta, str):
            raise KeyError("meta")
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FileFormatError(
            "not written by pdobasis export (its header lacks our arrays or meta data)"
        ) from None
    for name in ARRAYS:
        _check_entry(name, header[name], len(data) - 8 - header_size)
    package = _package()
    from safetensors import SafetensorError

    try:
        arrays = package.load(data)
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise FileFormatError(
            f"not a complete .safetensors file ({str(error)[:80]!r})"
        ) from None
    return checked(arrays, parse_meta(meta))


def _check_entry(name: str, entry: Any, room: int) -> None:
    """Type, shape and place of an array, which have to fit each other and the file."""
    kinds = {"<f8": "F64", "<i8": "I64"}
    fits = (
        isinstance(entry, dict)
        and entry.get("dtype") == kinds[ARRAYS[name]]
        and is_shape(entry.get("shape"))
        and isinstance(entry.get("data_offsets"), list)
        and [type(n) for n in entry["data_offsets"]] == [int, int]
        and entry["data_offsets"][0] >= 0
        and entry["data_offsets"][1] - entry["data_offsets"][0]
        == 8 * prod(entry["shape"])
        and entry["data_offsets"][1] <= room
    )
    if not fits:
        raise FileFormatError(
            f"the array {name!r} does not fit its place in the file (truncated?)"
        )


def recognise(data: bytes) -> bool:
    """Eight bytes with the length of the header, then the header, which is JSON."""
    # Eight letters of a text, read as a number, are above 2^56.
    return data[8:9] == b"{" and int.from_bytes(data[:8], "little") < 1 << 40


def _package() -> ModuleType:
    try:
        import safetensors.numpy as package
    except ImportError:
        raise MissingExtraError(
            "safetensors", "safetensors", "a .safetensors file"
        ) from None
    return package


FORMAT = Format("safetensors", (".safetensors",), to_bytes, from_bytes, recognise)
