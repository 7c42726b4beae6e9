"""Files whose sums are right and whose contents are not: what a forger would write, who knows the format."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.files.formats import find, from_bytes
from pdobasis.files.stencil_file import StencilFile, checksum
from tests.fuzz.mutators import changed


def forged(rng: random.Random, data: bytes) -> bytes:
    """A stencil file with one value of its meta data, or one array, changed, and a checksum that fits."""
    file = from_bytes(data)
    meta: Any = file.meta
    arrays = dict(file.arrays)
    if rng.random() < 0.8:
        meta = changed(rng, meta)
    else:
        name = rng.choice(list(arrays))
        arrays[name] = _altered(rng, arrays[name])
    if not isinstance(meta, dict):
        return b"{}"
    try:
        meta["checksum"] = checksum(arrays, meta)
        return find(rng.choice(["npz", "json"])).write(StencilFile(**arrays, meta=meta))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return data[:-1]


def _altered(rng: random.Random, array: NDArray[Any]) -> NDArray[Any]:
    what = rng.randrange(5)
    if what == 0:
        return array[:-1].copy()
    if what == 1:
        return np.concatenate([array, array])
    if what == 2:
        return array.reshape(-1).copy()
    out = array.copy()
    if out.size:
        out.flat[rng.randrange(out.size)] = rng.choice([-1, 1, 2**40, 3])
    return out
