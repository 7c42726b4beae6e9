"""Who takes which questions: a worker stays with a group, since what its questions share is then computed once.

Every worker has a lane of its own. It takes the questions of one group after the other; when all groups are taken, it
takes half of what is left in the fullest lane, so that all of them end at about the same time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from pdobasis.atlas.questions import Question


class Shares:
    """What is still to be asked."""

    def __init__(self, questions: Iterable[Question]) -> None:
        groups: dict[tuple[str, int | None], deque[Question]] = {}
        self.left: int = 0
        for question in questions:
            of_group = groups.setdefault((question.group, question.dim), deque())
            of_group.append(question)
            self.left += 1
        self.groups: deque[deque[Question]] = deque(groups.values())
        self.lanes: dict[int, deque[Question]] = {}

    def take(self, lane: int, count: int) -> tuple[Question, ...]:
        """The next questions of a lane, at most ``count``, of one group; none when all are taken."""
        own = self.lanes.get(lane)
        if not own:
            own = self.lanes[lane] = self._more()
        out = tuple(own.popleft() for _ in range(min(count, len(own))))
        self.left -= len(out)
        return out

    def back(self, question: Question) -> None:
        """Asked again after all others, and alone."""
        self.groups.append(deque([question]))
        self.left += 1

    def _more(self) -> deque[Question]:
        if self.groups:
            return self.groups.popleft()
        fullest = max(self.lanes.values(), key=len, default=deque[Question]())
        # from its end, the larger half: the lane goes on at its beginning, and one question can be taken too
        half = [fullest.pop() for _ in range((len(fullest) + 1) // 2)]
        return deque(reversed(half))
