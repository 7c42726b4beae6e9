"""The networks that are trained: that of the example, and the paper's C16 networks for MNIST-rot with fewer fields."""

from __future__ import annotations

from typing import Any

from torch import nn

from benchmarks.training.setting import DEFAULT, MAXIMA, UNCONSTRAINED, Setting
from benchmarks.training.tempered import HALVING, change, library_name
from examples import digits_rotated
from pdobasis.nn import GlobalPool, Pointwise
from pdobasis.nn.initialise import HE
from pdobasis.nn.models import regular_network
from pdobasis.nn.models.regular import FIELDS, PADDING, POOLED

STENCILS: dict[str, dict[str, Any]] = {
    DEFAULT: {},
    "fd": {"stencil": "fd"},
    "rbffd": {"stencil": "rbffd"},
    "gauss": {"stencil": "gauss"},
    "moments": {"stencil": "gauss", "normalize": "moments"},
    "kernel": {"stencil": "kernel"},
}
WIDE = 0.26
"""Standard deviation of both Gaussian stencils for each point along an axis, in steps of the grid: 1.3 for 5x5."""
VANILLA = 2.5
"""Channels of the paper's ordinary network for one regular field of C16: about as many parameters."""


def network(setting: Setting) -> nn.Sequential:
    model = NETWORKS[setting.task](setting)
    change(model, setting.parametrisation, setting.init)
    return model


def layer_options(setting: Setting) -> dict[str, Any]:
    """Arguments of a layer; what is left to its defaults is not among them."""
    options = dict(STENCILS[setting.stencil])
    if options.get("stencil") == "gauss":
        options["sigma"] = WIDE * setting.size * setting.spacing
    if setting.spacing != 1:
        options["spacing"] = setting.spacing
    named = {"parametrisation": library_name(setting.parametrisation), "init": setting.init.replace(HALVING, HE)}
    return options | {name: value for name, value in named.items() if value != DEFAULT}


def _example(setting: Setting) -> nn.Sequential:
    fields = [_scaled(n, setting.width) for n in digits_rotated.FIELDS]
    if setting.stencil == UNCONSTRAINED:
        return digits_rotated.unconstrained(fields, setting.size)
    return digits_rotated.equivariant(fields, setting.size, **layer_options(setting))


def _with_maxima(setting: Setting) -> nn.Sequential:
    """The example's network with ELU and maxima, as the paper's has them, where it has ReLU and means."""
    parts: list[nn.Module] = []
    for part in _example(setting):
        changed = part
        if isinstance(part, Pointwise):
            changed = Pointwise(part.in_type, nn.ELU())
        elif isinstance(part, nn.AvgPool2d):
            changed = nn.MaxPool2d(part.kernel_size, part.stride, part.padding)
        elif isinstance(part, GlobalPool):
            changed = GlobalPool(part.in_type, "max")
        parts.append(changed)
    return nn.Sequential(*parts)


def _paper(setting: Setting) -> nn.Sequential:
    """Without dropout: of the eight features that an eighth of the fields leave, it would take four."""
    if setting.stencil == UNCONSTRAINED:
        return _vanilla(setting)
    return regular_network(size=setting.size, width=setting.width, dropout=0.0, **layer_options(setting))


def _vanilla(setting: Setting) -> nn.Sequential:
    """Ordinary filters in the same places, behind them the same head."""
    parts: list[nn.Module] = []
    before = 1
    for number, (count, padding) in enumerate(zip(FIELDS[setting.size], PADDING[setting.size], strict=True), start=1):
        channels = _scaled(count, VANILLA * setting.width)
        conv = nn.Conv2d(before, channels, setting.size, padding=padding, bias=False)
        parts += [conv, nn.BatchNorm2d(channels), nn.ELU()]
        if number in POOLED[setting.size]:
            parts.append(nn.MaxPool2d(2))
        before = channels
    hidden = [nn.Linear(before, 64), nn.BatchNorm1d(64), nn.ELU()]
    return nn.Sequential(*parts, nn.AdaptiveMaxPool2d(1), nn.Flatten(), *hidden, nn.Linear(64, 10), nn.BatchNorm1d(10))


def _scaled(count: int, width: float) -> int:
    return max(1, round(count * width))


NETWORKS = {"digits": _example, MAXIMA: _with_maxima, "mnist": _paper}
"""By task."""
