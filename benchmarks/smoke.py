"""Every benchmark at its smallest size, ours alone, so that they do not rot: under a minute, nothing is written.

python benchmarks/smoke.py
"""

from __future__ import annotations

import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.common import Context
from benchmarks.compare import PARTS, as_data, page
from benchmarks.parts import basis
from benchmarks.peers import programs


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        context = Context(rounds=1, quick=True, plots=Path(folder), use_peers=False)
        stored = {}
        try:
            for part in PARTS:
                start = time.perf_counter()
                stored[part] = as_data(import_module(f"benchmarks.parts.{part}").run(context), context)
                print(f"{part}: {time.perf_counter() - start:.1f} s")
        finally:
            context.close()
    require("| question | elements |" in page(stored), "the page has no table of bases")
    for question in basis.QUICK:
        given = programs.given(question.group, question.source, question.target, question.order)
        for system in programs.COMMANDS:
            require("RESULT" in programs.program(system, given, 1), f"no program for {system}")


def require(holds: bool, message: str) -> None:
    if not holds:
        raise SystemExit(f"smoke: {message}")


if __name__ == "__main__":
    main()
