"""The file of the issue: D8, regular to trivial, Gaussians on 5 x 5."""

import pytest

import pdobasis
from pdobasis.files.stencil_file import StencilFile, contents
from pdobasis.stencils.sampled import sample


@pytest.fixture(scope="session")
def d8() -> StencilFile:
    basis = pdobasis.solve("D8", "regular", "trivial", 2)
    return contents(basis, sample(basis, "gauss", 5, sigma=1.3))
