"""Warnings that point at the line of the user."""

from __future__ import annotations

import sys
import warnings

from pdobasis.layers.errors import EquivarianceWarning

BETWEEN = (__name__.partition(".")[0], "torch")
"""Packages whose lines are not the user's: ours, and the containers that our networks fill."""


def warn_user(message: str) -> None:
    """An `EquivarianceWarning` at the first line outside these packages, however deep the call is."""
    frame, level = sys._getframe(1), 2
    while _is_between(frame.f_globals.get("__name__", "")) and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, EquivarianceWarning, stacklevel=level)


def _is_between(module: str) -> bool:
    return module.partition(".")[0] in BETWEEN
