"""An atlas: questions from a file, answered side by side, in a store that goes on where it was stopped."""

from __future__ import annotations

import json
import multiprocessing
import multiprocessing.connection
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
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
from pdobasis.atlas.shares import Shares
from pdobasis.atlas.store import Store
from pdobasis.atlas.sweep import Tally, _Sweep, _workers, sweep
from pdobasis.atlas.working import Task, standing_place
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
    """A question of two seconds or more: it is named before it is done."""
    slow = Question("SO(3)", "sym(8,vector)", "sym(2,vector)", 8)
    seen = []
    sweep([slow], Store(tmp_path), jobs=1, tell=lambda tally: seen.append((tally.now, tally.running, tally.done)))
    assert seen[0] == ((slow,), 1, 0)
    assert seen.count(seen[0]) > 1
    assert seen[-1] == ((), 0, 1)
    assert str(slow) == "SO(3): sym(8,vector) → sym(2,vector), order ≤ 8"


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
    with pytest.raises(SpecError, match="did you mean group"):
        store.query(grup="D4")
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


@pytest.mark.parametrize(
    "change",
    [
        {"group": None},
        {"message": None},
        {"status": "fine"},
        {"answer": "../../../etc/passwd"},
        {"dimensions": (1, None)},
        {"dimension": None},
    ],
)
def test_rows_that_no_sweep_writes_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    store = Store(tmp_path)
    (one,) = answer_all(SOME[:1])
    store.add([Answered(replace(one.row, **change), one.contents)])
    run = CliRunner().invoke(main, ["atlas", "query", str(tmp_path)])
    assert run.exit_code == 2
    assert "row 1 is none of a sweep" in run.output


@pytest.mark.parametrize("name", ["C4\x1b[31m", "C4\nproved", "C" * 20_000, "\u202eC4"])
def test_names_of_questions_are_one_line(tmp_path: Path, name: str) -> None:
    entry = {"groups": [name], "in": ["trivial"], "out": ["trivial"]}
    with pytest.raises(SpecError, match="printable"):
        read_questions(_file(tmp_path, json.dumps({"sweep": [entry]})))


def test_no_text_of_a_row_ends_the_script_of_a_page(tmp_path: Path) -> None:
    store = Store(tmp_path)
    bad = answer(Question("C4", "trivial", "nonsense", 1))
    store.add([Answered(replace(bad.row, in_rep="</script><!--<script>"))])
    target = tmp_path / "page.html"
    assert CliRunner().invoke(main, ["atlas", "page", str(tmp_path), "-o", str(target)]).exit_code == 0
    page = target.read_text()
    assert (page.count("<script"), page.count("</script"), page.count("<!--")) == (1, 1, 0)


def test_texts_of_a_forged_row_are_told_on_one_line(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (one,) = answer_all(SOME[1:2])
    store.add([Answered(replace(one.row, in_rep="vector", group="C4\n1 answers: 1 proved"), one.contents)])
    run = CliRunner().invoke(main, ["atlas", "verify", str(tmp_path)])
    assert run.exit_code == 1
    assert len(run.output.splitlines()) == 2


def test_a_time_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="seconds above 0"):
        sweep(SOME[:1], Store(tmp_path), jobs=1, seconds=float("nan"))


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

    def submit(self, batch: Sequence[Question], lane: int) -> int:
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
    store, tally = Store(tmp_path), Tally(len(SOME))
    workers = _Mortal(SOME[3])
    _Sweep(workers, store, tally, lambda t: None, Shares(SOME), batch=4).run()
    assert (tally.done, tally.failed, tally.left) == (len(SOME) - 1, 1, 0)
    (row,) = store.query(status="failed")
    assert row.key == SOME[3].key
    assert "died" in row.message


class _Lane:
    """One worker, with a queue, as a process has one: when it dies, what waits in the queue is lost as well."""

    size = 1

    def __init__(self, deadly: Question) -> None:
        self.deadly = deadly
        self.queue: list[Sequence[Question]] = []
        self.lost: list[Sequence[Question]] = []

    def submit(self, batch: Sequence[Question], lane: int) -> Sequence[Question]:
        self.queue.append(batch)
        return batch

    def next(self, waiting: Sequence[Any]) -> list[Any]:
        done = [self.queue[0]]
        if self.deadly in done[0]:
            done = list(self.queue)
            self.lost += done
        self.queue = self.queue[len(done) :]
        return done

    def result(self, future: Sequence[Question]) -> list[Answered] | None:
        if future in self.lost:
            self.lost.remove(future)
            return None
        return answer_all(future)


def test_who_waits_behind_a_deadly_question_is_not_blamed(tmp_path: Path) -> None:
    store, tally = Store(tmp_path), Tally(2)
    _Sweep(_Lane(SOME[0]), store, tally, lambda t: None, Shares(SOME[:2])).run()
    assert [(row.key, row.status) for row in store.query(status="failed")] == [(SOME[0].key, "failed")]
    assert tally.done == 1


@pytest.mark.parametrize("lanes", [1, 2, 5])
def test_every_question_is_taken_once_and_groups_stay_together(lanes: int) -> None:
    sizes = {"C2": 7, "C3": 1, "C4": 30, "C5": 12}
    questions = [Question(group, "trivial", f"irrep({k})") for k in range(30) for group, n in sizes.items() if k < n]
    shares = Shares(questions)
    taken: list[Question] = []
    visits: list[tuple[int, str]] = []
    while shares.left:
        for lane in range(lanes):
            batch = shares.take(lane, 3)
            assert len({q.group for q in batch}) <= 1
            taken += batch
            visits += [(lane, q.group) for q in batch[:1]]
    assert sorted(map(str, taken)) == sorted(map(str, questions))
    assert shares.take(0, 3) == ()
    # a lane that has a group to itself never leaves it before its end
    if lanes == 1:
        order = [group for _, group in visits]
        assert sorted(order, key=list(sizes).index) == order


def test_workers_write_what_they_answer(tmp_path: Path) -> None:
    """Rows come back, and no contents: the process that asks has nothing to write but its table."""
    store = Store(tmp_path)
    with standing_place(store) as place:
        found = Task(None, place)(SOME[:3])
        assert [one.contents for one in found] == ["", "", ""]
        for one in found:
            store.check(one.row)
    assert not place.is_seen
    assert not list(tmp_path.glob("answers/.*"))


def test_a_worker_that_does_not_see_the_store_sends_answers(tmp_path: Path) -> None:
    store = Store(tmp_path / "here")
    with standing_place(store) as place:
        far = replace(place, sign=tmp_path / "elsewhere")
        found = Task(None, far)(SOME[:3])
    assert found[0].contents == answer(SOME[0]).contents
    store.add(found)
    assert all(store.answer(row).certificate.holds for row in store.rows())


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_a_worker_that_cannot_write_sends_answers(tmp_path: Path, make: Callable[[Path], None]) -> None:
    with standing_place(Store(tmp_path)) as place:
        (one,) = answer_all(SOME[:1])
        path = Store(tmp_path).answer_path(one.row.answer)
        path.parent.mkdir()
        make(path)
        (found,) = Task(None, place)(SOME[:1])
    assert found.contents == one.contents
    with pytest.raises(SpecError, match="no ordinary file"):
        Store(tmp_path).add([found])


def test_what_a_killed_sweep_left_is_cleared_up(tmp_path: Path) -> None:
    sign = tmp_path / "answers" / ".pdobasis-0000.part"
    sign.parent.mkdir()
    sign.touch()
    assert sweep(SOME[:1], Store(tmp_path), jobs=1).done == 1
    assert not sign.exists()


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


def test_an_interrupted_sweep_does_not_wait_for_its_workers(tmp_path: Path) -> None:
    late, before = tmp_path / "late", set(multiprocessing.active_children())
    program: Any = f"import pathlib, time; time.sleep(2); pathlib.Path({str(late)!r}).touch()"
    task: Any = exec
    workers: set[multiprocessing.process.BaseProcess] = set()
    with suppress(KeyboardInterrupt), _workers(1, None, task) as pool:
        pool.submit(program, 0)
        workers |= set(multiprocessing.active_children()) - before
        raise KeyboardInterrupt
    multiprocessing.connection.wait([worker.sentinel for worker in workers])
    assert workers
    assert not late.exists()


NOISY = """
import os
from pdobasis.atlas.sweep import Processes

if __name__ == "__main__":
    workers = Processes(1, None)
    pool = workers._start()
    assert pool.submit(os.write, 2, b"Traceback").result() == 9
    pool.shutdown()
"""


def test_workers_write_nothing_to_the_terminal(tmp_path: Path) -> None:
    script = tmp_path / "noisy.py"
    script.write_text(NOISY)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


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
    import dask

    from pdobasis.atlas import cluster

    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:9", "C\u0336 4", "", "[/]"):
        with pytest.raises(SpecError, match="no Dask scheduler"):
            sweep(SOME, Store(tmp_path), scheduler=address)
        # whatever else uses Dask in this program goes on without a cluster
        assert dask.config.get("scheduler", None) is None


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
    run = CliRunner().invoke(main, ["atlas", "query", atlas, "--group", "D44"])
    assert run.exit_code == 0
    assert "unknown group 'D44'; did you mean D4? (not in this atlas)" in run.stderr
    assert "0 questions" in run.stdout
    run = CliRunner().invoke(main, ["atlas", "query", str(tmp_path / "none")])
    assert run.exit_code == 2
    assert "no atlas" in run.output
