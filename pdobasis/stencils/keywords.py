"""The options of stencils as keywords with types, for editors and type checkers.

Written from the registry of discretizations by ``python -m tests.stencils.write_keywords``: change the options there.
Those of a discretization of one's own, which is registered later, are taken in the same way and checked when the call
is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pdobasis.groups.group import Group
    from pdobasis.stencils.gaussian import Normalize, Sigma
    from pdobasis.stencils.grids import Layout, Number
    from pdobasis.stencils.lattices import Lattice
    from pdobasis.stencils.rbf import RadialFunction


class GridKeywords(TypedDict, total=False):
    """Of the grid, whatever the method."""

    spacing: Number | Sequence[Number] | None
    """Between points.  [1]"""
    dilation: int | Sequence[int] | None
    """Take every so many points.  [1]"""
    offset: Number | Sequence[Number] | None
    """Of the points from the place of the derivative, in steps.  [0]"""
    layout: Layout | None
    """grid: coordinates grow with the index; image: x2 grows upwards.  [grid]"""
    lattice: Lattice | str | Sequence[Sequence[Any]] | None
    """On which the nodes lie, in steps along its vectors; window is then for every method.  [none]"""


class PlaceKeywords(TypedDict, total=False):
    """Of a staggered grid: one place in the cell for each component."""

    in_offsets: Sequence[Sequence[Any]] | None
    """Of the input.  [all at 0]"""
    out_offsets: Sequence[Sequence[Any]] | None
    """Of the output.  [all at 0]"""


class MethodKeywords(TypedDict, total=False):
    """Of the methods; each takes its own."""

    isotropic: int | None
    """Of fd: error terms up to this degree commute with all rotations and reflections."""
    accuracy: int | None
    """Of fd: order of accuracy of isotropic stencils.  [2]"""
    isotropic_group: str | Group | None
    """Of fd: with which error terms commute instead: a group around that of the question.  [O(d)]"""
    window: str | None
    """Of fd: closed: only nodes that symmetries of group and grid leave in the box; ball r: those within r."""
    optimize: float | None
    """Of fd: least error for waves up to this many radians per step, within what remains free."""
    objective: str | None
    """Of fd: what optimize makes least: dispersion, or isotropy.  [dispersion]"""
    phi: str | RadialFunction | None
    """Of rbffd: phs3, phs5, gaussian, multiquadric, wendland_c4, …  [phs3]"""
    epsilon: float | None
    """Of rbffd: shape parameter.  [1]"""
    degree: int | None
    """Of rbffd: degree of the polynomials, -1 for none.  [the order]"""
    max_condition: float | None
    """Of rbffd: where systems are refused."""
    sigma: Sigma | None
    """Of gauss: standard deviation.  [0.26 size; with moments sqrt((size + 1.5)/4 pi)]"""
    sigma_paper: Sigma | None
    """Of gauss: instead of sigma, the s of the paper's exp(-(r/s^2)^2): sigma is s^2/sqrt(2)."""
    normalize: Normalize | None
    """Of gauss: 'moments' makes stencils exact on monomials up to the order."""
    radii: Sequence[float] | None
    """Of kernel: radii of the rings."""
    widths: float | Sequence[float] | None
    """Of kernel: widths of the rings."""
    band_limit: float | None
    """Of kernel: largest angular order per radius.  [3]"""


class CloudKeywords(TypedDict, total=False):
    """Of the methods that work on points."""

    phi: str | RadialFunction | None
    """Of rbffd: phs3, phs5, gaussian, multiquadric, wendland_c4, …  [phs3]"""
    epsilon: float | None
    """Of rbffd: shape parameter.  [1]"""
    degree: int | None
    """Of rbffd: degree of the polynomials, -1 for none.  [the order]"""
    max_condition: float | None
    """Of rbffd: where systems are refused."""
    sigma: Sigma | None
    """Of gauss: standard deviation.  [0.26 size; with moments sqrt((size + 1.5)/4 pi)]"""
    sigma_paper: Sigma | None
    """Of gauss: instead of sigma, the s of the paper's exp(-(r/s^2)^2): sigma is s^2/sqrt(2)."""
    normalize: Normalize | None
    """Of gauss: 'moments' makes stencils exact on monomials up to the order."""


class LatticeKeywords(TypedDict, total=False):
    """Of the methods that take nodes of a lattice as points, or sample kernels there."""

    phi: str | RadialFunction | None
    """Of rbffd: phs3, phs5, gaussian, multiquadric, wendland_c4, …  [phs3]"""
    epsilon: float | None
    """Of rbffd: shape parameter.  [1]"""
    degree: int | None
    """Of rbffd: degree of the polynomials, -1 for none.  [the order]"""
    max_condition: float | None
    """Of rbffd: where systems are refused."""
    sigma: Sigma | None
    """Of gauss: standard deviation.  [0.26 size; with moments sqrt((size + 1.5)/4 pi)]"""
    sigma_paper: Sigma | None
    """Of gauss: instead of sigma, the s of the paper's exp(-(r/s^2)^2): sigma is s^2/sqrt(2)."""
    normalize: Normalize | None
    """Of gauss: 'moments' makes stencils exact on monomials up to the order."""
    radii: Sequence[float] | None
    """Of kernel: radii of the rings."""
    widths: float | Sequence[float] | None
    """Of kernel: widths of the rings."""
    band_limit: float | None
    """Of kernel: largest angular order per radius.  [3]"""


class SamplingKeywords(GridKeywords, MethodKeywords, total=False):
    """Of stencils on one grid."""


class StencilKeywords(SamplingKeywords, PlaceKeywords, total=False):
    """Of stencils on a grid, which may be staggered."""
