"""Runs: killed and taken up again they end with the same numbers; processes that share a batch find the same."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner

from experiments.commands import main
from experiments.errors import BusyError, ExperimentError
from experiments.settings.files import CONFIGS, read_config
from experiments.settings.values import Config
from experiments.training.fit import run
from experiments.training.folder import Folder
from experiments.training.many import jobs, share

ROOT = Path(__file__).resolve().parents[2]
ROW = CONFIGS / "mnist_rot" / "regular_fd_3x3.yaml"


def config(**changes: Any) -> Config:
    """Small, and with everything that is drawn by chance: rotations and dropout."""
    found = read_config(ROW, "smoke")
    network = replace(found.network, dropout=0.3)
    return replace(found, network=network, training=replace(found.training, **changes))


def numbers(result: dict[str, Any]) -> Any:
    """What has to be the same: everything but times and revision."""
    curve = [{k: v for k, v in line.items() if k != "seconds"} for line in result["curve"]]
    return result["measures"], curve, result["parameters"], result["recipe"]


class Killed(Exception):
    pass


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_run_that_is_stopped_goes_on_from_its_checkpoint(at: int, tmp_path: Path) -> None:
    """Two steps an epoch, two epochs, a checkpoint after each: before the first, in the middle, in the second epoch."""
    whole = run(config(), 0, Folder(tmp_path / "whole"))

    def stop(done: int, total: int, loss: float) -> None:
        if done == at:
            raise Killed

    broken = Folder(tmp_path / "broken")
    with pytest.raises(Killed):
        run(config(), 0, broken, notice=stop)
    assert broken.result is None
    torch.manual_seed(99)  # whatever happened meanwhile
    steps: list[int] = []
    again = run(config(), 0, broken, notice=lambda done, total, loss: steps.append(done))
    assert numbers(again) == numbers(whole)
    assert steps[0] == max(1, at), "it begins anew only where nothing was kept"
    assert again == broken.result


def test_a_process_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    """By SIGKILL, at whatever moment that is; then the same command again."""
    command = [sys.executable, "-m", "experiments", "run", str(ROW), "--scale", "smoke"]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    subprocess.run([*command, "--runs", str(whole)], cwd=ROOT, check=True, capture_output=True)
    first = subprocess.Popen([*command, "--runs", str(broken)], cwd=ROOT, stdout=subprocess.DEVNULL)
    folder = broken / "mnist_rot" / "regular_fd_3x3-smoke-0"
    deadline = time.monotonic() + 60
    while not (folder / "checkpoint.pt").exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    first.send_signal(signal.SIGKILL)
    first.wait()
    subprocess.run([*command, "--runs", str(broken)], cwd=ROOT, check=True, capture_output=True)
    results = [json.loads((p / "mnist_rot" / folder.name / "result.json").read_text()) for p in (whole, broken)]
    assert numbers(results[0]) == numbers(results[1])


def test_a_line_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    whole = run(config(), 0, Folder(tmp_path / "whole"))
    broken = Folder(tmp_path / "broken")
    with pytest.raises(Killed):
        run(config(), 0, broken, notice=_stop_at(4))
    with (broken.path / "metrics.jsonl").open("a") as file:
        file.write('{"epoch": 2, "lo')
    assert numbers(run(config(), 0, broken)) == numbers(whole)


def _stop_at(step: int) -> Any:
    def stop(done: int, total: int, loss: float) -> None:
        if done == step:
            raise Killed

    return stop


def test_finished_runs_are_not_repeated_and_others_not_mixed_up(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "one")
    first = run(config(), 0, folder)
    assert run(config(), 0, folder, notice=_stop_at(1)) == first
    with pytest.raises(ExperimentError, match=r"begun with training.rate = 0.01, now it is 0.5"):
        run(config(rate=0.5), 0, folder)
    with folder.alone(), pytest.raises(BusyError), folder.alone():
        pass


def test_seeds_differ_and_repeat(tmp_path: Path) -> None:
    found = [run(config(epochs=1), seed, Folder(tmp_path / str(k))) for k, seed in enumerate((0, 0, 1))]
    assert numbers(found[0]) == numbers(found[1])
    assert numbers(found[0])[1] != numbers(found[2])[1]


def test_a_folder_says_what_was_run(tmp_path: Path) -> None:
    run(config(), 3, Folder(tmp_path))
    known = json.loads((tmp_path / "config.json").read_text())
    assert (known["seed"], known["row"], known["scale"]) == (3, "regular_fd_3x3", "smoke")
    assert known["versions"]["torch"] == str(torch.__version__)
    assert known["recipe"]["network"]["layers"]["stencil"] == "fd"
    lines = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2]
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert {"model", "optimiser", "generator", "epoch"} <= set(state)


def test_shares_are_a_partition() -> None:
    found = jobs([config()], range(7), Path("runs"))
    parts = [share(found, f"{k}/3") for k in range(3)]
    assert sorted(job.seed for part in parts for job in part) == list(range(7))
    for wrong in ("3/3", "a/2", "1", "-1/2"):
        with pytest.raises(ExperimentError, match="--shard is i/n"):
            share(found, wrong)


def test_jobs_side_by_side_give_the_same(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "experiments", "run", str(ROW), "--scale", "smoke", "--seeds", "2"]
    for name, processes in (("one", "1"), ("two", "2")):
        runs = str(tmp_path / name)
        done = subprocess.run(
            [*command, "--jobs", processes, "--runs", runs], cwd=ROOT, check=True, capture_output=True, text=True
        )
        assert sorted(line.split(":")[0][-6:] for line in done.stdout.splitlines()) == ["seed 0", "seed 1"]
    for seed in (0, 1):
        paths = [
            tmp_path / name / "mnist_rot" / f"regular_fd_3x3-smoke-{seed}" / "result.json" for name in ("one", "two")
        ]
        one, two = (json.loads(path.read_text()) for path in paths)
        assert numbers(one) == numbers(two)


def test_two_processes_of_torchrun_find_what_one_finds(tmp_path: Path) -> None:
    """The same batches, statistics, masks and metrics; only sums are rounded in another order."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    row = tmp_path / "mnist_rot" / "row.yaml"
    row.parent.mkdir()
    (tmp_path / "mnist_rot.yaml").write_text((CONFIGS / "mnist_rot.yaml").read_text())
    # Plain stochastic gradient: Adam divides by gradients, and makes rounding of small ones large.
    row.write_text(
        ROW.read_text().partition("scales:")[0]
        + "scales: {smoke: {network: {dropout: 0.3}, training: {optimiser: sgd, rate: 0.05, momentum: 0.9}}}\n"
    )
    words = ["run", str(row), "--scale", "smoke", "--runs"]
    alone = CliRunner().invoke(main, [*words, str(tmp_path / "one")])
    assert alone.exit_code == 0, alone.output
    started = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", str(port)]
    done = subprocess.run(
        [*started, "-m", "experiments", *words, str(tmp_path / "two")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len([line for line in done.stdout.splitlines() if "seed 0" in line]) == 1, "the first process speaks alone"
    paths = [tmp_path / name / "mnist_rot" / "row-smoke-0" / "result.json" for name in ("one", "two")]
    one, two = (json.loads(path.read_text()) for path in paths)
    assert (one["processes"], two["processes"]) == (1, 2)
    assert one["measures"]["error"] == two["measures"]["error"]
    for a, b in zip(one["curve"], two["curve"], strict=True):
        assert a["loss"] == pytest.approx(b["loss"], rel=2e-4)
        assert a["test_loss"] == pytest.approx(b["test_loss"], rel=2e-4)
