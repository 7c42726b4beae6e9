"""The symbolic tables: every entry at every m, n, N, t of a range spans what the direct solver finds."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from pdobasis_tables import entries
from pdobasis_tables.circular import Index, Symbolic, quarter_turn, upright
from pdobasis_tables.entries import cell, compare
from pdobasis_tables.families import FAMILIES, Family, Kind
from pdobasis_tables.laws import Cell
from pdobasis_tables.paper import _index, paper_tables

from pdobasis.errors import ProofError

BY_KEY = {family.key: family for family in FAMILIES}
CONVENTIONS = ["pdobasis", "paper"]


def shown(family: Family, element: Symbolic) -> str:
    rows = (" ".join(("-" if s < 0 else "") + letter for s, letter in row) for row in element.pattern)
    return f"{' / '.join(rows)} @ {_index(family, element.index)}"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.key)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_entries_span_what_the_direct_solver_finds(family: Family, convention: str) -> None:
    assert compare(family, frequency=3, rotations=4, order=4, convention=convention) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.key)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_entries_in_the_whole_range(family: Family, convention: str) -> None:
    """m, n up to 6 for SO(2) and O(2), all irreps of C_N and D_N for N up to 12, all t, orders up to 6."""
    assert compare(family, frequency=6, rotations=12, order=6, convention=convention) >= 4


PRINTED = [
    # as the paper prints them, its slips aside: (table, out, in, entries)
    ("so2", 0, 0, {"T @ 0"}),
    ("so2", 0, 1, {"T U @ n", "-U T @ n"}),
    ("so2", 1, 1, {"T -U / U T @ m-n", "-U -T / T -U @ m-n", "T U / U -T @ m+n", "-U T / T U @ m+n"}),
    ("o2", 0, 1, set()),
    ("o2", 0, 2, {"-U T @ n"}),
    ("o2", 1, 2, {"T U @ n"}),
    ("o2", 2, 0, {"-U / T @ m"}),
    ("o2", 2, 2, {"T -U / U T @ m-n", "T U / U -T @ m+n"}),
    ("reflection", 0, 0, {r"T @ \mu"}),
    ("reflection", 0, 1, {r"U @ \mu"}),
    ("cn", 0, 0, {r"T @ \hat{t}N", r"U @ \hat{t}N"}),
    ("cn", 0, 1, {r"T @ (\hat{t}+1/2)N", r"U @ (\hat{t}+1/2)N"}),
    ("cn", 1, 2, {"T U @ n+(t+1/2)N", "-U T @ n+(t+1/2)N"}),
    ("cn", 2, 2, {"T -U / U T @ m-n+tN", "-U -T / T -U @ m-n+tN", "T U / U -T @ m+n+tN", "-U T / T U @ m+n+tN"}),
    ("dn", 0, 3, {r"U @ (\hat{t}+1/2)N"}),
    ("dn", 2, 4, {"-U T @ n+(t+1/2)N"}),
    ("dn", 3, 4, {"T U @ n+(t+1/2)N"}),
    ("dn", 4, 0, {"-U / T @ m+tN"}),
    ("dn", 4, 3, {"T / U @ m+(t+1/2)N"}),
    ("dn", 4, 4, {"T -U / U T @ m-n+tN", "T U / U -T @ m+n+tN"}),
]


@pytest.mark.parametrize(("key", "out", "source", "entries"), PRINTED)
def test_the_paper_s_convention_gives_the_paper_s_entries(key: str, out: int, source: int, entries: set[str]) -> None:
    family = BY_KEY[key]
    found = cell(family, family.kinds[out], family.kinds[source], "paper")
    assert {shown(family, e) for e in found} == entries


def test_our_convention_has_the_gradient_as_column() -> None:
    family = BY_KEY["o2"]
    assert [shown(family, e) for e in cell(family, family.kinds[2], family.kinds[0])] == ["T / U @ m"]


def test_a_wrong_sign_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign of the paper's explicit sine: (T, -U) instead of (T, U)."""
    family = BY_KEY["o2"]
    right = entries.cell

    def wrong(*arguments: object) -> Cell:
        turned = [replace(e, index=replace(e.index, a=-e.index.a, b=-e.index.b)) for e in right(*arguments)]  # type: ignore[arg-type]
        return tuple(turned)

    monkeypatch.setattr(entries, "cell", wrong)
    with pytest.raises(ProofError, match=r"wrong at irrep\(1,1\) -> irrep\(0,0\), order 1"):
        compare(family, frequency=1, rotations=0, order=1)


def test_a_missing_element_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    right = entries.cell
    monkeypatch.setattr(entries, "cell", lambda *arguments: right(*arguments)[:1])
    with pytest.raises(ProofError):
        compare(BY_KEY["cn"], frequency=1, rotations=3, order=2)


def test_the_paper_s_last_row_does_not_reach_the_half() -> None:
    """D_N prints 1 <= m <= N/2; at m = N/2 there is no irrep of size two, and the entries repeat themselves."""
    assert list(Kind("irrep(1,{k})").frequencies(8, 0)) == [1, 2, 3]
    family = BY_KEY["dn"]
    elements = cell(family, family.kinds[4], family.kinds[0])
    orders = [sorted(abs(k) for k in e.index.values(4, 0, 8, 12)) for e in elements]
    assert orders == [[4, 4, 12, 12]]


def test_patterns_turn_by_quarters() -> None:
    row = (((1, "T"), (1, "U")),)
    assert quarter_turn(row) == (((-1, "U"), (1, "T")),)
    assert quarter_turn(quarter_turn(row)) == upright(row)


def test_an_index_that_is_not_whole_is_refused() -> None:
    from fractions import Fraction

    with pytest.raises(ValueError, match="not whole"):
        list(Index(0, 0, Fraction(1, 2), "N").values(0, 0, 3, 4))


def test_notes_say_what_was_corrected() -> None:
    tables = paper_tables("paper")
    marks = {key: [mark for mark, _ in table.marked] for key, table in tables.items()}
    assert marks == {"so2": ["a"], "o2": ["a"], "reflection": ["a"], "cn": ["a", "b", "c"], "dn": ["a", "b"]}


def symbol(element: Symbolic, k: int, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(x) by complex powers, which shares nothing with the library."""
    power = complex(x[0], x[1]) ** abs(k)
    letters = {"T": power.real, "U": power.imag * (1 if k >= 0 else -1)}
    return np.array([[sign * letters[letter] for sign, letter in row] for row in element.pattern])


def irrep(kind: Kind, k: int, turns: int, angle: float, flip: bool, convention: str) -> NDArray[np.float64]:
    """psi(R(angle) f^flip) by its definition."""
    numbers = [int(v) for v in kind.name(k, turns)[len("irrep(") : -1].split(",")]
    j, frequency = numbers if len(numbers) == 2 else (0, numbers[0])
    if kind.varies:
        c, s = math.cos(frequency * angle), math.sin(frequency * angle)
        mirror = np.diag([-1.0, 1.0] if convention == "paper" else [1.0, -1.0])
        turned: NDArray[np.float64] = np.array([[c, -s], [s, c]]) @ (mirror if flip else np.eye(2))
        return turned
    if len(numbers) == 1 and not kind.half:  # SO(2) and C_N: psi_0; the reflection group: psi_0 and psi_1
        return np.array([[-1.0 if flip and frequency else 1.0]])
    return np.array([[math.cos(frequency * angle) * (-1.0 if flip and j else 1.0)]])


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.key)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_random_substitutions_satisfy_the_constraint(family: Family, convention: str) -> None:
    """P(g x) = psi_out(g) P(x) psi_in(g)^-1 in floating point, for large m, n, N and random t."""
    chance = random.Random(7)
    for _ in range(60):
        turns = chance.randrange(4, 40, 2) if family.free else family.rotations
        out, source = chance.choice(family.kinds), chance.choice(family.kinds)
        m, n = (chance.choice(list(kind.frequencies(turns, 20))) for kind in (out, source))
        angle = {"so2": 1.234, "o2": 1.234, "reflection": 0.0}.get(family.key, 2 * math.pi / max(turns, 1))
        for element in cell(family, out, source, convention):
            orders = list(element.index.values(m, n, turns, 3 * turns + 40))
            k = chance.choice(orders)
            for flip in (False, True) if family.mirror else (False,):
                c, s = math.cos(angle), math.sin(angle)
                g = np.array([[c, -s], [s, c]]) @ np.diag([1.0, -1.0 if flip else 1.0])
                x = np.array([math.cos(0.7), math.sin(0.7)])
                a = irrep(out, m, turns, angle, flip, convention)
                b = irrep(source, n, turns, angle, flip, convention)
                np.testing.assert_allclose(symbol(element, k, g @ x), a @ symbol(element, k, x) @ b.T, atol=1e-9)
