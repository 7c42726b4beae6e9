"""Memory of discovery beside that of its features: python -m benchmarks.discovery.memory [--points 256] [--frames 100]

Terms of C2 of a vector field, of degree 4 with at most two derivatives a factor and four together: 624. Two sizes are
called features:

- at points: one number a term, component, point and frame, which is what a library in the strong form holds;
- weak: one number a term, component and test function, with the target: the matrix of the regression.

What is measured is the peak of memory that is allocated beside the recording (by tracemalloc): for smoothing, and for
one pass over all frames with noise put on once more. A search repeats such passes, one after the other.
"""

from __future__ import annotations

import argparse
import json
import time
import tracemalloc
from typing import Any

import numpy as np

from pdobasis.discovery import discover
from pdobasis.discovery.candidates import candidates
from pdobasis.discovery.columns import Plan
from pdobasis.discovery.functions import RADII, test_functions
from pdobasis.discovery.recording import Recording


def measure(points: int, frames: int, group: str = "C2") -> dict[str, Any]:
    found = candidates(group, {"u": "vector"}, "u", 4, 2, max_total=4)
    plan = Plan(found, True, 2)
    given = waves(points, frames)
    tracemalloc.start()
    start = time.process_time()
    ready = discover.prepared(given, None, True)
    smoothing = tracemalloc.get_traced_memory()[1]
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    time_axis, space, rows, _ = test_functions(plan, ready, RADII[0])
    again = discover.AGAIN
    discover.AGAIN = 1
    discover._moments(plan, ready, time_axis, space, rows, np.random.default_rng(0))
    discover.AGAIN = again
    peak = tracemalloc.get_traced_memory()[1] - kept
    tracemalloc.stop()
    functions = len(time_axis.centres) * int(np.prod([len(s.centres) for s in space]))
    weak = 8 * (len(found) + 1) * plan.size * functions
    return {
        "terms": len(found),
        "recording_mb": sum(u.nbytes for u in given.fields.values()) / 1e6,
        "features_at_points_mb": 8 * len(found) * plan.size * points**2 * frames / 1e6,
        "test_functions": functions,
        "features_weak_mb": weak / 1e6,
        "peak_smoothing_mb": smoothing / 1e6,
        "peak_columns_mb": peak / 1e6,
        "peak_by_features_weak": max(peak, smoothing) / weak,
        "seconds": time.process_time() - start,
    }


def waves(points: int, frames: int) -> Recording:
    """A field of some waves with noise; what it says does not matter."""
    rng = np.random.default_rng(0)
    x = 2 * np.pi * np.arange(points) / points
    t = np.linspace(0, 1, frames)
    u = 0.1 * rng.normal(size=(frames, 2, points, points))
    for k1, k2 in ((1, 0), (2, 1), (0, 3), (3, 2)):
        wave = np.cos(k1 * x + k2 * x[:, None] + rng.uniform(0, 6))
        u += np.cos(t + k1)[:, None, None, None] * rng.normal(size=(2, 1, 1)) * wave
    return Recording({"u": u}, t, (x, x))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=256)
    parser.add_argument("--frames", type=int, default=100)
    given = parser.parse_args()
    print(json.dumps(measure(given.points, given.frames), indent=1))


if __name__ == "__main__":
    main()
