"""Part 3: how long it takes to start, as whole processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.common import (
    ROOT,
    Answer,
    Context,
    PeerError,
    Section,
    environment,
    interleaved,
    median,
    ratio,
    seconds,
)

CALL = ["-c", "from pdobasis_cli import main; main()"]  # what the installed script does
SOLVE = ["solve", "--group", "D8", "--in", "regular", "--out", "trivial"]
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import pdobasis": ["-c", "import pdobasis"],
    "pdobasis --help": [*CALL, "--help"],
    "pdobasis solve --group D8 --in regular --out trivial": [*CALL, *SOLVE],
    "import sympy": ["-c", "import sympy"],
}


def run(context: Context) -> Section:
    section = Section("3. Start")
    jobs: dict[Any, Callable[[], Answer]] = {
        name: partial(process, Path(sys.executable), a) for name, a in COMMANDS.items()
    }
    if context.use_peers:
        try:
            python = environment("e2cnn", context.cache)
            jobs["import e2cnn"] = partial(process, python, ["-c", "import e2cnn"])
        except PeerError as error:
            context.missing["e2cnn"] = str(error)
    answers = interleaved(jobs, max(context.rounds, 5 if not context.quick else 1), "start")
    base = answers["python -c pass"]
    rows = [
        [f"`{n}`", seconds(median(a)), str(ratio(a, base)), str(ratio(a, answers["import sympy"]))]
        for n, a in answers.items()
    ]
    section.add("Whole processes. Files are in the page cache; byte code is compiled.")
    section.table(["process", "median", "ratio to `python -c pass`", "ratio to `import sympy`"], rows)
    return section


def process(python: Path, arguments: list[str]) -> Answer:
    path = os.pathsep.join(str(p) for p in (ROOT, ROOT / "cli", ROOT / "tables"))
    start = time.perf_counter()
    done = subprocess.run(
        [python, *arguments], capture_output=True, env={**os.environ, "PYTHONPATH": path}, check=False
    )
    taken = time.perf_counter() - start
    return {"seconds": taken} if done.returncode == 0 else {"error": done.stderr.decode()[-200:]}
