"""The folder of a run: what it is, how far it is, and what came out.

config.json     the recipe, the seed, versions and revision
metrics.jsonl   a line for every epoch
checkpoint.pt   weights, optimiser and generators at the last step that was kept
result.json     written last: a run with it is finished
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

import pdobasis
from experiments.errors import BusyError, ExperimentError
from experiments.settings.values import Config
from pdobasis.files.atomic import write_atomically

ROOT = Path(__file__).resolve().parents[2]
Line = dict[str, Any]
ALWAYS = ("epoch", "rate", "loss", "seconds")
"""Names in every line of metrics; the others are measures of the test samples."""


@dataclass(frozen=True, slots=True)
class Folder:
    path: Path

    @property
    def result(self) -> Line | None:
        return _read(self.path / "result.json")

    @property
    def lines(self) -> list[Line]:
        """The whole lines; what was cut off while it was written is none."""
        path = self.path / "metrics.jsonl"
        if not path.exists():
            return []
        found = path.read_text().splitlines(keepends=True)
        return [json.loads(line) for line in found if line.endswith("\n")]

    def begin(self, config: Config, seed: int) -> None:
        """New, or of the same recipe as before."""
        self.path.mkdir(parents=True, exist_ok=True)
        known = _read(self.path / "config.json")
        if known is None:
            write_json(self.path / "config.json", started(config, seed))
        elif known["recipe"] != config.recipe:
            key, old, new = _difference(known["recipe"], config.recipe)
            raise ExperimentError(
                f"{self.path} was begun with {key} = {old!r}, now it is {new!r}: remove it, or take other --runs"
            )

    def add(self, line: Line) -> None:
        with (self.path / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")

    def cut(self, count: int) -> None:
        """Without the lines that were written after the checkpoint."""
        kept = "".join(json.dumps(line) + "\n" for line in self.lines[:count])
        write_atomically(self.path / "metrics.jsonl", kept.encode())

    def keep(self, state: Mapping[str, Any]) -> None:
        buffer = io.BytesIO()
        torch.save(dict(state), buffer)
        write_atomically(self.path / "checkpoint.pt", buffer.getvalue())

    def checkpoint(self) -> dict[str, Any] | None:
        path = self.path / "checkpoint.pt"
        if not path.exists():
            return None
        # Plain tensors and numbers: nothing in the file is run.
        found: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
        return found

    def finish(self, result: Line) -> None:
        write_json(self.path / "result.json", result)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One process at a time; the lock goes with the process, however it ends."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BusyError(f"another process is at work on {self.path}") from None
            yield


def folder_of(runs: Path, config: Config, seed: int) -> Folder:
    return Folder(runs / config.table / f"{config.name}-{config.scale}-{seed}")


def started(config: Config, seed: int) -> Line:
    """What is written of a run before its first step."""
    return {
        "table": config.table,
        "row": config.name,
        "scale": config.scale,
        "seed": seed,
        "digest": config.digest,
        "recipe": config.recipe,
        "versions": {
            "pdobasis": pdobasis.__version__,
            "python": platform.python_version(),
            "torch": str(torch.__version__),
            "numpy": np.__version__,
        },
        "revision": revision(),
    }


def write_json(path: Path, value: object) -> None:
    write_atomically(path, (json.dumps(value, indent=1, sort_keys=True) + "\n").encode())


@cache
def revision() -> str:
    """The commit that is checked out, with a + if something was changed since; empty outside of a repository."""
    try:
        shown = [_git("rev-parse", "--short", "HEAD"), _git("status", "--porcelain", "--untracked-files=no")]
    except (OSError, subprocess.CalledProcessError):
        return ""
    return shown[0] + ("+" if shown[1] else "")


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}
    )
    return done.stdout.strip()


def _read(path: Path) -> Line | None:
    if not path.exists():
        return None
    try:
        found: Line = json.loads(path.read_text())
    except json.JSONDecodeError:
        raise ExperimentError(f"{path} is no JSON: remove the folder of this run") from None
    return found


def _difference(old: Mapping[str, Any], new: Mapping[str, Any], where: str = "") -> tuple[str, Any, Any]:
    """The first value that differs, and its name."""
    for key in sorted({*old, *new}):
        one, other = old.get(key), new.get(key)
        if one == other:
            continue
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            return _difference(one, other, f"{where}{key}.")
        return where + key, one, other
    return where, old, new
