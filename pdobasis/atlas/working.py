"""What a worker does with a batch: it answers, and writes the answers itself where it can see the store.

The one process that asks then only gathers rows. A worker of a cluster that shares no disk with it sends the answers
along, and they are written there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pdobasis.atlas.answering import Answered, answer_all
from pdobasis.atlas.questions import Question
from pdobasis.atlas.store import Store
from pdobasis.errors import SpecError
from pdobasis.files.atomic import named


@dataclass(frozen=True, slots=True)
class Place:
    """A store, and a file of a random name in it: who finds that file sees the same disk."""

    store: Path
    sign: Path

    @property
    def is_seen(self) -> bool:
        return self.sign.exists()


@contextmanager
def standing_place(store: Store) -> Iterator[Place]:
    """The sign stands while the sweep goes on; what a killed one leaves is cleared up by the next."""
    folder = store.prepare().absolute()
    with ExitStack() as stack:
        try:
            _, sign = stack.enter_context(named(folder))
        except OSError as error:
            raise SpecError(f"cannot write {folder}: {error.strerror}") from None
        yield Place(store.path.absolute(), sign)


@dataclass(frozen=True, slots=True)
class Task:
    """A batch of questions to rows whose answers are on the disk, or to rows with their answers."""

    seconds: float | None
    """What a question may take."""
    place: Place

    def __call__(self, questions: Sequence[Question]) -> list[Answered]:
        answered = answer_all(questions, self.seconds)
        if not self.place.is_seen:
            return answered
        try:
            Store(self.place.store).write_answers(answered)
        except (
            SpecError
        ):  # a full disk, another user's folder: who asked meets it too, and tells
            return answered
        return [replace(one, contents="") for one in answered]
