r"""What a weight multiplies: the elements as they are printed, or normalised ones.

A filter is $F = \sum_e c_e B_e$ over the sampled elements of a pair of fields. Their norms differ by orders of
magnitude (with the order, the stencil and the spacing), and with them what a step of an optimiser means. So the
weights of a layer are coordinates $\theta$ over elements $Q = T^\top B$ of the same span, $c = T \theta$:

* ``plain``: $T = 1$, the elements as they are printed;
* ``unit``: $T = D$ with $D = \mathrm{diag}(1 / |B_e|)$, elements of norm 1;
* ``orthonormal``: $T = D (D G D)^{-1/2}$ with the products $G_{ef} = \langle B_e, B_f \rangle$: the orthonormal
  basis that is nearest to the elements of norm 1 (Löwdin). Then $Q^\top Q$ is the same projection whatever basis
  of the span was chosen, and so is gradient descent in filters, $F - \eta\, Q^\top Q\, \partial L / \partial F$.
* ``graded``: orthogonal, one order after the other: of the elements of order n what is orthogonal to those of higher
  orders, and of these the orthonormal basis that is nearest to them, times $r^{n - N/2}$ with r = 1.15 and the highest
  order N of the layer. The span of an order decides, so gradient descent does not see the basis here either. Adam sees
  single coordinates: those of Löwdin's basis are each half smooth and half rough where stencils of orders n and
  n + 2 are nearly opposite to each other (finite differences), and the graded ones either rough (high orders as they
  are) or smooth (low orders without them). Images are smooth, and answer the less the higher the order: so do
  steps of r^n answer more alike (r = 1.17 would be one response to images of the spectrum 1/|k|, for finite
  differences on 5x5 points; docs/benchmarks/training.md has what was measured).

Where elements depend on each other on a grid, $(D G D)^{-1/2}$ is the pseudo-inverse of the root: $Q^\top Q$ is
still the projection, with as many weights as elements.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import UnknownNameError
from pdobasis.layers.layer_basis import LayerBasis, Pair
from pdobasis.layers.pack import Packed

PLAIN, UNIT, ORTHONORMAL, GRADED = "plain", "unit", "orthonormal", "graded"
PARAMETRISATIONS = (GRADED, ORTHONORMAL, UNIT, PLAIN)
STEEPNESS = 1.15
"""By how much an order of graded weights is longer than the one below; chosen by training, see the page."""
VANISHING = 1e-10
"""An element whose terms cancel to this part of their size is zero on the grid."""
DEPENDENT = 1e-9
"""Singular values of the elements of norm 1 below this part of the largest are zero."""
NEARLY = 1e-6
"""The same for what is left of elements, order after order: dividing by it loses as many digits as it is small."""
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """Of one pair: the elements B, and the way from the weights to the numbers in front of the PDOs and back.

    ``forth`` and ``back`` are (components, elements, elements), T and its inverse; ``lengths`` are those of the
    elements B, or of their terms where these cancel; ``variances`` are those of He's initialisation for the numbers c
    in front of the PDOs, whatever the parametrisation.
    """

    packed: Packed
    forth: NDArray[np.float64]
    back: NDArray[np.float64]
    lengths: NDArray[np.float64]
    variances: NDArray[np.float64]

    @property
    def elements(self) -> NDArray[np.float64]:
        """Q over the atoms, as the coefficients of B are packed; asked for once, so nobody keeps it."""
        return _combined(self.forth, self.packed.coefficients)

    @property
    def to_coefficients(self) -> NDArray[np.float64]:
        """T as (elements, elements)."""
        return self._whole(self.forth)

    @property
    def from_coefficients(self) -> NDArray[np.float64]:
        return self._whole(self.back)

    def told(
        self, weights: NDArray[np.float64], epsilon: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        r"""$c = T \theta$ for weights (…, elements) that are rounded to ``epsilon``, and what of each may be rounding.

        Rounding of the weights leaves up to $\frac{1}{2} \epsilon \sum_j |T_{ej} \theta_j|$. T and its inverse are
        known to double precision, which leaves some times $|\hat T| |\hat T^{-1}|$ times its part of the largest
        $|c_f| |B_f|$, where $\hat T$ is T for elements of norm 1: about what a filter of double precision rounds to.
        """
        forth, back = self.to_coefficients, self.from_coefficients
        found = weights @ forth.T
        if np.count_nonzero(forth) == np.count_nonzero(forth.diagonal()):
            return found, np.zeros_like(found)
        spread = _row_sums(self.lengths[:, None] * forth)
        spread *= _row_sums(back / self.lengths)
        largest = np.abs(found * self.lengths).max(axis=-1, keepdims=True, initial=0.0)
        rounding = epsilon * (np.abs(weights) @ np.abs(forth.T))
        return found, rounding + 8 * EPSILON * spread * largest / self.lengths

    def _whole(self, parts: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.packed.elements is None:
            return np.asarray(parts[0])
        out = np.zeros((self.packed.size,) * 2)
        elements = self.packed.elements
        # The padding of a component, which repeats element 0, has zeros: it adds nothing there.
        np.add.at(out, (elements[:, :, None], elements[:, None, :]), parts)
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Parametrisation:
    """Coordinates for all pairs of a layer; ``factor`` is L with $L L^\\top$ the products of the atoms."""

    name: str
    factor: NDArray[np.float64]
    pairs: tuple[Coordinates, ...]

    def __deepcopy__(self, memo: dict[int, Any]) -> Parametrisation:
        return self


def parametrise(
    basis: LayerBasis, name: str, factor: NDArray[np.float64] | None = None
) -> Parametrisation:
    """Coordinates by name; ``factor`` stands in for that of the atoms, where they are known later (on points)."""
    require_parametrisation(name)
    if factor is None:
        factor = factor_of(basis.atoms)
    middle = max((n for pair in basis.pairs for n in pair.orders), default=0) / 2
    found = [_coordinates(pair, factor, name, middle) for pair in basis.pairs]
    # All elements that reach an output have an equal part in its variance.
    fans = [0] * len(basis.out_units)
    for pair, own in zip(basis.pairs, found, strict=True):
        seen = int((own.variances > 0).sum())
        fans[pair.out_index] += basis.in_units[pair.in_index].copies * seen
    pairs = []
    for pair, own in zip(basis.pairs, found, strict=True):
        part = pair.packed.shape[0] / max(1, fans[pair.out_index])
        pairs.append(replace(own, variances=part * own.variances))
    return Parametrisation(name, factor, tuple(pairs))


def require_parametrisation(name: str) -> None:
    if name not in PARAMETRISATIONS:
        hint = f"(one of {', '.join(PARAMETRISATIONS)})"
        raise UnknownNameError("parametrisation", str(name), PARAMETRISATIONS, hint)


def factor_of(atoms: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""L, small, with $L L^\top = A A^\top$ for arrays (atoms, …): the norm of $c A$ is that of $c L$.

    From a QR factorisation, $A^\top = Q R$ and $L = R^\top$, which does not square rounding errors.
    """
    return np.ascontiguousarray(np.linalg.qr(atoms.reshape(len(atoms), -1).T)[1].T)


def _coordinates(
    pair: Pair, factor: NDArray[np.float64], name: str, middle: float
) -> Coordinates:
    r"""With $\mathrm{Var}\, c_e = 1 / |B_e|^2$ every element adds as much to the variance of an output.

    For independent numbers the mean variance of the $c_{out}$ outputs for unit input is
    $\frac{1}{c_{out}} \sum_e \mathrm{Var}(c_e) |B_e|^2$, also where elements are not orthogonal. (One variance for all
    orthonormal elements instead would make the filter isotropic in its space, most of which is oscillation for finite
    differences: networks that start there were seen to stay at 40 % errors where others reach 6 %.)
    """
    packed = pair.packed
    c = packed.coefficients
    components, size = c.shape[:2]
    lengths, terms = _lengths(c, factor)
    # Without cancellation an element would be as long as its terms.
    seen = lengths > VANISHING * terms
    one = np.repeat(np.eye(size)[None], components, axis=0)
    # An element that is zero on this grid gets no number; it is measured by its terms, and so is its rounding.
    scale = np.where(seen, lengths, np.where(terms > 0, terms, 1.0))
    variances = np.where(seen, scale**-2.0, 0.0)
    forth = back = one
    if name != PLAIN:
        forth, back = one / scale[:, :, None], one * scale[:, :, None]
    # Of norm 1, or nothing: what is left of an element that vanishes is rounding, which would be made a filter.
    units = np.where(seen[:, :, None, None], c @ factor, 0.0) / scale[:, :, None, None]
    # Elements of norm 1 are known up to the rounding of their terms.
    known = max(DEPENDENT, 100 * EPSILON * float((terms / scale)[seen].max(initial=0)))
    if name == ORTHONORMAL:
        root, inverse = map(_exact_zeros, _roots(units, known))
        forth, back = forth @ inverse, root @ back
    elif name == GRADED:
        orders = _orders(pair)
        own, inverse = map(_exact_zeros, _by_order(units, orders, max(known, NEARLY)))
        steps = STEEPNESS ** (orders - middle)
        forth, back = (
            forth @ inverse * steps[:, None, :],
            own @ back / steps[:, :, None],
        )
    of_elements = _by_element(packed, scale), _by_element(packed, variances)
    return Coordinates(packed, forth, back, *of_elements)


def _lengths(
    c: NDArray[np.float64], factor: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Norms (components, elements) of the elements, and of their terms if none cancelled."""
    lengths = np.sqrt(np.square(c @ factor).sum(axis=(2, 3)))
    terms = np.abs(c) @ np.sqrt(np.square(factor).sum(axis=1))
    return lengths, np.sqrt(np.square(terms).sum(axis=2))


def _roots(
    elements: NDArray[np.float64], known: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""$(M M^\top)^{1/2}$ and $(M M^\top)^{-1/2}$ of every component, from $M = U s V^\top$; small s are zero."""
    flat = elements.reshape(*elements.shape[:2], -1)
    u, s, _ = np.linalg.svd(flat, full_matrices=False)
    kept = s > known * s.max(initial=0.0)
    inverse = np.where(kept, 1.0 / np.where(kept, s, 1.0), 0.0)
    turned = u.swapaxes(1, 2)
    root = (u * np.where(kept, s, 0.0)[:, None, :]) @ turned
    return root, (u * inverse[:, None, :]) @ turned


def _row_sums(matrix: NDArray[np.float64]) -> float:
    """The norm of a matrix for vectors by their largest entry."""
    return float(np.abs(matrix).sum(axis=1).max(initial=0.0))


def _exact_zeros(between: NDArray[np.float64]) -> NDArray[np.float64]:
    """Between elements of norm 1: what is rounding changes none of them, and the zero says that they do not mix."""
    return np.where(np.abs(between) > 64 * EPSILON, between, 0.0)


def _orders(pair: Pair) -> NDArray[np.int64]:
    """Of the elements of every component, (components, elements)."""
    orders = np.array(pair.orders, dtype=np.int64)
    if pair.packed.elements is None:
        return orders[None]
    return orders[pair.packed.elements]


def _by_order(
    elements: NDArray[np.float64], orders: NDArray[np.int64], known: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""Of every component: the way of M over the elements Q, $Q M^\top$, and back, $T$ with $Q = T^\top M$.

    From the highest order n down: what of the elements of order n is orthogonal to all of higher orders, each of
    norm 1, and of these the orthonormal ones that are nearest to them.
    """
    flat = elements.reshape(*elements.shape[:2], -1)
    forth = np.zeros((len(flat), flat.shape[1], flat.shape[1]))
    for m, n, t in zip(flat, orders, forth, strict=True):
        q = np.zeros_like(m)
        for order in np.unique(n)[::-1]:
            own = n == order
            # Twice is enough: Gram-Schmidt loses orthogonality by cancellation, and the second pass restores it.
            part = np.eye(len(m))[own]
            rest = m[own]
            for _ in range(2):
                above = rest @ q.T
                part, rest = part - above @ t.T, rest - above @ q
            lengths = np.sqrt(np.square(rest).sum(axis=1))
            seen = lengths > known
            scale = np.where(seen, 1.0 / np.where(seen, lengths, 1.0), 0.0)[:, None]
            # What was known of elements of norm 1 is known less of what is left, which was made longer.
            blurred = min(0.5, known / lengths[seen].min(initial=1.0))
            inverse = _roots((scale * rest)[None], blurred)[1][0]
            t[:, own] = (inverse @ (scale * part)).T
            q[own] = inverse @ (scale * rest)
    ways = forth.swapaxes(1, 2) @ flat @ flat.swapaxes(1, 2)
    # Q of order n is orthogonal to all elements of higher orders: what stands there is rounding, which lengths of
    # elements on fine grids would magnify.
    higher = orders[:, :, None] < orders[:, None, :]
    return np.where(higher, 0.0, ways), forth


def _combined(
    forth: NDArray[np.float64], c: NDArray[np.float64]
) -> NDArray[np.float64]:
    """$T^\\top c$ over the elements of every component."""
    flat = c.reshape(*c.shape[:2], -1)
    return (forth.swapaxes(1, 2) @ flat).reshape(c.shape)


def _by_element(packed: Packed, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(components, elements) to (elements), without the padding."""
    if packed.elements is None:
        return np.asarray(values[0])
    out = np.zeros(packed.size)
    # Backwards: element 0 stands first, before all padding that repeats it.
    out[packed.elements.reshape(-1)[::-1]] = values.reshape(-1)[::-1]
    return out


def converted(
    weights: NDArray[np.float64], old: Coordinates, new: Coordinates
) -> NDArray[np.float64]:
    """The same filters of a pair in other coordinates: $\\theta' = T'^{-1} T \\theta$."""
    return (weights @ old.to_coefficients.T) @ new.from_coefficients.T
