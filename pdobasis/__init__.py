"""pdobasis: all equivariant partial differential operators, exactly, with a proof.

The data flow: text -> Group, FieldType -> Problem -> solvers -> Symbols -> Certificate -> Basis -> files, stencils.

>>> import pdobasis
>>> basis = pdobasis.solve("SO(2)", "vector", "trivial", order=1)
>>> basis.dimensions, [e.name for e in basis.elements]
({0: 0, 1: 2}, ['divergence', 'curl'])
"""

from __future__ import annotations

from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element
from pdobasis.answer.forms import invariant_forms
from pdobasis.answer.fourier import Multipliers
from pdobasis.answer.gaussian_kernels import GaussianKernels
from pdobasis.answer.homogeneous_kernels import HomogeneousKernels
from pdobasis.answer.kernels import PolynomialKernels, kernels
from pdobasis.answer.solve import solve, solve_problem
from pdobasis.errors import PdoBasisError
from pdobasis.files.json_file import load_basis as load
from pdobasis.files.json_file import save_basis as save
from pdobasis.groups.catalogue import parse_group as group
from pdobasis.groups.group import Group
from pdobasis.proof.certificate import Certificate
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type as field_type
from pdobasis.representations.representation import Representation

__version__ = "0.1.0"

__all__ = [
    "Basis",
    "Certificate",
    "Element",
    "FieldType",
    "GaussianKernels",
    "Group",
    "HomogeneousKernels",
    "Multipliers",
    "PdoBasisError",
    "PolynomialKernels",
    "Problem",
    "Representation",
    "__version__",
    "field_type",
    "group",
    "invariant_forms",
    "kernels",
    "load",
    "save",
    "solve",
    "solve_problem",
]
