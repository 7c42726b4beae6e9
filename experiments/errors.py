"""Errors of experiments: printed in one or two lines, as all of the library's are."""

from __future__ import annotations

from pdobasis.errors import PdoBasisError


class ExperimentError(PdoBasisError, ValueError):
    """A configuration, a run folder or a command that cannot be meant; says where and what would be right."""


class MissingDataError(ExperimentError):
    """Data that have to be fetched or made first; says by which command."""


class BusyError(ExperimentError):
    """A run folder that another process is working on."""
