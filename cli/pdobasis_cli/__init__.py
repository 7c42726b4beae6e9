"""The command line of pdobasis: a command parses, calls the library, prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pdobasis_cli.commands import main

__all__ = ["main"]


def __getattr__(name: str) -> Any:
    """``main`` when it is asked for: the process that watches a command goes without click."""
    if name != "main":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from pdobasis_cli.commands import main
    except KeyboardInterrupt:  # Ctrl-C while modules are still loaded
        raise SystemExit(130) from None
    return main
