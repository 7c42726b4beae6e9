"""Damaged files through every command that reads."""

from __future__ import annotations

import random
from pathlib import Path

from tests.fuzz.forgeries import forged
from tests.fuzz.harness import Outcome, run
from tests.fuzz.mutators import mutated, value
from tests.fuzz.seeds import JSON, SWEEP, YAML, seeds

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


def try_yaml(rng: random.Random, folder: Path) -> Outcome:
    path = folder / "damaged.yaml"
    if rng.random() < 0.2:
        path.write_bytes(mutated(rng, SWEEP))
        return run(["sweep", str(path), "-o", str(folder / "atlas"), "--jobs", "1", "--max-seconds", "2"])
    path.write_bytes(mutated(rng, YAML[rng.choice(sorted(YAML))]))
    if rng.random() < 0.5:
        return run(["groups", str(path)])
    return run(["solve", "--group", str(path), "--in", "vector", "--out", "vector", "--order", "1"])
