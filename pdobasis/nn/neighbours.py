"""The nearest points by torch, on the device where a cloud is: all distances, some targets at a time."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.layers.errors import LayerError
from pdobasis.stencils.cloud import TIED, Neighbourhoods

NUMBERS = 2**24
"""Distances that are held at once: 128 MB in double precision."""


def nearest(points: Tensor, targets: Tensor, neighbours: int) -> Neighbourhoods:
    """As `pdobasis.stencils.cloud.neighbourhoods`: the nearest points, and those that are as near as the last of them.

    >>> line = torch.tensor([[0.0], [1.0], [2.0], [4.0]])
    >>> found = nearest(line, line, 2)
    >>> found.counts.tolist(), sorted(found.indices[1].tolist())
    ([2, 3, 2, 2], [0, 1, 2])
    """
    cloud, places = (x.detach().double() for x in (points, targets))
    for name, x in (("points", cloud), ("targets", places)):
        if not bool(torch.isfinite(x).all()):
            raise LayerError(f"{name} must be finite")
    if not 1 <= neighbours <= len(cloud):
        raise LayerError(
            f"neighbours must lie between 1 and the number of points {len(cloud)}, got {neighbours}"
        )
    found = [
        _of_some(cloud, some, neighbours)
        for some in torch.split(places, max(1, NUMBERS // len(cloud)))
    ]
    counts = np.concatenate([own for _, own in found])
    width = int(counts.max(initial=neighbours))
    rows = [np.pad(i, ((0, 0), (0, width - i.shape[1])), "edge") for i, _ in found]
    indices = np.concatenate(rows)
    # What follows the neighbours of a row repeats its first.
    beyond = np.arange(width) >= counts[:, None]
    return Neighbourhoods(np.where(beyond, indices[:, :1], indices), counts)


def _of_some(
    cloud: Tensor, places: Tensor, neighbours: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    # Not by matrix products, which lose the digits that tell ties from others.
    exact = "donot_use_mm_for_euclid_dist"
    distances = torch.cdist(places, cloud, compute_mode=exact)
    last = distances.kthvalue(neighbours, dim=1, keepdim=True).values
    counts = (distances <= last * (1 + TIED)).sum(1)
    width = int(counts.max())
    indices = distances.topk(width, dim=1, largest=False, sorted=True).indices
    return indices.cpu().numpy(), counts.cpu().numpy()
