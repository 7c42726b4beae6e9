"""Equations found by the terms of a symmetry, and by PySINDy's generic libraries: python -m benchmarks.discovery

[--systems burgers,…] [--noise 0,0.01,0.05,0.2,…] [--methods pdobasis,PySINDy,more] [-o FILE.jsonl]
[--page FILE.md] [--long-page FILE.md] [--picture FILE.svg] [--only-page]

One line of JSON for each run; runs whose lines are there are not made again. What stands between <!-- limits --> and
<!-- end limits --> of the page, and <!-- table --> and <!-- end table --> of the long page, is written anew. Times are
processor time, without the stability selection.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.discovery.page import bears, is_right, limits, picture, table, write_between
from benchmarks.discovery.peers import MORE, answers, features
from benchmarks.discovery.systems import SYSTEMS, System
from pdobasis.discovery.discover import discover
from pdobasis.discovery.recording import recording

Line = dict[str, Any]
NOISE = "0,0.01,0.05,0.2,0.4,0.8"
SEEDS = {"pdobasis": range(20, 25), "PySINDy": range(3), "more": range(10, 15)}
"""No rule of ours was chosen by looking at 20 to 24. ``more`` is PySINDy with more domains."""
SCAN = 0.2
"""Noise above which the strong form is not tried, and PySINDy no more where it was wrong before."""
BEST = ("PySINDy, weak", "best")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--noise", default=NOISE)
    parser.add_argument("--methods", default=",".join(SEEDS))
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/benchmarks/discovery.jsonl"))
    parser.add_argument("--page", type=Path, default=Path("docs/discovery.md"))
    parser.add_argument("--long-page", type=Path, default=Path("docs/benchmarks/discovery.md"))
    parser.add_argument("--picture", type=Path, default=Path("docs/benchmarks/discovery-noise.svg"))
    parser.add_argument("--only-page", action="store_true", help="write the tables of the lines that are there")
    given = parser.parse_args()
    if not given.only_page:
        levels = [float(text) for text in given.noise.split(",")]
        for name in given.systems.split(","):
            for method in given.methods.split(","):
                find = _more if method == "more" else _all
                find(name, levels, method, given.output)
    lines = read(given.output)
    print(limits(lines))
    write_between(given.long_page, "table", table(lines))
    write_between(given.page, "limits", limits(lines))
    picture(lines, given.picture)


def read(path: Path) -> list[Line]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def _all(name: str, levels: list[float], method: str, out: Path) -> None:
    """The weak form seed by seed; the strong form, which knows no test functions, with seed 0."""
    for seed in SEEDS[method]:
        system = made(name, seed)
        for level in sorted(levels):
            _run(system, level, seed, f"{method}, weak", out)
    system = made(name, 0)
    for level in sorted(levels):
        if level <= SCAN:
            _run(system, level, 0, f"{method}, strong", out)


def _more(name: str, levels: list[float], method: str, out: Path) -> None:
    """More domains, with more noise than the others bear for all seeds, until one run is wrong."""
    systems = {seed: made(name, seed) for seed in SEEDS[method]}
    for target in systems[SEEDS[method][0]].truth:
        for level in sorted(levels):
            for seed, system in systems.items():
                least = bears(read(out), _named(system, target), BEST)
                if least is None or level > least:
                    _run(system, level, seed, MORE, out, [target])


def made(name: str, seed: int) -> System:
    """48² points and 60 frames, 20³ and 40 in space."""
    if name == "reaction_3d":
        return SYSTEMS[name](seed=100 + seed, n=20, frames=40)
    return SYSTEMS[name](seed=100 + seed, n=48, frames=60)


def _run(system: System, level: float, seed: int, method: str, out: Path, some: Sequence[str] = ()) -> None:
    before = [line for line in read(out) if line["method"] == method]
    targets = []
    for target in some or system.truth:
        own = [line for line in before if line["system"] == _named(system, target)]
        is_there = any((line["noise"], line["seed"]) == (level, seed) for line in own)
        if not is_there and not _is_hopeless(own, level, seed):
            targets.append(target)
    if not targets:
        return
    find = ours if method.startswith("pdobasis") else theirs
    with out.open("a") as file:
        for target, rule, found in find(system, level, seed, targets, method):
            line = {"system": _named(system, target), "noise": level, "seed": seed, "method": method}
            print(json.dumps({**line, "rule": rule, **found}, ensure_ascii=False), file=file, flush=True)


def _is_hopeless(own: list[Line], level: float, seed: int) -> bool:
    """Whether no threshold was right, from where noise only grows; more domains are asked until one run is wrong."""
    wrong = [line for line in own if line["rule"] == "best" and not is_right(line)]
    if any(line["method"] == MORE for line in wrong):
        return True
    return level > SCAN and any(line["seed"] == seed and line["noise"] >= SCAN for line in wrong)


def _named(system: System, target: str) -> str:
    return f"{system.name}, ∂_t {target}"


def ours(
    system: System, level: float, seed: int, targets: list[str], method: str
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
            weak=method.endswith("weak"),
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
    system: System, level: float, seed: int, targets: list[str], method: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    own = features(system, system.noisy(level, seed), method)
    for target in targets:
        for rule, found in answers(system, own, target):
            yield target, rule, found


if __name__ == "__main__":
    main()
