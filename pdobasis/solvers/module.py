r"""The steerable symbols as a module over the polynomials in $r^2$, which become the powers of the Laplacian."""

from __future__ import annotations

from dataclasses import dataclass

from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.symbols import Structure, Symbols, join_symbols


@dataclass(frozen=True, slots=True, eq=False)
class Angular:
    """Harmonic symbols of one order, and the irreps that each connects (empty where that is not known)."""

    symbols: Symbols
    irreps: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """The angular elements of every order: a basis of the steerable symbols over the polynomials in r^2."""

    angular: tuple[Angular, ...]

    @property
    def size(self) -> int:
        return sum(a.symbols.size for a in self.angular)

    def alone(self) -> tuple[tuple[Symbols, ...], tuple[tuple[Structure, ...], ...]]:
        """The angular elements without any powers of r^2."""
        described = (tuple(Structure(n, 0, a, b) for a, b in own.irreps) for n, own in enumerate(self.angular))
        return tuple(own.symbols for own in self.angular), tuple(described)

    def orders(self) -> tuple[tuple[Symbols, ...], tuple[tuple[Structure, ...], ...]]:
        """The real basis: for every order n all r^{2k} chi with l + 2k = n, by increasing angular order l."""
        parts: list[Symbols] = []
        structure: list[tuple[Structure, ...]] = []
        for n, own in enumerate(self.angular):
            described = tuple(Structure(n, 0, a, b) for a, b in own.irreps)
            if n < 2:
                parts.append(own.symbols)
                structure.append(described)
                continue
            lifted = times_radius(parts[n - 2])
            parts.append(join_symbols([lifted, own.symbols]))
            raised = (Structure(s.angular_order, s.laplacian_power + 1, s.in_irrep, s.out_irrep) for s in structure[-2])
            structure.append((*raised, *described))
        return tuple(parts), tuple(structure)
