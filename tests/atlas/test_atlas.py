"""An atlas: questions from a file, answered side by side, in a store that goes on where it was stopped."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
import pdobasis.atlas.store as store_module
from pdobasis.atlas.answering import Answered, answer, answer_all
from pdobasis.atlas.questions import Question, read_questions
from pdobasis.atlas.store import Store
from pdobasis.atlas.sweep import Tally, _Sweep, sweep
from pdobasis.errors import PdoBasisError, ProofError, SpecError

pytest.importorskip("pyarrow")

SOME = tuple(
    Question(group, "trivial", out, order)
    for group in ("C4", "D4", "D6")
    for out in ("trivial", "vector")
    for order in (None, 2)
)


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "questions.yaml"
    path.write_text(text)
    return path


def test_questions_of_a_file(tmp_path: Path) -> None:
    path = _file(
        tmp_path,
        "sweep:\n"
        "  - {groups: crystal classes, in: irreps, out: irreps}\n"
        "  - {groups: planar(2), in: [trivial, vector], out: trivial, order: [1, 2]}\n",
    )
    found = read_questions(path)
    # every class with the square of the number of its real irreps; 4 planar groups, 2 inputs, 2 orders
    crystals = sum(len(pdobasis.group(name, 3).irreps) ** 2 for name in {q.group for q in found if q.dim == 3})
    assert len({q.group for q in found if q.dim == 3}) == 32
    assert len(found) == crystals + 16
    assert len({q.key for q in found}) == len(found)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("sweep: 3", "a list under the key sweep"),
        ("[", "not readable as YAML"),
        ("sweep: []\nsweep: []", "stands twice|twice"),
        ("sweep: [&a {groups: C4, in: a, out: b}, *a]", "aliases"),
        ("sweep: [{grops: C4, in: a, out: b}]", "groups"),
        ("sweep: [{groups: C4, in: trivial}]", "out is missing"),
        ("sweep: [{groups: planar(99), in: a, out: b}]", "from 1 to 64"),
        ("sweep: [{groups: C4, in: a, out: b, order: -1}]", "order is all"),
        ("sweep: [{groups: 5, in: a, out: b}]", "texts"),
        ("sweep: [{groups: Xy, in: irreps, out: b}]", "Xy"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, text: str, word: str) -> None:
    with pytest.raises(SpecError, match=word):
        read_questions(_file(tmp_path, text))


def test_questions_come_from_ordinary_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", tmp_path / "pipe", tmp_path, tmp_path / "none"):
        with pytest.raises(SpecError, match=r"cannot be read|no such file"):
            read_questions(path)


def test_what_is_running_is_told_while_nothing_is_finished(tmp_path: Path) -> None:
    """A question of a second or more: it is named before it is done."""
    slow = Question("SO(3)", "sym(6,vector)", "vector", 8)
    seen = []
    sweep([slow], Store(tmp_path), jobs=1, tell=lambda tally: seen.append((tally.now, tally.running, tally.done)))
    assert seen[0] == ((slow,), 1, 0)
    assert seen.count(seen[0]) > 1
    assert seen[-1] == ((), 0, 1)
    assert str(slow) == "SO(3): sym(6,vector) → vector, order ≤ 8"


def test_a_question_that_fails_is_a_row() -> None:
    found = answer(Question("D8", "trivial", "nonsense", 2))
    assert found.row.status == "failed"
    assert "nonsense" in found.row.message


def test_sweep_and_start_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "atlas")
    first = sweep(SOME[:5], store, jobs=2)
    assert (first.done, first.known, first.failed) == (5, 0, 0)
    second = sweep(SOME, store, jobs=1)
    assert (second.done, second.known) == (len(SOME) - 5, 5)
    third = sweep(SOME, store, jobs=1)
    assert (third.done, third.known) == (0, len(SOME))
    rows = store.rows()
    assert {row.key for row in rows} == {q.key for q in SOME}
    (row,) = store.query(group="D4", out_rep="vector", order=2)
    assert row.dimensions == tuple(pdobasis.solve("D4", "trivial", "vector", 2).dimensions.values())
    found = store.answer(row)
    assert found.certificate.holds


def test_altered_answers_are_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(answer_all(SOME[:2]))
    row = store.rows()[0]
    path = store.answer_path(row.answer)
    path.write_text(path.read_text().replace("d1", "d2"))
    with pytest.raises(ProofError, match="altered"):
        store.answer(row)
    (tmp_path / "table" / "x.parquet").write_text("no table")
    with pytest.raises(PdoBasisError, match="not a table"):
        store.rows()


def test_a_table_that_was_altered_is_refused(tmp_path: Path) -> None:
    """A byte may change within a part and leave a table behind that can be read, with other numbers."""
    store = Store(tmp_path)
    store.add(answer_all(SOME[:2]))
    (part,) = (tmp_path / "table").iterdir()
    other = Store(tmp_path / "other")
    other.add([Answered(replace(row, dimension=99)) for row in store.rows()])
    (forged,) = (tmp_path / "other" / "table").iterdir()
    part.write_bytes(forged.read_bytes())
    with pytest.raises(ProofError, match="not the hash of its contents; remove it and sweep again"):
        store.rows()
    part.unlink()
    assert sweep(SOME[:2], store, jobs=1).done == 2


def test_rows_that_tell_something_else_are_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(answer_all(SOME))
    first, *others = store.rows()
    false = replace(first, dimensions=(*first.dimensions, 1))
    with pytest.raises(ProofError, match="tells other numbers"):
        store.answer(false)
    for other in others:
        swapped = replace(first, group=other.group, out_rep=other.out_rep)
        if swapped == first:
            continue
        with pytest.raises(ProofError, match="not an answer to"):
            store.answer(swapped)
    for row in store.rows():
        assert store.answer(row).certificate.holds


def test_an_answer_that_is_gone_or_damaged_is_made_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    sweep(SOME[:2], store, jobs=1)
    path = store.answer_path(store.rows()[0].answer)
    whole = path.read_bytes()
    path.unlink()
    assert sweep(SOME[:2], store, jobs=1).done == 1
    assert path.read_bytes() == whole
    path.write_bytes(whole[:100])
    store.add(answer_all(SOME[:2]))
    assert path.read_bytes() == whole


def test_what_another_sweep_adds_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    store.add(answer_all(SOME[:1]))
    store.add(answer_all(SOME[1:2]))
    real = store_module._from_parquet

    def slowly(part: Path) -> Any:
        monkeypatch.setattr(store_module, "_from_parquet", real)
        Store(tmp_path).add(answer_all(SOME[2:3]))
        return real(part)

    monkeypatch.setattr(store_module, "_from_parquet", slowly)
    store.compact()
    assert {row.key for row in store.rows()} == {q.key for q in SOME[:3]}


def test_failures_are_asked_again_on_request(tmp_path: Path) -> None:
    store = Store(tmp_path)
    bad = Question("C4", "trivial", "nonsense", 1)
    assert sweep([bad], store, jobs=1).failed == 1
    assert sweep([bad], store, jobs=1).known == 1
    assert sweep([bad], store, jobs=1, retry=True).failed == 1


class _Mortal:
    """Workers that die on one question, here."""

    size = 2

    def __init__(self, deadly: Question) -> None:
        self.deadly = deadly
        self.batches: dict[int, Sequence[Question]] = {}

    def submit(self, batch: Sequence[Question]) -> int:
        self.batches[len(self.batches)] = batch
        return len(self.batches) - 1

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        return [waiting[0]]

    def result(self, future: int) -> list[Answered] | None:
        batch = self.batches[future]
        if self.deadly in batch:
            return None
        return answer_all(batch)


def test_a_question_that_kills_its_workers_is_a_row(tmp_path: Path) -> None:
    from collections import deque

    store, tally = Store(tmp_path), Tally(len(SOME))
    workers = _Mortal(SOME[3])
    _Sweep(workers, store, tally, lambda t: None, deque(SOME), batch=4).run()
    assert (tally.done, tally.failed, tally.left) == (len(SOME) - 1, 1, 0)
    (row,) = store.query(status="failed")
    assert row.key == SOME[3].key
    assert "died" in row.message


def test_a_killed_process_costs_nothing(tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(tally: Tally) -> None:
        children = multiprocessing.active_children()
        if children and not killed and tally.done:
            pid = children[0].pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    tally = sweep(SOME, Store(tmp_path), jobs=2, tell=kill_one)
    assert killed
    assert (tally.done, tally.failed) == (len(SOME), 0)


def test_a_killed_sweep_goes_on(tmp_path: Path) -> None:
    # long enough that it is not at its end when its first rows are written
    path = _file(tmp_path, "sweep: [{groups: planar(16), in: irreps, out: vector, order: [4, 6]}]")
    atlas = tmp_path / "atlas"
    command = [sys.executable, "-m", "pdobasis", "sweep", str(path), "-o", str(atlas)]
    with subprocess.Popen([*command, "--jobs", "1"], stderr=subprocess.DEVNULL) as run:
        deadline = time.monotonic() + 60
        while not list(atlas.glob("table/*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.05)
        workers = _descendants(run.pid)
        run.kill()
    assert workers
    before = Store(atlas).rows()
    questions = read_questions(path)
    assert len(before) < len(questions)
    tally = sweep(questions, Store(atlas), jobs=2)
    assert tally.known >= len(before) > 0
    assert tally.known + tally.done == len(questions)
    assert {row.status for row in Store(atlas).rows()} == {"done"}
    # nobody who worked for it is left, once the system has had the time to end them
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


def _descendants(pid: int) -> list[int]:
    """Of a process, on Linux."""
    out = []
    for path in Path("/proc").glob(f"{pid}/task/*/children"):
        for child in path.read_text().split():
            out += [int(child), *_descendants(int(child))]
    return out


def test_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    import dask

    quiet = {"distributed.admin.tick.limit": "1h", "distributed.worker.memory.pause": False}
    with (
        dask.config.set(quiet),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=50,
        ) as cluster,
    ):
        pids = [worker.pid for worker in cluster.workers.values()]
        killed: list[int] = []

        def kill_one(tally: Tally) -> None:
            if tally.done and not killed:
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])

        address = cluster.scheduler_address
        tally = sweep(SOME, Store(tmp_path), scheduler=address, tell=kill_one)
    assert killed
    assert (tally.done, tally.failed) == (len(SOME), 0)


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from pdobasis.atlas import cluster

    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with pytest.raises(SpecError, match="no Dask scheduler"):
        sweep(SOME, Store(tmp_path), scheduler="tcp://127.0.0.1:9")


def test_commands(tmp_path: Path) -> None:
    path = _file(tmp_path, "sweep: [{groups: [C2, D4], in: irreps, out: vector}]")
    atlas = str(tmp_path / "atlas")
    run = CliRunner().invoke(main, ["sweep", str(path), "-o", atlas, "--jobs", "1"])
    assert run.exit_code == 0, run.output
    assert "7 questions: 7 answered" in run.output
    asked = ["atlas", "query", atlas, "--group", "D4", "--in", "0,0"]
    run = CliRunner().invoke(main, [*asked, "--json"])
    row = json.loads(run.output)
    assert row["hilbert"] == "(t + t³)/((1−t²)(1−t⁴))"
    assert "(t + t³)" in CliRunner().invoke(main, asked).output
    assert CliRunner().invoke(main, ["atlas", "verify", atlas]).exit_code == 0
    for suffix in ("html", "csv"):
        target = tmp_path / f"page.{suffix}"
        run = CliRunner().invoke(main, ["atlas", "page", atlas, "-o", str(target)])
        assert run.exit_code == 0
        assert "(t + t³)/((1−t²)(1−t⁴))" in target.read_text()
    run = CliRunner().invoke(main, ["atlas", "query", str(tmp_path / "none")])
    assert run.exit_code == 2
    assert "no atlas" in run.output
