r"""How often irreps of I and Ih occur, by the weights of a formula.

A tensor of vectors is a representation of SO(3), too, and a weight k of it is the weight k modulo q of the turns about
an axis of order q. With $n_q$ the dimension that these turns fix (q = 2, 3, 5) and $w_1$, $w_2$ those of the weights
$\pm1$ and $\pm2$ modulo 5, the irreps have

======  =====  =====  =====  =====  =====
irrep   $n_2$  $n_3$  $n_5$  $w_1$  $w_2$
======  =====  =====  =====  =====  =====
A       1      1      1      0      0
T1      1      1      1      2      0
T2      1      1      1      0      2
G       2      2      0      2      2
H       3      1      1      2      2
======  =====  =====  =====  =====  =====

so that $n_2 - n_3 = 2 H$, $n_3 - n_5 = 2 G$, and so on. All are of real type.

T2 and G are no representations of SO(3), but modulo 2, 3 and 5 they have the weights of $\{0, \pm7\}$ and
$\{\pm6, \pm7\}$: so do products with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.field import join, radical
from pdobasis.representations.formal import Formal, formal, in_space
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.polyhedral_irreps import Conjugate, FiveTetrahedra
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Tensor, Term


def icosahedral(rep: Representation) -> dict[str, int] | None:
    """Mulliken's names to multiplicities, by the weights of a formula or by traces; None where neither tells.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Symmetric, Vector
    >>> icosahedral(from_term(parse_group("I"), Symmetric(3, Vector()), "sym(3, vector)"))
    {'A': 0, 'T1': 1, 'T2': 1, 'G': 1, 'H': 0}
    """
    name = rep.group.term
    if name is None:
        return None
    found = None
    if rep.term is not None:
        found = occurring(rep.term, has_inversion=name.arguments == ("Ih",))
    # what is permuted is counted by its points
    if found is None and rep.permutations is None:
        found = _by_traces(rep)
    return found


@remembered
def occurring(term: Term, *, has_inversion: bool) -> dict[str, int] | None:
    """The same of a formula, for Ih or for I."""
    known = formal(term, on_axes)
    if known is None:
        return None
    if not has_inversion:
        # without inversion a parity says nothing
        return dict(_counted(known, (0, 1), ""))
    return {**dict(_counted(known, (0,), "g")), **dict(_counted(known, (1,), "u"))}


@remembered
def harmonic_symbols(
    source: Term, target: Term, order: int, *, has_inversion: bool
) -> int | None:
    r"""How many harmonic symbols of an order there are, by characters; None where they are not known.

    They are the invariants in $\psi' \otimes \psi \otimes \mathcal{H}_n$: $\sum_\chi m_\chi(\psi' \otimes \psi)\,
    m_\chi(\mathcal{H}_n)$ over the irreps $\chi$, which are all of real type.
    """
    product = occurring(Tensor(target, source), has_inversion=has_inversion)
    own = occurring(Spherical(order, order % 2), has_inversion=has_inversion)
    if product is None or own is None:
        return None
    return sum(times * own[chi] for chi, times in product.items())


def on_axes(term: Term) -> Formal | None:
    """The weights about the axes of an icosahedron, modulo 2, 3 and 5, with the parity under inversion."""
    match term:
        case Conjugate(parity):
            return {(k, parity): 1 for k in (-7, 0, 7)}
        case FiveTetrahedra(parity):
            return {(k, parity): 1 for k in (-7, -6, 6, 7)}
    return in_space(term)


def _by_traces(rep: Representation) -> dict[str, int] | None:
    r"""The same from the generators: turns of order 2, 3 and 5, and inversion.

    On a space of dimension d the turns have the traces $2n_2 - d$, $(3n_3 - d)/2$ and $(5n_5 - d)/4 + (w_1 -
    w_2)\sqrt5/4$. The even and the odd part of it are told by $(1 \pm \rho(-1))/2$.
    """
    matrices = [identity(rep.size), *rep.matrices()]
    if join(rep.field, radical(5)) != radical(5) or rep.hypothesis.assumed:
        return None
    plain = [m.over(radical(5)).trace() for m in matrices[:4]]
    if len(matrices) == 4:
        return _from_traces(plain, "")
    turned = [(m @ matrices[4]).over(radical(5)).trace() for m in matrices[:4]]
    out: dict[str, int] = {}
    for suffix, sign in (("g", 1), ("u", -1)):
        both = zip(plain, turned, strict=True)
        own = _from_traces(
            [(a + b.scale(sign)).scale(Fraction(1, 2)) for a, b in both], suffix
        )
        if own is None:
            return None
        out |= own
    return out


def _from_traces(traces: list[ExactArray], suffix: str) -> dict[str, int] | None:
    """None where they are no traces of a representation."""
    pairs = [[Fraction(int(v), t.denominator) for v in t.numerators] for t in traces]
    (d, _), (half, _), (third, _), (fifth, root) = pairs
    fixed = [(d + half) / 2, (d + 2 * third) / 3, (d + 4 * fifth) / 5]
    weights = [(d - fixed[2]) / 2 + 2 * root, (d - fixed[2]) / 2 - 2 * root]
    if any(n.denominator > 1 for n in (*fixed, *weights)):
        return None
    return dict(_named(list(map(int, fixed)), list(map(int, weights)), suffix))


def _counted(
    known: Formal, parities: tuple[int, ...], suffix: str
) -> Iterator[tuple[str, int]]:
    def dimension(order: int, *weights: int) -> int:
        return sum(
            times
            for (k, parity), times in known.items()
            if k % order in weights and parity in parities
        )

    fixed = [dimension(order, 0) for order in (2, 3, 5)]
    weights = [dimension(5, k, 5 - k) for k in (1, 2)]
    yield from _named(fixed, weights, suffix)


def _named(
    fixed: list[int], weights: list[int], suffix: str
) -> Iterator[tuple[str, int]]:
    """From $n_2, n_3, n_5$ and $w_1, w_2$."""
    h, g = (fixed[0] - fixed[1]) // 2, (fixed[1] - fixed[2]) // 2
    first, second = (w // 2 - g - h for w in weights)
    yield f"A{suffix}", fixed[2] - first - second - h
    yield f"T1{suffix}", first
    yield f"T2{suffix}", second
    yield f"G{suffix}", g
    yield f"H{suffix}", h
