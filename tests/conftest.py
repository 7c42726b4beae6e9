"""Hypothesis gives the same examples everywhere."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")

collect_ignore_glob = ["oracles/*"]  # scripts that make test data with other packages
