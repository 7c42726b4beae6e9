"""Groups and representations from YAML files: what is accepted, and what is refused before it does harm."""

from __future__ import annotations

from pathlib import Path

import pytest

import pdobasis
from pdobasis.errors import PdoBasisError
from pdobasis.groups.closure import closure
from pdobasis.groups.membership import contains_group
from pdobasis.question.own_group import load_group
from pdobasis.question.text import resolve_group

SKEW = "generators: {r: [[1, -1], [1, 0]], f: [[1, -1], [0, -1]]}"  # D6 of the hexagonal lattice, in its own basis


def write(folder: Path, text: str | bytes, name: str = "g.yaml") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_group_in_a_skew_basis_has_the_invariants_of_d6(tmp_path: Path) -> None:
    skew = pdobasis.solve(str(write(tmp_path, SKEW)), "trivial", "trivial", order=6)
    round_ = pdobasis.solve("D6", "trivial", "trivial", order=6)
    assert skew.problem.group.order == 12
    assert skew.dimensions == round_.dimensions == {0: 1, 1: 0, 2: 1, 3: 0, 4: 1, 5: 0, 6: 2}
    assert skew.certificate.holds


def test_exact_entries_and_lie_generators(tmp_path: Path) -> None:
    seven = write(tmp_path, "generators:\n - [[cos(2*pi/7), -sin(2*pi/7)], [sin(2*pi/7), cos(2*pi/7)]]")
    assert load_group(seven).order == 7
    rotations = write(tmp_path, "name: turns\nlie:\n - [[0, -1], [1, 0]]\ngenerators:\n  f: [[1, 0], [0, -1]]")
    basis = pdobasis.solve(str(rotations), "vector", "trivial", order=1)
    assert basis.dimensions == {0: 0, 1: 1}
    assert basis.problem.group.name == "turns"


BOMB = "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\ngenerators: [*c]"
INFINITE = [
    # x1 -> 2 x1: only d2 survives; (1, d2, d2^2)
    ("generators: [[[2, 0], [0, 1]]]", "trivial", "trivial", {0: 1, 1: 1, 2: 1}),
    # a shear: P(x - ...) invariant under y -> y + x has the one variable that is fixed
    ("generators: [[[1, 1], [0, 1]]]", "trivial", "trivial", {0: 1, 1: 1, 2: 1}),
    # an irrational turn is dense in SO(2): powers of the Laplacian; gradient and rotated gradient
    ("generators: [[[3/5, -4/5], [4/5, 3/5]]]", "trivial", "trivial", {0: 1, 1: 0, 2: 1}),
    ("generators: [[[3/5, -4/5], [4/5, 3/5]]]", "trivial", "vector", {0: 0, 1: 2, 2: 0}),
    # SL(2, Z) is Zariski dense in SL(2): no invariants but constants
    ("generators: {s: [[0, -1], [1, 0]], t: [[1, 1], [0, 1]]}", "trivial", "trivial", {0: 1, 1: 0, 2: 0}),
    ("generators: {s: [[0, -1], [1, 0]], u: [[0, -1], [1, 1]]}", "vector", "vector", {0: 1, 1: 0, 2: 1}),
]


@pytest.mark.parametrize(("text", "a", "b", "dimensions"), INFINITE)
def test_infinite_discrete_groups_are_solved_by_their_generators(
    text: str, a: str, b: str, dimensions: dict[int, int], tmp_path: Path
) -> None:
    path = write(tmp_path, text)
    basis = pdobasis.solve(str(path), a, b, order=2)
    assert basis.dimensions == dimensions
    assert basis.certificate.holds
    assert not basis.problem.group.is_finite
    basis.save(str(tmp_path / "b.json"))
    assert pdobasis.load(tmp_path / "b.json").problem == basis.problem
    with pytest.raises(PdoBasisError, match="finite"):
        pdobasis.solve(str(path), "regular", "trivial")


def test_a_dense_turn_and_all_turns_have_the_same_operators(tmp_path: Path) -> None:
    path = write(tmp_path, "generators: [[[3/5, -4/5], [4/5, 3/5]]]")
    for a, b in (("vector", "vector"), ("vector", "sym(2, vector)"), ("det", "vector")):
        assert pdobasis.solve(str(path), a, b, order=3).dimensions == pdobasis.solve("SO(2)", a, b, order=3).dimensions


BAD: dict[str, str | bytes] = {
    "empty": "",
    "a list": "[1, 2]",
    "no matrices": "name: x",
    "unknown key": "generater: [[[1]]]",
    "not square": "generators: [[[1, 0], [0, 1, 2]]]",
    "different sizes": "generators: [[[1]], [[1, 0], [0, 1]]]",
    "singular": "generators: [[[1, 1], [1, 1]]]",
    "singular and irrational": "generators: [[[sqrt(2), 1], [2, sqrt(2)]]]",
    "bomb": BOMB,
    "bad number": "generators: [[[1, foo], [0, 1]]]",
    "code": "generators: [[[\"__import__('os').system('x')\", 0], [0, 1]]]",
    "python tag": "generators: !!python/object/apply:os.system ['true']",
    "nan": "generators: [[[.nan, 0], [0, 1]]]",
    "boolean": "generators: [[[true, 0], [0, 1]]]",
    "unbalanced": "generators: [[[1, 0], [0, 1]]",
    "binary": b"\x00\xff\xfe\x01" * 50,
    "deep": "generators: " + "[" * 5000,
    "bad label": "generators: {'a b': [[1]]}",
    "wrong dim": "dim: 3\ngenerators: [[[1, 0], [0, 1]]]",
    "two documents": "generators: [[[1]]]\n---\nname: x",
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused_with_their_name(case: str, tmp_path: Path) -> None:
    path = write(tmp_path, BAD[case])
    with pytest.raises(PdoBasisError) as error:
        load_group(path)
    message = str(error.value)
    assert len(message) < 500
    assert "g.yaml" in message or message.startswith("g:")


def test_aliases_are_named_and_catalogue_names_are_marked(tmp_path: Path) -> None:
    with pytest.raises(PdoBasisError, match="aliases"):
        load_group(write(tmp_path, BOMB))
    assert load_group(write(tmp_path, "name: SO(3)\ngenerators: [[[1]]]")).name == "SO(3) (own)"


def test_a_sum_with_a_file_inside_a_bracket_travels_with_its_matrices(tmp_path: Path) -> None:
    path = write(tmp_path, "generators: {r: [[0, -1], [1, 0]]}", "2xr.yaml")
    basis = pdobasis.solve("C4", f"2xtensor({path}, trivial + vector) + vector", "trivial", order=1)
    basis.save(str(tmp_path / "b.json"))
    path.unlink()
    assert pdobasis.load(tmp_path / "b.json").certificate.holds


def test_missing_files_folders_and_huge_files(tmp_path: Path) -> None:
    with pytest.raises(PdoBasisError, match="no such file"):
        load_group(tmp_path / "none.yaml")
    with pytest.raises(PdoBasisError, match="cannot be read"):
        load_group(tmp_path)
    with pytest.raises(PdoBasisError, match="larger than"):
        load_group(write(tmp_path, "#" + "x" * 2_000_000))


REP = "generators: {r: [[0, -1], [1, 0]], f: [[1, 0], [0, -1]]}"


def test_a_representation_from_a_file(tmp_path: Path) -> None:
    path = write(tmp_path, REP, "rep.yaml")
    ours = pdobasis.solve("D4", str(path), "trivial", order=3)
    named = pdobasis.solve("D4", "vector", "trivial", order=3)
    assert ours.dimensions == named.dimensions
    assert [e.strings() for e in ours] == [e.strings() for e in named]
    ours.save(str(tmp_path / "b.json"))
    path.unlink()
    assert pdobasis.load(tmp_path / "b.json").certificate.holds  # the matrices travel with the file


BAD_REPS = {
    "no homomorphism": "generators: {r: [[1, 0], [0, -1]], f: [[0, -1], [1, 0]]}",
    "wrong order": "generators: {r: [[0, 1], [1, 0]], f: [[1, 1], [0, 1]]}",
    "a generator missing": "generators: {r: [[0, -1], [1, 0]]}",
    "an unknown generator": "generators: {r: [[1]], g: [[1]]}",
    "singular": "generators: {r: [[0, 0], [0, 0]], f: [[1, 0], [0, 1]]}",
    "sizes differ": "generators: {r: [[1]], f: [[1, 0], [0, 1]]}",
    "lie for a finite group": REP + "\nlie: [[[0, -1], [1, 0]]]",
}


@pytest.mark.parametrize("case", BAD_REPS)
def test_matrices_that_are_no_representation_are_refused(case: str, tmp_path: Path) -> None:
    path = write(tmp_path, BAD_REPS[case], "rep.yaml")
    with pytest.raises(PdoBasisError) as error:
        pdobasis.solve("D4", str(path), "trivial")
    assert "rep.yaml" in str(error.value)


def test_lie_representations_have_to_respect_brackets_and_components(tmp_path: Path) -> None:
    group = write(tmp_path, "lie: {e: [[0,1],[0,0]], f: [[0,0],[1,0]], h: [[1,0],[0,-1]]}", "sl2.yaml")
    good = write(tmp_path, "lie: [[[0,1],[0,0]], [[0,0],[1,0]], [[1,0],[0,-1]]]", "good.yaml")
    bad = write(tmp_path, "lie: [[[0,1],[0,0]], [[0,0],[1,0]], [[2,0],[0,-2]]]", "bad.yaml")
    assert pdobasis.solve(str(group), str(good), "trivial", order=1).dimension == 1
    with pytest.raises(PdoBasisError, match="brackets"):
        pdobasis.solve(str(group), str(bad), "trivial", order=1)
    o2 = write(tmp_path, "lie: [[[0,-1],[1,0]]]\ngenerators: {f: [[1,0],[0,-1]]}", "o2.yaml")
    twisted = write(tmp_path, "lie: [[[0,-1],[1,0]]]\ngenerators: {f: [[1,0],[0,1]]}", "twisted.yaml")
    with pytest.raises(PdoBasisError, match="conjugation"):
        pdobasis.solve(str(o2), str(twisted), "trivial", order=1)


def test_a_group_contains_its_subgroups_whoever_wrote_its_numbers(tmp_path: Path) -> None:
    """sqrt(3) lies in Q(sqrt(3)) and in Q(2cos(2pi/12)): D6 with either is one group, and D3 a subgroup of it."""
    path = tmp_path / "six.yaml"
    path.write_text('generators: {r: [["1/2", "-sqrt(3)/2"], ["sqrt(3)/2", "1/2"]], f: [["1", "0"], ["0", "-1"]]}')
    own, d6 = resolve_group(str(path)), resolve_group("D6")
    assert own == d6
    assert own.field != d6.field
    for larger in (own, d6):
        assert contains_group(larger, resolve_group("D3"))
        assert not contains_group(larger, resolve_group("D4"))
        assert not contains_group(larger, resolve_group("D12"))
    turns = closure(own)
    assert [turns.find(g) for g in d6.generators] == [1, 6]
