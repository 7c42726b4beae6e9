"""pdobasis: all equivariant partial differential operators, exactly, with a proof.

The data flow: text -> Group, FieldType -> Problem -> solvers -> Symbols -> Certificate -> Basis -> files, stencils.

>>> import pdobasis
>>> basis = pdobasis.solve("SO(2)", "vector", "trivial", order=1)
>>> basis.dimensions, [e.name for e in basis.elements]
({0: 0, 1: 2}, ['divergence', 'curl'])

Names are imported when they are asked for, so that a command loads what it needs and no more.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pdobasis.version import __version__

if TYPE_CHECKING:
    from pdobasis.algebra.complexes import Complex, complexes
    from pdobasis.algebra.operator import Operator, operator
    from pdobasis.algebra.spaces import (
        OperatorSpace,
        annihilators,
        factorise,
        null_compositions,
    )
    from pdobasis.algebra.symmetries import Symmetries, symmetries
    from pdobasis.answer.basis import Basis
    from pdobasis.answer.element import Element
    from pdobasis.answer.forms import invariant_forms
    from pdobasis.answer.fourier import Multipliers
    from pdobasis.answer.gaussian_kernels import GaussianKernels
    from pdobasis.answer.homogeneous_kernels import HomogeneousKernels
    from pdobasis.answer.kernels import PolynomialKernels, kernels
    from pdobasis.answer.solve import solve, solve_problem
    from pdobasis.bounds.watch import budget
    from pdobasis.errors import PdoBasisError
    from pdobasis.files.json_file import load_basis as load
    from pdobasis.files.json_file import save_basis as save
    from pdobasis.files.module_file import load_module as load_all_orders
    from pdobasis.groups.catalogue import parse_group as group
    from pdobasis.groups.group import Group
    from pdobasis.modules.all_orders import all_orders
    from pdobasis.modules.module_basis import ModuleBasis
    from pdobasis.nonlinear.file import load_terms
    from pdobasis.nonlinear.find import terms
    from pdobasis.nonlinear.result import Term, Terms
    from pdobasis.pictures.symbols import plot_symbol
    from pdobasis.proof.certificate import Certificate
    from pdobasis.question.field_type import FieldType
    from pdobasis.question.problem import Problem
    from pdobasis.question.text import parse_field_type as field_type
    from pdobasis.representations.representation import Representation
    from pdobasis.stencils.lattices import Lattice

__all__ = [
    "Basis",
    "Certificate",
    "Complex",
    "Element",
    "FieldType",
    "GaussianKernels",
    "Group",
    "HomogeneousKernels",
    "Lattice",
    "ModuleBasis",
    "Multipliers",
    "Operator",
    "OperatorSpace",
    "PdoBasisError",
    "PolynomialKernels",
    "Problem",
    "Representation",
    "Symmetries",
    "Term",
    "Terms",
    "__version__",
    "all_orders",
    "annihilators",
    "budget",
    "complexes",
    "factorise",
    "field_type",
    "group",
    "invariant_forms",
    "kernels",
    "load",
    "load_all_orders",
    "load_terms",
    "null_compositions",
    "operator",
    "plot_symbol",
    "save",
    "solve",
    "solve_problem",
    "symmetries",
    "terms",
]

_HOMES = {
    "Basis": "answer.basis",
    "Certificate": "proof.certificate",
    "Complex": "algebra.complexes",
    "Element": "answer.element",
    "FieldType": "question.field_type",
    "GaussianKernels": "answer.gaussian_kernels",
    "Group": "groups.group",
    "HomogeneousKernels": "answer.homogeneous_kernels",
    "Lattice": "stencils.lattices",
    "ModuleBasis": "modules.module_basis",
    "Multipliers": "answer.fourier",
    "Operator": "algebra.operator",
    "OperatorSpace": "algebra.spaces",
    "PdoBasisError": "errors",
    "PolynomialKernels": "answer.kernels",
    "Problem": "question.problem",
    "Representation": "representations.representation",
    "Symmetries": "algebra.symmetries",
    "Term": "nonlinear.result",
    "Terms": "nonlinear.result",
    "all_orders": "modules.all_orders",
    "annihilators": "algebra.spaces",
    "budget": "bounds.watch",
    "complexes": "algebra.complexes",
    "factorise": "algebra.spaces",
    "field_type": "question.text:parse_field_type",
    "group": "groups.catalogue:parse_group",
    "invariant_forms": "answer.forms",
    "kernels": "answer.kernels",
    "load": "files.json_file:load_basis",
    "load_all_orders": "files.module_file:load_module",
    "load_terms": "nonlinear.file",
    "null_compositions": "algebra.spaces",
    "operator": "algebra.operator",
    "plot_symbol": "pictures.symbols",
    "save": "files.json_file:save_basis",
    "solve": "answer.solve",
    "solve_problem": "answer.solve",
    "symmetries": "algebra.symmetries",
    "terms": "nonlinear.find",
}
"""The module of every name, and what it is called there where that differs."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, own = _HOMES[name].partition(":")
    value: object = getattr(import_module(f"{__name__}.{module}"), own or name)
    # from now on without a detour
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
