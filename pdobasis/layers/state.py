"""What is saved beside the weights of a layer: the name of its basis, and which parametrisation they are in.

A row of bytes (JSON text), so that every format for tensors can hold it. It is no buffer: averaging models and moving
them to another type leave it alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdobasis.layers.errors import LayerError
from pdobasis.layers.parametrise import PARAMETRISATIONS, PLAIN

MOST = 32_000_000
"""Bytes that are read; the factor of a thousand atoms fits."""


@dataclass(frozen=True, slots=True, eq=False)
class LayerState:
    """``factor`` is that of `Parametrisation` where it is not the grid's: on points."""

    fingerprint: bytes
    parametrisation: str
    factor: NDArray[np.float64] | None = None


def written(state: LayerState) -> bytes:
    # A text in a fixed order: the same layer, the same bytes.
    named = {
        "fingerprint": state.fingerprint.hex(),
        "parametrisation": state.parametrisation,
    }
    if state.factor is None:
        return json.dumps(named).encode()
    # repr of a float gives it back, so the factor is saved whole.
    return json.dumps({**named, "factor": state.factor.tolist()}).encode()


def read(data: bytes) -> LayerState:
    if len(data) > MOST:
        raise LayerError(f"a state of {len(data)} bytes is no state of a layer")
    try:
        found = json.loads(data)
        factor = found.get("factor")
        if factor is not None:
            factor = np.array(factor, dtype=np.float64)
        state = LayerState(
            bytes.fromhex(found["fingerprint"]), found["parametrisation"], factor
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise LayerError("the saved state of a layer cannot be read") from None
    if state.parametrisation not in PARAMETRISATIONS:
        raise LayerError(
            f"weights in the parametrisation {state.parametrisation!r}, which this version does not know: it has "
            f"{', '.join(PARAMETRISATIONS)}"
        )
    return state


def of_earlier_version(fingerprint: Sequence[int]) -> LayerState:
    """Before there was a choice, weights stood in front of the PDOs as printed."""
    return LayerState(bytes(int(k) & 255 for k in fingerprint), PLAIN)
