"""Independent symbols, component by component, are those of one large matrix."""

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS, Field, cyclotomic
from pdobasis.exact.primes import independent_rows
from pdobasis.operators import independent as module
from pdobasis.operators.independent import independent
from pdobasis.operators.symbols import Symbols, dense, from_dense
from pdobasis.solvers.projection import solve_harmonic


def scattered_elements(field: Field, seed: int, factor: int = 1) -> Symbols:
    """Quadratic forms in three places each of 4 x 5, some of them zero, equal, or sums of others."""
    rng = np.random.default_rng(seed)
    numbers = np.zeros((12, 4, 5, 3, field.degree), dtype=object)
    for own in numbers:
        corner = rng.integers(0, 4), rng.integers(0, 3, 3)
        own[corner] = rng.integers(-2, 3, (3, 3, field.degree)).astype(object) * factor
    numbers[3] = 0
    numbers[5] = 2 * numbers[1]
    numbers[9] = numbers[0] + numbers[1]
    return from_dense(exact(numbers, 6, field), 2, 2)


@pytest.mark.parametrize("field", [RATIONALS, cyclotomic(16)], ids=["Q", "Q(cos)"])
@pytest.mark.parametrize("factor", [1, 10**30])
@pytest.mark.parametrize("seed", range(4))
def test_components_choose_what_the_whole_matrix_chooses(field: Field, factor: int, seed: int) -> None:
    part = scattered_elements(field, seed, factor)
    assert independent(part) == independent_rows(dense(part).reshape(part.size, -1))


def test_nothing_is_chosen_of_nothing() -> None:
    part = from_dense(exact(np.zeros((3, 2, 2, 3, 1), dtype=np.int64), 1, RATIONALS), 2, 2)
    assert independent(part) == []


def test_no_matrix_is_larger_than_its_component(monkeypatch: pytest.MonkeyPatch) -> None:
    """alt(2, regular) of O: differences of elements by the ratio of the two, which G does not mix."""
    widths = []

    def looked_at(matrix: ExactArray) -> list[int]:
        widths.append(matrix.shape[1])
        return independent_rows(matrix)

    monkeypatch.setattr(module, "independent_rows", looked_at)
    problem = ask("O", "alt(2, regular)", "vector", 2)
    (found,) = solve_harmonic([(problem.in_type.distinct[0], problem.out_type.distinct[0])], [2])[0]
    # characters: 276 · 3 · 5 at the identity, (-12)(-1) 1 at each of 9 half turns, 0 elsewhere
    assert found.size == (276 * 3 * 5 + 9 * 12) // 24
    # 24 differences, 3 components of the vector, 6 monomials: of 276 · 3 · 6
    assert 0 < max(widths) <= 24 * 3 * 6
