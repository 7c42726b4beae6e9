r"""The steerable symbols as a module over the polynomials in $r^2$, which
become the powers of the Laplacian.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.names import textbook_scale
from pdobasis.operators.symbols import Structure, Symbols, join_symbols, renumber
from pdobasis.values import dataclass

Keeps = Callable[[int, int], bool]
"""(angular order, power of r^2) to whether they are asked for."""
Described = tuple[tuple[Symbols, ...], tuple[tuple[Structure, ...], ...]]
"""The symbols of every order, and what is known of each of them."""
Represent = Callable[[Symbols, Symbols | None], Symbols]
"""(angular elements, all multiples of r^2 of their order) to the same elements
modulo the multiples."""


def as_they_are(part: Symbols, lower: Symbols | None) -> Symbols:
    """The harmonic elements represent themselves."""
    return part


def everything(angular: int, power: int) -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Angular:
    """Harmonic symbols of one order, and the irreps that each connects.

    Labels are empty where that is not known.
    """

    symbols: Symbols
    irreps: tuple[tuple[str, str], ...]

    def kept(self, is_kept: bool) -> Angular:
        """All of them, or none."""
        if is_kept:
            return self
        none = renumber(self.symbols, np.full(self.symbols.size, -1), 0)
        return Angular(none, ())

    @property
    def structure(self) -> tuple[Structure, ...]:
        n = self.symbols.order
        # elements may be thousands, and few of their labels differ
        made = {label: Structure(n, 0, *label) for label in set(self.irreps)}
        if len(made) == 1:
            return (*made.values(),) * len(self.irreps)
        return tuple(map(made.__getitem__, self.irreps))


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """The angular elements of every order: a basis of the steerable symbols
    over the polynomials in r^2.
    """

    angular: tuple[Angular, ...]

    @property
    def size(self) -> int:
        return sum(own.symbols.size for own in self.angular)

    def alone(self, keeps: Keeps = everything) -> Described:
        """The angular elements without any powers of r^2."""
        found = [own.kept(keeps(own.symbols.order, 0)) for own in self.angular]
        parts = tuple(own.symbols for own in found)
        return parts, tuple(own.structure for own in found)

    def filtered(self, keeps: Keeps) -> Described:
        """The r^{2k} chi that are asked for, of every order, by increasing l.

        With harmonic chi, since another representative of its class modulo r^2
        may have parts that are not asked for.
        """
        # powers[l] holds r^{2k} chi of angular order l, with k as far as we got.
        powers = [own.symbols for own in self.angular]
        parts: list[Symbols] = []
        structure: list[tuple[Structure, ...]] = []
        for n in range(len(self.angular)):
            found, described = [], []
            for angular in range(n % 2, n + 1, 2):
                power = (n - angular) // 2
                if power:
                    powers[angular] = times_radius(powers[angular])
                if keeps(angular, power):
                    found.append(textbook_scale(powers[angular]))
                    own = self.angular[angular].structure
                    described += [replace(s, laplacian_power=power) for s in own]
            none = self.angular[n].kept(False).symbols
            parts.append(join_symbols([none, *found]))
            structure.append(tuple(described))
        return tuple(parts), tuple(structure)

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
                structure.append((*_raised(structure[n - 2]), *own.structure))
        return tuple(parts), tuple(structure)


def _raised(structure: tuple[Structure, ...]) -> list[Structure]:
    """With one power more; each of the few that differ once."""
    once = dict(zip(map(id, structure), structure, strict=True))
    made = {
        k: replace(s, laplacian_power=s.laplacian_power + 1) for k, s in once.items()
    }
    return list(map(made.__getitem__, map(id, structure)))
