"""Which targets there are, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any

from pdobasis.errors import SpecError, UnknownNameError, WrongTypeError
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target

_KNOWN: dict[str, Target] = {}


def register(target: Target) -> None:
    """Make a target known to `StencilSet.to` and `StencilSet.source`."""
    if target.name in _KNOWN:
        raise SpecError(f"there is a target {target.name!r} already: take another name")
    _KNOWN[target.name] = target


@contextmanager
def registered(target: Target) -> Iterator[None]:
    """Known inside a ``with`` only."""
    register(target)
    try:
        yield
    finally:
        del _KNOWN[target.name]


def targets() -> tuple[Target, ...]:
    return tuple(_KNOWN.values())


def find(name: str) -> Target:
    """The target of this name; a refusal names the nearest."""
    if not isinstance(name, str):
        raise WrongTypeError("target", f"one of {', '.join(_KNOWN)}", name)
    if name not in _KNOWN:
        raise UnknownNameError("target", name, _KNOWN, f"(one of {', '.join(_KNOWN)})")
    return _KNOWN[name]


def builder(name: str) -> Callable[..., Any]:
    """What makes the object of a target."""
    own = find(name).build
    if own is None:
        known = [target.name for target in targets() if target.build is not None]
        raise SpecError(
            f"the target {name!r} has no object: use .source({name!r}), or one of {', '.join(known)}"
        )
    return own


def require_keywords(
    name: str, build: Callable[..., Any], given: Iterable[str]
) -> None:
    """Refuse what a target does not take, and say what it needs."""
    _, *own = signature(build).parameters.values()
    known = [parameter.name for parameter in own]
    for keyword in given:
        if keyword not in known:
            told = f"(it takes {', '.join(known) or 'none'})"
            raise UnknownNameError(
                f"argument of the target {name!r}", keyword, known, told
            )
    missing = [p.name for p in own if p.default is p.empty and p.name not in given]
    if missing:
        raise SpecError(f"the target {name!r} needs {', '.join(missing)}=")


def writer(name: str) -> Callable[[StencilSet], str]:
    """What writes the source of a target."""
    own = find(name).source
    if own is None:
        known = [target.name for target in targets() if target.source is not None]
        raise SpecError(
            f"the target {name!r} has no source: use .to({name!r}), or one of {', '.join(known)}"
        )
    return own
