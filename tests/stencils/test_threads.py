"""Work in threads ends in good order: by an error, by Ctrl-C, by a budget."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import pdobasis
from pdobasis.errors import BudgetError
from pdobasis.stencils.threads import in_threads

CLOUD = """
import signal
import numpy as np, pdobasis
from pdobasis.stencils import cloud
signal.signal(signal.SIGINT, signal.default_int_handler)
points = np.random.default_rng(0).random((150_000, 3))
cloud.neighbourhoods(points[:100], points[:100], 30)
print("ready", flush=True)
while True:
    cloud.neighbourhoods(points, points, 30)
"""


def test_an_interruption_waits_for_what_has_begun_and_begins_nothing_else() -> None:
    begun: list[int] = []
    ended: list[int] = []

    def work(part: int) -> None:
        begun.append(part)
        if part == 6:  # all have been handed over by then
            signal.raise_signal(signal.SIGINT)
        time.sleep(0.05)
        ended.append(part)

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        in_threads(work, range(1000), workers=2)
    assert time.monotonic() - start < 10
    assert sorted(begun) == sorted(ended)
    assert len(begun) < 100


def test_an_error_of_a_part_is_raised() -> None:
    def work(part: int) -> None:
        if part == 7:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_threads(work, range(20))


def test_a_budget_ends_it() -> None:
    begun: list[int] = []

    def work(part: int) -> None:
        begun.append(part)
        time.sleep(0.02)

    with pytest.raises(BudgetError), pdobasis.budget(seconds=0.2):
        in_threads(work, range(1000), workers=2)
    assert len(begun) < 500


@pytest.mark.parametrize("delay", [0.05, 0.1, 0.2, 0.3])
def test_ctrl_c_while_neighbours_are_searched_is_an_interruption_and_no_crash(delay: float) -> None:
    child = subprocess.Popen([sys.executable, "-c", CLOUD], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    timer = threading.Timer(60, child.kill)
    timer.start()
    time.sleep(delay)
    child.send_signal(signal.SIGINT)
    _, told = child.communicate()
    timer.cancel()
    # Python ends by the signal that interrupted it
    assert child.returncode == -signal.SIGINT
    assert told.rstrip().endswith("KeyboardInterrupt")
