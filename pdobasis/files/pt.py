"""Stencils as .pt: a mapping of tensors and one text, which ``torch.load(weights_only=True)`` reads."""

from __future__ import annotations

import io
import zipfile
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import FileFormatError, MissingExtraError
from pdobasis.files.format import Format
from pdobasis.files.shapes import is_shape
from pdobasis.files.stencil_file import ARRAYS, StencilFile, checked
from pdobasis.files.stencil_meta import parse_meta
from pdobasis.files.zips import central_directory

PICKLED = b"/data.pkl"
"""The end of the name of torch's entry for everything but the numbers."""


def to_bytes(file: StencilFile) -> bytes:
    torch = _package()
    stream = io.BytesIO()
    # Copies, since torch warns of arrays that are read-only.
    tensors = {
        name: torch.from_numpy(np.array(array)) for name, array in file.arrays.items()
    }
    torch.save({**tensors, "meta": file.meta_text}, stream)
    return stream.getvalue()


def from_bytes(data: bytes) -> StencilFile:
    # What unpacks to too much has to be seen before torch unpacks it.
    _check_sizes(data)
    torch = _package()
    try:
        whole = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as error:  # on foreign bytes torch's unpickler stops with whatever it stumbles over
        raise FileFormatError(
            f"not a complete .pt file of plain tensors ({_first_line(error)})"
        ) from None
    if not isinstance(whole, dict) or not isinstance(whole.get("meta"), str):
        raise FileFormatError(
            "not written by pdobasis export (expected a mapping with the text 'meta')"
        )
    if set(whole) != {"meta", *ARRAYS}:
        raise FileFormatError(f"expected meta, {', '.join(ARRAYS)}, and nothing else")
    # What is missing or no tensor is left to `checked`, which names it.
    arrays = {
        name: _array(name, whole[name], torch)
        for name in ARRAYS
        if isinstance(whole.get(name), torch.Tensor)
    }
    return checked(arrays, parse_meta(whole["meta"]))


def _array(name: str, tensor: Any, torch: ModuleType) -> NDArray[Any]:
    """The numbers; a tensor that repeats or skips its storage, as a stride of 0 does, can be of any size."""
    plain = tensor.layout is torch.strided and not tensor.requires_grad
    known = tensor.dtype in (torch.float64, torch.int64)
    if (
        not plain
        or not known
        or not is_shape(tuple(tensor.shape))
        or not tensor.is_contiguous()
    ):
        raise FileFormatError(
            f"the array {name!r} is not a plain tensor of numbers: not written by pdobasis export"
        )
    out: NDArray[Any] = tensor.numpy()
    return out


def recognise(data: bytes) -> bool:
    """A zip with torch's entry for pickled data (which is read by ``weights_only``, and never unpickled as such)."""
    # Names are not compressed in a zip, so most files are told apart without opening them.
    if data[:2] != b"PK" or PICKLED not in data:
        return False
    return any(e.filename.endswith(PICKLED.decode()) for e in central_directory(data))


def _check_sizes(data: bytes) -> None:
    """torch stores without compression; anything else is not its work."""
    if any(e.compress_type != zipfile.ZIP_STORED for e in central_directory(data)):
        raise FileFormatError("its entries are compressed: not written by torch")


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:80]


def _package() -> ModuleType:
    try:
        import torch
    except ImportError:
        raise MissingExtraError("torch", "torch", "a .pt file") from None
    return torch


FORMAT = Format("pt", (".pt",), to_bytes, from_bytes, recognise)
