"""Counts in many dimensions, where sums of products outgrow int64; answers without any entries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.arithmetic import is_prime
from pdobasis.exact.array import exact, integers
from pdobasis.exact.field import RATIONALS, radical
from pdobasis.exact.polynomials import count
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import from_dense
from pdobasis.proof.certificate import prove
from pdobasis.proof.counting import _few_matrices, _matrices, _times, molien
from pdobasis.proof.elements import elements
from pdobasis.proof.modular import COUNT_BITS, FIRST, Place, place, residues, step_of
from pdobasis.representations.representation import from_matrices


@pytest.mark.parametrize("size", [1, 127, 128, 129, 200, 500])
def test_products_of_large_residues(size: int) -> None:
    p = place(RATIONALS, 0, COUNT_BITS).prime
    draw = np.random.default_rng(3)
    for a in (np.full((1, 2, size), p - 1), draw.integers(0, p, (1, 2, size))):
        b = np.full((1, size, 2), p - 1)
        wanted = a.astype(object) @ b.astype(object) % p
        assert _times(a, b, p).tolist() == wanted.tolist()


@pytest.mark.parametrize("large", [1, 1 << 40])
def test_rational_numbers_have_one_image_in_every_field(large: int) -> None:
    """Halves, and numbers whose products int64 would not hold."""
    numbers = exact(np.array([[1], [-3 * large]]), 2, RATIONALS)
    for bits in (COUNT_BITS, 61):
        at = place(radical(5), 0, bits)
        half = (at.prime + 1) // 2
        assert residues(numbers, at).tolist() == [half, -3 * large * half % at.prime]
        wide = numbers.over(radical(5))
        assert residues(wide, at).tolist() == residues(numbers, at).tolist()


def test_the_first_primes_for_rational_numbers_are_those_that_are_searched_for() -> None:
    for bits, prime in FIRST.items():
        assert prime % step_of(RATIONALS) == 1
        assert is_prime(prime)
        assert not [p for p in range(prime + 8, 1 << bits, 8) if is_prime(p)]
        assert place(RATIONALS, 0, bits) == Place(prime, (1,))


@pytest.mark.parametrize("name", ["C4", "C8", "D5", "Oh", "Ih", "C5"])
@pytest.mark.parametrize("bits", [COUNT_BITS, 61])
def test_a_few_elements_have_the_residues_that_all_have(name: str, bits: int) -> None:
    group = ask(name, "trivial", "trivial", 0).group
    every = elements(group)[0]
    at = place(every.field, 0, bits)
    asked = np.arange(0, len(every), 3)
    wanted = _matrices(group, asked, every.field, at, False).tolist()
    assert _few_matrices(group, asked, every.field, at) == wanted


def test_halves_in_space_and_roots_on_the_fibre(tmp_path: Path) -> None:
    """C5 by rational matrices in four dimensions, where a plane needs sqrt(5): R^4 is that plane and its conjugate."""
    path = tmp_path / "five.yaml"
    rows = '["0", "0", "0", "-1"], ["1/2", "0", "0", "-1/2"], ["0", "2", "0", "-1"], ["0", "0", "1", "-1"]'
    path.write_text(f"name: five\ngenerators:\n  h: [{rows}]\n")
    (trivial,) = ask(str(path), "trivial", "trivial", 0).in_type.distinct
    (turning,) = ask("C5", "vector", "vector", 0).in_type.distinct
    plane = from_matrices(trivial.group, "plane", 2, turning.generators, own=True)
    assert molien(trivial, plane, 2) == (0, 2, 4)


def test_a_reflection_in_133_dimensions(tmp_path: Path) -> None:
    """x -> x - (2/d) (x_1 + … + x_d) (1, …, 1): d - 1 linear invariants, and of order 2 those and one square."""
    d = 133
    rows = []
    for i in range(d):
        entries = [f"{d - 2}/{d}" if i == j else f"-2/{d}" for j in range(d)]
        rows.append(f"[{', '.join(entries)}]")
    path = tmp_path / "reflection.yaml"
    path.write_text(f"name: reflection\ngenerators:\n  h: [{', '.join(rows)}]\n")
    (rep,) = ask(str(path), "trivial", "trivial", 0).in_type.distinct
    assert molien(rep, rep, 2) == (1, d - 1, (d - 1) * d // 2 + 1)


@pytest.mark.parametrize(("group", "order"), [("C4", 0), ("SO(2)", 1), ("O", 2)])
def test_an_element_that_is_zero(group: str, order: int) -> None:
    """It is equivariant, and not independent."""
    problem = ask(group, "trivial", "trivial", order)
    dim = problem.group.dim
    parts = []
    for n in range(order + 1):
        zero = integers(np.zeros((int(n == 0), 1, 1, count(dim, n)), dtype=np.int64))
        parts.append(from_dense(zero, dim, n))
    certificate = prove(problem, [Block(0, 0, tuple(parts))])
    assert certificate.equivariant
    assert not certificate.independent
    assert not certificate.holds
