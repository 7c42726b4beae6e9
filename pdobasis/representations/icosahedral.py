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

from pdobasis.bounds.caches import remembered
from pdobasis.representations.formal import Formal, formal, in_space
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.polyhedral_irreps import Conjugate, FiveTetrahedra
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Tensor, Term


def icosahedral(rep: Representation) -> dict[str, int] | None:
    """Mulliken's names to multiplicities; None where the weights do not follow from a formula.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Symmetric, Vector
    >>> icosahedral(from_term(parse_group("I"), Symmetric(3, Vector()), "sym(3, vector)"))
    {'A': 0, 'T1': 1, 'T2': 1, 'G': 1, 'H': 0}
    """
    name = rep.group.term
    if rep.term is None or name is None:
        return None
    return occurring(rep.term, has_inversion=name.arguments == ("Ih",))


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
    h, g = (fixed[0] - fixed[1]) // 2, (fixed[1] - fixed[2]) // 2
    first, second = dimension(5, 1, 4) // 2 - g - h, dimension(5, 2, 3) // 2 - g - h
    yield f"A{suffix}", fixed[2] - first - second - h
    yield f"T1{suffix}", first
    yield f"T2{suffix}", second
    yield f"G{suffix}", g
    yield f"H{suffix}", h
