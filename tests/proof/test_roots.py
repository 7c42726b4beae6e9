"""Square roots of an orthonormal basis go out by a diagonal change of basis; traces and polynomials stay."""

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, exact, identity
from pdobasis.exact.field import RATIONALS, radical
from pdobasis.proof.roots import without_roots
from pdobasis.proof.weights import weights


@pytest.mark.parametrize(
    "spec", ["tensor(irrep(0,2), vector)", "sym(2, irrep(0,2))", "alt(2, tensor(irrep(1,3), vector))"]
)
def test_traces_are_the_same_without_roots(spec: str) -> None:
    rep = ask("O(3)", "trivial", spec, 0).out_type.distinct[0]
    x, h = rep.lie[0], rep.matrices()[0].over(rep.lie[0].field)
    y, k = without_roots(x, h)
    assert x.numerators[..., 1:].any(), "nothing would be tested"
    assert y.field == k.field == RATIONALS
    for j in range(4):
        assert trace(h, x, j) == trace(k, y, j)


def trace(h: ExactArray, x: ExactArray, times: int) -> object:
    for _ in range(times):
        h = h @ x
    return h.trace().fraction()


def test_weights_of_a_tensor_product_are_sums() -> None:
    """l = 2 times l = 1: every weight of one plus every weight of the other."""
    rep = ask("O(3)", "trivial", "tensor(irrep(0,2), vector)", 0).out_type.distinct[0]
    found = weights(rep, False)
    assert found is not None
    expected = [a + b for a in range(-2, 3) for b in range(-1, 2)]
    assert found.table == {k: expected.count(k) for k in sorted(expected, key=lambda k: (abs(k), -k))}


def test_what_has_no_such_basis_stays_as_it_is() -> None:
    """Round the triangle √2 √3 √5 is no square root of a square; 1 + √2 is no multiple of a root."""
    field = radical(2, 3, 5)
    values = np.zeros((3, 3, field.degree), dtype=np.int64)
    for (i, j), r in {(0, 1): 2, (1, 2): 3, (2, 0): 5}.items():
        values[i, j, field.radicands.index(r)] = 1
    x = exact(values, 1, field)
    assert without_roots(x, identity(3, field))[0] is x
    field = radical(2)
    y = exact(np.array([[[1, 1]]]), 1, field)
    assert without_roots(y, identity(1, field))[0] is y
    # √6 after √2 and √3 is one: the last entry of the triangle agrees with the others
    field = radical(2, 3)
    values = np.zeros((3, 3, field.degree), dtype=np.int64)
    for (i, j), r in {(0, 1): 2, (1, 2): 3, (2, 0): 6}.items():
        values[i, j, field.radicands.index(r)] = 1
    z, _ = without_roots(exact(values, 1, field), identity(3, field))
    assert z.field == RATIONALS
    assert (z @ z @ z).equals(identity(3).scale(6))
