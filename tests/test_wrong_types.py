"""A value of a wrong type is refused where it arrives, in one line, whatever function it is given to."""

from __future__ import annotations

import inspect
import types
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis import stencils
from pdobasis.errors import PdoBasisError
from pdobasis.files import export_stencils, load_stencils

WRONG: tuple[object, ...] = (None, 3.5, [], b"x", object())
LONGEST = 600
"""Characters of a refusal."""

Call = tuple[str, Callable[..., Any], dict[str, Any]]


def _library(folder: Path) -> Iterator[Call]:
    """Every public function of the library with arguments that are right."""
    question: dict[str, Any] = {"group": "C4", "in_rep": "trivial", "out_rep": "vector"}
    basis = pdobasis.solve("C4", "trivial", "vector", order=1)
    curl = pdobasis.solve("SO(3)", "vector", "vector", order=1)
    saved = str(folder / "basis.json")
    basis.save(saved)
    module, found = pdobasis.all_orders(**question), pdobasis.terms("O(2)", {"u": "vector"}, "vector", 1, 1)
    module.save(str(folder / "module.json"))
    found.save(str(folder / "terms.json"))
    export_stencils(basis, folder / "s.npz", "fd", 3)
    group = pdobasis.group("C4")
    fields = pdobasis.field_type("vector", group)
    yield "solve", pdobasis.solve, {**question, "order": 1}
    yield "kernels", pdobasis.kernels, {**question, "order": 1}
    yield "all_orders", pdobasis.all_orders, question
    yield "terms", pdobasis.terms, {
        "group": "O(2)", "fields": {"u": "vector"}, "out": "vector", "degree": 1, "derivatives": 1
    }  # fmt: skip
    yield "solve_problem", pdobasis.solve_problem, {"problem": basis.problem}
    yield "group", pdobasis.group, {"text": "D4"}
    yield "field_type", pdobasis.field_type, {"text": "vector", "group": "D4"}
    yield "operator", pdobasis.operator, {"matrix": "d1, d2", "dim": 2}
    yield "symmetries", pdobasis.symmetries, {
        "op": "d1", "group": "C4", "in_rep": "trivial", "out_rep": "trivial"
    }  # fmt: skip
    yield "complexes", pdobasis.complexes, {"group": "SO(2)", "fields": ["trivial", "vector"], "orders": 1}
    yield "factorise", pdobasis.factorise, {"basis": curl, "through": ["trivial"], "order": 1}
    yield "annihilators", pdobasis.annihilators, {"space": curl, "first": curl[1].operator}
    yield "null_compositions", pdobasis.null_compositions, {"outer": curl, "inner": curl}
    yield "invariant_forms", pdobasis.invariant_forms, {"group": group}
    yield "plot_symbol", pdobasis.plot_symbol, {"element": "d1"}
    yield "save", pdobasis.save, {"basis": basis, "path": saved}
    yield "load", pdobasis.load, {"path": saved}
    yield "load_all_orders", pdobasis.load_all_orders, {"path": str(folder / "module.json")}
    yield "load_terms", pdobasis.load_terms, {"path": str(folder / "terms.json")}
    yield "export_stencils", export_stencils, {"basis": basis, "path": folder / "x.npz", "method": "fd", "size": 3}
    yield "load_stencils", load_stencils, {"path": folder / "s.npz"}
    yield "budget", lambda **given: pdobasis.budget(**given).__enter__(), {"seconds": 10.0, "memory": "4 GB"}
    yield "Group", pdobasis.Group, {"name": "g", "dim": 2, "generators": ([[0, -1], [1, 0]],), "labels": ("r",)}
    yield "FieldType", pdobasis.FieldType, {"terms": ((fields[0], 2),)}
    yield "Problem", pdobasis.Problem, {"group": group, "in_type": fields, "out_type": fields, "order": 1}
    yield "Lattice", pdobasis.Lattice, {"vectors": [[1, 0], [0, 1]]}
    methods: dict[str, dict[str, Any]] = {
        "stencils": {"method": "fd", "size": 3}, "plot": {"method": "fd", "size": 3}, "save": {"path": saved},
        "matrix": {"shape": (5, 5)}, "homogeneous_kernels": {"degree": 1}, "coordinates": {"op": basis[0]},
    }  # fmt: skip
    for name, given in methods.items():
        yield f"Basis.{name}", getattr(basis, name), given


def _stencils(folder: Path) -> Iterator[Call]:
    grid = stencils.Grid.regular(2, 3)
    alphas, points = [(1, 0)], np.random.default_rng(0).random((30, 2))
    turn, one = np.array([[0, -1], [1, 0]]), np.eye(1)
    weights = np.zeros((1, 1, 3, 3))
    nodes = [Fraction(n) for n in (-1, 0, 1)]
    yield "Grid.regular", stencils.Grid.regular, {"dim": 2, "size": 3}
    yield "finite_difference", stencils.finite_difference, {"alphas": alphas, "grid": grid}
    yield "gaussian", stencils.gaussian, {"alphas": alphas, "grid": grid, "sigma": 1.0}
    yield "rbf_fd", stencils.rbf_fd, {"alphas": alphas, "grid": grid}
    cloud = {"points": points, "targets": points, "alphas": alphas, "neighbours": 12}
    yield "gaussian_cloud", stencils.gaussian_cloud, {**cloud, "sigma": 0.2}
    yield "rbf_fd_cloud", stencils.rbf_fd_cloud, cloud
    yield "sampled_kernels", stencils.sampled_kernels, {
        "exponents": alphas, "coefficients": np.ones((1, 1, 1, 1)), "grid": grid, "radii": [1.0], "widths": 0.5
    }  # fmt: skip
    yield "fornberg_weights", stencils.fornberg_weights, {"nodes": nodes, "order": 1}
    yield "accuracy_order", stencils.accuracy_order, {"weights": nodes, "nodes": nodes, "order": 1}
    yield "multi_indices", stencils.multi_indices, {"dim": 2, "degree": 1}
    yield "radial_function", stencils.radial_function, {"name": "phs3"}
    yield "grid_point_group", stencils.grid_point_group, {"grid": grid}
    yield "signed_permutations", lambda dim: list(stencils.signed_permutations(dim)), {"dim": 2}
    turned = {"w": weights, "g": turn, "rho_out": one, "rho_in": one}
    yield "act", stencils.act, turned
    yield "equivariance_defect", stencils.equivariance_defect, turned
    yield "transform_stencil", stencils.transform_stencil, {"w": weights, "g": turn}
    yield "check_places", stencils.check_places, {"g": turn, "rho": turn, "offsets": [(Fraction(0), Fraction(0))] * 2}
    yield "combine", stencils.combine, {
        "coefficients": np.ones((1, 1, 1, 1)), "monomial_weights": np.ones((1, 3, 3))
    }  # fmt: skip
    made = stencils.finite_difference(alphas, grid)
    yield "moments", stencils.moments, {"stencils": made, "betas": alphas}


def _layers(folder: Path) -> Iterator[Call]:
    nn = pytest.importorskip("pdobasis.nn")
    import torch

    fields = pdobasis.field_type("regular", "C4")
    vector = pdobasis.field_type("vector", "C4")
    layer = nn.PDOConv2d("C4", "trivial", "regular", size=3, padding=1)
    conv = {"question": "C4", "in_rep": "trivial", "out_rep": "regular", "size": 3}
    yield "PDOConv2d", nn.PDOConv2d, conv
    yield "PDOConvTranspose2d", nn.PDOConvTranspose2d, conv
    yield "PDOPointConv", nn.PDOPointConv, {**{k: v for k, v in conv.items() if k != "size"}, "order": 1}
    for name in ("FieldBatchNorm", "FieldDropout", "FieldInstanceNorm", "FourierNonlinearity", "GlobalPool",
                 "GroupPool", "NormNonlinearity", "NormPool", "Pointwise", "Upsample", "BlurPool"):  # fmt: skip
        yield name, getattr(nn, name), {"fields": fields}
    yield "GatedNonlinearity", nn.GatedNonlinearity, {"fields": vector}
    yield "InducedNormNonlinearity", nn.InducedNormNonlinearity, {
        "fields": pdobasis.field_type("induced(C2, vector)", "C4")
    }  # fmt: skip
    yield "FieldGroupNorm", nn.FieldGroupNorm, {"groups": 1, "fields": fields}
    for name in ("MaxPool", "NormMaxPool"):
        yield name, getattr(nn, name), {"fields": fields, "size": 2}
    yield "Mask", nn.Mask, {"fields": fields, "size": 9}
    yield "Restrict", nn.Restrict, {"fields": fields, "subgroup": "C2"}
    yield "TensorProduct", nn.TensorProduct, {"left": vector, "right": vector, "out": vector + fields}
    yield "PerField", nn.PerField, {"fields": fields, "kinds": {"regular": nn.Pointwise}}
    yield "Adjoint", nn.Adjoint, {"layer": layer}
    yield "TermsFunction", nn.TermsFunction, {"terms": pdobasis.terms("O(2)", {"u": "vector"}, "vector", 1, 1)}
    yield "check_equivariance", nn.check_equivariance, {"module": layer, "size": 9}
    yield "check_types", nn.check_types, {"model": layer, "size": 9}
    yield "summary", nn.summary, {"model": layer, "size": 9}
    yield "to_plain", nn.to_plain, {"model": layer}
    yield "plot_equivariance", nn.plot_equivariance, {"module": layer, "size": 9}
    yield "plot_filters", layer.plot_filters, {"show": 2}
    yield "transform", nn.transform, {"x": torch.zeros(1, 4, 5, 5), "g": 1, "rep": fields}
    yield "from_escnn", nn.from_escnn, {"field_type": object()}
    yield "from_e2cnn", nn.from_e2cnn, {"field_type": object()}
    yield "to_e3nn", nn.to_e3nn, {"field_type": pdobasis.field_type("irrep(1)", "SO(3)")}
    yield "use_costs", nn.use_costs, {"costs": nn.Costs()}


ROOMS = {"library": _library, "stencils": _stencils, "layers": _layers}


@pytest.mark.parametrize("room", list(ROOMS))
def test_wrong_types_are_refused_in_one_line(room: str, tmp_path: Path) -> None:
    bad = []
    for name, function, given in ROOMS[room](tmp_path):
        for parameter in _parameters(function, given):
            for wrong in WRONG:
                said = _said(function, {**given, parameter: wrong})
                if said is not None:
                    bad.append(f"{name}({parameter}={wrong!r:.20}): {said}")
    assert not bad, "\n".join(bad)


def _parameters(function: Callable[..., Any], given: dict[str, Any]) -> list[str]:
    own = inspect.signature(function).parameters.values()
    named = [p.name for p in own if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    return list(dict.fromkeys([*given, *named]))


def _said(function: Callable[..., Any], given: dict[str, Any]) -> str | None:
    """None where the call is answered, or refused as it should be; otherwise what happened."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = function(**given)
            if isinstance(found, types.GeneratorType):
                list(found)
    except (PdoBasisError, TypeError, ValueError) as error:
        text = str(error)
        if not text.strip() or "\n" in text or len(text) > LONGEST:
            return f"{type(error).__name__}: {text!r:.200}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)!r:.200}"
    return None


def test_every_public_function_is_tried(tmp_path: Path) -> None:
    """What is new has to be listed above."""
    tried = {name.split(".")[0] for room in ("library", "stencils") for name, *_ in ROOMS[room](tmp_path)}
    left = {"radial_derivatives", "staggered", "staggered_defect"}  # of the machine room: arrays that methods make
    for package in (pdobasis, stencils):
        for name in package.__all__:
            if inspect.isfunction(getattr(package, name)) and name not in left:
                assert name in tried, name


def _refused() -> dict[str, Callable[[], object]]:
    basis = pdobasis.solve("D4", "trivial", "vector", order=1)
    op, square = basis[0].operator, pdobasis.Lattice.named("square")
    turned = pdobasis.field_type("regular", "C4")[0]
    heat = pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", degree=1)
    loose: Any = "ab"
    number: Any = 3
    return {
        "size of a text": lambda: basis.stencils("fd", loose),
        "size between": lambda: basis.stencils("fd", number / 2),
        "shape of one number": lambda: basis.matrix(number),
        "shape of a text": lambda: op.on_grid(loose),
        "points of a text": lambda: basis.on_cloud(loose),
        "a kernel at a text": lambda: basis.gaussian_kernels().at(loose, 1.0),
        "complex wave vectors": lambda: basis.fourier().at([1j, 0]),
        "a field of a text": lambda: op.on_arrays(loose),
        "a spacing of a text": lambda: op.on_arrays(np.zeros((1, 8, 8)), loose),
        "a lattice by number": lambda: basis.on_lattice(number),
        "accuracy of a text": lambda: basis.on_lattice("square", accuracy=loose),
        "nodes of another dimension": lambda: square.coordinates([(1, 2, 3)]),
        "nodes of a text": lambda: square.shells(loose),
        "nodes between": lambda: square.closed([(0.5, 1)], pdobasis.group("C4")),  # type: ignore[list-item]
        "a group by name": lambda: square.symmetries(loose),
        "a representation at a number": lambda: turned.at(number),
        "fields by number": lambda: pdobasis.complexes("SO(3)", number),
        "a field of another name": lambda: heat.sympy(q=1),
        "too many expressions": lambda: heat[0].sympy(p=[1, 2]),
        "an expression as text": lambda: heat[0].sympy(p="x1"),
    }


@pytest.mark.parametrize("name", _refused())
def test_what_means_nothing_is_refused_in_words_of_ours(name: str) -> None:
    """Not by whatever an array or a fraction says of it, and not by silence."""
    with pytest.raises(PdoBasisError) as refused:
        _refused()[name]()
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < LONGEST


def test_nodes_may_come_one_by_one() -> None:
    square, half_turn = pdobasis.Lattice.named("square"), pdobasis.group("C2")
    nodes = [(0, 0), (1, 0), (-1, 0), (0, 1)]
    assert square.kept(iter(nodes), half_turn) == square.kept(nodes, half_turn) == ((-1, 0), (0, 0), (1, 0))
