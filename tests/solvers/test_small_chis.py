"""Symbols between irreps of crystals: those of the road through arrays, and which are new modulo r^2."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm

import pytest

from pdobasis.exact.polynomials import count, monomials, position
from pdobasis.groups.catalogue import parse_group
from pdobasis.linear.small import first_independent
from pdobasis.operators.few import harmonic_numbered
from pdobasis.representations.named import named_irreps
from pdobasis.representations.representation import Representation
from pdobasis.solvers import small_chis, small_fibres
from pdobasis.solvers.projection import solve_harmonic
from pdobasis.solvers.small import Action, Pairing
from pdobasis.solvers.small_sums import Sums

ORDER = 5


def pairs(group: str) -> list[tuple[Representation, Representation]]:
    irreps = named_irreps(parse_group(group)).values()
    return list(product(irreps, irreps))


@pytest.mark.parametrize("group", ["T", "O", "Td", "D2d", "S4", "C4h", "32", "-3", "6mm", "-6"])
def test_new_modulo_squares_are_those_with_independent_harmonic_parts(group: str) -> None:
    """Orbits and places are numbered in many ways; roots of space are among the variables of the hexagonal ones."""
    space = small_fibres.space_of(parse_group(group))
    assert space is not None
    squares = () if max(space.squares) == 1 else space.squares
    action = Action(3, space.side, ORDER, squares)
    dropped = 0
    weights = [Fraction(1, c) for c in space.squares]
    for a, b in pairs(group):
        if small_chis.is_permuted(a, b):
            continue
        fibres = small_fibres.fibre_of(a), small_fibres.fibre_of(b)
        rho = [fibre.side for fibre in fibres if fibre is not None]
        pairing = Pairing(action, (rho[0], rho[1]), is_row_major=False)
        every = [pairing.solutions(n) or [] for n in range(ORDER + 1)]
        for n in range(2, ORDER + 1):
            parts = [harmonic_numbered(own, 3, n, squares) for own in every[n]]
            found = small_chis._modulo_square(every[n], every[n - 2], 3, n, squares)
            assert found == first_independent(parts)
            rows = small_chis._coordinates(every[n], every[n - 2], 3, n, squares)
            for row, q in zip(rows, every[n - 2], strict=True):
                raised = times_square(q, n - 2, weights)
                assert with_coordinates(row, every[n]) == {u: v * lcm(*squares) for u, v in raised.items()}
            assert len(found) == len(every[n]) - len(every[n - 2])
            dropped += len(every[n - 2])
    assert dropped


@pytest.mark.parametrize("group", ["O", "Td", "Th", "Oh", "D4h", "C4h", "S4", "4/mmm", "-42m", "2/m", "T"])
def test_between_rational_irreps_the_same_as_through_arrays(group: str) -> None:
    """Signs and denominators included: below order 2 they are those of the echelon form, column by column."""
    own = parse_group(group)
    sums = Sums(own, range(ORDER))
    taken = 0
    for a, b in [*pairs(group), *vectors(group)]:
        found = sums.between_irreps(a, b)
        if found is None:
            continue
        (expected,) = solve_harmonic([(a, b)], range(ORDER))
        for few, part in zip(found, expected, strict=True):
            assert few.symbols.equals(part)
            assert few.symbols.coefficients.field == part.coefficients.field
        taken += 1
    assert taken


def times_square(q: dict[int, int], order: int, weights: list[Fraction]) -> dict[int, Fraction]:
    """The sum of w_i x_i^2, times a symbol."""
    found: dict[int, Fraction] = {}
    where, size = position(3, order + 2), count(3, order + 2)
    for u, v in q.items():
        place, alpha = divmod(u, count(3, order))
        powers = monomials(3, order)[alpha]
        for i, weight in enumerate(weights):
            raised = tuple(n + 2 * (i == k) for k, n in enumerate(powers))
            to = place * size + where[raised]
            found[to] = found.get(to, Fraction(0)) + v * weight
    return {u: v for u, v in found.items() if v}


def with_coordinates(row: dict[int, int], solutions: list[dict[int, int]]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for k, v in row.items():
        own = solutions[k]
        for u, w in own.items():
            found[u] = found.get(u, Fraction(0)) + Fraction(v * w, own[min(own)])
    return {u: v for u, v in found.items() if v}


def vectors(group: str) -> list[tuple[Representation, Representation]]:
    """The vectors of cubic groups are an irrep whose field the catalogue has larger."""
    from pdobasis.answer.solve import ask

    (vector,) = ask(group, "vector", "vector", 0).in_type.distinct
    return [(vector, vector)]
