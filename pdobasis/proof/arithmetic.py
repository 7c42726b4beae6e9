r"""A look at the arithmetic of K before it is trusted: some sums and products, beside the same in floating point.

Exact arithmetic is what proof and solvers have in common, so one that is wrong in the same way everywhere (with $-AB$
in the place of every product $AB$, say) could prove a wrong answer. Floats know nothing of it: the basis of K is
$2\cos(2\pi k/M)$, or square roots. This is a test and no proof, once for every field; it finds a wrong sign, a
transpose, a lost or doubled row.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    exact,
    identity,
    integers,
    stack,
)
from pdobasis.exact.field import LARGE_DEGREE, Field
from pdobasis.exact.matrices import batched_matmul
from pdobasis.exact.types import FloatArray

CLOSE = 1e-9
"""Relative to the numbers of K that are tried."""
LARGE = 32
"""Degrees beyond which numbers are tried instead of matrices."""


@remembered
def require_arithmetic(field: Field) -> None:
    """ProofError where exact numbers and floats disagree."""
    basis = _basis(field)
    a, b = _matrix(field, 3), _matrix(field, 5)
    x, y = _float(a, basis), _float(b, basis)
    scale = (1 + np.abs(x).max()) * (1 + np.abs(y).max())
    trials = [*_trials(a, b, x, y)]
    if field.degree > LARGE_DEGREE:
        trials += _trials_of_terms(field, basis)
    found, expected = zip(*trials, strict=True)
    # one comparison for all trials: where shapes agree, so do the places of the numbers
    if [f.shape for f in found] == [e.shape for e in expected]:
        values = np.concatenate(
            [_float(f, basis[: f.field.degree]).ravel() for f in found]
        )
        wanted = np.concatenate([e.ravel() for e in expected])
        if np.abs(values - wanted).max() <= CLOSE * scale:
            return
    raise ProofError(
        f"the arithmetic of {field} does not agree with floating point: nothing can be proved"
    )


def _trials(
    a: ExactArray, b: ExactArray, x: FloatArray, y: FloatArray
) -> Iterator[tuple[ExactArray, FloatArray]]:
    """(what the exact arithmetic says, what it should be), for what the proof uses."""
    yield a @ b, x @ y
    yield a * b, x * y
    yield a + b, x + y
    yield -a, -x
    yield a.scale(Fraction(-3, 2)), -1.5 * x
    yield a.T, x.T
    yield a[-1], x[-1]
    yield (
        concatenate([a, b]).take(np.array([1, 0, 1])),
        np.concatenate([x, y])[[1, 0, 1]],
    )
    yield a.reshape(a.size, 1), x.reshape(x.size, 1)
    yield a.trace(), np.asarray(np.trace(x))
    yield concatenate([a, b]), np.concatenate([x, y])
    yield stack([a, b]), np.stack([x, y])
    yield batched_matmul(stack([a, b]), stack([b, a])), np.stack([x @ y, y @ x])
    yield (
        integers([[1, -2]]).over(a.field) + identity(2, a.field),
        np.array([[2.0, -2.0], [1.0, -1.0]]),
    )


def _trials_of_terms(
    field: Field, basis: FloatArray
) -> Iterator[tuple[ExactArray, FloatArray]]:
    """Numbers with one term each, as rotations have them: large fields multiply these in a way of their own."""
    a, b = _terms(field, 1), _terms(field, 2)
    x, y = _float(a, basis), _float(b, basis)
    yield a @ b, x @ y
    yield a * b, x * y
    yield batched_matmul(stack([a, b]), stack([b, a])), np.stack([x @ y, y @ x])


def _terms(field: Field, step: int) -> ExactArray:
    """Entries that are multiples of one element of the basis each, from both of its ends."""
    out = np.zeros((2, 2, field.degree), dtype=np.int64)
    for k in range(4):
        out[k // 2, k % 2, (k * step - 1) % field.degree] = 3 * k - 4
    return exact(out, 2, field)


def _matrix(field: Field, step: int) -> ExactArray:
    """Small numbers of both signs that are not symmetric."""
    size, n = 2, field.degree
    # a product costs the square of the degree, and one number shows a wrong one
    if n > LARGE:
        size = 1
    return exact(
        (step * np.arange(size * size * n) + 1).reshape(size, size, n) % 7 - 2, 2, field
    )


def _float(values: ExactArray, basis: FloatArray) -> FloatArray:
    return np.asarray(values.numerators.astype(np.float64) @ basis / values.denominator)


def _basis(field: Field) -> FloatArray:
    """The basis of K, in floating point."""
    if field.conductor == 1:
        return np.sqrt(np.array(field.radicands, dtype=np.float64))
    cosines = 2 * np.cos(2 * np.pi * np.arange(field.degree) / field.conductor)
    # b_0 = 1 and not 2, so that Q is in front
    cosines[0] = 1
    return np.asarray(cosines)
