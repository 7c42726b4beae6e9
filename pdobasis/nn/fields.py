r"""The action of a group on batches of feature fields, $(g \cdot f)(x) = \rho(g) f(g^{-1} x)$."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.exact.numbers import to_float
from pdobasis.layers.arguments import fields_of
from pdobasis.layers.elements import (
    CLOSE,
    Element,
    element_matrix,
    is_signed_permutation,
    is_whole,
    rho,
)
from pdobasis.layers.errors import LayerError
from pdobasis.layers.placed import StaggeredType
from pdobasis.nn.arguments import require_channels
from pdobasis.nn.places import channels_at, moved_on
from pdobasis.question.field_type import FieldType
from pdobasis.representations.representation import Representation
from pdobasis.stencils import Grid, Layout, NotAGridSymmetryError
from pdobasis.stencils.lattice_symmetry import (
    images_of_nodes,
    inverse_of,
    keeps_places,
)
from pdobasis.stencils.lattices import Lattice
from pdobasis.stencils.staggered import Offset
from pdobasis.stencils.symmetry import split_signed_permutation

LAYOUTS = ("grid", "image")


def transform(
    x: Tensor,
    g: Element,
    rep: FieldType | Representation,
    layout: Layout = "grid",
    lattice: Any = None,
) -> Tensor:
    r"""$\rho(g)\, x(g^{-1}\,\cdot)$ for fields (batch, channels, *space), or for pooled ones (batch, channels).

    g is a matrix, or the number of an element of a finite group. Matrices that map the points of the grid to themselves
    act exactly, others by interpolation (bicubic in the plane, trilinear in space); what comes from outside is zero.

    Parameters
    ----------
    x : Tensor
        Fields (batch, channels, ...).
    g : array or int
        An element of the group.
    rep : FieldType or Representation
        How the channels move.
    layout : {"grid", "image"}
        Which way x2 grows.
    lattice : str, Lattice or vectors, optional
        Whose points the array holds, in steps along its vectors.

    Returns
    -------
    Tensor
        Of the same shape.

    Raises
    ------
    LayerError
        The matrix is not in the group, or the channels are not those of the type.

    Examples
    --------
    >>> import torch
    >>> from pdobasis import field_type
    >>> x = torch.tensor([1.0, 2.0]).reshape(1, 2, 1, 1)
    >>> transform(x, [[0, -1], [1, 0]], field_type("vector", "C4")).flatten().tolist()
    [-2.0, 1.0]
    """
    if isinstance(rep, Representation):
        fields = FieldType.of([rep])
    else:
        fields = fields_of(rep, "transform", at_places=True)
    if layout not in LAYOUTS:
        raise LayerError(f"unknown layout {layout!r}: one of {', '.join(LAYOUTS)}")
    group = fields.terms[0][0].group
    require_channels(x, fields)
    if x.ndim not in (2, group.dim + 2) or x.shape[1] != fields.size:
        raise LayerError(
            f"fields of type {fields} are (batch, {fields.size}, {group.dim} space axes) or (batch, {fields.size}), "
            f"got {tuple(x.shape)}"
        )
    if lattice is not None:
        lattice = Lattice.read(lattice)
        if lattice.dim != group.dim:
            raise LayerError(
                f"the lattice lies in dimension {lattice.dim}, the group {group} in {group.dim}"
            )
    # rho(g) mixes channels and g^{-1} moves points: the two commute, so either may come first.
    matrix = element_matrix(group, g)
    if x.ndim > 2 and isinstance(fields, StaggeredType):
        x = _move_places(x, matrix, fields, layout)
    elif x.ndim > 2:
        x = move(x, in_steps(matrix, lattice), layout)
    return transform_fibre(x, matrix, fields)


def in_steps(g: NDArray[np.float64], lattice: Lattice | None) -> NDArray[np.float64]:
    """A^{-1} g A: what an element does to the steps of an array; whole numbers are rounded to them."""
    if lattice is None:
        return g
    frame = to_float(lattice.matrix)
    found = np.linalg.solve(frame, g @ frame)
    near = np.rint(found)
    if np.abs(found - near).max() < CLOSE:
        return np.asarray(near)
    return np.asarray(found)


def transform_fibre(x: Tensor, g: NDArray[np.float64], fields: FieldType) -> Tensor:
    """rho(g) on the channels alone."""
    parts, at = [], 0
    for rep, n in fields.terms:
        matrix = torch.as_tensor(rho(rep, g), dtype=x.dtype, device=x.device)
        part = torch.unflatten(x[:, at : at + n * rep.size], 1, (n, rep.size))
        parts.append(torch.einsum("ij,bnj...->bni...", matrix, part).flatten(1, 2))
        at += n * rep.size
    return torch.cat(parts, 1)


def move(x: Tensor, g: NDArray[np.float64], layout: Layout = "grid") -> Tensor:
    """x(g^{-1} .) on the last axes."""
    if is_signed_permutation(g):
        return _move_exactly(x, np.rint(g).astype(np.int64), layout)
    if is_whole(g):
        return _move_points(x, np.rint(g).astype(np.int64), layout)
    return _interpolate(x, g, layout)


def _move_points(x: Tensor, g: NDArray[np.int64], layout: Layout) -> Tensor:
    """x(g^{-1} y) for a matrix of whole numbers that takes some points out of the array."""
    dim = len(g)
    shape = tuple(x.shape[x.ndim - dim :])
    # The centre is at a point of an odd array; between points, g need not take points to points.
    grid = Grid.regular(dim, shape[::-1], layout=layout)
    if not keeps_places(g, grid):
        raise NotAGridSymmetryError(
            f"{g.tolist()} does not map the points of an array of {'×'.join(map(str, shape))} around its centre to "
            "points: use odd sizes"
        )
    sources = torch.as_tensor(images_of_nodes(inverse_of(g), grid), device=x.device)
    flat = x.flatten(x.ndim - dim)
    # The number -1 stands for a point outside.
    moved = flat[..., sources.clamp(min=0)] * (sources >= 0).to(x.dtype)
    return moved.reshape(x.shape)


def _move_places(
    x: Tensor, g: NDArray[np.float64], fields: StaggeredType, layout: Layout
) -> Tensor:
    """The channels of every place by themselves: a mirror moves whole and half points differently."""
    if not is_signed_permutation(g):
        raise NotAGridSymmetryError(
            f"{np.round(g, 6).tolist()} does not map the places of {fields} to each other: a staggered grid has the "
            "symmetries of the grid alone"
        )
    out = torch.empty_like(x)
    for place, channels in channels_at(fields).items():
        whole = np.rint(g).astype(np.int64)
        out[:, channels] = _move_exactly(x[:, channels], whole, layout, place)
    return out


def _move_exactly(
    x: Tensor, g: NDArray[np.int64], layout: Layout, place: Offset = ()
) -> Tensor:
    """As pdobasis.stencils.transform_stencil, on tensors; of points at a place of the cell."""
    images, signs = split_signed_permutation(g)
    dim = len(images)
    lead = x.ndim - dim
    order = list(range(x.ndim))
    flips, halves = [], []
    for j, (image, sign) in enumerate(zip(images, signs, strict=True)):
        # x1 is the last array axis.
        old, new = lead + dim - 1 - j, lead + dim - 1 - image
        if x.shape[old] != x.shape[new]:
            raise NotAGridSymmetryError(
                f"this matrix exchanges x{j + 1} and x{image + 1}, whose sizes {x.shape[old]} and {x.shape[new]} "
                "differ: use square images"
            )
        order[new] = old
        if sign < 0:
            flips.append(new)
        if place and place[j]:
            halves.append(new)
    # In an image x2 grows upwards: it is turned upside down, moved as a grid, and turned back.
    upwards = []
    if layout == "image" and dim > 1:
        upwards = [x.ndim - 2]
    turned = x.flip(upwards).permute(order).flip(flips)
    return moved_on(turned, flips, halves).flip(upwards)


def _interpolate(x: Tensor, g: NDArray[np.float64], layout: Layout) -> Tensor:
    dim = len(g)
    shape = x.shape[x.ndim - dim :]
    axes = [
        torch.arange(n, dtype=x.dtype, device=x.device) - (n - 1) / 2 for n in shape
    ]
    grids = torch.meshgrid(*axes, indexing="ij")
    # Coordinates around the centre of the image, which every element fixes.
    places = torch.stack(grids[::-1], -1)  # x1 first
    sign = torch.ones(dim, dtype=x.dtype, device=x.device)
    if layout == "image" and dim > 1:
        sign[1] = -1
    inverse = torch.as_tensor(np.linalg.inv(g), dtype=x.dtype, device=x.device)
    sources = ((places * sign) @ inverse.T) * sign
    # With align_corners the outermost points are at -1 and 1; an axis of one point may be divided by anything but 0.
    halves = torch.tensor(
        [max((n - 1) / 2, 0.5) for n in reversed(shape)], dtype=x.dtype, device=x.device
    )
    batch = (sources / halves).expand(x.shape[0], *sources.shape)
    mode = {2: "bicubic"}.get(
        dim, "bilinear"
    )  # torch's name for linear interpolation in space, too
    return F.grid_sample(x, batch, mode=mode, align_corners=True)
