"""A layer from exported stencils: that of the basis and of the discretization in the file, both proved again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pdobasis.answer.basis import Basis
from pdobasis.errors import ProofError
from pdobasis.files import load_stencils
from pdobasis.files.stencil_file import StencilFile
from pdobasis.files.stencil_meta import discretization_from_json
from pdobasis.files.stencil_proof import prove_again
from pdobasis.layers.advice import warn_if_far_off
from pdobasis.layers.arguments import whole
from pdobasis.layers.errors import LayerError
from pdobasis.layers.fingerprint import as_solved
from pdobasis.layers.layer_basis import LayerBasis, from_discretized
from pdobasis.layers.placed import with_places
from pdobasis.layers.staggered import discretize_between
from pdobasis.stencils import Layout


def read_layer(
    path: str | Path, dim: int, in_fields: int, out_fields: int, groups: int
) -> tuple[LayerBasis, Layout, tuple[int, ...]]:
    """(basis of one convolution group, layout, dilation along the array axes).

    It is the layer that the question of the file gives, with so many copies of its field types. A file that
    ``pdobasis verify`` rejects makes no layer.
    """
    file = load_stencils(path)
    _require_fitting(file, path, dim)
    for name, value in (
        ("in_fields", in_fields),
        ("out_fields", out_fields),
        ("groups", groups),
    ):
        whole(value, name, 1)
    if in_fields % groups or out_fields % groups:
        raise LayerError(
            f"groups={groups} has to divide in_fields={in_fields} and out_fields={out_fields}"
        )
    proof = prove_again(file)
    if not proof.holds:
        raise ProofError(f"{path}: not proved: " + "; ".join(proof.failures))
    # A layer keeps the basis of one convolution group, which takes its share of the fields.
    basis = _copied(as_solved(proof.basis), in_fields // groups, out_fields // groups)
    if proof.parts is None:
        return _between_places(basis, file)
    parts = [replace(proof.parts, basis=basis)]
    warn_if_far_off(parts)
    layer = from_discretized(parts)
    # A grid counts its axes from x1, an array ends with it.
    return layer, proof.parts.grid.layout, proof.parts.grid.dilation[::-1]


def _between_places(
    basis: Basis, file: StencilFile
) -> tuple[LayerBasis, Layout, tuple[int, ...]]:
    """A staggered grid: the places of the file, for every copy of its field types."""
    grid, options, places = discretization_from_json(file.meta)
    if places is None:
        raise LayerError("the file has no places")
    problem = basis.problem
    sides = [
        with_places(fields, own * (fields.size // len(own)))
        for fields, own in (
            (problem.in_type, places.in_offsets),
            (problem.out_type, places.out_offsets),
        )
    ]
    every = {"spacing": grid.spacing, "layout": grid.layout, **options}
    method = file.meta["discretization"]["stencil"]
    fields = (sides[0], sides[1])
    part = discretize_between(basis, fields, method, grid.size, every)
    return from_discretized([part], fields), grid.layout, grid.dilation[::-1]


def _require_fitting(file: StencilFile, path: str | Path, dim: int) -> None:
    found = len(file.meta["discretization"]["size"])
    if found != dim:
        raise LayerError(
            f"{path} holds stencils in dimension {found}: use PDOConv{found}d"
        )
    if not len(file.stencils):
        raise LayerError(f"{path} holds no stencils: export a higher order")


def _copied(basis: Basis, in_fields: int, out_fields: int) -> Basis:
    """Between so many copies of the field types: the blocks between different summands stay what they are."""
    problem = basis.problem
    copied = replace(
        problem,
        in_type=problem.in_type * in_fields,
        out_type=problem.out_type * out_fields,
    )
    return replace(basis, problem=copied)
