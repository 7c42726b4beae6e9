r"""The steerable symbols as a module over the polynomials in $r^2$, which
become the powers of the Laplacian.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.watch import check
from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.names import textbook_scale
from pdobasis.operators.symbols import Structure, Symbols, join_symbols, renumber
from pdobasis.solvers.textbook import textbook
from pdobasis.values import dataclass

if TYPE_CHECKING:
    from pdobasis.solvers.few_elements import FewElements
    from pdobasis.solvers.single_entries import SingleEntries

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

    found: Symbols | SingleEntries | FewElements
    irreps: tuple[tuple[str, str], ...]

    @property
    def symbols(self) -> Symbols:
        if isinstance(self.found, Symbols):
            return self.found
        return self.found.symbols

    def kept(self, is_kept: bool) -> Angular:
        """All of them, or none."""
        if is_kept:
            return self
        none = renumber(self.symbols, np.full(self.symbols.size, -1), 0)
        return Angular(none, ())

    @property
    def structure(self) -> tuple[Structure, ...]:
        (own,) = self.with_powers(1)
        return own

    def with_powers(self, count: int) -> list[tuple[Structure, ...]]:
        """What is known of r^{2k} chi, for the first powers k."""
        n, labels = self.found.order, self.irreps
        # elements may be thousands, and few of their labels differ
        if labels == labels[:1] * len(labels):
            return [
                tuple(Structure(n, k, *label) for label in labels[:1]) * len(labels)
                for k in range(count)
            ]
        different, out = set(labels), []
        for k in range(count):
            made = {label: Structure(n, k, *label) for label in different}
            out.append(tuple(map(made.__getitem__, labels)))
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """The angular elements of every order: a basis of the steerable symbols
    over the polynomials in r^2.
    """

    angular: tuple[Angular, ...]

    @property
    def size(self) -> int:
        return sum(own.found.size for own in self.angular)

    def alone(self, keeps: Keeps = everything) -> Described:
        """The angular elements without any powers of r^2."""
        found = [own.kept(keeps(own.found.order, 0)) for own in self.angular]
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
        return self._orders(represent), self._structure()

    def textbook_orders(self) -> Described:
        """The same, with operators that have names for representatives; of few numbers in Python's integers."""
        few = self._few()
        found = None
        if few is not None:
            # loaded where there are such elements
            from pdobasis.solvers.few_elements import with_powers

            found = with_powers(few)
        if found is None:
            found = self._orders(textbook)
        return found, self._structure()

    def _structure(self) -> tuple[tuple[Structure, ...], ...]:
        size = len(self.angular)
        structure: list[list[Structure]] = [[] for _ in range(size)]
        for angular, own in enumerate(self.angular):
            orders = range(angular, size, 2)
            for n, known in zip(orders, own.with_powers(len(orders)), strict=True):
                structure[n] += known
        return tuple(map(tuple, structure))

    def _few(self) -> list[FewElements] | None:
        """What was found in Python's integers, or is soon brought to them."""
        symbols = [o.found for o in self.angular if isinstance(o.found, Symbols)]
        if any(not part.coefficients.is_rational for part in symbols):
            return None
        # loaded where numbers are rational
        from pdobasis.solvers.few_elements import MOST, FewElements, from_symbols

        # every entry has a coefficient
        if sum(len(part.element) for part in symbols) > MOST:
            return None
        out = []
        for own in self.angular:
            found = own.found
            few = found if isinstance(found, FewElements) else None
            # single entries have a road of their own, but that has no names
            if isinstance(found, Symbols) or found.shape == (1, 1):
                few = few or from_symbols(own.symbols)
            if few is None:
                return None
            out.append(few)
        return out

    def _single(self) -> list[SingleEntries]:
        """Those of all orders, or none."""
        others = [
            own.found for own in self.angular if not isinstance(own.found, Symbols)
        ]
        if len(others) < len(self.angular):
            return []
        # loaded where there may be such elements
        from pdobasis.solvers.single_entries import SingleEntries

        single = [own for own in others if isinstance(own, SingleEntries)]
        return single if len(single) == len(others) else []

    def _orders(self, represent: Represent) -> tuple[Symbols, ...]:
        single = self._single()
        if single and single[0].shape != (1, 1):
            # No operator with a name has one entry in a larger matrix: all elements represent themselves.
            # loaded where there are such elements
            from pdobasis.solvers.single_entries import with_powers

            return tuple(part.symbols for part in with_powers(single))
        parts: list[Symbols] = []
        for n, own in enumerate(self.angular):
            if n < 2:
                parts.append(represent(own.symbols, None))
            else:  # P_n = H_n + r^2 P_{n-2}
                check()
                lower = times_radius(parts[n - 2])
                part = represent(own.symbols, lower)
                parts.append(join_symbols([lower, part]))
        return tuple(parts)
