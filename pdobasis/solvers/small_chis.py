r"""Harmonic symbols between two irreps of a group of a crystal, of all orders, in Python's integers.

Irreps and space are taken without their square roots (:mod:`.small_fibres`), and so are the symbols: see
:mod:`.small_sums`, which puts them together.
"""

from __future__ import annotations

from math import lcm, prod

from pdobasis.bounds.caches import remembered
from pdobasis.exact.arithmetic import squarefree
from pdobasis.exact.polynomials import count, monomials, position
from pdobasis.groups.group import Group
from pdobasis.linear.small import Row, echelon
from pdobasis.operators.few import harmonic_numbered
from pdobasis.representations.representation import Representation
from pdobasis.solvers.small import Action, Pairing, Places
from pdobasis.solvers.small_fibres import Fibre, fibre_of, space_of

Numbers = dict[int, int]
"""The coefficients of a symbol that are not zero, by their numbers."""
Chi = tuple[Numbers, int]
"""A symbol without its roots, and the square of what it is multiplied by, up to the square of a rational number."""


def is_permuted(a: Representation, b: Representation) -> bool:
    """Whether symbols go round points."""
    return a.is_permutation or b.is_permutation


def is_row_major(a: Representation, b: Representation) -> bool:
    """How places are numbered, as in :class:`.batch.Task`."""
    return b.is_permutation and not a.is_permutation


@remembered
def between(
    a: Representation, b: Representation, order: int
) -> tuple[list[Chi], ...] | None:
    """From a to b, of every order up to this one; None where this is not the road."""
    source, target, action = fibre_of(a), fibre_of(b), _action(a.group, order)
    if source is None or target is None or action is None:
        return None
    dim, squares, is_point = a.group.dim, action.squares, is_permuted(a, b)
    rho = source.side, target.side
    pairing = Pairing(action, rho, is_row_major=is_row_major(a, b))
    every: list[list[Numbers]] = []
    out: list[list[Chi]] = []
    for n in range(order + 1):
        found = pairing.solutions(n, harmonic=n >= 2 and is_point)
        if found is None:
            return None
        every.append(found)
        roots = _roots(found, n, (source, target), action, pairing.places)
        if n >= 2 and not is_point and every[n - 2]:
            first = _modulo_square(found, every[n - 2], dim, n, squares)
            found = [harmonic_numbered(found[k], dim, n, squares) for k in first]
            roots = [roots[k] for k in first]
        out.append(list(zip(found, roots, strict=True)))
    return tuple(out)


@remembered
def _action(group: Group, order: int) -> Action | None:
    space = space_of(group)
    if space is None:
        return None
    squares = () if max(space.squares) == 1 else space.squares
    return Action(group.dim, space.side, order, squares)


def _roots(
    found: list[Numbers],
    order: int,
    sides: tuple[Fibre, Fibre],
    action: Action,
    places: Places,
) -> list[int]:
    """Of every symbol: with its root the first unknown is 1."""
    if not action.squares:
        return [1] * len(found)
    source, target = sides
    powers = monomials(action.dim, order)
    out = []
    for own in found:
        place, alpha = divmod(min(own), len(powers))
        r, c = places[place]
        both = target.squares[r] * source.squares[c]
        out.append(squarefree(both * power_of(action.squares, powers[alpha]))[1])
    return out


def power_of(squares: tuple[int, ...], alpha: tuple[int, ...]) -> int:
    r"""$c^\alpha$."""
    return prod(c**k for c, k in zip(squares, alpha, strict=True))


def _modulo_square(
    found: list[Numbers],
    lower: list[Numbers],
    dim: int,
    order: int,
    squares: tuple[int, ...],
) -> list[int]:
    r"""Which solutions of an order are no combinations of those before them and of $r^2 Q$, with ``lower`` for all Q.

    A solution that is the last of a combination which is some $r^2 Q$ follows from others.
    """
    last = echelon(_coordinates(found, lower, dim, order, squares))
    return [k for k in range(len(found)) if k not in last]


def _coordinates(
    found: list[Numbers],
    lower: list[Numbers],
    dim: int,
    order: int,
    squares: tuple[int, ...],
) -> list[Row]:
    r"""Those of a multiple of every $r^2 Q$, each times the first number of its solution.

    Solutions are in echelon form: of all of them one alone is not zero where it begins.
    """
    size, below = count(dim, order), count(dim, order - 2)
    powers, where = monomials(dim, order), position(dim, order - 2)
    # in the variables z_i = sqrt(c_i) x_i it is the sum of z_i^2 / c_i
    common = lcm(*squares)
    weights = [common // c for c in squares] or [1] * dim
    rows: list[Row] = [{} for _ in lower]
    for k, own in enumerate(found):
        place, beta = divmod(min(own), size)
        for i, n in enumerate(powers[beta]):
            if n < 2:
                continue
            rest = (*powers[beta][:i], n - 2, *powers[beta][i + 1 :])
            u = place * below + where[rest]
            for row, q in zip(rows, lower, strict=True):
                if u in q:
                    row[k] = row.get(k, 0) + weights[i] * q[u]
    return rows
