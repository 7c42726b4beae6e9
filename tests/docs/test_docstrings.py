"""Nothing public is undocumented: names and members have docstrings, functions say what they take, examples run."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

pytestmark = pytest.mark.docs

ROOMS = ("pdobasis", "pdobasis.nn", "pdobasis.nn.models", "pdobasis.stencils", "pdobasis.measure")


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


@pytest.mark.parametrize("room", ROOMS)
def test_functions_and_modules_say_their_parameters_and_every_one_of_them(room: str) -> None:
    missing = []
    for name, value in public(room):
        is_module = inspect.isclass(value) and any(base.__module__.startswith("torch") for base in value.__mro__)
        if inspect.isclass(value) and not is_module:
            continue
        text = inspect.getdoc(value) or ""
        said = told(sections(text).get("Parameters", ""))
        for parameter in inspect.signature(value).parameters:  # type: ignore[arg-type]
            if parameter not in said:
                missing.append(f"{name}({parameter})")
    assert missing == []


@pytest.mark.parametrize("room", ROOMS)
def test_functions_say_what_they_return_and_name_no_parameter_that_is_not_there(room: str) -> None:
    wrong = []
    for name, value in public(room):
        if not inspect.isfunction(value):
            continue
        found, signature = sections(inspect.getdoc(value) or ""), inspect.signature(value)
        if str(signature.return_annotation) != "None" and not (found.get("Returns") or found.get("Yields")):
            wrong.append(f"{name}: what it returns")
        wrong += [f"{name}({extra})" for extra in told(found.get("Parameters", "")) - set(signature.parameters)]
    assert wrong == []


@pytest.mark.parametrize("room", ROOMS)
def test_functions_say_what_they_refuse(room: str) -> None:
    missing = []
    for name, found in public(room):
        if inspect.isfunction(found):
            raises = set(re.findall(r"raise (\w+Error)\(", inspect.getsource(found)))
            missing += [f"{name}: {e}" for e in raises - told(sections(inspect.getdoc(found) or "").get("Raises", ""))]
    assert missing == []


def sections(text: str) -> dict[str, str]:
    """The sections of numpydoc, by their titles."""
    lines = text.split("\n")
    starts = [k for k in range(len(lines) - 1) if lines[k].strip() and set(lines[k + 1]) == {"-"}]
    ends = [*starts[1:], len(lines)]
    return {lines[a]: "\n".join(lines[a + 2 : b]) for a, b in zip(starts, ends, strict=False)}


def told(section: str) -> set[str]:
    """The names that a section explains: those at the beginning of a line, several between commas."""
    return {
        word.strip("*,") for line in section.split("\n") if line[:1].strip() for word in line.split(" : ")[0].split()
    }


def values() -> Iterator[tuple[str, type]]:
    """The public classes of values."""
    for name, value in public("pdobasis"):
        if inspect.isclass(value) and not issubclass(value, Exception):
            yield name, value


def methods(kind: type) -> Iterator[tuple[str, Callable[..., object]]]:
    for name, value in vars(kind).items():
        own = getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(own):
            yield name, own


def test_values_say_what_they_hold_and_show_it() -> None:
    missing = []
    for name, kind in values():
        text = inspect.getdoc(kind) or ""
        found = sections(text)
        said = told(found.get("Attributes", "") + "\n" + found.get("Parameters", ""))
        fields = [f.name for f in dataclasses.fields(kind) if not f.name.startswith("_")]
        missing += [f"{name}.{field}" for field in fields if field not in said]
        missing += [f"{name}: {extra} is no attribute" for extra in said - set(fields)]
        if ">>>" not in text:
            missing.append(f"{name}: an example")
    assert missing == []


@pytest.mark.parametrize("room", ROOMS)
def test_everything_public_has_an_example(room: str) -> None:
    """Errors are shown where they are raised."""
    bare = []
    for name, value in public(room):
        is_error = inspect.isclass(value) and issubclass(value, Exception)
        if not is_error and ">>>" not in (inspect.getdoc(value) or ""):
            bare.append(name)
    assert bare == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_attribute_of_a_value_is_explained(room: str) -> None:
    missing = []
    for name, kind in public(room):
        if not inspect.isclass(kind) or not dataclasses.is_dataclass(kind):
            continue
        found = sections(inspect.getdoc(kind) or "")
        said = told(found.get("Attributes", "") + "\n" + found.get("Parameters", ""))
        fields = {f.name for f in dataclasses.fields(kind) if not f.name.startswith("_")}
        missing += [f"{name}.{field}" for field in fields - said]
        missing += [f"{name}: {extra} is no attribute" for extra in said - fields]
    assert missing == []


def test_methods_of_values_say_what_they_take_give_and_refuse() -> None:
    missing = []
    for name, kind in values():
        for member, method in methods(kind):
            text = inspect.getdoc(method) or ""
            found = sections(text)
            signature = inspect.signature(method)
            wanted = [p for p in signature.parameters if p not in ("self", "cls")]
            said = told(found.get("Parameters", ""))
            missing += [f"{name}.{member}({p})" for p in wanted if p not in said]
            missing += [f"{name}.{member}: {extra} is no parameter" for extra in said - set(wanted)]
            if str(signature.return_annotation) != "None" and "Returns" not in found:
                missing.append(f"{name}.{member}: what it returns")
            raises = set(re.findall(r"raise (\w+Error)\(", inspect.getsource(method)))
            missing += [f"{name}.{member}: {error}" for error in raises - told(found.get("Raises", ""))]
            if ">>>" not in text:
                missing.append(f"{name}.{member}: an example")
    assert missing == []


def test_what_is_said_to_be_raised_is_an_error_of_ours() -> None:
    known = {
        name for room in ("errors", "stencils.errors") for name in dir(importlib.import_module(f"pdobasis.{room}"))
    }
    unknown = []
    for name, kind in values():
        for member, method in methods(kind):
            found = sections(inspect.getdoc(method) or "")
            unknown += [f"{name}.{member}: {e}" for e in told(found.get("Raises", "")) - known]
    assert unknown == []


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
