"""Discretization: PDOs as stencils on grids and point clouds. One file a method, with its options and its weights.

Each method samples every monomial once, `combine` makes the stencils of a basis from them in one matrix
product:

    alphas, Grid ──► finite_difference | gaussian | rbf_fd ──► MonomialStencils ──► combine
    alphas, points ──► gaussian_cloud | rbf_fd_cloud ──► CloudStencils
    angular polynomials, Grid ──► sampled_kernels ──► KernelStencils
    Basis, name, options ──► discretize ──► Discretized ──► sample ──► Sampled

`symmetry` proves that stencils respect the grid's own point group, `moments` what they give on monomials.

What comes in: proved bases, and names and options as a user types them. What goes out: float64 arrays. This room may
call answer and everything below it; it knows neither files nor layers nor the command line, which ask the `registry`.
"""

from pdobasis.stencils.combine import combine
from pdobasis.stencils.errors import (
    DegreeTooHighError,
    GridError,
    IllConditionedError,
    IncompatibleOffsetsError,
    IsotropyError,
    KernelError,
    MultiIndexError,
    NonSmoothCentreError,
    NotAGridSymmetryError,
    RepeatedNodeError,
    ShapeError,
    StencilError,
    StencilTooSmallError,
)
from pdobasis.stencils.finite_difference import (
    FiniteDifference,
    accuracy_order,
    finite_difference,
    fornberg_weights,
)
from pdobasis.stencils.gaussian import Gauss, gaussian, gaussian_cloud
from pdobasis.stencils.grids import Grid, Layout
from pdobasis.stencils.kernel import Kernel, KernelStencils, sampled_kernels
from pdobasis.stencils.moments import moments
from pdobasis.stencils.multi_index import MultiIndex, multi_indices
from pdobasis.stencils.rbf import (
    RADIAL_FUNCTIONS,
    RadialFunction,
    radial_derivatives,
    radial_function,
)
from pdobasis.stencils.rbf_cloud import rbf_fd_cloud
from pdobasis.stencils.rbf_fd import RbfFd, rbf_fd
from pdobasis.stencils.registry import register
from pdobasis.stencils.results import CloudStencils, MonomialStencils
from pdobasis.stencils.staggered import (
    StaggeredStencils,
    check_places,
    staggered,
    staggered_defect,
)
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
    "IsotropyError",
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

# The discretizations, in the order in which they are listed everywhere.
for _method in (FiniteDifference(), RbfFd(), Gauss(), Kernel()):
    register(_method)
