"""Counts that can be checked by hand or in a book. Every basis is proved; the numbers come from elsewhere."""

from __future__ import annotations

import json

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import pdobasis
from pdobasis.files.json_file import dump

DIMENSIONS = [
    ("SO(2)", "trivial", "trivial", [1, 0, 1, 0, 1]),  # powers of the Laplacian
    ("SO(2)", "vector", "trivial", [0, 2, 0, 2]),  # div, curl, and times the Laplacian
    ("O(2)", "trivial", "vector", [0, 1, 0, 1]),
    ("SO(2)", "vector", "vector", [2, 0, 4]),
    ("SO(3)", "vector", "vector", [1, 1, 2, 1]),  # id; curl; Laplacian, grad div; Laplacian of curl
    ("O(3)", "vector", "vector", [1, 0, 2]),
    ("D8", "regular", "trivial", [1, 2, 3]),
    ("C16", "regular", "regular", [16, 32, 48, 64]),
    ("GL(3)", "vector", "trivial", [0, 1, 0]),  # the divergence
    ("GL(3)", "dual(vector)", "alt(2, dual(vector))", [0, 1, 0]),  # the exterior derivative
    ("SO(1,3)", "trivial", "trivial", [1, 0, 1, 0, 1]),  # powers of the d'Alembertian
    ("SL(2)", "dual(vector)", "trivial", [0, 1]),
    ("GL(2)", "dual(vector)", "trivial", [0, 0]),
    ("D1", "trivial", "trivial", [1, 1, 2, 2]),  # polynomials in d1 and d2^2
    ("trivial(3)", "trivial", "trivial", [1, 3, 6, 10]),
    ("inversion(3)", "trivial", "trivial", [1, 0, 6, 0, 15]),
    ("C4", "trivial", "trivial", [1, 0, 1, 0, 3]),
    ("D4", "trivial", "trivial", [1, 0, 1, 0, 2, 0, 2, 0, 3]),  # generated in orders 2 and 4
    ("Oh", "trivial", "trivial", [1, 0, 1, 0, 2, 0, 3, 0, 4]),  # generated in orders 2, 4, 6
    ("I", "trivial", "trivial", [1, 0, 1, 0, 1, 0, 2, 0, 2, 0, 3]),  # 2, 6, 10 (and 15)
    ("Sp(4)", "trivial", "trivial", [1, 0, 0, 0]),
    ("Sp(4)", "vector", "trivial", [0, 1, 0]),  # the divergence
    ("scaling(1,2)", "trivial", "trivial", [1, 0, 0]),
    ("SO(3)", "trivial", "irrep(2)", [0, 0, 1, 0, 1]),
    ("O(3)", "vector", "1e", [0, 1, 0, 1]),  # the curl is a pseudovector
    ("SO(4)", "alt(2, vector)", "alt(2, vector)", [2]),  # the Hodge star
    ("SO(5)", "vector", "vector", [1, 0, 2]),
    ("SO(1,1)", "vector", "vector", [2, 0]),
    ("O(1,1)", "vector", "vector", [1, 0]),
    ("C4 x scaling", "vector", "trivial", [0, 2, 0]),
]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "numbers"), DIMENSIONS)
def test_dimensions(group: str, in_rep: str, out_rep: str, numbers: list[int]) -> None:
    basis = pdobasis.solve(group, in_rep, out_rep, order=len(numbers) - 1)
    data = json.loads(dump(basis))
    assert [data["dimensions"][str(n)] for n in range(len(numbers))] == numbers
    assert data["dimension"] == sum(numbers) == len(data["elements"])
    assert all(data["certificate"][claim] is True for claim in ("equivariant", "independent", "complete"))


NAMED = [
    ("SO(2)", "trivial", "trivial", 2, ["identity", "Laplacian"]),
    ("SO(2)", "vector", "trivial", 1, ["divergence", "curl"]),
    ("O(2)", "trivial", "vector", 1, ["gradient"]),
    ("SO(2)", "trivial", "vector", 1, ["gradient", "rotated gradient"]),
    ("SO(3)", "vector", "vector", 1, ["identity", "curl"]),
    ("SO(1,3)", "trivial", "trivial", 2, ["identity", "d'Alembertian"]),
    ("GL(3)", "vector", "trivial", 1, ["divergence"]),
    ("GL(3)", "dual(vector)", "alt(2, dual(vector))", 1, ["exterior derivative"]),
    ("GL(3)", "trivial", "sym(2, dual(vector))", 2, ["Hessian"]),
    ("SO(1,3)", "trivial", "vector", 1, ["gradient (raised index)"]),
]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order", "names"), NAMED)
def test_named_operators(group: str, in_rep: str, out_rep: str, order: int, names: list[str]) -> None:
    assert [e.name for e in pdobasis.solve(group, in_rep, out_rep, order=order).elements] == names


def test_the_first_order_element_for_so3_is_the_curl_and_for_so13_the_wave_operator() -> None:
    d = sympy.symbols("d1:5")
    (curl,) = (e.matrix for e in pdobasis.solve("SO(3)", "vector", "vector", order=1).elements if e.order == 1)
    assert curl == sympy.Matrix([[0, -d[2], d[1]], [d[2], 0, -d[0]], [-d[1], d[0], 0]])
    wave = pdobasis.solve("SO(1,3)", "trivial", "trivial", order=2).elements[1].matrix[0, 0]
    assert wave == d[0] ** 2 - d[1] ** 2 - d[2] ** 2 - d[3] ** 2


ELASTIC = {"1": 21, "-1": 21, "2": 13, "m": 13, "2/m": 13, "222": 9, "mm2": 9, "mmm": 9, "4": 7, "-4": 7, "4/m": 7,
           "422": 6, "4mm": 6, "-42m": 6, "4/mmm": 6, "3": 7, "-3": 7, "32": 6, "3m": 6, "-3m": 6, "6": 5, "-6": 5,
           "6/m": 5, "622": 5, "6mm": 5, "-6m2": 5, "6/mmm": 5, "23": 3, "m-3": 3, "432": 3, "-43m": 3, "m-3m": 3}  # fmt: skip
PIEZO = {"1": 18, "2": 8, "m": 10, "222": 3, "mm2": 5, "4": 4, "-4": 4, "422": 1, "4mm": 3, "-42m": 2, "3": 6, "32": 2,
         "3m": 4, "6": 4, "-6": 2, "622": 1, "6mm": 3, "-6m2": 1, "23": 1, "-43m": 1, "432": 0}  # fmt: skip


@pytest.mark.parametrize("symbol", ELASTIC)
def test_elastic_and_piezoelectric_constants_of_the_crystal_classes(symbol: str) -> None:
    """Numbers of independent constants as in Nye, Physical Properties of Crystals; centrosymmetric classes have no piezoelectricity."""
    elastic = pdobasis.solve(symbol, "trivial", "sym(2, sym(2, vector))", order=0)
    piezo = pdobasis.solve(symbol, "trivial", "tensor(vector, sym(2, vector))", order=0)
    assert elastic.dimension == ELASTIC[symbol]
    assert piezo.dimension == PIEZO.get(symbol, 0)


def molien_series(matrices: list[sympy.Matrix], order: int) -> list[int]:
    """By SymPy alone."""
    t = sympy.Symbol("t")
    total = sum(1 / (sympy.eye(m.shape[0]) - t * m).det() for m in matrices) / len(matrices)
    return [int(c) for c in sympy.Poly(sympy.series(total, t, 0, order + 1).removeO(), t).all_coeffs()[::-1]]


@given(st.permutations(range(3)), st.tuples(*[st.sampled_from([1, -1])] * 3))
def test_signed_permutation_groups_against_molien_by_sympy(images: list[int], signs: tuple[int, ...]) -> None:
    g = sympy.zeros(3, 3)
    for i, j in enumerate(images):
        g[j, i] = signs[i]
    elements = [sympy.eye(3)]
    while (nxt := elements[-1] * g) != sympy.eye(3):
        elements.append(nxt)
    from pdobasis.exact.array import integers
    from pdobasis.question.own_group import build_group

    group = build_group("cyclic", {"g": integers(g.tolist())}, {})
    basis = pdobasis.solve(group, "trivial", "trivial", order=4)
    expected = molien_series(elements, 4)
    assert list(basis.dimensions.values()) == expected + [0] * (5 - len(expected))
