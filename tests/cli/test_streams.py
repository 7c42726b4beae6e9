"""A result that was asked for is never lost: closed pipes, full disks, signals, devices, links."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pdobasis.files.formats import open_file

SOLVE = ["solve", "--group", "D4", "--in", "vector", "--out", "trivial"]
STENCILS = ["export", "--group", "D4", "--in", "trivial", "--out", "vector", "--stencil", "fd", "--size", "3"]
PLOT = ["plot", *STENCILS[1:]]
REPORT = ["report", *SOLVE[1:]]
TABLE = ["table", "--group", "C2", "--order", "1"]


def pdobasis(arguments: list[str], **settings: object) -> subprocess.CompletedProcess[bytes]:
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, **settings}
    return subprocess.run([sys.executable, "-m", "pdobasis", *arguments], check=False, **given)  # type: ignore[call-overload,no-any-return]


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    whole = line.replace("pdobasis", f"{sys.executable} -m pdobasis")
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", whole], cwd=folder, capture_output=True, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("pdobasis solve --group D8 --in regular --out regular --order 3 --show 1000 -o x.json | head -1", "x.json"),
        ("pdobasis solve --group D4 --in vector --out trivial --json -o x.json | :", "x.json"),
        ("pdobasis solve --group D4 --in vector --out trivial --polynomial-kernel -o x.json | :", "x.json"),
        ("pdobasis solve --group C4 --in vector --out trivial --method reference --transcript x.md | :", "x.md"),
    ],
)
def test_a_file_is_written_when_the_reader_of_stdout_goes(line: str, name: str, tmp_path: Path) -> None:
    done = shell(line, tmp_path)
    assert (done.returncode, b"Error" in done.stderr, b"Traceback" in done.stderr) == (0, False, False)
    assert (tmp_path / name).stat().st_size > 100
    assert os.listdir(tmp_path) == [name]


def test_a_closed_pipe_changes_no_verdict(tmp_path: Path) -> None:
    assert pdobasis([*SOLVE, "-o", str(tmp_path / "good.json")]).returncode == 0
    data = json.loads((tmp_path / "good.json").read_text())
    data["elements"][0]["matrix"][0][1] = "0"
    (tmp_path / "bad.json").write_text(json.dumps(data))
    for name, code in (("good.json", 0), ("bad.json", 1), ("none.json", 2)):
        assert shell(f"pdobasis verify {name} | :", tmp_path).returncode == code
    assert shell("pdobasis verify bad.json 2>&1 | :", tmp_path).returncode == 1
    assert shell("pdobasis verify bad.json >&- 2>&-", tmp_path).returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_under_stdout_is_an_error_after_everything_else(tmp_path: Path) -> None:
    done = shell("pdobasis solve --group D4 --in vector --out trivial -o x.json > /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        "wrote x.json",
        "Error: cannot write to stdout: No space left on device",
    ]
    assert isinstance(open_file(tmp_path / "x.json"), dict)
    assert shell("pdobasis verify x.json > /dev/full", tmp_path).returncode == 2
    assert shell("pdobasis verify x.json 2> /dev/full", tmp_path).returncode == 0
    (tmp_path / "bad.json").write_text((tmp_path / "x.json").read_text().replace('"d2"', '"2*d2"'))
    assert shell("pdobasis verify bad.json > /dev/full", tmp_path).returncode == 1


def test_a_full_disk_under_the_file_is_told_after_the_answer(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("old")
    # a limit on the size of files stands in for a full disk
    line = "trap '' XFSZ; ulimit -f 1; pdobasis solve --group D4 --in vector --out vector --order 3 -o x.json | cat"
    done = shell(line, tmp_path)
    assert done.returncode == 2
    assert b"complete" in done.stdout
    assert b"cannot write x.json: File too large" in done.stderr
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"x.json": "old"}


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        (SOLVE, b'{\n "format": "pdobasis-basis"'),
        ([*SOLVE, "--polynomial-kernel"], b'{\n "format": "pdobasis-basis"'),
        ([*STENCILS, "--format", "npz"], b"PK"),
        (PLOT, b"\x89PNG"),
        (REPORT, b"<!DOCTYPE html>"),
        (TABLE, b"%"),
    ],
)
def test_a_dash_is_stdout_and_a_pipe_is_written_through(arguments: list[str], start: bytes, tmp_path: Path) -> None:
    dash = pdobasis([*arguments, "-o", "-"], cwd=tmp_path)
    assert (dash.returncode, b"wrote" in dash.stderr) == (0, False)
    assert dash.stdout.startswith(start)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    assert pdobasis([*arguments, "-o", str(pipe)], cwd=tmp_path).returncode == 0
    reader.join(timeout=60)
    # a page holds the command that made it, with the name of its file
    assert got == [dash.stdout.replace(b" -o -<", b" -o pipe<")]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_other_names_of_stdout_are_stdout(tmp_path: Path) -> None:
    dash = pdobasis([*SOLVE, "-o", "-"])
    named = pdobasis([*SOLVE, "-o", "/dev/stdout"])
    assert (named.returncode, named.stdout) == (0, dash.stdout)
    with (tmp_path / "kept").open("wb") as stream:
        assert pdobasis([*SOLVE, "-o", "/dev/stdout"], stdout=stream).returncode == 0
    assert (tmp_path / "kept").read_bytes() == dash.stdout
    assert os.listdir(tmp_path) == ["kept"]


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    if os.getuid() == 0:
        null = tmp_path / "null"
        os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        assert pdobasis([*SOLVE, "-o", str(null)]).returncode == 0
        assert stat.S_ISCHR(null.stat().st_mode)
    done = pdobasis([*STENCILS, "--format", "npz", "-o", "/dev/full"])
    assert (done.returncode, done.stderr) == (2, b"Error: cannot write /dev/full: No space left on device\n")


def test_links_are_followed_modes_kept_and_read_only_files_respected(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "real.json").write_text("old")
    (tmp_path / "far" / "real.json").chmod(0o604)
    (tmp_path / "x.json").symlink_to("far/real.json")
    (tmp_path / "new.json").symlink_to("far/fresh.json")
    (tmp_path / "loop.json").symlink_to("loop.json")
    for name in ("x.json", "new.json"):
        assert pdobasis([*SOLVE, "-o", str(tmp_path / name)]).returncode == 0
        assert (tmp_path / name).is_symlink()
    assert isinstance(open_file(tmp_path / "far" / "fresh.json"), dict)
    assert isinstance(open_file(tmp_path / "far" / "real.json"), dict)
    assert stat.S_IMODE((tmp_path / "far" / "real.json").stat().st_mode) == 0o604
    assert b"symbolic links" in pdobasis([*SOLVE, "-o", str(tmp_path / "loop.json")]).stderr
    (tmp_path / "far" / "real.json").write_text("kept")
    (tmp_path / "far" / "real.json").chmod(0o444)
    refused = pdobasis([*SOLVE, "-o", str(tmp_path / "x.json")])
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"read-only" in refused.stderr
    assert (tmp_path / "far" / "real.json").read_text() == "kept"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_with_its_number_and_leaves_nothing(number: int, code: int, tmp_path: Path) -> None:
    # a pipe that nobody reads: it waits in the middle of its writing
    os.mkfifo(tmp_path / "x.json")
    child = subprocess.Popen(
        [sys.executable, "-m", "pdobasis", *SOLVE, "-o", "x.json"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    time.sleep(2)
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert child.returncode == code
    assert (out, err.count(b"\n"), b"Traceback" in err) == (b"", 1, False)
    assert os.listdir(tmp_path) == ["x.json"]


def test_killed_writers_are_cleared_up_after_and_living_ones_are_not(tmp_path: Path) -> None:
    import fcntl

    dead, alive = tmp_path / ".pdobasis-00.part", tmp_path / ".pdobasis-01.part"
    other = tmp_path / ".other.part"
    for path in (dead, alive, other):
        path.write_text("half")
    with alive.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert pdobasis([*SOLVE, "-o", str(tmp_path / "x.json")]).returncode == 0
    assert sorted(os.listdir(tmp_path)) == sorted([alive.name, other.name, "x.json"])


@pytest.mark.parametrize(
    "arguments",
    [TABLE, REPORT, SOLVE, ["terms", "--group", "D4", "--field", "u=trivial", "--out", "trivial"]],
    ids=["table", "report", "solve", "terms"],
)
def test_a_link_to_no_folder_is_refused_before_any_work(arguments: list[str], tmp_path: Path) -> None:
    suffix = {"table": ".tex", "report": ".html"}.get(arguments[0], ".json")
    link = tmp_path / f"link{suffix}"
    link.symlink_to("nowhere/file")
    done = pdobasis([*arguments, "-o", str(link)])
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no folder where it leads" in done.stderr
    # a link into a folder that is there makes the file
    link.unlink()
    link.symlink_to("file")
    assert pdobasis([*arguments, "-o", str(link)]).returncode == 0
    assert link.is_symlink()
    assert (tmp_path / "file").stat().st_size > 100


@pytest.mark.parametrize("name", ["dangling", "loop", "a" * 300])
def test_a_folder_that_cannot_be_made_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to("nowhere/folder")
    (tmp_path / "loop").symlink_to("loop")
    done = pdobasis(["table", "--all-orders", "-o", str(tmp_path / name)])
    assert done.returncode == 2
    assert name.encode() in done.stderr


@pytest.mark.parametrize("name", ["-", "a" * 300])
def test_an_atlas_is_a_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text("sweep:\n  - {groups: [C2], in: [trivial], out: [trivial], order: [1]}\n")
    done = pdobasis(["sweep", "q.yaml", "-o", name], cwd=tmp_path)
    assert done.returncode == 2
    assert name.encode() in done.stderr
    assert os.listdir(tmp_path) == ["q.yaml"]
