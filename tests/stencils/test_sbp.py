"""Summation by parts: in fractions, bit by bit in matrices, and as stability of waves."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.stencils.sbp import sbp_derivative, sbp_norm


def dense(count: int, size: int, order: int) -> list[list[Fraction]]:
    entries = sbp_derivative(count, size, order)
    return [[entries.get((i, j), Fraction(0)) for j in range(count)] for i in range(count)]


@pytest.mark.parametrize(("size", "at_ends"), [(3, 1), (5, 2)])
@pytest.mark.parametrize("count", [13, 18])
def test_first_derivatives_sum_by_parts_and_are_exact_on_polynomials(size: int, at_ends: int, count: int) -> None:
    h, q = sbp_norm(count, size), dense(count, size, 1)
    assert min(h) > 0
    assert sum(h) == count - 1
    for i in range(count):
        for j in range(count):
            expected = {(0, 0): -1, (count - 1, count - 1): 1}.get((i, j), 0)
            assert q[i][j] + q[j][i] == expected
    near = len([v for v in h if v != 1]) // 2
    for i in range(count):
        degree = size - 1 if near <= i < count - near else at_ends
        for k in range(degree + 1):
            image = sum(q[i][j] * Fraction(j - i) ** k for j in range(count)) / h[i]
            assert image == (k == 1)


@pytest.mark.parametrize(("size", "at_ends"), [(3, 2), (5, 3)])
def test_second_derivatives_are_minus_a_form_that_is_not_negative_and_slopes(size: int, at_ends: int) -> None:
    count = 14
    h, w = sbp_norm(count, size), dense(count, size, 2)
    slopes = {3: "-3/2 2 -1/2", 5: "-11/6 3 -3/2 1/3"}[size].split()
    m = [[-v for v in row] for row in w]
    for j, text in enumerate(slopes):
        # M = B S - H D2, where the slope at the upper end is minus the mirror image.
        m[0][j] -= Fraction(text)
        m[-1][-1 - j] -= Fraction(text)
    assert all(m[i][j] == m[j][i] for i in range(count) for j in range(count))
    assert all(sum(row) == 0 for row in m)
    assert _is_not_negative(m)
    for i in range(count):
        degree = size if 4 <= i < count - 4 else at_ends
        for k in range(degree + 1):
            image = sum(w[i][j] * Fraction(j - i) ** k for j in range(count)) / h[i]
            assert image == 2 * (k == 2)


def _is_not_negative(m: list[list[Fraction]]) -> bool:
    """By Gauss, in fractions: pivots are positive, or their whole row is zero."""
    m = [row[:] for row in m]
    for k in range(len(m)):
        if m[k][k] < 0 or (m[k][k] == 0 and any(m[k][k:])):
            return False
        for i in range(k + 1, len(m)):
            if m[k][k]:
                factor = m[i][k] / m[k][k]
                m[i] = [a - factor * b for a, b in zip(m[i], m[k], strict=True)]
    return True


@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("boundary", ["sbp", {"x1-": "sbp", "x1+": "sbp", "x2-": "periodic", "x2+": "periodic"}])
def test_matrices_are_symmetric_or_skew_bit_by_bit(size: int, boundary: Any) -> None:
    """Also with a spacing whose products are rounded."""
    options: dict[str, Any] = {"size": size, "boundary": boundary, "spacing": ("1/10", "1/7")}
    shape = (13, 12)
    for element in pdobasis.solve("O(2)", "vector", "vector", 2).matrix(shape, **options):
        assert element.is_symmetric
    gradient, divergence = (
        pdobasis.solve("O(2)", a, b, 1).matrix(shape, **options)[0]
        for a, b in (("trivial", "vector"), ("vector", "trivial"))
    )
    assert not gradient.is_symmetric
    assert divergence.weighted is not None
    both = gradient.weighted + divergence.weighted.T
    # What is left lives at the ends: (2, points) x points.
    at_ends = np.ones(shape, dtype=bool)
    at_ends[:, 1:-1] = False
    if boundary == "sbp":
        at_ends[[0, -1]] = True
    both.eliminate_zeros()
    rows, columns = both.nonzero()
    assert len(rows)
    assert at_ends.ravel()[rows % 156].all()
    assert at_ends.ravel()[columns].all()
    slope = pdobasis.operator("d1", dim=2).on_grid(shape, **options)
    assert slope.is_skew
    assert not slope.is_symmetric
    assert slope.norm is not None
    # The norm times the matrix is the weighted one, but for rounding.
    assert abs(slope.matrix.multiply(slope.norm[:, None]) - slope.weighted).max() < 1e-15


@pytest.mark.parametrize(("size", "rate"), [(3, 2), (5, 3)])
def test_waves_that_enter_at_one_end_are_stable_and_converge(size: int, rate: int) -> None:
    """u' = -u_x with u = g at the lower end, by a penalty: eigenvalues to the left, and orders 2 and 3."""
    errors = []
    for n in (25, 50):
        step = Fraction(1, n)
        slope = pdobasis.operator("d1").on_grid((n + 1,), size=size, boundary="sbp", spacing=step)
        assert slope.norm is not None
        x = np.arange(n + 1) / n
        system = -slope.matrix.toarray()
        system[0, 0] -= 1 / slope.norm[0]
        assert np.linalg.eigvals(system).real.max() < 1e-10
        weighted = slope.norm[:, None] * system
        assert np.linalg.eigvalsh(weighted + weighted.T).max() < 1e-12
        # The steady wave u = sin(4x): 0 = system u + source.
        source = 4 * np.cos(4 * x)
        u = np.linalg.solve(system, -source)
        errors.append(np.sqrt((slope.norm * (u - np.sin(4 * x)) ** 2).sum()))
    assert np.log2(errors[0] / errors[1]) > rate - 0.25


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 7, "boundary": "sbp"}, "use size=3 or 5"),
        ({"size": 5, "boundary": "sbp", "shape": (20, 8)}, "needs 10 points"),
        ({"boundary": {"x1-": "sbp", "x1+": "dirichlet", "x2-": "sbp", "x2+": "sbp"}}, "at both ends"),
        ({"boundary": {"x1-": "sbp", "x1+": "sbp", "x2-": "one-sided", "x2+": "one-sided"}}, "have an energy"),
        ({"boundary": "sbp", "axes": [range(20), range(20)]}, "at both ends"),
    ],
)
def test_where_there_is_no_such_operator_it_is_refused(options: dict[str, Any], message: str) -> None:
    laplacian = pdobasis.operator("d1^2 + d2^2")
    with pytest.raises(pdobasis.PdoBasisError, match=message):
        laplacian.on_grid(**{"shape": (20, 20), **options})
    with pytest.raises(pdobasis.PdoBasisError, match="order 1 and 2"):
        pdobasis.operator("d1^3").on_grid((20,), size=5, boundary="sbp")
