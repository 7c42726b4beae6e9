"""Irreps of finite groups: characters against the published tables, orthogonality, types, Mulliken's names."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
import sympy

from pdobasis.errors import UnknownNameError
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.numbers import readable, to_sympy
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.groups.point import HERMANN_MAUGUIN
from pdobasis.proof.elements import characters
from pdobasis.question.text import parse_field_type
from pdobasis.representations.checks import require_representation
from pdobasis.representations.intertwiners import intertwiners
from pdobasis.representations.named import irreps_of
from pdobasis.representations.representation import Representation, from_term

PHI, PSI = (1 + sympy.sqrt(5)) / 2, (1 - sympy.sqrt(5)) / 2

# One representative of each class, as a word in the generators of the group, with the size of the class; rows as
# published (Atkins, Child & Phillips, Tables for Group Theory).
TABLES = {
    "Td": (
        # E, 8 C3, 3 C2, 6 S4, 6 sigma_d
        [("", 1), ("c", 8), ("u", 3), ("u d c", 6), ("d", 6)],
        {
            "A1": [1, 1, 1, 1, 1],
            "A2": [1, 1, 1, -1, -1],
            "E": [2, -1, 2, 0, 0],
            "T1": [3, 0, -1, 1, -1],
            "T2": [3, 0, -1, -1, 1],
        },
    ),
    "Oh": (
        # E, 8 C3, 6 C2', 6 C4, 3 C2, i, 6 S4, 8 S6, 3 sigma_h, 6 sigma_d
        [
            ("", 1),
            ("c", 8),
            ("r c", 6),
            ("r", 6),
            ("r r", 3),
            ("i", 1),
            ("i r", 6),
            ("i c", 8),
            ("i r r", 3),
            ("i r c", 6),
        ],
        {
            "A1g": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            "A2g": [1, 1, -1, -1, 1, 1, -1, 1, 1, -1],
            "Eg": [2, -1, 0, 0, 2, 2, 0, -1, 2, 0],
            "T1g": [3, 0, -1, 1, -1, 3, 1, 0, -1, -1],
            "T2g": [3, 0, 1, -1, -1, 3, -1, 0, -1, 1],
            "A1u": [1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
            "A2u": [1, 1, -1, -1, 1, -1, 1, -1, -1, 1],
            "Eu": [2, -1, 0, 0, 2, -2, 0, 1, -2, 0],
            "T1u": [3, 0, -1, 1, -1, -3, -1, 0, 1, 1],
            "T2u": [3, 0, 1, -1, -1, -3, 1, 0, 1, -1],
        },
    ),
    "D3h": (
        # E, 2 C3, 3 C2, sigma_h, 2 S3, 3 sigma_v
        [("", 1), ("r", 2), ("u", 3), ("h", 1), ("h r", 2), ("h u", 3)],
        {
            "A1'": [1, 1, 1, 1, 1, 1],
            "A2'": [1, 1, -1, 1, 1, -1],
            "E'": [2, -1, 0, 2, -1, 0],
            "A1''": [1, 1, 1, -1, -1, -1],
            "A2''": [1, 1, -1, -1, -1, 1],
            "E''": [2, -1, 0, -2, 1, 0],
        },
    ),
    "D4h": (
        # E, 2 C4, C2, 2 C2', 2 C2'', i, 2 S4, sigma_h, 2 sigma_v, 2 sigma_d
        [
            ("", 1),
            ("r", 2),
            ("r r", 1),
            ("u", 2),
            ("r u", 2),
            ("h r r", 1),
            ("h r", 2),
            ("h", 1),
            ("h r r u", 2),
            ("h r u", 2),
        ],
        {
            "A1g": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            "A2g": [1, 1, 1, -1, -1, 1, 1, 1, -1, -1],
            "B1g": [1, -1, 1, 1, -1, 1, -1, 1, 1, -1],
            "B2g": [1, -1, 1, -1, 1, 1, -1, 1, -1, 1],
            "Eg": [2, 0, -2, 0, 0, 2, 0, -2, 0, 0],
            "A1u": [1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
            "A2u": [1, 1, 1, -1, -1, -1, -1, -1, 1, 1],
            "B1u": [1, -1, 1, 1, -1, -1, 1, -1, -1, 1],
            "B2u": [1, -1, 1, -1, 1, -1, 1, -1, 1, -1],
            "Eu": [2, 0, -2, 0, 0, -2, 0, 2, 0, 0],
        },
    ),
    "Ih": (
        # E, 12 C5, 12 C5^2, 20 C3, 15 C2, i, 12 S10, 12 S10^3, 20 S6, 15 sigma
        [
            ("", 1),
            ("p", 12),
            ("p p", 12),
            ("c", 20),
            ("u", 15),
            ("i", 1),
            ("i p p", 12),
            ("i p", 12),
            ("i c", 20),
            ("i u", 15),
        ],
        {
            "Ag": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            "T1g": [3, PHI, PSI, 0, -1, 3, PSI, PHI, 0, -1],
            "T2g": [3, PSI, PHI, 0, -1, 3, PHI, PSI, 0, -1],
            "Gg": [4, -1, -1, 1, 0, 4, -1, -1, 1, 0],
            "Hg": [5, 0, 0, -1, 1, 5, 0, 0, -1, 1],
            "Au": [1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
            "T1u": [3, PHI, PSI, 0, -1, -3, -PSI, -PHI, 0, 1],
            "T2u": [3, PSI, PHI, 0, -1, -3, -PHI, -PSI, 0, 1],
            "Gu": [4, -1, -1, 1, 0, -4, 1, 1, -1, 0],
            "Hu": [5, 0, 0, -1, 1, -5, 0, 0, 1, -1],
        },
    ),
}
TABLES["m-3m"] = TABLES["Oh"]
MULLIKEN = {
    "D2": "A B1 B2 B3",
    "C2v": "A1 A2 B1 B2",
    "C2h": "Ag Bg Au Bu",
    "Cs": "A' A''",
    "S4": "A B E",
    "S6": "Ag Eg Au Eu",
    "C3h": "A' E' A'' E''",
    "D2d": "A1 A2 B1 B2 E",
    "D3d": "A1g A2g Eg A1u A2u Eu",
    "D4d": "A1 A2 B1 B2 E1 E2 E3",
    "D5d": "A1g A2g E1g E2g A1u A2u E1u E2u",
    "D6h": "A1g A2g B1g B2g E1g E2g A1u A2u B1u B2u E1u E2u",
    "C6": "A B E1 E2",
    "Th": "Ag Eg Tg Au Eu Tu",
}
POINT_GROUPS = [*HERMANN_MAUGUIN, "I", "Ih"]
OTHERS = ["C5v", "D5h", "D5d", "D4d", "D6d", "S8", "S10", "C7h", "C7", "D8"]


@pytest.mark.parametrize("name", TABLES)
def test_characters_are_the_published_ones(name: str) -> None:
    classes, rows = TABLES[name]
    group = parse_group(name)
    assert sum(size for _, size in classes) == group.order
    assert [f"irrep({k})" for k in rows] == list(irreps_of(group))
    for mulliken, values in rows.items():
        irrep = parse_field_type(f"irrep({mulliken})", group).distinct[0]
        found = [_trace(irrep, word) for word, _ in classes]
        assert [sympy.simplify(a - b) for a, b in zip(found, values, strict=True)] == [0] * len(values), mulliken


@pytest.mark.parametrize("name", TABLES)
def test_classes_of_the_tables_are_classes(name: str) -> None:
    """A class is no larger than the elements with the trace and determinant of its representative in all irreps."""
    group = parse_group(name)
    irreps = [from_term(group, term, spec) for spec, term in irreps_of(group).items()]
    columns = [characters(r) for r in irreps]
    table = closure(group)
    for word, size in TABLES[name][0]:
        index = table.find(_product(group, group.generators, word))
        assert index is not None
        alike = [all(c[k].equals(c[index]) for c in columns) for k in range(len(table))]
        assert sum(alike) == size, word


@pytest.mark.parametrize("name", [*POINT_GROUPS, *OTHERS])
def test_irreps_are_representations_and_all_there_are(name: str) -> None:
    r"""$\sum \dim^2 / \dim\mathrm{End} = |G|$, and characters are orthogonal, with norm the dimension of the commutant."""
    group = parse_group(name, dim=3)
    irreps = [from_term(group, term, spec) for spec, term in irreps_of(group).items()]
    kinds = [len(intertwiners(r, r)) for r in irreps]
    for r in irreps:
        require_representation(group, r.spec, r.matrices(), ())
    assert sum(Fraction(r.size**2, kind) for r, kind in zip(irreps, kinds, strict=True)) == group.order
    columns = [characters(r) for r in irreps]
    for i, a in enumerate(columns):
        for j, b in enumerate(columns[: i + 1]):
            assert _mean(a * b) == (kinds[i] if i == j else 0)


@pytest.mark.parametrize(("name", "expected"), MULLIKEN.items())
def test_names_are_mullikens(name: str, expected: str) -> None:
    group = parse_group(name, dim=3)
    assert list(irreps_of(group)) == [f"irrep({n})" for n in expected.split()]


@pytest.mark.parametrize(
    ("name", "irrep"), [("Oh", "T1u"), ("Td", "T2"), ("O", "T1"), ("I", "T1"), ("Ih", "T1u"), ("T", "T")]
)
def test_the_vector_is_an_irrep_of_polyhedral_groups(name: str, irrep: str) -> None:
    group = parse_group(name)
    vector, named = (parse_field_type(spec, group).distinct[0] for spec in ("vector", f"irrep({irrep})"))
    assert all(a.equals(b) for a, b in zip(vector.matrices(), named.matrices(), strict=True))


@pytest.mark.parametrize("name", ["Oh", "Ih", "D6h", "Th", "S4"])
def test_irreps_are_orthogonal_matrices(name: str) -> None:
    group = parse_group(name)
    for spec, term in irreps_of(group).items():
        for m in from_term(group, term, spec).matrices():
            assert (m @ m.T).equals(identity(m.shape[0])), spec


def test_axes_name_the_irreps_of_d2() -> None:
    """B1, B2, B3 keep z, y, x: the components of the vector."""
    group = parse_group("D2", dim=3)
    for row, name in enumerate(["B3", "B2", "B1"]):
        irrep = parse_field_type(f"irrep({name})", group).distinct[0]
        assert [m[0, 0].fraction() for m in irrep.matrices()] == [g[row, row].fraction() for g in group.generators]


def test_an_unknown_irrep_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown irrep of Oh 'T2'; did you mean T2."):
        parse_field_type("irrep(T2)", parse_group("Oh"))
    with pytest.raises(UnknownNameError, match="irrep of S4 'E1'"):
        parse_field_type("irrep(E1)", parse_group("S4"))


def _trace(irrep: Representation, word: str) -> sympy.Expr:
    images = irrep.matrices()
    value = _product(irrep.group, images, word, irrep.size).trace()
    return to_sympy(readable(tuple(value.numerators.tolist()), value.denominator, value.field))


def _product(group: Group, images: Sequence[ExactArray], word: str, size: int = 3) -> ExactArray:
    result = identity(size)
    for label in word.split():
        result = result @ images[group.labels.index(label)]
    return result


def _mean(values: ExactArray) -> Fraction:
    total = values[0]
    for k in range(1, len(values)):
        total = total + values[k]
    return total.fraction() / len(values)
