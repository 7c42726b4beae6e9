"""How it is known that some matrices are a representation: what was checked, and what is assumed."""

from __future__ import annotations

from collections.abc import Iterable

from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """``cover`` says that it is a representation of a covering group only, on purpose."""

    how: str = "by construction"
    assumed: str = ""
    cover: bool = False

    @property
    def text(self) -> str:
        parts = [self.how]
        if self.cover:
            parts.append("of a covering group: loops are not asked for")
        if self.assumed:
            parts.append(f"assumed: {self.assumed}")
        return "; ".join(parts)


BY_CONSTRUCTION = Hypothesis()


def together(known: Iterable[Hypothesis]) -> Hypothesis:
    """What is known of something built from several representations."""
    # Sums, products and duals of representations are some, and assume nothing more.
    own = [h for h in known if h != BY_CONSTRUCTION]
    if not own:
        return BY_CONSTRUCTION
    return Hypothesis(
        "; ".join(dict.fromkeys(h.how for h in own)),
        "; ".join(dict.fromkeys(h.assumed for h in own if h.assumed)),
        # Where one part lives on a covering group, the whole is promised on no other.
        any(h.cover for h in own),
    )


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "circle"), counted(3, "circle")
    ('1 circle', '3 circles')
    """
    return f"{number} {noun}{'s' * (number != 1)}"
