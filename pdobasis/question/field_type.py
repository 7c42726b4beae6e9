"""Field types (sums of representations) and the question: which PDOs map one to the other?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from pdobasis.errors import SizeError
from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.polynomials import count
from pdobasis.groups.group import Group
from pdobasis.representations.representation import Representation

DEFAULT_MAX_UNKNOWNS = 5_000_000
MAX_ORDER = 64


@dataclass(frozen=True, slots=True)
class FieldType:
    """A direct sum: (representation, how often) in the order of the channels."""

    spec: str
    terms: tuple[tuple[Representation, int], ...]

    @property
    def size(self) -> int:
        return sum(rep.size * n for rep, n in self.terms)

    @property
    def distinct(self) -> tuple[Representation, ...]:
        """The different representations, in order of appearance."""
        return tuple(dict.fromkeys(rep for rep, _ in self.terms))

    def offsets(self, rep: Representation) -> list[int]:
        """The first channel of every copy of a representation."""
        out: list[int] = []
        at = 0
        for term, n in self.terms:
            if term == rep:
                out.extend(at + k * term.size for k in range(n))
            at += term.size * n
        return out

    def __str__(self) -> str:
        return self.spec


@dataclass(frozen=True, slots=True)
class Problem:
    """All PDOs from ``in_type`` to ``out_type`` of order at most ``order``.

    ``partial_order`` limits the order in each variable too. With ``kernel`` the question is about the angular parts
    of convolution kernels: harmonic polynomials, to be read as functions of x/|x|.
    """

    group: Group
    in_type: FieldType
    out_type: FieldType
    order: int
    partial_order: int | None = None
    kernel: bool = False

    @property
    def field(self) -> Field:
        reps = (*self.in_type.distinct, *self.out_type.distinct)
        return reduce(join, (r.field for r in reps), join(self.group.field, RATIONALS))

    @property
    def unknowns(self) -> int:
        """Coefficients of one block of every kind, over all orders."""
        return self._entries * sum(count(self.group.dim, n) for n in range(self.order + 1))

    @property
    def megabytes(self) -> float:
        """An estimate of the answer: about every |G|-th unknown is free, and a free one fills |G| entries."""
        numbers = self._entries * sum(count(self.group.dim, n) ** 2 for n in range(self.order + 1))
        return numbers * self.field.degree * 8 / 1e6

    @property
    def _entries(self) -> int:
        return sum(a.size for a in self.in_type.distinct) * sum(b.size for b in self.out_type.distinct)

    def require(self, max_unknowns: int) -> None:
        """Refuse a question that is too large, before any work."""
        if self.order < 0 or self.order > MAX_ORDER:
            raise SizeError(f"the order has to be from 0 to {MAX_ORDER}, got {self.order}")
        if self.unknowns > max_unknowns:
            raise SizeError(
                f"this question has {self.unknowns:,} unknowns (an answer of about {self.megabytes:,.0f} MB), beyond "
                f"the limit of {max_unknowns:,}: lower --order, or lift it with --max-unknowns {self.unknowns}"
            )
