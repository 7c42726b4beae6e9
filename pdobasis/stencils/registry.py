"""Which discretizations there are, in the order in which they are listed.

Those of this package are listed in its ``__init__``; others are added by `register`, or for a while by `registered`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pdobasis.errors import SpecError, UnknownNameError, require_type
from pdobasis.stencils.discretization import Derivatives, Discretization
from pdobasis.stencils.options import Kind, Option

_KNOWN: dict[str, Discretization[Any]] = {}


def register(method: Discretization[Any]) -> None:
    """Make a discretization known to the command line, the files and the layers."""
    if method.name in _KNOWN:
        raise SpecError(
            f"there is a stencil {method.name!r} already: take another name, or unregister it first"
        )
    _KNOWN[method.name] = method


def unregister(name: str) -> None:
    del _KNOWN[find(name).name]


@contextmanager
def registered(method: Discretization[Any]) -> Iterator[None]:
    """Known inside a ``with`` only."""
    register(method)
    try:
        yield
    finally:
        unregister(method.name)


def discretizations() -> tuple[Discretization[Any], ...]:
    return tuple(_KNOWN.values())


def names() -> tuple[str, ...]:
    return tuple(_KNOWN)


def find(name: str) -> Discretization[Any]:
    """The discretization of this name; a refusal names the nearest."""
    require_type(name, str, "a stencil", f"one of {', '.join(names())}")
    if name not in _KNOWN:
        raise UnknownNameError(
            "stencil", name, names(), f"(one of {', '.join(names())})"
        )
    return _KNOWN[name]


def find_staggered(name: str) -> Derivatives[Any]:
    """One that works between the places of a staggered grid."""
    return _find_derivatives(
        name, "a staggered grid", [m.name for m in discretizations() if m.can_stagger]
    )


def find_for_points(name: str) -> Derivatives[Any]:
    """One that works on scattered points."""
    return _find_derivatives(
        name, "points", [m.name for m in discretizations() if m.has_clouds]
    )


def samples_kernels(name: str | None) -> bool:
    """Whether a name, which need not be known, is that of a method for kernels."""
    return name in kernel_names()


def kernel_names() -> list[str]:
    return [method.name for method in discretizations() if method.samples_kernels]


def known_options(name: str) -> tuple[Option, ...]:
    """The options of a method; none for a name that is not known (which is refused where the method is used)."""
    if name not in _KNOWN:
        return ()
    return _KNOWN[name].options


def option_names(name: str) -> tuple[str, ...]:
    return tuple(option.name for option in known_options(name))


def option_of(name: str) -> Option:
    """An option of some method; one that holds numbers, where no method has it."""
    for method in discretizations():
        for option in method.options:
            if option.name == name:
                return option
    return Option(name, Kind.NUMBERS, "")


def require_options(
    given: Mapping[str, Any] | Iterable[str],
    methods: Sequence[str],
    known: Iterable[str],
    arguments: Iterable[str] = (),
) -> None:
    """Every name that was given has to be known.

    One that another method has is refused with what these have; one that nobody has with the nearest of those, and of
    the ``arguments`` that stand beside them.
    """
    known = tuple(known)
    for name in given:
        if name in known:
            continue
        told = " + ".join(map(repr, methods))
        text = f"the stencil {told} has no option {name!r}; it has {', '.join(known) or 'none'}"
        if any(name in method.option_names for method in discretizations()):
            raise SpecError(text)
        raise UnknownNameError("argument", name, (*known, *arguments), f"({text})")


def _find_derivatives(name: str, purpose: str, fitting: list[str]) -> Derivatives[Any]:
    method = _KNOWN.get(name)
    if name not in fitting or not isinstance(method, Derivatives):
        raise UnknownNameError(
            f"stencil for {purpose}", name, fitting, f"(one of {', '.join(fitting)})"
        )
    return method
