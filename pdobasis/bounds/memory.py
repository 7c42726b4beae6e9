"""How much memory this process has."""

from __future__ import annotations

import os
import sys

_STATM = "/proc/self/statm"


def resident() -> int:
    """Bytes of this process that are in memory; 0 where the system does not tell."""
    try:
        with open(_STATM, "rb", buffering=0) as file:
            return int(file.read(200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError, AttributeError):
        return peak()


def peak() -> int:
    """The most that it ever had, which is never too little; 0 where the system does not tell."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    most = getrusage(RUSAGE_SELF).ru_maxrss
    # kilobytes, but for macOS
    if sys.platform != "darwin":
        most *= 1024
    return int(most)
