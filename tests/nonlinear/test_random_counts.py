"""Random small questions: how many terms there are, against a mean of characters in floats.

The mean shares with the package only the matrices of the generators. It makes the list of all elements itself (or takes
the density of conjugacy classes of rotations), and takes Newton's identities of power sums of traces.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

import pdobasis
from pdobasis.exact.numbers import to_float
from pdobasis.nonlinear.question import Multidegree, TermsQuestion

Matrix = NDArray[np.float64]
PLANE = ["C2", "C3", "C4", "C5", "C6", "D1", "D2", "D3", "D4", "D5", "D6", "SO(2)", "O(2)"]
SPACE = ["T", "O", "I", "Td", "Th", "Oh", "Ih", "C3v", "D2h", "D3d", "C4h", "S4", "D6h", "SO(3)", "O(3)"]
REPS = ["trivial", "det", "vector", "dual(vector)", "sym(2, vector)", "alt(2, vector)", "tensor(vector, vector)"]
LARGEST = 150
"""Monomials of the largest multidegree that is asked about here."""


@dataclass(frozen=True)
class Asked:
    group: str
    fields: tuple[tuple[str, str], ...]
    out: str
    degree: int
    derivatives: int

    def __str__(self) -> str:
        return f"{self.group}: {dict(self.fields)} -> {self.out}, {self.degree}, {self.derivatives}"


def drawn() -> list[Asked]:
    """Sixty questions that are small enough; always the same ones."""
    source = random.Random(20)
    out: list[Asked] = []
    while len(out) < 60:
        group = source.choice(PLANE + SPACE)
        dim = 2 if group in PLANE else 3
        fields = tuple((name, source.choice(REPS)) for name in "uv"[: source.randint(1, 2)])
        asked = Asked(group, fields, source.choice(REPS), source.randint(1, 3), source.randint(0, 2))
        most = max(size(rep, dim) for _, rep in fields) * comb(dim + asked.derivatives - 1, asked.derivatives)
        if most**asked.degree * size(asked.out, dim) <= LARGEST:
            out.append(asked)
    return out


def size(rep: str, dim: int) -> int:
    return round(trace(rep, np.eye(dim)))


def trace(rep: str, g: Matrix) -> float:
    t, square = float(np.trace(g)), float(np.trace(g @ g))
    return {
        "trivial": 1.0,
        "det": float(np.linalg.det(g)),
        "vector": t,
        "dual(vector)": float(np.trace(np.linalg.inv(g))),
        "sym(2, vector)": (t * t + square) / 2,
        "alt(2, vector)": (t * t - square) / 2,
        "tensor(vector, vector)": t * t,
    }[rep]


@pytest.mark.parametrize("asked", drawn(), ids=str)
def test_numbers_of_random_questions(asked: Asked) -> None:
    found = pdobasis.terms(asked.group, dict(asked.fields), asked.out, asked.degree, asked.derivatives)
    assert found.holds
    samples = classes(asked.group, found.question)
    for block in found.blocks:
        mean = sum(w * character(asked, block.multidegree, g) for g, w in samples)
        assert abs(len(block.terms) - mean) < 1e-6


def classes(name: str, question: TermsQuestion) -> list[tuple[Matrix, float]]:
    """Elements with weights of sum 1."""
    if name.startswith(("SO(", "O(")):
        return rotations(question.group.dim, name.startswith("O("))
    every = closure([to_float(g) for g in question.group.generators], question.group.dim)
    return [(g, 1 / len(every)) for g in every]


def closure(generators: list[Matrix], dim: int) -> list[Matrix]:
    known = {key(np.eye(dim)): np.eye(dim)}
    waiting = list(known.values())
    while waiting:
        g = waiting.pop()
        for s in generators:
            new = s @ g
            if key(new) not in known:
                known[key(new)] = new
                waiting.append(new)
    return list(known.values())


def key(g: Matrix) -> tuple[int, ...]:
    return tuple(np.rint(g * 1e6).astype(int).ravel().tolist())


def rotations(dim: int, mirrored: bool) -> list[tuple[Matrix, float]]:
    """Enough angles for all the frequencies here; Weyl's density 1 - cos t in space."""
    out = []
    number = 64
    for k in range(number):
        t = 2 * np.pi * k / number
        g = np.eye(dim)
        g[:2, :2] = [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]
        weight = (1 - np.cos(t) if dim == 3 else 1.0) / number
        mirror = -np.eye(3) if dim == 3 else np.diag([1.0, -1.0])
        if mirrored:
            out += [(g, weight / 2), (mirror @ g, weight / 2)]
        else:
            out.append((g, weight))
    return out


def character(asked: Asked, m: Multidegree, g: Matrix) -> float:
    # groups of orthogonal matrices: the dual of the output has the same character, derivatives move as vectors do
    total = trace(asked.out, g)
    for jet, power in m.factors:
        powers = [np.linalg.matrix_power(g, k) for k in range(1, power + 1)]
        total *= complete_sum([trace(asked.fields[jet.field][1], h) * derivatives(h, jet.order) for h in powers])
    return total


def derivatives(g: Matrix, order: int) -> float:
    return complete_sum([float(np.trace(np.linalg.matrix_power(g, k))) for k in range(1, order + 1)])


def complete_sum(power_sums: list[float]) -> float:
    """h_n of the power sums p_1, …, p_n."""
    h = [1.0]
    for n in range(1, len(power_sums) + 1):
        h.append(sum(p * h[n - k] for k, p in enumerate(power_sums[:n], start=1)) / n)
    return h[-1]
