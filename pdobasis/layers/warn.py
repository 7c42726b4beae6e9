"""Warnings that point at the line of the user."""

from __future__ import annotations

import sys
import warnings

from pdobasis.layers.errors import EquivarianceWarning

PACKAGE = __name__.partition(".")[0]


def warn_user(message: str) -> None:
    """An `EquivarianceWarning` at the first line outside this package, however deep the call is."""
    frame, level = sys._getframe(1), 2
    while _is_ours(frame.f_globals.get("__name__", "")) and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, EquivarianceWarning, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module == PACKAGE or module.startswith(f"{PACKAGE}.")
