r"""Derivatives of every channel by matrix products along the axes.

Finite differences and Gaussian derivatives are products of stencils along the axes,
$a(x) = \prod_n s_n(x_n)$, and a stencil along one axis, with its padding, stride and dilation, is a matrix. So all
derivatives of all channels are a few large matrix products: along the last axis once for every different stencil,
along the first axis at once for all atoms that share what came before. Atoms that are no products (RBF-FD, kernels)
take one convolution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.nn.geometry import Geometry

PRODUCT = 1e-14
"""Relative error below which an atom is a product."""
LONGEST = 128
"""Axes up to which a matrix along them beats a convolution: its cost grows with their length."""

SMALL = 64
"""Points of images up to which one matrix for whole images beats products along the axes, which are many and short."""

Atoms = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    r"""$a = s_0 \otimes s_1 \otimes \dots$ for every atom a, by array axis.

    ``stencils[0]`` (atoms, kernel_size[0]) has one stencil for each atom, with its scale; ``stencils[n]`` the different
    ones along axis n, and ``shared[a]`` which of them atom a has along the axes 1, 2, ….
    """

    stencils: tuple[NDArray[np.float64], ...]
    shared: tuple[tuple[int, ...], ...]

    @property
    def orders(self) -> tuple[tuple[tuple[int, ...], Atoms], ...]:
        """Atoms that differ along the first axis only, together."""
        found: dict[tuple[int, ...], list[int]] = {}
        for atom, key in enumerate(self.shared):
            found.setdefault(key, []).append(atom)
        return tuple((key, tuple(atoms)) for key, atoms in sorted(found.items()))


def separate(atoms: NDArray[np.float64]) -> Factors | None:
    """The factors of all atoms, or None if one of them is no product."""
    split = [_split(atom) for atom in atoms]
    stencils, shared = [np.stack([s[0] for s in split])], []
    for axis in range(1, atoms.ndim - 1):
        known: dict[bytes, int] = {}
        # Stencils of different atoms are the same up to rounding: equal to ten digits is the same. They are compared as
        # bytes, in which -0.0 is not 0.0; adding 0.0 makes it so.
        which = [
            known.setdefault((np.round(s[axis], 10) + 0.0).tobytes(), len(known))
            for s in split
        ]
        stencils.append(
            np.stack([split[which.index(k)][axis] for k in range(len(known))])
        )
        shared.append(which)
    keys: tuple[tuple[int, ...], ...] = ((),) * len(
        atoms
    )  # in one dimension nothing is shared
    if shared:
        keys = tuple(zip(*shared, strict=True))
    factors = Factors(tuple(stencils), keys)
    error = np.abs(_products(factors) - atoms).reshape(len(atoms), -1).max(axis=1)
    if (error <= PRODUCT * np.abs(atoms).reshape(len(atoms), -1).max(axis=1)).all():
        return factors
    return None


def jets(
    x: Tensor,
    geometry: Geometry,
    atoms: Tensor,
    factors: Factors | None,
    stencils: Sequence[Tensor],
) -> Iterator[tuple[Tensor, Atoms]]:
    """Derivatives (batch, channels * some atoms, *space) of x (batch, channels, *space), and which atoms they are of.

    ``stencils`` are those of ``factors`` as tensors.
    """
    if x.shape[2:].numel() <= SMALL:
        yield _multiplied(x, geometry, atoms), tuple(range(len(atoms)))
        return
    if factors is None or max(x.shape[2:]) > LONGEST:
        yield _convolved(x, geometry, atoms), tuple(range(len(atoms)))
        return
    matrices = [
        axis_matrices(s, geometry, n, x.shape[n + 2]) for n, s in enumerate(stencils)
    ]
    for y, some in _branches(x, len(matrices) - 1, matrices, factors.orders):
        # All atoms that share what came before, in one product along the first axis.
        first = torch.cat([matrices[0][a] for a in some], 1)
        yield (
            torch.unflatten(
                along(y, 0, first), 2, (len(some), matrices[0].shape[2])
            ).flatten(1, 2),
            some,
        )


def axis_matrices(
    stencils: Tensor, geometry: Geometry, axis: int, length: int
) -> Tensor:
    """(stencils, length, output length): what every stencil, with its padding, makes of the unit vectors."""
    before, after = geometry.pads()[axis]
    # A convolution with its padding is linear: its matrix is what it makes of the unit vectors.
    units = torch.eye(length, dtype=stencils.dtype, device=stencils.device).unsqueeze(1)
    padded = F.pad(units, (before, after), mode=geometry.pad_mode)
    found = torch.conv1d(
        padded,
        stencils.unsqueeze(1),
        None,
        geometry.stride[axis],
        0,
        geometry.dilation[axis],
    )
    return found.transpose(0, 1).contiguous()


def along(x: Tensor, axis: int, matrix: Tensor) -> Tensor:
    """The matrix (from, to) along a space axis of x (batch, channels, *space)."""
    if axis == x.ndim - 3:
        return x @ matrix
    # Axes behind this one are columns of a product from the left; expand repeats the matrix without a copy.
    lead, rest = x.shape[: axis + 2], x.shape[axis + 3 :]
    flat = x.flatten(axis + 3).flatten(0, axis + 1)
    return torch.bmm(matrix.T.expand(flat.shape[0], -1, -1), flat).view(
        *lead, matrix.shape[1], *rest
    )


def _branches(
    x: Tensor,
    axis: int,
    matrices: Sequence[Tensor],
    orders: Sequence[tuple[tuple[int, ...], Atoms]],
) -> Iterator[tuple[Tensor, Atoms]]:
    """x after the matrices of all axes but the first, for every choice that some atoms share."""
    if axis == 0:
        yield x, orders[0][1]
        return
    for k in sorted({key[axis - 1] for key, _ in orders}):
        some = [(key, atoms) for key, atoms in orders if key[axis - 1] == k]
        yield from _branches(
            along(x, axis, matrices[axis][k]), axis - 1, matrices, some
        )


def _multiplied(x: Tensor, geometry: Geometry, atoms: Tensor) -> Tensor:
    """All atoms by one matrix: what they, with their padding, make of the unit images."""
    shape = x.shape[2:]
    units = torch.eye(shape.numel(), dtype=atoms.dtype, device=atoms.device)
    images = _convolved(units.view(-1, 1, *shape), geometry, atoms)
    derived = x.flatten(2) @ images.flatten(1)
    return derived.view(x.shape[0], x.shape[1] * len(atoms), *images.shape[2:])


def _convolved(x: Tensor, geometry: Geometry, atoms: Tensor) -> Tensor:
    """Every channel as an image of its own: one convolution from one channel to all atoms."""
    plain = replace(
        geometry, padding=tuple(0 for _ in geometry.kernel_size), padding_mode="zeros"
    )
    bare, padded = geometry, x
    if geometry.padding_mode != "zeros":
        bare, padded = plain, geometry.pad(x)
    images = padded.flatten(0, 1).unsqueeze(1)
    derived = bare.convolve(images, atoms.view(-1, 1, *geometry.kernel_size), None, 1)
    return derived.view(x.shape[0], x.shape[1] * len(atoms), *derived.shape[2:])


def _split(atom: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Lines through the largest entry; all but the first scaled to norm 1, with a positive first entry."""
    # If the atom is a product, the lines through any entry that is not zero are multiples of its factors; through the
    # largest one, rounding errors are smallest.
    place = np.unravel_index(int(np.abs(atom).argmax()), atom.shape)
    lines = []
    for axis in range(atom.ndim):
        through: list[Any] = list(place)
        through[axis] = slice(None)
        lines.append(atom[tuple(through)])
    peak = atom[place]
    for axis in range(1, atom.ndim):
        line = lines[axis]
        size = np.abs(line).sum()
        if size > 0:
            leading = line[int((np.abs(line) > 1e-9 * size).argmax())]
            # What this line is divided by goes to the first one; the peak is on both, and counts once.
            signed = np.copysign(size, leading)
            lines[axis] = line / signed
            lines[0] = lines[0] * (signed / peak)
    return lines


def _products(factors: Factors) -> NDArray[np.float64]:
    out = factors.stencils[0]
    for axis, stencils in enumerate(factors.stencils[1:]):
        picked = stencils[[key[axis] for key in factors.shared]]
        out = out[..., None] * picked.reshape(len(out), *(1,) * (out.ndim - 1), -1)
    return out
