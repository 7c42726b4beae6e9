r"""Dense filter or jets: a cost model, in multiplications of the dense convolution per output point.

Dense: $c_{in} c_{out} T$ for T taps. Jets: $c_{in} A$ derivatives for A atoms, which move memory rather than compute,
and $c_{in} c_{out} A$ to mix them by matrix products:

$$c_{out} T \quad\text{against}\quad \mu\, c_{out} A + \delta A.$$

$\mu$ and $\delta$ belong to a device. Those of the CPU come from ``benchmarks/compare.py --only jets``, which measures
both ways over many shapes, and lie on the careful side; `calibrate` finds those of a machine. Where nothing was
measured the filter is dense. Atoms that are no products are convolved, which takes longer: for them jets are never
chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import torch

from pdobasis.layers.errors import LayerError
from pdobasis.layers.layer_basis import LayerBasis
from pdobasis.nn.arguments import on_device
from pdobasis.nn.jets import Factors
from pdobasis.nn.steerable import JETS, STENCILS


@dataclass(frozen=True, slots=True)
class Costs:
    """What jets cost on one kind of device, next to one multiplication of a dense convolution.

    ``mix`` is $\\mu$, of one multiplication of the mixing product; ``derive`` are $\\delta$ on a line, in the plane and
    in space, of one derivative of one channel at one point. An infinite one means: dense.

    Attributes
    ----------
    device : str
        The kind of device.
    mix : float
        Of one multiplication of the mixing product.
    derive : tuple of three floats
        Of one derivative, on a line, in the plane and in space.

    Examples
    --------
    >>> costs = Costs("cpu", mix=1.0, derive=(100.0, 100.0, 100.0))
    >>> [costs.prefer_jets(channels, taps=25, atoms=6, dim=2) for channels in (8, 64)]
    [False, True]
    """

    device: str = "cpu"
    mix: float = 1.05
    derive: tuple[float, float, float] = (300.0, 300.0, 450.0)

    def __post_init__(self) -> None:
        if len(self.derive) != 3 or not all(v >= 0 for v in (self.mix, *self.derive)):
            raise LayerError(
                f"costs are numbers from 0 on, with derive for one, two and three dimensions: {self}"
            )

    def prefer_jets(self, channels: int, taps: int, atoms: int, dim: int) -> bool:
        """For so many output channels."""
        jets = (self.mix * channels + self.derive[dim - 1]) * atoms
        return jets < channels * taps


_USED = {"cpu": Costs(), "meta": Costs("meta")}
"""By kind of device, what `use_costs` has set; the meta device stands for one that is not known yet."""


def costs_of(device: torch.device | str | None) -> Costs:
    """What layers on this device are chosen by."""
    device = on_device(device)
    if device is None:
        device = torch.get_default_device()
    kind = torch.device(device).type
    return _USED.get(kind, Costs(kind, derive=(inf, inf, inf)))


def use_costs(costs: Costs) -> None:
    """Choose by these for all layers that are built on this kind of device from now on.

    Parameters
    ----------
    costs : Costs
        Of :func:`pdobasis.nn.calibrate`.

    Raises
    ------
    LayerError
        What is given are no costs.

    Examples
    --------
    >>> use_costs(Costs("cpu", mix=1.05, derive=(300.0, 300.0, 450.0)))
    >>> costs_of("cpu").mix
    1.05
    """
    if not isinstance(costs, Costs):
        raise LayerError(
            f"use_costs takes Costs, as calibrate gives them, got {costs!r}"
        )
    _USED[costs.device] = costs


def choose(basis: LayerBasis, factors: Factors | None, costs: Costs) -> str:
    """The cheaper way for one convolution group; ``factors`` are those of the atoms, None if they are no products."""
    if factors is None:
        return STENCILS
    dim = basis.atoms.ndim - 1
    if costs.prefer_jets(basis.out_type.size, basis.taps, len(basis.atoms), dim):
        return JETS
    return STENCILS
