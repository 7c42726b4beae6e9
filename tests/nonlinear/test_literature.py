"""Numbers from the literature, each counted once more by characters that share no line with the package.

A connected group is given by the weights of its vectors and its positive roots: the number of invariants of a character
χ, a Laurent polynomial, is the constant term of χ ∏(1 - e^α) over positive roots α (Weyl). Reflections of O(3) are -1
times rotations; finite groups are lists of matrices. Everything is exact, or a sum of characters over a finite group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from numpy.typing import NDArray

import pdobasis

Laurent = dict[tuple[int, ...], Fraction]
Character = Callable[[int], Laurent]
"""k to χ(g^k): Adams operations."""


def times(a: Laurent, b: Laurent) -> Laurent:
    out: Laurent = {}
    for (m, v), (n, w) in product(a.items(), b.items()):
        place = tuple(i + j for i, j in zip(m, n, strict=True))
        out[place] = out.get(place, Fraction(0)) + v * w
    return {m: v for m, v in out.items() if v}


def plus(a: Laurent, b: Laurent, factor: Fraction = Fraction(1)) -> Laurent:
    out = dict(a)
    for m, v in b.items():
        out[m] = out.get(m, Fraction(0)) + factor * v
    return {m: v for m, v in out.items() if v}


def power(character: Character, n: int, sign: int = 1) -> Character:
    """Symmetric (or alternating) powers: n h_n = Σ (±1)^(k-1) p_k h_(n-k)."""

    def at(scale: int) -> Laurent:
        (zero,) = {tuple(0 for _ in m) for m in character(1)}
        h: list[Laurent] = [{zero: Fraction(1)}]
        for m in range(1, n + 1):
            total: Laurent = {}
            for k in range(1, m + 1):
                total = plus(total, times(character(scale * k), h[m - k]), Fraction(sign ** (k - 1), m))
            h.append(total)
        return h[n]

    return at


@dataclass(frozen=True)
class Classical:
    """Weights of the vector (with a sign in front of it for the other component), positive roots."""

    weights: tuple[tuple[int, ...], ...]
    roots: tuple[tuple[int, ...], ...]
    signs: tuple[int, ...] = (1,)


SO3 = Classical(((1,), (0,), (-1,)), ((1,),))
O3 = Classical(SO3.weights, SO3.roots, (1, -1))
SL2 = Classical(((1,), (-1,)), ((2,),))
SP4 = Classical(((1, 0), (-1, 0), (0, 1), (0, -1)), ((2, 0), (0, 2), (1, 1), (1, -1)))
LORENTZ = Classical(((1, 1), (1, -1), (-1, 1), (-1, -1)), ((2, 0), (0, 2)))
GROUPS = {"SO(3)": SO3, "O(3)": O3, "SL(2)": SL2, "Sp(4)": SP4, "SO(1,3)": LORENTZ}


def vector(group: Classical, sign: int) -> Character:
    return lambda k: {
        m: Fraction(sign**k * n)
        for m, n in ((tuple(k * i for i in w), group.weights.count(w)) for w in set(group.weights))
    }


def scalar(group: Classical, sign: int = 1) -> Character:
    zero = tuple(0 for _ in group.weights[0])
    return lambda k: {zero: Fraction(sign**k)}


def representation(spec: str, group: Classical, sign: int) -> Character:
    own = vector(group, sign)
    one = scalar(group)
    known: dict[str, Character] = {
        "trivial": one,
        "vector": own,
        "det": scalar(group, sign),
        "sym(2, vector)": power(own, 2),
        "alt(2, vector)": power(own, 2, -1),
        # trace-free: e3nn's 2e, axial vectors: 1e
        "2e": lambda k: plus(power(own, 2)(k), one(k), Fraction(-1)),
        "irrep(2)": lambda k: plus(power(own, 2)(k), one(k), Fraction(-1)),
        "1e": power(own, 2, -1),
        "0o": scalar(group, sign),
    }
    return known[spec]


def counted(name: str, factors: Sequence[tuple[str, int, int]], out: str) -> Fraction:
    """How many invariants out ⊗ ∏ Sym^power(rep ⊗ Sym^order) has; all of these representations are self-dual."""
    group = GROUPS[name]
    total = Fraction(0)
    for sign in group.signs:
        whole = representation(out, group, sign)(1)
        for rep, order, number in factors:
            field, space = representation(rep, group, sign), power(vector(group, sign), order)

            def jet(k: int, field: Character = field, space: Character = space) -> Laurent:
                return times(field(k), space(k))

            whole = times(whole, power(jet, number)(1))
        for root in group.roots:
            zero = tuple(0 for _ in root)
            whole = times(whole, {zero: Fraction(1), root: Fraction(-1)})
        total += whole.get(tuple(0 for _ in group.weights[0]), Fraction(0))
    return total / len(group.signs)


TABLE = [
    # (group, fields as (name, representation, order, power), output, number)
    # Landau-de Gennes: bulk terms, three elastic constants, one chiral; third and fourth degree (Longa et al. 1987)
    ("O(3)", [("Q", "2e", 0, 2)], "trivial", 1),
    ("O(3)", [("Q", "2e", 0, 3)], "trivial", 1),
    ("O(3)", [("Q", "2e", 0, 6)], "trivial", 2),
    ("O(3)", [("Q", "2e", 1, 2)], "trivial", 3),
    ("O(3)", [("Q", "2e", 0, 1), ("Q", "2e", 1, 1)], "trivial", 0),
    ("SO(3)", [("Q", "irrep(2)", 0, 1), ("Q", "irrep(2)", 1, 1)], "trivial", 1),
    ("O(3)", [("Q", "2e", 0, 1), ("Q", "2e", 1, 2)], "trivial", 6),
    ("O(3)", [("Q", "2e", 0, 2), ("Q", "2e", 1, 2)], "trivial", 13),
    # Beris-Edwards: Q flows with u: divergence, vorticity and strain each act on Q in one way
    ("O(3)", [("Q", "2e", 0, 1), ("u", "vector", 1, 1)], "2e", 3),
    # elasticity: Lamé; three constants of third order (Landau, Lifshitz); Mindlin's five
    ("O(3)", [("e", "sym(2, vector)", 0, 2)], "trivial", 2),
    ("O(3)", [("e", "sym(2, vector)", 0, 3)], "trivial", 3),
    ("O(3)", [("u", "vector", 2, 2)], "trivial", 5),
    ("O(3)", [("e", "sym(2, vector)", 1, 2)], "trivial", 5),
    # two flexoelectric couplings P ∂e; piezoelectricity needs the loss of -1, and rotations forbid it still
    ("O(3)", [("P", "vector", 0, 1), ("e", "sym(2, vector)", 1, 1)], "trivial", 2),
    ("O(3)", [("P", "vector", 0, 1), ("e", "sym(2, vector)", 0, 1)], "trivial", 0),
    ("SO(3)", [("P", "vector", 0, 1), ("e", "sym(2, vector)", 0, 1)], "trivial", 0),
    # magnetohydrodynamics: B is axial, u is not: B·∂B in the equation of u, u·∂B and B·∂u in that of B
    ("O(3)", [("B", "1e", 0, 1), ("B", "1e", 1, 1)], "vector", 3),
    ("O(3)", [("u", "vector", 0, 1), ("B", "1e", 1, 1)], "1e", 3),
    ("O(3)", [("u", "vector", 0, 1), ("u", "vector", 1, 1)], "1e", 0),
    # the α effect of a dynamo: the curl of B times a pseudo-scalar, and nothing without it
    ("O(3)", [("a", "0o", 0, 1), ("B", "1e", 1, 1)], "1e", 1),
    ("O(3)", [("B", "1e", 1, 1)], "1e", 0),
    ("O(3)", [("a", "0o", 0, 1), ("B", "1e", 0, 1)], "vector", 1),
    # Maxwell: F², and with F∧F where mirrors are not asked for
    ("SO(1,3)", [("F", "alt(2, vector)", 0, 2)], "trivial", 2),
    ("SO(1,3)", [("A", "vector", 1, 2)], "trivial", 4),
    ("SO(1,3)", [("F", "alt(2, vector)", 0, 4)], "trivial", 3),
    ("Sp(4)", [("u", "vector", 0, 1), ("u", "vector", 1, 1)], "vector", 3),
    ("Sp(4)", [("u", "vector", 1, 2)], "trivial", 3),
    ("SL(2)", [("u", "vector", 0, 1), ("v", "vector", 0, 1)], "trivial", 1),
    ("SL(2)", [("h", "trivial", 2, 2)], "trivial", 1),
    ("SL(2)", [("h", "trivial", 2, 3)], "trivial", 0),
    ("SL(2)", [("h", "trivial", 3, 4)], "trivial", 1),
]  # fmt: skip


@pytest.mark.parametrize(("group", "factors", "out", "number"), TABLE)
def test_classical_groups(group: str, factors: list[tuple[str, str, int, int]], out: str, number: int) -> None:
    assert counted(group, [f[1:] for f in factors], out) == number
    assert asked(group, factors, out) == number


def asked(group: str, factors: list[tuple[str, str, int, int]], out: str) -> int:
    """The number of terms of exactly this multidegree: weights single it out."""
    from pdobasis.nonlinear.find import Finder
    from pdobasis.nonlinear.question import Jet, Multidegree, ask_terms

    fields = {name: rep for name, rep, _, _ in factors}
    degree, order = sum(f[3] for f in factors), max(f[2] for f in factors)
    question = ask_terms(group, fields, out, degree, order)
    names = list(fields)
    jets = sorted((Jet(names.index(name), n), p) for name, _, n, p in factors)
    block = Finder.of(question).block(Multidegree(tuple(jets)), "textbook")
    assert block.certificate.holds
    return len(block.terms)


Matrix = NDArray[np.float64]


def turn(n: int, dim: int) -> Matrix:
    g = np.eye(dim)
    t = 2 * np.pi / n
    g[:2, :2] = [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]
    return g


def generated(*generators: Matrix) -> list[Matrix]:
    known: list[Matrix] = [np.eye(len(generators[0]))]
    for g in known:
        for s in generators:
            if not any(np.allclose(s @ g, h) for h in known):
                known.append(s @ g)
    return known


def signed(even: bool, proper: bool) -> list[Matrix]:
    """Signed permutations: all are Oh."""
    out = []
    for p in permutations(range(3)):
        for s in product((1, -1), repeat=3):
            g = np.eye(3)[list(p)] * np.array(s)[:, None]
            is_even = round(float(np.linalg.det(np.eye(3)[list(p)]))) == 1
            if (is_even or not even) and (not proper or np.linalg.det(g) > 0):
                out.append(g)
    return out


MIRROR = np.diag([1.0, -1.0])
PHI = (1 + 5**0.5) / 2
FIVEFOLD = 0.5 * np.array([[1 / PHI, -PHI, 1], [PHI, 1, 1 / PHI], [-1, 1 / PHI, PHI]])
UPDOWN = np.diag([1.0, 1.0, -1.0])
FINITE = {
    "C3": generated(turn(3, 2)),
    "C6": generated(turn(6, 2)),
    "D3": generated(turn(3, 2), MIRROR),
    "D4": generated(turn(4, 2), MIRROR),
    "D6": generated(turn(6, 2), MIRROR),
    "D6h": generated(turn(6, 3), np.diag([1.0, -1.0, 1.0]), UPDOWN),
    "Oh": signed(False, False),
    "T": signed(True, True),
    "I": generated(FIVEFOLD, *signed(True, True)),
}

CRYSTALS = [
    ("D6", [("u", "vector", 0, 1), ("u", "vector", 1, 1)], "vector", 3),
    ("C6", [("u", "vector", 0, 1), ("u", "vector", 1, 1)], "vector", 6),
    ("D3", [("u", "vector", 0, 2)], "vector", 1),
    ("C3", [("u", "vector", 0, 2)], "vector", 2),
    ("D4", [("u", "vector", 0, 3)], "vector", 2),
    ("D4", [("h", "trivial", 4, 1)], "trivial", 2),
    ("D6", [("h", "trivial", 4, 1)], "trivial", 1),
    ("D6", [("h", "trivial", 6, 1)], "trivial", 2),
    # elastic constants of cubic crystals, of hexagonal ones; strain gradients of m-3m: 11 (Auffray et al. 2013)
    ("Oh", [("e", "sym(2, vector)", 0, 2)], "trivial", 3),
    ("D6h", [("e", "sym(2, vector)", 0, 2)], "trivial", 5),
    ("Oh", [("u", "vector", 2, 2)], "trivial", 11),
    ("Oh", [("e", "sym(2, vector)", 0, 3)], "trivial", 6),
    # flexoelectricity of cubic crystals: three coefficients; piezoelectricity of T: one
    ("Oh", [("P", "vector", 0, 1), ("e", "sym(2, vector)", 1, 1)], "trivial", 3),
    ("T", [("P", "vector", 0, 1), ("e", "sym(2, vector)", 0, 1)], "trivial", 1),
    ("I", [("e", "sym(2, vector)", 0, 2)], "trivial", 2),
    ("I", [("u", "vector", 0, 6)], "trivial", 2),
]  # fmt: skip


@pytest.mark.parametrize(("group", "factors", "out", "number"), CRYSTALS)
def test_finite_groups(group: str, factors: list[tuple[str, str, int, int]], out: str, number: int) -> None:
    mean = np.mean([_trace(g, factors, out) for g in FINITE[group]])
    assert abs(mean - number) < 1e-9
    assert asked(group, factors, out) == number


def _trace(g: Matrix, factors: list[tuple[str, str, int, int]], out: str) -> float:
    total = _of(out, g)
    for _, rep, order, number in factors:
        powers = [np.linalg.matrix_power(g, k) for k in range(1, number + 1)]
        total *= _complete([_of(rep, h) * _derivatives(h, order) for h in powers])
    return total


def _of(rep: str, g: Matrix) -> float:
    t, square = float(np.trace(g)), float(np.trace(g @ g))
    return {"trivial": 1.0, "vector": t, "sym(2, vector)": (t * t + square) / 2}[rep]


def _derivatives(g: Matrix, order: int) -> float:
    return _complete([float(np.trace(np.linalg.matrix_power(g, k))) for k in range(1, order + 1)])


def _complete(sums: list[float]) -> float:
    h = [1.0]
    for n in range(1, len(sums) + 1):
        h.append(sum(p * h[n - k] for k, p in enumerate(sums[:n], start=1)) / n)
    return h[-1]


def test_toner_and_tu_have_eighteen_terms() -> None:
    found = pdobasis.terms("O(2)", {"v": "vector"}, "vector", 3, 2, max_total=2)
    assert len(found) == 18


def test_swift_hohenberg_and_kuramoto_sivashinsky() -> None:
    # u, Δu, Δ²u and u³ with u -> -u; of third degree with two derivatives u²Δu and u|∇u|²
    found = pdobasis.terms("O(2)", {"u": "trivial"}, "trivial", 3, 4, max_total=4, structure="flip:u,out")
    labels = [found.question.label(t.multidegree) for t in found]
    assert [labels.count(m) for m in ("u", "∂²u", "∂⁴u", "u³", "u² · ∂²u", "u · (∂u)²")] == [1] * 6
    # h -> h + c: no term has h itself in it
    front = pdobasis.terms("O(2)", {"h": "trivial"}, "trivial", 2, 4, max_total=4)
    free = [t.text for t in front if all(jet.order for jet in t.multidegree.jets)]
    assert {"∂_i ∂_i h", "∂_i ∂_i ∂_j ∂_j h", "∂_i h ∂_i h"} <= set(free)
    conserved = pdobasis.terms("O(2)", {"h": "trivial"}, "trivial", 2, 4, max_total=4, structure="divergence")
    assert "div[∂_i h ∂_j ∂_j h]" in [t.text for t in conserved]
