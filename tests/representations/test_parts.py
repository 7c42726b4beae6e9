"""Images of all elements part by part, and block by block, beside those that are multiplied as whole matrices."""

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import identity
from pdobasis.exact.scattered import block_sum, entries_of
from pdobasis.groups.closure import closure
from pdobasis.representations.parts import nonzeros, parts_of
from pdobasis.representations.representation import Representation

QUESTIONS = [
    # (group, representation, (blocks, size of each) of every part)
    ("C3", "tensor(vector, regular)", [(3, 2)]),
    ("D4", "tensor(vector, regular)", [(8, 1)] * 2),  # signed permutations
    ("C4", "alt(2, regular)", [(4, 1), (2, 1)]),
    ("C3v", "tensor(vector, vector)", [(1, 4), (1, 2), (1, 2), (1, 1)]),
    ("O", "alt(3, quotient(C4))", [(12, 1), (8, 1)]),
    ("I", "tensor(vector, regular)", [(60, 3)]),
    ("D6", "tensor(irrep(1,1), quotient(C2))", [(6, 2)]),
]


def rep_of(group: str, spec: str) -> Representation:
    (rep,) = ask(group, "trivial", spec, 0).out_type.distinct
    return rep


@pytest.mark.parametrize(("group", "spec", "shapes"), QUESTIONS)
def test_parts_are_the_matrices(group: str, spec: str, shapes: list[tuple[int, int]]) -> None:
    """Put together they are, for every element, the product of what generators are."""
    rep = rep_of(group, spec)
    table = closure(rep.group)
    images = [m.over(rep.field) for m in rep.matrices()]
    parts = parts_of(images, table)
    assert sorted(part.places.shape for part in parts) == sorted(shapes)
    whole = table.evaluate(tuple(images), identity(rep.size, rep.field))
    order = np.concatenate([part.places.reshape(-1) for part in parts])
    assert sorted(order.tolist()) == list(range(rep.size))
    back = np.argsort(order)
    every = np.arange(len(table))
    for g in range(len(table)):
        together = block_sum([part.dense()[g] for part in parts])
        assert together[back[:, None], back].equals(whole[g])
    found = [part.entries(every) for part in parts]
    for g in range(len(table)):
        pieces = [(i[k == g], j[k == g], values.take(k == g)) for (k, i, j), values in found]
        for i, j, values in pieces:
            assert whole[g][i, j].equals(values)
        assert sum(len(i) for i, _, _ in pieces) == np.count_nonzero(whole[g].nonzero_mask())


@pytest.mark.parametrize(("group", "spec", "shapes"), QUESTIONS)
def test_how_many_numbers_an_element_may_have(group: str, spec: str, shapes: list[tuple[int, int]]) -> None:
    """One block of b^2 for every block."""
    assert nonzeros(rep_of(group, spec).matrices()) == sum(count * size**2 for count, size in shapes)


def test_equal_parts_are_held_once() -> None:
    rep = rep_of("C5", "alt(3, regular)")
    first, second = parts_of(rep.matrices(), closure(rep.group))
    assert first.matrices is second.matrices
    assert first.moves is second.moves


def test_they_are_those_of_matrices_by_their_non_zeros() -> None:
    rep = rep_of("D3", "tensor(regular, alt(2, regular))")
    table = closure(rep.group)
    few = [entries_of(m) for m in rep.matrices()]
    for own, other in zip(parts_of(rep.matrices(), table), parts_of(few, table), strict=True):
        assert own.key() == other.key()
        assert own.places.tolist() == other.places.tolist()
