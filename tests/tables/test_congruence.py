"""The symbolic proof of the tables: it accepts every cell and rejects what was changed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from pdobasis_tables.circular import Pattern, Symbolic
from pdobasis_tables.congruence import frequency, mirror_of, prove_cell
from pdobasis_tables.entries import cell, compare_cell, prove
from pdobasis_tables.families import FAMILIES, Family, Kind
from pdobasis_tables.laws import Cell

from pdobasis.errors import ProofError
from pdobasis.exact.numbers import to_float

CONVENTIONS = ["pdobasis", "paper"]
PLACES = [(family, out, source) for family in FAMILIES for out, source in product(family.kinds, repeat=2)]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.key)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_cell_is_proved_for_all_m_n_and_t(family: Family, convention: str) -> None:
    prove(family, convention)


def refused(family: Family, out: Kind, source: Kind, elements: Cell, convention: str) -> bool:
    try:
        prove_cell(family, out, source, elements, convention)
    except ProofError:
        return True
    return False


def mutations(family: Family, elements: Cell) -> Iterator[tuple[str, Cell]]:
    """Cells that are wrong for some m, n, N and t."""
    for i, element in enumerate(elements):
        others, index = elements[:i] + elements[i + 1 :], element.index
        yield "missing", others
        yield "twice", (*elements, element)
        for r, c in np.ndindex(len(element.pattern), len(element.pattern[0])):
            sign, letter = element.pattern[r][c]
            yield "other letter", (*others, with_entry(element, r, c, (sign, {"T": "U", "U": "T"}[letter])))
            if len(element.pattern) + len(element.pattern[0]) > 2:  # else it is the same up to a factor
                yield "other sign", (*others, with_entry(element, r, c, (-sign, letter)))
        laws = [replace(index, a=index.a + 1), replace(index, b=index.b - 1), replace(index, a=2, b=2)]
        if index.a and index.b:
            laws.append(replace(index, b=-index.b))
        if family.free:
            laws.append(replace(index, c=index.c + Fraction(1, 2)))
        if index.range == "N":
            laws.append(replace(index, c=index.c + 1))  # without the first k
        laws += [replace(index, range=other) for other in {"", "N", "Z"} - {index.range}]
        for law in laws:
            yield f"other law {law}", (*others, replace(element, index=law))


def with_entry(element: Symbolic, r: int, c: int, entry: tuple[int, str]) -> Symbolic:
    rows = [list(row) for row in element.pattern]
    rows[r][c] = entry
    pattern: Pattern = tuple(tuple(row) for row in rows)
    return replace(element, pattern=pattern)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_mutation_is_rejected(convention: str) -> None:
    tried = 0
    for family, out, source in PLACES:
        for what, elements in mutations(family, cell(family, out, source, convention)):
            assert refused(family, out, source, elements, convention), (family.key, out.spec, source.spec, what)
            tried += 1
    assert tried > 500


def test_elements_of_another_cell_are_rejected() -> None:
    """Whatever cell stands in the place of another one is refused, unless it is the same."""
    for family in FAMILIES:
        cells = {(o, s): cell(family, o, s) for o, s in product(family.kinds, repeat=2)}
        for (out, source), elements in product(cells, cells.values()):
            assert refused(family, out, source, elements, "pdobasis") == (set(elements) != set(cells[out, source]))


def test_what_the_direct_solver_rejects_the_proof_rejects_too() -> None:
    chance = random.Random(3)
    rejected = 0
    for family, out, source in chance.sample(PLACES, 20):
        right = cell(family, out, source)
        mixed = [elements for _, elements in mutations(family, right)]
        for elements in [right, *chance.sample(mixed, min(3, len(mixed)))]:
            wrong = not agrees(family, out, source, elements)
            assert refused(family, out, source, elements, "pdobasis") >= wrong
            rejected += wrong
    assert rejected > 20


def agrees(family: Family, out: Kind, source: Kind, elements: Cell) -> bool:
    """At a few points that the family has, up to order 4."""
    for rotations in {0, 1, 4, 6}.intersection(family.all_rotations(6)):
        for m, n in product(out.frequencies(rotations, 2), source.frequencies(rotations, 2)):
            try:
                compare_cell(family, out, source, (m, n, rotations), elements, 4)
            except (ProofError, ValueError):  # spans differ; a law is not whole
                return False
    return True


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.key)
def test_the_irreps_are_what_the_proof_takes_them_for(family: Family) -> None:
    """Rotations by the frequency, the mirror by its diagonal: compared with the matrices of the catalogue."""
    for rotations in family.all_rotations(9):
        for kind in family.kinds:
            for k in kind.frequencies(rotations, 3):
                rep, _ = family.irreps(kind, kind, (k, k, rotations))
                per_k, per_turn = frequency(kind)
                angles = {"r": 2 * np.pi * (per_k * k / max(rotations, 1) + float(per_turn))}
                for label, matrix in zip(rep.group.labels, rep.matrices(), strict=True):
                    if label in angles:
                        c, s = np.cos(angles[label]), np.sin(angles[label])
                        expected = np.array([[c, -s], [s, c]])[: rep.size, : rep.size]
                    else:
                        expected = np.diag(np.array(mirror_of(kind, "pdobasis"), dtype=float))
                    np.testing.assert_allclose(to_float(matrix), expected, atol=1e-12)
                for matrix in rep.lie:
                    turn = np.array([[0.0, -1.0], [1.0, 0.0]])[: rep.size, : rep.size]
                    np.testing.assert_allclose(to_float(matrix), per_k * k * turn, atol=1e-12)
