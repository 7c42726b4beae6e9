"""Stencils for other programs: NumPy, SciPy, torch, JAX, findiff, Devito, C and CUDA. One file a target.

    Basis | Element | Operator | file ──► StencilSet ──► to("jax"): a function, a matrix, expressions
                                                    └──► source("c"): text that needs nothing of this package

What comes in: stencils of bases and operators. What goes out: objects of other packages, which are imported in their
own file when they are asked for, and texts. This room may call stencils and everything below; `files` writes its texts.
"""

from pdobasis.handover import (
    c_source,
    cuda_source,
    devito_target,
    findiff_target,
    jax_target,
    numpy_target,
    scipy_target,
    sparse_target,
    torch_target,
)
from pdobasis.handover.registry import find, register, targets
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target

__all__ = ["StencilSet", "Target", "find", "register", "targets"]

# The targets, in the order in which they are listed everywhere.
for _module in (
    numpy_target,
    scipy_target,
    sparse_target,
    torch_target,
    jax_target,
    findiff_target,
    devito_target,
    c_source,
    cuda_source,
):
    register(_module.TARGET)
