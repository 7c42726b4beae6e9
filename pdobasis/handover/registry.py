"""Which targets there are, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pdobasis.errors import SpecError, UnknownNameError
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


def writer(name: str) -> Callable[[StencilSet], str]:
    """What writes the source of a target."""
    own = find(name).source
    if own is None:
        known = [target.name for target in targets() if target.source is not None]
        raise SpecError(
            f"the target {name!r} has no source: use .to({name!r}), or one of {', '.join(known)}"
        )
    return own
