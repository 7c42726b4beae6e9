"""Equations found by the terms of a symmetry, and by PySINDy's generic libraries: python -m benchmarks.discovery

[--systems burgers,…] [--seeds 2] [--noise 0,0.01,0.05,0.2] [--points 48] [--frames 60] [-o FILE.jsonl] [--page FILE.md]

One line of JSON for each run; a page between the marks <!-- table --> and <!-- end --> is written anew. Times are
processor time, without the stability selection.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.discovery.peers import generic
from benchmarks.discovery.systems import SYSTEMS, System
from pdobasis.discovery.discover import discover
from pdobasis.discovery.recording import recording

METHODS = ("pdobasis, weak", "pdobasis, strong", "PySINDy, weak", "PySINDy, strong")


def ours(system: System, level: float, seed: int, target: str, weak: bool) -> dict[str, Any]:
    start = time.process_time()
    sizes = {name: u.shape[1] for name, u in system.data.items()}
    found = discover(
        recording(system.arrays(level, seed), sizes),
        system.group,
        system.fields,
        target=target,
        degree=system.degree,
        derivatives=system.derivatives,
        weak=weak,
        samples=0,
    )
    truth = system.truth[target]
    own = {t.text: t.coefficient for t in found.terms}
    errors = [abs(own.get(text, 0.0) - value) / abs(value) for text, value in truth.items()]
    return {
        "candidates": len(found.every),
        "right": len(set(own) & set(truth)),
        "wrong": len(set(own) - set(truth)),
        "true": len(truth),
        "error": float(np.median(errors)),
        "seconds": time.process_time() - start,
    }


def runs(names: list[str], levels: list[float], seeds: int, points: int, frames: int, out: Path) -> None:
    with out.open("w") as file:
        for seed in range(seeds):
            for name in names:
                size = {"frames": frames} if name == "reaction_3d" else {"frames": frames, "n": points}
                system = SYSTEMS[name](seed=100 + seed, **size)
                for level in levels:
                    for target in system.truth:
                        for method in METHODS:
                            weak = method.endswith("weak")
                            if method.startswith("pdobasis"):
                                own = ours(system, level, seed, target, weak)
                            else:
                                own = generic(system, system.noisy(level, seed), target, weak)
                            line = {
                                "system": f"{system.name}, ∂_t {target}",
                                "noise": level,
                                "seed": seed,
                                "method": method,
                                **own,
                            }
                            print(json.dumps(line, ensure_ascii=False), file=file, flush=True)


def table(lines: list[dict[str, Any]]) -> str:
    """Markdown, one row for a system and a level, spread over seeds."""
    out = [
        "| equation | noise | method | candidates | right | wrong | median error of coefficients | seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    keys = dict.fromkeys((a["system"], a["noise"], m) for a in lines for m in METHODS)
    for system, noise, method in sorted(keys, key=lambda k: (k[0], k[1], METHODS.index(k[2]))):
        own = [a for a in lines if (a["system"], a["noise"], a["method"]) == (system, noise, method)]
        if not own:
            continue
        first = own[0]
        cells = [system, f"{noise:.0%}", method, str(first["candidates"])]
        cells += [f"{_spread(own, 'right', '.0f')} of {first['true']}", _spread(own, "wrong", ".0f")]
        cells += [_spread(own, "error", ".1e"), _spread(own, "seconds", ".1f")]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out)


def _spread(own: list[dict[str, Any]], key: str, form: str) -> str:
    values = sorted({format(a[key], form): a[key] for a in own}.items(), key=lambda pair: pair[1])
    if len(values) == 1:
        return str(values[0][0])
    return f"{values[0][0]} to {values[-1][0]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", default=",".join(n for n in SYSTEMS if n != "reaction_3d"))
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--noise", default="0,0.01,0.05,0.2")
    parser.add_argument("--points", type=int, default=48)
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/benchmarks/discovery.jsonl"))
    parser.add_argument("--page", type=Path, default=Path("docs/discovery.md"))
    parser.add_argument("--only-page", action="store_true", help="write the table of the lines that are there")
    given = parser.parse_args()
    if not given.only_page:
        levels = [float(text) for text in given.noise.split(",")]
        runs(given.systems.split(","), levels, given.seeds, given.points, given.frames, given.output)
    lines = [json.loads(line) for line in given.output.read_text().splitlines()]
    found = table(lines)
    print(found)
    text = given.page.read_text()
    block = f"<!-- table -->\n{found}\n<!-- end -->"
    given.page.write_text(re.sub(r"<!-- table -->.*?<!-- end -->", lambda _: block, text, flags=re.S))


if __name__ == "__main__":
    main()
