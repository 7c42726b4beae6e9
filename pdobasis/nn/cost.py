r"""Dense filter or jets: a cost model, in multiplications of the dense convolution per output point.

Dense: $c_{in} c_{out} T$ for T taps. Jets: $c_{in} A$ derivatives for A atoms, each a depthwise convolution that
moves memory rather than computes, and $c_{in} c_{out} A$ to mix them by a matrix product:

$$c_{out} T \quad\text{against}\quad \mu\, c_{out} A + \delta A.$$

``benchmarks/layer.py --table`` measures both ways over many shapes. Solved for $\delta$ its ratios give 100 to 230 in
the plane and 400 to 670 in space; the constants lie on the careful side, since memory is what other programs share.
"""

from __future__ import annotations

from pdobasis.nn.layer_basis import LayerBasis
from pdobasis.nn.steerable import JETS, STENCILS

MIX = 1.05
"""Cost of one multiplication of the mixing product."""
DERIVE = {1: 200.0, 2: 200.0, 3: 600.0}
"""Cost of one derivative of one channel at one point, by dimension."""


def choose(basis: LayerBasis) -> str:
    """The cheaper way for one convolution group."""
    channels, atoms = basis.out_type.size, len(basis.atoms)
    derive = DERIVE[basis.atoms.ndim - 1]
    return JETS if MIX * channels * atoms + derive * atoms < channels * basis.taps else STENCILS
