"""Groups that do nothing but change signs: written down, and the same as by every other road."""

import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray, integers
from pdobasis.exact.polynomials import count
from pdobasis.groups.catalogue import parse_group
from pdobasis.linear.sparse import nonzeros, to_dense
from pdobasis.linear.stages import null_space_in_stages
from pdobasis.operators.laplacian import is_harmonic, laplacian
from pdobasis.operators.symbols import Symbols, from_dense
from pdobasis.operators.textbook_operators import MAX_SIZE, by_first_entry
from pdobasis.representations.named import irreps_of, made
from pdobasis.solvers import by_signs, transfer
from pdobasis.solvers.harmonic_rows import (
    coprime_rows,
    echelon_rows,
    leading,
    rows_of,
)
from pdobasis.solvers.module import Module
from pdobasis.solvers.single_entries import SingleEntries
from pdobasis.solvers.textbook import textbook

QUESTIONS = [
    ("trivial(1)", "3xvector + trivial", "sym(2, vector)", 5),
    ("trivial(2)", "vector", "regular", 6),
    ("trivial(3)", "tensor(vector, vector)", "vector", 4),
    ("trivial(4)", "vector", "sym(2, vector)", 4),
    ("C1", "sym(2, vector)", "tensor(vector, vector)", 5),
    ("C2", "tensor(vector, vector)", "vector", 4),
    ("D1", "vector", "sym(2, vector)", 5),
    ("flip", "tensor(vector, vector)", "tensor(vector, det)", 5),
    ("D2", "alt(2, tensor(vector, vector))", "vector", 4),
    ("inversion(2)", "vector", "sym(2, vector)", 4),
    ("inversion(3)", "tensor(vector, vector)", "alt(2, vector)", 4),
    ("inversion(3)", "vector", "tensor(vector, vector, vector, vector)", 3),
    ("Ci", "det", "vector", 5),
    ("Cs", "det", "det", 6),
    ("Cs", "sym(2, vector)", "vector", 5),
    ("mmm", "tensor(vector, vector)", "vector", 4),
]
"""Between permutations, through irreps, with closed forms and without, and too large to be decomposed."""


@pytest.mark.parametrize(("group", "source", "target", "order"), QUESTIONS)
def test_the_same_as_by_other_roads(
    group: str, source: str, target: str, order: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = _module(group, source, target, order)
    assert all(isinstance(own.found, SingleEntries) for own in written.angular)
    monkeypatch.setattr(transfer, "_by_signs", lambda *given: None)
    solved = _module(group, source, target, order)
    for own, other in zip(written.angular, solved.angular, strict=True):
        assert own.symbols.equals(other.symbols)
        assert own.irreps == other.irreps
    parts, structure = written.orders(textbook)
    expected, described = solved.orders(textbook)
    assert structure == described
    assert all(a.equals(b) for a, b in zip(parts, expected, strict=True))


@pytest.mark.parametrize(
    ("group", "source", "target"),
    [
        ("C4", "det", "det"),
        ("inversion(2)", "regular", "vector"),
        ("flip(pi/4)", "vector", "det"),
        ("SO(2)", "det", "det"),
    ],
)
def test_what_moves_coordinates_is_solved(group: str, source: str, target: str) -> None:
    problem = ask(group, source, target, 2)
    reps = problem.in_type.distinct[0], problem.out_type.distinct[0]
    assert transfer._by_signs(*reps, range(3)) is None


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
@pytest.mark.parametrize("order", range(7))
def test_the_echelon_form_of_all_harmonic_polynomials(dim: int, order: int) -> None:
    equations = nonzeros(integers(laplacian(dim, order)).T)
    expected = to_dense(null_space_in_stages([equations]))
    chosen = leading(dim, order)
    assert len(expected) == len(chosen)
    if chosen:
        assert echelon_rows(dim, order, chosen).equals(expected)


@pytest.mark.parametrize(("dim", "order"), [(2, 2), (2, 5), (3, 4), (4, 3)])
def test_harmonic_parts_of_leading_monomials(dim: int, order: int) -> None:
    chosen = leading(dim, order)
    rows = rows_of(coprime_rows(dim, order, chosen, True), count(dim, order))
    assert is_harmonic(_scalars(rows, dim, order))
    # a basis: their leading terms are those of the echelon form, and they have no others before
    assert rows.numerators[range(len(chosen)), chosen, 0].all()


def test_numbers_beyond_int64() -> None:
    order = 80
    rows = echelon_rows(2, order, leading(2, order))
    assert rows.numerators.dtype == object
    assert is_harmonic(_scalars(rows, 2, order))


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_no_name_has_one_entry_in_a_larger_matrix(dim: int) -> None:
    for rows in range(1, MAX_SIZE + 1):
        for columns in range(1, MAX_SIZE + 1):
            if (rows, columns) == (1, 1):
                continue
            for order in range(5):
                known = by_first_entry(dim, order, (rows, columns)).values()
                assert all(len(op.rows) > 1 for own in known for op in own)


def _module(group: str, source: str, target: str, order: int) -> Module:
    problem = ask(group, source, target, order)
    reps = problem.in_type.distinct[0], problem.out_type.distinct[0]
    return transfer.solve_module(*reps, order)


def _scalars(rows: ExactArray, dim: int, order: int) -> Symbols:
    return from_dense(rows.reshape(len(rows), 1, 1, rows.shape[1]), dim, order)


@pytest.mark.parametrize("group", ["C1", "C2", "D1", "D2", "D2(pi/2)", "flip", "flip(pi/2)"])
def test_signs_of_irreps_of_the_plane_are_those_of_their_matrices(group: str) -> None:
    whole = parse_group(group)
    for name, term in irreps_of(whole).items():
        assert by_signs._on_fibre(made(whole, term, name)) == (by_signs._mask(whole, term, name),)
