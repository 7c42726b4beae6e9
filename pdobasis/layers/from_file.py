"""A layer from exported stencils: the numbers of the file, no solving."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pdobasis.files import load_stencils
from pdobasis.layers.arguments import whole
from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import invariant_vectors
from pdobasis.layers.layer_basis import LayerBasis, Unit, layer_basis
from pdobasis.question.field_type import FieldType
from pdobasis.stencils import Layout
from pdobasis.stencils.discretize import BlockStencils
from pdobasis.stencils.sampled import Sampled

CLOSE = 1e-13


def read_layer(
    path: str | Path, dim: int, in_fields: int, out_fields: int, groups: int
) -> tuple[LayerBasis, Layout, tuple[int, ...]]:
    """(basis of one convolution group, layout, dilation along the array axes)."""
    file = load_stencils(path)
    sampled = file.sampled()
    if sampled.grid.dim != dim:
        raise LayerError(f"{path} holds stencils in dimension {sampled.grid.dim}: use PDOConv{sampled.grid.dim}d")
    if sampled.places is not None:
        raise LayerError(f"{path} holds stencils of a staggered grid, whose channels lie at different places")
    if not len(sampled.stencils):
        raise LayerError(f"{path} holds no stencils: export a higher order")
    for name, value in (("in_fields", in_fields), ("out_fields", out_fields), ("groups", groups)):
        whole(value, name, 1)
    if in_fields % groups or out_fields % groups:
        raise LayerError(f"groups={groups} has to divide in_fields={in_fields} and out_fields={out_fields}")
    atoms, coefficients = _factors(sampled)
    counts = in_fields // groups, out_fields // groups
    layer = layer_basis(
        sampled.problem.in_type * counts[0],
        sampled.problem.out_type * counts[1],
        (_unit(sampled.problem.in_type, counts[0]),),
        (_unit(sampled.problem.out_type, counts[1]),),
        atoms,
        [_block(coefficients, sampled)],
        hashlib.sha256(str(file.meta["checksum"]).encode()).digest()[:16],
        f"{sampled.method}, size {sampled.grid.size}",
    )
    return layer, sampled.grid.layout, sampled.grid.dilation[::-1]


def _factors(sampled: Sampled) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Atoms and coefficients with stencils = coefficients @ atoms; single points as atoms where PDOs have none."""
    stencils = sampled.stencils
    kernel = sampled.grid.array_shape
    flat = stencils.reshape(-1, int(np.prod(kernel)))
    if sampled.rings is None:
        used = np.flatnonzero(sampled.coefficients.any(axis=(0, 1, 2)))
        table = sampled.coefficients[..., used].reshape(len(flat), -1)
        atoms = np.asarray(np.linalg.lstsq(table, flat, rcond=None)[0], dtype=np.float64)
        if len(used) < flat.shape[1] and np.abs(table @ atoms - flat).max() <= CLOSE * np.abs(flat).max():
            return atoms.reshape(-1, *kernel), table.reshape(*stencils.shape[:3], -1)
    return np.eye(flat.shape[1]).reshape(-1, *kernel), flat.reshape(*stencils.shape[:3], -1)


def _block(coefficients: NDArray[np.float64], sampled: Sampled) -> BlockStencils:
    element, row, column = np.nonzero(coefficients.any(axis=-1))
    orders = tuple(int(n) for n in sampled.orders)
    shape = (coefficients.shape[1], coefficients.shape[2])
    return BlockStencils(0, 0, shape, orders, element, row, column, coefficients[element, row, column])


def _unit(fields: FieldType, copies: int) -> Unit:
    """The whole sum of the file, repeated."""
    rows = []
    at = 0
    for rep, n in fields.terms:
        for _ in range(n):
            vectors = invariant_vectors(rep)
            wide = np.zeros((len(vectors), fields.size))
            wide[:, at : at + rep.size] = vectors
            rows.append(wide)
            at += rep.size
    return Unit(fields.spec, fields.size, tuple(k * fields.size for k in range(copies)), np.concatenate(rows))
