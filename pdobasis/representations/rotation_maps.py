r"""Maps between representations of C_N and D_N that intertwine all rotations of the plane, too.

By their formulas both are representations of SO(2), or O(2). A map takes the weight k to the weight k' where they agree
modulo N; where that is so for equal weights only, what intertwines the subgroup intertwines the whole. Then the
derivative stands for the turn, and the mirror $x_2 \mapsto -x_2$, which O(2) has, for that of D_N: both are rational,
where the turn is in a field of square roots or cosines.
"""

from __future__ import annotations

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, integers
from pdobasis.groups.planar import planar_shape
from pdobasis.representations.formal import formal, of_rotations
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import Term


def rational_images(rep: Representation) -> tuple[ExactArray, ...]:
    """What stands for the generators."""
    shape = planar_shape(rep.group)
    if rep.term is None or shape is None:
        return ()
    return _images(rep.term, shape.axis is not None)


@remembered
def _images(term: Term, has_mirror: bool) -> tuple[ExactArray, ...]:
    turned = term.derivative(integers([[0, -1], [1, 0]]))
    if not has_mirror:
        return (turned,)
    return turned, term.at(integers([[1, 0], [0, -1]]))


def intertwine_all_rotations(a: Representation, b: Representation) -> bool:
    """Whether all maps between two representations of C_N or D_N do.

    >>> from pdobasis.groups.catalogue import parse_group
    >>> from pdobasis.representations.representation import from_term
    >>> from pdobasis.representations.terms import Planar, Tensor, Vector
    >>> vector, tensor = Vector(), Tensor(Vector(), Vector())
    >>> for name in "C3", "C8":
    ...     group = parse_group(name)
    ...     print(intertwine_all_rotations(*(from_term(group, t, "") for t in (vector, tensor))))
    False
    True
    """
    shape = planar_shape(a.group)
    if shape is None or not shape.turns:
        return False
    known = [_weights(rep.term) for rep in (a, b)]
    if not all(known):
        return False
    return all((k - m) % shape.turns != 0 for k in known[0] for m in known[1] if k != m)


@remembered
def _weights(term: Term | None) -> frozenset[int]:
    """Empty where they are not known, or not those of a representation of SO(2)."""
    if term is None:
        return frozenset()
    found = formal(term, of_rotations)
    return frozenset(k for k, _ in found or ())
