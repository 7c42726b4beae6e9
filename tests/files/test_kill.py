"""A kill at any moment of a write leaves the old file or the new one."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

import pdobasis
from pdobasis.errors import SpecError
from pdobasis.files import export_stencils, load_stencils

SLOW = """
import io, os, sys, time
import pdobasis.files.atomic as atomic
from pdobasis.files import load_stencils
from pdobasis.files.formats import save

class Slow:
    def __init__(self, stream): self.stream = stream
    def __enter__(self): return self
    def __exit__(self, *a): self.stream.close()
    def write(self, data):
        step = max(1, len(data) // 40)
        for k in range(0, len(data), step):
            self.stream.write(data[k : k + step]); self.stream.flush(); time.sleep(0.01)
    def flush(self): self.stream.flush()
    def fileno(self): return self.stream.fileno()

real, rename = os.fdopen, os.replace
atomic.os.fdopen = lambda *a: Slow(real(*a))
def slow_rename(a, b):
    time.sleep(0.1); rename(a, b); time.sleep(0.1)
atomic.os.replace = slow_rename
file = load_stencils(sys.argv[1])
print("ready", flush=True)
save(file, sys.argv[2])
print("done", flush=True)
"""


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.2, 0.45, 0.52, 0.6])
def test_a_kill_during_a_write_leaves_the_old_file_or_the_new_one(delay: float, tmp_path: Path) -> None:
    old, new, target = tmp_path / "old.npz", tmp_path / "new.npz", tmp_path / "target.npz"
    export_stencils(pdobasis.solve("C4", "trivial", "vector", 1), old, "fd", 3)
    export_stencils(pdobasis.solve("D4", "regular", "vector", 2), new, "gauss", 5)
    target.write_bytes(old.read_bytes())
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(new), str(target)],
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": ":".join(sys.path)},
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(delay)
    child.kill()
    child.wait()
    child.stdout.close()
    assert target.read_bytes() in (old.read_bytes(), new.read_bytes())
    load_stencils(target)


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pdobasis.files.atomic.os.fsync", full)
    with pytest.raises(SpecError, match="No space left"):
        export_stencils(pdobasis.solve("C4", "trivial", "vector", 1), tmp_path / "x.npz", "fd", 3)
    assert list(tmp_path.iterdir()) == []
