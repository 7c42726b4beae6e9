r"""Polynomial kernels of any matrix group: $K(gx) = |\det g|^{-1} \rho_{out}(g) K(x) \rho_{in}(g)^{-1}$.

The oracle is SymPy: elements g written down here, representations written down here, substitution, and a null space of
its own. It shares no line with the engine.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.answer.kernels import kernels_of
from pdobasis.exact.array import integers
from pdobasis.groups.matrices import numbers
from pdobasis.question.dual import dual_group, kernel_question
from pdobasis.question.field_type import FieldType
from pdobasis.question.own_group import build_group
from pdobasis.question.own_representation import build_representation
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type

Rep = Callable[[sympy.Matrix], sympy.Matrix]
REPS: dict[str, Rep] = {
    "trivial": lambda g: sympy.eye(1),
    "det": lambda g: sympy.Matrix([[g.det()]]),
    "dual(det)": lambda g: sympy.Matrix([[1 / g.det()]]),
    "vector": lambda g: g,
    "dual(vector)": lambda g: g.inv().T,
    "tensor(vector, vector)": lambda g: sympy.kronecker_product(g, g),
    "tensor(det, vector)": lambda g: g.det() * g,
}
PYTHAGORAS = [["3/5", "-4/5"], ["4/5", "3/5"]]
"""A rotation by an angle that is no rational multiple of pi: it generates a dense subgroup of SO(2)."""
SYMPLECTIC = [
    [[1, 0, 1, 2], [0, 1, 2, 5], [0, 0, 1, 0], [0, 0, 0, 1]],
    [[1, 0, 0, 0], [0, 1, 0, 0], [3, 1, 1, 0], [1, 1, 0, 1]],
    [[2, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, -1], [0, 0, -1, 2]],
]
GROUPS: dict[str, Any] = {
    "C4": [[[0, -1], [1, 0]]],
    "D4": [[[0, -1], [1, 0]], [[1, 0], [0, -1]]],
    "O(2)": [PYTHAGORAS, [[1, 0], [0, -1]]],
    "SL(2)": [[[1, 3], [0, 1]], [[1, 0], [2, 1]]],
    "GL(2)": [[[1, 3], [0, 1]], [[1, 0], [2, 1]], [[2, 0], [0, 1]], [[1, 0], [0, -3]]],
    "SO(1,1)": [[["5/4", "3/4"], ["3/4", "5/4"]], [[-1, 0], [0, -1]]],
    "scaling(1,2)": [[[2, 0], [0, 4]]],
    "Sp(4)": SYMPLECTIC,
    "Oh": [[[0, -1, 0], [1, 0, 0], [0, 0, 1]], [[0, 0, 1], [1, 0, 0], [0, 1, 0]], [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]],
}
PAIRS = [
    ("trivial", "trivial"), ("trivial", "vector"), ("vector", "trivial"), ("vector", "vector"),
    ("dual(vector)", "vector"), ("dual(det)", "trivial"), ("det", "vector"), ("trivial", "tensor(vector, vector)"),
]  # fmt: skip


def elements(group: str) -> list[sympy.Matrix]:
    return [sympy.Matrix([[sympy.Rational(v) for v in row] for row in rows]) for rows in GROUPS[group]]


def variables(dim: int) -> sympy.Matrix:
    return sympy.Matrix(sympy.symbols(f"x1:{dim + 1}"))


def defect(kernel: sympy.Matrix, g: sympy.Matrix, rho_in: sympy.Matrix, rho_out: sympy.Matrix) -> sympy.Matrix:
    x = variables(g.rows)
    moved = kernel.subs(dict(zip(x, g * x, strict=True)), simultaneous=True)
    return (moved - rho_out * kernel * rho_in.inv() / sympy.Abs(g.det())).applyfunc(sympy.expand)


def nullity(group: str, in_rep: str, out_rep: str, order: int) -> int:
    """The number of solutions of the constraint for the elements above: unknown coefficients, one equation for each."""
    gs = elements(group)
    x = variables(gs[0].rows)
    powers = [p for p in product(range(order + 1), repeat=len(x)) if sum(p) == order]
    rows, columns = REPS[out_rep](gs[0]).rows, REPS[in_rep](gs[0]).rows
    unknowns = sympy.symbols(f"c0:{rows * columns * len(powers)}")
    names = iter(unknowns)
    monomials = [sympy.Mul(*(v**a for v, a in zip(x, p, strict=True))) for p in powers]
    general = sympy.Matrix(rows, columns, lambda i, j: sum(next(names) * m for m in monomials))
    equations: list[sympy.Expr] = []
    for g in gs:
        for entry in defect(general, g, REPS[in_rep](g), REPS[out_rep](g)):
            equations += sympy.Poly(entry, *x).coeffs()
    system, _ = sympy.linear_eq_to_matrix(equations, unknowns)
    from sympy.polys.matrices import DomainMatrix

    return len(unknowns) - int(DomainMatrix.from_Matrix(system).to_field().rank())


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("in_rep", "out_rep"), PAIRS)
def test_kernels_satisfy_the_constraint_and_are_all(group: str, in_rep: str, out_rep: str) -> None:
    order = 2
    if len(elements(group)[0].tolist()) == 2:
        order = 3
    found = pdobasis.kernels(group, in_rep, out_rep, order=order)
    assert found.certificate.holds
    for g in elements(group):
        for kernel in found:
            wrong = defect(kernel.matrix, g, REPS[in_rep](g), REPS[out_rep](g))
            assert wrong.is_zero_matrix
    if group in ("Sp(4)", "Oh") and REPS[in_rep](g).rows * REPS[out_rep](g).rows > 8:
        return  # SymPy takes long over these
    for n in range(order + 1):
        assert found.dimensions[n] == nullity(group, in_rep, out_rep, n)


def test_dimensions_that_can_be_checked_by_hand() -> None:
    """x itself is a kernel wherever vectors are; its symplectic dual on SL(2) and Sp(4); x^T B x where B is kept."""
    for group, in_rep, out_rep, text in [
        ("SL(2)", "trivial", "vector", [["x1"], ["x2"]]),
        ("SL(2)", "vector", "trivial", [["-x2", "x1"]]),
        ("Sp(4)", "vector", "trivial", [["x3", "x4", "-x1", "-x2"]]),
        ("SO(1,3)", "trivial", "vector", [["x1"], ["x2"], ["x3"], ["x4"]]),
        ("O(2)", "vector", "trivial", [["x1", "x2"]]),
    ]:
        assert [k.strings() for k in pdobasis.kernels(group, in_rep, out_rep, order=1)] == [text]
    (_, form) = pdobasis.kernels("O(1,3)", "trivial", "trivial", order=2)
    assert str(form) == "[x₁² - x₂² - x₃² - x₄²]"
    assert form.latex() == r"\begin{pmatrix} x_{1}^{2} - x_{2}^{2} - x_{3}^{2} - x_{4}^{2} \end{pmatrix}"


def test_pdos_and_kernels_of_sl2_are_exchanged_by_the_dual() -> None:
    """The gradient is a covector, x a vector: the PDOs to dual(vector) are the kernels to vector."""
    for n in range(4):
        pdos = pdobasis.solve("SL(2)", "vector", "dual(vector)", order=n).dimensions
        assert pdos == pdobasis.kernels("SL(2)", "dual(vector)", "vector", order=n).dimensions


def test_densities() -> None:
    r"""The integral of a density is a scalar under all of GL(2): $\rho_{in} = |\det|^{-1}$, K = 1. Without |.| the
    reflection forbids it; and x maps densities to vectors."""
    group = pdobasis.group("GL(2)")
    traces = {f"X{k}": x.trace().scale(-1).reshape(1, 1) for k, x in enumerate(group.lie)}
    density = FieldType(((build_representation("density", group, {"f": integers([[1]])}, traces), 1),))
    for target, text in (("trivial", [["1"]]), ("vector", [["x1"], ["x2"]])):
        found = kernels_of(Problem(group, density, parse_field_type(target, group), 2))
        assert [k.strings() for k in found] == [text]
    assert pdobasis.kernels("GL(2)", "dual(det)", "trivial", order=2).dimension == 0
    assert pdobasis.kernels("scaling(1,2)", "dual(det)", "trivial", order=0).dimension == 1


SKEW = [
    ("skew C6", [[["1", "-1"], ["1", "0"]]]),
    ("skew D3", [[["0", "-1"], ["1", "-1"]], [["0", "1"], ["1", "0"]]]),
    ("skew C8", [[["sqrt(2)/2 - 1", "-1"], ["3/2", "sqrt(2)/2 + 1"]]]),
    ("doubling", [[["2", "0"], ["0", "1/2"]]]),
    ("stretch", [[["2", "1"], ["0", "1"]]]),
]


@pytest.mark.parametrize(("name", "generators"), SKEW)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_groups_of_ones_own(name: str, generators: list[list[list[str]]], order: int) -> None:
    """Vector to vector, none of them orthogonal, some infinite, one with determinant 2."""
    matrices = {f"g{k}": numbers(rows) for k, rows in enumerate(generators)}
    group = build_group(name, matrices, {})
    assert not group.is_orthogonal
    fields = parse_field_type("vector", group)
    found = kernels_of(Problem(group, fields, fields, order))
    assert found.certificate.holds
    for rows in generators:
        g = sympy.Matrix([[sympy.sympify(v) for v in row] for row in rows])
        for kernel in found:
            assert defect(kernel.matrix, g, g, g).applyfunc(sympy.radsimp).is_zero_matrix
    if name != "stretch":
        assert found.dimension > 0


def test_the_dual_of_the_dual_is_the_group() -> None:
    for name in ("SL(2)", "SO(1,3)", "D8", "Sp(4)", "scaling(1,3)"):
        group = pdobasis.group(name)
        assert dual_group(dual_group(group)) == group
    problem = pdobasis.solve("D4", "vector", "trivial").problem
    assert kernel_question(problem) is problem


def test_a_forgotten_determinant_is_seen() -> None:
    """The oracle rejects what is not a kernel: dual(det) to trivial on scaling(1,2), without |det|."""
    (kernel,) = pdobasis.kernels("scaling(1,2)", "dual(det)", "trivial", order=0)
    (g,) = elements("scaling(1,2)")
    one = sympy.eye(1)
    assert not defect(kernel.matrix, g, one, one).is_zero_matrix


def test_values_at_points() -> None:
    found = pdobasis.kernels("SL(2)", "vector", "vector", order=2)
    points = np.random.default_rng(0).normal(size=(3, 5, 2))
    values = found.at(points)
    assert values.shape == (2, 3, 5, 2, 2)
    x, y = points[..., 0], points[..., 1]
    np.testing.assert_allclose(values[1, ..., 0, :], np.stack([-x * y, x**2], axis=-1))
    with pytest.raises(pdobasis.PdoBasisError, match="2 coordinates"):
        found.at(np.zeros((4, 3)))


def test_on_the_command_line(tmp_path: Path) -> None:
    run = CliRunner().invoke
    words = ["solve", "--group", "SL(2)", "--in", "vector", "--out", "trivial", "--polynomial-kernel"]
    done = run(main, [*words, "-o", str(tmp_path / "k.json")])
    assert done.exit_code == 0
    assert "[-x₂, x₁]" in done.stdout.replace("  ", ", ")
    assert "∂" not in done.stdout
    checked = run(main, ["verify", "--independent", str(tmp_path / "k.json")])
    assert checked.exit_code == 0
    assert checked.stdout.endswith("\nproved: 1 element\n")
    answer = json.loads(run(main, [*words, "--json"]).stdout)
    assert answer["elements"] == [{"order": 1, "matrix": [["-x2", "x1"]]}]
    assert answer["certificate"]["complete"] is True
    assert run(main, [*words, "--latex"]).stdout == "\\begin{pmatrix} -x_{2} & x_{1} \\end{pmatrix}\n"
    assert "leave out --kernel" in run(main, [*words, "--kernel"]).stderr
    again = run(
        main,
        [*words[:2], "scaling(1,2)", "--in", "dual(det)", "--out", "vector", words[-1], "-o", str(tmp_path / "s.json")],
    )
    assert again.exit_code == 0
    assert "\nproved: 3 elements" in run(main, ["verify", "--independent", str(tmp_path / "s.json")]).stdout
    none = run(main, ["solve", "--group", "GL(2)", "--in", "trivial", "--out", "vector", "--polynomial-kernel"])
    assert "There are no polynomial kernels of order ≤ 2." in none.stdout
