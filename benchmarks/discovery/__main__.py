"""Equations found by the terms of a symmetry, and by PySINDy's generic libraries: python -m benchmarks.discovery

[--systems burgers,…] [--seeds 10,11,…] [--noise 0,0.01,0.05,0.2,…] [--methods pdobasis,PySINDy] [-o FILE.jsonl]
[--page FILE.md] [--long-page FILE.md] [--picture FILE.svg] [--only-page]

One line of JSON for each run; runs whose lines are there are not made again. What stands between <!-- limits --> and
<!-- end limits --> of the page, and <!-- table --> and <!-- end table --> of the long page, is written anew. Times are
processor time, without the stability selection.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.discovery.page import is_right, limits, picture, table, write_between
from benchmarks.discovery.peers import answers, features
from benchmarks.discovery.systems import SYSTEMS, System
from pdobasis.discovery.discover import discover
from pdobasis.discovery.recording import recording

Line = dict[str, Any]
NOISE = "0,0.01,0.05,0.2,0.4,0.8"
SEEDS = "10,11,12,13,14"
"""No rule of ours was chosen by looking at any of these."""
STRONG = 0.2
"""Noise above which the strong form is not tried; it is run with the first seed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--seeds", default=SEEDS)
    parser.add_argument("--noise", default=NOISE)
    parser.add_argument("--methods", default="pdobasis,PySINDy")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/benchmarks/discovery.jsonl"))
    parser.add_argument("--page", type=Path, default=Path("docs/discovery.md"))
    parser.add_argument("--long-page", type=Path, default=Path("docs/benchmarks/discovery.md"))
    parser.add_argument("--picture", type=Path, default=Path("docs/benchmarks/discovery-noise.svg"))
    parser.add_argument("--only-page", action="store_true", help="write the tables of the lines that are there")
    given = parser.parse_args()
    if not given.only_page:
        levels = [float(text) for text in given.noise.split(",")]
        seeds = [int(text) for text in given.seeds.split(",")]
        for name in given.systems.split(","):
            runs({seed: made(name, seed) for seed in seeds}, levels, given.methods.split(","), given.output)
    lines = read(given.output)
    print(limits(lines))
    write_between(given.long_page, "table", table(lines))
    write_between(given.page, "limits", limits(lines))
    picture(lines, given.picture)


def read(path: Path) -> list[Line]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def runs(systems: dict[int, System], levels: list[float], methods: list[str], out: Path) -> None:
    """One system with some seeds; level by level, since PySINDy is asked no more where it was wrong for all seeds."""
    first = next(iter(systems))
    for method in methods:
        for level in sorted(levels):
            for seed, system in systems.items():
                _run(system, level, seed, method, True, out)
            if level <= STRONG:
                _run(systems[first], level, first, method, False, out)


def made(name: str, seed: int) -> System:
    """48² points and 60 frames, 20³ and 40 in space."""
    if name == "reaction_3d":
        return SYSTEMS[name](seed=100 + seed, n=20, frames=40)
    return SYSTEMS[name](seed=100 + seed, n=48, frames=60)


def _run(system: System, level: float, seed: int, method: str, weak: bool, out: Path) -> None:
    form = f"{method}, {'weak' if weak else 'strong'}"
    before = [line for line in read(out) if line["method"] == form]
    targets = []
    for target in system.truth:
        own = [line for line in before if line["system"] == _named(system, target)]
        is_there = any((line["noise"], line["seed"]) == (level, seed) for line in own)
        if not is_there and not _is_hopeless(own, level):
            targets.append(target)
    if not targets:
        return
    find = ours if method == "pdobasis" else theirs
    with out.open("a") as file:
        for target, rule, found in find(system, level, seed, targets, weak):
            line = {"system": _named(system, target), "noise": level, "seed": seed, "method": form}
            print(json.dumps({**line, "rule": rule, **found}, ensure_ascii=False), file=file, flush=True)


def _is_hopeless(own: list[Line], level: float) -> bool:
    """Whether no threshold was right for any seed at some level below: noise only grows."""
    best = [line for line in own if line["rule"] == "best" and line["noise"] < level]
    levels = {line["noise"] for line in best}
    return any(not any(is_right(line) for line in best if line["noise"] == below) for below in levels)


def _named(system: System, target: str) -> str:
    return f"{system.name}, ∂_t {target}"


def ours(
    system: System, level: float, seed: int, targets: list[str], weak: bool
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    sizes = {name: u.shape[1] for name, u in system.data.items()}
    arrays = system.arrays(level, seed)
    for target in targets:
        start = time.process_time()
        found = discover(
            recording(arrays, sizes),
            system.group,
            system.fields,
            target=target,
            degree=system.degree,
            derivatives=system.derivatives,
            weak=weak,
            samples=0,
        )
        truth = system.truth[target]
        own = {t.text: t for t in found.terms}
        both = [(own[text], value) for text, value in truth.items() if text in own]
        errors = [0.0 if text in own else 1.0 for text in truth]
        errors += [abs(t.coefficient - value) / abs(value) for t, value in both]
        yield (
            target,
            "own",
            {
                "candidates": len(found.every),
                "right": len(both),
                "wrong": len(own) - len(both),
                "true": len(truth),
                "error": float(np.median(sorted(errors)[-len(truth) :])),
                "deviations": [(t.coefficient - value) / t.standard_error for t, value in both],
                "seconds": time.process_time() - start,
            },
        )


def theirs(
    system: System, level: float, seed: int, targets: list[str], weak: bool
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    own = features(system, system.noisy(level, seed), weak)
    for target in targets:
        for rule, found in answers(system, own, target):
            yield target, rule, found


if __name__ == "__main__":
    main()
