"""All orders at once: generators, primary invariants and Hilbert series, against the literature and high orders."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.errors import FileFormatError, GroupError, SizeError
from pdobasis.exact.array import integers
from pdobasis.files.module_file import dump_module, module_to_json, verify_module
from pdobasis.groups.catalogue import parse_group
from pdobasis.modules.primary import primary_invariants
from pdobasis.proof.batch import found_blocks
from pdobasis.proof.parameters import matrix_modulo, pivots
from pdobasis.proof.spans import spans

# Invariants: degrees of the basic invariants of reflection groups (Coxeter), and the secondary invariants of the
# crystal classes as in tables of integrity bases.
INVARIANTS = [
    ("D3", (2, 3), {0: 1}),
    ("D5", (2, 5), {0: 1}),
    ("C5", (2, 5), {0: 1, 5: 1}),
    ("C1", (1, 1), {0: 1}),
    ("D1", (1, 2), {0: 1}),
    ("C2v", (1, 2, 2), {0: 1}),
    ("Ci", (2, 2, 2), {0: 1, 2: 3}),
    ("C2h", (2, 2, 2), {0: 1, 2: 1}),
    ("D2", (2, 2, 2), {0: 1, 3: 1}),
    ("Td", (2, 3, 4), {0: 1}),
    ("T", (2, 3, 4), {0: 1, 6: 1}),
    ("Th", (2, 4, 6), {0: 1, 6: 1}),
    ("O", (2, 4, 6), {0: 1, 9: 1}),
    ("Oh", (2, 4, 6), {0: 1}),
    ("I", (2, 6, 10), {0: 1, 15: 1}),
    ("Ih", (2, 6, 10), {0: 1}),
    ("SO(2)", (2,), {0: 1}),
    ("O(4)", (2,), {0: 1}),
    ("SO(1,3)", (2,), {0: 1}),
    ("SL(3)", (), {0: 1}),
    ("Sp(4)", (), {0: 1}),
]


@pytest.mark.parametrize(("group", "degrees", "secondary"), INVARIANTS)
def test_invariants(group: str, degrees: tuple[int, ...], secondary: dict[int, int]) -> None:
    dim = 3 if group in ("C2v", "D2") else None
    found = pdobasis.all_orders(group, "trivial", "trivial", dim=dim)
    assert found.hilbert.degrees == degrees
    orders = {n: k for n, k in enumerate(found.hilbert.numerator) if k}
    assert orders == secondary
    assert found.certificate.holds


# Equivariant vector fields of a reflection group are free over the invariants, on the gradients of basic invariants:
# orders d_i - 1 (Solomon).
@pytest.mark.parametrize("group", ["D3", "D4", "D7", "Td", "Oh", "Ih", "C3v", "D1"])
def test_vector_fields_of_reflection_groups(group: str) -> None:
    scalars = pdobasis.all_orders(group, "trivial", "trivial")
    vectors = pdobasis.all_orders(group, "trivial", "vector")
    orders = sorted(g.order for g in vectors.generators)
    assert orders == sorted(d - 1 for d in scalars.hilbert.degrees)


# D_N between irreps m and n: the frequencies |m ± n| and N less them (by hand, from cos and sin of multiples of φ).
@pytest.mark.parametrize(("n", "k", "expected"), [(8, 1, [1, 7]), (8, 2, [2, 6]), (7, 3, [3, 4])])
def test_dihedral(n: int, k: int, expected: list[int]) -> None:
    found = pdobasis.all_orders(f"D{n}", "trivial", f"irrep(1,{k})")
    assert [g.order for g in found.generators] == expected


QUESTIONS = [
    ("D4", "vector", "regular"),
    ("C3", "vector + trivial", "2xvector"),
    ("O", "vector", "vector"),
    ("C6h", "vector", "sym(2, vector)"),
    ("SO(3)", "vector", "sym(2, vector)"),
    ("O(2)", "irrep(1,2)", "irrep(1,1)"),
    ("SO(4)", "vector", "vector"),
    ("SO(1,2)", "vector", "vector"),
    ("SL(2)", "vector", "tensor(vector, vector)"),
    ("Sp(4)", "vector", "dual(vector)"),
    ("GL(2)", "vector", "trivial"),
]


@pytest.mark.parametrize(("group", "source", "target"), QUESTIONS)
def test_expansion_spans_the_basis(group: str, source: str, target: str) -> None:
    module = pdobasis.all_orders(group, source, target)
    order = 6
    expanded = module.expand(order)
    basis = pdobasis.solve(group, source, target, order)
    assert expanded.certificate.holds
    assert expanded.dimensions == basis.dimensions
    assert tuple(basis.dimensions.values()) == module.hilbert.dimensions(order)
    assert spans(found_blocks(basis.problem, basis.blocks), expanded.blocks).holds


def test_counts_beyond_the_generators() -> None:
    """Order 40 of O, by the series alone and by Molien's count."""
    from pdobasis.proof.counting import count_pdos

    module = pdobasis.all_orders("O", "vector", "vector")
    (rep,) = module.problem.in_type.distinct
    assert module.hilbert.dimensions(40) == count_pdos(rep, rep, 40).numbers


def test_a_group_of_ones_own(tmp_path: Path) -> None:
    """Permutations of four variables: elementary symmetric polynomials have orders 1, 2, 3, 4."""
    path = tmp_path / "s4.yaml"
    path.write_text(
        "name: permutations\ngenerators:\n"
        "  s: [[0,1,0,0],[1,0,0,0],[0,0,1,0],[0,0,0,1]]\n"
        "  c: [[0,0,0,1],[1,0,0,0],[0,1,0,0],[0,0,1,0]]\n"
    )
    found = pdobasis.all_orders(str(path), "trivial", "vector")
    assert found.hilbert.degrees == (1, 2, 3, 4)
    # gradients of the elementary symmetric polynomials
    assert [g.order for g in found.generators] == [0, 1, 2, 3]


def test_nothing_of_any_order() -> None:
    found = pdobasis.all_orders("SL(2)", "trivial", "det + trivial")
    assert found.hilbert.numerator == (2,)
    none = pdobasis.all_orders("GL(2)", "trivial", "vector")
    assert len(none) == 0
    assert str(none.hilbert) == "0"


AXIAL = pdobasis.Group("rotations about x3", 3, lie=(integers([[0, -1, 0], [1, 0, 0], [0, 0, 0]]),))


@pytest.mark.parametrize("group", ["scaling(1,2)", AXIAL])
def test_groups_without_a_bound_are_refused(group: str | pdobasis.Group) -> None:
    with pytest.raises(GroupError, match="ask for an order"):
        pdobasis.all_orders(group, "trivial", "trivial")


@pytest.mark.parametrize(
    "matrix", [[[1, 1], [0, 1]], [[2, 0], [0, 2]], [["3/5", "-4/5"], ["4/5", "3/5"]], [[2, 1], [1, 1]]]
)
def test_infinite_discrete_groups_are_refused(matrix: list[list[Any]], tmp_path: Path) -> None:
    """Turns by an angle that is no part of a circle have the invariants of SO(2), and no Lie algebra that says so."""
    (tmp_path / "g.yaml").write_text(f"generators:\n  t: {matrix}\n".replace("'", ""))
    with pytest.raises(GroupError, match="ask for an order"):
        pdobasis.all_orders(str(tmp_path / "g.yaml"), "trivial", "trivial")


SPINORS = {
    "SO(2)": ["[[0, -1/2], [1/2, 0]]"],
    # half of the products with the quaternions i, j, k from the left, in the order of the Lie generators
    "SO(3)": [
        "[[0, -1/2, 0, 0], [1/2, 0, 0, 0], [0, 0, 0, -1/2], [0, 0, 1/2, 0]]",
        "[[0, 0, -1/2, 0], [0, 0, 0, 1/2], [1/2, 0, 0, 0], [0, -1/2, 0, 0]]",
        "[[0, 0, 0, -1/2], [0, 0, -1/2, 0], [0, 1/2, 0, 0], [1/2, 0, 0, 0]]",
    ],
}


@pytest.mark.parametrize(("group", "expected"), [("SO(2)", (2, 2)), ("SO(3)", (4, 4))])
def test_spinors_have_their_dirac_operators(group: str, expected: tuple[int, ...], tmp_path: Path) -> None:
    """Weights of one half at both sides make a whole one: what commutes with the spinors, and the Dirac operator
    times it."""
    path = tmp_path / "spin.yaml"
    path.write_text("cover: true\nlie:\n" + "".join(f"  - {x}\n" for x in SPINORS[group]))
    found = pdobasis.all_orders(group, str(path), str(path))
    assert found.hilbert.numerator == expected
    assert found.expand(3).dimensions == pdobasis.solve(group, str(path), str(path), 3).dimensions
    mixed = pdobasis.all_orders(group, str(path), f"{path} + vector")
    assert mixed.hilbert.numerator == expected


def test_a_reader_is_told_of_a_cover(tmp_path: Path) -> None:
    path = tmp_path / "spin.yaml"
    path.write_text("cover: true\nlie:\n" + "".join(f"  - {x}\n" for x in SPINORS["SO(2)"]))
    words = ["solve", "-g", "SO(2)", "--in", str(path), "--out", str(path), "--all-orders"]
    assert "✓ representation: brackets; of a covering group" in CliRunner().invoke(main, words).output
    assert "representation:" not in CliRunner().invoke(main, ["solve", "-g", "D4", "--in", "trivial", "--out", "vector",
                                                              "--all-orders"]).output  # fmt: skip


def test_a_weight_of_one_half_and_one_of_three_halves(tmp_path: Path) -> None:
    for name, weight in (("one", "1/2"), ("three", "3/2")):
        (tmp_path / f"{name}.yaml").write_text(f"cover: true\nlie:\n  - [[0, -{weight}], [{weight}, 0]]\n")
    found = pdobasis.all_orders("SO(2)", str(tmp_path / "one.yaml"), str(tmp_path / "three.yaml"))
    # cos and sin of the differences 3/2 - 1/2 and 3/2 + 1/2
    assert found.hilbert.numerator == (0, 2, 2)


def _tampered(change: str) -> tuple[bool, list[str]]:
    data = module_to_json(pdobasis.all_orders("D4", "trivial", "vector"))
    data["witness"] = None
    if change == "generator":
        data["generators"][1]["matrix"][0][0] = "d1**3"
    elif change == "dropped":
        data["generators"].pop()
    elif change == "no parameters":
        data["primary"][1]["polynomial"] = "d1**4 + 2*d1**2*d2**2 + d2**4"
    elif change == "not invariant":
        data["primary"][1]["polynomial"] = "d1**4"
    elif change == "multiple":
        gradient = data["generators"][0]["matrix"]
        data["generators"][1]["matrix"] = [
            [f"{entry}**3 + {entry}*{other}**2"] for (entry,), (other,) in zip(gradient, gradient[::-1], strict=True)
        ]
    module, failures = verify_module(data)
    return module.certificate.holds, failures


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("generator", "not equivariant"),
        ("dropped", "not complete"),
        ("no parameters", "regular sequence"),
        ("not invariant", "not equivariant"),
        ("multiple", "not independent"),
    ],
)
def test_what_is_false_is_refused(change: str, word: str) -> None:
    holds, failures = _tampered(change)
    assert not holds
    assert any(word in text for text in failures)


def test_files_come_back(tmp_path: Path) -> None:
    path = tmp_path / "o.json"
    module = pdobasis.all_orders("C4", "vector", "2xvector")
    module.save(path)
    again = pdobasis.load_all_orders(path)
    assert again.certificate.holds
    assert module_to_json(again) == module_to_json(module)
    with pytest.raises(FileFormatError, match="not a basis file"):
        pdobasis.load(path)


def test_commands(tmp_path: Path) -> None:
    path = str(tmp_path / "d8.json")
    question = ["solve", "-g", "D8", "--in", "trivial", "--out", "vector"]
    run = CliRunner().invoke(main, [*question, "--all-orders", "-o", path])
    assert run.exit_code == 0
    assert "2 generators, of orders 1 and 7" in run.output
    assert "(t + t⁷)/((1−t²)(1−t⁸))" in run.output
    assert CliRunner().invoke(main, ["verify", path]).exit_code == 0
    shown = CliRunner().invoke(main, ["show", path, "--json"])
    data = json.loads(shown.output)
    assert [g["order"] for g in data["generators"]] == [1, 7]
    assert data["hilbert"]["degrees"] == [2, 8]
    forged = json.loads(Path(path).read_text())
    forged["hilbert"]["text"] = "1"
    Path(path).write_text(json.dumps(forged))
    run = CliRunner().invoke(main, ["verify", path])
    assert run.exit_code == 1
    assert "hilbert.text is '1'" in run.output
    run = CliRunner().invoke(main, [*question, "--all-orders", "--order", "3"])
    assert run.exit_code == 2
    assert "leave out --order" in run.output


@pytest.mark.parametrize("name", ["C5000", "C1000", "D500", "D65", "C70"])
def test_groups_whose_invariants_have_large_orders_are_refused_at_once(name: str) -> None:
    """C_N and D_N have invariants of orders 2 and N, and powers of the first alone below N."""
    start = time.process_time()
    with pytest.raises(SizeError, match="orders beyond 64"):
        pdobasis.all_orders(name, "trivial", "trivial")
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "question", [("D4", "trivial", "vector"), ("C5", "trivial", "trivial"), ("O(3)", "vector", "vector")]
)
@pytest.mark.parametrize("key", ["angular_order", "laplacian_power", "in_irrep", "out_irrep"])
def test_what_a_file_says_of_a_generator_is_looked_at(question: tuple[str, str, str], key: str) -> None:
    data = json.loads(dump_module(pdobasis.all_orders(*question), with_witness=True))
    assert verify_module(data)[1] == []
    item = data["generators"][-1]
    item[key] = item[key] + 1 if isinstance(item[key], int) else "irrep(0,7)"
    assert verify_module(data)[1]


def test_large_tables_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    primary_invariants(parse_group("Oh"))

    def worked(*args: object) -> None:
        raise AssertionError("no work before the estimate")

    monkeypatch.setattr("pdobasis.modules.all_orders.choose", worked)
    with pytest.raises(SizeError, match=r"up to order 9, would take about .*budget\(seconds="):
        pdobasis.all_orders("Oh", "regular", "regular")


def test_pivots_are_where_rows_of_an_echelon_form_start() -> None:
    rows = np.array([[0, 0, 2, 1, 3], [0, 0, 4, 2, 1], [0, 1, 0, 0, 0], [0, 1, 2, 1, 3]])
    assert pivots(*matrix_modulo(rows, 101).rref()) == [1, 2, 4]
    assert pivots(*matrix_modulo(np.zeros((2, 3), dtype=np.int64), 101).rref()) == []
