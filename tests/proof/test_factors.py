"""Characters of tensors come from those of their factors; the formula is believed only where the generators agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import integers
from pdobasis.proof.elements import _by_factors, traces
from pdobasis.proof.factors import square_of, tensor_factors
from pdobasis.representations.representation import Representation, all_matrices

TENSORS = [
    ("Ih", "tensor(vector, vector)"),
    ("622", "tensor(vector, sym(2, vector))"),
    ("C5", "tensor(vector, vector)"),
    ("T", "tensor(tensor(det, vector), vector)"),
    ("I", "sym(2, vector)"),
    ("3m", "sym(2, tensor(vector, vector))"),
    ("D5", "alt(2, tensor(vector, vector))"),
    ("Td", "alt(2, vector)"),
]


def _rep(group: str, spec: str) -> Representation:
    return ask(group, "trivial", spec, 0).out_type.distinct[0]


@pytest.mark.parametrize(("group", "spec"), TENSORS)
def test_traces_are_those_of_the_matrices(group: str, spec: str) -> None:
    rep = _rep(group, spec)
    found = _by_factors(rep)
    assert found is not None
    assert found.equals(traces(all_matrices(rep)))


@pytest.mark.parametrize(("group", "spec"), TENSORS)
def test_a_generator_that_is_no_such_tensor_is_seen(group: str, spec: str) -> None:
    """The formula says the same, the last generator does not: nothing is known of its factors."""
    rep = _rep(group, spec)
    *others, last = rep.generators
    by = np.zeros((rep.size, rep.size), dtype=np.int64)
    by[-1, 0] = 1
    changed = replace(rep, generators=(*others, last + integers(by)))
    assert tensor_factors(changed) is None
    assert square_of(changed) is None


def test_other_formulas_have_no_factors() -> None:
    assert _by_factors(_rep("T", "sym(3, vector)")) is None
    assert _by_factors(_rep("T", "vector")) is None


def test_bases_that_fall_apart_have_the_same_matrices() -> None:
    """Tensors of an axis and a plane, of rank 4, block by block and as products of 81 x 81 matrices."""
    rep = _rep("32", "tensor(tensor(vector, vector), tensor(vector, vector))")
    every, small = all_matrices(rep), all_matrices(_rep("32", "tensor(vector, vector)"))
    assert every.shape == (6, 81, 81)
    cells = small.reshape(6, 9, 1, 9, 1) * small.reshape(6, 1, 9, 1, 9)
    assert every.equals(cells.reshape(6, 81, 81))
