"""Verify reads every field of a file: whatever is changed, dropped or added, the file is not called proved."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.errors import PdoBasisError
from pdobasis.files.formats import save
from pdobasis.files.json_file import file_contents
from pdobasis.files.stencil_file import checked, checksum, contents
from pdobasis.files.stencil_proof import prove_again
from pdobasis.files.verified import verify_data
from pdobasis.stencils.sampled import sample

Path_ = tuple[Any, ...]
QUESTIONS: dict[str, tuple[Any, ...]] = {
    "D4 vector": ("D4", "vector", "vector", 2, {}),
    "C4 sum": ("C4", "2xtrivial + regular", "vector + trivial", 1, {}),
    "both roads": ("D3", "irrep(1,1)", "trivial", 2, {"method": "both"}),
    "direct": ("C8", "irrep(1)", "irrep(3)", 2, {"method": "direct"}),
    "kernel": ("SO(2)", "vector", "trivial", 3, {"kernel": True}),
    "partial order": ("D4", "trivial", "trivial", None, {"partial_order": 1}),
    "empty": ("D8", "trivial", "det", 2, {}),
    "space": ("SO(3)", "vector", "vector", 2, {}),
    "points": ("Td", "irrep(E)", "vector", 2, {}),
    "Lorentz": ("SO(1,3)", "trivial", "dual(vector)", 1, {}),
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Basis:
    folder = tmp_path_factory.mktemp("own")
    (folder / "g.yaml").write_text("name: quarter\ngenerators:\n  r: [[0, -1], [1, 0]]\n")
    (folder / "rep.yaml").write_text("generators:\n  r: [[0, -1], [1, 0]]\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return pdobasis.solve("g.yaml", "rep.yaml", "trivial + rep.yaml", 1)


def places(value: Any, at: Path_ = ()) -> Iterator[Path_]:
    yield at
    inner: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*at, key))


def at_place(data: Any, place: Path_) -> Any:
    for key in place:
        data = data[key]
    return data


def other_values(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, float(value), str(value), *([bool(value)] if value in (0, 1) else [])]
    if isinstance(value, str):
        return [value + "x", value.replace("o", "о"), value + " ", ""] if "o" in value else [value + "x", ""]
    if value is None:
        return [0]
    return [None]


def is_repeated(place: Path_) -> bool:
    """Entries of matrices, of which there are many alike."""
    return "matrix" in place or (place[0] == "witness" and len(place) > 5)


def mutations(data: dict[str, Any], every: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what was done, the changed mapping): every leaf otherwise, every key and entry dropped, keys and entries added."""
    for number, place in enumerate(places(data)):
        if place and is_repeated(place) and number % every:
            continue
        value = at_place(data, place)
        if place:
            for other in other_values(value):
                yield f"{place} = {other!r}", with_value(data, place, other)
            yield f"{place} dropped", without(data, place)
        if isinstance(value, dict):
            yield f"{place} + key", with_value(data, (*place, "extra"), 1)
        if isinstance(value, list):
            yield f"{place} + entry", with_value(data, place, [*value, *(value[-1:] or [1])])


def with_value(data: dict[str, Any], place: Path_, value: Any) -> dict[str, Any]:
    new = deepcopy(data)
    at_place(new, place[:-1])[place[-1]] = value
    return new


def without(data: dict[str, Any], place: Path_) -> dict[str, Any]:
    new = deepcopy(data)
    del at_place(new, place[:-1])[place[-1]]
    return new


def is_free(what: str, data: dict[str, Any]) -> bool:
    """A file without a witness is as they were written before."""
    # nor the release that wrote it
    if what in ("('witness',) dropped", "('written_by',) dropped"):
        return True
    return what.startswith("('group',) =") and "group_definition" in data  # the name of a group of one's own


def survivors(data: dict[str, Any], verify: Callable[[dict[str, Any]], bool], every: int = 17) -> tuple[list[str], int]:
    """The mutations that are still called proved, and the number of all."""
    assert verify(data)
    out, number = [], 0
    for what, changed in mutations(data, every):
        number += 1
        if changed != data and not is_free(what, data) and verify(changed):
            out.append(what)
        elif changed == data and json.dumps(changed) != json.dumps(data) and verify(changed):
            out.append(what)  # 1 instead of true, 1.0 instead of 1
    return out, number


def is_proved(data: dict[str, Any]) -> bool:
    try:
        if data.get("format") != "pdobasis-basis" or data.get("version") != 1 or type(data["version"]) is not int:
            return False  # seen by the reader
        return not verify_data(data).failures
    except PdoBasisError:
        return False


def stored(name: str) -> dict[str, Any]:
    *question, options = QUESTIONS[name]
    data: dict[str, Any] = json.loads(json.dumps(file_contents(pdobasis.solve(*question, **options))))
    return data


@pytest.mark.parametrize("name", ["D4 vector", "C4 sum", "kernel", "empty", "direct", "partial order"])
def test_every_change_of_a_basis_file_is_found(name: str) -> None:
    assert survivors(stored(name), is_proved)[0] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_single_change_of_a_basis_file_is_found(name: str) -> None:
    found, number = survivors(stored(name), is_proved, 1)
    assert found == []
    assert number > 150


def test_every_change_of_a_file_with_a_group_of_ones_own_is_found(own: Basis) -> None:
    data = json.loads(json.dumps(file_contents(own)))
    assert survivors(data, is_proved)[0] == []


@pytest.mark.parametrize("method", ["gauss", "fd", "kernel"])
def test_every_change_of_the_meta_data_of_stencils_is_found(method: str) -> None:
    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    good = contents(basis, sample(basis, method, 3))

    def holds(meta: dict[str, Any]) -> bool:
        changed = {**meta, "checksum": checksum(good.arrays, meta)} if "checksum" in meta else meta
        try:
            return prove_again(checked(dict(good.arrays), changed)).holds
        except PdoBasisError:
            return False

    data = json.loads(good.meta_text)
    found, _ = survivors(data, holds)
    assert [what for what in found if "checksum" not in what] == []  # it was repaired


def verified(path: Path, *options: str) -> Any:
    return CliRunner().invoke(main, ["verify", str(path), *options])


def test_the_first_difference_is_named(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    pdobasis.solve("SO(3)", "vector", "vector", 2).save(str(path))
    good = json.loads(path.read_text())
    for place, value, said in [
        (("group_order",), 60, "group_order is 60, it should be null"),
        (("dimension",), 99, "dimension is 99, it should be 4"),
        (("certificate", "how", "complete"), "believe me", "certificate.how.complete is 'believe me', it should be"),
        (("conventions", "rotation"), "clockwise", "conventions.rotation is 'clockwise'"),
        (("elements", 1, "name"), "grad", "elements[1].name is 'grad', it should be 'curl'"),
        (("witness", "space", "lie", "X1", 0, 1), "1", "witness.space.lie.X1[0][1] is '1', it should be '-1'"),
        (("remark",), "hello", "remark is not known here"),
        (("method",), "oracle", "method is 'oracle'"),
    ]:
        path.write_text(json.dumps(with_value(good, place, value)))
        result = verified(path)
        assert result.exit_code == 1
        assert said in result.stderr
        assert "NOT proved" in result.stdout


def test_letters_that_only_look_right_are_refused(tmp_path: Path) -> None:
    (tmp_path / "g.yaml").write_text("name: turn\nlie:\n  - [[0, -1], [1, 0]]\n")
    path = tmp_path / "b.json"
    pdobasis.solve(str(tmp_path / "g.yaml"), "vector", "trivial", 1).save(str(path))
    path.write_text(path.read_text().replace('"group": "turn"', '"group": "SО(2)"'), encoding="utf-8")
    result = verified(path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "CYRILLIC CAPITAL LETTER O at character 2" in result.stderr
    (tmp_path / "g.yaml").write_text("name: SО(2)\nlie:\n  - [[0, -1], [1, 0]]\n", encoding="utf-8")
    with pytest.raises(PdoBasisError, match="CYRILLIC CAPITAL LETTER O"):
        pdobasis.solve(str(tmp_path / "g.yaml"), "vector", "trivial", 1)


def test_a_file_without_a_witness_is_proved_with_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    runner = CliRunner()
    path.write_text(
        runner.invoke(main, ["solve", "--group", "D4", "--in", "trivial", "--out", "vector", "--json"]).stdout
    )
    result = verified(path)
    assert result.exit_code == 0
    assert "holds no witness" in result.stderr
    assert verified(path, "--independent").exit_code == 2


def test_a_stranger_checks_the_file_as_well(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    basis.save(str(path))
    result = verified(path, "--independent")
    assert result.exit_code == 0
    assert "✓ complete (check_pdobasis): nullity 1 modulo" in result.stdout
    told = json.loads(verified(path, "--independent", "--json").stdout)
    assert (told["proved"], len(told["independent"])) == (True, 4)
    save(contents(basis, sample(basis, "fd", 3)), tmp_path / "s.npz")
    assert verified(tmp_path / "s.npz", "--independent").exit_code == 0


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    pdobasis.solve("D4", "trivial", "vector", 1).save(str(path))
    path.write_text(path.read_text().replace('"group": "D4"', '"group": "D8", "group": "D4"'))
    result = verified(path)
    assert result.exit_code == 2
    assert "'group' stands twice" in result.stderr


def test_what_stands_beside_the_meta_data_is_read_too(tmp_path: Path) -> None:
    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    path = tmp_path / "s.json"
    save(contents(basis, sample(basis, "fd", 3)), path)
    good = json.loads(path.read_text())
    for key, value in (("extra", 1), ("format", "pdobasis-stencilz"), ("shapes", {**good["shapes"], "more": [1]})):
        path.write_text(json.dumps({**good, key: value}))
        assert verified(path).exit_code == 2, key
