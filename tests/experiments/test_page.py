"""The page says what the lines say, and a chosen rate is the best of its grid."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from experiments.report.page import SCALE, TABLES, page_text
from experiments.report.results import all_results, of_config
from experiments.report.table import cells, latex, markdown, missing, spread
from experiments.report.turned import METHODS as TURNED
from experiments.report.words import COMPARED, SAID, TURNS_SAID
from experiments.settings.files import read_table, rows, tables
from experiments.settings.values import Config
from experiments.training.folder import Line
from experiments.training.tuning import best_rate, candidates, validated

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "experiments"


def made(config: Config, error: float | None, seed: int) -> Line:
    measures = {"error": error}
    return {"row": config.name, "digest": config.digest, "seed": seed, "scale": config.scale, "measures": measures,
            "parameters": 1234, "seconds": 10.0, "curve": [{"loss": 1.0}]}  # fmt: skip


def test_the_page_in_the_repository_is_that_of_its_lines() -> None:
    assert (RESULTS.parent / "experiments.md").read_text() == page_text(RESULTS)


def test_means_and_deviations_in_the_text_are_those_of_lines() -> None:
    """Text is written by hand: every "a ± b" in it is the spread of some row, in some measure."""
    known = set()
    for table in TABLES:
        lines = all_results(table, RESULTS)
        for row in rows(table, SCALE):
            runs = [line["measures"] for line in of_config(lines, row)]
            known |= {spread([run[name] for run in runs], 1) for name in (runs[0] if runs else ())}
    turned = json.loads((RESULTS / "turned.json").read_text())
    for method in TURNED:
        errors = [one["errors"] for one in turned if one["method"] == method]
        known |= {spread([one[name] for one in errors], 1) for name in errors[0]}
    said = re.findall(r"\d+\.\d ± \d+\.\d", "\n".join([*SAID.values(), TURNS_SAID, COMPARED]))
    assert len(said) > 10
    assert not sorted(set(said) - known)


def test_every_table_is_on_the_page() -> None:
    assert sorted(TABLES) == tables()


def test_a_row_has_mean_and_deviation_of_its_runs_and_says_what_is_missing() -> None:
    head, found = read_table("mnist_rot"), rows("mnist_rot", SCALE)
    first = found[0]
    lines = [made(first, error, seed) for seed, error in enumerate((1.0, 2.0, 3.0))]
    shown = cells(head, first, lines)
    assert (shown.ours, shown.seeds, shown.parameters, shown.seconds) == ("2.00 ± 1.00", "3 of 3", "1,234", "10")
    assert missing(head, found, lines) == 3 * len(found) - 3
    assert f"**{3 * len(found) - 3} of {3 * len(found)} runs are missing.**" in markdown(head, found, lines)
    assert r"2.00 \(\pm\) 1.00" in latex(head, found, lines)
    assert cells(head, first, []).ours == "missing"
    assert cells(head, first, [made(first, None, 0), made(first, 2.0, 1)]).ours == "2.00 (1 diverged)"


def test_runs_of_another_recipe_are_not_counted() -> None:
    found = rows("mnist_rot", SCALE)
    other = made(found[0], 1.0, 0) | {"digest": "0" * 12}
    assert of_config([other], found[0]) == []


@pytest.mark.parametrize(("table", "methods"), [("mnist_rot", 8), ("flow", 4), ("small", 3), ("cifar10", 5)])
def test_rates_are_those_that_were_best_on_validation_samples(table: str, methods: int) -> None:
    lines, measure = all_results(table, RESULTS), read_table(table).measure
    judged = 0
    for row in rows(table, SCALE):
        by_rate = validated(lines, row, measure)
        if by_rate:
            assert sorted(by_rate) == sorted(row.tuning.rates), f"{row.name}: a grid is tried as a whole"
            assert row.training.rate == best_rate(by_rate), row.name
            judged += 1
    assert judged == methods, "one of each method"


def test_short_runs_of_another_recipe_choose_no_rate() -> None:
    row = rows("mnist_rot", SCALE)[0]
    short = [made(one, error, 0) for one, error in zip(candidates(row), (3.0, 1.0, None), strict=True)]
    by_rate = validated(short, row, "error")
    assert list(by_rate.values()) == [3.0, 1.0, None]
    assert best_rate(by_rate) == row.tuning.rates[1]
    assert validated([line | {"digest": "0" * 12} for line in short], row, "error") == {}


def test_candidates_see_no_test_samples() -> None:
    config = rows("mnist_rot", SCALE)[0]
    found = candidates(config)
    assert [c.training.rate for c in found] == list(config.tuning.rates)
    assert all(c.data.validation == config.tuning.validation > 0 for c in found)
    assert len({c.digest for c in found}) == len(found)
    with pytest.raises(Exception, match=r"has no tuning\.rates"):
        candidates(found[0])
