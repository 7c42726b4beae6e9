"""The small network of PDO-eConvs for rotated digits: C8, 26 thousand parameters."""

from __future__ import annotations

from dataclasses import replace

from torch import nn

from experiments.networks.layers import quiet, steerable
from experiments.settings.values import Network
from pdobasis.nn import FieldBatchNorm, GlobalPool, GroupPool, Pointwise
from pdobasis.question.text import parse_field_type, resolve_group

LAYERS, FIELDS, CLASSES = 6, 7, 10


def small(network: Network, channels: int = 1) -> nn.Module:
    """Six layers of 5x5 take images of 28 points to 4, of which one of 4x4 makes one.

    That one has all PDOs of order 3: in frames that turn by an eighth, an order of 3 in each variable would need seven
    points. So there are fewer parameters than the 26 thousand that were published.
    """
    group = resolve_group(network.group, 2)
    fields = parse_field_type(f"{channels}xtrivial", group)
    inner = parse_field_type(f"{max(1, round(FIELDS * network.width))}xregular", group)
    parts: list[nn.Module] = []
    with quiet():
        for k in range(1, LAYERS + 1):
            conv = steerable(fields, inner, network.size, network.layers, padding=1)
            parts += [conv, FieldBatchNorm(inner), Pointwise(inner)]
            if k == 2:
                parts.append(nn.MaxPool2d(2))
            parts.append(nn.Dropout(network.dropout))
            fields = inner
        scores = parse_field_type(f"{CLASSES}xregular", group)
        last = replace(network.layers, frame_order=None, frame_angle=None, order=3)
        parts.append(steerable(inner, scores, 4, last))
    pool = GroupPool(scores)
    return nn.Sequential(*parts, pool, GlobalPool(pool.out_type))
