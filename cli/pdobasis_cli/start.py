"""The command ``pdobasis`` as a program: what the installed script calls.

The process that works is made before the commands are loaded. Two processes share what there is until one of them
touches it, and then it is copied: with click loaded that would be a thirtieth of a short command.
"""

from __future__ import annotations

import gc


def main() -> None:
    """Do what the arguments of the program say, watched from outside, and end it."""
    # what is loaded stays: looking for cycles in it again and again is a fiftieth of a short command
    gc.disable()
    try:
        from pdobasis_cli.supervise import supervised

        supervised(_work)
    except KeyboardInterrupt:  # before anybody listens to signals
        raise SystemExit(130) from None


def _work() -> None:
    from pdobasis_cli import main as commands

    commands.work()
