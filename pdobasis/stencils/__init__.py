"""Discretization: PDOs as stencils on grids and point clouds.

Each method samples every monomial once, `combine` makes the stencils of a basis from them in one matrix
product:

    alphas, Grid ──► finite_difference | gaussian | rbf_fd ──► MonomialStencils ──► combine
    alphas, points ──► gaussian_cloud | rbf_fd_cloud ──► CloudStencils
    angular polynomials, Grid ──► sampled_kernels ──► KernelStencils

`symmetry` proves that stencils respect the grid's own point group, `moments` what they give on monomials.
"""

from pdobasis.stencils.combine import combine
from pdobasis.stencils.errors import (
    DegreeTooHighError,
    GridError,
    IllConditionedError,
    IncompatibleOffsetsError,
    KernelError,
    MultiIndexError,
    NonSmoothCentreError,
    NotAGridSymmetryError,
    RepeatedNodeError,
    ShapeError,
    StencilError,
    StencilTooSmallError,
)
from pdobasis.stencils.finite_difference import accuracy_order, finite_difference, fornberg_weights
from pdobasis.stencils.gaussian import gaussian, gaussian_cloud
from pdobasis.stencils.grids import Grid, Layout
from pdobasis.stencils.kernel import KernelStencils, sampled_kernels
from pdobasis.stencils.moments import moments
from pdobasis.stencils.multi_index import MultiIndex, multi_indices
from pdobasis.stencils.rbf import RADIAL_FUNCTIONS, RadialFunction, radial_derivatives, radial_function
from pdobasis.stencils.rbf_cloud import rbf_fd_cloud
from pdobasis.stencils.rbf_fd import rbf_fd
from pdobasis.stencils.results import CloudStencils, MonomialStencils
from pdobasis.stencils.staggered import StaggeredStencils, check_places, staggered, staggered_defect
from pdobasis.stencils.symmetry import (
    act,
    equivariance_defect,
    grid_point_group,
    signed_permutations,
    transform_stencil,
)

__all__ = [
    "RADIAL_FUNCTIONS",
    "CloudStencils",
    "DegreeTooHighError",
    "Grid",
    "GridError",
    "IllConditionedError",
    "IncompatibleOffsetsError",
    "KernelError",
    "KernelStencils",
    "Layout",
    "MonomialStencils",
    "MultiIndex",
    "MultiIndexError",
    "NonSmoothCentreError",
    "NotAGridSymmetryError",
    "RadialFunction",
    "RepeatedNodeError",
    "ShapeError",
    "StaggeredStencils",
    "StencilError",
    "StencilTooSmallError",
    "accuracy_order",
    "act",
    "check_places",
    "combine",
    "equivariance_defect",
    "finite_difference",
    "fornberg_weights",
    "gaussian",
    "gaussian_cloud",
    "grid_point_group",
    "moments",
    "multi_indices",
    "radial_derivatives",
    "radial_function",
    "rbf_fd",
    "rbf_fd_cloud",
    "sampled_kernels",
    "signed_permutations",
    "staggered",
    "staggered_defect",
    "transform_stencil",
]
