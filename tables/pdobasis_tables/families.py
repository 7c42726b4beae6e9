"""The five tables of the plane as data: which groups, and which irreps their rows and columns are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pdobasis.bounds.caches import remembered
from pdobasis.groups.catalogue import parse_group
from pdobasis.question.text import parse_field_type
from pdobasis.representations.representation import Representation

Point = tuple[int, int, int]
"""(m, n, N): the frequencies of the output and the input, and the number of rotations."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A row or column: one irrep for each N (``spec`` may hold {h} = N/2), or one for each frequency k ({k})."""

    spec: str

    @property
    def varies(self) -> bool:
        return "{k}" in self.spec

    @property
    def half(self) -> bool:
        return "{h}" in self.spec

    def frequencies(self, rotations: int, limit: int) -> range:
        """The k for which it is an irrep; N = 0 for SO(2), O(2)."""
        if self.varies:
            top = limit
            if rotations:
                # k and N - k are the same irrep, and at N/2 it splits
                top = (rotations - 1) // 2
            return range(1, top + 1)
        is_even = rotations > 0 and rotations % 2 == 0
        if self.half and not is_even:
            return range(0)
        return range(1)

    def name(self, k: int, rotations: int) -> str:
        return self.spec.format(k=k, h=rotations // 2)


@dataclass(frozen=True, slots=True)
class Family:
    """``group`` may hold {N}: then N is free, else ``rotations`` is what it is (0: all rotations)."""

    key: str
    group: str
    kinds: tuple[Kind, ...]
    rotations: int = 0
    mirror: bool = False

    @property
    def free(self) -> bool:
        return "{N}" in self.group

    def all_rotations(self, limit: int) -> Iterable[int]:
        """The N of its groups, up to a limit where N is free."""
        if self.free:
            return range(1, limit + 1)
        return [self.rotations]

    def irreps(
        self, out: Kind, source: Kind, point: Point
    ) -> tuple[Representation, Representation]:
        """(output, input) at a point."""
        m, n, rotations = point
        group = self.group.format(N=rotations)
        return _irrep(group, out.name(m, rotations)), _irrep(
            group, source.name(n, rotations)
        )


@remembered
def _irrep(group: str, spec: str) -> Representation:
    return parse_field_type(spec, parse_group(group)).distinct[0]


# in the order of the paper, and so are the rows of each table
FAMILIES = (
    Family(
        "so2",
        "SO(2)",
        (
            Kind("irrep(0)"),
            Kind("irrep({k})"),
        ),
    ),
    Family(
        "o2",
        "O(2)",
        (
            Kind("irrep(0,0)"),
            Kind("irrep(1,0)"),
            Kind("irrep(1,{k})"),
        ),
        mirror=True,
    ),
    Family(
        "reflection",
        "flip",
        (
            Kind("irrep(0)"),
            Kind("irrep(1)"),
        ),
        rotations=1,
        mirror=True,
    ),
    Family(
        "cn",
        "C{N}",
        (
            Kind("irrep(0)"),
            Kind("irrep({h})"),
            Kind("irrep({k})"),
        ),
        rotations=1,
    ),
    Family(
        "dn",
        "D{N}",
        (
            Kind("irrep(0,0)"),
            Kind("irrep(1,0)"),
            Kind("irrep(0,{h})"),
            Kind("irrep(1,{h})"),
            Kind("irrep(1,{k})"),
        ),
        rotations=1,
        mirror=True,
    ),
)
