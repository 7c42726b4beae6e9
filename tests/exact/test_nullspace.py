"""Null spaces against SymPy, and their canonical form."""

from __future__ import annotations

import numpy as np
import sympy
from hypothesis import given
from hypothesis import strategies as st

from pdobasis.exact.array import ExactArray, exact, integers
from pdobasis.exact.components import component_labels
from pdobasis.exact.field import cyclotomic, radical
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse


def sparse(dense: ExactArray) -> Sparse:
    rows, columns = np.nonzero(dense.nonzero_mask())
    height, width = dense.shape
    return Sparse(rows, columns, dense[rows, columns], (height, width))


def dense(s: Sparse) -> np.ndarray:
    out = np.zeros((*s.shape, s.values.field.degree), dtype=object)
    out[s.rows, s.columns] = s.values.numerators
    return out


@given(st.integers(1, 4), st.integers(1, 5), st.data())
def test_the_null_space_is_the_reduced_echelon_form_that_sympy_finds(
    rows: int, columns: int, data: st.DataObject
) -> None:
    entries = st.lists(st.integers(-3, 3), min_size=rows * columns, max_size=rows * columns)
    m = sympy.Matrix(rows, columns, data.draw(entries))
    found = null_space(sparse(integers(np.array(m.tolist(), dtype=np.int64))))
    vectors = m.nullspace()
    assert found.shape[0] == len(vectors)
    if vectors:
        echelon = sympy.Matrix.hstack(*vectors).T.rref()[0]
        ours = sympy.Matrix(
            found.shape[0], columns, lambda i, j: sympy.Rational(int(dense(found)[i, j, 0]), found.values.denominator)
        )
        assert ours == echelon


def test_over_a_cyclotomic_field_solutions_satisfy_the_system_exactly() -> None:
    field = cyclotomic(20)
    rng = np.random.default_rng(0)
    left = exact(rng.integers(-3, 4, (5, 3, field.degree)), 1, field)
    right = exact(rng.integers(-3, 4, (3, 7, field.degree)), 2, field)
    system = left @ right  # rank 3
    found = null_space(sparse(system))
    vectors = exact(dense(found), found.values.denominator, field)
    assert found.shape[0] == 4
    assert (system @ vectors.T).is_zero


def test_large_numbers_need_several_primes() -> None:
    a = 10**40 + 1
    system = integers(np.array([[a, -(a + 2)], [2 * a, -2 * (a + 2)]], dtype=object))
    found = null_space(sparse(system))
    assert found.values[1].fraction() * (a + 2) == a


def test_components_are_found_along_a_long_chain() -> None:
    n = 1000
    rows = np.repeat(np.arange(n - 1), 2)
    columns = np.stack([np.arange(n - 1), np.arange(1, n)], axis=1).ravel()
    keep = rows != 499
    label = component_labels(rows[keep], columns[keep], (n - 1, n))
    assert set(label.tolist()) == {0, 500}


def test_radical_fields_have_all_their_places() -> None:
    field = radical(6, 10)
    system = exact(np.array([[[0, 1, 0, 0], [-1, 0, 0, 0]]]), 1, field)  # sqrt(6) x = y
    found = null_space(sparse(system))
    assert found.values.numerators.tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]
