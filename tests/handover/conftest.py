"""What is handed over in the tests: a table that runs through every target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pdobasis
from pdobasis.handover import StencilSet

QUESTIONS: dict[str, tuple[tuple[str, str, str, int], dict[str, Any]]] = {
    "gradient": (("O(2)", "trivial", "vector", 1), {"method": "fd", "size": 3}),
    "several": (("C4", "vector", "vector", 2), {"method": "fd", "size": 5, "spacing": ("1/2", "1/3")}),
    "smooth": (("D4", "trivial", "regular", 2), {"method": "gauss", "size": 5, "dilation": (1, 2)}),
    "staggered": (
        ("D4", "vector", "trivial", 1),
        {"method": "fd", "size": 3, "in_offsets": [("1/2", 0), (0, "1/2")]},
    ),
    "image": (("D4", "trivial", "vector", 1), {"method": "fd", "size": 3, "layout": "image"}),
    "isotropic": (("O(3)", "vector", "trivial", 1), {"method": "fd", "size": 3, "isotropic": 3}),
}


@pytest.fixture(params=QUESTIONS)
def stencils(request: pytest.FixtureRequest) -> StencilSet:
    question, options = QUESTIONS[request.param]
    return pdobasis.solve(*question).stencil_set(**options)


@pytest.fixture
def field(stencils: StencilSet) -> NDArray[np.float64]:
    rng = np.random.default_rng(1)
    return rng.standard_normal((stencils.c_in, *(11, 9, 10)[: stencils.dim]))


@pytest.fixture
def weights(stencils: StencilSet) -> NDArray[np.float64]:
    return np.random.default_rng(2).standard_normal(stencils.elements)


@pytest.fixture
def periodic(stencils: StencilSet, field: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The definition, written with np.roll: what every target has to give on a periodic array."""
    out = np.zeros((stencils.c_out, *field.shape[1:]))
    kernel = np.tensordot(weights, stencils.weights, 1)
    for o, i, *place in np.argwhere(kernel).tolist():
        shift = [
            -(p * step - (n - 1) * step // 2)
            for p, n, step in zip(place, stencils.size, stencils.dilation[::-1], strict=True)
        ]
        out[o] += kernel[(o, i, *place)] * np.roll(field[i], shift, tuple(range(stencils.dim)))
    return out
