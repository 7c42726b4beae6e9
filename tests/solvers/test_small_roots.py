"""Small systems without the square roots that scale a basis: the same symbols as by elimination over the field."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import exact
from pdobasis.exact.field import radical
from pdobasis.groups.catalogue import parse_group
from pdobasis.operators.laplacian import is_harmonic
from pdobasis.operators.symbols import Symbols
from pdobasis.representations.named import named_irreps
from pdobasis.representations.representation import Representation
from pdobasis.solvers import together
from pdobasis.solvers.batch import Task
from pdobasis.solvers.small import solve_small
from pdobasis.solvers.small_roots import unrooted


def assert_same(found: list[Symbols] | None, wanted: list[Symbols]) -> None:
    assert found is not None
    for own, other in zip(found, wanted, strict=True):
        assert own.equals(other)
        assert own.coefficients.field == other.coefficients.field


@pytest.mark.parametrize("harmonic", [False, True])
@pytest.mark.parametrize("group", ["T", "Td", "O", "Th"])
def test_tasks_apart_are_those_of_one_system(group: str, harmonic: bool) -> None:
    irreps = list(named_irreps(parse_group(group)).values())
    for a in irreps:
        tasks = [Task(a, b, n) for n, b in product(range(4), irreps)]
        assert_same(together._apart(tasks, harmonic), together._eliminated(tasks, harmonic))


def test_what_needs_its_field_stays_in_one_system() -> None:
    irreps = named_irreps(parse_group("I"))
    tasks = [Task(irreps["irrep(H)"], irreps["irrep(T1)"], 1)]
    assert together._apart(tasks, harmonic=False) is None
    assert unrooted(irreps["irrep(H)"]) is None


def test_square_roots_of_a_basis() -> None:
    irrep = named_irreps(parse_group("O"))["irrep(E)"]
    found = unrooted(irrep)
    assert irrep.field == radical(3)
    assert found is not None
    assert found.classes == (1, 3)
    assert found.rep.field.is_rational


def test_numbers_that_int64_does_not_hold_without_their_root() -> None:
    r"""$(\begin{smallmatrix}1&x\\0&-1\end{smallmatrix})^2 = 1$ for every x; x = n sqrt(7) leaves 7n."""
    large = 2 * 10**18
    image = exact(np.array([[[1, 0], [0, large]], [[0, 0], [-1, 0]]]), 1, radical(7))
    rep = Representation(parse_group("C2"), "own", 2, (image,), own=True)
    found = unrooted(rep)
    assert found is not None
    assert found.classes == (1, 7)
    assert found.rep.generators[0].numerators[..., 0].tolist() == [[1, 7 * large], [0, -1]]
    tasks = [Task(rep, rep, n) for n in range(3)]
    assert_same(together._apart(tasks, harmonic=False), together._eliminated(tasks, harmonic=False))


@pytest.mark.parametrize(
    ("group", "source", "target"),
    [("S4", "vector", "vector"), ("D4", "vector", "sym(2, vector)"), ("SO(3)", "vector", "vector")],
)
def test_harmonic_symbols_of_small_systems(group: str, source: str, target: str) -> None:
    problem = ask(group, source, target, 4)
    tasks = [Task(problem.in_type.distinct[0], problem.out_type.distinct[0], n) for n in range(5)]
    found = solve_small(tasks, harmonic=True)
    assert_same(found, together._eliminated(tasks, harmonic=True))
    assert found is not None
    assert all(is_harmonic(part) for part in found)
    assert any(part.size for part in found[2:])
