"""What signs forbid is zero, and nothing is lost by leaving it out: the same bytes without a look at signs."""

from __future__ import annotations

from collections.abc import Sequence
from unittest import mock

import numpy as np
import pytest

import pdobasis
from benchmarks.sampling import sample
from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.field import RATIONALS
from pdobasis.exact.types import IndexArray
from pdobasis.files.json_file import dump
from pdobasis.proof import signs as proof_signs
from pdobasis.proof.nullity import nullities
from pdobasis.representations.representation import Representation
from pdobasis.solvers import signs, small
from pdobasis.solvers.batch import Batch, Task
from pdobasis.solvers.small_actions import NEGATIVE, POSITIVE

QUESTIONS = [
    ("SO(1,3)", "vector", "vector", 2),
    ("O(1,3)", "vector", "dual(vector)", 2),
    ("SO(3)", "vector", "vector", 3),
    ("O(3)", "vector", "sym(2, vector)", 2),
    ("O(2)", "irrep(1,2) + vector", "vector + det", 3),
    ("SO(2)", "irrep(3)", "vector", 4),
    ("GL(3)", "vector", "vector", 2),
    ("SL(2)", "vector", "tensor(vector, vector)", 3),
    ("Sp(4)", "vector", "vector", 2),
    ("scaling(1,2)", "vector", "vector", 2),
    ("O", "vector", "vector", 4),
    ("I", "vector", "vector", 2),
    ("D4h", "vector", "tensor(vector, vector)", 2),
    ("Ci", "vector", "vector", 2),
]


def no_signs(batch: Batch, *, search: bool) -> tuple[IndexArray, IndexArray]:
    return np.zeros(batch.unknowns.number.shape, dtype=bool), np.zeros(0, dtype=np.int64)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_bytes_without_a_look_at_signs(question: tuple[str, str, str, int]) -> None:
    group, in_rep, out_rep, order = question
    found = dump(pdobasis.solve(group, in_rep, out_rep, order=order, method="direct"))
    # the road of small questions looks at signs by itself
    with mock.patch.object(signs, "forbidden", no_signs), mock.patch.object(small, "SMALL", 0):
        assert dump(pdobasis.solve(group, in_rep, out_rep, order=order, method="direct")) == found


@pytest.mark.slow
def test_the_same_bytes_all_over_the_grammar() -> None:
    for q in sample(120, 17):
        if ask(q.group, q.source, q.target, q.order).unknowns <= 2_000:
            test_the_same_bytes_without_a_look_at_signs((q.group, q.source, q.target, q.order))


def test_half_turns_of_rotations_and_boosts_leave_one_coefficient_in_four() -> None:
    """Of SO(1,3): what is left has all of the four indices an even number of times, or all an odd number."""
    vector = ask("SO(1,3)", "vector", "vector", 2).in_type.distinct[0]
    batch = Batch([Task(vector, vector, 2)])
    zero, settled = signs.forbidden(batch, search=False)
    assert settled.tolist() == [0]
    # T_rr x_i^2, T_rc x_r x_c, and T_rc x_a x_b with four different indices
    assert int((~zero).sum()) == 4 * 4 + 12 + 12
    assert not zero[0, 0, 0]
    assert not zero[1, 2, 3]  # T_12 x_0 x_3
    assert zero[0, 1, 0]


@pytest.mark.parametrize(
    ("matrix", "roots"),
    [
        ([[0, -1], [1, 0]], [-1, -1]),  # a rotation
        ([[0, 2], [2, 0]], [2, 2]),  # a boost of weight 2
        ([[0, 0], [0, 3]], [0, 3]),
        ([[0, 1], [0, 0]], None),  # nilpotent: exp(pi X) is not diagonal, though X^2 = 0 is
        ([[0, -2], [1, 0]], None),  # the square root of -2 is not whole
        ([[1, 1], [0, 1]], None),
    ],
)
def test_which_lie_generators_have_half_turns(matrix: list[list[int]], roots: list[int] | None) -> None:
    x = integers(matrix)
    proved = proof_signs._half_turns([x], 2)[0].tolist()
    k, kinds = signs._powers((), [x])
    if roots is None:
        assert proved[2:] == [1, -1]
        assert kinds.tolist() == [signs.USELESS]
    else:
        assert proved == [*roots, 0, 0]
        assert k[0].tolist() == [abs(root) % 2 for root in roots]
        assert kinds[0] == (NEGATIVE if min(roots) < 0 else POSITIVE)


@pytest.mark.parametrize("question", [q for q in QUESTIONS if "I" not in q[0]])
def test_the_count_is_the_same_without_a_look_at_signs(question: tuple[str, str, str, int]) -> None:
    group, in_rep, out_rep, order = question
    problem = ask(group, in_rep, out_rep, order)

    honest = proof_signs._powers

    def none(rep_in: Representation, rep_out: Representation) -> Sequence[IndexArray]:
        """Numbers of both signs: of no use."""
        found = []
        for k in honest(rep_in, rep_out):
            useless = k.copy()
            useless[:, -2:] = 1, -1
            found.append(useless)
        return found

    for a in problem.in_type.distinct:
        for b in problem.out_type.distinct:
            found = nullities(a, b, range(order + 1))
            with mock.patch.object(proof_signs, "_powers", none):
                assert nullities(a, b, range(order + 1)) == found


def test_a_generator_of_signs_over_a_denominator_is_none() -> None:
    half = ExactArray(integers([[1, 0], [0, -1]]).numerators, 2, integers([1]).field)
    assert signs._signs(half.reshape(1, 2, 2))[1].tolist() == [signs.USELESS]
    assert signs._powers([half], ())[1].tolist() == [signs.USELESS]
    assert proof_signs._signs([half], 2)[0].tolist() == [0, 0, 1, -1]


def test_elements_whose_denominator_is_beyond_int64_are_looked_at() -> None:
    """1 and diag(1, -1), and what has a denominator of 2^70, as objects."""
    long = 1 << 70
    rows = [[[long, 0], [0, long]], [[long, 0], [0, -long]], [[long, 1], [0, -long]]]
    elements = exact(np.array(rows, dtype=object)[..., None], long, RATIONALS)
    k, kinds = signs._signs(elements)
    assert k.tolist() == [[0, 0], [0, 1], [0, 1]]
    assert kinds.tolist() == [0, 0, signs.USELESS]
