"""What a discretization does to a proved basis: each kind of error by itself.

The operators are exact, so whatever is seen comes from the stencils. `consistency`: what they give on monomials.
`convergence`: how the error falls with the spacing. `grid_equivariance`: the grid's own symmetries, rotations and
reflections, which hold to rounding. `rotation_errors`: all other elements of the group, as the paper measures them;
`off_grid_error`: the same in closed form, one number for a discretization. `summary` puts them together, `comparison`
is the paper's table. `gaussian_limit` needs no stencil: how fast Gaussian kernels tend to the PDO.

What comes in: `Sampled`, of a basis or of a file. What goes out: frozen results with numbers and the rows of their
tables. This room may call stencils and everything below; it prints nothing.
"""

from pdobasis.measure.comparison import TableRow, comparison_table
from pdobasis.measure.consistency import Consistency, consistency
from pdobasis.measure.convergence import Convergence, convergence
from pdobasis.measure.grid_symmetry import GridSymmetry, grid_equivariance
from pdobasis.measure.infinitesimal import GaussianLimit, gaussian_limit
from pdobasis.measure.off_grid import OffGridError, off_grid_error, off_grid_errors
from pdobasis.measure.rotation import (
    RotationError,
    Spread,
    identity_error,
    overall,
    rotation_errors,
    spread,
    unconstrained_errors,
)

__all__ = [
    "Consistency",
    "Convergence",
    "GaussianLimit",
    "GridSymmetry",
    "OffGridError",
    "RotationError",
    "Spread",
    "TableRow",
    "comparison_table",
    "consistency",
    "convergence",
    "gaussian_limit",
    "grid_equivariance",
    "identity_error",
    "off_grid_error",
    "off_grid_errors",
    "overall",
    "rotation_errors",
    "spread",
    "unconstrained_errors",
]
