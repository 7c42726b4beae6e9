r"""Truncations as values: which part of all equivariant PDOs a question asks for.

Each is a *subspace* of the space of solutions, whatever basis that is written in:

``max_offset``
    The frequencies $m \pm n + tN$ of the solution tables of C_N and D_N with
    $|t| \le$ ``max_offset``, next to $\psi_{N/2}$ those $n + (t + \frac12) N$.
``kept``
    $\bigoplus r^{2k} \mathcal{H}_l$ over some pairs (angular order l, Laplacian
    power k), for G in O(d): by Fischer's decomposition each summand is kept by G.
``frame``
    A limit on the order in each variable of a frame that turns with a field, as
    in PDO-eConvs: see :mod:`.frames`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pdobasis.errors import FileFormatError
from pdobasis.groups.arguments import angle_text, turns
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from pdobasis.question.frames import FrameLimit

Pair = tuple[int, int]
"""(angular order, Laplacian power)."""
SHOWN = 12
"""Pairs that are listed in a sentence."""
KEYS = ("max_offset", "kept", "frame_order", "frame_angle")
"""Of the mapping in a file."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """Which subspace; what is None does not limit.

    Invariant: ``kept`` is sorted as :func:`pairs_of`. A question that nothing limits has no truncation.
    """

    max_offset: int | None = None
    kept: tuple[Pair, ...] | None = None
    frame: FrameLimit | None = None

    def keeps(self, angular: int, power: int) -> bool:
        """Whether elements of this angular order and Laplacian power are asked for."""
        return self.kept is None or (angular, power) in self.kept

    @property
    def text(self) -> str:
        """In words, on one line.

        >>> Truncation(0).text, Truncation(kept=((0, 0), (1, 0))).text
        ('max_offset 0', '(angular order, Laplacian power) in (0,0) (1,0)')
        """
        parts = []
        if self.max_offset is not None:
            parts.append(f"max_offset {self.max_offset}")
        if self.kept is not None:
            listed = " ".join(f"({a},{k})" for a, k in self.kept[:SHOWN])
            if len(self.kept) > SHOWN:
                listed += f" … ({len(self.kept)} pairs)"
            listed = listed or "no pair"
            parts.append(f"(angular order, Laplacian power) in {listed}")
        if self.frame is not None:
            parts.append(self.frame.text)
        return ", ".join(parts)

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if self.max_offset is not None:
            out["max_offset"] = self.max_offset
        if self.kept is not None:
            out["kept"] = [list(pair) for pair in self.kept]
        if self.frame is not None:
            out["frame_order"] = self.frame.order
            if self.frame.angle:
                out["frame_angle"] = angle_text(self.frame.angle)
        return out


def pairs_of(order: int) -> list[Pair]:
    """All (l, k) with l + 2k at most ``order``, by their order n = l + 2k and l.

    >>> pairs_of(3)
    [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (3, 0)]
    """
    return [
        (angular, (n - angular) // 2)
        for n in range(order + 1)
        for angular in range(n % 2, n + 1, 2)
    ]


def truncation_from_json(data: Any, order: int) -> Truncation | None:
    """Of the question in a file."""
    if data is None:
        return None
    if not isinstance(data, dict) or not data or not set(data) <= set(KEYS):
        raise FileFormatError(
            f"truncation has to be a mapping of some of {', '.join(KEYS)}"
        )
    offset, kept = data.get("max_offset"), data.get("kept")
    limit, angle = data.get("frame_order"), data.get("frame_angle", "0")
    if not _is_whole(offset) or not _is_whole(limit) or not isinstance(angle, str):
        raise FileFormatError(
            "truncation: max_offset and frame_order are whole numbers, frame_angle is a text such as pi/8"
        )
    if limit is None and "frame_angle" in data:
        raise FileFormatError("truncation: frame_angle goes with frame_order")
    pairs = None
    if kept is not None:
        pairs = _read_pairs(kept, order)
    frame = None
    if limit is not None:
        # loaded for questions about frames alone
        from pdobasis.question.frames import FrameLimit

        frame = FrameLimit(limit, turns(angle))
    return Truncation(offset, pairs, frame)


def _read_pairs(data: Any, order: int) -> tuple[Pair, ...]:
    known = pairs_of(order)
    found = []
    for pair in data if isinstance(data, list) else [None]:
        # type(), for true is an int
        if not isinstance(pair, list) or [type(v) for v in pair] != [int, int]:
            raise FileFormatError(
                "truncation.kept has to be a list of [angular order, Laplacian power]"
            )
        found.append((pair[0], pair[1]))
    if [pair for pair in known if pair in found] != found:
        raise FileFormatError(
            f"truncation.kept has to hold pairs of orders up to {order}, each once, by their orders"
        )
    return tuple(found)


def _is_whole(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)
