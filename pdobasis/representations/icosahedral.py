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
"""

from __future__ import annotations

from collections.abc import Iterator

from pdobasis.representations.formal import Formal, formal, in_space
from pdobasis.representations.representation import Representation


def icosahedral(rep: Representation) -> dict[str, int] | None:
    """Mulliken's names to multiplicities; None where the weights do not follow from a formula.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Symmetric, Vector
    >>> icosahedral(from_term(parse_group("I"), Symmetric(3, Vector()), "sym(3, vector)"))
    {'A': 0, 'T1': 1, 'T2': 1, 'G': 1, 'H': 0}
    """
    if rep.term is None:
        return None
    known = formal(rep.term, in_space)
    if known is None:
        return None
    if rep.group.term is None or rep.group.term.arguments == ("I",):
        # without inversion a parity says nothing
        return dict(_counted(known, (0, 1), ""))
    return {**dict(_counted(known, (0,), "g")), **dict(_counted(known, (1,), "u"))}


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
