"""Hypothesis gives the same examples everywhere, and children can be interrupted."""

from __future__ import annotations

import signal

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")

# A shell starts what it puts into the background with SIGINT ignored, which
# children inherit; a handler of our own is not inherited.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore_glob = ["oracles/*"]  # scripts that make test data with other packages
