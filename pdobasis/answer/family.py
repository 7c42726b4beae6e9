"""What is made of a basis, element by element: kernels and multipliers are sequences that print as tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, overload

from pdobasis.answer.basis import Basis
from pdobasis.answer.element import shortened
from pdobasis.operators.layout import columns

SHOWN = 24
"""Members of a printed table."""
WIDE = 100
"""Characters of one member in it."""


def counted(number: int, thing: str) -> str:
    """
    >>> counted(1, "kernel"), counted(2, "kernel")
    ('1 kernel', '2 kernels')
    """
    return f"{number} {thing}{'s' * (number != 1)}"


class Member(Protocol):
    """One of a family: it has an order and a text."""

    @property
    def order(self) -> int: ...

    def __str__(self) -> str: ...

    def latex(self) -> str: ...


M = TypeVar("M", bound=Member)


class Family(Sequence[M]):
    """Invariant: members are in the order of the elements of ``basis``, from which everything about them follows."""

    __slots__ = ()
    basis: Basis

    @property
    @abstractmethod
    def elements(self) -> tuple[M, ...]:
        """All members."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What they are, in one line."""

    def _value(self) -> Any:
        """What two equal families have in common."""
        return self.basis

    def __len__(self) -> int:
        return len(self.elements)

    @overload
    def __getitem__(self, index: int) -> M: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[M]: ...

    def __getitem__(self, index: int | slice) -> M | Sequence[M]:
        return self.elements[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Family) or type(self) is not type(other):
            return NotImplemented
        same: bool = self._value() == other._value()
        return same

    def __hash__(self) -> int:
        return hash((type(self), self.basis))

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def __str__(self) -> str:
        rows = [(str(m.order), shortened(str(m), WIDE)) for m in self[:SHOWN]]
        lines = [self.title]
        if rows:
            lines.append(columns(("order", "formula"), rows))
        if len(self) > SHOWN:
            lines.append(f"… {len(self) - SHOWN} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from pdobasis.notebook.families import family_html

        return family_html(self)
