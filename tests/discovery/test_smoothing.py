"""The basis in which noise is told from what moves slowly."""

from __future__ import annotations

import numpy as np
import pytest

from pdobasis.discovery.smoothing import oscillations


@pytest.mark.parametrize("n", [2, 3, 5, 20, 300])
def test_the_slowest_motions_are_the_same_on_every_machine(n: int) -> None:
    """1, x and x^2 one after the other, and not what LAPACK takes for a basis of all that has no third derivative."""
    places = 0.1 * np.arange(float(n))
    basis = oscillations(places)
    assert np.allclose(basis.T @ basis, np.eye(n), atol=1e-12)
    for k in range(min(3, n)):
        # a polynomial of degree k has no part in later ones
        power = (places / places[-1]) ** k
        assert np.abs(basis[:, k + 1 :].T @ power).max(initial=0) < 1e-12 * n
