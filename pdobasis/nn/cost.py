r"""Dense filter or jets: a cost model, in multiplications of the dense convolution per output point.

Dense: $c_{in} c_{out} T$ for T taps. Jets: $c_{in} A$ derivatives for A atoms, which move memory rather than compute,
and $c_{in} c_{out} A$ to mix them by matrix products:

$$c_{out} T \quad\text{against}\quad \mu\, c_{out} A + \delta A.$$

``benchmarks/compare.py --only jets`` measures both ways over many shapes. Solved for $\delta$ its ratios in evaluation
give 200 to 290 in the plane on images of up to 64², 420 on 96² and 600 on 160² (where the two ways tie at 384
channels), and 330 to 430 in space; in training they are smaller. The constants lie on the careful side. Atoms that are
no products are convolved, which takes longer: for them jets are never chosen.
"""

from __future__ import annotations

from pdobasis.layers.layer_basis import LayerBasis
from pdobasis.nn.jets import Factors
from pdobasis.nn.steerable import JETS, STENCILS

MIX = 1.05
"""Cost of one multiplication of the mixing product."""
DERIVE = {1: 300.0, 2: 300.0, 3: 450.0}
"""Cost of one derivative of one channel at one point, by dimension."""


def choose(basis: LayerBasis, factors: Factors | None) -> str:
    """The cheaper way for one convolution group; ``factors`` are those of the atoms, None if they are no products."""
    if factors is None:
        return STENCILS
    channels, atoms = basis.out_type.size, len(basis.atoms)
    derive = DERIVE[basis.atoms.ndim - 1]
    if MIX * channels * atoms + derive * atoms < channels * basis.taps:
        return JETS
    return STENCILS
