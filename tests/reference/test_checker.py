"""The plain checker and the fast proof share no line, and agree: on every question, and on every forgery."""

import ast
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.errors import PdoBasisError
from pdobasis.files.json_file import basis_from_json, file_contents
from pdobasis.files.stencil_file import contents
from pdobasis.reference import check_pdobasis
from pdobasis.reference.check_pdobasis import Refuted, Unreadable, check, read
from pdobasis.stencils.sampled import sample

PROGRAM = Path(check_pdobasis.__file__)
PLANE = [("trivial", "vector"), ("vector", "vector"), ("det", "trivial"), ("vector", "sym(2, vector)")]
FINITE = [("regular", "trivial"), ("vector", "regular"), ("2xtrivial + vector", "vector + trivial")]
SPACE = [("trivial", "vector"), ("vector", "vector"), ("vector", "alt(2, vector)")]
TENSORS = [
    ("trivial", "trivial"),
    ("vector", "vector"),
    ("dual(vector)", "trivial"),
    ("vector", "tensor(vector, dual(vector))"),
]
QUESTIONS: list[tuple[str, list[tuple[str, str]], int]] = [
    *((group, PLANE, 3) for group in ("C1", "C2", "C4", "D1", "D2", "D4", "flip", "SO(2)", "O(2)")),
    *((group, PLANE, 2) for group in ("C3", "C6", "D3", "C8", "D4(pi/8)", "trivial(2)")),
    *((group, FINITE, 2) for group in ("C2", "C4", "D2", "D4", "C3", "D3")),
    *((group, SPACE, 2) for group in ("SO(3)", "O(3)", "Oh", "Td", "T", "D4h", "inversion(3)")),
    *((group, TENSORS, 2) for group in ("GL(2)", "SL(2)", "SO(1,1)", "scaling(1,2)", "SO(2) x scaling")),
    ("SO(1,3)", [("trivial", "trivial"), ("vector", "dual(vector)")], 2),
    ("Sp(4)", [("trivial", "trivial"), ("vector", "vector")], 2),
    ("SO(2)", [("irrep(1)", "irrep(2)"), ("irrep(2)", "irrep(0)"), ("irrep(1) + irrep(2)", "2xirrep(1)")], 3),
    ("SO(3)", [("irrep(1)", "irrep(2)"), ("irrep(2)", "irrep(0)")], 3),
    ("C5", [("irrep(1)", "irrep(2)"), ("regular", "irrep(2)")], 2),
    ("D6", [("irrep(1,1)", "irrep(1,2)"), ("quotient(C3)", "irrep(0,3)")], 3),
    ("I", [("vector", "irrep(T2)"), ("trivial", "irrep(H)")], 2),
    ("inversion(1)", [("trivial", "vector"), ("trivial", "trivial")], 3),
]  # fmt: skip
MORE: list[tuple[str, list[tuple[str, str]], int]] = [
    *((group, PLANE + FINITE, 3) for group in ("C5", "C6", "C7", "C8", "D5", "D6", "D8")),
    *(
        (group, [*SPACE, ("sym(2, vector)", "sym(2, vector)")], 3)
        for group in ("SO(3)", "O(3)", "Oh", "Td", "I", "D6h")
    ),
    ("D16", [("regular", "regular")], 2),
    ("SO(3)", [("irrep(3)", "irrep(2)"), ("irrep(3)", "irrep(3)")], 3),
    ("O(3)", [("1x0e + 2x1o", "1x1o + 1x2e")], 2),
    ("SO(1,3)", [("dual(vector)", "alt(2, dual(vector))"), ("sym(2, vector)", "vector")], 2),
    ("Oh", [("regular", "vector")], 1),
]
ASKED: list[tuple[str, str, str, dict[str, Any]]] = [
    ("SO(2)", "vector", "trivial", {"kernel": True, "order": 3}),
    ("D4", "vector", "vector", {"kernel": True, "order": 4}),
    ("SO(3)", "vector", "vector", {"kernel": True, "order": 3}),
    ("D4", "vector", "vector", {"partial_order": 1}),
    ("C2", "trivial", "trivial", {"partial_order": 2, "order": 3}),
    ("Oh", "trivial", "vector", {"partial_order": 1}),
    ("D4", "vector", "vector", {"method": "both"}),
    ("C4", "trivial", "vector", {"dim": 3}),
]


def stored(basis: Basis) -> dict[str, Any]:
    """What a reader of the file sees."""
    data: dict[str, Any] = json.loads(json.dumps(file_contents(basis)))
    return data


def agree(questions: list[tuple[str, list[tuple[str, str]], int]]) -> int:
    number = 0
    for group, pairs, order in questions:
        for rep_in, rep_out in pairs:
            basis = pdobasis.solve(group, rep_in, rep_out, order)
            assert f"rank {basis.dimension} " in check(stored(basis))[1], (group, rep_in, rep_out)
            number += 1
    return number


def test_the_checker_agrees_with_the_fast_proof_on_a_hundred_questions() -> None:
    assert agree(QUESTIONS) > 100


@pytest.mark.slow
def test_the_checker_agrees_with_the_fast_proof_on_larger_questions() -> None:
    assert agree(MORE) > 70


@pytest.mark.parametrize(("group", "rep_in", "rep_out", "options"), ASKED)
def test_kernels_and_limits_are_part_of_the_question(
    group: str, rep_in: str, rep_out: str, options: dict[str, Any]
) -> None:
    data = stored(pdobasis.solve(group, rep_in, rep_out, **options))
    check(data)
    for key in ("kernel", "partial_order"):
        if key in data and data["order"] > 1 + data.get(key, 0) and group != "SO(2)":
            changed = {k: v for k, v in data.items() if k != key}
            with pytest.raises(Refuted, match="not complete"):
                check(changed)


FORGED = [
    ("D4", "vector", "vector", 2), ("C4", "regular", "vector", 1), ("D3", "irrep(1,1)", "vector", 2),
    ("SO(2)", "vector", "vector", 2), ("O(2)", "trivial", "sym(2, vector)", 2), ("SO(3)", "vector", "vector", 2),
    ("D2", "2xregular + trivial", "trivial + 2xdet", 1), ("SL(2)", "vector", "dual(vector)", 2),
    ("SO(1,3)", "trivial", "dual(vector)", 1), ("C8", "irrep(1)", "irrep(3)", 2), ("Oh", "vector", "vector", 2),
]  # fmt: skip


def changes(data: dict[str, Any], rng: random.Random) -> Iterator[dict[str, Any]]:
    """Files with one coefficient, sign or element changed, without end. Some are still bases: the fast proof knows."""
    while True:
        new = deepcopy(data)
        elements = new["elements"]
        chosen = rng.choice(elements)
        if rng.random() < 0.2:
            kind = rng.choice(["drop", "twice", "replace"])
            if kind != "twice":
                elements.remove(chosen)
            if kind != "drop":
                elements.append(deepcopy(rng.choice(data["elements"])))
            new |= counted(elements, new["order"])
        else:
            row = rng.choice(chosen["matrix"])
            k = rng.randrange(len(row))
            more = "*".join(f"d{rng.randint(1, new['dim'])}" for _ in range(chosen["order"])) or "1"
            old = row[k]
            row[k] = rng.choice([f"{old} + {more}", f"({old})*2", f"-({old})", "0", f"{old} - sqrt(2)*{more}", more])
            if not any(text != "0" for r in chosen["matrix"] for text in r):
                continue
        yield new


def counted(elements: list[dict[str, Any]], order: int) -> dict[str, Any]:
    """The figures that a careful forger writes."""
    found = [sum(e["order"] == n for e in elements) for n in range(order + 1)]
    claims = dict.fromkeys(("equivariant", "independent", "complete"), True)
    certificate = {**claims, "found": found, "counted": found, "ranks": found}
    return {"dimension": sum(found), "dimensions": {str(n): k for n, k in enumerate(found)}, "certificate": certificate}


def holds(data: dict[str, Any]) -> bool:
    try:
        check(data)
    except Refuted:
        return False
    return True


def is_proved(data: dict[str, Any]) -> bool | None:
    """What the fast proof says of question and elements; None where it refuses copies that are not equal."""
    try:
        return basis_from_json(data).certificate.holds
    except PdoBasisError as error:
        return None if "copies" in str(error) else False


def judge_changes(number: int, seed: int) -> int:
    rejected = 0
    for question in FORGED:
        data = stored(pdobasis.solve(*question))
        stream = changes(data, random.Random(f"{seed} {question}"))
        for _ in range(number):
            forged = next(stream)
            verdict = holds(forged)
            assert is_proved(forged) in (verdict, None), (question, forged["elements"])
            rejected += not verdict
    return rejected


def test_changed_coefficients_and_elements_are_rejected() -> None:
    assert judge_changes(30, 0) > 250


@pytest.mark.slow
def test_thousands_of_changed_coefficients_and_elements_are_rejected() -> None:
    assert judge_changes(400, 1) > 3500


def matrices(data: Any) -> Iterator[list[Any]]:
    """All lists of rows, and permutations, in a witness."""
    if isinstance(data, dict):
        for key, part in data.items():
            if key in ("generators", "lie"):
                yield from part.values()
            else:
                yield from matrices(part)
    elif isinstance(data, list):
        for part in data:
            yield from matrices(part)


def changed_matrices(question: tuple[str, str, str, int], every: int) -> tuple[int, int]:
    """(changed entries of matrices, how many of them the checker rejects): each entry, one at a time."""
    data = stored(pdobasis.solve(*question))
    changed = rejected = 0
    for number, matrix in enumerate(matrices(data["witness"])):
        for k in range(len(matrix)):
            for j in range(len(matrix[k])) if isinstance(matrix[k], list) else [-1]:
                changed += 1
                if (changed + number) % every or (j < 0 and len(matrix) == 1):
                    continue
                new = deepcopy(data)
                target = list(matrices(new["witness"]))[number]
                if j < 0:
                    target[k], target[k - 1] = target[k - 1], target[k]
                else:
                    target[k][j] = f"{target[k][j]} + 1/3"
                assert not holds(new), (question, number, k, j)
                rejected += 1
    return changed, rejected


MATRICES = [
    ("D3", "irrep(1,1)", "vector", 2), ("SO(2)", "vector", "vector", 2), ("SO(3)", "vector", "vector", 2),
    ("SL(2)", "vector", "dual(vector)", 2), ("SO(1,3)", "trivial", "dual(vector)", 1), ("C8", "irrep(1)", "irrep(3)", 2),
    ("Oh", "vector", "vector", 2), ("C4", "regular", "vector", 1), ("GL(2)", "vector", "tensor(vector, dual(vector))", 2),
]  # fmt: skip


def test_changed_matrices_are_rejected() -> None:
    assert sum(changed_matrices(question, 3)[1] for question in MATRICES) > 100


@pytest.mark.slow
def test_every_changed_entry_of_a_matrix_is_rejected() -> None:
    assert sum(changed_matrices(question, 1)[1] for question in MATRICES) > 300


def test_what_the_file_states_is_compared() -> None:
    data = stored(pdobasis.solve("D4", "vector", "vector", 2))
    for change in (
        {"dimension": 5}, {"dimensions": {"0": 1, "1": 1, "2": 3}}, {"in": {**data["in"], "size": 3}},
        {"certificate": {**data["certificate"], "complete": False}}, {"certificate": {**data["certificate"], "ranks": [1, 0, 1]}},
    ):  # fmt: skip
        with pytest.raises(Refuted):
            check({**data, **change})


def test_what_cannot_be_read_is_said() -> None:
    data = stored(pdobasis.solve("D4", "vector", "vector", 2))
    for text in (
        "__import__('os')",
        "d1**d2",
        "(d1 + d2)**2",
        "d3**2",
        "1e3",
        "0x10*d1**2",
        "ｄ1**2",
        "cos(1)",
        "d1**2)",
        "(" * 500,
        "sqrt(-1)",
    ):
        new = deepcopy(data)
        new["elements"][1]["matrix"][0][0] = text
        with pytest.raises(Unreadable):
            check(new)
    for key in ("witness", "elements", "order", "certificate"):
        with pytest.raises(Unreadable):
            check({k: v for k, v in data.items() if k != key})


def test_a_question_beyond_its_limits_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    data = stored(pdobasis.solve("D4", "vector", "vector", 2))
    monkeypatch.setattr(check_pdobasis, "MAX_UNKNOWNS", 11)
    with pytest.raises(Unreadable, match="order 2 has more than 11 unknowns"):
        check(data)


def test_numbers_are_exact() -> None:
    field = check_pdobasis.Field("sqrt(2) sqrt(3) sqrt(5) sqrt(6) sqrt(12) sqrt(15) cos(pi/5) cos(2*pi/5) cos(pi/12)")
    for text in (
        "sqrt(2)*sqrt(2) - 2", "sqrt(3)*sqrt(3) - 3", "sqrt(5)*sqrt(5) - 5", "sqrt(2)*sqrt(3) - sqrt(6)", "sqrt(12) - 2*sqrt(3)",
        "sqrt(3)*sqrt(5) - sqrt(15)", "cos(pi/5) - (1 + sqrt(5))/4", "cos(2*pi/5) - (sqrt(5) - 1)/4",
        "cos(pi/12) - (sqrt(6) + sqrt(2))/4", "cos(pi/5) + cos(3*pi/5) - 1/2",
    ):  # fmt: skip
        assert field.is_zero(field.polynomial(text, 0)), text
    for text in ("sqrt(2) - 1", "sqrt(5) + cos(pi/5)*4 - 1", "cos(pi/12) - (sqrt(6) - sqrt(2))/4", "1"):
        assert not field.is_zero(field.polynomial(text, 0)), text


def test_primes_are_primes() -> None:
    sieve = [n for n in range(2, 3000) if all(n % q for q in range(2, int(n**0.5) + 1))]
    assert [n for n in range(2, 3000) if check_pdobasis.is_prime(n)] == sieve
    for n in (2152302898747, 3474749660383, 341550071728321, 3825123056546413051):  # strong pseudoprimes to small bases
        assert not check_pdobasis.is_prime(n)
    assert check_pdobasis.is_prime(2**61 - 1)


def test_it_runs_alone(tmp_path: Path) -> None:
    """Isolated, without site packages, from another folder, on the formats that it reads."""
    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    basis.save(str(tmp_path / "b.json"))
    from pdobasis.files.formats import save

    files = ["b.json"]
    for name in ("s.json", "s.npz", "s.safetensors"):
        if name.endswith("safetensors"):
            pytest.importorskip("safetensors")
        save(contents(basis, sample(basis, "fd", 3)), tmp_path / name)
        files.append(name)
    for name in files:
        result = run(name, tmp_path)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.splitlines()[-1].startswith("checked.")
    (tmp_path / "false.json").write_text((tmp_path / "b.json").read_text().replace('"d2"', '"-d2"'))
    assert (run("false.json", tmp_path).returncode, "FALSE" in run("false.json", tmp_path).stderr) == (1, True)
    (tmp_path / "half.json").write_text((tmp_path / "b.json").read_text()[:400])
    assert run("half.json", tmp_path).returncode == 2
    assert run("none.json", tmp_path).returncode == 2


def run(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(PROGRAM), name]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_it_imports_the_standard_library_only() -> None:
    found = set()
    for node in ast.walk(ast.parse(PROGRAM.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(str(node.module))
    assert {name.partition(".")[0] for name in found} <= sys.stdlib_module_names


def test_the_files_of_before_are_not_checked_but_said_to_be_so() -> None:
    with pytest.raises(Unreadable, match="no witness"):
        check(read(Path(__file__).parent.parent / "data" / "version1.npz"))
