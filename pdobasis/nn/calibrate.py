"""``python -m pdobasis.nn.calibrate``: print what jets cost on a device, as a line of Python.

A command; the function is `pdobasis.nn.calibrate`, in `pdobasis.nn.calibration`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from pdobasis.errors import PdoBasisError
from pdobasis.nn.calibration import calibrate
from pdobasis.nn.cost import Costs


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pdobasis.nn.calibrate",
        description="Measure when jets are faster than dense filters on this machine.",
    )
    parser.add_argument("--device", default="cpu", help="as torch names it (cpu)")
    parser.add_argument(
        "--dims", type=int, nargs="+", default=[2], help="dimensions: 1, 2, 3 (2)"
    )
    parser.add_argument(
        "--rounds", type=int, default=5, help="how often each is measured (5)"
    )
    given = parser.parse_args(arguments)
    try:
        costs = calibrate(given.device, given.dims, given.rounds)
    except PdoBasisError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(*lines(costs), sep="\n")
    busy = _load()
    if costs.device == "cpu" and busy > 1:
        print(
            f"note: {busy:.1f} programs ran on each processor: measure again when they are done",
            file=sys.stderr,
        )
    return 0


def lines(costs: Costs) -> list[str]:
    """What to write into a program, and what it means in the plane."""
    least = next(
        (c for c in range(1, 10_001) if costs.prefer_jets(c, taps=25, atoms=10, dim=2)),
        None,
    )
    meaning = f"jets from {least} output channels on"
    if least is None:
        meaning = "always dense"
    return [
        f"# {costs.device}, 5x5 of order 3 in the plane: {meaning}",
        "from pdobasis.nn import Costs, use_costs",
        # "inf" alone is no number in Python.
        f"use_costs({costs})".replace("inf", 'float("inf")'),
    ]


def _load() -> float:
    """Programs that wanted a processor in the last minute, for each of them; 0 where the system does not say."""
    if not hasattr(os, "getloadavg"):
        return 0.0
    return os.getloadavg()[0] / (os.cpu_count() or 1)


if __name__ == "__main__":
    raise SystemExit(main())
