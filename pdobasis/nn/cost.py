r"""Dense filter or jets: a cost model, in multiplications of the dense convolution per output point.

Dense: $c_{in} c_{out} T$ for T taps. Jets: $c_{in} A$ derivatives for A atoms, each a depthwise convolution that
moves memory rather than computes, and $c_{in} c_{out} A$ to mix them by a matrix product:

$$c_{out} T \quad\text{against}\quad \mu\, c_{out} A + \delta A.$$

``benchmarks/layer.py`` measures both ways over many shapes; the constants are fitted to its table.
"""

from __future__ import annotations

from pdobasis.nn.layer_basis import LayerBasis
from pdobasis.nn.steerable import JETS, STENCILS

MIX = 1.25
"""Cost of one multiplication of the mixing product."""
DERIVE = 250.0
"""Cost of one derivative of one channel at one point."""


def choose(basis: LayerBasis) -> str:
    """The cheaper way for one convolution group."""
    channels, atoms = basis.out_type.size, len(basis.atoms)
    if len(basis.atoms.shape) != 3:
        return STENCILS
    return JETS if MIX * channels * atoms + DERIVE * atoms < channels * basis.taps else STENCILS
