"""Cross-correlation by shifted sums: the one function that NumPy and JAX share, in memory and as a text."""

from __future__ import annotations

from typing import Any

from pdobasis.errors import SpecError

PADDINGS = ("valid", "wrap", "edge", "reflect", "symmetric", "constant")
"""What is beyond an array: nothing, its other end, its last value, its mirror image (twice), zeros."""


def check_padding(padding: str) -> None:
    if padding not in PADDINGS:
        raise SpecError(
            f"padding is {', '.join(PADDINGS)} (wrap is periodic), got {padding!r:.40}"
        )


def correlate(
    xp: Any, field: Any, kernel: Any, places: Any, dilation: Any, padding: str
) -> Any:
    """A field (..., c_in, *space) to (..., c_out, *space') by a kernel (c_out, c_in, *size).

    ``places`` are those of the stencil that are not zero, ``xp`` is numpy or a module like it.
    """
    size, dim = kernel.shape[2:], len(kernel.shape) - 2
    reach = [(n - 1) * step for n, step in zip(size, dilation, strict=True)]
    if len(field.shape) < dim + 1 or field.shape[-dim - 1] != kernel.shape[1]:
        raise ValueError(
            f"expected a field (..., {kernel.shape[1]}, *space) larger than the stencil, got {field.shape}"
        )
    if padding != "valid":
        pads = [(0, 0)] * (len(field.shape) - dim)
        pads += [(r // 2, r - r // 2) for r in reach]
        field = xp.pad(field, pads, mode=padding)
    space = [n - r for n, r in zip(field.shape[-dim:], reach, strict=True)]
    if min(space) < 1:
        raise ValueError(
            f"expected a field (..., {kernel.shape[1]}, *space) larger than the stencil, got {field.shape}"
        )
    channels = kernel.shape[1]
    # A product of matrices pays where there are many channels; a few are added up one by one.
    is_small = kernel.shape[0] * channels <= 16
    out = None
    for place in places:
        window = [
            slice(p * s, p * s + n)
            for p, s, n in zip(place, dilation, space, strict=True)
        ]
        own = kernel[(slice(None), slice(None), *place)]
        if is_small:
            parts = [
                own[:, i].reshape(-1, *[1] * dim)
                * field[(..., slice(i, i + 1), *window)]
                for i in range(channels)
            ]
        else:
            part = xp.moveaxis(field[(..., *window)], -dim - 1, 0)
            parts = [xp.moveaxis(xp.tensordot(own, part, 1), 0, -dim - 1)]
        for part in parts:
            if out is None:
                out = part
            else:
                out += part  # a new array, which belongs to nobody else
    if out is None:  # the zero operator
        shape = (*field.shape[: -dim - 1], kernel.shape[0], *space)
        return xp.zeros(shape, dtype=field.dtype)
    return out
