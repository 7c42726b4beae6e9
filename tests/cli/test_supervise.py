"""A command is watched from outside: signals, time and memory hold whatever the work is in the middle of."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

WORK = """
import sys, time
from pdobasis_cli.budget import _announce
from pdobasis_cli.supervise import supervised

def work():
    _announce("counting sheep", ({seconds}, {memory}, {before}))
    print("started", flush=True)
    {body}

supervised(work)
"""


def started(body: str, seconds: float = 100, memory: float = 1e12, before: float = 0) -> subprocess.Popen[str]:
    program = WORK.format(body=body, seconds=seconds, memory=memory, before=before)
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    return process


@pytest.mark.parametrize(("number", "word"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_a_signal_is_answered_within_a_second_by_work_that_does_not_listen(number: signal.Signals, word: str) -> None:
    deaf = "[signal.signal(n, signal.SIG_IGN) for n in (signal.SIGINT, signal.SIGTERM)]; time.sleep(60)"
    process = started(f"import signal; {deaf}")
    time.sleep(0.2)
    begin = time.monotonic()
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert errors == f"{word}\n"
    assert time.monotonic() - begin < 2  # half a second of grace, and a machine that is busy


def test_what_a_worker_that_ends_slowly_has_said_is_not_said_again() -> None:
    said = "from pdobasis_cli.supervise import told; told(); print('terminated', file=sys.stderr, flush=True)"
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    process = started(f"{deaf}; {said}; time.sleep(60)")
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (128 + signal.SIGTERM, "terminated\n")


def test_a_worker_that_listens_ends_by_itself() -> None:
    process = started("try:\n        time.sleep(60)\n    except KeyboardInterrupt:\n        sys.exit(77)")
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 77


def test_time_that_is_used_up_ends_the_work() -> None:
    _, errors = (process := started("time.sleep(60)", seconds=0.2)).communicate(timeout=30)
    assert process.returncode == 2
    assert "--max-seconds" in errors
    assert "counting sheep" in errors


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the memory of a process")
def test_memory_that_is_used_up_ends_the_work() -> None:
    process = started("a = b'x' * 300_000_000; time.sleep(60)", memory=100e6, before=50e6)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "--max-memory" in errors
    # what was there before counts neither as used nor as allowed
    said = re.match(r"Error: stopped at (\d+)MB of memory, where 100MB are allowed, while counting sheep", errors)
    assert said is not None
    assert 70 < int(said[1]) < 350


def test_a_process_that_aborts_says_so_in_one_line() -> None:
    process = started("import os; os.abort()")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert errors.startswith("Error: the system ended the work (SIGABRT), while counting sheep")
    assert errors.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has gone")
def test_the_work_does_not_survive_its_watcher() -> None:
    process = started("time.sleep(60)")
    process.kill()
    # ends when nobody holds the other side of the pipes any more
    process.communicate(timeout=30)


def test_the_exit_code_is_that_of_the_work() -> None:
    process = started("sys.exit(1)")
    process.communicate(timeout=30)
    assert process.returncode == 1


LOADING = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
sys.argv = ["pdobasis", *{arguments!r}]
from {home} import main
main()
"""
SOLVE = ["solve", "--group", "C4", "--in", "vector", "--out", "vector"]


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("click", SOLVE),
        ("pdobasis_cli.supervise", SOLVE),
        ("pdobasis_cli.streams", SOLVE),
        ("pdobasis_cli.console", SOLVE),
        ("numpy", SOLVE),
        ("pdobasis.errors", ["atlas", "query", "."]),
        ("pdobasis_cli.atlas", ["atlas", "query", "."]),
        ("pdobasis.atlas.store", ["atlas", "query", "."]),
    ],
)
@pytest.mark.parametrize("home", ["pdobasis_cli.start", "pdobasis_cli"])
def test_an_interruption_while_modules_are_loaded_is_quiet(home: str, module: str, arguments: list[str]) -> None:
    program = LOADING.format(home=home, module=module, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stdout == ""
    assert done.stderr in ("", "interrupted\n")


def test_what_is_refused_is_told_once() -> None:
    question = ["solve", "--group", "D4", "--in", "vector", "--out", "vector", "--max-seconds", "1e-9"]
    done = subprocess.run([sys.executable, "-m", "pdobasis", *question], capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("Error")) == (2, 1)


@pytest.mark.parametrize(
    ("body", "printed", "code"),
    [
        ("import atexit; atexit.register(print, 'last'); sys.stdout.write('first ')", "first last\n", 0),
        ("sys.stdout.write('no end of line'); sys.exit(3)", "no end of line", 3),
        ("import threading; threading.Timer(0.2, print, ['late']).start()", "late\n", 0),
        ("sys.exit('a reason')", "", 1),
        ("sys.exit(None)", "", 0),
    ],
)
def test_the_end_leaves_nothing_undone(body: str, printed: str, code: int) -> None:
    program = WORK.format(body=body, seconds=100, memory=1e12, before=0)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == (f"started\n{printed}", code)
    assert done.stderr == ("a reason\n" if code == 1 else "")


QUESTIONS = """
sweep:
  - groups: crystal classes
    in: irreps
    out: irreps
    order: all
"""


@pytest.mark.parametrize(("number", "word"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
@pytest.mark.parametrize("command", ["sweep", "atlas verify", "atlas page"])
def test_an_atlas_answers_a_signal_and_leaves_only_whole_files(
    command: str, number: signal.Signals, word: str, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "questions.yaml").write_text(QUESTIONS)
    folder = tmp_path / "atlas"
    sweeping = ["sweep", str(tmp_path / "questions.yaml"), "-o", str(folder), "--jobs", "1"]
    arguments = {
        "sweep": sweeping,
        "atlas verify": ["atlas", "verify", str(folder)],
        "atlas page": ["atlas", "page", str(folder), "-o", str(tmp_path / "page.html")],
    }[command]
    if command != "sweep":
        # an atlas that is long enough to be in the middle of it
        assert _ended(sweeping, signal.SIGINT, after=rb"[1-9]\d* answered")[0] == 130
    code, seconds, errors = _ended(arguments, number)
    if code == 0:  # a page may be done by then
        return
    assert code == 128 + number
    assert errors.splitlines()[-1] == word.encode()
    assert seconds < 2  # a second, and a machine that is busy
    left = [path.name for path in tmp_path.rglob("*") if path.name.endswith(".part")]
    assert left == []


def _ended(arguments: list[str], number: signal.Signals, after: bytes = b"") -> tuple[int, float, bytes]:
    """(exit code, seconds until the end, what was told) of a command that is sent a signal while it works."""
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\nfrom pdobasis_cli import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    told = b""
    if after:
        while not re.search(after, told):
            told += process.stderr.readline()
    else:
        time.sleep(2.5)
    begin = time.monotonic()
    process.send_signal(number)
    _, rest = process.communicate(timeout=60)
    return process.returncode, time.monotonic() - begin, told + rest


def test_a_program_that_calls_commands_goes_on_alone() -> None:
    """The worker is a copy of the program: it may not go on with it, too."""
    code = (
        "import atexit, threading\nfrom pdobasis_cli import main\natexit.register(print, 'the end')\n"
        "def call(*arguments):\n"
        "    try:\n        main(arguments)\n"
        "    except SystemExit as end:\n        print('ended', end.code, flush=True)\n"
        "call('--version')\ncall('groups', 'D8', '--nonsense')\n"
        "thread = threading.Thread(target=call, args=('--version',))\nthread.start()\nthread.join()\n"
        "print('after')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = [line for line in done.stdout.splitlines() if not line.startswith("pdobasis")]
    assert said == ["ended 0", "ended 2", "ended 0", "after", "the end"]
    assert "Traceback" not in done.stderr


def test_an_interruption_waits_for_modules_that_are_being_loaded(tmp_path: Path) -> None:
    """Python makes other errors of one in the middle of them."""
    (tmp_path / "slow_to_load.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\n"
        "class Name:\n    def __set_name__(self, owner, name):\n        time.sleep(0.2)\n"
        "class Owner:\n    name = Name()\nloaded = True\n"
    )
    code = (
        f"import sys, time\nsys.path.insert(0, {str(tmp_path)!r})\nfrom pdobasis_cli.supervise import supervised\n"
        "def work():\n"
        "    try:\n        import slow_to_load\n        time.sleep(5)\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted', hasattr(sys.modules.get('slow_to_load'), 'loaded'), flush=True)\n"
        "        raise SystemExit(130)\n"
        "supervised(work)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 130
    assert done.stdout.split() == ["interrupted", "True"]
    assert not done.stderr
