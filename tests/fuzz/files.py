"""Damaged files through every command that reads."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from tests.fuzz.forgeries import forged
from tests.fuzz.harness import Outcome, run
from tests.fuzz.mutators import mutated, value
from tests.fuzz.seeds import JSON, SWEEP, YAML, atlas, recording, seeds

QUICK = (
    ["verify"],
    ["verify", "--json"],
    ["verify", "--independent"],
    ["show"],
    ["show", "--json"],
    ["export", "--format", "python"],
    ["export", "--format", "latex"],
    ["export", "--format", "json", "--stencil", "gauss"],
)
SLOW = (
    ["verify", "--symbolic"],
    ["plot", "-o", "/dev/null"],
    ["error", "--json", "--runs", "1", "--seeds", "1"],
)


def damaged(rng: random.Random) -> tuple[str, bytes]:
    """(kind, bytes): most of them with sums that fit, so that the damage is met where it means something."""
    known = seeds()
    kind = rng.choice(sorted(known))
    if rng.random() < 0.4:
        return kind, mutated(rng, known[kind])
    if kind in JSON:
        return kind, value(rng, known[kind])
    return kind, forged(rng, known[kind])


def try_file(rng: random.Random, folder: Path) -> Outcome:
    path = folder / "damaged"
    path.write_bytes(damaged(rng)[1])
    commands: tuple[list[str], ...] = QUICK
    if rng.random() < 0.05:
        commands = SLOW
    return run([*rng.choice(commands), str(path)])


def try_recording(rng: random.Random, folder: Path) -> Outcome:
    path = folder / "damaged.npz"
    path.write_bytes(mutated(rng, recording()))
    question = ["--group", "trivial(1)", "--field", "u=trivial", "--degree", "1", "--samples", "0"]
    return run(["discover", str(path), *question, *rng.choice([[], ["--json"], ["--strong"]])])


def try_atlas(rng: random.Random, folder: Path) -> Outcome:
    """One file of an atlas damaged; a table often with the name of its new contents, so that it is read."""
    for name, data in atlas().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    name = rng.choice(sorted(atlas()))
    data = mutated(rng, atlas()[name])
    path = folder / name
    path.write_bytes(data)
    if path.suffix == ".parquet" and rng.random() < 0.6:
        path.rename(path.with_name(f"{hashlib.sha256(data).hexdigest()[:24]}.parquet"))
    commands = (["query"], ["query", "--json"], ["verify"], ["page", "-o", str(folder / "x.html")])
    command, *rest = rng.choice(commands)
    return run(["atlas", command, str(folder), *rest])


def try_yaml(rng: random.Random, folder: Path) -> Outcome:
    path = folder / "damaged.yaml"
    if rng.random() < 0.2:
        path.write_bytes(mutated(rng, SWEEP))
        return run(["sweep", str(path), "-o", str(folder / "atlas"), "--jobs", "1", "--max-seconds", "2"])
    path.write_bytes(mutated(rng, YAML[rng.choice(sorted(YAML))]))
    if rng.random() < 0.5:
        return run(["groups", str(path)])
    return run(["solve", "--group", str(path), "--in", "vector", "--out", "vector", "--order", "1"])
