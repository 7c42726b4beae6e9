r"""Induced representations permute blocks of channels: $\rho(g)(e_{t_i} \otimes v) = e_{t_j} \otimes \sigma(h) v$."""

from __future__ import annotations

from pdobasis.bounds.caches import remembered
from pdobasis.groups.closure import closure
from pdobasis.layers.errors import NotEquivariantError
from pdobasis.layers.invariants import is_orthogonal
from pdobasis.question.grammar import call, whole_text
from pdobasis.question.reader import Reader
from pdobasis.representations.finite import subgroup_elements
from pdobasis.representations.representation import Representation


@remembered
def block_size(rep: Representation) -> int:
    """The size of sigma in ``induced(H, sigma)``, that of a permuted channel (1), or all of any other field.

    >>> from pdobasis import field_type, group
    >>> texts = ("induced(C4, irrep(1))", "regular", "vector")
    >>> [block_size(field_type(text, group("D4")).distinct[0]) for text in texts]
    [2, 1, 2]
    """
    if rep.is_permutation:
        return 1
    size = rep.size
    if rep.spec.startswith("induced("):
        # One block for each coset of H.
        of_group, _ = call(whole_text(rep.spec)).arguments
        subgroup = Reader(rep.group, files=True).subgroup(of_group)
        members = subgroup_elements(rep.group, subgroup.generators)
        size = rep.size * len(members) // len(closure(rep.group))
    _require_blocks(rep, size)
    return size


def _require_blocks(rep: Representation, size: int) -> None:
    """Every generator has to map each block to one block, and keep its length."""
    blocks = rep.size // size
    for m in rep.matrices():
        mask = m.nonzero_mask().reshape(blocks, size, blocks, size).any(axis=(1, 3))
        if not (mask.sum(axis=0) == 1).all():
            raise NotEquivariantError(
                f"{rep.spec} of {rep.group.name} does not permute blocks of {size} channels"
            )
    if not is_orthogonal(rep):
        raise NotEquivariantError(
            f"{rep.spec} of {rep.group.name} does not preserve the norm of a block: use an orthogonal basis"
        )
