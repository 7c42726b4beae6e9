"""The direct solver: both ways give the same bytes, blocks are solved once, sizes are bounded."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import pdobasis
from pdobasis.errors import PdoBasisError, SizeError
from pdobasis.files.json_file import dump
from pdobasis.proof.counting import count_pdos
from pdobasis.question.text import parse_field_type, resolve_group
from pdobasis.solvers.direct import solve_block

GROUPS = [
    "C1",
    "C3",
    "C4",
    "C5",
    "D1",
    "D2",
    "D3",
    "D4",
    "D5",
    "D6(pi/12)",
    "flip(pi/3)",
    "D2d",
    "C3v",
    "T",
    "Td",
    "S6",
    "-6m2",
]
REPS = ["trivial", "det", "vector", "regular", "quotient(<{s}>)", "trivial + vector", "tensor(vector, vector)"]


@settings(max_examples=50)
@given(st.sampled_from(GROUPS), st.sampled_from(REPS), st.sampled_from(REPS), st.integers(0, 3))
def test_orbits_and_null_space_give_the_same_bytes_and_the_molien_count(name: str, a: str, b: str, order: int) -> None:
    group = resolve_group(name)
    spec = {"s": group.labels[-1]}
    for rep_in in parse_field_type(a.format(**spec), group).distinct:
        for rep_out in parse_field_type(b.format(**spec), group).distinct:
            if rep_in.size * rep_out.size > 150:
                continue
            fast = solve_block(rep_in, rep_out, order)
            assert fast.equals(solve_block(rep_in, rep_out, order, orbits=False))
            assert fast.size == count_pdos(rep_in, rep_out, order).numbers[order]


def test_one_block_serves_all_its_copies() -> None:
    one = pdobasis.solve("C8", "regular", "regular", order=2)
    many = pdobasis.solve("C8", "16xregular", "24xregular", order=2)
    assert len(many.blocks) == 1
    assert many.blocks[0].orders[2].equals(one.blocks[0].orders[2])
    assert many.dimension == 16 * 24 * one.dimension
    last = many.elements[-1]
    assert {r // 8 for r, _ in last.entries} == {23}
    assert {c // 8 for _, c in last.entries} == {15}


@pytest.mark.parametrize(
    "question", [("D8", "regular", "trivial"), ("SO(3)", "vector", "irrep(2)"), ("Oh", "vector", "quotient(D4)")]
)
def test_the_same_question_gives_the_same_bytes_in_every_process(question: tuple[str, str, str]) -> None:
    code = (
        "import sys, pdobasis; from pdobasis.files.json_file import dump;"
        f"sys.stdout.write(dump(pdobasis.solve(*{question!r}, order=2)))"
    )
    texts = set()
    for seed in ("0", "1", "12345"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        texts.add(subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout)
    assert texts == {dump(pdobasis.solve(*question, order=2)).encode()}


def test_large_questions_are_refused_before_any_work() -> None:
    with pytest.raises(SizeError, match="max_unknowns="):
        pdobasis.solve("Ih", "tensor(vector, regular)", "tensor(vector, regular)", order=12)
    with pytest.raises(SizeError, match="order"):
        pdobasis.solve("D4", "trivial", "trivial", order=1000)
    with pytest.raises(SizeError, match="order"):
        pdobasis.solve("D4", "trivial", "trivial", order=-1)
    with pytest.raises(SizeError, match="unknowns"):
        pdobasis.solve("SO(24)", "vector", "vector", order=40)
    assert pdobasis.solve("D4", "trivial", "trivial", order=2, max_unknowns=6).dimension == 2
    with pytest.raises(SizeError, match="6 unknowns"):
        pdobasis.solve("D4", "trivial", "trivial", order=2, max_unknowns=5)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(PdoBasisError, match="unknown method"):
        pdobasis.solve("D4", "trivial", "trivial", method="magic")


def test_large_rotation_orders_work() -> None:
    """C_N has the invariants of SO(2) below order N."""
    basis = pdobasis.solve("C97", "trivial", "vector", order=3)
    assert basis.dimensions == pdobasis.solve("SO(2)", "trivial", "vector", order=3).dimensions


@pytest.mark.parametrize("element", range(6))
def test_elements_look_the_same_in_text_sympy_and_latex(element: int) -> None:
    import sympy

    basis = pdobasis.solve("D8", "regular", "trivial", order=2)
    e = basis.elements[element]
    names = {f"d{i}": sympy.Symbol(f"d{i}") for i in (1, 2)}
    for row, strings in zip(e.matrix.tolist(), e.strings(), strict=True):
        for entry, text in zip(row, strings, strict=True):
            assert sympy.expand(sympy.sympify(text, names) - entry) == 0
    assert e.latex().startswith(r"\left(\begin{array}")
    assert (e._repr_latex_() or "").startswith("$")
    # more than ten columns are no matrix of amsmath
    assert (basis._repr_latex_() or "").count(r"\begin{array}{*{16}{c}}") == 6


def test_float_coefficients_are_those_of_the_elements() -> None:
    basis = pdobasis.solve("D5", "vector + trivial", "irrep(1,2)", order=2)
    table = basis.coefficients()
    alphas = basis.monomials()
    assert table.shape == (basis.dimension, 2, 3, len(alphas))
    for k, e in enumerate(basis.elements):
        p = e.matrix.subs({"d1": 3, "d2": 5}).evalf(30)
        values = table[k] @ [3.0**a * 5.0**b if a + b == e.order else 0 for a, b in alphas]
        assert abs(values - sympy_array(p)).max() < 1e-12


def sympy_array(m: sympy.Matrix) -> NDArray[np.float64]:
    return np.array(m.tolist(), dtype=np.float64)
