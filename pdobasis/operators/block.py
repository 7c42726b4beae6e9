"""What lies between two summands of the question: symbols of every order, and
what is known of each.
"""

from __future__ import annotations

from pdobasis.operators.symbols import Structure, Symbols
from pdobasis.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The solutions between two summands: ``orders[n]`` holds the symbols of
    order n.

    ``structure[n][k]`` describes element k of order n, when the method knows
    it.
    """

    in_index: int
    out_index: int
    orders: tuple[Symbols, ...]
    structure: tuple[tuple[Structure, ...], ...] | None = None

    def equals(self, other: Block) -> bool:
        """The same symbols between the same summands."""
        places = (self.in_index, self.out_index, len(self.orders))
        if places != (other.in_index, other.out_index, len(other.orders)):
            return False
        return all(map(Symbols.equals, self.orders, other.orders))
