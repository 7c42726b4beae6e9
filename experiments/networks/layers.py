"""One layer, as a configuration asks for it: steerable between fields of a group, or an ordinary convolution."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any
from warnings import catch_warnings, simplefilter

from torch import nn

from experiments.settings.values import Layers
from pdobasis.layers.errors import EquivarianceWarning
from pdobasis.nn import PDOConv2d
from pdobasis.question.field_type import FieldType

CONV = "conv"
"""In place of a stencil: ordinary filters."""


def options(layers: Layers) -> dict[str, Any]:
    """Arguments of PDOConv2d; what is left to its defaults is not among them.

    Weights are orthonormal unless a row says otherwise: a row stays what it was when the default of the layers changes.
    """
    given = {name: value for name, value in asdict(layers).items() if value is not None}
    methods = given.pop("stencil").split("+")
    if methods != ["default"]:
        given["stencil"] = methods[0] if len(methods) == 1 else methods
    return {"parametrisation": "orthonormal"} | given


def steerable(source: FieldType, target: FieldType, size: int, layers: Layers, **others: Any) -> PDOConv2d:
    """Two for 3x3 and three for 5x5 is the order, unless something else says how far it goes."""
    given = options(layers) | others
    if "frame_order" not in given:
        given.setdefault("order", size // 2 + 1)
    return PDOConv2d(source.group, source, target, size=size, **given)


def freed(model: nn.Module) -> nn.Module:
    """The same network with an ordinary filter in place of every steerable one; its fields have to be scalars."""
    for name, child in model.named_children():
        if isinstance(child, PDOConv2d):
            size, stride, padding = (_pair(v) for v in (child.kernel_size, child.stride, child.padding))
            shape = child.in_channels, child.out_channels
            setattr(model, name, nn.Conv2d(*shape, size, stride, padding, bias=child.bias is not None))
        else:
            freed(child)
    return model


def _pair(values: Any) -> tuple[int, int]:
    first, second = values
    return int(first), int(second)


@contextmanager
def quiet() -> Iterator[None]:
    """Stencils of the paper are far from round, and windows leave out a row: pages say so, once for all layers."""
    with catch_warnings():
        simplefilter("ignore", EquivarianceWarning)
        yield
