"""What is done to a batch before a network sees it, drawn from a generator of its own."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Generator, Tensor

from experiments.settings.values import Data


def augmented(x: Tensor, y: Tensor, data: Data, draw: Generator) -> tuple[Tensor, Tensor]:
    """In this order: rotation by any angle, crop, mirror of left and right, cutout, quarter turns of fields."""
    if data.rotation:
        x = rotated(x, torch.rand(len(x), generator=draw) * 2 * math.pi)
    if data.crop:
        x = cropped(x, data.crop, torch.randint(2 * data.crop + 1, (2, len(x)), generator=draw))
    if data.flip:
        mirrored = torch.rand(len(x), generator=draw) < 0.5
        x = torch.where(mirrored[:, None, None, None], x.flip(3), x)
    if data.cutout:
        x = cut_out(x, data.cutout, torch.randint(x.shape[-1], (2, len(x)), generator=draw))
    if data.quarter_turns:
        turns = torch.randint(4, (len(x),), generator=draw)
        x, y = turned(x, turns, x.shape[1]), turned(y, turns, 0)
    return x, y


def rotated(x: Tensor, angles: Tensor) -> Tensor:
    """Around the centre, by bilinear interpolation; outside lies the darkest value of the image."""
    cos, sin = torch.cos(angles), torch.sin(angles)
    zero = torch.zeros_like(cos)
    matrices = torch.stack([torch.stack([cos, -sin, zero], 1), torch.stack([sin, cos, zero], 1)], 1)
    places = F.affine_grid(matrices.to(x), list(x.shape), align_corners=False)
    floor = x.amin((1, 2, 3), keepdim=True)
    return F.grid_sample(x - floor, places, align_corners=False) + floor


def cropped(x: Tensor, margin: int, shifts: Tensor) -> Tensor:
    """Images of the same size out of images with a margin of zeros."""
    wide = F.pad(x, (margin, margin, margin, margin))
    size = x.shape[-1]
    return torch.stack(
        [image[:, i : i + size, j : j + size] for image, i, j in zip(wide, *shifts.tolist(), strict=True)]
    )


def cut_out(x: Tensor, side: int, centres: Tensor) -> Tensor:
    """A square of zeros, which may reach beyond the border."""
    size = x.shape[-1]
    at = torch.arange(size)
    inside = [(at >= c[:, None] - side // 2) & (at < c[:, None] + side - side // 2) for c in centres]
    hidden = inside[0][:, None, :, None] & inside[1][:, None, None, :]
    return x.masked_fill(hidden.to(x.device), 0.0)


def turned(fields: Tensor, turns: Tensor, scalars: int) -> Tensor:
    r"""$\rho(g) f(g^{-1} x)$ for quarter turns g, the first ``scalars`` channels being scalars.

    Behind them come a vector and scalars: (v1, v2) of a quarter turn is (-v2, v1). Arrays have x1 along the last axis
    and x2 along the one before it, both growing with the index.
    """
    out = fields.clone()
    for k in range(1, 4):
        which = turns == k
        # rot90 from axis 2 to axis 3 moves (x1, x2) to (x2, -x1): the other way round is counter-clockwise here.
        out[which] = torch.rot90(fields[which], -k, (2, 3))
    if scalars < fields.shape[1]:
        cos = torch.tensor([1.0, 0.0, -1.0, 0.0]).to(fields)[turns][:, None, None]
        sin = torch.tensor([0.0, 1.0, 0.0, -1.0]).to(fields)[turns][:, None, None]
        v1, v2 = out[:, scalars].clone(), out[:, scalars + 1].clone()
        out[:, scalars], out[:, scalars + 1] = cos * v1 - sin * v2, sin * v1 + cos * v2
    return out
