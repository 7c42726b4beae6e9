"""Terms on arrays: derivatives once, products block by block, so that memory is that of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.scalars import float_of
from pdobasis.nonlinear.jets import field_arrays, jets_of
from pdobasis.nonlinear.polynomials import Coordinate, Monomial
from pdobasis.stencils.on_arrays import cloud_derivative, derivative_of

if TYPE_CHECKING:
    from pdobasis.nonlinear.question import TermsQuestion
    from pdobasis.nonlinear.result import Term, Terms
    from pdobasis.stencils.keywords import MethodKeywords

BLOCK = 1 << 16
"""Points whose products are held at a time."""


def evaluate(
    terms: Terms,
    fields: Mapping[str, ArrayLike],
    spacing: float | Sequence[float] = 1.0,
    *,
    stencil: str = "spectral",
    size: int | Sequence[int] = 5,
    boundary: str = "periodic",
    grid: Sequence[ArrayLike] | None = None,
    points: ArrayLike | None = None,
    neighbours: int = 20,
    block: int = BLOCK,
    **options: Unpack[MethodKeywords],
) -> NDArray[np.float64]:
    """Every term: float64 (terms, components, *grid), or (terms, components, points).

    A field is an array (components, *grid) with x1 along the last axis; a scalar may be the grid alone, a constant is a
    list of numbers, ``u_t`` holds ∂_t u. Derivatives are spectral (periodic grids), or those of a stencil (fd, gauss,
    rbffd with its ``size`` and options); ``grid`` gives uniform coordinates along x1, x2, … instead of their
    ``spacing`` (other points are a cloud); on a cloud of ``points`` (number, dimension) those of rbffd.

    >>> import numpy as np, pdobasis
    >>> x = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    >>> found = pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", degree=1)
    >>> [term.text for term in found]
    ['p', '∂_i ∂_i p']
    >>> p = np.sin(x)[None, :] * np.cos(2 * x)[:, None]  # sin(x1) cos(2 x2)
    >>> bool(np.allclose(found.evaluate({"p": p}, spacing=x[1])[1, 0], -5 * p))
    True
    """
    question = terms.question
    flat, shape = derivatives(
        question,
        coordinates_of(terms),
        fields,
        spacing,
        stencil=stencil,
        size=size,
        boundary=boundary,
        grid=grid,
        points=points,
        neighbours=neighbours,
        **options,
    )
    total = int(np.prod(shape))
    out = np.zeros((len(terms), question.out.size, total))
    for first in range(0, total, block):
        some = slice(first, first + block)
        _fill(out[..., some], terms, {c: a[some] for c, a in flat.items()})
    return out.reshape(len(terms), question.out.size, *shape)


def derivatives(
    question: TermsQuestion,
    needed: Sequence[Coordinate],
    fields: Mapping[str, ArrayLike],
    spacing: float | Sequence[float] = 1.0,
    *,
    stencil: str = "spectral",
    size: int | Sequence[int] = 5,
    boundary: str = "periodic",
    grid: Sequence[ArrayLike] | None = None,
    points: ArrayLike | None = None,
    neighbours: int = 20,
    **options: Unpack[MethodKeywords],
) -> tuple[dict[Coordinate, NDArray[np.float64]], tuple[int, ...]]:
    """(every derivative as a row of points, the shape of the grid or cloud); see :func:`evaluate`."""
    alphas = [c.alpha for c in needed]
    if grid is not None and points is not None:
        raise SpecError("grid= or points=: one of them")
    if points is None:
        dim = question.group.dim
        if grid is not None:
            spacing = spacing_of(grid, dim)
        derivative = derivative_of(dim, spacing, stencil, size, boundary, options)
        values, rates, shape = field_arrays(question, fields, dim)
        if grid is not None and shape != tuple(
            len(np.ravel(a)) for a in reversed(grid)
        ):
            lengths = [len(np.ravel(a)) for a in grid]
            raise SpecError(
                f"fields lie on a grid {shape} (x1 last), the axes x1, x2, … have {lengths} points"
            )
    else:
        method = "rbffd" if stencil == "spectral" else stencil
        derivative = cloud_derivative(points, alphas, method, neighbours, options)
        values, rates, shape = field_arrays(question, fields, 1)
        if shape != (len(np.asarray(points)),):
            raise SpecError(
                f"fields have {shape[0]} values for {len(np.asarray(points))} points"
            )
    names = [field.name for field in question.fields]
    jets = jets_of(needed, values, rates, derivative, names)
    flat = {c: np.broadcast_to(a, shape).reshape(-1) for c, a in jets.items()}
    return flat, shape


def spacing_of(grid: Sequence[ArrayLike], dim: int) -> list[float]:
    """The steps of uniform axes x1, x2, …

    >>> spacing_of([[0, 0.5, 1], [0, 2, 4]], 2)
    [0.5, 2.0]
    """
    if len(grid) != dim:
        raise SpecError(
            f"grid= has one axis for each of {dim} variables, got {len(grid)}"
        )
    steps = []
    for k, given in enumerate(grid, start=1):
        axis = np.asarray(given, dtype=np.float64)
        if axis.ndim != 1 or len(axis) < 2:
            raise SpecError(f"the axis of x{k} is a list of two or more coordinates")
        step = (axis[-1] - axis[0]) / (len(axis) - 1)
        if not step > 0 or not np.allclose(np.diff(axis), step, rtol=1e-6, atol=0):
            raise SpecError(
                f"the axis of x{k} is not uniform and increasing: give such points as a cloud (points=)"
            )
        steps.append(float(step))
    return steps


def coordinates_of(terms: Iterable[Term]) -> list[Coordinate]:
    """All derivatives that occur, in order."""
    found = {
        c for term in terms for p in term.components for monomial in p for c in monomial
    }
    return sorted(found)


def _fill(
    out: NDArray[np.float64],
    terms: Iterable[Term],
    jets: Mapping[Coordinate, NDArray[np.float64]],
) -> None:
    for k, term in enumerate(terms):
        for c, polynomial in enumerate(term.components):
            for monomial, value in polynomial.items():
                out[k, c] += float_of(value) * _product(monomial, jets)


def _product(
    monomial: Monomial, jets: Mapping[Coordinate, NDArray[np.float64]]
) -> NDArray[np.float64]:
    first, *others = monomial
    found = jets[first]
    for c in others:
        found = found * jets[c]
    return found
