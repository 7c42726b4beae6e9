"""The linear system: a column a term, a row a test function and a component, the target beside it.

Frames are taken in blocks: their derivatives, products, and integrals over space are made and let go, so that memory is
that of the columns and of one block. Rows are read tile by tile of space and time, and only their moments are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.watch import check
from pdobasis.discovery.candidates import Candidates
from pdobasis.discovery.derivatives import Derivatives
from pdobasis.discovery.parts import Alpha, by_parts
from pdobasis.discovery.recording import Array, Recording
from pdobasis.exact.scalars import float_of
from pdobasis.nonlinear.polynomials import Coordinate, Monomial

BLOCK = 1 << 18
"""Points of frames that are held at a time."""


class Weights(Protocol):
    """What is done along one axis."""

    def weights(self, order: int) -> Array: ...

    @property
    def centres(self) -> Array: ...


Share = tuple[int, int, float]
"""(term, component, coefficient)."""


@dataclass(frozen=True, eq=False)
class Columns:
    """``values`` (terms + 1, components, times, …, x2, x1): the columns, and the target last."""

    values: Array

    @property
    def width(self) -> int:
        """Terms and the target."""
        return int(self.values.shape[0])

    @property
    def places(self) -> tuple[int, ...]:
        """Test functions along time, …, x2, x1."""
        return self.values.shape[2:]

    def tiles(self, pieces: Sequence[int]) -> Iterator[Array]:
        """Rows (components × places, terms + 1), tile by tile; ``pieces`` along time, …, x2, x1."""
        cuts = [
            np.array_split(np.arange(n), min(k, n))
            for n, k in zip(self.places, pieces, strict=True)
        ]
        for index in np.ndindex(*[len(c) for c in cuts]):
            some = [cuts[a][i] for a, i in enumerate(index)]
            slices = tuple(slice(s[0], s[-1] + 1) for s in some)
            own = self.values[(slice(None), slice(None), *slices)]
            yield own.reshape(len(own), -1).T


class Plan:
    """Which monomials are needed, differentiated by which test function, for which terms."""

    def __init__(self, candidates: Candidates, weak: bool, dim: int) -> None:
        self.dim = dim
        self.jobs: dict[Monomial, dict[Alpha, list[Share]]] = {}
        zero = (0,) * dim
        for k, components in enumerate(candidates.polynomials):
            for c, polynomial in enumerate(components):
                parts = by_parts(polynomial, dim) if weak else {zero: polynomial}
                for alpha, own in parts.items():
                    for monomial, value in own.items():
                        shares = self.jobs.setdefault(monomial, {})
                        shares.setdefault(alpha, []).append((k, c, float_of(value)))
        self.target: int = candidates.names.index(candidates.target)
        self.size: int = candidates.question.out.size
        self.count: int = len(candidates)
        self.names: tuple[str, ...] = candidates.names

    @property
    def coordinates(self) -> list[Coordinate]:
        return sorted({c for monomial in self.jobs for c in monomial})

    @property
    def highest(self) -> int:
        """The highest derivative of a test function along an axis."""
        return max((max(a) for job in self.jobs.values() for a in job), default=0)


def columns(
    plan: Plan,
    given: Recording,
    periodic: Sequence[bool],
    time: Weights,
    space: Sequence[Weights],
) -> Columns:
    """All columns of one recording; ``space`` along x1, x2, …"""
    shape = (len(time.centres), *(len(s.centres) for s in reversed(space)))
    out = np.zeros((plan.count + 1, plan.size, *shape))
    derivative = Derivatives(given.axes, periodic)
    still, moving = time.weights(0), time.weights(1)
    kernels = _Kernels(space)
    frames = max(1, BLOCK // int(np.prod(given.grid)))
    for first in range(0, len(given.times), frames):
        check()
        some = slice(first, first + frames)
        jets = _jets(plan, given, some, derivative)
        for monomial, shares in plan.jobs.items():
            product = _product(monomial, jets, (len(still[0, some]), *given.grid))
            for alpha, own in shares.items():
                found = _in_time(still[:, some], kernels(product, alpha))
                for term, component, value in own:
                    out[term, component] += value * found
        for c in range(plan.size):
            u = given.fields[plan.names[plan.target]][some, c]
            found = kernels(u, (0,) * plan.dim)
            out[-1, c] += _in_time(moving[:, some], found)
    return Columns(out)


class _Kernels:
    """Integrals over space, axis by axis."""

    def __init__(self, space: Sequence[Weights]) -> None:
        self.space = space
        self.known: dict[tuple[int, int], Array] = {}

    def __call__(self, array: Array, alpha: Alpha) -> Array:
        out = array
        for k, order in enumerate(alpha):
            if (k, order) not in self.known:
                self.known[k, order] = self.space[k].weights(order)
            axis = out.ndim - 1 - k
            moved = np.moveaxis(out, axis, -1) @ self.known[k, order].T
            out = np.moveaxis(moved, -1, axis)
        return out


def _in_time(weights: Array, found: Array) -> Array:
    return np.asarray(np.tensordot(weights, found, axes=(1, 0)))


def _jets(
    plan: Plan, given: Recording, some: slice, derivative: Derivatives
) -> Mapping[Coordinate, Array]:
    out = {}
    for c in plan.coordinates:
        u = given.fields[plan.names[c.field]][some, c.component]
        out[c] = derivative(u, c.alpha)
    return out


def _product(
    monomial: Monomial, jets: Mapping[Coordinate, Array], shape: tuple[int, ...]
) -> NDArray[np.float64]:
    if not monomial:
        return np.ones(shape)
    first, *others = monomial
    found = jets[first]
    for c in others:
        found = found * jets[c]
    return found
