"""A folder of answers: rows in Parquet parts that are only ever added, one file for each different answer.

    atlas/table/HASH.parquet      some rows; a later row of a question replaces an earlier one
    atlas/answers/ab/HASH.json    an answer, named by its hash; equal answers are one file

Everything is written whole or not at all, answers before the rows that name them: whatever a sweep is stopped in, the
store holds what was finished, and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pdobasis.answer.basis import Basis
from pdobasis.atlas.answering import DONE, FAILED, Answered, Row, facts_of
from pdobasis.errors import (
    FileFormatError,
    MissingExtraError,
    ProofError,
    SpecError,
    UnknownNameError,
)
from pdobasis.files.atomic import clear_up, write_atomically
from pdobasis.files.json_file import load_basis
from pdobasis.files.limits import MAX_BYTES
from pdobasis.files.module_file import load_module
from pdobasis.files.read import read_bytes
from pdobasis.modules.module_basis import ModuleBasis
from pdobasis.question.text import parse_problem

if TYPE_CHECKING:
    import pyarrow

WRITERS = 8
"""Files that are written side by side."""


class Store:
    """The atlas in a folder."""

    def __init__(self, path: str | Path) -> None:
        self.path: Path = Path(path)

    def add(self, answered: Sequence[Answered]) -> None:
        """Answers first: a row never names a file that is not there."""
        self.write_answers(answered)
        if answered:
            self._write_part([one.row for one in answered])

    def get_ready(self) -> None:
        """Load all that a row is written with: pyarrow loads pandas for its first table, where there is one.

        That may take a second, which somebody who is interrupted does not have, and then the rows would be lost.
        """
        _to_parquet([])

    def prepare(self) -> Path:
        """The folder of the answers, made, and without what killed sweeps left in it."""
        folder = self.path / "answers"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SpecError(f"cannot write {folder}: {error.strerror}") from None
        for each in (folder, *folder.iterdir()):
            clear_up(each)
        return folder

    def write_answers(self, answered: Iterable[Answered]) -> None:
        """Side by side: a disk takes many files in one go for about the time of one."""
        contents = {one.row.answer: one.contents for one in answered if one.contents}
        with ThreadPoolExecutor(WRITERS) as writers:
            # the list waits for all, and raises what one of them raised
            list(writers.map(self._write_answer, contents.keys(), contents.values()))

    def rows(self) -> list[Row]:
        """The latest row of every question, in the order of group, input, output, order."""
        return _latest(self._parts())

    def query(self, **wanted: object) -> list[Row]:
        """The rows with these values; None asks for nothing."""
        asked = {name: value for name, value in wanted.items() if value is not None}
        columns = [column.name for column in fields(Row)]
        for name in asked:
            if name not in columns:
                raise UnknownNameError("column", name, columns)
        found = []
        for row in self.rows():
            if all(_fits(getattr(row, name), value) for name, value in asked.items()):
                found.append(row)
        return found

    def keys(self, *, with_failed: bool) -> set[str]:
        """The questions that need not be asked again: an answer has to be there."""
        out = set()
        for row in self.rows():
            if row.status != DONE and with_failed:
                out.add(row.key)
            if row.status == DONE and self.answer_path(row.answer).exists():
                out.add(row.key)
        return out

    def answer(self, row: Row) -> Basis | ModuleBasis:
        """The answer of a row, proved again from its file; refused where the file is not the one that was written,
        or where the row says something else."""
        path = self.answer_path(row.answer)
        self.check(row)
        found: Basis | ModuleBasis
        if row.order is None:
            found = load_module(path)
        else:
            found = load_basis(path)
        _require_same(row, found)
        return found

    def check(self, row: Row) -> None:
        """Whether the file of an answer is there, and has its name."""
        path = self.answer_path(row.answer)
        found = hashlib.sha256(_read(path)).hexdigest()
        if found != row.answer:
            raise ProofError(f"{path}: altered, its hash is {found[:16]}…")

    def answer_path(self, digest: str) -> Path:
        return self.path / "answers" / digest[:2] / f"{digest}.json"

    def compact(self) -> None:
        """All rows in one part: the same table, quicker to read."""
        # listed once: what another sweep adds meanwhile is neither read nor removed
        old = self._parts()
        if len(old) < 2:
            return
        path = self._write_part(_latest(old))
        for part in old:
            if part != path:
                part.unlink()

    def _write_answer(self, digest: str, contents: str) -> None:
        """What is there already is left alone, unless it was damaged."""
        path, data = self.answer_path(digest), contents.encode()
        if path.exists():
            if not path.is_file():  # a pipe would be waited for
                raise SpecError(f"cannot write {path}: it is no ordinary file")
            if _read(path) == data:
                return
        self._write(path, data, clear=False)

    def _write_part(self, rows: Sequence[Row]) -> Path:
        data = _to_parquet(rows)
        path = self.path / "table" / f"{_part_name(data)}.parquet"
        self._write(path, data)
        return path

    def _write(self, path: Path, data: bytes, *, clear: bool = True) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SpecError(f"cannot write {path}: {error.strerror}") from None
        write_atomically(path, data, clear=clear)

    def _parts(self) -> list[Path]:
        """The oldest first."""
        return sorted(
            (self.path / "table").glob("*.parquet"),
            key=lambda part: (part.stat().st_mtime_ns, part.name),
        )


def _latest(parts: Iterable[Path]) -> list[Row]:
    latest: dict[str, Row] = {}
    for part in parts:
        for row in _from_parquet(part):
            known = latest.get(row.key)
            # an answer is never replaced by a failure
            if known is None or row.status == DONE or known.status != DONE:
                latest[row.key] = row
    return sorted(latest.values(), key=_place)


def _part_name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def _require_same(row: Row, found: Basis | ModuleBasis) -> None:
    """Whether the row tells what the answer is, and the answer is one to the question of the row."""
    facts = facts_of(found)
    if any(getattr(row, name) != value for name, value in facts.items()):
        raise ProofError(
            f"{row.answer[:16]}…: its row in the table tells other numbers"
        )
    asked = parse_problem(row.group, row.in_rep, row.out_rep, 0, row.dim)
    answered = found.problem
    same = (asked.group, asked.in_type, asked.out_type) == (
        answered.group,
        answered.in_type,
        answered.out_type,
    )
    if not same or row.order not in (None, answered.order):
        raise ProofError(
            f"{row.answer[:16]}…: not an answer to {row.in_rep} → {row.out_rep} of {row.group}"
        )


def _fits(value: Any, wanted: object) -> bool:
    """A representation is found by its text, and an irrep by its name alone: T1u for irrep(T1u)."""
    return bool(value == wanted or value == f"irrep({wanted})")


def _place(row: Row) -> tuple[str, int, str, str, int]:
    order = -1
    if row.order is not None:
        order = row.order
    return (row.group, row.dim or 0, row.in_rep, row.out_rep, order)


def arrow() -> Any:
    """pyarrow, or one line that names the extra."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "atlas", "an atlas") from None
    return pyarrow


def _schema() -> pyarrow.Schema:
    pa = arrow()
    kinds = {
        "order": pa.int32(),
        "dim": pa.int32(),
        "dimension": pa.int64(),
        "dimensions": pa.list_(pa.int64()),
        "degrees": pa.list_(pa.int32()),
        "seconds": pa.float64(),
    }
    return pa.schema([(f.name, kinds.get(f.name, pa.string())) for f in fields(Row)])


def _to_parquet(rows: Iterable[Row]) -> bytes:
    pa = arrow()
    schema, rows = _schema(), list(rows)
    columns = {name: [getattr(row, name) for row in rows] for name in schema.names}
    table = pa.Table.from_pydict(columns, schema=schema)
    out = io.BytesIO()
    pa.parquet.write_table(table, out, compression="zstd")
    return out.getvalue()


def _read(path: Path) -> bytes:
    """An ordinary file, of a bounded size: an atlas may be somebody else's."""
    try:
        return read_bytes(path, lambda start: MAX_BYTES)
    except FileFormatError as error:
        raise FileFormatError(f"{path}: {error}") from None


def _from_parquet(path: Path) -> Iterator[Row]:
    pa = arrow()
    data = _read(path)
    try:
        table = pa.parquet.read_table(io.BytesIO(data), schema=_schema())
    except (pa.ArrowException, OSError) as error:
        first = str(error).splitlines()[0][:120]
        raise FileFormatError(
            f"{path}: not a table of an atlas ({first}); remove it and sweep again"
        ) from None
    if path.stem != _part_name(data):
        raise ProofError(
            f"{path}: altered, its name is not the hash of its contents; remove it and sweep again"
        )
    for number, item in enumerate(table.to_pylist(), start=1):
        for name in ("dimensions", "degrees"):
            item[name] = tuple(item[name] or ())
        row = Row(**item)
        if not _is_whole(row):
            raise FileFormatError(
                f"{path}: row {number} is none of a sweep; remove the file and sweep again"
            )
        yield row


def _is_whole(row: Row) -> bool:
    """Whether a row has all its values, and the name of an answer is a hash: it becomes a path."""
    for name in ("dimensions", "degrees"):
        if not all(isinstance(n, int) for n in getattr(row, name)):
            return False
    missing = [f.name for f in fields(Row) if getattr(row, f.name) is None]
    if set(missing) - {"order", "dim"} or row.status not in (DONE, FAILED):
        return False
    return row.status == FAILED or re.fullmatch("[0-9a-f]{64}", row.answer) is not None
