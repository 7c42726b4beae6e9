"""python -m tests.fuzz --minutes 60 [--seed 7]: new damage every time, for as long as it is told; exit code 1 if anything was found."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.files import try_atlas, try_file, try_recording, try_yaml
from tests.fuzz.grammar import command_line
from tests.fuzz.harness import run
from tests.fuzz.kills import kill_a_writer

Attempt = Callable[[random.Random, Path], list[str]]


def of_file(rng: random.Random, folder: Path) -> list[str]:
    return try_file(rng, folder).faults()


def of_recording(rng: random.Random, folder: Path) -> list[str]:
    return try_recording(rng, folder).faults()


def of_atlas(rng: random.Random, folder: Path) -> list[str]:
    return try_atlas(rng, folder).faults()


def of_yaml(rng: random.Random, folder: Path) -> list[str]:
    return try_yaml(rng, folder).faults()


def of_command(rng: random.Random, folder: Path) -> list[str]:
    outcome = run(command_line(rng))
    return [f"{fault}: {' '.join(outcome.arguments)[:300]!r}" for fault in outcome.faults()]


KINDS: dict[str, tuple[int, Attempt]] = {
    "files": (12, of_file),
    "recordings": (2, of_recording),
    "atlases": (2, of_atlas),
    "yaml": (4, of_yaml),
    "commands": (4, of_command),
    "kills": (1, kill_a_writer),
}
"""How often among the others, and what is tried."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="default: the time")
    given = parser.parse_args()
    seed = given.seed
    if seed is None:
        seed = int(time.time())
    kinds = [name for name, (weight, _) in KINDS.items() for _ in range(weight)]
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    end = time.monotonic() + 60 * given.minutes
    number = 0
    while time.monotonic() < end:
        number += 1
        rng = random.Random(f"{seed} {number}")
        kind = rng.choice(kinds)
        tried[kind] += 1
        with tempfile.TemporaryDirectory() as folder:
            for fault in KINDS[kind][1](rng, Path(folder)):
                found[kind] += 1
                keep(kind, f"{seed}-{number}", fault, Path(folder))
    for kind in KINDS:
        print(f"{kind}: {tried[kind]} tried, {found[kind]} found")
    return int(bool(found))


def keep(kind: str, name: str, fault: str, folder: Path) -> None:
    """Print it, and put the file into ``found``, from where it goes into the corpus."""
    print(f"{kind} {name}: {fault}", flush=True)
    kept = Path("found")
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        kept.mkdir(exist_ok=True)
        (kept / f"{name}-{path.name}").write_bytes(path.read_bytes())


if __name__ == "__main__":
    raise SystemExit(main())
