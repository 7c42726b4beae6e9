"""What is shown while a run is made: loss, what was measured last, time left."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import TextColumn

from experiments.display import COLUMNS, Display
from experiments.settings.files import CONFIGS, read_config
from experiments.training.many import Progress, jobs


def test_bars_show_the_loss_and_the_error_of_the_last_test(tmp_path: Path) -> None:
    (job,) = jobs([read_config(CONFIGS / "mnist_rot" / "vanilla_5x5.yaml", "smoke")], [0], tmp_path)
    job.folder.path.mkdir(parents=True)
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    with Bars(*map(TextColumn, COLUMNS), console=console) as bars:
        display = Display(bars, bars.add_task("all runs", loss=""))
        display.tell(Progress(job, 20, 2.25))
        assert bars.tasks[1].fields["loss"] == "loss 2.250"
        job.folder.add({"epoch": 1, "rate": 0.1, "loss": 2.0, "error": 61.25, "test_loss": 1.9, "seconds": 1.0})
        job.folder.add({"epoch": 2, "rate": 0.1, "loss": 1.9, "seconds": 2.0})
        display.tell(Progress(job, 40, 1.5))
        assert bars.tasks[1].fields["loss"] == "loss 1.500 error 61.2"
