r"""The steerable symbols as a module over the polynomials in $r^2$, which
become the powers of the Laplacian.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.symbols import Structure, Symbols, join_symbols

Described = tuple[tuple[Symbols, ...], tuple[tuple[Structure, ...], ...]]
"""The symbols of every order, and what is known of each of them."""
Represent = Callable[[Symbols, Symbols | None], Symbols]
"""(angular elements, all multiples of r^2 of their order) to the same elements
modulo the multiples."""


def as_they_are(part: Symbols, lower: Symbols | None) -> Symbols:
    """The harmonic elements represent themselves."""
    return part


@dataclass(frozen=True, slots=True, eq=False)
class Angular:
    """Harmonic symbols of one order, and the irreps that each connects.

    Labels are empty where that is not known.
    """

    symbols: Symbols
    irreps: tuple[tuple[str, str], ...]

    @property
    def structure(self) -> tuple[Structure, ...]:
        n = self.symbols.order
        return tuple(Structure(n, 0, a, b) for a, b in self.irreps)


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """The angular elements of every order: a basis of the steerable symbols
    over the polynomials in r^2.
    """

    angular: tuple[Angular, ...]

    @property
    def size(self) -> int:
        return sum(own.symbols.size for own in self.angular)

    def alone(self) -> Described:
        """The angular elements without any powers of r^2."""
        parts = tuple(own.symbols for own in self.angular)
        return parts, tuple(own.structure for own in self.angular)

    def orders(self, represent: Represent = as_they_are) -> Described:
        """The real basis: all r^{2k} chi with l + 2k = n, for every order n.

        They come by increasing angular order l. ``represent`` may put other
        representatives of the same classes modulo r^2 in the place of chi.
        """
        parts: list[Symbols] = []
        structure: list[tuple[Structure, ...]] = []
        for n, own in enumerate(self.angular):
            if n < 2:
                parts.append(represent(own.symbols, None))
                structure.append(own.structure)
            else:  # P_n = H_n + r^2 P_{n-2}
                lower = times_radius(parts[n - 2])
                part = represent(own.symbols, lower)
                parts.append(join_symbols([lower, part]))
                raised = [_raised(s) for s in structure[n - 2]]
                structure.append((*raised, *own.structure))
        return tuple(parts), tuple(structure)


def _raised(s: Structure) -> Structure:
    return replace(s, laplacian_power=s.laplacian_power + 1)
