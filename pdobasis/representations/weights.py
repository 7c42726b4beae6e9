r"""Which irreps of SO(2), O(2), SO(3), O(3), C_N and D_N occur in a representation, and how often, from its weights
alone.

With X the rotation about one axis, $-d\rho(X)^2$ has the eigenvalues $k^2$ for the weights k. A mirror f that keeps or
turns the axis commutes with it, so $\rho(f) - d\rho(X)^2$ has the eigenvalues $k^2 \pm 1$, and these are all different:
squares never differ by 2. Its characteristic polynomial tells how often each weight occurs with each sign.

Weights also follow from formulas (:mod:`.formal`), those of C_N and D_N from nothing else.

The irrep of order l of SO(3) has the weights $-l, \dots, l$ once each, so l occurs as often as the weight l occurs more
often than $l + 1$.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.field import join
from pdobasis.groups.classical import turns_space
from pdobasis.groups.planar import PlanarShape, planar_shape
from pdobasis.representations.formal import formal, in_plane, in_space, of_mirror
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Determinant, HalfTurn, Planar, Term, Trivial

if TYPE_CHECKING:
    from flint import nmod_poly

    from pdobasis.exact.primes import SplitPrime
    from pdobasis.linear.sparse import Sparse

MAX_WEIGHT = 64
WHOLE = 9
"""Sizes up to which a rational representation is not looked through for blocks."""

Signed = tuple[int, int]
"""A weight k >= 0, and the sign of the mirror there: 1, -1, or 0 where there is no mirror."""
Weights = dict[Signed, int]
"""The dimension of the space of the weights k and -k, with each sign."""
Block = tuple[Any, ...]
"""Its size, and for each matrix (row, column, residue) of its entries."""


@remembered
def weights(rep: Representation) -> Weights | None:
    """None where they are not whole numbers up to 64, or not all, as for representations of a covering group; for a
    finite group where they do not follow from a formula.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Vector
    >>> weights(from_term(parse_group("O(3)"), Vector(), "vector"))
    {(0, -1): 1, (1, 1): 2}
    """
    formula = _by_formula(rep)
    if formula is not None:
        known = dict(sorted(formula.items()))
        # a finite group has no more weights than elements
        return known if rep.group.is_finite or top_weight(known) <= MAX_WEIGHT else None
    if rep.group.is_finite:
        return None
    found: Weights = {}
    signs: tuple[int, ...] = (0,)
    if rep.generators:
        signs = (1, -1)
    for polynomial, times in _characteristic_polynomials(rep):
        rest = polynomial
        for k in range(MAX_WEIGHT + 1):
            for sign in signs:
                rest, count = _without_root(rest, k * k + sign)
                if count:
                    found[k, sign] = found.get((k, sign), 0) + count * times
            if rest.degree() == 0:
                break
        if rest.degree() > 0:
            return None
    if not _is_sum_of_circles(rep, found):
        return None
    return dict(sorted(found.items()))


def _is_sum_of_circles(rep: Representation, known: Weights) -> bool:
    """Whether a rotation of the plane has no nilpotent part: formulas have none, matrices for a covering group may."""
    if rep.term is not None or rep.group.dim != 2 or not rep.lie:
        return True
    # loaded for matrices of one's own
    from pdobasis.representations.circles import annihilates

    every = tuple(sorted({k for k, _ in known}))
    return annihilates(rep.lie[0], identity(1).reshape(), every)


def multiplicity(rep: Representation, known: Weights, irrep: Term) -> int:
    """How often an irrep occurs in a representation with these weights."""
    has_mirror = _has_mirror(rep)
    match irrep:
        case Spherical(degree, parity):
            return _highest(known, degree, parity, has_mirror)
        case Trivial():
            return known.get((0, int(has_mirror)), 0)
        case Determinant():
            return known.get((0, -1), 0)
        case Planar(frequency):
            if has_mirror:  # the mirror exchanges k and -k: it has each sign once
                return known.get((frequency, 1), 0)
            return known.get((frequency, 0), 0) // 2
        case HalfTurn(frequency, twist):
            return known.get((frequency, int(has_mirror) * (-1) ** twist), 0)
    return 0


def maps_between(a: Representation, b: Representation) -> int | None:
    r"""$\dim \mathrm{Hom}(a, b)$ of a finite group of the plane, where formulas tell the weights; else None.

    Over C it is the sum over all irreps of the products of multiplicities. Rotations have one for each weight modulo N,
    and k and -k have the same; with mirrors there is one for both, and one for each sign where k = -k.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Vector
    >>> vectors = [from_term(parse_group(name), Vector(), "vector") for name in ("C2", "C5", "D5")]
    >>> [maps_between(v, v) for v in vectors]  # all matrices; a + b i; the identity
    [4, 2, 1]
    """
    shape = planar_shape(a.group)
    if shape is None or not a.group.is_finite:
        return None
    left, right = weights(a), weights(b)
    if left is None or right is None:
        return None
    total = 0
    for (k, sign), count in left.items():
        product = count * right.get((k, sign), 0)
        # a pair of weights k and -k: with a mirror one irrep, which has each sign once; without, two irreps
        if (2 * k) % shape.turns:
            product = product // 2 if sign == 0 else product * (sign > 0)
        total += product
    return total


def _has_mirror(rep: Representation) -> bool:
    """The generators of SO(3), O(3), SO(2) and O(2) that are no Lie generators are mirrors."""
    if not rep.group.is_finite:
        return bool(rep.generators)
    shape = planar_shape(rep.group)
    return shape is not None and shape.axis is not None


def commutant(rep: Representation, irrep: Term) -> int:
    """The dimension of the commutant of an irrep: rotations of the plane commute with themselves."""
    if isinstance(irrep, Planar) and not _has_mirror(rep):
        return 2
    return 1


def _highest(known: Weights, degree: int, parity: int, has_mirror: bool) -> int:
    """How often the weight l occurs, less how often l + 1 does, both with one parity under inversion."""
    counts = []
    for k in (degree, degree + 1):
        count = known.get((k, _sign(k, parity, has_mirror)), 0)
        counts.append(count // 2 if k else count)
    return counts[0] - counts[1]


def _sign(k: int, parity: int, has_mirror: bool) -> int:
    """The mirror is the inversion times the half turn, which is (-1)^k on the weight k."""
    if not has_mirror:
        return 0
    return -1 if (k + parity) % 2 else 1


def _by_formula(rep: Representation) -> Weights | None:
    """From the formula, where there is one whose weights are known."""
    if rep.term is None:
        return None
    if turns_space(rep.group) is not None:
        return _of_space(rep.term, bool(rep.generators))
    shape = planar_shape(rep.group)
    if shape is None:
        return None
    return _of_plane(rep.term, shape)


def _of_space(term: Term, has_mirror: bool) -> Weights | None:
    known = formal(term, in_space)
    if known is None:
        return None
    found: Weights = {}
    for (k, parity), count in known.items():
        place = abs(k), _sign(k, parity, has_mirror)
        found[place] = found.get(place, 0) + count
    return found


def _of_plane(term: Term, shape: PlanarShape) -> Weights | None:
    """Weights of C_N and D_N are those of SO(2) and O(2) modulo N, up to their sign."""
    known = formal(term, in_plane)
    if known is None:
        return None
    turns = shape.turns
    found: Weights = {}
    for (weight, _), count in known.items():
        k = abs(weight)
        if turns:
            k = min(k % turns, -k % turns)
        found[k, 0] = found.get((k, 0), 0) + count
    if shape.axis is None:
        return found
    signs = formal(term, of_mirror)
    if signs is None:
        return None
    # a mirror exchanges k and -k, so that its trace comes from the weight 0; it is the same for the two kinds of
    # mirrors of D_N, which have opposite signs on the weight N/2, so that the signs are equally many there
    trace = signs.get((0, 0), 0) - signs.get((0, 1), 0)
    out: Weights = {}
    for (k, _), count in found.items():
        more = 0 if k else trace
        for sign in (1, -1):
            if count + sign * more:
                out[k, sign] = (count + sign * more) // 2
    return out


def top_weight(known: Weights) -> int:
    return max((k for k, _ in known), default=0)


def _without_root(polynomial: nmod_poly, root: int) -> tuple[nmod_poly, int]:
    """Divided by (t - root) as often as it goes, and how often that is."""
    from flint import nmod_poly

    factor = nmod_poly([-root, 1], polynomial.modulus())
    count = 0
    while polynomial.degree() > 0:
        quotient, rest = divmod(polynomial, factor)
        if rest.degree() >= 0:
            break
        polynomial, count = quotient, count + 1
    return polynomial, count


def _characteristic_polynomials(rep: Representation) -> list[tuple[nmod_poly, int]]:
    """Of the blocks of rho(f) - d rho(X)^2 modulo a prime, and how often each occurs.

    Modulo a prime of 61 bits the numbers k^2 + 1 and k^2 - 1 are still different, so nothing is lost.
    """
    # loaded where there is no formula, as what follows is
    from pdobasis.exact.primes import sparse_matrix, split_prime
    from pdobasis.linear.sparse import nonzeros

    matrices = [rep.lie[0], *rep.generators[:1]]
    field = join(matrices[0].field, matrices[-1].field)
    prime = split_prime(field, 0)
    found: dict[Block, int] = {}
    if rep.size <= WHOLE and field.is_rational:
        found[rep.size, *(_entries(m, prime.prime) for m in matrices)] = 1
    else:
        for block in _blocks([nonzeros(m.over(field)) for m in matrices], prime):
            found[block] = found.get(block, 0) + 1
    out = []
    for (size, *entries), times in found.items():
        x, *mirror = [sparse_matrix((size, size), e, prime.prime) for e in entries]
        image = -(x * x)
        for f in mirror:
            image = image + f
        out.append((image.charpoly(), times))
    return out


def _entries(m: ExactArray, prime: int) -> tuple[tuple[int, int, int], ...]:
    """(row, column, residue) of the entries of a rational matrix."""
    inverse = pow(m.denominator, -1, prime)
    out = []
    for i, row in enumerate(m.numerators[..., 0].tolist()):
        out += [(i, j, v * inverse % prime) for j, v in enumerate(row) if v]
    return tuple(out)


def _blocks(parts: list[Sparse], prime: SplitPrime) -> Iterator[Block]:
    """The indices fall apart into sets that X and f keep; most of these parts are alike."""
    from pdobasis.exact.components import component_labels, numbered
    from pdobasis.exact.primes import residues

    size = parts[0].shape[0]
    rows = np.concatenate([part.rows for part in parts])
    columns = np.concatenate([part.columns for part in parts])
    # an entry joins its row with its column
    edges = np.tile(np.arange(len(rows)), 2)
    both = np.concatenate([rows, columns])
    label = component_labels(edges, both, (len(rows), size))
    local = numbered(label)
    sizes = np.bincount(label, minlength=size)
    entries: list[dict[int, list[tuple[int, int, int]]]] = []
    for part in parts:
        values = residues(
            part.values.numerators,
            part.values.denominator,
            prime.places[0],
            prime.prime,
        )
        own: dict[int, list[tuple[int, int, int]]] = {}
        places = zip(
            label[part.rows].tolist(),
            local[part.rows].tolist(),
            local[part.columns].tolist(),
            values,
            strict=True,
        )
        for name, row, column, value in places:
            own.setdefault(name, []).append((row, column, value))
        entries.append(own)
    for name in np.flatnonzero(sizes).tolist():
        yield int(sizes[name]), *(tuple(own.get(name, ())) for own in entries)
