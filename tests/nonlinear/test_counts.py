"""Numbers of terms: by hand, from the literature, and by integrals that share nothing with the package."""

from __future__ import annotations

from itertools import product
from math import factorial

import numpy as np
import pytest
from numpy.typing import NDArray

import pdobasis
from pdobasis.nonlinear.question import Multidegree, TermsQuestion, ask_terms

TABLE = [
    # (group, fields, out, degree, derivatives, multidegree, number)
    ("O(2)", {"u": "vector"}, "vector", 2, 1, "u · ∂u", 3),
    ("O(3)", {"u": "vector"}, "vector", 2, 1, "u · ∂u", 3),
    ("SO(2)", {"u": "vector"}, "vector", 2, 1, "u · ∂u", 6),
    ("O(3)", {"u": "vector"}, "vector", 3, 2, "u² · ∂²u", 6),
    ("O(3)", {"u": "vector"}, "trivial", 4, 1, "(∂u)²", 3),
    ("O(3)", {"u": "vector"}, "trivial", 4, 1, "(∂u)³", 5),
    ("O(3)", {"u": "vector"}, "trivial", 4, 1, "(∂u)⁴", 9),
    # Landau-de Gennes: three elastic constants, one chiral term, six cubic elastic terms
    ("O(3)", {"Q": "2e"}, "trivial", 3, 1, "(∂Q)²", 3),
    ("SO(3)", {"Q": "irrep(2)"}, "trivial", 2, 1, "Q · ∂Q", 1),
    ("O(3)", {"Q": "2e"}, "trivial", 2, 1, "Q · ∂Q", 0),
    ("O(3)", {"Q": "2e"}, "trivial", 3, 1, "Q · (∂Q)²", 6),
    # and thirteen of fourth degree: 3 + 6 + 13 = 22 (Longa, Monselesan, Trebin 1987)
    ("O(3)", {"Q": "2e"}, "trivial", 4, 1, "Q² · (∂Q)²", 13),
    # elastic constants of crystal classes: isotropic, cubic, hexagonal, tetragonal, orthorhombic, triclinic
    ("O(3)", {"e": "sym(2, vector)"}, "trivial", 2, 0, "e²", 2),
    ("Oh", {"e": "sym(2, vector)"}, "trivial", 2, 0, "e²", 3),
    ("D6h", {"e": "sym(2, vector)"}, "trivial", 2, 0, "e²", 5),
    ("D4h", {"e": "sym(2, vector)"}, "trivial", 2, 0, "e²", 6),
    ("D2h", {"e": "sym(2, vector)"}, "trivial", 2, 0, "e²", 9),
    ("trivial(3)", {"e": "sym(2, vector)"}, "trivial", 2, 0, "e²", 21),
    # Mindlin's second gradient elasticity: five constants
    ("O(3)", {"u": "vector"}, "trivial", 2, 2, "(∂²u)²", 5),
    # Swift-Hohenberg and Kuramoto-Sivashinsky, by hand
    ("O(2)", {"h": "trivial"}, "trivial", 2, 4, "∂⁴h", 1),
    ("O(2)", {"h": "trivial"}, "trivial", 2, 4, "(∂h)²", 1),
    ("O(2)", {"h": "trivial"}, "trivial", 2, 4, "(∂²h)²", 2),
    # magnetohydrodynamics: B is an axial vector
    ("O(3)", {"B": "alt(2, vector)"}, "vector", 2, 1, "B · ∂B", 3),
    ("O(3)", {"u": "vector", "B": "alt(2, vector)"}, "vector", 2, 1, "u · ∂B", 0),
    ("SO(3)", {"u": "vector", "B": "vector"}, "vector", 2, 0, "u · B", 1),
    # Maxwell and a theta term: SO(1,3) has one more than O(1,3)
    ("O(1,3)", {"A": "vector"}, "trivial", 2, 1, "(∂A)²", 3),
    ("SO(1,3)", {"A": "vector"}, "trivial", 2, 1, "(∂A)²", 4),
    ("GL(2)", {"u": "vector"}, "vector", 2, 1, "u · ∂u", 2),
    ("Sp(4)", {"u": "vector"}, "vector", 2, 1, "u · ∂u", 3),
    ("SL(2)", {"u": "vector", "v": "vector"}, "trivial", 2, 0, "u · v", 1),
]  # fmt: skip


@pytest.mark.parametrize(("group", "fields", "out", "degree", "order", "label", "number"), TABLE)
def test_the_numbers_are_those_of_the_literature(
    group: str, fields: dict[str, str], out: str, degree: int, order: int, label: str, number: int
) -> None:
    question = ask_terms(group, fields, out, degree, order)
    (wanted,) = (m for m in question.multidegrees() if question.label(m) == label)
    found = pdobasis.terms(group, fields, out, degree, order, max_total=wanted.total)
    assert found.holds
    assert found.dimensions.get(label, 0) == number


CASES = [
    ("O(2)", {"u": "vector", "p": "trivial"}, "vector", 3, 2, 2),
    ("SO(2)", {"u": "vector"}, "sym(2, vector)", 3, 1, 3),
    ("SO(3)", {"u": "vector", "B": "vector"}, "vector", 2, 2, 3),
    ("O(3)", {"u": "vector", "w": "alt(2, vector)"}, "vector", 3, 1, 2),
    ("C3", {"u": "vector"}, "trivial", 3, 1, 2),
    ("D6", {"u": "vector", "p": "det"}, "vector", 2, 2, 3),
    ("Td", {"u": "vector"}, "vector", 2, 1, 2),
]


@pytest.mark.parametrize(("group", "fields", "out", "degree", "order", "total"), CASES)
def test_the_numbers_are_integrals_of_characters(
    group: str, fields: dict[str, str], out: str, degree: int, order: int, total: int
) -> None:
    found = pdobasis.terms(group, fields, out, degree, order, max_total=total)
    for block in found.blocks:
        expected = integral(found.question, block.multidegree)
        assert abs(len(block.terms) - expected) < 1e-6


def integral(question: TermsQuestion, m: Multidegree) -> float:
    """The mean of the character over the group, in floats, from matrices alone."""
    return float(np.mean([w * character(question, m, g) for g, w in sample(question)]))


def sample(question: TermsQuestion) -> list[tuple[NDArray[np.float64], float]]:
    from pdobasis.exact.numbers import to_float

    group = question.group
    if group.is_finite:
        return [(to_float(g), 1.0) for g in group.elements]
    angles = 2 * np.pi * np.arange(60) / 60
    d = group.dim
    signs = [np.eye(d)]
    if group.generators:
        signs.append(-np.eye(3) if d == 3 else np.diag([1.0, -1.0]))
    out = []
    for t, sign in product(angles, signs):
        g = np.eye(d)
        g[:2, :2] = [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]
        # Weyl: conjugacy classes of rotations of space have this density
        weight = 1 - np.cos(t) if d == 3 else 1.0
        out.append((sign @ g, float(weight)))
    return out


def character(question: TermsQuestion, m: Multidegree, g: NDArray[np.float64]) -> float:
    total = trace_of(question.out.spec, g)
    for jet, power in m.factors:
        spec = question.fields[jet.field].rep.spec
        sums = []
        for k in range(1, power + 1):
            gk = np.linalg.matrix_power(g, k)
            sums.append(trace_of(spec, gk) * symmetric(gk, jet.order))
        total *= newton(sums)[power]
    return total


def symmetric(g: NDArray[np.float64], n: int) -> float:
    return newton([float(np.trace(np.linalg.matrix_power(g, k))) for k in range(1, n + 1)])[n]


def newton(sums: list[float]) -> list[float]:
    h = [1.0]
    for n in range(1, len(sums) + 1):
        h.append(sum(sums[k - 1] * h[n - k] for k in range(1, n + 1)) / n)
    return h


def trace_of(spec: str, g: NDArray[np.float64]) -> float:
    t, square = float(np.trace(g)), float(np.trace(g @ g))
    traces = {"trivial": 1.0, "vector": t, "det": float(np.linalg.det(g))}
    traces["sym(2, vector)"] = (t * t + square) / factorial(2)
    traces["alt(2, vector)"] = (t * t - square) / factorial(2)
    return traces[spec]


def test_a_flocking_model_has_the_terms_that_toner_and_tu_wrote_down() -> None:
    found = pdobasis.terms("O(2)", {"v": "vector"}, "vector", 3, 2, max_total=2)
    texts = {term.text for term in found}
    # (v·∇)v, v ∇·v, ∇|v|²/2, v, |v|² v, Δv, ∇(∇·v)
    assert {
        "v_j ∂_j v_i", "v_i ∂_j v_j", "v_j ∂_i v_j", "v_i", "v_i v_j v_j", "∂_j ∂_j v_i", "∂_i ∂_j v_j",
    } <= texts  # fmt: skip
    assert found.holds
