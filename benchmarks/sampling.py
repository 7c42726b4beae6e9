"""Questions drawn from the grammar: groups, representations and orders, the same for the same seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb

from pdobasis.answer.solve import ask
from pdobasis.errors import PdoBasisError
from pdobasis.question.problem import Problem

FAMILIES: dict[str, tuple[str, ...]] = {
    "finite, plane": ("C1", "C2", "C3", "C4", "C5", "C6", "C8", "C12", "C16", "C24", "D1", "D2", "D3", "D4", "D5", "D8",
                      "D12", "D16", "D8(pi/8)", "flip", "flip(pi/4)", "inversion(2)", "trivial(2)"),
    "finite, space": ("Cs", "Ci", "C4v", "D2d", "S4", "D4h", "3m", "-3m", "622", "T", "Td", "Th", "O", "Oh", "I", "Ih",
                      "inversion(3)", "trivial(3)", "trivial(4)"),
    "SO(2), O(2)": ("SO(2)", "O(2)", "O(2,pi/4)"),
    "SO(3), O(3)": ("SO(3)", "O(3)"),
    "SO(d), O(d), d ≥ 4": ("SO(4)", "O(4)", "SO(5)"),
    "not orthogonal": ("SO(1,1)", "SO(1,2)", "SO(1,3)", "O(1,3)", "SL(2)", "GL(2)", "SL(3)", "GL(3)", "Sp(4)",
                       "scaling(1,2)"),
}  # fmt: skip
NAMED: dict[str, tuple[str, ...]] = {
    "SO(2)": ("irrep(2)", "irrep(5)"),
    "O(2)": ("irrep(1,2)", "irrep(1,4)"),
    "O(2,pi/4)": ("irrep(1,3)",),
    "SO(3)": ("irrep(2)", "irrep(3)", "irrep(5)"),
    "O(3)": ("irrep(0,2)", "irrep(1,3)", "irrep(0,4)"),
}
"""Irreps of continuous groups, beside the names that all groups know."""
ORDERS = (0, 0, 1, 1, 2, 2, 3, 4, 6)
DEPTH = 2
UNKNOWNS = 50_000
"""Questions beyond are not asked: their answers may have far more than a million numbers."""


CRYSTALS = ("Oh", "O", "Td", "Th", "T", "D4h", "D2d", "C4v", "S4", "4/mmm", "-42m", "-4", "D6h", "622", "C3v", "D3d",
            "3m", "D2h", "C2v", "Cs", "Ci", "I", "Ih")  # fmt: skip
"""Groups of points by names that mean nothing else."""
TEXTBOOK = (
    ("vector", "vector"), ("vector", "tensor(vector, vector)"), ("sym(2, vector)", "vector"),
    ("sym(2, vector)", "sym(2, vector)"), ("trivial", "sym(2, sym(2, vector))"), ("det", "tensor(vector, vector)"),
    ("tensor(vector, vector)", "det + vector"),
)  # fmt: skip
"""What books on crystals have tables of: conduction, piezoelectricity, elasticity, optical activity."""
TEXTBOOK_ORDERS = (1, 2, 4)


@dataclass(frozen=True)
class Question:
    family: str
    group: str
    source: str
    target: str
    order: int

    def __str__(self) -> str:
        return f"{self.group} {self.source} → {self.target}, order ≤ {self.order}"


def sample(count: int, seed: int) -> list[Question]:
    """Families in turn, so that each has its share; what the grammar refuses (alt(2, det), say) is drawn again."""
    draw = random.Random(seed)
    families = list(FAMILIES)
    out: list[Question] = []
    while len(out) < count:
        family = families[len(out) % len(families)]
        group = draw.choice(FAMILIES[family])
        source, target = _sum(draw, family, group), _sum(draw, family, group)
        question = Question(family, group, source.text, target.text, draw.choice(ORDERS))
        # between the largest summands alone: matrices that are too large are not made
        if source.largest * target.largest * _monomials(group, question.order) > UNKNOWNS:
            continue
        problem = _problem(question)
        if problem is not None and problem.unknowns <= UNKNOWNS:
            out.append(question)
    return out


def textbook() -> list[Question]:
    """Small questions about crystals, where the difference between two methods is a few milliseconds at most."""
    every = product(CRYSTALS, TEXTBOOK, TEXTBOOK_ORDERS)
    return [Question("crystals", group, *pair, order) for group, pair, order in every]


@dataclass(frozen=True)
class Spec:
    """What is written, and the size of its largest summand."""

    text: str
    largest: int


@cache
def _size(group: str, name: str) -> int:
    return ask(group, name, "trivial", 0).in_type.size


@cache
def _monomials(group: str, order: int) -> int:
    dim = ask(group, "trivial", "trivial", 0).group.dim
    return comb(dim + order, dim)


def _problem(question: Question) -> Problem | None:
    try:
        return ask(question.group, question.source, question.target, question.order)
    except PdoBasisError:
        return None


def _sum(draw: random.Random, family: str, group: str) -> Spec:
    parts = [_term(draw, family, group, 0) for _ in range(draw.choice((1, 1, 1, 2)))]
    texts = [part.text for part in parts]
    times = draw.choice((1, 1, 1, 1, 3))
    if times > 1:
        texts[0] = f"{times}x{texts[0]}"
    return Spec(" + ".join(texts), max(part.largest for part in parts))


def _term(draw: random.Random, family: str, group: str, depth: int) -> Spec:
    """One of the names, or a product of shorter terms."""
    if depth < DEPTH and draw.random() < 0.5:
        kind = draw.choice(("tensor", "tensor", "sym", "alt", "dual"))
        inner = _term(draw, family, group, depth + 1)
        size = inner.largest
        if kind == "tensor":
            other = _term(draw, family, group, depth + 1)
            return Spec(f"tensor({inner.text}, {other.text})", size * other.largest)
        if kind == "dual":
            return Spec(f"dual({inner.text})", size)
        powers = {"sym": comb(size + 1, 2), "alt": comb(size, 2)}
        return Spec(f"{kind}(2, {inner.text})", powers[kind])
    names = ["trivial", "det", "vector", "vector", "vector", *NAMED.get(group, ())]
    if family.startswith("finite"):
        # inside of tensors and powers, too: alt(2, regular), tensor(vector, regular)
        names += ["regular", "regular"] if depth == 0 else ["regular"]
    name = str(draw.choice(names))
    return Spec(name, _size(group, name))
