"""A truncation in files: it comes back as it was, is judged by verify, and cannot be lied about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.answer.solve import ask
from pdobasis.errors import FileFormatError, PdoBasisError
from pdobasis.files import load_stencils
from pdobasis.files.json_file import basis_from_json, dump, file_contents
from pdobasis.files.verified import verify_data
from pdobasis.question.as_json import question_from_json, question_to_json
from pdobasis.reference.check_pdobasis import Refuted, check

QUESTIONS: list[tuple[tuple[str, str, str, int], dict[str, Any]]] = [
    (("C8", "2xregular + irrep(4)", "irrep(3) + irrep(2)", 3), {"max_offset": 0}),
    (("D4(pi/8)", "regular", "vector", 2), {"max_offset": 0}),
    (("C4", "regular", "vector", 5), {"max_offset": 1}),
    (("O(3)", "vector", "vector", 3), {"basis_filter": lambda n, a, k: k == 0}),
    (("C8", "regular", "vector", 3), {"max_offset": 0, "basis_filter": lambda n, a, k: a < 3}),
    (("C5", "regular", "trivial", 4), {"frame_order": 2}),
    (("C5", "trivial", "regular", 4), {"frame_order": 2, "frame_angle": "pi/8"}),
    (("C4", "irrep(1)", "irrep(2)", 2), {"max_offset": 0, "kernel": True}),
    (("C8", "irrep(3)", "irrep(4)", 2), {"max_offset": 0}),  # nothing is left
]
NAMES = [f"{arguments[0]} {sorted(options)}" for arguments, options in QUESTIONS]


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(words))
    return result.exit_code, result.output


@pytest.mark.parametrize(("arguments", "options"), QUESTIONS, ids=NAMES)
def test_questions_come_back(arguments: tuple[str, str, str, int], options: dict[str, Any]) -> None:
    problem = ask(*arguments, **options)
    assert problem.truncation is not None
    data = json.loads(json.dumps(question_to_json(problem)))
    assert question_from_json(data) == problem


@pytest.mark.parametrize(("arguments", "options"), QUESTIONS, ids=NAMES)
def test_bases_come_back_and_are_judged(
    tmp_path: Path, arguments: tuple[str, str, str, int], options: dict[str, Any]
) -> None:
    group, in_rep, out_rep, order = arguments
    basis = pdobasis.solve(group, in_rep, out_rep, order=order, **options)
    path = tmp_path / "basis.json"
    basis.save(str(path))
    again = pdobasis.load(str(path))
    assert again.problem == basis.problem
    assert dump(again, with_witness=True) == path.read_text()
    code, output = run("verify", str(path), "--independent")
    assert code == 0, output
    total = sum(basis.certificate.of)
    assert f"✓ truncated: {basis.dimension} of {total} elements: truncated to {basis.problem.truncation.text}" in output
    assert "complete" not in output


@pytest.mark.parametrize("suffix", ["npz", "json", "safetensors"])
@pytest.mark.parametrize(
    "words",
    [
        ("--max-offset", "0", "--order", "2"),
        ("--max-angular", "1", "--max-laplacian-power", "1", "--order", "3"),
        ("--frame-order", "1", "--frame-angle", "pi/8"),
    ],
    ids=" ".join,
)
def test_stencils_come_back(tmp_path: Path, suffix: str, words: tuple[str, ...]) -> None:
    path = tmp_path / f"c8.{suffix}"
    code, output = run(
        "export", "-g", "C8", "--in", "regular", "--out", "regular", *words, "--size", "3", "-o", str(path)
    )
    assert code == 0, output
    meta = load_stencils(path).meta
    assert meta["certificate"]["truncated"] is True
    assert meta["certificate"]["complete"] is False
    truncation = question_from_json(meta).truncation
    assert truncation is not None
    assert run("verify", str(path))[0] == 0
    assert f"truncated to {truncation.text}" in run("show", str(path), "--show", "0")[1]
    # the same question, the same bytes
    other = tmp_path / f"again.{suffix}"
    run("export", "-g", "C8", "--in", "regular", "--out", "regular", *words, "--size", "3", "-o", str(other))
    assert other.read_bytes() == path.read_bytes()


def told(**options: Any) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(
        json.dumps(file_contents(pdobasis.solve("C8", "regular", "vector", order=3, **options)))
    )
    return whole


def test_a_truncated_basis_cannot_pass_for_a_complete_one() -> None:
    data = told(max_offset=0)
    del data["truncation"]
    assert any("not complete" in failure for failure in verify_data(data).failures)
    with pytest.raises(Refuted, match="not complete"):
        check(data)


def test_nor_a_complete_one_for_a_truncated_one() -> None:
    data = told()
    data["truncation"] = {"max_offset": 0}
    assert any("not the truncation" in failure for failure in verify_data(data).failures)


def test_nor_one_truncation_for_another() -> None:
    data = told(max_offset=0)
    data["truncation"] = {"max_offset": 1}
    assert verify_data(data).failures
    data["truncation"] = {"kept": [[0, 0], [1, 0]]}
    assert verify_data(data).failures
    turned = told(frame_order=1, frame_angle="pi/8")
    turned["truncation"].pop("frame_angle")
    assert verify_data(turned).failures


@pytest.mark.parametrize(
    ("key", "value"),
    [("complete", True), ("truncated", False), ("of", [2, 4, 6, 9]), ("found", [1, 2, 3]), ("counted", [1, 2, 3])],
)
def test_every_figure_is_compared(key: str, value: object) -> None:
    data = told(max_offset=0)
    data["certificate"][key] = value
    assert verify_data(data).failures
    with pytest.raises(Refuted):
        check(data)


@pytest.mark.parametrize(
    "truncation",
    [
        {},
        [],
        "max_offset 0",
        {"max_offset": -1},
        {"max_offset": True},
        {"max_offset": 0.0},
        {"max_ofset": 0},
        {"kept": [[0]]},
        {"kept": [[0, 0], [0, 0]]},
        {"kept": [[1, 0], [0, 0]]},
        {"kept": [[0, 9]]},
        {"kept": {"0": 0}},
        {"frame_order": "2"},
        {"frame_angle": "pi/8"},
        {"frame_order": 1, "frame_angle": "1"},
        {"frame_order": 1, "frame_angle": 1},
        {"frame_order": 1, "max_offset": 0},
        {"frame_order": 1, "frame_angle": "pi/999983"},
    ],
    ids=str,
)
def test_what_cannot_be_read_is_refused_in_one_line(truncation: object) -> None:
    data = told()
    data["truncation"] = truncation
    with pytest.raises(PdoBasisError) as caught:
        basis_from_json(data)
    assert "\n" not in str(caught.value)


def test_a_truncation_that_the_group_does_not_have() -> None:
    data = json.loads(dump(pdobasis.solve("Oh", "vector", "vector", order=1)))
    data["truncation"] = {"max_offset": 0}
    with pytest.raises(PdoBasisError, match="planar groups"):
        basis_from_json(data)
    with pytest.raises(FileFormatError, match="mapping"):
        question_from_json({**data, "truncation": 0})
