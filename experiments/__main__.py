"""python -m experiments; see the package's docstring."""

from __future__ import annotations

from experiments.commands import main

if __name__ == "__main__":
    main(prog_name="python -m experiments")
