"""Characters of signed permutations are counted on points; they are the traces of all matrices."""

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.errors import ProofError
from pdobasis.exact.array import integers
from pdobasis.proof.elements import _signed_characters, _signed_permutation, characters, elements, traces
from pdobasis.representations.representation import all_matrices


@pytest.mark.parametrize("group", ["Oh", "Td", "D4h", "D4", "Th", "Ci"])
@pytest.mark.parametrize("spec", ["tensor(vector, vector)", "alt(2, vector)", "tensor(det, vector)", "det"])
def test_counted_is_traced(group: str, spec: str) -> None:
    rep = ask(group, "trivial", spec, 0).out_type.distinct[0]
    assert all(_signed_permutation(m) is not None for m in rep.generators)
    assert characters(rep).equals(traces(all_matrices(rep)))


def test_a_sign_that_is_wrong_is_seen() -> None:
    rep = ask("Oh", "trivial", "vector", 0).out_type.distinct[0]
    points = [_signed_permutation(m) for m in rep.generators]
    right = tuple(p for p in points if p is not None)
    moves = elements(rep.group)[1]
    assert _signed_characters(rep, right, moves).equals(traces(all_matrices(rep)))
    # the images of the first generator, but for the sign of e_0
    first = list(right[0])
    first[0], first[3] = first[3], first[0]
    with pytest.raises(ProofError, match="does not multiply"):
        _signed_characters(rep, (tuple(first), *right[1:]), moves)


@pytest.mark.parametrize("rows", [[[1, 1], [0, 1]], [[1, 0], [1, 0]], [[2, 0], [0, 1]], [[0, 1], [0, 1]]])
def test_what_is_no_signed_permutation(rows: list[list[int]]) -> None:
    assert _signed_permutation(integers(np.array(rows))) is None
