"""The benchmarks run: each part at its smallest size, without peers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_every_benchmark_runs_at_its_smallest_size() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "smoke.py"],
        capture_output=True,
        text=True,
        env={**os.environ},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for part in ("basis", "growth", "start", "stencils", "layer", "quality", "methods", "jets", "weights", "offgrid",
                 "network", "cliffs", "matrices", "boundaries"):  # fmt: skip
        assert f"{part}: " in done.stdout
