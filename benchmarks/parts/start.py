"""Part 3: how long it takes to start, as whole processes."""

from __future__ import annotations

import os
import resource
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
    Goal,
    PeerError,
    Section,
    environment,
    interleaved,
    median,
    ratio,
    seconds,
)

CALL = ["-c", "from pdobasis_cli.start import main; main()"]  # what the installed script does
SOLVE = ["solve", "--group", "D8", "--in", "regular", "--out", "trivial"]
OURS = "pdobasis solve --group D8 --in regular --out trivial"
NUMPY = "import numpy"
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    NUMPY: ["-c", "import numpy"],
    "import numpy, click": ["-c", "import numpy, click"],
    "import numpy, click, flint": ["-c", "import numpy, click, flint"],
    "import pdobasis": ["-c", "import pdobasis"],
    "pdobasis --help": [*CALL, "--help"],
    OURS: [*CALL, *SOLVE],
    "import sympy": ["-c", "import sympy"],
}
GOAL = 1.5
ON = "processor"
"""Seconds of the processor, of a process and of those that it starts."""


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
    for job in jobs.values():
        job()  # writes byte code where there is none yet
    answers = interleaved(jobs, max(context.rounds, 5 if not context.quick else 1), "start")
    base = answers[NUMPY]
    rows = [
        [f"`{n}`", seconds(median(a)), str(ratio(a, base)), seconds(median(a, ON)), str(ratio(a, base, ON))]
        for n, a in answers.items()
    ]
    section.add(
        "Whole processes, and with them those that they start. Files are in the page cache; byte code is compiled "
        "(without it, as under PYTHONDONTWRITEBYTECODE=1, every start compiles all modules again)."
    )
    head = ["process", "median", f"ratio to `{NUMPY}`", "processor time", f"ratio to `{NUMPY}`"]
    section.table(head, rows)
    section.add(LIMITS)
    for what, found in (("", ratio(answers[OURS], base)), (", processor time", ratio(answers[OURS], base, ON))):
        if found is not None:
            text = f"start: `{OURS}` ≤ {GOAL} × `{NUMPY}`{what}"
            section.goals.append(Goal(text, str(found), found.median <= GOAL))
    return section


LIMITS = (
    "What remains above NumPy: click (a tenth of `import numpy`), some 120 modules of ours, which are found, read and "
    "executed, a second process that watches the first, and the work itself. The command tells the threads of OpenBLAS "
    "to sleep; `import numpy` alone lets them wait for work in a loop, where there is more than one, and pays for it."
)


def process(python: Path, arguments: list[str]) -> Answer:
    path = os.pathsep.join(str(p) for p in (ROOT, ROOT / "cli", ROOT / "tables"))
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run([python, *arguments], capture_output=True, env={**own, "PYTHONPATH": path}, check=False)
    taken = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        return {"error": done.stderr.decode()[-200:]}
    return {"seconds": taken, ON: after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}
