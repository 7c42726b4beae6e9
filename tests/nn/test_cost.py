"""Which way a layer is applied: the cost model, its constants, and how they are found."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import replace
from math import inf
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from pdobasis.nn import Costs, LayerError, PDOConv2d, calibrate, calibration, cost, use_costs  # noqa: E402
from pdobasis.nn.calibrate import lines  # noqa: E402
from pdobasis.nn.calibration import Ratio, Shape, fitted, measured  # noqa: E402
from pdobasis.nn.cost import costs_of  # noqa: E402


@pytest.fixture(autouse=True)
def own_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "_USED", dict(cost._USED))


def wide(**options: Any) -> Any:
    return PDOConv2d("C16", "trivial", "8xregular", **{"order": 3, "size": 5, "stencil": "fd", **options})


def test_the_model_says_when_jets_are_cheaper() -> None:
    """mu c A + delta A < c T, in whole numbers: 2 * 10 c + 50 < 25 c from 11 channels on."""
    costs = Costs(mix=2.0, derive=(inf, 5.0, 0.0))
    assert [c for c in range(1, 20) if costs.prefer_jets(c, taps=25, atoms=10, dim=2)] == list(range(11, 20))
    assert not costs.prefer_jets(10**9, taps=25, atoms=10, dim=1)
    assert costs.prefer_jets(1, taps=21, atoms=10, dim=3)
    assert not costs.prefer_jets(1, taps=20, atoms=10, dim=3)


def test_costs_choose_for_one_layer_or_for_all() -> None:
    """128 channels of 5x5 and order 3: jets for delta below 128 (25 - 10 mu) / 10."""
    assert wide().apply_by == "dense"
    cheap, dear = Costs(mix=1.0, derive=(0.0, 191.0, 0.0)), Costs(mix=1.0, derive=(0.0, 193.0, 0.0))
    assert (wide(apply=cheap).apply_by, wide(apply=dear).apply_by) == ("jets", "dense")
    use_costs(cheap)
    assert costs_of("cpu") == costs_of(None) == cheap
    assert wide().apply_by == "jets"
    assert wide(apply=dear).apply_by == "dense"
    assert wide(apply="dense").apply_by == "dense"


def test_devices_have_costs_of_their_own() -> None:
    assert costs_of("cpu") == Costs("cpu", 1.05, (300.0, 300.0, 450.0))
    assert costs_of("cuda:1") == Costs("cuda", derive=(inf, inf, inf))  # nothing was measured there: dense
    use_costs(Costs("cuda", 1.0, (0.0, 0.0, 0.0)))
    assert costs_of("cuda") == Costs("cuda", 1.0, (0.0, 0.0, 0.0))
    assert costs_of("cpu") == Costs()
    assert wide(device="meta").apply_by == "dense"  # a device that is not known yet: as on the CPU


@pytest.mark.parametrize(("mix", "derive"), [(1.25, {2: 200.0}), (0.5, {1: 30.0, 3: 450.0}), (2.0, {1: 0.0, 2: 8.0})])
def test_the_constants_are_found_again(mix: float, derive: dict[int, float]) -> None:
    """Ratios that obey the model give its constants back."""
    ratios = {}
    for dim, delta in derive.items():
        taps, atoms = 5**dim, (4, 10, 20)[dim - 1]
        ratios[dim] = [Ratio(c, taps, atoms, (mix * c + delta) * atoms / (c * taps)) for c in (16, 64, 256)]
    assert fitted(ratios) == (mix, derive)


def test_no_constant_is_negative() -> None:
    mix, derive = fitted({2: [Ratio(16, 25, 10, 0.1), Ratio(256, 25, 10, 0.5)]})
    assert mix > 0
    assert derive == {2: 0.0}


def test_calibration_measures_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = Shape(PDOConv2d, "C4", "regular", 3, 2, 5, 1, (1, 2))
    found = measured(tiny, torch.device("cpu"), rounds=1)
    assert [replace(r, value=0.0) for r in found] == [Ratio(4, 9, 6, 0.0), Ratio(8, 9, 6, 0.0)]
    assert all(r.value > 0 for r in found)
    monkeypatch.setattr(calibration, "SHAPES", {2: tiny})
    monkeypatch.setattr(calibration, "_ratio", lambda dense, jets, device, rounds: 6 * (2.0 * 4 + 8) / (4 * 9))
    costs = calibrate("cpu", rounds=1)
    assert (costs.device, costs.derive[0], costs.derive[2]) == ("cpu", 300.0, 450.0)
    assert costs_of("cpu") == Costs()  # measuring sets nothing


def test_the_worse_of_training_and_evaluation_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    values = iter([0.5, 0.75, 2.0, 1.0])
    monkeypatch.setattr(calibration, "_ratio", lambda dense, jets, device, rounds: next(values))
    tiny = Shape(PDOConv2d, "C4", "regular", 3, 2, 5, 1, (1, 2))
    assert [r.value for r in measured(tiny, torch.device("cpu"), 1)] == [0.75, 2.0]


@pytest.mark.parametrize(("call", "words"), [
    (lambda: calibrate("nowhere"), "nothing can be measured on the device 'nowhere'"),
    (lambda: calibrate("meta"), "nothing can be measured on the device 'meta'"),
    (lambda: calibrate(dims=[4]), "among 1, 2 and 3"),
    (lambda: calibrate(dims=[]), "among 1, 2 and 3"),
    (lambda: Costs(mix=-1.0), "numbers from 0 on"),
    (lambda: Costs(mix=float("nan")), "numbers from 0 on"),
    (lambda: use_costs("cpu"), "use_costs takes Costs"),  # type: ignore[arg-type]
    (lambda: wide(apply="fast"), "unknown apply 'fast': one of auto, dense, jets, or Costs"),
])  # fmt: skip
def test_refusals(call: Any, words: str) -> None:
    with pytest.raises(LayerError, match=words):
        call()


def test_the_command_prints_a_line_of_python(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib import import_module

    command = import_module("pdobasis.nn.calibrate")
    costs = Costs("cpu", 1.0, (300.0, 100.0, 450.0))
    monkeypatch.setattr(command, "calibrate", lambda *given: costs)
    assert command.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "# cpu, 5x5 of order 3 in the plane: jets from 67 output channels on",
        "from pdobasis.nn import Costs, use_costs",
        f"use_costs({costs!r})",
    ]
    assert "always dense" in command.lines(Costs("cpu", 3.0))[0]


def test_the_command_refuses_in_one_line() -> None:
    call = [sys.executable, "-m", "pdobasis.nn.calibrate", "--dims", "4"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: dimensions to calibrate are among 1, 2 and 3, got (4,)\n"


@pytest.mark.parametrize("costs", [Costs("cuda", 1.0, (inf, 12.0, inf)), Costs("cpu", 1.05, (300.0, 250.0, 450.0))])
def test_the_line_of_a_calibration_is_python(costs: Costs) -> None:
    call = ast.parse(lines(costs)[-1], mode="eval").body
    assert isinstance(call, ast.Call)
    (made,) = call.args
    assert isinstance(made, ast.Call)
    assert ast.unparse(made.func) == "Costs"
    # float("inf") is the only call among the numbers
    values = {k.arg or "": ast.unparse(k.value).replace("float('inf')", "1e999") for k in made.keywords}
    assert Costs(**{name: ast.literal_eval(text) for name, text in values.items()}) == costs
