"""Equivariant layers on plain torch tensors: steerable PDOs, and what else a network needs.

`conv` and `points` are the layers, `steerable` what they share (weights, bias, saving), `expand` builds filters,
`jets` takes derivatives and `mix` mixes them, `cost` chooses between the two by constants that `calibration` finds;
`nonlinear`, `norm` (with `moments`), `pooling` and the other parts, `fields`, `equivariance` and `interop` stand beside
them. `types` knows which fields leave a module: `sequential` checks networks by it before they run, `walk` while they
do, `summary` lists them, `plain` makes torch's own modules of them.

What comes in: questions, bases and files as the user gives them; `pdobasis.layers` makes plain arrays of them. What
goes out: modules and tensors. The only room that imports torch at its top; nothing below may import this one.
"""

from __future__ import annotations

from pdobasis.errors import MissingExtraError

try:
    import torch as torch
except ModuleNotFoundError as _error:
    # What is missing inside of torch is torch's to say.
    if _error.name != "torch":
        raise
    raise MissingExtraError("torch", "torch", "pdobasis.nn") from None

from pdobasis.layers.errors import (
    EmptyBasisError,
    EquivarianceWarning,
    FieldMismatchError,
    LayerError,
    NotEquivariantError,
)
from pdobasis.nn.bilinear import TensorProduct
from pdobasis.nn.calibration import calibrate
from pdobasis.nn.conv import PDOConv1d, PDOConv2d, PDOConv3d
from pdobasis.nn.cost import Costs, use_costs
from pdobasis.nn.dropout import FieldDropout
from pdobasis.nn.equivariance import EquivarianceReport, check_equivariance
from pdobasis.nn.fields import transform
from pdobasis.nn.fourier import FourierNonlinearity
from pdobasis.nn.group_norm import FieldGroupNorm, FieldInstanceNorm
from pdobasis.nn.induced_norm import InducedNormNonlinearity
from pdobasis.nn.interop import from_e2cnn, from_escnn, to_e3nn
from pdobasis.nn.mask import Mask
from pdobasis.nn.nonlinear import GatedNonlinearity, NormNonlinearity, Pointwise
from pdobasis.nn.norm import FieldBatchNorm
from pdobasis.nn.per_field import PerField
from pdobasis.nn.pictures import plot_equivariance
from pdobasis.nn.plain import to_plain
from pdobasis.nn.points import CloudJets, PDOPointConv
from pdobasis.nn.pooling import GlobalPool, GroupPool, NormPool
from pdobasis.nn.restrict import Restrict
from pdobasis.nn.sequential import Sequential, check_types
from pdobasis.nn.split import Merge, Split
from pdobasis.nn.summary import Summary, summary
from pdobasis.nn.term_layer import TermLayer, rk4
from pdobasis.nn.terms import TermsFunction
from pdobasis.nn.transposed import (
    Adjoint,
    PDOConvTranspose1d,
    PDOConvTranspose2d,
    PDOConvTranspose3d,
)
from pdobasis.nn.upsample import Upsample
from pdobasis.nn.windows import BlurPool, MaxPool, NormMaxPool

__all__ = [
    "Adjoint",
    "BlurPool",
    "CloudJets",
    "Costs",
    "EmptyBasisError",
    "EquivarianceReport",
    "EquivarianceWarning",
    "FieldBatchNorm",
    "FieldDropout",
    "FieldGroupNorm",
    "FieldInstanceNorm",
    "FieldMismatchError",
    "FourierNonlinearity",
    "GatedNonlinearity",
    "GlobalPool",
    "GroupPool",
    "InducedNormNonlinearity",
    "LayerError",
    "Mask",
    "MaxPool",
    "Merge",
    "NormMaxPool",
    "NormNonlinearity",
    "NormPool",
    "NotEquivariantError",
    "PDOConv1d",
    "PDOConv2d",
    "PDOConv3d",
    "PDOConvTranspose1d",
    "PDOConvTranspose2d",
    "PDOConvTranspose3d",
    "PDOPointConv",
    "PerField",
    "Pointwise",
    "Restrict",
    "Sequential",
    "Split",
    "Summary",
    "TensorProduct",
    "TermLayer",
    "TermsFunction",
    "Upsample",
    "calibrate",
    "check_equivariance",
    "check_types",
    "from_e2cnn",
    "from_escnn",
    "plot_equivariance",
    "rk4",
    "summary",
    "to_e3nn",
    "to_plain",
    "transform",
    "use_costs",
]
