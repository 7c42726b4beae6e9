r"""How many PDOs there are between the irreps of SO(3) and O(3), by the theorem of Clebsch and Gordan.

Polynomials of order n fall into harmonics, $S^n = \bigoplus_{k} H_{n-2k}$, and $H_j$ occurs in
$\mathrm{Hom}(V_l, V_{l'})$ once if $|l - l'| \le j \le l + l'$, else not at all; on O(3) also the parities have to
agree: $p\,p' = (-1)^j$. So no matrix is made, and irreps of any order are counted at once.
"""

from __future__ import annotations

from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import Group
from pdobasis.proof.counting import Counts
from pdobasis.representations.harmonics import Spherical


def count_spherical(
    group: Group, source: Spherical, out: Spherical, order: int
) -> Counts:
    """The numbers of every order up to ``order``.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> vector = Spherical(1, 1)
    >>> [count_spherical(parse_group(G), vector, vector, 2).numbers for G in ("O(3)", "SO(3)")]
    [(1, 0, 2), (1, 1, 2)]
    """
    has_inversion = turns_space(group) == "O"
    numbers = []
    for n in range(order + 1):
        fitting = 0
        for j in range(n % 2, n + 1, 2):
            is_between = (
                abs(source.degree - out.degree) <= j <= source.degree + out.degree
            )
            # inversion is the sign (-1)^j on harmonics of order j
            is_even = (source.parity + out.parity + j) % 2 == 0
            if is_between and (is_even or not has_inversion):
                fitting += 1
        numbers.append(fitting)
    return Counts(tuple(numbers), f"Clebsch-Gordan series of {group.name}")
