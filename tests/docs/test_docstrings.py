"""Nothing public is undocumented: names and members have docstrings, functions say what they take, examples run."""

from __future__ import annotations

import doctest
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

pytestmark = pytest.mark.docs

ROOMS = ("pdobasis", "pdobasis.nn", "pdobasis.nn.models", "pdobasis.stencils", "pdobasis.measure")
TAKING = ("pdobasis", "pdobasis.nn")
"""Rooms whose functions and modules say their parameters."""


def public(room: str) -> Iterator[tuple[str, object]]:
    module = importlib.import_module(room)
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            yield name, value


def members(kind: type) -> Iterator[tuple[str, object]]:
    """What a class of ours defines itself."""
    for name, value in vars(kind).items():
        own = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        own = getattr(own, "func", own)
        if not name.startswith("_") and inspect.isfunction(own):
            yield name, own


@pytest.mark.parametrize("room", ROOMS)
def test_everything_public_has_a_docstring(room: str) -> None:
    bare = []
    for name, value in public(room):
        if not inspect.getdoc(value):
            bare.append(name)
        if inspect.isclass(value):
            bare += [f"{name}.{member}" for member, own in members(value) if not own.__doc__]
    assert bare == []


@pytest.mark.parametrize("room", TAKING)
def test_functions_and_modules_say_their_parameters_and_every_one_of_them(room: str) -> None:
    missing = []
    for name, value in public(room):
        is_module = inspect.isclass(value) and any(base.__module__.startswith("torch") for base in value.__mro__)
        if inspect.isclass(value) and not is_module:
            continue
        text = inspect.getdoc(value) or ""
        _, _, section = text.partition("Parameters\n----------\n")
        told = {
            word.strip("*,")
            for line in section.split("\n")
            if line[:1].strip()
            for word in line.split(" : ")[0].split()
        }
        for parameter in inspect.signature(value).parameters:  # type: ignore[arg-type]
            if parameter not in told:
                missing.append(f"{name}({parameter})")
    assert missing == []


def rooms_with_torch() -> list[ModuleType]:
    return sorted(
        {inspect.getmodule(value) for _, value in public("pdobasis.nn")} - {None},  # type: ignore[arg-type]
        key=lambda module: module.__name__,
    )


def test_examples_of_layers_run() -> None:
    """Those of the other rooms run where the suite looks at modules; here torch is needed."""
    pytest.importorskip("torch")
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    tried = 0
    for module in rooms_with_torch():
        found = doctest.testmod(module, optionflags=flags)
        assert found.failed == 0, module.__name__
        tried += found.attempted
    assert tried > 50
