"""A steerable Wide-ResNet: regular fields, and one group for each of the three stages."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Unpack

from torch import Tensor, nn

from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.layers.errors import EquivarianceWarning, LayerError
from pdobasis.nn.conv import PDOConv2d
from pdobasis.nn.initialise import HE
from pdobasis.nn.keywords import BlockKeywords
from pdobasis.nn.nonlinear import Pointwise
from pdobasis.nn.norm import FieldBatchNorm
from pdobasis.nn.pooling import GlobalPool
from pdobasis.nn.restrict import Restrict
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import parse_field_type, resolve_group

SMALL = 8
"""Groups up to this order take 3x3 and order 2; larger ones need 5x5 and order 3 to tell their angles apart."""
ORDERS: Mapping[int, int] = MappingProxyType({3: 2, 5: 3})
"""By the size of the stencils."""


class WideResNet(nn.Module):
    """WRN-depth-width, by default 16-8 with D8, D4 and the mirror of left and right, as for natural images.

    The channels of a stage are those of the plain network, in regular fields, so there are fewer parameters (3.2
    million instead of 11). The last layer leads to scalars. With three strides of 2, images of 8k + 1 points (97) keep
    the symmetries of the grid exactly; others lose a row on one side.

    >>> import torch
    >>> WideResNet(10, 1, groups=("C4", "C4", "C4"), classes=3)(torch.zeros(2, 3, 17, 17)).shape
    torch.Size([2, 3])

    Parameters
    ----------
    depth : int, optional
        6n + 4 for n blocks in a stage.
    width : int, optional
        Multiplies the channels.
    groups : sequence of str, optional
        One for each stage, each within the one before.
    channels : int, optional
        Of the images.
    classes : int, optional
        Outputs.
    dropout : float, optional
        Inside of blocks.
    first_stride : int, optional
        Of the first stage.
    orders : mapping of int to int, optional
        The highest order of derivatives for each size of stencils.
    **options
        Those of every layer, as `PDOConv2d` takes them.
    """

    def __init__(
        self,
        depth: int = 16,
        width: int = 8,
        *,
        groups: Sequence[str] = ("D8", "D4", "D1(pi/2)"),
        channels: int = 3,
        classes: int = 10,
        dropout: float = 0.3,
        first_stride: int = 2,
        orders: Mapping[int, int] = ORDERS,
        **options: Unpack[BlockKeywords],
    ) -> None:
        super().__init__()
        if (depth - 4) % 6 or depth < 10:
            raise LayerError(f"depth is 10, 16, 22, … (6 n + 4), got {depth!r}")
        if len(groups) != 3:
            raise LayerError(f"one group for each of three stages, got {list(groups)}")
        found = [resolve_group(name, 2) for name in groups]
        sizes = [16, 16 * width, 32 * width, 64 * width]
        source = parse_field_type(f"{channels}xtrivial", found[0])
        with warnings.catch_warnings():
            # Said once, in the docstring, instead of for every layer.
            warnings.simplefilter("ignore", EquivarianceWarning)
            # As the paper's: scaled so that there are as many filters as in the plain network, 16 / sqrt(|G|) fields.
            order = len(closure(found[0]))
            begin = _regular(found[0], int(sizes[0] * order**0.5))
            self.first: PDOConv2d = _conv(source, begin, 1, orders, **options)
            fields = self.first.out_type
            self.in_type = source
            blocks: list[nn.Module] = []
            number = (depth - 4) // 6
            for stage, (group, size) in enumerate(zip(found, sizes[1:], strict=True)):
                if stage:
                    cut = Restrict(fields, group)
                    blocks.append(cut)
                    fields = cut.out_type
                for k in range(number):
                    target = _regular(group, size)
                    if stage == 2 and k == number - 1:
                        target = parse_field_type(f"{size}xtrivial", group)
                    stride = 1
                    if k == 0:
                        stride = (first_stride, 2, 2)[stage]
                    blocks.append(
                        _Block(fields, target, stride, dropout, orders, **options)
                    )
                    fields = target
        self.blocks: nn.Sequential = nn.Sequential(*blocks)
        self.norm: FieldBatchNorm = FieldBatchNorm(fields)
        self.activation: Pointwise = Pointwise(fields)
        self.pool: GlobalPool = GlobalPool(fields)
        self.linear: nn.Linear = nn.Linear(fields.size, classes)

    def forward(self, x: Tensor) -> Tensor:
        """Images to classes."""
        y = self.blocks(self.first(x))
        out: Tensor = self.linear(self.pool(self.activation(self.norm(y))))
        return out


class _Block(nn.Module):
    """Norm and activation before each of two layers, and what came in added at the end."""

    def __init__(
        self,
        fields: FieldType,
        target: FieldType,
        stride: int,
        dropout: float,
        orders: Mapping[int, int],
        **options: Unpack[BlockKeywords],
    ) -> None:
        super().__init__()
        inner = _regular(fields.group, target.size)
        self.in_type, self.out_type = fields, target
        self.before = nn.Sequential(FieldBatchNorm(fields), Pointwise(fields))
        self.first = _conv(fields, inner, stride, orders, **options)
        self.between = nn.Sequential(
            FieldBatchNorm(inner), Pointwise(inner), nn.Dropout(dropout)
        )
        self.second = _conv(inner, target, 1, orders, **options)
        self.shortcut: nn.Module | None = None
        if fields != target or stride > 1:
            self.shortcut = PDOConv2d(
                fields.group,
                fields,
                target,
                0,
                size=1,
                stride=stride,
                stencil="fd",
                bias=False,
                layout=options.get("layout", "grid"),
                init=options.get("init", HE),
            )

    def forward(self, x: Tensor) -> Tensor:
        y = self.before(x)
        passed = x
        if self.shortcut is not None:
            passed = self.shortcut(y)
        out: Tensor = passed + self.second(self.between(self.first(y)))
        return out


def _conv(
    source: FieldType,
    target: FieldType,
    stride: int,
    orders: Mapping[int, int],
    **options: Unpack[BlockKeywords],
) -> PDOConv2d:
    size = 5
    if len(closure(source.group)) <= SMALL:
        size = 3
    return PDOConv2d(
        source.group,
        source,
        target,
        orders[size],
        size=size,
        stride=stride,
        padding=size // 2,
        bias=False,
        **options,
    )


def _regular(group: Group, channels: int) -> FieldType:
    """So many channels in regular fields, at least one of them."""
    count = max(1, channels // len(closure(group)))
    return parse_field_type(f"{count}xregular", group)
