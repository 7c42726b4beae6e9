"""The paper's network for rotated digits: regular fields, a maximum over group and image, two linear layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from torch import nn

from pdobasis.layers.errors import LayerError
from pdobasis.nn.conv import PDOConv2d
from pdobasis.nn.keywords import NetworkKeywords
from pdobasis.nn.nonlinear import Pointwise
from pdobasis.nn.norm import FieldBatchNorm
from pdobasis.nn.pooling import GlobalPool, GroupPool

FIELDS: dict[int, tuple[int, ...]] = {
    5: (16, 24, 32, 32, 48, 64),
    3: (16, 24, 24, 32, 32, 48, 48, 64),
}
PADDING: dict[int, tuple[int, ...]] = {
    5: (1, 2, 2, 2, 2, 0),
    3: (0, 0, 1, 1, 1, 1, 1, 0),
}
POOLED: dict[int, tuple[int, ...]] = {5: (2, 3), 3: (3, 5)}
"""Layers behind which images are halved."""


def regular_network(
    group: str = "C16",
    *,
    size: int = 5,
    channels: int = 1,
    classes: int = 10,
    width: float = 1.0,
    fields: Sequence[int] | None = None,
    dropout: float = 0.5,
    **options: Unpack[NetworkKeywords],
) -> nn.Sequential:
    """Six layers of 5x5 and order 3, or eight of 3x3 and order 2, for images of 28x28.

    ``width`` multiplies the numbers of fields; ``options`` go to every layer. With ``max_offset=0``, as the paper's
    experiments had it, there are 941,958 parameters (5x5) and 837,022 (3x3), with ``frame_order=2``, the basis of
    PDO-eConvs, 982,646 (5x5). In the network of 5x5 images of 28 points become 13, of which maxima of 2x2 lose one row:
    those of 30 points keep the symmetries of the grid exactly.

    >>> sum(p.numel() for p in regular_network(max_offset=0).parameters())
    941958

    Parameters
    ----------
    group : str, optional
        A finite group of the plane.
    size : int, optional
        5 or 3.
    channels : int, optional
        Of the images.
    classes : int, optional
        Outputs.
    width : float, optional
        Multiplies the numbers of fields.
    fields : sequence of int, optional
        Regular fields after each layer, in place of the paper's.
    dropout : float, optional
        Of the linear layers.
    **options
        Those of every layer, as `PDOConv2d` takes them.

    Returns
    -------
    nn.Sequential
        Images (batch, channels, 28, 28) to (batch, classes).

    Raises
    ------
    LayerError
        A size other than 5 and 3, or another number of fields than that of the layers.
    """
    if size not in FIELDS:
        raise LayerError(f"size is 5 or 3, as in the paper, got {size!r}")
    if fields is None:
        fields = [max(1, round(width * n)) for n in FIELDS[size]]
    if len(fields) != len(FIELDS[size]):
        raise LayerError(
            f"fields needs {len(FIELDS[size])} numbers for size {size}, got {len(fields)}"
        )
    # A limit in each variable of a frame says by itself how far it goes.
    order = None if "frame_order" in options else size // 2 + 1
    parts: list[nn.Module] = []
    before = f"{channels}xtrivial"
    steps = zip(fields, PADDING[size], strict=True)
    for k, (count, padding) in enumerate(steps, start=1):
        after = f"{count}xregular"
        conv = PDOConv2d(
            group,
            before,
            after,
            order=order,
            size=size,
            padding=padding,
            **options,
        )
        parts += [
            conv,
            FieldBatchNorm(conv.out_type),
            Pointwise(conv.out_type, nn.ELU()),
        ]
        if k in POOLED[size]:
            parts.append(nn.MaxPool2d(2))
        before = after
    pool = GroupPool(conv.out_type)
    hidden = fields[-1]
    return nn.Sequential(
        *parts,
        pool,
        GlobalPool(pool.out_type, "max"),
        nn.Dropout(dropout),
        nn.Linear(hidden, 64),
        nn.BatchNorm1d(64),
        nn.ELU(),
        nn.Dropout(dropout),
        nn.Linear(64, classes),
        nn.BatchNorm1d(classes),
    )
