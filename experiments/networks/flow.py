"""The U-Net for flows: distances and regions in, velocity (a vector) and pressure out."""

from __future__ import annotations

from torch import nn

from experiments.networks.layers import CONV, freed, options, quiet
from experiments.settings.values import Network
from pdobasis.nn.models import UNet

FIELDS = (8, 16, 32, 32)
OUT = "vector + trivial"


def flow(network: Network, channels: int = 3) -> nn.Module:
    fields = [max(1, round(n * network.width)) for n in network.counts or FIELDS]
    ends = f"{channels}xtrivial", OUT
    with quiet():
        if network.layers.stencil == CONV:
            plain = UNet(network.group, *ends, fields=fields, size=network.size, norm=network.norm, stencil="fd")
            return freed(plain)
        given = options(network.layers)
        return UNet(network.group, *ends, fields=fields, size=network.size, norm=network.norm, **given)
