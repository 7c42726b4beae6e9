"""What is known of symbols between irreps of I and Ih is what solving finds."""

from __future__ import annotations

import pytest

from pdobasis import solve
from pdobasis.groups.point import polyhedral_group
from pdobasis.operators.symbols import Symbols
from pdobasis.representations.named import named_irreps
from pdobasis.solvers.batch import Task
from pdobasis.solvers.by_maps import one_symbol
from pdobasis.solvers.counted import harmonic_count, known_symbols
from pdobasis.solvers.direct import solve_blocks
from pdobasis.solvers.projection import _harmonic, solve_harmonic

ORDERS = range(4)


def same(one: Symbols, other: Symbols) -> bool:
    if one.size != other.size:
        return False
    if not one.size:
        return True
    indices = zip(one.index, other.index, strict=True)
    equal = one.coefficients.equals(other.coefficients)
    return equal and all(a.tolist() == b.tolist() for a, b in indices)


@pytest.mark.parametrize("source", ["A", "T1", "T2", "G", "H"])
def test_symbols_that_are_known_are_those_of_the_constraint(source: str) -> None:
    irreps = named_irreps(polyhedral_group("I"))
    pairs = [(irreps[f"irrep({source})"], psi) for psi in irreps.values()]
    tasks = [Task(a, b, n) for a, b in pairs for n in ORDERS]
    counts = {task: harmonic_count(task) or 0 for task in tasks}
    solved = dict(zip(tasks, _harmonic(tasks, {}), strict=True))
    assert counts == {task: part.size for task, part in solved.items()}
    known = known_symbols(pairs, ORDERS, counts)
    assert any(part.size for part in known.values()) == (source in ("A", "T1", "H"))
    assert all(same(part, solved[task]) for task, part in known.items())
    found = [part for parts in solve_harmonic(pairs, ORDERS) for part in parts]
    for task, part in zip(tasks, found, strict=True):
        assert same(part, solved[task])
        # fingerprints of layers tell the fields of numbers
        field = solved[task].coefficients.field
        assert not part.size or part.coefficients.field == field


def test_inversion_counts() -> None:
    irreps = named_irreps(polyhedral_group("Ih"))
    odd, even = irreps["irrep(T1u)"], irreps["irrep(T2g)"]
    assert [harmonic_count(Task(odd, odd, n)) for n in ORDERS] == [1, 0, 1, 0]
    assert [harmonic_count(Task(odd, even, n)) for n in ORDERS] == [0, 0, 0, 1]


@pytest.mark.parametrize("names", [("T1", "H"), ("G", "T2"), ("T2", "T1"), ("A", "G")])
def test_one_symbol_is_a_map_to_signed_places(names: tuple[str, str]) -> None:
    irreps = named_irreps(polyhedral_group("I"))
    a, b = (irreps[f"irrep({name})"] for name in names)
    tasks = [Task(a, b, n) for n in ORDERS]
    (solved,) = [part for part in solve_blocks(tasks) if part.size][:1]
    assert solved.size == 1
    found = one_symbol(Task(a, b, solved.order))
    assert found is not None
    assert same(found, solved)


def test_no_side_that_is_signed_is_no_map() -> None:
    irreps = named_irreps(polyhedral_group("I"))
    assert one_symbol(Task(irreps["irrep(G)"], irreps["irrep(H)"], 1)) is None


def test_orders_without_elements_keep_the_field_of_the_group() -> None:
    """Where components are permuted orbits are gone round, and what leads nowhere has no root of a basis."""
    found = solve("I", "dual(irrep(H) + 2xvector)", "dual(10xtrivial)", order=1, method="transfer")
    fields = [str(part.coefficients.field) for part in found.blocks[0].orders]
    assert [part.size for part in found.blocks[0].orders] == [0, 20]
    assert fields == ["Q(sqrt(5))", "Q(sqrt(3), sqrt(5))"]
