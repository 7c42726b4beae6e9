r"""The steerable symbols as a module over the polynomials in $r^2$, which
become the powers of the Laplacian.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.symbols import Structure, Symbols, join_symbols

Described = tuple[tuple[Symbols, ...], tuple[tuple[Structure, ...], ...]]
"""The symbols of every order, and what is known of each of them."""


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

    def orders(self) -> Described:
        """The real basis: for every order n all r^{2k} chi with l + 2k = n, by
        increasing angular order l.
        """
        parts: list[Symbols] = []
        structure: list[tuple[Structure, ...]] = []
        for n, own in enumerate(self.angular):
            if n < 2:
                parts.append(own.symbols)
                structure.append(own.structure)
            else:  # P_n = H_n + r^2 P_{n-2}
                lifted = times_radius(parts[n - 2])
                parts.append(join_symbols([lifted, own.symbols]))
                raised = [_raised(s) for s in structure[n - 2]]
                structure.append((*raised, *own.structure))
        return tuple(parts), tuple(structure)


def _raised(s: Structure) -> Structure:
    return replace(s, laplacian_power=s.laplacian_power + 1)
