r"""What a question will cost: features that are known before any work.

With $k_n$ monomials of order n, E entries of P between different summands, D the degree of the number field:

* ``answer``: $\sum_n E k_n^2 D$ numbers. About every |G|-th of the $E k_n$ unknowns is free, and a free one fills |G|
  entries with $k_n$ coefficients each;
* ``dense``, ``denser``: $\sum_n E k_n^3$ and $\sum_n E k_n^4$, all monomials at once where nothing is asked of P;
* ``system``: $\sum_n (E k_n)^2$ where nothing is permuted and no closed form is known;
* ``lifted``, ``widest``: $(E k_n)^2$ for $n \ge 12$, the sum and the largest, of groups that mix three coordinates by
  irrational numbers, as Ih does;
* ``orders``, ``square``: $E N^3$ and $E^2 N^3$, products of closed forms up to a high order N;
* ``heights``, ``highest``: long numbers in the proof of a finite group over a field that is not Q (:func:`heights`);
* ``closure``: |G| matrices over the field; ``field``: its products, $D^3$ of them; ``places``: $D^2$ for every unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from pdobasis.bounds.estimate import Estimate, cost
from pdobasis.exact.polynomials import count
from pdobasis.groups.group import Group

if TYPE_CHECKING:
    from pdobasis.question.field_type import FieldType
    from pdobasis.question.problem import Problem


def estimate(problem: Problem) -> Estimate:
    """Of finding and proving all solutions."""
    return cost("solve", features(problem))


def estimate_of_finding(problem: Problem) -> Estimate:
    """Without the proof of all of them."""
    return cost("solve", features(problem) | {"heights": 0.0, "highest": 0.0})


def estimate_again(problem: Problem) -> Estimate:
    """Of one among many of a group: what they have in common was paid for."""
    shared = {"one": 0.0, "closure": 0.0, "field": 0.0}
    return cost("solve", features(problem) | shared)


def features(problem: Problem) -> dict[str, float]:
    group, order = problem.group, problem.order
    counts = [count(group.dim, n) for n in range(order + 1)]
    degree = problem.field.degree
    entries = _distinct_size(problem.in_type) * _distinct_size(problem.out_type)
    pairs = len(problem.in_type.distinct) * len(problem.out_type.distinct)
    monomials, squares = sum(counts), sum(k * k for k in counts)
    # what is not named is zero, as most of them are
    found = {
        "one": 1.0,
        "pairs": pairs * (order + 1.0),
        "unknowns": entries * float(monomials),
        "answer": entries * degree * float(squares),
        "deep": entries * float(sum(n * k * k for n, k in enumerate(counts))),
        "orders": entries * (order + 1.0) ** 3,
        "square": entries**2 * (order + 1.0) ** 3,
        "field": float(degree) ** 3,
        "places": float(degree) ** 2 * entries * monomials,
    }
    found |= _of_road(problem, entries, counts, degree)
    return found


def _of_road(
    problem: Problem, entries: int, counts: list[int], degree: int
) -> dict[str, float]:
    """Features of the way in which it will be solved."""
    group = problem.group
    out = {}
    if not group.generators and not group.lie:
        # nothing is asked of P: all monomials are solutions
        out["dense"] = entries * float(sum(k**3 for k in counts))
        out["denser"] = entries * float(sum(k**4 for k in counts))
    if group.lie and group.dim <= 3 and degree == 1:
        # proved on a grid, one variable after the other, and not at all points at once
        out["deep"] = 0.0
    if group.is_finite:
        size = float(elements_of(group))
        out["closure"] = size * group.dim**2 * degree
        if degree > 1 and len(counts) > INT64:
            filled = _squares(problem.in_type) * _squares(problem.out_type) / size
            parts = ((n, filled * k) for n, k in enumerate(counts))
            out |= heights(group, degree, parts)
    permuted = _is_permuted(problem)
    if degree > 1 and len(counts) > LONG and not permuted and _mixes_space(group):
        squares = [float(entries * k) ** 2 for k in counts[LONG:]]
        out |= {"lifted": sum(squares), "widest": max(squares)}
    if not permuted:
        out["system"] = float(sum((entries * k) ** 2 for k in counts))
        if group.is_finite:
            out["irreducible"] = float(degree) ** 4
    return out


LONG = 12
"""Orders from which solutions in space are lifted from several primes."""
INT64 = 8
"""Orders below this are evaluated in int64."""
FEW = 16
"""Degrees of fields beyond this are worked with by the terms that numbers have, of which there are few."""
LIKE = 3
"""As many as a degree would have for the same work."""
WORD = 63
"""Binary digits of int64."""
SHORT = 7
"""Digits of long numbers that take as long as a number that fits into a word."""
HEAD = 80
"""Digits that take as long as a long number takes besides its own."""
SPREAD = 15
"""Entries that take as long to evaluate as a generator takes to be written down."""


def heights(
    group: Group, degree: int, parts: Iterable[tuple[int, float]]
) -> dict[str, float]:
    r"""Of the proof of elements, by their orders n and entries e: $(h + n \log_2 n)\, k_n^2 D D' (g + e/15)$.

    For g generators the monomials of order n are evaluated at $k_n$ points, whose coordinates go up to n and lie in a
    field of degree D: numbers of $n \log_2 n$ binary digits, each as a matrix of multiplication. Where they do not fit
    into a word, each is an object, which costs as much as h = 80 digits; where they do, each costs as much as 7. The
    sum over all orders takes time, the largest takes memory.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> heights(parse_group("D4"), 1, [(64, 1.0)])  # all is rational
    {'heights': 0.0, 'highest': 0.0}
    """
    across, room = degree, degree
    if degree > FEW:
        across, room = LIKE, 1
    works = [0.0]
    for n, entries in parts:
        if n >= INT64 and degree > 1:
            digits = n * log2(n)
            if digits > WORD:
                digits += HEAD
            else:
                digits = SHORT
            each = digits * count(group.dim, n) ** 2 * degree
            works.append(each * (len(group.generators) + entries / SPREAD))
    return {"heights": across * sum(works), "highest": room * max(works)}


def elements_of(group: Group) -> int:
    """The order of a finite group: by its name, without listing the elements, where there is a formula."""
    known = group.known_order
    if known is not None:
        return known
    return group.order or 1


def _distinct_size(fields: FieldType) -> int:
    return sum(rep.size for rep in fields.distinct)


def _mixes_space(group: Group) -> bool:
    """Whether some generators mix more than two coordinates: those about an axis leave it, and numbers stay short."""
    reached = np.eye(group.dim, dtype=bool)
    for g in group.on_space:
        own = g.numerators.any(axis=-1)
        reached |= own | own.T
    for _ in range(group.dim):
        reached = reached @ reached
    return bool(reached.sum(axis=1).max() > 2)


def _squares(fields: FieldType) -> float:
    return float(sum(rep.size**2 for rep in fields.distinct))


def _is_permuted(problem: Problem) -> bool:
    if not problem.group.is_finite:
        return False
    sides = (problem.in_type.distinct, problem.out_type.distinct)
    return any(all(rep.is_permutation for rep in side) for side in sides)
