"""The Wide-ResNet for natural images: steerable, or with ordinary filters."""

from __future__ import annotations

from typing import Any

from torch import nn

from experiments.errors import ExperimentError
from experiments.networks.layers import CONV, freed, options, quiet
from experiments.settings.values import Network
from pdobasis.nn.models import WideResNet

KERNEL_ORDERS = {3: 3, 5: 6}
"""Angular orders up to three for each step of radius, as the steerable kernels of that experiment had them."""


def natural(network: Network, channels: int = 3) -> nn.Module:
    """WRN-depth-width; ``size`` is the stride of the first layer."""
    if len(network.groups) != 3:
        raise ExperimentError(f"network.groups needs a group for each of three stages, got {list(network.groups)}")
    shape: dict[str, Any] = {
        "channels": channels,
        "groups": network.groups,
        "dropout": network.dropout,
        "first_stride": network.size,
    }
    with quiet():
        if network.layers.stencil == CONV:
            return freed(WideResNet(network.depth, round(network.width), stencil="fd", **shape))
        given = options(network.layers)
        if given.get("stencil") == "kernel":
            given["orders"] = KERNEL_ORDERS
        return WideResNet(network.depth, round(network.width), **shape, **given)
