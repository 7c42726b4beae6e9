"""A kill at any moment of a write leaves the old file or the new one, and nothing else that lasts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pdobasis
from pdobasis.errors import SpecError
from pdobasis.files import atomic, export_stencils, load_stencils

SLOW = """
import os, sys, time
import pdobasis.files.atomic as atomic
from pdobasis.files import load_stencils
from pdobasis.files.formats import save

write, rename, link = os.write, os.replace, os.link
def slow_write(fd, data):
    done = write(fd, data[: max(1, len(data) // 20)]); time.sleep(0.01)
    return done
def slow(step):
    def wrapped(*a, **k):
        time.sleep(0.1); step(*a, **k); time.sleep(0.1)
    return wrapped
atomic.os.write, atomic.os.replace, atomic.os.link = slow_write, slow(rename), slow(link)
if sys.argv[3] == "named":
    del os.O_TMPFILE
file = load_stencils(sys.argv[1])
print("ready", flush=True)
save(file, sys.argv[2])
print("done", flush=True)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("files")
    old, new = folder / "old.npz", folder / "new.npz"
    export_stencils(pdobasis.solve("C4", "trivial", "vector", 1), old, "fd", 3)
    export_stencils(pdobasis.solve("D4", "trivial", "vector", 2), new, "fd", 3)
    return old, new


@pytest.mark.parametrize("way", ["unnamed", "named"])
@pytest.mark.parametrize("delay", [0.0, 0.3, 0.9, 1.25, 1.45, 1.7])
def test_a_kill_during_a_write_leaves_the_old_file_or_the_new_one(
    delay: float, way: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = files
    target = tmp_path / "target.npz"
    target.write_bytes(old.read_bytes())
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(new), str(target), way],
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": ":".join(sys.path)},
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(delay)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert target.read_bytes() in (old.read_bytes(), new.read_bytes())
    load_stencils(target)
    # whatever a killed writer left is gone after the next one
    atomic.write_atomically(tmp_path / "next", b"")
    assert sorted(os.listdir(tmp_path)) == ["next", "target.npz"]


@pytest.mark.parametrize("way", ["unnamed", "named"])
def test_a_failed_write_leaves_nothing_behind(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    if way == "named":
        monkeypatch.delattr("os.O_TMPFILE")
    for name in ("fsync", "replace", "write"):
        (tmp_path / "x.npz").write_bytes(b"old")
        with monkeypatch.context() as patched:
            patched.setattr(f"pdobasis.files.atomic.os.{name}", full)
            with pytest.raises(SpecError, match="No space left"):
                export_stencils(pdobasis.solve("C4", "trivial", "vector", 1), tmp_path / "x.npz", "fd", 3)
        assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("x.npz", b"old")]


@pytest.mark.parametrize("way", ["unnamed", "named"])
def test_both_ways_write_the_same_file(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "named":
        monkeypatch.delattr("os.O_TMPFILE")
    before = os.umask(0o027)
    try:
        for data in (b"one", b"two"):
            atomic.write_atomically(tmp_path / "x", data)
            assert (tmp_path / "x").read_bytes() == data
            assert (tmp_path / "x").stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(before)
    assert os.listdir(tmp_path) == ["x"]
