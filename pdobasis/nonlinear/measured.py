r"""How far computed terms are from being equivariant: $T(gu)$ against $gT(u)$.

A field moves as $(gu)(x) = \rho(g)\,u(g^{-1}x)$. On a cloud the points move along, and every g will do. On a
periodic grid quarter turns and mirrors permute the points, so that nothing is interpolated and only rounding remains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.numbers import to_float
from pdobasis.exact.polynomials import monomials
from pdobasis.nonlinear.evaluate import coordinates_of, derivatives, evaluate
from pdobasis.nonlinear.polynomials import Coordinate
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.proof.lines import matrices_of
from pdobasis.representations.representation import Representation

if TYPE_CHECKING:
    from pdobasis.nonlinear.result import Terms
    from pdobasis.stencils.keywords import MethodKeywords

Array = NDArray[np.float64]
FACTORS = 6
"""Generators, and steps along the Lie algebra, of which a random element is the product."""


@dataclass(frozen=True, slots=True)
class Moved:
    """An element in floats: on space, on every field, on the output."""

    space: Array
    fields: dict[str, Array]
    out: Array


def equivariance_error(
    terms: Terms,
    fields: Mapping[str, ArrayLike],
    *,
    points: ArrayLike | None = None,
    trials: int = 4,
    seed: int = 0,
    spacing: float | Sequence[float] = 1.0,
    stencil: str = "spectral",
    size: int | Sequence[int] = 5,
    boundary: str = "periodic",
    neighbours: int = 20,
    **options: Unpack[MethodKeywords],
) -> Array:
    r"""For every term the largest $\max|T(gu) - gT(u)| / s$ over some g.

    s is $\max|T(u)|$, or the product of the largest derivatives of its factors where that is more: a sum that cancels,
    as Δp for a harmonic p, is measured by what cancels.

    On a cloud of ``points`` they are random elements of the group; on a periodic grid, with as many points along every
    axis, all of its generators and quarter turns that permute the points. Options are those of ``evaluate``.

    >>> import numpy as np, pdobasis
    >>> found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", degree=2, derivatives=1)
    >>> u = np.random.default_rng(0).normal(size=(2, 16, 16))
    >>> bool(equivariance_error(found, {"u": u}).max() < 1e-12)
    True
    """
    question = terms.question
    own = {name: np.asarray(a, dtype=np.float64) for name, a in fields.items()}
    if points is not None:
        elements = random_elements(question, trials, seed)
    else:
        elements = [g for g in simple_elements(question) if _permutes(g.space)]
    if not elements:
        raise SpecError(
            f"no generator of {question.group.name} permutes the points of a grid: give a cloud (points=)"
        )
    cloud = None if points is None else np.asarray(points, dtype=np.float64)

    how: dict[str, Any] = {
        "spacing": spacing,
        "stencil": stencil,
        "size": size,
        "boundary": boundary,
        "neighbours": neighbours,
        **options,
    }

    def at(values: Mapping[str, ArrayLike], cloud: Array | None) -> Array:
        return evaluate(terms, values, points=cloud, **how)

    here = at(own, cloud)
    largest = np.abs(here).reshape(len(here), -1).max(axis=1)
    largest = np.maximum(largest, _factors(terms, own, cloud, how))
    worst = np.zeros(len(here))
    for g in elements:
        there, expected = _both(terms, own, g, cloud, here, at)
        error = np.abs(there - expected).reshape(len(here), -1).max(axis=1)
        worst = np.maximum(worst, error / np.where(largest > 0, largest, 1.0))
    return worst


def _factors(
    terms: Terms,
    fields: Mapping[str, Array],
    cloud: Array | None,
    options: Mapping[str, Any],
) -> Array:
    """For every term the product of max|∂^α u_c| over all α and c of its factors."""
    question = terms.question
    orders = {(c.field, c.order, c.time) for c in coordinates_of(terms)}
    every = [
        Coordinate(f, c, alpha, time)
        for f, order, time in sorted(orders)
        for c in range(question.fields[f].rep.size)
        for alpha in monomials(question.group.dim, order)
    ]
    jets, _ = derivatives(question, every, fields, points=cloud, **options)
    largest: dict[tuple[int, int, int], float] = {}
    for c, values in jets.items():
        key = c.field, c.order, c.time
        largest[key] = max(largest.get(key, 0.0), float(np.abs(values).max(initial=0)))
    return np.array(
        [
            max(
                prod(largest[c.field, c.order, c.time] for c in monomial)
                for polynomial in term.components
                for monomial in polynomial
            )
            for term in terms
        ]
    )


def _both(
    terms: Terms,
    fields: Mapping[str, Array],
    g: Moved,
    cloud: Array | None,
    here: Array,
    at: Callable[[Mapping[str, ArrayLike], Array | None], Array],
) -> tuple[Array, Array]:
    """T(gu) and gT(u)."""
    constants = {f.name for f in terms.question.fields if f.constant}
    moved = {}
    for name, values in fields.items():
        rho = _rho(g, name)
        if name in constants:
            moved[name] = rho @ values.reshape(len(rho))
            continue
        whole = values if values.shape[0] == len(rho) else values[None]
        moved[name] = np.tensordot(rho, _at(whole, g, cloud), 1)
    turned = None if cloud is None else cloud @ g.space.T
    there = at(moved, turned)
    expected = np.einsum("ij,tj...->ti...", g.out, _at(here, g, cloud))
    return there, expected


def _rho(g: Moved, name: str) -> Array:
    found = g.fields.get(name.partition("_")[0])
    if found is None:
        raise SpecError(f"no field {name!r:.40} in these terms")
    return found


def _at(array: Array, g: Moved, cloud: Array | None) -> Array:
    """u(g^-1 x): on a cloud the same numbers at points that have moved, on a grid those of other points."""
    if cloud is not None:
        return array
    dim = len(g.space)
    shape = array.shape[-dim:]
    if len(set(shape)) > 1:
        raise SpecError(
            f"a grid with as many points along every axis is needed, got {shape}"
        )
    # x1 is the last axis
    x = np.indices(shape)[::-1]
    back = np.rint(np.tensordot(np.linalg.inv(g.space), x, 1)).astype(int) % shape[0]
    found: Array = array[(..., *back[::-1])]
    return found


def simple_elements(question: TermsQuestion) -> list[Moved]:
    """The generators, and quarter turns exp(π/2 X) along Lie generators."""
    group = question.group
    out = [_generator(question, k) for k in range(len(group.generators))]
    return out + [_exponential(question, k, np.pi / 2) for k in range(len(group.lie))]


def random_elements(question: TermsQuestion, number: int, seed: int) -> list[Moved]:
    """Products of generators and of exp(tX), |t| ≤ 1."""
    group = question.group
    rng = np.random.default_rng(seed)
    kinds = len(group.generators) + len(group.lie)
    out = []
    for _ in range(number if kinds else 0):
        found: Moved | None = None
        for _ in range(FACTORS):
            k = int(rng.integers(kinds))
            if k < len(group.generators):
                other = _generator(question, k)
            else:
                t = float(rng.uniform(-1, 1))
                other = _exponential(question, k - len(group.generators), t)
            found = other if found is None else _product(found, other)
        if found is not None:
            out.append(found)
    return out


def _generator(question: TermsQuestion, k: int) -> Moved:
    def at(rep: Representation) -> Array:
        return to_float(matrices_of(rep)[k])

    fields = {f.name: at(f.rep) for f in question.fields}
    return Moved(to_float(question.group.on_space[k]), fields, at(question.out))


def _exponential(question: TermsQuestion, k: int, t: float) -> Moved:
    from scipy.linalg import expm

    fields = {f.name: expm(t * to_float(f.rep.lie[k])) for f in question.fields}
    space = expm(t * to_float(question.group.lie_on_space[k]))
    return Moved(space, fields, expm(t * to_float(question.out.lie[k])))


def _product(a: Moved, b: Moved) -> Moved:
    fields = {name: a.fields[name] @ b.fields[name] for name in a.fields}
    return Moved(a.space @ b.space, fields, a.out @ b.out)


def _permutes(g: Array) -> bool:
    """Whether it is a signed permutation, up to rounding."""
    whole = np.rint(g)
    is_whole = bool(np.allclose(g, whole, atol=1e-9))
    return is_whole and bool((np.abs(whole).sum(axis=0) == 1).all())
