"""Measure pdobasis beside what a user would pick instead, and write docs/benchmarks.md.

    python benchmarks/compare.py [--only basis,growth,…] [--rounds N] [--quick] [--print]
    python benchmarks/compare.py --only methods --print     # direct beside transfer, ours alone
    python benchmarks/compare.py --only jets --print        # dense against jets, for the cost model
    python benchmarks/compare.py --only boundaries --print  # matrices with boundaries beside SciPy and findiff
    python benchmarks/compare.py --only weights --print     # stencils beside BLAS, LAPACK, SymPy, findiff
    python benchmarks/compare.py --only cliffs --print      # questions drawn from the grammar, against their size
    python benchmarks/compare.py --only matrices --print    # whole grids, beside findiff, py-pde and SciPy
    python benchmarks/compare.py --only offgrid --print     # which stencil is rounder, for docs/stencils.md

Everything is interleaved in one run: in each round all candidates answer the same question one after the other, so that
a busy machine slows them alike. What is needed of the peers is installed by pip into environments of their own
(benchmarks/.peers); Singular, GAP and Macaulay2 are used when they are on the PATH. pdobasis itself is taken from this
checkout, with the packages of the interpreter that runs this script (the ``test`` extra has all of them).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.common import HERE, ROOT, Context, Goal, Section, table

PARTS = (
    "basis", "growth", "start", "stencils", "layer", "quality", "methods", "jets", "weights", "offgrid", "network",
    "cliffs", "matrices", "boundaries",
)  # fmt: skip
PAGE = ROOT / "docs" / "benchmarks.md"
RESULTS = ROOT / "docs" / "benchmarks" / "results.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--quick", action="store_true", help="few and small questions; the page is printed, not written"
    )
    parser.add_argument("--print", action="store_true", help="print these parts; nothing is written")
    parser.add_argument("--threads", type=int, default=2, help="of torch, for the part jets")
    parser.add_argument("--cpu-time", action="store_true", help="jets: processor time of one thread")
    parser.add_argument("--seed", type=int, default=17, help="cliffs: of the sample")
    parser.add_argument("--no-peers", action="store_true", help="ours alone")
    parser.add_argument("--cache", type=Path, default=HERE / ".peers", help="where the peers' environments are kept")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if unknown := [p for p in chosen if p not in PARTS]:
        parser.error(f"unknown part {unknown[0]!r}: one of {', '.join(PARTS)}")
    options.cache.mkdir(parents=True, exist_ok=True)
    is_written = not options.quick and not options.print
    plots = PAGE.parent / "benchmarks" if is_written else Path(tempfile.mkdtemp())
    context = Context(options.rounds, options.quick, options.cache, plots, use_peers=not options.no_peers,
                      threads=options.threads, cpu_time=options.cpu_time, seed=options.seed)  # fmt: skip
    stored: dict[str, Any] = json.loads(RESULTS.read_text()) if is_written and RESULTS.exists() else {}
    try:
        for part in chosen:
            start = time.perf_counter()
            stored[part] = as_data(import_module(f"benchmarks.parts.{part}").run(context), context)
            print(f"{part}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
            if is_written:
                RESULTS.parent.mkdir(parents=True, exist_ok=True)
                RESULTS.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
    finally:
        context.close()
    text = page(stored)
    if is_written:
        PAGE.write_text(text)
        print(f"wrote {PAGE.relative_to(ROOT)}", file=sys.stderr)
    else:
        print(text)


def as_data(section: Section, context: Context) -> dict[str, Any]:
    return {
        "title": section.title,
        "paragraphs": section.paragraphs,
        "goals": [[g.text, g.figure, g.met] for g in section.goals],
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "rounds": context.rounds,
        "load": f"{os.getloadavg()[0]:.1f}",
        "versions": context.versions,
    }


def page(stored: dict[str, Any]) -> str:
    parts = [stored[name] for name in PARTS if name in stored]
    versions = {k: v for part in parts for k, v in part["versions"].items()}
    goals = [Goal(*g) for part in parts for g in part["goals"]]
    lines = [
        "# Benchmarks",
        "Written by `python benchmarks/compare.py`; run it again to measure on your machine. Every ratio is the median "
        "of at least five rounds with its interquartile range (fewer where the table says n = …, for candidates that "
        "take very long); in each round all candidates are measured one after the other. Times in seconds are "
        "given for orientation only: they were measured on a shared machine.",
        "Machine: " + machine() + ". Versions: " + ", ".join(f"{k} {v}" for k, v in sorted(versions.items())) + ".",
        "## Goals",
        table(["goal", "figure", ""], [g.row() for g in goals]),
    ]
    for part in parts:
        lines += [f"## {part['title']}", *part["paragraphs"]]
        lines += [f"*Measured {part['date']}, {part['rounds']} rounds, load average {part['load']}.*"]
    return "\n\n".join(lines) + "\n"


def machine() -> str:
    try:
        model = next(line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                     if line.startswith("model name"))  # fmt: skip
        memory = int(Path("/proc/meminfo").read_text().split()[1]) / 2**20
    except (OSError, StopIteration):
        return f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    system = subprocess.run(["uname", "-sr"], capture_output=True, text=True, check=False).stdout.strip()
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GB, {system}"


if __name__ == "__main__":
    main()
