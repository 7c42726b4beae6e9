"""An assertion with its verdict, and how it is known."""

from __future__ import annotations

from typing import Any

from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """``what`` is asserted; ``holds`` is the verdict, None where nothing was decided.

    ``figures`` are the numbers that decided it, one for each order.

    >>> Claim("independent", True, "exact rank", (("found", (1, 0, 1)), ("ranks", (1, 0, 1)))).figure("ranks")
    (1, 0, 1)
    """

    what: str
    holds: bool | None
    how: str
    figures: tuple[tuple[str, tuple[int, ...]], ...] = ()

    def figure(self, name: str) -> tuple[int, ...]:
        """Empty when the claim has no such figures."""
        return dict(self.figures).get(name, ())

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"what": self.what, "holds": self.holds, "how": self.how}
        if self.figures:
            out["figures"] = {name: list(numbers) for name, numbers in self.figures}
        return out
