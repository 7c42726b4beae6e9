"""Writers that are ended at random moments: the old file or the new one is there, and nothing else that lasts."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from pdobasis.files.atomic import write_atomically

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
WRITE = """
import signal, sys
from pathlib import Path
from pdobasis.files.atomic import write_atomically
# where this runs in the background, SIGINT is ignored from the start
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
k = 0
while True:
    k += 1
    write_atomically(Path(sys.argv[1]), b"%d" % (k % 10) * 200_000)
"""


def kill_a_writer(rng: random.Random, folder: Path) -> list[str]:
    """What is wrong after a kill; a writer writes the same name again and again, each time with other contents."""
    path = folder / "target"
    number = rng.choice(SIGNALS)
    child = subprocess.Popen(
        [sys.executable, "-c", WRITE, str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    if child.stdout is None:
        return ["no pipe"]
    with child.stdout:
        child.stdout.readline()
        time.sleep(rng.uniform(0, 0.08))
        child.send_signal(number)
        child.wait(timeout=60)
    found = []
    if path.exists():
        data = path.read_bytes()
        if len(data) != 200_000 or len(set(data)) != 1:
            found.append(f"a torn file of {len(data)} bytes")
    write_atomically(folder / "next", b"")
    left = set(os.listdir(folder)) - {"target", "next"}
    if left:
        found.append(f"left behind: {sorted(left)}")
    return found
