r"""Is it a representation? Products for the finite part, brackets for the Lie algebra, and how the two meet.

Brackets without structure constants: in the Lie algebra spanned by the pairs $(X, d\rho(X))$ (closed under brackets and
under conjugation by $(h, \rho(h))$), the first parts have to determine the second: the span of the pairs has the
dimension of the span of the first parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pdobasis.errors import GroupError, RepresentationError
from pdobasis.exact.array import ExactArray, identity, stack
from pdobasis.exact.matrices import block_diagonal
from pdobasis.exact.primes import split_prime
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.linear.null_space import null_space
from pdobasis.linear.span import Span, image
from pdobasis.linear.sparse import nonzeros
from pdobasis.representations.hypothesis import Hypothesis, counted
from pdobasis.representations.integrates import (
    loops,
    reaches_all_loops,
    require_agreement,
    require_loops,
)


def require_representation(
    group: Group,
    spec: str,
    generators: Sequence[ExactArray],
    lie: Sequence[ExactArray],
    *,
    cover: bool = False,
) -> Hypothesis:
    """RepresentationError with the reason when these matrices are none; otherwise how it is known that they are.

    With ``cover`` loops need not act by the identity, nor finite elements by the exponentials that they are.
    """
    for label, m in zip(group.labels, generators, strict=True):
        try:
            m.inverse()
        except GroupError:
            message = f"{spec}: the matrix for {label} is singular, so it is no representation"
            raise RepresentationError(message) from None
    how: list[str] = []
    assumed: list[str] = []
    if generators and group.discrete.is_finite:
        _require_products(group, spec, generators)
        how.append(f"products of {counted(len(closure(group.discrete)), 'element')}")
    elif generators:
        assumed.append(f"the relations of {counted(len(generators), 'generator')}")
    if lie:
        # What is said of the Lie algebra is said of all of it: a finite generator may
        # turn the few matrices that were given into more.
        closed, image_of_all = _require_brackets(group, spec, generators, lie)
        how.append("brackets")
    if lie and not cover:
        found, missed = loops(closed, image_of_all)
        how.append(require_loops(group, spec, found))
        if missed or not reaches_all_loops(closed):
            assumed.append("other loops of the group act by the identity")
        agreed, open_question = require_agreement(
            closed, spec, found, generators, image_of_all
        )
        how.append(agreed)
        assumed.append(open_question)
    return Hypothesis(
        ", ".join(filter(None, how)), ", ".join(filter(None, assumed)), cover
    )


def _require_products(
    group: Group, spec: str, generators: Sequence[ExactArray]
) -> None:
    """rho(s) rho(g) = rho(sg) for all generators s and elements g of the finite part."""
    table = closure(group.discrete)
    size = generators[0].shape[0]
    field = stack(list(generators)).field
    images = tuple(m.over(field) for m in generators)
    every = table.evaluate(images, identity(size, field))
    # every element is a product of generators: this and rho(e) = 1 give rho(h) rho(g) = rho(hg) for all h
    for label, own, left in zip(group.labels, images, table.left, strict=True):
        # rho(s) rho(g) as (rho(g)^T rho(s)^T)^T, to keep the fixed factor on the right
        moved = (every.transpose(0, 2, 1) @ own.T).transpose(0, 2, 1)
        if not moved.equals(every.take(left)):
            raise RepresentationError(
                f"{spec} is not a representation of {group.name}: products with {label} do not agree "
                f"with those of the group (rho({label}) rho(g) is not rho({label}g) for some g)"
            )


def _require_brackets(
    group: Group, spec: str, generators: Sequence[ExactArray], lie: Sequence[ExactArray]
) -> tuple[Group, tuple[ExactArray, ...]]:
    """The whole Lie algebra, closed under brackets and conjugation, and its image."""
    start = _pairs(group.lie, lie)
    movers = _pairs(group.generators, generators)
    inverses = [m.inverse() for m in movers]
    field = stack([*start, *movers]).field
    prime = split_prime(field, 0).prime
    pairs = Span(prime)
    firsts = Span(prime)
    members: list[ExactArray] = []

    def add(m: ExactArray) -> None:
        if m.is_zero:
            return
        # what is new modulo the prime is new; what is not may be a multiple of the prime
        if not pairs.add(image(m, field)) and _depend([*members, m]):
            return
        members.append(m)
        first = [c[: group.dim, : group.dim] for c in members]
        # a new pair with an old first part: the same X would have another image
        if not firsts.add(image(first[-1], field)) and _depend(first):
            raise RepresentationError(
                f"{spec} is not a representation of {group.name}: the brackets (or conjugation by a finite "
                "generator) of its Lie matrices do not agree with those of the group"
            )

    for m in start:
        add(m)
    # the list grows while it is walked, up to the dimension of the Lie algebra
    for k, a in enumerate(members):
        # By [a, b] = -[b, a] half of the pairs are enough.
        for b in members[: k + 1]:
            add(a @ b - b @ a)
        # Ad(h) maps the Lie algebra of G to itself, so it may add new members.
        for h, inverse in zip(movers, inverses, strict=True):
            add(h @ a @ inverse)
    d = group.dim
    closed = replace(group, lie=tuple(m[:d, :d] for m in members))
    return closed, tuple(m[d:, d:] for m in members)


def _pairs(
    firsts: Sequence[ExactArray], seconds: Sequence[ExactArray]
) -> list[ExactArray]:
    """Pairs as block matrices: products and brackets of pairs are those of the blocks."""
    return [block_diagonal([x, y]) for x, y in zip(firsts, seconds, strict=True)]


def _depend(matrices: Sequence[ExactArray]) -> bool:
    """Whether there is a linear relation over K; one modulo a prime, which anybody may know, is not enough."""
    whole = stack(list(matrices))
    system = nonzeros(whole.reshape(len(matrices), -1).T)
    # each of its vectors was verified exactly
    return null_space(system).shape[0] > 0
