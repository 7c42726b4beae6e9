"""The catalogue: orders, relations, refusals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdobasis.errors import GroupError, PdoBasisError
from pdobasis.exact.array import identity, integers
from pdobasis.exact.numbers import to_float
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import closure, require_closing
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import power, rotation
from pdobasis.groups.point import HERMANN_MAUGUIN
from pdobasis.proof.module import is_orthogonal

ORDERS = [("C1", 1), ("C7", 7), ("D1", 2), ("D8", 16), ("flip", 2), ("flip(pi/4)", 2), ("trivial(5)", 1), ("C5v", 10),
          ("C5h", 10), ("D5h", 20), ("D5d", 20), ("S8", 8), ("S2", 2), ("Cs", 2), ("Ci", 2), ("T", 12), ("Td", 24),
          ("Th", 24), ("O", 24), ("Oh", 48), ("I", 60), ("Ih", 120), ("D12(pi/24)", 24), ("I x inversion", 120),
          ("C3 x inversion", 6), ("flip(normal=1,2,3)", 2), ("inversion(4)", 2)]  # fmt: skip

CLASSES = dict(zip(HERMANN_MAUGUIN, [1, 2, 2, 2, 4, 4, 4, 8, 4, 4, 8, 8, 8, 8, 16, 3, 6, 6, 6, 12, 6, 6, 12, 12, 12,
                                     12, 24, 12, 24, 24, 24, 48], strict=True))  # fmt: skip
"""Orders of the 32 crystal classes as every table has them."""


@pytest.mark.parametrize(("name", "order"), ORDERS)
def test_orders(name: str, order: int) -> None:
    assert parse_group(name).order == order


@pytest.mark.parametrize("symbol", HERMANN_MAUGUIN)
def test_crystal_classes_have_their_orders_and_are_conjugate_to_their_schoenflies_groups(symbol: str) -> None:
    group = parse_group(symbol)
    assert group.order == CLASSES[symbol]
    other = parse_group(HERMANN_MAUGUIN[symbol], dim=3)
    assert _class_counts(group) == _class_counts(other)


def _class_counts(group: Group) -> list[tuple[float, float]]:
    """(trace, determinant) of all elements: equal for conjugate groups."""
    matrices = to_float(closure(group).matrices)
    pairs = [(round(float(np.trace(m)), 9), round(float(np.linalg.det(m)), 9)) for m in matrices]
    return sorted((a + 0.0, b + 0.0) for a, b in pairs)


@given(st.integers(1, 40))
def test_planar_groups_satisfy_their_relations_in_the_conventional_order(n: int) -> None:
    group = parse_group(f"D{n}")
    r, f = group.generators
    assert power(r, n).equals(identity(2))
    assert (f @ r @ f @ r).equals(identity(2))
    table = closure(group).matrices
    assert len(table) == 2 * n
    for k in range(n):
        assert table[k].equals(power(r, k))
        assert table[n + k].equals(power(r, k) @ f)


@pytest.mark.parametrize("name", ["SO(3)", "O(4)", "SO(1,3)", "O(2,3)", "SO+(1,2)", "SL(3)", "GL(2)", "Sp(4)", "Sp(2)"])
def test_lie_generators_preserve_what_the_group_preserves(name: str) -> None:
    group = parse_group(name)
    lie = [to_float(x) for x in group.lie]
    finite = [to_float(g) for g in group.generators]
    dims = {
        "SO(3)": 3,
        "O(4)": 6,
        "SO(1,3)": 6,
        "O(2,3)": 10,
        "SO+(1,2)": 3,
        "SL(3)": 8,
        "GL(2)": 4,
        "Sp(4)": 10,
        "Sp(2)": 3,
    }
    assert len(lie) == dims[name] == np.linalg.matrix_rank(np.array(lie).reshape(len(lie), -1))
    forms = {"SO(3)": np.eye(3), "O(4)": np.eye(4), "SO(1,3)": np.diag([1, -1, -1, -1]),
             "O(2,3)": np.diag([1, 1, -1, -1, -1]), "SO+(1,2)": np.diag([1, -1, -1]),
             "Sp(4)": np.kron([[0, 1], [-1, 0]], np.eye(2)), "Sp(2)": np.array([[0, 1], [-1, 0]])}  # fmt: skip
    if name in forms:
        assert all(not (x.T @ forms[name] + forms[name] @ x).any() for x in lie)
        assert all((g.T @ forms[name] @ g == forms[name]).all() for g in finite)
    if name.startswith("S"):
        assert all(np.trace(x) == 0 for x in lie)
        assert all(round(np.linalg.det(g)) == 1 for g in finite)


BAD = ["", "D", "C0", "D-3", "C99999999999999", "D5001", "X4", "C4x", "SO", "SO()", "SO(0)", "SO(a)", "SO(1,2,3)", "S3",
       "D4w", "Oh(3)", "flip(1)", "flip(pi/0)", "flip(normal=)", "flip(normal=0,0)", "flip(normal=x)", "Sp(3)", "GL(99)",
       "scaling(a)", "scaling(1/0)", "C4 x C4", "C3 x SO(3)", "D4 x SO(2)", "C4 x ", " x C4", "C4 x D4 x x", "O(2,pi/x)",
       "trivial(0)", "D4(", "D4)", "D4(pi/4", "é", "\x00", "a" * 5000, "nothing.yaml", "C4(pi/2)", "7m", "SO+(3)"]  # fmt: skip


@pytest.mark.parametrize("name", BAD, ids=lambda s: repr(s)[:24])
def test_bad_names_are_refused_in_a_line_or_two(name: str) -> None:
    from pdobasis.question.text import resolve_group

    with pytest.raises(PdoBasisError) as error:
        resolve_group(name)
    assert 0 < len(str(error.value)) < 400
    assert "\n" not in str(error.value)


@given(st.text(max_size=20))
def test_no_name_raises_anything_else(name: str) -> None:
    try:
        parse_group(name)
    except PdoBasisError as error:
        assert str(error)


def test_the_nearest_name_is_offered() -> None:
    with pytest.raises(PdoBasisError, match="did you mean Oh"):
        parse_group("Ohh")


def test_angles_of_mirrors() -> None:
    eighth = parse_group("D8(pi/8)").generators
    assert parse_group("D8(2pi/16)").generators == parse_group("D8(2*pi/16)").generators == eighth
    for bad in ("flip(1/pi)", "flip(pi4)", "D8(4-pi)", "D8(pipi)", "SO(²)"):
        with pytest.raises(PdoBasisError):
            parse_group(bad)


def test_determinants_of_large_matrices_are_quick() -> None:
    from pdobasis.groups.matrices import determinant
    from pdobasis.representations.terms import compound

    m = parse_group("I").generators[2]
    assert determinant(m).equals(compound(m, 3)[0, 0])
    assert determinant(parse_group("O(18)").generators[0]).fraction() == -1


def test_dimension_option() -> None:
    assert parse_group("D4", dim=3).dim == 3
    assert parse_group("flip", dim=4).dim == 4
    with pytest.raises(PdoBasisError, match="dimension"):
        parse_group("Oh", dim=2)
    with pytest.raises(PdoBasisError, match="dimension"):
        parse_group("C4", dim=5)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 64, 97])
def test_a_cyclic_group_lists_the_powers_of_its_generator(n: int) -> None:
    group = parse_group(f"C{n}")
    found = closure(group).matrices
    assert len(found) == n
    for k in range(n):
        assert found[k].equals(power(rotation(Fraction(2, n)), k))


@pytest.mark.parametrize(("limit", "message"), [(20, "more than 20 elements"), (10_000, "grow without bound")])
def test_a_matrix_of_infinite_order_is_refused_by_what_is_met_first(limit: int, message: str) -> None:
    group = Group("shear", 2, (integers([[2, 1], [1, 1]]),), ("s",))
    with pytest.raises(GroupError, match=message):
        require_closing(group, limit)


NAMES = [name for name, _ in ORDERS] + [*HERMANN_MAUGUIN, "SO(2)", "O(2)", "O(2,pi/4)", "SO(3)", "O(3)", "SO(4)", "O(5)",
         "SO(1,1)", "SO(1,3)", "O(1,3)", "SL(2)", "GL(2)", "Sp(4)", "scaling(1,2)"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_says_whether_a_group_is_orthogonal_as_its_matrices_do(name: str) -> None:
    group = parse_group(name)
    one = identity(group.dim)
    expected = all((g @ g.T).equals(one) for g in group.generators) and all((x + x.T).is_zero for x in group.lie)
    assert group.is_orthogonal == expected
    assert is_orthogonal(group) == expected
