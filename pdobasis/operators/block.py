"""What lies between two summands of the question: symbols of every order, and
what is known of each.
"""

from __future__ import annotations

from dataclasses import dataclass

from pdobasis.operators.symbols import Structure, Symbols


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
