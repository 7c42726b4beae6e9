"""Equivariant layers on plain torch tensors: steerable PDOs, and what else a network needs.

`conv` and `points` are the layers, `steerable` what they share (weights, bias, saving), `expand` builds filters,
`jets` takes derivatives, `cost` chooses between the two; `nonlinear`, `norm`, `pooling`, `fields`, `equivariance` and
`interop` stand beside them.

What comes in: questions, bases and files as the user gives them; `pdobasis.layers` makes plain arrays of them. What
goes out: modules and tensors. The only room that imports torch at its top; nothing below may import this one.
"""

from __future__ import annotations

from pdobasis.layers.errors import (
    EmptyBasisError,
    EquivarianceWarning,
    LayerError,
    NotEquivariantError,
)
from pdobasis.nn.bilinear import TensorProduct
from pdobasis.nn.conv import PDOConv1d, PDOConv2d, PDOConv3d
from pdobasis.nn.equivariance import EquivarianceReport, check_equivariance
from pdobasis.nn.fields import transform
from pdobasis.nn.interop import from_e2cnn, from_escnn, to_e3nn
from pdobasis.nn.nonlinear import GatedNonlinearity, NormNonlinearity, Pointwise
from pdobasis.nn.norm import FieldBatchNorm
from pdobasis.nn.points import CloudJets, PDOPointConv
from pdobasis.nn.pooling import GlobalPool, GroupPool, NormPool, Restrict
from pdobasis.nn.transposed import (
    Adjoint,
    PDOConvTranspose1d,
    PDOConvTranspose2d,
    PDOConvTranspose3d,
)

__all__ = [
    "Adjoint",
    "CloudJets",
    "EmptyBasisError",
    "EquivarianceReport",
    "EquivarianceWarning",
    "FieldBatchNorm",
    "GatedNonlinearity",
    "GlobalPool",
    "GroupPool",
    "LayerError",
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
    "Pointwise",
    "Restrict",
    "TensorProduct",
    "check_equivariance",
    "from_e2cnn",
    "from_escnn",
    "to_e3nn",
    "transform",
]
