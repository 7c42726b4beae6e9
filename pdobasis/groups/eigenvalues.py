"""Eigenvalues of exact matrices as complex floats that can be relied on, however skew the basis is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float


def eigenvalues(m: ExactArray) -> NDArray[np.complex128]:
    """With their multiplicities.

    Of a rational matrix they are the certified roots of the exact characteristic
    polynomial: floats of a skew conjugate of a rotation would be far from the circle.

    >>> from pdobasis.exact.array import integers
    >>> eigenvalues(integers([[1000000, -1000000000001], [1, -1000000]])).imag.tolist()
    [-1.0, 1.0]
    """
    # Certified roots need rational coefficients, so elsewhere floats have to do.
    if not m.is_rational:
        return np.linalg.eigvals(to_float(m)).astype(np.complex128)
    from flint import fmpq, fmpq_mat

    size = m.shape[0]
    entries = [fmpq(int(v), m.denominator) for v in m.numerators[..., 0].ravel()]
    # python-flint's stubs do not know that roots come with their multiplicities.
    polynomial: Any = fmpq_mat(size, size, entries).charpoly().numer()
    found: list[complex] = []
    for root, multiplicity in polynomial.complex_roots():
        value = complex(float(root.real.mid()), float(root.imag.mid()))
        found += [value] * int(multiplicity)
    return np.array(sorted(found, key=lambda z: (z.real, z.imag)), dtype=np.complex128)
