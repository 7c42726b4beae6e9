"""Which count belongs to which group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TypeVar

import numpy as np

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import join
from pdobasis.exact.types import IndexArray
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.nonlinear.characters import Characters, Laurent, Mirror, Pair, Ring, Torus
from pdobasis.nonlinear.question import Multidegree, TermsQuestion
from pdobasis.nonlinear.weyl import weyl_count
from pdobasis.proof.arithmetic import require_arithmetic
from pdobasis.proof.elements import characters as element_characters
from pdobasis.proof.elements import elements, traces
from pdobasis.proof.lines import matrices_of
from pdobasis.proof.weights import is_rotations, weights
from pdobasis.representations.representation import Representation

Count = Callable[[Multidegree], int]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Counter:
    """The number of terms of a multidegree, and how it is known."""

    count: Count
    how: str
    is_connected: bool = True
    """False where the count is that of the identity component, which is larger than the number that is asked for."""


def counter(question: TermsQuestion) -> Counter | None:
    """None where neither Molien nor Weyl apply: the engine counts by linear algebra then.

    As many terms are looked for as are counted, so that a count which is too low would be believed: the arithmetic that
    it is made of is looked at first.
    """
    group = question.group
    reps = [*(field.rep for field in question.fields), question.out]
    require_arithmetic(reduce(join, (rep.field for rep in reps), group.field))
    if group.is_finite:
        size = len(elements(group)[0])
        count = _counted(question, _finite(question), _mean)
        return Counter(count, f"Molien count over {size} elements")
    if is_rotations(group):
        found = _rotations(question)
        if found is not None:
            return Counter(found, f"character integral over {group.name}")
    known = weyl_count(question)
    if known is None:
        return None
    count, is_connected = known
    how = f"Weyl's integral formula for {group.name}"
    return Counter(count, how, is_connected)


def _counted(
    question: TermsQuestion,
    known: Characters[T],
    value: Callable[[T], int],
) -> Count:
    return lambda m: value(known.of(question, m))


class OnElements(Ring[ExactArray]):
    """Functions on a finite group."""

    def __init__(self, group: Group) -> None:
        self.size: int = len(elements(group)[0])
        self.group = group
        self._powers: dict[int, IndexArray] = {1: np.arange(self.size)}

    def one(self) -> ExactArray:
        return integers(np.ones(self.size, dtype=np.int64))

    def times(self, a: ExactArray, b: ExactArray) -> ExactArray:
        return a * b

    def plus(self, a: ExactArray, b: ExactArray) -> ExactArray:
        return a + b

    def divided(self, a: ExactArray, n: int) -> ExactArray:
        return a.scale(Fraction(1, n))

    def adams(self, a: ExactArray, k: int) -> ExactArray:
        return a.take(self._power(k))

    def _power(self, k: int) -> IndexArray:
        """Where g^k stands in the list, for every g."""
        if k not in self._powers:
            table = closure(self.group)
            lower = self._power(k - 1)
            moved = [int(table.action(i)[lower[i]]) for i in range(self.size)]
            self._powers[k] = np.array(moved)
        return self._powers[k]


def _finite(question: TermsQuestion) -> Characters[ExactArray]:
    # real representations of a finite group have chi(g^-1) = chi(g)
    group = question.group
    return Characters(
        OnElements(group),
        traces(elements(group)[0]),
        tuple(element_characters(field.rep) for field in question.fields),
        element_characters(question.out),
    )


def _mean(total: ExactArray) -> int:
    size = total.shape[0]
    summed = exact(
        total.numerators.astype(object).sum(axis=0),
        total.denominator * size,
        total.field,
    )
    return _whole(summed.fraction())


def _whole(value: Fraction) -> int:
    if value.denominator != 1:
        raise ProofError(
            f"the count {value} of terms is not whole (please report this)"
        )
    return int(value)


def _rotations(question: TermsQuestion) -> Count | None:
    """SO(2), O(2), SO(3), O(3): by the weights of rotations about one axis, found from traces."""
    group = question.group
    has_parity = group.dim == 3 and bool(group.generators)
    ring = Torus(1, int(has_parity))
    reps = [*(field.rep for field in question.fields), question.out]
    tables = [_weights(rep, has_parity) for rep in reps]
    if any(table is None for table in tables):
        return None
    own = [table for table in tables if table is not None]
    derivative = _derivative(group.dim, has_parity)
    known = Characters(ring, derivative, tuple(own[:-1]), own[-1])
    if group.dim == 3:
        return _counted(question, known, _spatial)
    if not group.generators:
        return _counted(question, known, lambda total: total.get((0,), 0))
    others = _mirror(question)
    return lambda m: _whole(
        (Fraction(known.of(question, m).get((0,), 0)) + others.of(question, m)[1]) / 2
    )


def _derivative(dim: int, has_parity: bool) -> Laurent:
    found = (1, -1) if dim == 2 else (1, 0, -1)
    if has_parity:  # -1 turns derivatives over
        return {(k, 1): 1 for k in found}
    return {(k,): 1 for k in found}


def _spatial(total: Laurent) -> int:
    """Weyl's formula for SO(3): weight 0 less weight 1, of what is even."""
    extra = (0,) * (len(next(iter(total), (0,))) - 1)
    return total.get((0, *extra), 0) - total.get((1, *extra), 0)


def _weights(rep: Representation, has_parity: bool) -> Laurent | None:
    """Weight to multiplicity; with the parity of -1 beside it for O(3)."""
    plain = weights(rep, False)
    if plain is None:
        return None
    if not has_parity:
        return {(k,): n for k, n in plain.table.items()}
    signed = weights(rep, True)
    if signed is None:
        return None
    out: Laurent = {}
    for k, n in plain.table.items():
        # n = even + odd, and the trace of -1 is even - odd
        even = (n + signed.table.get(k, 0)) // 2
        out[k, 0], out[k, 1] = even, n - even
    return {w: n for w, n in out.items() if n}


def _mirror(question: TermsQuestion) -> Characters[Pair]:
    def pair(rep: Representation) -> Pair:
        return Fraction(rep.size), matrices_of(rep)[0].trace().fraction()

    fields = tuple(pair(field.rep) for field in question.fields)
    return Characters(Mirror(), (Fraction(2), Fraction(0)), fields, pair(question.out))
