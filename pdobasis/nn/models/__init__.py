"""Networks to start from: each is one line, and plain modules inside.

`regular` is the paper's network for rotated digits, `wide_resnet` that for natural images, `unet` one with fields at
both ends, `spatial` a small one in space, `cloud` one on scattered points.
"""

from __future__ import annotations

from pdobasis.nn.models.cloud import PointNetwork
from pdobasis.nn.models.regular import regular_network
from pdobasis.nn.models.spatial import spatial_network
from pdobasis.nn.models.unet import UNet
from pdobasis.nn.models.wide_resnet import WideResNet

__all__ = [
    "PointNetwork",
    "UNet",
    "WideResNet",
    "regular_network",
    "spatial_network",
]
