"""Ranks of terms modulo a prime: what is independent there is independent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np
from flint import nmod_mat

from pdobasis.exact.field import RATIONALS, Field, join
from pdobasis.exact.residue_numbers import PRIME, Residues
from pdobasis.exact.scalars import field_of
from pdobasis.exact.types import IntArray
from pdobasis.nonlinear.polynomials import Monomial, Polynomial

Components = tuple[Polynomial, ...]


def field_of_terms(terms: Iterable[Components]) -> Field:
    fields = {
        field_of(value)
        for components in terms
        for polynomial in components
        for value in polynomial.values()
    }
    return reduce(join, (f for f in fields if f is not None), RATIONALS)


def rank(terms: Sequence[Components]) -> int:
    """A lower bound of the rank, which is the rank unless the prime is an unlucky one."""
    if not terms:
        return 0
    table, _ = _table(terms)
    return int(table.rank())


def pivots(terms: Sequence[Components]) -> list[tuple[int, Monomial]]:
    """Places (component, monomial), as few as the rank, that tell terms apart as well as all places do."""
    if not terms:
        return []
    table, places = _table(terms)
    reduced, number = table.rref()
    out = []
    column = 0
    for row in range(number):
        while not int(reduced[row, column]):
            column += 1
        out.append(places[column])
    return out


def _table(terms: Sequence[Components]) -> tuple[nmod_mat, list[tuple[int, Monomial]]]:
    """Coefficients modulo a prime, a row for each term, and the places of the columns."""
    modulo = Residues(field_of_terms(terms))
    places: dict[tuple[int, Monomial], int] = {}
    entries = []
    for k, components in enumerate(terms):
        for c, polynomial in enumerate(components):
            for monomial, value in polynomial.items():
                column = places.setdefault((c, monomial), len(places))
                entries.append((k, column, modulo(value)))
    table = nmod_mat(len(terms), max(1, len(places)), modulo.prime)
    for row, column, residue in entries:
        table[row, column] = residue
    return table, list(places)


class Chooser:
    """Takes a term when it is not a sum of those before it.

    What is compared are ``width`` random sums of coefficients modulo a prime. Sums can only make terms look dependent
    that are not, with a chance of about width/p: then one would be missing, and the count would tell.
    """

    def __init__(self, width: int, field: Field) -> None:
        self.modulo: Residues = Residues(field)
        self.width = width
        self.random: np.random.Generator = np.random.default_rng(20)
        self.columns: dict[tuple[int, Monomial], IntArray] = {}
        self.rows: list[tuple[int, IntArray]] = []

    def takes(self, components: Components) -> bool:
        p = self.modulo.prime
        v = np.zeros(self.width, dtype=object)
        for c, polynomial in enumerate(components):
            for monomial, value in polynomial.items():
                v = (v + self.modulo(value) * self._column(c, monomial)) % p
        for pivot, row in self.rows:
            if v[pivot]:
                v = (v - v[pivot] * row) % p
        nonzero = np.flatnonzero(v)
        if not len(nonzero):
            return False
        pivot = int(nonzero[0])
        self.rows.append((pivot, v * pow(int(v[pivot]), -1, p) % p))
        return True

    def _column(self, c: int, monomial: Monomial) -> IntArray:
        key = (c, monomial)
        if key not in self.columns:
            drawn = self.random.integers(0, PRIME, self.width)
            self.columns[key] = drawn.astype(object)
        return self.columns[key]
