"""A basis with fewer monomials and smaller numbers, of the same space: what one reads more easily."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from pdobasis.bounds.watch import check
from pdobasis.exact.scalars import Number, Radical, Surd, float_of
from pdobasis.nonlinear.echelon import combined, sorted_term, value_parts, whole
from pdobasis.nonlinear.independent import Chooser, Components, field_of_terms

MOST = 60
"""Terms that are compared in pairs."""
ROUNDS = 4


def beside(
    chosen: Sequence[Components], others: Sequence[Components]
) -> list[Components]:
    """The chosen ones, and of the others, the sparsest first, those that are independent of them."""
    chooser = Chooser(len(others) + 8, field_of_terms([*chosen, *others]))
    taken = [term for term in chosen if chooser.takes(term)]
    # what is left, then shortened by what was chosen as well
    found = sparser(
        [term for term in sparser(others) if chooser.takes(term)], modulo=taken
    )
    return taken + found


def sparser(
    terms: Sequence[Components], modulo: Sequence[Components] = ()
) -> list[Components]:
    """Differences of pairs instead of one of them, as long as they are shorter; then sorted, the shortest first.

    A pair (a, b) spans what (a, b - q a) spans, so the space stays the same; that of ``terms`` and ``modulo`` together
    where multiples of the latter are subtracted too.
    """
    own = [whole(term) for term in terms]
    if len(own) + len(modulo) > MOST:
        return [sorted_term(term) for term in own]
    for _ in range(ROUNDS):
        changed = False
        for j in range(len(own)):
            check()
            for k, other in enumerate([*own, *modulo]):
                if j != k:
                    better = _shorter(own[j], other)
                    if better is not None:
                        own[j], changed = better, True
        if not changed:
            break
    return sorted((whole(sorted_term(term)) for term in own), key=_length)


def _shorter(a: Components, b: Components) -> Components | None:
    """a - q b, if that is shorter, for the q that makes the most zeros.

    It has as many monomials as both together, less those in common, less those that become zero.
    """
    common = 0
    zeros: dict[Number, int] = {}
    for p, r in zip(a, b, strict=True):
        for monomial in p.keys() & r.keys():
            common += 1
            q = p[monomial] / r[monomial]
            zeros[q] = zeros.get(q, 0) + 1
    most = max(zeros.values(), default=0)
    if not most or sum(map(len, b)) - common > most:
        return None
    # of several the smallest, so that the answer is always the same
    q = min((q for q, n in zeros.items() if n == most), key=_size)
    candidate = whole(combined([a, b], [fmpq(1), -q]))
    return candidate if _length(candidate) < _length(a) else None


def _size(q: Number) -> tuple[float, float]:
    value = float_of(q)
    return abs(value), value


def _length(term: Components) -> tuple[int, int, float]:
    """Monomials, then how many have a root, then the sum of the integers."""
    values = [value for polynomial in term for value in polynomial.values()]
    roots = sum(isinstance(value, Surd) for value in values)
    return len(values), roots, sum(map(_sum_of_parts, values))


def _sum_of_parts(value: Number) -> float:
    if isinstance(value, Surd) and not isinstance(value, Radical):
        return abs(float_of(value))
    return float(sum(abs(int(q.p)) for q in value_parts(value).values()))
