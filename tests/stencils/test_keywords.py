"""Options of stencils are keywords with types: those of the registry, everywhere, and a wrong name is refused in a line."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.errors import SpecError
from pdobasis.files import export_stencils
from pdobasis.handover import targets
from pdobasis.handover.stencil_set import TargetKeywords
from pdobasis.layers.keywords import TruncationKeywords
from pdobasis.question.truncating import NAMES
from pdobasis.stencils.discretize import GRID_OPTIONS
from pdobasis.stencils.keywords import CloudKeywords, GridKeywords, MethodKeywords, StencilKeywords
from pdobasis.stencils.registry import discretizations
from tests.stencils.write_keywords import PATH, source


def test_the_keywords_are_those_of_the_registry() -> None:
    told = "write them again: python -m tests.stencils.write_keywords"
    assert PATH.read_text(encoding="utf-8") == source(), told
    every = [name for method in discretizations() for name in method.option_names]
    assert set(MethodKeywords.__annotations__) == set(every)
    on_clouds = [name for method in discretizations() if method.has_clouds for name in method.option_names]
    assert set(CloudKeywords.__annotations__) == set(on_clouds)
    assert set(GridKeywords.__annotations__) == set(GRID_OPTIONS)
    assert set(TruncationKeywords.__annotations__) == set(NAMES)


def test_basis_stencils_writes_all_of_them_out() -> None:
    given = set(inspect.signature(pdobasis.Basis.stencils).parameters) - {"self", "method", "size", "others"}
    assert given == set(StencilKeywords.__annotations__)


def test_the_keywords_of_targets_are_those_of_their_builders() -> None:
    found = set()
    for target in targets():
        if target.build is not None:
            found |= set(list(inspect.signature(target.build).parameters)[1:])
    assert found == set(TargetKeywords.__annotations__)


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function and method of the package."""
    for module in pkgutil.walk_packages(pdobasis.__path__, "pdobasis."):
        if module.name.endswith("__main__") or any(part.startswith("_") for part in module.name.split(".")):
            continue
        try:
            room = importlib.import_module(module.name)
        except pdobasis.PdoBasisError:  # an extra is missing
            continue
        for name, value in vars(room).items():
            if name.startswith("_") or getattr(value, "__module__", None) != room.__name__:
                continue
            if inspect.isfunction(value):
                yield f"{room.__name__}.{name}", value
            if inspect.isclass(value):
                for member, own in vars(value).items():
                    own = getattr(own, "__func__", own)
                    # that of a protocol is not ours
                    if not inspect.isfunction(own) or own.__module__ == "typing":
                        continue
                    if not member.startswith("_") or member == "__init__":
                        yield f"{room.__name__}.{name}.{member}", own


FREE = {
    "pdobasis.answer.basis.Basis.stencils": "options of a discretization of one's own",
    "pdobasis.layers.request.sampled": "not public: what a layer was given, as it was given",
    "pdobasis.nn.points.CloudJets.to": "handed on to Tensor.to",
    "pdobasis.nonlinear.result.Term.sympy": "fields by their names",
    "pdobasis.nonlinear.result.Terms.sympy": "fields by their names",
    "pdobasis.pictures.canvas.Picture.savefig": "matplotlib's",
    "pdobasis.atlas.store.Store.query": "columns of a row",
    "pdobasis.values.dataclass": "those of dataclasses.dataclass",
}


def test_nothing_takes_options_without_names() -> None:
    pytest.importorskip("torch")
    found = []
    for name, function in functions():
        for parameter in inspect.signature(function).parameters.values():
            is_open = parameter.kind is parameter.VAR_KEYWORD and "Unpack" not in str(parameter.annotation)
            if is_open and str(parameter.annotation) != "Never":
                found.append(name)
    assert sorted(found) == sorted(FREE)


POINTS = np.random.default_rng(0).random((40, 2))


@pytest.fixture
def basis() -> pdobasis.Basis:
    return pdobasis.solve("D4", "trivial", "vector", order=1)


def refusals() -> dict[str, tuple[Callable[[pdobasis.Basis, dict[str, Any]], object], str]]:
    waves = np.zeros((1, 8, 8))
    return {
        "stencils": (lambda b, o: b.stencils("gauss", 5, **o), "sigma"),
        "stencil_set": (lambda b, o: b.stencil_set("gauss", 5, **o), "sigma"),
        "element": (lambda b, o: b[0].stencil_set("gauss", 5, **o), "sigma"),
        "operator": (lambda b, o: b[0].operator.stencil_set("gauss", 5, **o), "sigma"),
        "plot": (lambda b, o: b.plot("gauss", 5, **o), "sigma"),
        "matrix": (lambda b, o: b.matrix((8, 8), "gauss", 5, **o), "sigma"),
        "walls": (lambda b, o: b.matrix((8, 8), "gauss", 5, boundary="dirichlet", **o), "sigma"),
        "linear_operators": (lambda b, o: b.linear_operators((8, 8), "gauss", 5, **o), "sigma"),
        "on_cloud": (lambda b, o: b.on_cloud(POINTS, method="gauss", **o), "sigma"),
        "operator on a cloud": (lambda b, o: b[0].operator.on_cloud(POINTS, method="gauss", **o), "sigma"),
        "on_lattice": (lambda b, o: b.on_lattice("square", 3, "gauss", **o), "sigma"),
        "on_arrays": (lambda b, o: b[0].operator.on_arrays(waves, stencil="gauss", **o), "sigma"),
        "export": (lambda b, o: export_stencils(b, Path("never.npz"), "gauss", **o), "sigma"),
    }


@pytest.mark.parametrize("name", refusals())
def test_a_misspelt_option_is_refused_with_the_nearest_one(name: str, basis: pdobasis.Basis) -> None:
    call, nearest = refusals()[name]
    with pytest.raises(SpecError) as refused:
        call(basis, {"sgima": 1.0})
    assert f"did you mean {nearest}" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_arguments_that_stand_beside_them_are_guessed_too(basis: pdobasis.Basis) -> None:
    loose: dict[str, Any] = {"hyperviscocity": 2}
    with pytest.raises(SpecError, match="did you mean hyperviscosity"):
        basis.on_cloud(POINTS, **loose)
    loose = {"szie": 7}
    with pytest.raises(SpecError, match="did you mean size"):
        basis[0].operator.on_arrays(np.zeros((1, 8, 8)), **loose)
    loose = {"perodic": True}
    with pytest.raises(SpecError, match="did you mean periodic"):
        basis.stencil_set().to("findiff", **loose)
    with pytest.raises(SpecError, match="needs shape="):
        basis.stencil_set().to("sparse")


def test_writing_them_needs_no_other_module() -> None:
    """The keywords are read by type checkers: at run time they load nothing."""
    before = set(sys.modules)
    sys.modules.pop("pdobasis.stencils.keywords")
    importlib.import_module("pdobasis.stencils.keywords")
    assert set(sys.modules) == before
