"""Every representation of the grammar is a representation: products, brackets, and the two together."""

from __future__ import annotations

import pytest

from pdobasis.errors import PdoBasisError
from pdobasis.exact.array import identity
from pdobasis.question.field_type import FieldType
from pdobasis.question.text import parse_field_type, resolve_group
from pdobasis.representations.checks import require_representation

SPECS = {
    "D4": ["trivial", "det", "vector", "regular", "irrep(1,1)", "irrep(0,2)", "irrep(1,2)", "quotient(C2)", "quotient(<f>)",
           "quotient(<r^2*f; r^2>)", "induced(C4, irrep(1))", "induced(<f>, det)", "tensor(vector, regular)",
           "sym(2, vector)", "alt(2, regular)", "dual(sym(3, vector))", "restrict(O(2), irrep(1,3))", "density(1)"],
    "D5(pi/7)": ["irrep(1,2)", "vector", "regular", "quotient(C5)"],
    "D6(pi/5)": ["irrep(0,3)", "irrep(1,3)", "irrep(1,2)"],
    "C6": ["irrep(3)", "irrep(2)", "regular", "quotient(C3)", "tensor(irrep(1), irrep(2))"],
    "Oh": ["vector", "det", "quotient(D4)", "restrict(O(3), irrep(0,2))", "restrict(O(3), 3o)", "alt(2, vector)"],
    "I": ["vector", "restrict(SO(3), irrep(2))", "sym(2, vector)", "quotient(T)"],
    "SO(2)": ["vector", "irrep(3)", "tensor(irrep(1), irrep(2))", "sym(2, irrep(2))", "dual(vector) + trivial"],
    "O(2)": ["vector", "irrep(1,3)", "irrep(1,0)", "tensor(irrep(1,1), irrep(1,2))", "alt(2, irrep(1,2))"],
    "O(2,pi/6)": ["irrep(1,3)", "vector"],
    "SO(3)": ["vector", "irrep(2)", "irrep(3,standard)", "irrep(4,rational)", "tensor(vector, irrep(2))", "2x0e + 1x1o"],
    "O(3)": ["irrep(0,2)", "irrep(1,2)", "1e", "3o", "alt(3, vector)", "irrep(2e,rational)"],
    "SO(1,3)": ["vector", "dual(vector)", "sym(2, vector)", "alt(2, dual(vector))", "tensor(vector, vector)"],
    "GL(3)": ["vector", "dual(vector)", "density(1/2)", "det", "alt(2, dual(vector))", "sym(2, dual(vector))"],
    "Sp(4)": ["vector", "alt(2, vector)"],
    "C4 x scaling": ["vector", "density(-1)"],
}  # fmt: skip


@pytest.mark.parametrize(("group", "spec"), [(g, s) for g, specs in SPECS.items() for s in specs])
def test_it_is_a_representation(group: str, spec: str) -> None:
    g = resolve_group(group)
    for rep in parse_field_type(spec, g).distinct:
        require_representation(g, spec, rep.matrices(), rep.lie)


@pytest.mark.parametrize("group", ["D4", "O(2)", "D7(pi/3)"])
def test_the_vector_is_the_irrep_of_frequency_one(group: str) -> None:
    g = resolve_group(group)
    vector, irrep = (parse_field_type(s, g).distinct[0] for s in ("vector", "irrep(1,1)"))
    assert vector.matrices() == irrep.matrices()
    assert vector.lie == irrep.lie


@pytest.mark.parametrize("basis", ["e3nn", "standard"])
@pytest.mark.parametrize("degree", range(5))
def test_spherical_irreps_are_orthogonal(degree: int, basis: str) -> None:
    g = resolve_group("I")
    rep = parse_field_type(f"restrict(SO(3), irrep({degree},{basis}))", g).distinct[0]
    assert rep.size == 2 * degree + 1
    assert all((m @ m.T).equals(identity(rep.size)) for m in rep.matrices())


def test_l_equal_one_is_the_vector_of_so3_and_o3() -> None:
    for group, specs in (("SO(3)", ("irrep(1)", "1o", "1e")), ("O(3)", ("irrep(1,1)", "1o"))):
        g = resolve_group(group)
        vector = parse_field_type("vector", g).distinct[0]
        for spec in specs:
            rep = parse_field_type(spec, g).distinct[0]
            assert rep.lie == vector.lie
            assert rep.matrices() == vector.matrices()


def test_symmetric_tensors_are_the_symmetric_part_of_the_tensor_product() -> None:
    """Inserting components T_11, T_12, T_22 into the square matrix commutes with the group."""
    import numpy as np

    from pdobasis.exact.array import integers

    g = resolve_group("D5")
    sym, tensor = (parse_field_type(s, g).distinct[0] for s in ("sym(2, vector)", "tensor(vector, vector)"))
    insert = integers(np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]))
    assert all((insert @ a).equals(b @ insert) for a, b in zip(sym.matrices(), tensor.matrices(), strict=True))


@pytest.mark.parametrize(
    ("group", "spec"),
    [
        ("D8", "restrict(SO(2), irrep(1))"),
        ("C8", "restrict(C4, irrep(1))"),
        ("scaling(1,1,1)", "restrict(SO(3), irrep(2))"),
        ("SO(2)", "restrict(D8, vector)"),
    ],
)
def test_a_group_is_restricted_to_its_subgroups_only(group: str, spec: str) -> None:
    with pytest.raises(PdoBasisError, match="contains"):
        parse_field_type(spec, resolve_group(group))


def test_irreps_of_high_order_exist() -> None:
    assert parse_field_type("irrep(8)", resolve_group("SO(3)")).size == 17


def test_counts_and_sizes_of_sums() -> None:
    g = resolve_group("D8")
    total = parse_field_type("2xregular + vector + 3x(trivial + irrep(1,2))", g)
    assert total.size == 32 + 2 + 9
    assert isinstance(total, FieldType)
    assert [r.spec for r in total.distinct] == ["regular", "vector", "trivial", "irrep(1,2)"]
    assert total.offsets(total.distinct[2]) == [34, 37, 40]


BAD = ["", " ", "+", "vector +", "+ vector", "vectr", "vector(", "vector)", "(vector", "vector vector", "0xvector", "-1xvector",
       "99999x(99999x(trivial+vector))", "2x", "x", "irrep", "irrep()", "irrep(9,9)", "irrep(a)", "irrep(1,2,3)", "tensor(vector)", "tensor(,)", "sym(vector)",
       "sym(-1, vector)", "sym(999, vector)", "sym(24, regular)", "alt(3, vector)", "quotient()", "quotient(C3)", "quotient(SO(2))",
       "quotient(<q>)", "quotient(<r^2)", "quotient(foo)", "induced(C4)", "induced(C4, foo)", "restrict(Oh, vector)", "regular(3)",
       "99999999xvector", "density(x)", "1o", "2e", "none.yaml", "dual()", "((((vector", "vector;drop", "\x00", "é",
       "tensor(" * 100, "tensor(regular, tensor(regular, tensor(regular, regular)))", "a" * 20_000]  # fmt: skip


@pytest.mark.parametrize("spec", BAD, ids=lambda s: repr(s)[:30])
def test_bad_specifications_are_refused_in_a_line_or_two(spec: str) -> None:
    with pytest.raises(PdoBasisError) as error:
        parse_field_type(spec, resolve_group("D8"))
    assert 0 < len(str(error.value)) < 500
    assert "\n" not in str(error.value)


def test_errors_point_at_the_place() -> None:
    with pytest.raises(PdoBasisError, match="character 13"):
        parse_field_type("2xregular + sym(2 vector)", resolve_group("D8"))
    with pytest.raises(PdoBasisError, match="character 13"):
        parse_field_type("2xregular + vectr", resolve_group("D8"))
