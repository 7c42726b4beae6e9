r"""Representations as tensors: how components make up a tensor with indices, and back.

``lift`` embeds V into tensors, ``drop`` goes back: drop ∘ lift = 1, and both commute with the group. For the dual of V
they change their roles: $\mathrm{drop}^T$ embeds V* into tensors with the other kind of indices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial

from flint import fmpq

from pdobasis.answer.element import Element
from pdobasis.answer.solve import solve
from pdobasis.exact.polynomials import monomials
from pdobasis.exact.scalars import Number, number, plain
from pdobasis.representations.representation import Representation
from pdobasis.representations.terms import (
    Alternating,
    Determinant,
    Dual,
    Planar,
    Symmetric,
    Tensor,
    Term,
    Trivial,
    Vector,
)

Index = tuple[int, ...]
Sparse = dict[tuple[Index, int], Number]
"""(indices, component) to a number: the matrix of lift; that of drop is its transpose."""
MAX_ENTRIES = 100_000
HIGHEST = 8
"""Largest number of indices of an irrep that is looked for among tensors."""


@dataclass(frozen=True, slots=True)
class Slot:
    """An index of a tensor: 1 for a vector, -1 for a covector; equal ``kind`` for indices that may be exchanged."""

    variance: int
    kind: int
    alternating: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TensorType:
    """``parity`` is 1 where a determinant is a factor; ``mark`` says how a tensor is projected (sym, alt, …)."""

    slots: tuple[Slot, ...]
    size: int
    lift: Sparse
    drop: Sparse
    parity: int = 0
    mark: str = ""


def tensor_type(rep: Representation) -> TensorType | None:
    """None where a representation is no tensor of vectors."""
    if rep.term is not None:
        found = _of_term(rep.term, rep.group.dim)
        if found is not None:
            return found
    return _irrep(rep)


def is_tensor(term: Term) -> bool:
    """Whether a formula is made of vectors, covectors and determinants, so that it has a meaning for every matrix."""
    match term:
        case Trivial() | Determinant() | Vector():
            return True
        case Dual(inner) | Symmetric(_, inner) | Alternating(_, inner):
            return is_tensor(inner)
        case Tensor(a, b):
            return is_tensor(a) and is_tensor(b)
    return False


def _of_term(term: Term, dim: int) -> TensorType | None:
    match term:
        case Trivial():
            return _scalar(0)
        case Determinant():
            return _scalar(1)
        case Vector():
            return _vector(dim)
        case Planar(1):
            return _vector(dim)
        case Dual(inner):
            own = _of_term(inner, dim)
            return None if own is None else _dual(own)
        case Tensor(a, b):
            left, right = _of_term(a, dim), _of_term(b, dim)
            if left is None or right is None:
                return None
            return _tensor(left, right)
        case Symmetric(n, inner) | Alternating(n, inner):
            own = _of_term(inner, dim)
            is_small = own is not None and own.size**n * len(own.lift) < MAX_ENTRIES
            if own is None or not is_small:
                return None
            return _power(own, n, alternating=isinstance(term, Alternating))
    return None


def _scalar(parity: int) -> TensorType:
    unit: Sparse = {((), 0): fmpq(1)}
    return TensorType((), 1, unit, unit, parity)


def _vector(dim: int) -> TensorType:
    unit: Sparse = {((i,), i): fmpq(1) for i in range(dim)}
    return TensorType((Slot(1, 0),), dim, unit, unit)


def _dual(own: TensorType) -> TensorType:
    slots = tuple(Slot(-s.variance, s.kind, s.alternating) for s in own.slots)
    return TensorType(slots, own.size, own.drop, own.lift, own.parity, own.mark)


def _tensor(a: TensorType, b: TensorType) -> TensorType:
    shift = 1 + max((s.kind for s in a.slots), default=-1)
    moved = [Slot(s.variance, s.kind + shift, s.alternating) for s in b.slots]

    def both(left: Sparse, right: Sparse) -> Sparse:
        out: Sparse = {}
        for (i, c), v in left.items():
            for (j, e), w in right.items():
                out[(*i, *j), c * b.size + e] = v * w
        return out

    return TensorType(
        (*a.slots, *moved),
        a.size * b.size,
        both(a.lift, b.lift),
        both(a.drop, b.drop),
        (a.parity + b.parity) % 2,
        a.mark or b.mark,
    )


def _power(own: TensorType, n: int, alternating: bool) -> TensorType:
    """Symmetric or alternating tensors by their components with increasing indices."""
    listed = [_letters(alpha) for alpha in monomials(own.size, n)]
    if alternating:
        listed = [word for word in listed if len(set(word)) == n]
    where = {word: k for k, word in enumerate(sorted(listed))}
    if not alternating:
        where = {word: k for k, word in enumerate(listed)}
    lift: Sparse = {}
    drop: Sparse = {}
    count = factorial(n)
    by_component: dict[int, list[tuple[Index, Number, Number]]] = {}
    for (index, c), v in own.lift.items():
        by_component.setdefault(c, []).append(
            (index, v, own.drop.get((index, c), fmpq(0)))
        )
    for key in own.drop:
        # lift and drop of what is not a plain tensor may have different places
        if key not in own.lift:
            by_component.setdefault(key[1], []).append((key[0], fmpq(0), own.drop[key]))
    for word, k in where.items():
        arrangements = list(permutations(range(n)))
        for order in arrangements:
            sign = sign_of(order) if alternating else 1
            letters = [word[o] for o in order]
            for parts in product(*(by_component.get(c, []) for c in letters)):
                index = tuple(i for part in parts for i in part[0])
                down: Number = fmpq(sign, count)
                for _, _, own_drop in parts:
                    down = down * own_drop
                if down:
                    total = drop.get((index, k), fmpq(0)) + down
                    drop[index, k] = total
                up: Number = fmpq(sign)
                for _, own_lift, _ in parts:
                    up = up * own_lift
                if up:  # repeated letters give the same index again
                    lift[index, k] = up
    slots = _power_slots(own, n, alternating)
    mark = ("alt" if alternating else "sym") if n > 1 else own.mark
    return TensorType(slots, len(where), lift, drop, own.parity * n % 2, mark)


def _power_slots(own: TensorType, n: int, alternating: bool) -> tuple[Slot, ...]:
    if len(own.slots) == 1:
        return (Slot(own.slots[0].variance, 0, alternating),) * n
    step = 1 + max((s.kind for s in own.slots), default=0)
    every = []
    for k in range(n):
        every += [Slot(s.variance, s.kind + k * step, s.alternating) for s in own.slots]
    return tuple(every)


def _irrep(rep: Representation) -> TensorType | None:
    """An irrep of a group of rotations among symmetric tensors, by an intertwiner that the engine finds."""
    group = rep.group
    if not group.lie or not group.is_orthogonal:
        return None
    if rep.own:
        return None
    for n in range(1, HIGHEST + 1):
        for parity in (0, 1):
            text = f"sym({n}, vector)"
            if parity:
                text = f"tensor({text}, det)"
            found = solve(group, rep.spec, text, 0, method="direct")
            # irreps of SO(2) have two intertwiners, of which each will do
            if found.dimension:
                lift = _lift(found.elements[0], group.dim, n)
                return _orthogonal(rep.size, n, lift, parity)
    return None


def _lift(element: Element, dim: int, n: int) -> Sparse:
    words = [_letters(alpha) for alpha in monomials(dim, n)]
    out: Sparse = {}
    for (r, c), value in sorted(element.entries.items()):
        for index in sorted(set(permutations(words[r]))):
            out[index, c] = number(value[0])
    return out


def _orthogonal(size: int, n: int, lift: Sparse, parity: int) -> TensorType | None:
    """The transpose goes back: it is equivariant, and for an irrep a multiple of the inverse by Schur's lemma."""
    gram: dict[tuple[int, int], Number] = {}
    for (index, c), v in lift.items():
        for k in range(size):
            w = lift.get((index, k))
            if w is not None:
                gram[c, k] = gram.get((c, k), fmpq(0)) + v * w
    first = plain(gram.get((0, 0), fmpq(0)))
    if not isinstance(first, fmpq) or not first:
        return None
    # what is reducible is no multiple of the identity, and left to others
    for c in range(size):
        for k in range(size):
            if gram.get((c, k), fmpq(0)) != first * int(c == k):
                return None
    drop = {key: v / first for key, v in lift.items()}
    mark = "tracefree" if n > 1 else ""
    return TensorType((Slot(1, 0),) * n, size, lift, drop, parity, mark)


def _letters(alpha: Iterable[int]) -> Index:
    return tuple(i for i, power in enumerate(alpha) for _ in range(power))


def sign_of(order: tuple[int, ...]) -> int:
    swaps = sum(a > b for k, a in enumerate(order) for b in order[k + 1 :])
    return -1 if swaps % 2 else 1
