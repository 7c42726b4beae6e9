r"""The constants of the cost model, measured on a device.

The model says that jets take $r = (\mu\, c_{out} + \delta) A / (c_{out} T)$ of the time of a dense convolution, and is
linear in its constants. Layers of different widths are applied both ways, one after the other in every round; $\mu$ and
$\delta$ are fitted to the ratios by least squares, none of them negative. Of a training step and an evaluation the
worse ratio counts, so that jets are taken where neither becomes slower.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pdobasis.layers.errors import LayerError
from pdobasis.nn.conv import PDOConv, PDOConv1d, PDOConv2d, PDOConv3d
from pdobasis.nn.cost import Costs, costs_of

Run = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Shape:
    """Layers between so many fields, of one stencil, on images of so many points along an axis."""

    kind: type[PDOConv]
    group: str
    rep: str
    size: int
    order: int
    points: int
    batch: int
    fields: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Time of jets over time of the dense filter, for a layer of so many output channels, taps and atoms."""

    channels: int
    taps: int
    atoms: int
    value: float


SHAPES = {
    1: Shape(PDOConv1d, "inversion(1)", "regular", 7, 3, 1024, 8, (32, 64, 128)),
    2: Shape(PDOConv2d, "C16", "regular", 5, 3, 28, 4, (4, 8, 16)),
    3: Shape(PDOConv3d, "Oh", "vector", 5, 3, 12, 2, (16, 32, 48)),
}
"""By dimension; a few seconds each on two processors."""


def calibrate(
    device: torch.device | str = "cpu", dims: Iterable[int] = (2,), rounds: int = 5
) -> Costs:
    """Measure on a device and return its costs; those of dimensions that are not asked for stay what they are.

    Give them to a layer, ``PDOConv2d(..., apply=costs)``, or to all layers to come, ``use_costs(costs)``. They are one
    line of Python, to be kept in the program that uses them.

    Parameters
    ----------
    device : torch.device or str
        Where to measure.
    dims : iterable of int
        Dimensions of space that are measured.
    rounds : int
        Repetitions; the median counts.

    Returns
    -------
    Costs
        To be given to a layer, or to :func:`pdobasis.nn.use_costs`.

    Raises
    ------
    LayerError
        A dimension other than 1, 2 and 3.

    Examples
    --------
    It takes some seconds, and the figures are those of the machine.

    >>> calibrate("cpu", dims=(2,), rounds=1)  # doctest: +SKIP
    Costs(device='cpu', mix=..., derive=(300.0, ..., 450.0))
    """
    place = _device(device)
    asked = tuple(dims) if isinstance(dims, Iterable) else (dims,)
    if not asked or any(dim not in SHAPES for dim in asked):
        raise LayerError(f"dimensions to calibrate are among 1, 2 and 3, got {asked}")
    mix, found = fitted({dim: measured(SHAPES[dim], place, rounds) for dim in asked})
    derive = list(costs_of(place).derive)
    for dim, value in found.items():
        derive[dim - 1] = value
    return Costs(place.type, mix, (derive[0], derive[1], derive[2]))


def fitted(ratios: Mapping[int, Sequence[Ratio]]) -> tuple[float, dict[int, float]]:
    """(mu, delta by dimension), to three digits: more were not measured."""
    from scipy.optimize import nnls

    dims = sorted(ratios)
    rows, values = [], []
    for place, dim in enumerate(dims):
        for r in ratios[dim]:
            row = np.zeros(1 + len(dims))
            row[0] = r.atoms / r.taps
            row[1 + place] = r.atoms / (r.taps * r.channels)
            rows.append(row)
            values.append(r.value)
    found = nnls(np.array(rows), np.array(values))[0]
    solution = [round(float(f"{v:.3g}"), 6) for v in found]
    return solution[0], dict(zip(dims, solution[1:], strict=True))


def measured(shape: Shape, device: torch.device, rounds: int) -> list[Ratio]:
    """One ratio for each width."""
    out = []
    for fields in shape.fields:
        dense, jets = _layers(shape, fields, device)
        x = torch.randn(
            shape.batch, dense.in_channels, *(shape.points,) * dense.dim, device=device
        )
        value = max(
            _ratio(step(dense, x), step(jets, x), device, rounds)
            for step in (_training, _evaluation)
        )
        basis = dense.basis
        out.append(Ratio(dense.out_channels, basis.taps, len(basis.atoms), value))
    return out


def _layers(shape: Shape, fields: int, device: torch.device) -> tuple[PDOConv, PDOConv]:
    rep = f"{fields}x{shape.rep}"
    options: Any = {"size": shape.size, "stencil": "fd", "padding": "same"}
    dense, jets = (
        shape.kind(
            shape.group, rep, rep, shape.order, apply=way, device=device, **options
        )
        for way in ("dense", "jets")
    )
    return dense, jets


def _ratio(dense: Run, jets: Run, device: torch.device, rounds: int) -> float:
    """The median over rounds, in each of which both run one after the other, so that a busy machine slows both."""

    def seconds(run: Run) -> float:
        start = time.perf_counter()
        run()
        _wait(device)
        return time.perf_counter() - start

    for run in (dense, jets):
        run()  # once unmeasured: what is set up at first use does not count
    _wait(device)
    return statistics.median(
        seconds(jets) / max(1e-9, seconds(dense)) for _ in range(max(1, rounds))
    )


def _training(layer: PDOConv, x: Tensor) -> Run:
    leaf = x.clone().requires_grad_()

    def run() -> None:
        layer.train().zero_grad(set_to_none=True)
        leaf.grad = None
        out: Any = layer(leaf).sum()
        out.backward()

    return run


def _evaluation(layer: PDOConv, x: Tensor) -> Run:
    def run() -> None:
        layer.eval()
        with torch.no_grad():
            layer(x)

    return run


def _device(device: torch.device | str) -> torch.device:
    try:
        place = torch.device(device)
        torch.zeros((), device=place).item()
    except (RuntimeError, AssertionError, NotImplementedError):
        raise LayerError(
            f"nothing can be measured on the device {str(device)!r}: one that torch has here, such as cpu"
        ) from None
    return place


def _wait(device: torch.device) -> None:
    """Until the device has done what it was asked: elsewhere than on the CPU calls return at once."""
    wait = getattr(getattr(torch, device.type, None), "synchronize", None)
    if device.type != "cpu" and wait is not None:
        wait()
