r"""How the weights of a layer start.

``he``: independent normal numbers in front of the PDOs, of which each adds as much to the output, so that white input
of variance 1 gives output of variance gain². In closed form, the same for every parametrisation. Input that is not
white is amplified by the mean of $|\hat F(k)|^2$ over its own frequencies: behind smoothing stencils (Gaussian ones,
kernels) a chain of layers without normalisation grows, by 3 a layer for sigma = 1.

``delta``: the PDO of order 0 is an isometry W, drawn uniformly, and all other numbers are zero, so that a deep network
starts as a chain of isometries at every point: of the values there for finite differences, of means around it for
stencils that smooth, so that constant fields keep their length for all. Such a W is the polar factor of a normal
intertwiner M: for orthogonal fields $(M M^\top)^{-1/2}$ commutes with $\rho_{out}$, so $W = (M M^\top)^{-1/2} M$ is
an intertwiner too. Where W cannot be square it is scaled so that the mean variance of the outputs that it reaches is
gain². Outputs that no PDO of order 0 reaches (a vector from scalars) would start, and leave all layers before them, at
zero: there He's weights stay.

``identity``: field k of the output is field k of the input where both have the same summand, as `nn.init.dirac_` does
it, and behind stencils that smooth a mean of it: constant fields are passed on exactly; all else is zero. ``zero``:
nothing at all, for the last layer of a residual branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pdobasis.errors import UnknownNameError
from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import require_orthogonal
from pdobasis.layers.layer_basis import LayerBasis, Pair
from pdobasis.nn.loading import require_range

if TYPE_CHECKING:
    from pdobasis.nn.steerable import Steerable

HE, DELTA, IDENTITY, ZERO = "he", "delta", "identity", "zero"
INITS = (HE, DELTA, IDENTITY, ZERO)
SMALL = 1e-9
"""Singular values below this part of the largest are zero."""


def require_init(name: str) -> None:
    if name not in INITS:
        raise UnknownNameError("init", str(name), INITS)


def initialise(layer: Steerable, name: str, gain: float = 1.0) -> None:
    """By name; the bias is zero."""
    require_init(name)
    if not isfinite(gain):
        raise LayerError(f"the gain is a finite number, got {gain!r:.40}")
    _require_own(layer)
    weights = layer._weights()
    with torch.no_grad():
        if layer.bias is not None:
            layer.bias.zero_()
        # Numbers of the meta device are drawn by nobody.
        if weights[0].is_meta:
            return
        if name == ZERO:
            for weight in weights:
                weight.zero_()
            return
        if name == IDENTITY:
            set_coefficients(layer, _identity(layer, gain))
            return
        for weight, own in zip(weights, layer.coordinates.pairs, strict=True):
            # Independent numbers in front of the PDOs, as weights of this parametrisation.
            spread = np.sqrt(own.variances)[:, None] * own.from_coefficients.T
            matrix = gain * torch.as_tensor(
                spread, dtype=weight.dtype, device=weight.device
            )
            weight.copy_(weight.normal_() @ matrix)
        if name == DELTA:
            set_coefficients(layer, _delta(layer, gain))


def _require_own(layer: Steerable) -> None:
    """A weight that torch computes from others (weight_norm, prune) is new every time: nothing would be set."""
    for name in layer._weight_names:
        if name not in layer._parameters:
            raise LayerError(
                f"{name} is computed by a parametrization of torch and cannot be set: remove that first "
                f"(torch.nn.utils.parametrize.remove_parametrizations)"
            )


def set_coefficients(layer: Steerable, values: Sequence[Tensor]) -> None:
    """The weights that put these numbers in front of the PDOs as printed, for every pair (broadcast)."""
    _require_own(layer)
    weights = layer._weights()
    new = []
    named = zip(layer.weights.items(), layer.coordinates.pairs, values, strict=True)
    for (name, weight), own, value in named:
        try:
            whole = value.expand(weight.shape)
        except RuntimeError:
            raise LayerError(
                f"coefficients of {name} are {tuple(weight.shape)} (out copies, in copies, elements), got "
                f"{tuple(value.shape)}"
            ) from None
        if not bool(torch.isfinite(value).all()):
            raise LayerError(f"coefficients of {name} have to be finite numbers")
        found = whole @ torch.as_tensor(own.from_coefficients.T)
        require_range(f"the weight of {name}", found.numpy(), weight.dtype)
        new.append(found)
    # All are checked before one is changed.
    with torch.no_grad():
        for weight, value in zip(weights, new, strict=True):
            weight.copy_(value)


def point_elements(
    basis: LayerBasis, pair: Pair
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The elements over atom 0 alone (PDOs of order 0; kernels at the innermost ring) and what they do to constants."""
    # The taps of atom 0 are a mean, up to a factor; on scattered points it is the value at the point.
    weight = 1.0 if basis.grid is None else float(basis.atoms[0].sum())
    matrices = weight * pair.packed.on_atom(0)
    # Between places that differ an element of order 0 takes means, over other atoms: it is at no point alone.
    elsewhere = pair.packed.spread(np.abs(pair.packed.coefficients[..., 1:]))
    which = np.flatnonzero(
        (np.array(pair.orders) == 0)
        & matrices.reshape(len(matrices), -1).any(axis=1)
        & ~elsewhere.reshape(len(matrices), -1).any(axis=1)
    )
    return which, matrices[which]


def _identity(layer: Steerable, gain: float) -> list[Tensor]:
    """$c$ with $\\sum_e c_e V_e = 1$ between fields of one kind that stand in the same place."""
    out = []
    basis = layer.basis
    for pair, weight in zip(basis.pairs, layer._weights(), strict=True):
        coefficients = torch.zeros(weight.shape, dtype=torch.float64)
        one = basis.out_units[pair.out_index]
        other = basis.in_units[pair.in_index]
        if one.spec == other.spec and one.size == other.size:
            which, matrices = point_elements(basis, pair)
            found = _solved(matrices, np.eye(one.size))
            for group in range(layer.groups):
                for k in range(min(one.copies, other.copies)):
                    coefficients[group * one.copies + k, k, which] = gain * found
        out.append(coefficients)
    if not any(c.any() for c in out):
        raise LayerError(
            f"no field of {layer.out_type} is one of {layer.in_type}: the identity is between equal fields"
        )
    return out


def _delta(layer: Steerable, gain: float) -> list[Tensor]:
    basis = layer.basis
    for fields in (basis.in_type, basis.out_type):
        require_orthogonal(fields, 'init="delta"')
    points = [point_elements(basis, pair) for pair in basis.pairs]
    # What is there already, of He's, stays at the outputs that no order 0 reaches.
    he = [
        w.detach().cpu().double() @ torch.as_tensor(own.to_coefficients.T)
        for w, own in zip(layer._weights(), layer.coordinates.pairs, strict=True)
    ]
    free = _unreached(basis, points)
    out = [
        _kept(pair, h, free[pair.out_index])
        for pair, h in zip(basis.pairs, he, strict=True)
    ]
    reached = sum(
        unit.copies * (unit.size - float(np.trace(projection)))
        for unit, projection in zip(basis.out_units, free, strict=True)
    )
    for group in range(layer.groups):
        drawn = _isometry(basis, points)
        scale = gain * np.sqrt(reached / max(1.0, float(np.square(drawn).sum())))
        for pair, (which, matrices), values in zip(
            basis.pairs, points, out, strict=True
        ):
            if not len(which):
                continue
            blocks = _block(basis, pair, drawn)
            found = _solved(matrices, blocks) * scale
            rows = basis.out_units[pair.out_index].copies
            values[group * rows : (group + 1) * rows][..., which] += found
    return out


def _isometry(
    basis: LayerBasis, points: Sequence[tuple[NDArray[np.int64], NDArray[np.float64]]]
) -> NDArray[np.float64]:
    """The polar factor of a normal intertwiner between all fields, copies of a unit side by side."""
    rows = sum(u.copies * u.size for u in basis.out_units)
    columns = sum(u.copies * u.size for u in basis.in_units)
    matrix = np.zeros((rows, columns))
    for pair, (_, matrices) in zip(basis.pairs, points, strict=True):
        if not len(matrices):
            continue
        flat = np.linalg.qr(matrices.reshape(len(matrices), -1).T)[0].T
        one, other = basis.out_units[pair.out_index], basis.in_units[pair.in_index]
        # Normal in an orthonormal basis: no direction of the space of intertwiners is preferred.
        numbers = torch.randn(one.copies, other.copies, len(flat), dtype=torch.float64)
        block = numbers.numpy() @ flat
        place = _place(basis, pair)
        matrix[place] = (
            block.reshape(one.copies, other.copies, one.size, other.size)
            .transpose(0, 2, 1, 3)
            .reshape(one.copies * one.size, other.copies * other.size)
        )
    u, s, v = np.linalg.svd(matrix, full_matrices=False)
    kept = s > SMALL * s.max(initial=0.0)
    return np.asarray(u[:, kept] @ v[kept])


def _block(
    basis: LayerBasis, pair: Pair, matrix: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(out copies, in copies, c_out, c_in) of a pair."""
    one, other = basis.out_units[pair.out_index], basis.in_units[pair.in_index]
    block = matrix[_place(basis, pair)]
    return block.reshape(one.copies, one.size, other.copies, other.size).transpose(
        0, 2, 1, 3
    )


def _place(basis: LayerBasis, pair: Pair) -> tuple[slice, slice]:
    outs = np.cumsum([0, *(u.copies * u.size for u in basis.out_units)])
    ins = np.cumsum([0, *(u.copies * u.size for u in basis.in_units)])
    o, i = pair.out_index, pair.in_index
    return slice(int(outs[o]), int(outs[o + 1])), slice(int(ins[i]), int(ins[i + 1]))


def _unreached(
    basis: LayerBasis, points: Sequence[tuple[NDArray[np.int64], NDArray[np.float64]]]
) -> list[NDArray[np.float64]]:
    r"""For every output summand the projection on what no PDO of order 0 reaches: the null space of $\sum V V^\top$."""
    out = []
    for o, unit in enumerate(basis.out_units):
        total = np.zeros((unit.size, unit.size))
        for pair, (_, matrices) in zip(basis.pairs, points, strict=True):
            if pair.out_index == o:
                total += np.einsum("eij,ekj->ik", matrices, matrices)
        values, vectors = np.linalg.eigh(total)
        some = vectors[:, values <= SMALL * max(values.max(initial=0.0), SMALL)]
        out.append(some @ some.T)
    return out


def _kept(pair: Pair, values: Tensor, projection: NDArray[np.float64]) -> Tensor:
    r"""$c'$ with $\sum_e c'_e B_e = N \sum_e c_e B_e$: N commutes with $\rho_{out}$, so $N B_e$ is in the span."""
    size = float(np.trace(projection))
    if size < 0.5:
        return torch.zeros_like(values)
    if size > len(projection) - 0.5:
        return values.clone()
    atoms = range(pair.packed.coefficients.shape[-1])
    elements = np.stack([pair.packed.on_atom(a) for a in atoms], axis=-1)
    moved = np.einsum("ij,ejka->eika", projection, elements)
    flat, target = (x.reshape(len(elements), -1).T for x in (elements, moved))
    change = np.linalg.lstsq(flat, target, rcond=None)[0]
    return values @ torch.as_tensor(change.T)


def _solved(matrices: NDArray[np.float64], target: NDArray[np.float64]) -> Tensor:
    """c with $\\sum_e c_e V_e$ nearest to the last two axes of the target."""
    flat = matrices.reshape(len(matrices), -1).T
    goal = target.reshape(*target.shape[:-2], -1)
    return torch.as_tensor(goal @ np.linalg.pinv(flat).T)
