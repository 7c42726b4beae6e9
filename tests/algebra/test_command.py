"""solve --self-adjoint, --skew, --through."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

QUESTION = ["solve", "--group", "SO(2)", "--in", "vector", "--out", "vector"]


@pytest.mark.parametrize(("option", "number"), [("--self-adjoint", 4), ("--skew", 2)])
def test_operators_with_an_adjoint(option: str, number: int) -> None:
    result = CliRunner().invoke(main, [*QUESTION, option, "--json"])
    assert result.exit_code == 0
    answer = json.loads(result.output)
    assert answer["dimension"] == len(answer["operators"]) == number
    assert f"dimension {number} of 6" in CliRunner().invoke(main, [*QUESTION, option]).output


def test_compositions() -> None:
    result = CliRunner().invoke(main, [*QUESTION, "--through", "trivial"])
    assert result.exit_code == 0
    assert "identity: no composition" in result.output
    assert "compositions: 4 of 6 elements" in result.output


@pytest.mark.parametrize("more", [["--skew", "--self-adjoint"], ["--skew", "--latex"], ["--through", "foo"]])
def test_what_does_not_fit_is_refused(more: list[str]) -> None:
    result = CliRunner().invoke(main, [*QUESTION, *more])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
