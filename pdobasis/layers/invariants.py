r"""Facts about representations that layers need: invariant vectors, orthogonality, channel permutations."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, concatenate, identity
from pdobasis.exact.field import RATIONALS, join
from pdobasis.exact.numbers import to_float
from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import NotEquivariantError
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse
from pdobasis.question.field_type import FieldType
from pdobasis.representations.representation import Representation, as_permutation


@remembered
def invariant_vectors(rep: Representation) -> NDArray[np.float64]:
    r"""A basis (k, size) of the trivial part: $\rho(g) v = v$ and $d\rho(X) v = 0$, solved exactly.

    A regular field may carry one constant, a vector field none:

    >>> from pdobasis import field_type, group
    >>> [invariant_vectors(field_type(text, group("C4")).distinct[0]).tolist() for text in ("regular", "vector")]
    [[[1.0, 1.0, 1.0, 1.0]], []]
    """
    one = identity(rep.size)
    # What generators and Lie generators fix is fixed by the whole group (each component has a generator).
    rows = [*(m - one for m in rep.matrices()), *rep.lie]
    # No generators: the group is trivial, and fixes everything.
    if not rows:
        return np.eye(rep.size)
    field = reduce(join, (m.field for m in rows), RATIONALS)
    solutions = null_space(_sparse(concatenate([m.over(field) for m in rows])))
    out = np.zeros(solutions.shape)
    if len(solutions.values):
        out[solutions.rows, solutions.columns] = to_float(solutions.values)
    return out


@remembered
def is_orthogonal(rep: Representation) -> bool:
    """Whether all matrices preserve the norm of a field."""
    if rep.is_permutation:
        return True
    one = identity(rep.size)
    # Products of orthogonal matrices are orthogonal, and so is exp X for a skew X: generators decide.
    return all((m @ m.T).equals(one) for m in rep.generators) and all(
        (x + x.T).is_zero for x in rep.lie
    )


@remembered
def permutes_channels(rep: Representation) -> bool:
    """Whether every element permutes the channels; of a continuous group that what is connected leaves them alone.

    >>> from pdobasis import field_type, group
    >>> [permutes_channels(field_type(text, group("O(2)")).distinct[0]) for text in ("trivial", "det", "vector")]
    [True, False, False]
    """
    # A curve of permutations from the identity stays there, so d rho = 0; generators decide for the rest.
    return rep.is_permutation or (
        all(as_permutation(m) is not None for m in rep.generators)
        and all(x.is_zero for x in rep.lie)
    )


def require_permutations(
    fields: FieldType, what: str, instead: str, at_places: bool = False
) -> None:
    for rep in fields_of(fields, what, at_places).distinct:
        if not permutes_channels(rep):
            raise NotEquivariantError(
                f"{what} commutes with permutations of channels only, and {rep.spec} of {rep.group.name} is not "
                f"one: {instead}"
            )


def require_orthogonal(fields: FieldType, what: str, at_places: bool = False) -> None:
    for rep in fields_of(fields, what, at_places).distinct:
        if not is_orthogonal(rep):
            raise NotEquivariantError(
                f"{what} uses the norm of a field, and {rep.spec} of {rep.group.name} does not preserve it: "
                "use an orthogonal basis, for example irrep(...) or the e3nn convention"
            )


def _sparse(m: ExactArray) -> Sparse:
    rows, columns = np.nonzero(m.nonzero_mask())
    return Sparse(rows, columns, m[rows, columns], (m.shape[0], m.shape[1]))
