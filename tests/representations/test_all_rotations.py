"""Intertwiners of many turns of the plane are those of all rotations, unless frequencies meet modulo N."""

from __future__ import annotations

import numpy as np
import pytest

import pdobasis.representations.intertwiners as room
from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray
from pdobasis.representations.intertwiners import intertwiners
from pdobasis.representations.representation import Representation


def rep_of(group: str, spec: str) -> Representation:
    (rep,) = ask(group, "trivial", spec, 0).out_type.distinct
    return rep


def by_turns(a: Representation, b: Representation, monkeypatch: pytest.MonkeyPatch) -> ExactArray:
    """By the generators, over their field."""
    with monkeypatch.context() as patched:
        patched.setattr(room, "_of_all_rotations", lambda *_: None)
        (found,) = room._from_many.__wrapped__((a,), b)
    return found


@pytest.mark.parametrize(
    ("group", "a", "b", "is_of_all"),
    [
        ("C37", "irrep(2)", "tensor(vector, vector)", True),
        ("C37", "trivial", "tensor(vector, vector)", True),
        ("C37", "vector", "sym(3, vector)", True),
        ("D37", "det", "tensor(vector, vector)", True),
        ("D37", "vector", "tensor(vector, vector, vector)", True),
        ("C37", "vector", "tensor(irrep(18), irrep(18))", False),  # 36 is -1 modulo 37
        ("D37", "vector", "tensor(irrep(1,18), irrep(1,18))", False),
        ("C112", "irrep(56)", "tensor(irrep(28), irrep(28))", False),  # the half turn has no derivative
    ],
)
def test_they_are_the_same(group: str, a: str, b: str, is_of_all: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = rep_of(group, a), rep_of(group, b)
    expected = by_turns(source, target, monkeypatch)
    assert len(expected) > 0
    found = room._of_all_rotations((source,), target)
    assert (found is not None) == is_of_all
    if found is not None:
        assert found.field.is_rational
        assert found.reshape(*expected.shape).equals(expected)
    assert intertwiners(source, target).equals(expected)


def test_a_turned_mirror_has_its_own_equations() -> None:
    """The axis at an irrational slope: the road over Q is left."""
    source, target = rep_of("D37(pi/5)", "vector"), rep_of("D37(pi/5)", "tensor(vector, vector, vector)")
    assert room._of_all_rotations((source,), target) is None
    assert len(intertwiners(source, target)) == 3


def test_of_both_alike() -> None:
    """T is in echelon form: its first number is 1."""
    found = intertwiners(rep_of("C199", "irrep(2)"), rep_of("C199", "tensor(vector, vector)"))
    flat = found.reshape(len(found), -1)
    leading = flat.nonzero_mask().argmax(axis=1)
    assert (np.diff(leading) > 0).all()
