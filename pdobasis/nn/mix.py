r"""Mixing derivatives: $y = b + \sum_s M_s J_s x$ over the sets s of atoms whose derivatives $J_s x$ come together.

There are A derivatives of every number of x, too many to keep for the way back: with gradients $\bar y$ they are taken
once more, a few images at a time, for $\bar M_s = \sum \bar y\, (J_s x)^T$ over images and points. What x receives,
$\sum_s J_s^T M_s^T \bar y$, does not need them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from pdobasis.layers.errors import LayerError
from pdobasis.nn.jets import Atoms
from pdobasis.nn.tracing import is_compiling, is_traced

Derive = Callable[[Tensor], Iterable[tuple[Tensor, Atoms]]]
NUMBERS_AT_ONCE = 2**22
"""Derivatives that are computed at once on the CPU; at order 3 in the plane at most 0.4 of them are held."""
MANY_AT_ONCE = 2**28
"""On every other device, which a part should keep busy."""
LARGE = 256
"""Points from which on a product for each image is faster than one for all, which needs its factors moved."""


def mixed(
    x: Tensor,
    mixing: Tensor,
    bias: Tensor | None,
    groups: int,
    derive: Derive,
    mixers: dict[Atoms, Tensor],
) -> Tensor:
    """x (batch, in channels, *space) with mixing (out channels, in channels of a group, atoms).

    ``mixers`` keeps the matrices of sets of atoms for later calls with the same mixing.
    """
    if is_traced():
        # A tracer would write down every turn of a loop.
        return mix(derive(x), mixing.unbind(2), bias, groups, mixers)
    given = [t for t in (x, mixing, bias) if t is not None]
    if torch.is_grad_enabled() and any(t.requires_grad for t in given):
        y: Tensor = _Mixed.apply(x, mixing, bias, groups, derive)  # type: ignore[no-untyped-call]
        return y
    return _in_parts(x, mixing, bias, groups, derive, mixers)


def mix(
    terms: Iterable[tuple[Tensor, Atoms]],
    columns: Sequence[Tensor],
    bias: Tensor | None,
    groups: int,
    mixers: dict[Atoms, Tensor],
) -> Tensor:
    """``columns`` are the matrices (out channels, in channels of a group) of the atoms.

    ``mixers`` keeps those of sets.
    """
    y, batch, shape = None, 0, torch.Size()
    is_joined = False
    for derived, atoms in terms:
        batch, shape = derived.shape[0], derived.shape[2:]
        is_joined = _is_joined(shape)
        flat = _laid(derived, groups, is_joined)
        matrix = _each(_mixer(columns, atoms, groups, mixers), flat)
        if y is None:
            if bias is None:
                y = matrix @ flat
            else:
                y = torch.baddbmm(_each(bias.view(groups, -1, 1), flat), matrix, flat)
        elif (
            is_traced() or y.dtype != matrix.dtype
        ):  # neither vmap nor autocast knows methods that write
            y = torch.baddbmm(y, matrix, flat)
        else:
            y.baddbmm_(matrix, flat)
    if y is None:
        raise LayerError("a layer without atoms has nothing to mix")
    return _images(y, (batch, len(columns[0]), *shape), is_joined)


def _in_parts(
    x: Tensor,
    mixing: Tensor,
    bias: Tensor | None,
    groups: int,
    derive: Derive,
    mixers: dict[Atoms, Tensor],
) -> Tensor:
    """A few images at a time, so that the derivatives stay in the processor's cache."""
    columns = mixing.unbind(2)
    found = [
        mix(derive(part), columns, bias, groups, mixers)
        for part in _parts(x, len(columns))
    ]
    if len(found) == 1:
        return found[0]
    return torch.cat(found)


class _Mixed(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        mixing: Tensor,
        bias: Tensor | None,
        groups: int,
        derive: Derive,
    ) -> Tensor:
        ctx.groups, ctx.derive = groups, derive
        ctx.save_for_backward(x, mixing, bias)
        ctx.autocast = _autocast(x)
        return _in_parts(x, mixing, bias, groups, derive, {})

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        given = x, mixing, bias = ctx.saved_tensors
        needed = ctx.needs_input_grad[:3]
        back = gradients[0]
        with ctx.autocast:
            if not torch.is_grad_enabled():
                return (
                    *_back(x, mixing, back, ctx.groups, ctx.derive, needed),
                    None,
                    None,
                )
            # To be differentiated once more: by the plain operations, which keep what that needs.
            y = mix(ctx.derive(x), mixing.unbind(2), bias, ctx.groups, {})
            wanted = [t for t, n in zip(given, needed, strict=True) if n]
            found = iter(torch.autograd.grad(y, wanted, back, create_graph=True))
            return *(next(found) if n else None for n in needed), None, None


def _back(
    x: Tensor,
    mixing: Tensor,
    back: Tensor,
    groups: int,
    derive: Derive,
    needed: Sequence[bool],
) -> list[Tensor | None]:
    """The gradients of x, mixing and bias, each if it is needed."""
    out: list[Tensor | None] = [None, None, None]
    columns = mixing.unbind(2)
    mixers: dict[Atoms, Tensor] = {}
    sums: dict[Atoms, Any] = {}
    if needed[0]:
        out[0] = torch.zeros_like(x)
    at = 0
    for part in _parts(x, len(columns)):
        some = back[at : at + len(part)]
        leaf = part.detach().requires_grad_(needed[0])
        # A graph of the derivatives alone: by it their gradients reach x.
        with torch.set_grad_enabled(needed[0]):
            for derived, atoms in derive(leaf):
                if needed[1]:
                    sums[atoms] = sums.get(atoms, 0) + _product(some, derived, groups)
                if out[0] is not None:
                    matrix = _mixer(columns, atoms, groups, mixers)
                    received = _transposed(matrix, some, groups)
                    # Kept, since in space several sets share a part of their graphs.
                    out[0][at : at + len(part)] += torch.autograd.grad(
                        derived, leaf, received, retain_graph=True
                    )[0]
        at += len(part)
    if needed[1]:
        out[1] = _by_atom(sums, mixing)
    if needed[2]:
        out[2] = back.flatten(2).sum((0, 2))
    return out


def _product(back: Tensor, derived: Tensor, groups: int) -> Tensor:
    """Summed over images and points alike: (groups, out channels of a group, in channels of a group * atoms)."""
    return _laid(back, groups, True) @ _laid(derived.detach(), groups, True).mT


def _transposed(matrix: Tensor, back: Tensor, groups: int) -> Tensor:
    """What the derivatives receive: the transposed matrix applied to every point."""
    is_joined = _is_joined(back.shape[2:])
    flat = _laid(back, groups, is_joined)
    shape = (len(back), groups * matrix.shape[2], *back.shape[2:])
    return _images(_each(matrix, flat).mT @ flat, shape, is_joined)


def _by_atom(sums: dict[Atoms, Tensor], mixing: Tensor) -> Tensor:
    """From the products of all sets to the form of mixing."""
    found: dict[int, Tensor] = {}
    for atoms, product in sums.items():
        each = product.view(*mixing.shape[:2], len(atoms)).unbind(2)
        found |= dict(zip(atoms, each, strict=True))
    return torch.stack([found[a] for a in range(mixing.shape[2])], 2).to(mixing.dtype)


def _mixer(
    columns: Sequence[Tensor], atoms: Atoms, groups: int, mixers: dict[Atoms, Tensor]
) -> Tensor:
    """(groups, out channels of a group, in channels of a group * atoms of the set)."""
    if atoms not in mixers:
        chosen = torch.stack([columns[a] for a in atoms], 2)
        mixers[atoms] = chosen.view(groups, len(columns[0]) // groups, -1)
    return mixers[atoms]


def _is_joined(shape: Sequence[int]) -> bool:
    """Whether images are so small that one product takes all of them."""
    return math.prod(shape) < LARGE


def _laid(x: Tensor, groups: int, is_joined: bool) -> Tensor:
    """(batch, channels, *space) as factors of a product: (groups, channels of a group, batch * points) if the images
    are joined, or one factor per image, (batch * groups, channels of a group, points)."""
    parts = torch.unflatten(x.flatten(2), 1, (groups, x.shape[1] // groups))
    if is_joined:
        return parts.permute(1, 2, 0, 3).flatten(2)
    return parts.flatten(0, 1)


def _images(y: Tensor, shape: Sequence[int], is_joined: bool) -> Tensor:
    """What `_laid` had laid out, of that shape."""
    if is_joined:
        images = torch.unflatten(y, 2, (shape[0], math.prod(shape[2:])))
        y = images.permute(2, 0, 1, 3)
        # Compilers mistake in which order torch's pooling leaves images that come in another order than usual.
        if is_compiling():
            y = y.contiguous()
    return y.reshape(*shape)


def _each(matrices: Tensor, flat: Tensor) -> Tensor:
    """(groups, …) as often as ``flat`` has factors; without a copy for one group."""
    times = flat.shape[0] // matrices.shape[0]
    return matrices.expand(times, *matrices.shape).reshape(-1, *matrices.shape[1:])


def _parts(x: Tensor, atoms: int) -> Sequence[Tensor]:
    """A few images at a time; on the CPU a multiple of the threads, which take whole images."""
    numbers = max(1, atoms * x.shape[1:].numel())
    if x.is_cpu:
        threads = torch.get_num_threads()
        count = max(1, NUMBERS_AT_ONCE // numbers // threads) * threads
    else:
        count = max(1, MANY_AT_ONCE // numbers)
    parts: Sequence[Tensor] = x.split(count)  # type: ignore[no-untyped-call]
    return parts


def _autocast(x: Tensor) -> torch.autocast:
    """The precision of now, for the way back."""
    device = x.device.type
    if device == "meta":  # of which torch refuses to say whether autocast is on
        return torch.autocast("cpu", enabled=False)
    enabled = torch.is_autocast_enabled(device)
    return torch.autocast(device, torch.get_autocast_dtype(device), enabled)
