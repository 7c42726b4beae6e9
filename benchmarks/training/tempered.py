r"""Between unit and orthonormal: filters that are tried beside those of the library, to see what smoothness does.

``tempered-k``: elements of norm 1 are made orthonormal in the products $G_k = (1 - k)\,\mathrm{blocks}(G) + k\,G$,
whose blocks are those of one order. It is orthonormal for k = 1, and for k = 0 orthonormal within every order (unit,
for the elements of C8 and C16). Orders belong to the space of filters: nothing here depends on the basis of it.
Stencils of orders n and n + 2 are nearly opposite to each other on a small grid, and the less k counts that, the
smaller are steps towards smooth filters.

``spectral-p``: elements of norm 1 are made orthonormal in the response to images with the power $|k|^{-p}$ at the
frequency k instead of to white noise (p = 0, orthonormal), of which natural images have p = 2. Filters that
differentiate respond less, so unit steps towards them are larger: for p > 0 steps are rougher, for p < 0 smoother.

``principal`` and ``falling`` are orthonormal too, and gradient descent in them is the same: Adam, which sees single
coordinates, tells the two from the library's, each of which is half smooth and half rough. Every coordinate of
*principal* belongs to one eigenvalue of the Dirichlet energy of filters, from smooth to rough; where an eigenvalue is
repeated, its filters nearest to the elements are taken one after the other. *falling* orthogonalises the elements from
the highest order down (Gram-Schmidt).

``graded-r`` are the library's graded coordinates with another length of steps by order, $r^{n - N/2}$: with r = 1 they
are orthonormal, and *falling* without its dependence on the elements of one order.

``halving``: at the start every order has half the part of the order below in the variance of an output; He's weights
have equal parts for all elements, of which most have the highest order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pdobasis.layers.layer_basis import LayerBasis, Pair
from pdobasis.layers.parametrise import (
    GRADED,
    ORTHONORMAL,
    STEEPNESS,
    UNIT,
    Coordinates,
    Parametrisation,
    converted,
    parametrise,
)
from pdobasis.nn.steerable import Steerable

TEMPERED = "tempered-"
SPECTRAL = "spectral-"
PRINCIPAL = "principal"
FALLING = "falling"
STEPPED = "graded-"
PERIOD = 16
"""Points of the torus on which images of a given spectrum are taken."""
HALVING = "halving"


def library_name(parametrisation: str) -> str:
    """What a layer is built with before it is changed."""
    if parametrisation.startswith((TEMPERED, SPECTRAL)) or parametrisation in (PRINCIPAL, FALLING):
        return ORTHONORMAL
    if parametrisation.startswith(STEPPED):
        return GRADED
    return parametrisation


def change(model: nn.Module, parametrisation: str, init: str) -> nn.Module:
    """The same filters in tempered coordinates; with ``halving`` those of every order scaled."""
    for layer in model.modules():
        if not isinstance(layer, Steerable):
            continue
        if init == HALVING:
            _halve(layer)
        if parametrisation.startswith(TEMPERED):
            _take(layer, tempered(layer.basis, float(parametrisation.removeprefix(TEMPERED))))
        elif parametrisation.startswith(STEPPED):
            _take(layer, stepped(layer.basis, float(parametrisation.removeprefix(STEPPED))))
        elif parametrisation.startswith(SPECTRAL):
            _take(layer, spectral(layer.basis, float(parametrisation.removeprefix(SPECTRAL))))
        elif parametrisation in (PRINCIPAL, FALLING):
            _take(layer, turned(layer.basis, parametrisation))
    return model


def tempered(basis: LayerBasis, k: float) -> Parametrisation:
    unit = parametrise(basis, UNIT)
    pairs = [_tempered(pair, own, unit.factor, k) for pair, own in zip(basis.pairs, unit.pairs, strict=True)]
    return Parametrisation(ORTHONORMAL, unit.factor, tuple(pairs))


def spectral(basis: LayerBasis, p: float) -> Parametrisation:
    unit = parametrise(basis, UNIT)
    atoms = basis.atoms
    root = np.linalg.cholesky(covariance(atoms.shape[-1], p))
    pairs = [_orthonormal(own, atoms.reshape(len(atoms), -1) @ root) for own in unit.pairs]
    return Parametrisation(ORTHONORMAL, unit.factor, tuple(pairs))


def stepped(basis: LayerBasis, r: float) -> Parametrisation:
    given = parametrise(basis, GRADED)
    middle = max(n for pair in basis.pairs for n in pair.orders) / 2
    pairs = []
    for pair, own in zip(basis.pairs, given.pairs, strict=True):
        orders = np.array(pair.orders)[None]
        if pair.packed.elements is not None:
            orders = orders[0][pair.packed.elements]
        steps = (r / STEEPNESS) ** (orders - middle)
        pairs.append(replace(own, forth=own.forth * steps[:, None, :], back=own.back / steps[:, :, None]))
    return Parametrisation(GRADED, given.factor, tuple(pairs))


def covariance(size: int, p: float) -> NDArray[np.float64]:
    """Of the values at size x size points of images with the power |k|^-p and variance 1; the mean counts as k = 1.

    >>> bool(np.allclose(covariance(3, 0), np.eye(9)))
    True
    """
    k = np.fft.fftfreq(PERIOD, 1 / PERIOD)
    lengths = np.maximum(np.hypot(k[:, None], k), 1.0)
    correlation = np.fft.ifft2(lengths**-p).real
    y, x = (axis.ravel() for axis in np.mgrid[:size, :size])
    found: NDArray[np.float64] = correlation[y[:, None] - y, x[:, None] - x] / correlation[0, 0]
    return found


def turned(basis: LayerBasis, name: str) -> Parametrisation:
    """Orthonormal coordinates, turned: by bands of roughness, or by orders."""
    given = parametrise(basis, ORTHONORMAL)
    pairs = []
    for pair, own in zip(basis.pairs, given.pairs, strict=True):
        lists = _falling(pair, own)
        if name == PRINCIPAL:
            lists = _bands(own, basis.atoms)
        turn = np.stack([_orthogonalised(vectors) for vectors in lists])
        pairs.append(replace(own, forth=own.forth @ turn, back=turn.swapaxes(1, 2) @ own.back))
    return Parametrisation(ORTHONORMAL, given.factor, tuple(pairs))


def roughness(size: int) -> NDArray[np.float64]:
    r"""The form $\sum |F(x) - F(y)|^2$ over neighbours x, y of the plane, for filters on size x size points.

    >>> roughness(1).tolist()
    [[4.0]]
    """
    line = np.eye(size, k=1) + np.eye(size, k=-1)
    one = np.eye(size)
    found: NDArray[np.float64] = 4 * np.eye(size**2) - np.kron(line, one) - np.kron(one, line)
    return found


def _bands(own: Coordinates, atoms: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Of every component: the axes projected on each eigenspace of the roughness, from smooth to rough."""
    taps = own.elements @ atoms.reshape(len(atoms), -1)
    flat, rough = (x.reshape(*x.shape[:2], -1) for x in (taps, taps @ roughness(atoms.shape[-1])))
    out = []
    for values, vectors in zip(*np.linalg.eigh(rough @ flat.swapaxes(1, 2)), strict=True):
        ends = np.flatnonzero(np.diff(values) > 1e-6 * values[-1]) + 1
        out.append(np.concatenate([space @ space.T for space in np.split(vectors, ends, axis=1)]))
    return out


def _falling(pair: Pair, own: Coordinates) -> list[NDArray[np.float64]]:
    """Of every component: the elements in orthonormal coordinates, the highest order first."""
    orders = np.array(pair.orders)[None]
    if pair.packed.elements is not None:
        orders = orders[0][pair.packed.elements]
    found = [back.T[np.argsort(-n, kind="stable")] for back, n in zip(own.back, orders, strict=True)]
    # Where elements depend on each other the axes fill up what is left.
    return [np.concatenate([v, np.eye(v.shape[1])]) for v in found]


def _orthogonalised(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rows one after the other, orthonormal, as columns; those that depend on the ones before are left out."""
    size = vectors.shape[1]
    found = np.zeros((size, 0))
    for row in vectors:
        rest = row - found @ (found.T @ row)
        if found.shape[1] < size and np.linalg.norm(rest) > 1e-3 * max(1.0, float(np.linalg.norm(row))):
            found = np.column_stack([found, rest / np.linalg.norm(rest)])
    return found


def _orthonormal(own: Coordinates, factor: NDArray[np.float64]) -> Coordinates:
    elements = own.elements @ factor
    flat = elements.reshape(*elements.shape[:2], -1)
    lengths = np.sqrt(np.square(flat).sum(axis=2))
    # of norm 1 in the new products; the padding of a component has no length
    scale = np.where(lengths > 0, lengths, 1.0)
    flat = flat / scale[:, :, None]
    own = replace(own, forth=own.forth / scale[:, None, :], back=own.back * scale[:, :, None])
    return _rooted(own, flat @ flat.swapaxes(1, 2))


def _tempered(pair: Pair, own: Coordinates, factor: NDArray[np.float64], k: float) -> Coordinates:
    elements = own.elements @ factor
    flat = elements.reshape(*elements.shape[:2], -1)
    products = flat @ flat.swapaxes(1, 2)
    orders = np.array(pair.orders)[None]
    if pair.packed.elements is not None:
        orders = orders[0][pair.packed.elements]
    same = orders[:, :, None] == orders[:, None, :]
    return _rooted(own, np.where(same, products, k * products))


def _rooted(own: Coordinates, products: NDArray[np.float64]) -> Coordinates:
    """Orthonormal in these products, and nearest to the elements of norm 1."""
    values, u = np.linalg.eigh(products)
    # The padding of a component has no length; it stays nothing.
    kept = values > 1e-12 * values.max(axis=1, keepdims=True)
    lengths = np.sqrt(np.where(kept, values, 0.0))
    inverse = np.where(kept, 1.0 / np.where(kept, lengths, 1.0), 0.0)
    root, back = ((u * s[:, None, :]) @ u.swapaxes(1, 2) for s in (lengths, inverse))
    return replace(own, forth=own.forth @ back, back=root @ own.back)


def _take(layer: Steerable, new: Parametrisation) -> None:
    old = layer.coordinates
    weights = [w.detach().double().numpy() for w in layer._weights()]
    layer.coordinates = new
    layer._fill(layer._where())
    with torch.no_grad():
        for weight, value, before, after in zip(layer._weights(), weights, old.pairs, new.pairs, strict=True):
            weight.copy_(torch.as_tensor(converted(value, before, after)))


def _halve(layer: Steerable) -> None:
    basis = layer.basis
    counts: list[Counter[int]] = [Counter() for _ in basis.out_units]
    for pair in basis.pairs:
        for n in pair.orders:
            counts[pair.out_index][n] += basis.in_units[pair.in_index].copies
    scaled = {}
    for pair, (name, values) in zip(basis.pairs, layer.coefficients.items(), strict=True):
        found = scales(counts[pair.out_index])
        scaled[name] = values.detach() * torch.tensor([found[n] for n in pair.orders])
    layer.coefficients = scaled


def scales(counts: Counter[int]) -> dict[int, float]:
    """By order, for so many elements of each: what its numbers are multiplied by.

    >>> found = scales(Counter({0: 1, 1: 2}))
    >>> [round(s**2, 6) for s in found.values()], round(1 * found[0] ** 2 + 2 * found[1] ** 2, 6)
    ([2.0, 0.5], 3.0)
    """
    parts = {n: 0.5**n for n in counts}
    total = sum(parts.values())
    return {n: (parts[n] / total * counts.total() / counts[n]) ** 0.5 for n in counts}
