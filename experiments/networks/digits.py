"""The paper's networks for rotated digits: regular, quotient, restricted and ordinary fields; one head."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from torch import nn

from experiments.errors import ExperimentError
from experiments.networks.layers import CONV, quiet, steerable
from experiments.settings.values import Network
from pdobasis.nn import FieldBatchNorm, GatedNonlinearity, GlobalPool, GroupPool, NormPool, Pointwise, Restrict
from pdobasis.nn.models.regular import FIELDS, PADDING, POOLED
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import parse_field_type, resolve_group

QUOTIENT = {5: (2, 4, 5, 5, 7, 9), 3: (2, 4, 4, 5, 5, 7, 7, 9)}
"""How often the mix of fields stands in each layer."""
MIX = "{}xregular + {}xquotient(C2) + {}xquotient(C4) + {}xtrivial"
IN_MIX = (5, 2, 2, 4)
RESTRICTED = {5: 5, 3: 6}
"""Layers before the restriction to the smaller group."""
VANILLA = 2.5
"""Channels of the paper's ordinary network for one regular field of C16: about as many parameters."""
CLASSES = 10
HIDDEN = 64


def digits(network: Network, channels: int = 1, layout: str = "grid") -> nn.Module:
    """Layers with norm and ELU, maxima of 2x2 points, a maximum over group and image, two linear layers."""
    if network.size not in FIELDS:
        raise ExperimentError(f"network.size is 5 or 3, as in the paper, got {network.size}")
    with quiet():
        if network.layers.stencil == CONV:
            return _ordinary(network, channels)
        return _steerable(network, channels, layout)


def _steerable(network: Network, channels: int, layout: str) -> nn.Sequential:
    size = network.size
    groups = [resolve_group(name, 2) for name in _groups(network)]
    fields = parse_field_type(f"{channels}xtrivial", groups[0])
    parts: list[nn.Module] = []
    texts = _fields(network)
    for k, (text, padding) in enumerate(zip(texts, PADDING[size], strict=True), start=1):
        group = groups[k - 1]
        if fields.group != group:
            cut = Restrict(fields, group)
            parts.append(cut)
            fields = cut.out_type
        target = parse_field_type(text, group)
        parts += _block(fields, target, network, padding=padding, layout=layout)
        if k in POOLED[size]:
            parts.append(nn.MaxPool2d(2))
        fields = target
    pool: NormPool | GroupPool
    if network.nonlinearity == "gated":
        pool = NormPool(fields)
    else:
        pool = GroupPool(fields)
    count = pool.out_type.size
    return nn.Sequential(*parts, pool, GlobalPool(pool.out_type, "max"), *head(count, network.dropout))


def _block(source: FieldType, target: FieldType, network: Network, **others: Any) -> list[nn.Module]:
    if network.nonlinearity == "gated":
        gate = GatedNonlinearity(target)
        conv = steerable(source, gate.in_type, network.size, network.layers, **others)
        return [conv, FieldBatchNorm(conv.out_type), gate]
    conv = steerable(source, target, network.size, network.layers, **others)
    return [conv, FieldBatchNorm(target), Pointwise(target, nn.ELU())]


def _groups(network: Network) -> list[str]:
    number = len(FIELDS[network.size])
    if network.restriction is None:
        return [network.group] * number
    before = RESTRICTED[network.size]
    return [network.restriction] * before + [network.group] * (number - before)


def _fields(network: Network) -> list[str]:
    """The fields of every layer, as text."""
    if network.fields == "regular":
        return [f"{n}xregular" for n in _counts(network)]
    if network.fields == "quotient":
        return [MIX.format(*(max(1, round(m * n * network.width)) for m in IN_MIX)) for n in QUOTIENT[network.size]]
    # Any other text is one bundle of fields, so many times in each layer.
    return [" + ".join([network.fields] * n) for n in _counts(network)]


def _counts(network: Network) -> Sequence[int]:
    counts = network.counts or FIELDS[network.size]
    if len(counts) != len(FIELDS[network.size]):
        raise ExperimentError(f"network.counts needs {len(FIELDS[network.size])} numbers, got {len(counts)}")
    # D16 has twice the elements of C16: with widths by the square root of 2 there are as many parameters.
    factor = network.width / math.sqrt(2) if network.restriction else network.width
    return [max(1, round(n * factor)) for n in counts]


def _ordinary(network: Network, channels: int) -> nn.Sequential:
    wide = replace(network, width=network.width * VANILLA)
    parts: list[nn.Module] = []
    before = channels
    for k, (count, padding) in enumerate(zip(_counts(wide), PADDING[network.size], strict=True), start=1):
        parts += [nn.Conv2d(before, count, network.size, padding=padding), nn.BatchNorm2d(count), nn.ELU()]
        if k in POOLED[network.size]:
            parts.append(nn.MaxPool2d(2))
        before = count
    return nn.Sequential(*parts, nn.AdaptiveMaxPool2d(1), nn.Flatten(), *head(before, network.dropout))


def head(count: int, dropout: float) -> list[nn.Module]:
    hidden: list[nn.Module] = [nn.Dropout(dropout), nn.Linear(count, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.ELU()]
    return [*hidden, nn.Dropout(dropout), nn.Linear(HIDDEN, CLASSES), nn.BatchNorm1d(CLASSES)]
