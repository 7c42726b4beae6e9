"""Symbols of I and Ih from maps between irreps: the very bytes of the road that solves the constraint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pdobasis import solve
from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, exact, identity
from pdobasis.exact.field import radical
from pdobasis.exact.polynomials import count, monomials, substitution
from pdobasis.groups.point import polyhedral_group
from pdobasis.operators.few import laplacians
from pdobasis.question.problem import Problem
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.icosahedral import occurring
from pdobasis.representations.named import named_irreps
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.representations.terms import Tensor
from pdobasis.solvers import golden, transfer
from pdobasis.solvers.golden import digits, summed
from pdobasis.solvers.icosahedral_chis import FORMULAS
from pdobasis.solvers.icosahedral_harmonics import Harmonics, Products
from pdobasis.solvers.icosahedral_irreps import EIGENVALUES, IRREPS, TYPED, Rows, X, Y, Z
from pdobasis.solvers.icosahedral_maps import Counts, Module, Product
from pdobasis.solvers.transfer import solve_modules

GOLDEN = radical(5)
ROOTED = radical(3, 5)

QUESTIONS = [
    ("I", "trivial", "trivial", 6),
    ("I", "vector", "vector", 6),
    ("I", "irrep(A)", "irrep(H)", 3),
    ("I", "irrep(T2)", "irrep(G)", 4),
    ("I", "irrep(H)", "irrep(H)", 2),
    ("I", "irrep(G)", "trivial", 6),
    ("I", "sym(2, vector)", "vector", 3),
    ("I", "sym(3, vector)", "sym(2, vector)", 2),
    ("I", "tensor(vector, vector)", "irrep(H)", 0),
    ("I", "tensor(vector, tensor(vector, vector))", "vector", 1),  # several copies
    ("I", "tensor(irrep(G), vector)", "vector", 1),  # half turns do more than change signs
    ("I", "tensor(irrep(T2), irrep(H))", "irrep(H)", 1),  # square roots of 3 on both sides
    ("I", "alt(2, irrep(H))", "vector", 2),
    ("I", "dual(irrep(H) + 2xvector)", "dual(2xtrivial + vector)", 2),
    ("Ih", "vector", "sym(2, vector)", 3),
    ("Ih", "irrep(Hg)", "irrep(T2u)", 3),
    ("Ih", "det", "trivial", 2),  # nothing at all
    ("Ih", "sym(2, vector + trivial)", "vector", 2),  # both parities
    ("Ih", "tensor(det, sym(2, vector))", "alt(2, vector)", 4),
]


def sides(problem: Problem) -> tuple[Representation, Representation]:
    return problem.in_type.distinct[0], problem.out_type.distinct[0]


def told(rep_in: Representation, rep_out: Representation, order: int) -> list[Any]:
    """All that is known of the angular elements, to the byte."""
    (module,) = solve_modules([(rep_in, rep_out)], order)
    out: list[Any] = []
    for own in module.angular:
        part, values = own.symbols, own.symbols.coefficients
        numbers = values.field, values.denominator, values.numerators.tolist()
        out.append((own.irreps, part.size, *(side.tolist() for side in part.index), *numbers))
    return out


def both_roads(
    rep_in: Representation, rep_out: Representation, order: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Any], list[Any]]:
    asked: list[object] = []
    road = transfer._icosahedral

    def noting(*args: Any) -> Any:
        asked.append(road(*args))
        return asked[-1]

    monkeypatch.setattr(transfer, "_icosahedral", noting)
    found = told(rep_in, rep_out, order)
    assert any(asked)
    monkeypatch.setattr(transfer, "_icosahedral", lambda *args: None)
    return found, told(rep_in, rep_out, order)


@pytest.mark.parametrize(("group", "source", "target", "order"), QUESTIONS)
def test_the_same_bytes_as_by_solving(
    group: str, source: str, target: str, order: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, solved = both_roads(*sides(ask(group, source, target, order)), order, monkeypatch)
    assert found == solved


def test_matrices_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a basis that is not orthogonal, and without a formula."""
    group = polyhedral_group("I")
    change = exact(np.array([[[1, 0], [1, 0], [0, 0]], [[0, 0], [1, 0], [0, 1]], [[0, 0], [0, 0], [1, 0]]]), 1, GOLDEN)
    images = tuple(change @ m.over(GOLDEN) @ change.inverse() for m in group.generators)
    own = from_matrices(group, "mine", 3, images)
    squares = sides(ask("I", "sym(2, vector)", "trivial", 0))[0]
    for pair in ((own, squares), (squares, own)):
        found, solved = both_roads(*pair, 2, monkeypatch)
        assert found == solved
        monkeypatch.undo()


def test_large_numbers_take_the_other_road(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = sides(ask("I", "sym(2, vector)", "vector", 3))
    found = told(*pair, 3)
    monkeypatch.setattr(golden, "ROOM", 1 << 8)
    assert transfer._icosahedral(*pair, transfer._Sums(range(4))) is None
    assert found == told(*pair, 3)


def test_orders_without_elements_keep_the_field_of_the_group() -> None:
    """Where components are permuted orbits are gone round, and what leads nowhere has no root of a basis."""
    found = solve("I", "dual(irrep(H) + 2xvector)", "dual(10xtrivial)", order=1, method="transfer")
    fields = [str(part.coefficients.field) for part in found.blocks[0].orders]
    assert [part.size for part in found.blocks[0].orders] == [0, 20]
    assert fields == ["Q(sqrt(5))", "Q(sqrt(3), sqrt(5))"]


def numbers(rows: Rows, denominator: int) -> ExactArray:
    return exact(np.array([[digits(v) for v in row] for row in rows], dtype=np.int64), denominator, GOLDEN)


def catalogue(letter: str) -> Representation:
    return named_irreps(polyhedral_group("I"))[f"irrep({letter})"]


@pytest.mark.parametrize("letter", IRREPS)
def test_irreps_are_those_of_the_catalogue(letter: str) -> None:
    r"""$N\psi_0N^{-1}$, and for G the change of basis, are its matrices; the signs of the half turns are as they are told."""
    irrep, size = IRREPS[letter], len(IRREPS[letter].types)
    change, back = identity(size, ROOTED), identity(size, ROOTED)
    if letter == "G":
        back = numbers(TYPED, 8).over(ROOTED)
        change = back.T
        assert (change @ back).equals(identity(4))
    if letter == "H":
        root = exact(np.array([0, 1, 0, 0]), 1, ROOTED)
        diagonal = [root if n == 3 else identity(1, ROOTED)[0, 0] for n in irrep.squares]
        change = _diagonal(diagonal)
        back = change.inverse()
    half, cycle, turn = catalogue(letter).matrices()
    signs = {0: 1, X: -1, Y: -1, Z: 1}
    about_z = np.diag([signs[kind] for kind in irrep.types])
    plain = [[line.get(j, 0) for j in range(size)] for line in map(dict, _rows(irrep.cycles.lines))]
    for own, given in (
        (numbers(about_z.tolist(), 1), half),
        (numbers(plain, 2), cycle),
        (numbers(irrep.turn, irrep.denominator), turn),
    ):
        assert (change @ own.over(ROOTED) @ back).equals(given)


def _rows(columns: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    rows: list[list[tuple[int, int]]] = [[] for _ in columns]
    for j, column in enumerate(columns):
        for i, v in column:
            rows[i].append((j, v))
    return rows


def _diagonal(values: list[ExactArray]) -> ExactArray:
    table = np.zeros((len(values), len(values), 4), dtype=np.int64)
    for k, v in enumerate(values):
        table[k, k] = v.numerators
    return exact(table, 1, ROOTED)


def test_the_turn_tells_irreps_apart() -> None:
    found = {}
    for letter, irrep in IRREPS.items():
        if letter != "A":
            x = irrep.axes[0]
            found[letter] = 4 * irrep.turn[x][x] // irrep.denominator
    assert found == EIGENVALUES
    assert len({*found.values()}) == 4


def intertwines(module: Module, letter: str, counts: Counts) -> bool:
    irrep = IRREPS[letter]
    for seed in module.seeds(letter, counts):
        lines = module.lines(letter, seed)
        for k, own in enumerate(lines):
            moved = summed([(irrep.denominator, module.turn(own))])
            wanted = summed([(module.denominator * row[k], t) for row, t in zip(irrep.turn, lines, strict=True)])
            if moved.values != wanted.values:
                return False
    return True


@pytest.mark.parametrize("order", range(9))
def test_harmonics_are_sums_of_irreps(order: int) -> None:
    counts = occurring(Spherical(order, order % 2), has_inversion=False)
    assert counts is not None
    module = Harmonics(order, Products())
    assert all(intertwines(module, letter, counts) for letter, m in counts.items() if m)


@pytest.mark.parametrize("order", range(6))
def test_harmonics_are_harmonic_and_turned_by_substitution(order: int) -> None:
    module = Harmonics(order, Products())
    g = numbers(IRREPS["T1"].turn, 4)
    table = substitution(g.T.reshape(1, 3, 3), order)[0]
    for kind in (0, X, Y, Z):
        for own in module.starts(kind):
            if order > 1:
                lower = [0] * count(3, order - 2)
                for alpha, v in own.values.items():
                    for beta, w in laplacians(3, order)[alpha]:
                        lower[beta] += v * w
                assert not any(lower)
            turned = module.turn(own)
            coefficients = numbers([[own.values.get(k, 0) for k in range(len(monomials(3, order)))]], 1)
            wanted = (coefficients @ table).scale(module.denominator)
            assert numbers([[turned.values.get(k, 0) for k in range(len(monomials(3, order)))]], 1).equals(wanted)


@pytest.mark.parametrize("a", IRREPS)
@pytest.mark.parametrize("b", IRREPS)
def test_products_are_sums_of_irreps(a: str, b: str) -> None:
    counts = occurring(Tensor(FORMULAS[a], FORMULAS[b]), has_inversion=False)
    assert counts is not None
    module = Product(IRREPS[a], IRREPS[b])
    assert all(intertwines(module, letter, counts) for letter, m in counts.items() if m)


def test_the_dual_of_an_irrep_with_roots() -> None:
    r"""$\psi^{-T}$ of H_0, three times: the product with the transpose is a number."""
    irrep = IRREPS["H"]
    dual = [[dict(line).get(j, 0) for j in range(5)] for line in _rows(irrep.dual_turns.lines)]
    product = numbers(irrep.turn, 16).T @ numbers(dual, 3 * 16)
    assert product.equals(identity(5))
