"""A minute of hostile input, the same every time; and everything that was ever found."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.files import QUICK, try_atlas, try_file, try_recording, try_yaml
from tests.fuzz.grammar import command_line
from tests.fuzz.harness import Outcome, run
from tests.fuzz.kills import kill_a_writer

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


def faults(outcomes: list[Outcome]) -> list[tuple[tuple[str, ...], list[str]]]:
    return [(o.arguments, o.faults()) for o in outcomes if o.faults()]


def test_damaged_files_are_refused_or_judged(tmp_path: Path) -> None:
    outcomes = [try_file(random.Random(f"file {k}"), tmp_path) for k in range(500)]
    assert faults(outcomes) == []
    # the damage reaches deep enough: some files are still proved, some are refuted, most are refused
    assert {outcome.code for outcome in outcomes} == {0, 1, 2}


def test_damaged_recordings_are_refused_or_fitted(tmp_path: Path) -> None:
    outcomes = [try_recording(random.Random(f"recording {k}"), tmp_path) for k in range(150)]
    assert faults(outcomes) == []
    assert {outcome.code for outcome in outcomes} == {0, 2}


def test_damaged_atlases_are_refused_or_judged(tmp_path: Path) -> None:
    outcomes = [try_atlas(random.Random(f"atlas {k}"), tmp_path / str(k)) for k in range(100)]
    assert faults(outcomes) == []
    assert {outcome.code for outcome in outcomes} == {0, 1, 2}


def test_damaged_yaml_is_refused_or_read(tmp_path: Path) -> None:
    outcomes = [try_yaml(random.Random(f"yaml {k}"), tmp_path) for k in range(150)]
    assert faults(outcomes) == []
    assert {outcome.code for outcome in outcomes} == {0, 2}


def test_command_lines_of_a_grammar_are_answered_or_refused() -> None:
    outcomes = [run(command_line(random.Random(f"line {k}"))) for k in range(150)]
    assert faults(outcomes) == []
    assert {outcome.code for outcome in outcomes} >= {0, 2}


def test_writers_that_are_ended_at_random_moments(tmp_path: Path) -> None:
    for k in range(6):
        assert kill_a_writer(random.Random(f"kill {k}"), tmp_path) == []


@pytest.mark.parametrize("path", CORPUS, ids=[path.name for path in CORPUS])
def test_what_was_found_stays_mended(path: Path) -> None:
    if path.suffix == ".yaml":
        found = [run(["groups", str(path)])]
    else:
        found = [run([*command, str(path)]) for command in QUICK]
    assert faults(found) == []
    assert {outcome.code for outcome in found} <= {1, 2} or path.name.startswith("good")


def test_the_judge_sees_faults() -> None:
    """Each kind of bad end is called one."""
    fine = Outcome(("x",), 2, "", "Error: no\n", "", 0.0)
    assert fine.faults() == []
    for bad in (
        Outcome(("x",), 1, "", "Traceback (most recent call last)", "", 0.0),
        Outcome(("x",), 134, "", "", "", 0.0),
        Outcome(("x",), 2, "", "", "", 0.0),
        Outcome(("x",), 0, "\x1b[31m", "", "", 0.0),
        Outcome(("x",), 0, "", "", "ValueError: x", 0.0),
        Outcome(("x",), 2, "", "x" * 3000, "", 0.0),
    ):
        assert bad.faults()
