r"""Is it a representation? Products for the finite part, brackets for the Lie algebra, and how the two meet.

Brackets without structure constants: in the Lie algebra spanned by the pairs $(X, d\rho(X))$ (closed under brackets and
under conjugation by $(h, \rho(h))$), the first parts have to determine the second: the span of the pairs has the
dimension of the span of the first parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis.errors import GroupError, RepresentationError
from pdobasis.exact.array import ExactArray, block_diagonal, identity, stack
from pdobasis.exact.primes import rank_modulo
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group


def require_representation(
    group: Group, spec: str, generators: Sequence[ExactArray], lie: Sequence[ExactArray]
) -> None:
    """RepresentationError with the reason when these matrices are none."""
    for label, m in zip(group.labels, generators, strict=True):
        try:
            m.inverse()
        except GroupError:
            raise RepresentationError(
                f"{spec}: the matrix for {label} is singular, so it is no representation"
            ) from None
    if generators:
        _require_products(group, spec, generators)
    if lie:
        _require_brackets(group, spec, generators, lie)


def _require_products(group: Group, spec: str, generators: Sequence[ExactArray]) -> None:
    """rho(s) rho(g) = rho(sg) for all generators s and elements g of the finite part."""
    table = closure(group.discrete)
    size = generators[0].shape[0]
    field = stack(list(generators)).field
    images = tuple(m.over(field) for m in generators)
    every = table.evaluate(images, identity(size, field))
    for s, image in enumerate(images):
        moved = (every.transpose(0, 2, 1) @ image.T).transpose(0, 2, 1)
        if not moved.equals(every.take(table.left[s])):
            raise RepresentationError(
                f"{spec} is not a representation of {group.name}: products with {group.labels[s]} do not agree "
                f"with those of the group (rho({group.labels[s]}) rho(g) is not rho({group.labels[s]}g) for some g)"
            )


def _require_brackets(group: Group, spec: str, generators: Sequence[ExactArray], lie: Sequence[ExactArray]) -> None:
    dim = group.dim
    pairs = _Span(dim, [block_diagonal([x, y]) for x, y in zip(group.lie, lie, strict=True)])
    movers = [block_diagonal([g, m]) for g, m in zip(group.generators, generators, strict=True)]
    inverses = [m.inverse() for m in movers]
    for k, a in enumerate(pairs.members):  # grows while it is walked
        for b in pairs.members[: k + 1]:
            pairs.add(a @ b - b @ a)
        for h, inverse in zip(movers, inverses, strict=True):
            pairs.add(h @ a @ inverse)
        if pairs.excess:
            raise RepresentationError(
                f"{spec} is not a representation of {group.name}: the brackets (or conjugation by a finite "
                "generator) of its Lie matrices do not agree with those of the group"
            )


class _Span:
    """A growing list of independent block matrices, and whether their first blocks stay independent."""

    def __init__(self, dim: int, start: list[ExactArray]) -> None:
        self.dim = dim
        self.members: list[ExactArray] = []
        self.excess = False
        for m in start:
            self.add(m)

    def add(self, m: ExactArray) -> None:
        if m.is_zero:
            return
        candidate = [*self.members, m]
        if rank_modulo(_flat(candidate)) == len(self.members):
            return
        self.members.append(m)
        first = [c[: self.dim, : self.dim] for c in self.members]
        self.excess = self.excess or rank_modulo(_flat(first)) < len(self.members)


def _flat(matrices: Sequence[ExactArray]) -> ExactArray:
    whole = stack(list(matrices))
    return whole.reshape(len(matrices), whole.shape[1] * whole.shape[2])
