"""Stencils as .pt: a mapping of tensors and one text, which ``torch.load(weights_only=True)`` reads."""

from __future__ import annotations

import io
import zipfile
from types import ModuleType

import numpy as np

from pdobasis.errors import FileFormatError, MissingExtraError
from pdobasis.files.format import Format
from pdobasis.files.limits import MAX_BYTES
from pdobasis.files.stencil_file import ARRAYS, StencilFile, checked
from pdobasis.files.stencil_meta import parse_meta

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
        name: whole[name].numpy()
        for name in ARRAYS
        if isinstance(whole.get(name), torch.Tensor)
    }
    return checked(arrays, parse_meta(whole["meta"]))


def recognise(data: bytes) -> bool:
    """A zip with torch's entry for pickled data (which is read by ``weights_only``, and never unpickled as such)."""
    # Names are not compressed in a zip, so most files are told apart without opening them.
    if data[:2] != b"PK" or PICKLED not in data:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return any(name.endswith(PICKLED.decode()) for name in archive.namelist())
    except zipfile.BadZipFile:
        raise FileFormatError("not a complete .npz or .pt file (truncated?)") from None


def _check_sizes(data: bytes) -> None:
    """torch stores without compression; anything else is not its work."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except zipfile.BadZipFile as error:
        raise FileFormatError(f"not a complete .pt file ({error})") from None
    if sum(e.file_size for e in entries) > MAX_BYTES or any(
        e.compress_type != zipfile.ZIP_STORED for e in entries
    ):
        raise FileFormatError(
            f"its entries are compressed, or unpack to more than {MAX_BYTES:,} bytes"
        )


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:80]


def _package() -> ModuleType:
    try:
        import torch
    except ImportError:
        raise MissingExtraError("torch", "torch", "a .pt file") from None
    return torch


FORMAT = Format("pt", (".pt",), to_bytes, from_bytes, recognise)
