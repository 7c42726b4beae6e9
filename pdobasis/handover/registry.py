"""Which targets there are, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pdobasis.errors import SpecError, UnknownNameError
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


def find(name: str, *, source: bool = False) -> Target:
    """The target of this name that is built, or written as source; a refusal names the nearest."""
    fitting = {
        target.name: target
        for target in targets()
        if (target.source if source else target.build) is not None
    }
    if name not in fitting:
        kind = "target with a source" if source else "target"
        raise UnknownNameError(kind, name, fitting, f"(one of {', '.join(fitting)})")
    return fitting[name]
