"""The benchmark of training: a sweep goes on where it was stopped, and the page says what the lines say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
ROOT = Path(__file__).resolve().parents[1]
Errors = Mapping[str, Mapping[float, Sequence[float]]]
"""By parametrisation, rate and seed."""


@pytest.fixture(autouse=True)
def _checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmarks are no part of what is installed."""
    monkeypatch.syspath_prepend(str(ROOT))


def test_a_sweep_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    from benchmarks.training.data import digits
    from benchmarks.training.runs import sweep
    from benchmarks.training.setting import Design

    _write_noise(tmp_path)
    design = Design(("mnist",), ("fd",), ("unit",), rate=(0.01,), seed=(0, 1), width=(0.01,), images=(32,), epochs=(1,))
    results = tmp_path / "runs.jsonl"

    def made() -> int:
        return len(list(sweep(design.settings(), results, jobs=1, source=partial(digits, cache=tmp_path))))

    assert made() == 2
    whole = results.read_text().splitlines()
    assert made() == 0
    assert results.read_text().splitlines() == whole
    # Killed while the second line was written: the first run stays, the second is made again, with the same numbers.
    results.write_text(whole[0] + "\n" + whole[1][:40])
    assert made() == 1
    again = results.read_text().splitlines()
    assert again[0] == whole[0]
    assert _without_time(again[1]) == _without_time(whole[1])


def test_two_processes_write_every_run_once(tmp_path: Path) -> None:
    _write_noise(tmp_path)
    results = tmp_path / "runs.jsonl"
    command = [sys.executable, "-m", "benchmarks.training", "sweep", "mnist", "--jobs", "2", "--cache", str(tmp_path)]
    axes = ["--stencil", "fd", "--parametrisation", "unit,plain", "--rate", "0.01", "--seed", "0", "--width", "0.01"]
    done = subprocess.run(
        [*command, *axes, "--images", "32", "--epochs", "1", "--results", str(results)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == results.read_text()
    assert sorted(json.loads(line)["parametrisation"] for line in done.stdout.splitlines()) == ["plain", "unit"]


def _write_noise(cache: Path) -> None:
    """Digits that are none, in the file that `fetch` makes."""
    random = np.random.default_rng(0)
    images, labels = random.integers(0, 256, (40, 28, 28), dtype=np.uint8), np.arange(40, dtype=np.uint8) % 10
    np.savez(cache / "mnist_rotated_0.npz", images=images, labels=labels, images_test=images, labels_test=labels)


def _without_time(line: str) -> str:
    return line[: line.index('"seconds"')]


def test_a_common_rate_and_what_is_worse_than_plain() -> None:
    """By hand: plain is best at 0.01 with one stencil and at 0.1 with the other, unit at 0.1 with both."""
    from benchmarks.training.curves import cases, verdicts

    fd = {"plain": {0.01: (0.02, 0.02), 0.1: (0.20, 0.20)}, "unit": {0.01: (0.08, 0.08), 0.1: (0.02, 0.021)}}
    gauss = {"plain": {0.01: (0.08, 0.08), 0.1: (0.01, 0.01)}, "unit": {0.01: (0.04, 0.04), 0.1: (0.04, 0.04)}}
    found = cases(_runs("fd", fd) + _runs("gauss", gauss))
    one, other = found
    assert found[one]["plain"].best_rate == 0.01
    assert found[one]["unit"].good_rates == [0.1]
    assert found[other]["unit"].good_rates == [0.01, 0.1]
    said = verdicts(found)
    # plain: ratios 1 and 8 at 0.01, 10 and 1 at 0.1
    assert said["plain"].rate == 0.01
    assert list(said["plain"].ratios.values()) == [1.0, 8.0]
    assert (said["plain"].good, said["plain"].worse) == ([one], [other])
    # unit at 0.1: 1.025 is within a tenth, 4 is not
    assert said["unit"].rate == 0.1
    assert (said["unit"].worst, said["unit"].worse) == (other, [other])
    assert list(said["plain"].own.values()) == [1.0, 1.0]


def test_scattered_errors_are_not_called_worse() -> None:
    from benchmarks.training.curves import cases, is_worse

    errors = {"plain": {0.01: (0.02, 0.02, 0.02)}, "unit": {0.01: (0.02, 0.02, 0.05), 0.1: (0.03, 0.03, 0.031)}}
    (curves,) = cases(_runs("fd", errors)).values()
    assert not is_worse(curves["unit"], 0.01, curves["plain"])
    assert is_worse(curves["unit"], 0.1, curves["plain"])


def _runs(stencil: str, errors: Errors) -> list[Any]:
    from benchmarks.training.runs import Run
    from benchmarks.training.setting import Setting

    return [
        Run(Setting("digits", stencil, name, rate=rate, seed=seed), error, None, 1, 0.0, "")
        for name, by_rate in errors.items()
        for rate, by_seed in by_rate.items()
        for seed, error in enumerate(by_seed)
    ]


def test_the_page_has_the_means_of_the_lines_and_says_what_is_missing() -> None:
    from benchmarks.training.report import page
    from benchmarks.training.runs import Run

    made = _runs("fd", {"plain": {0.01: (0.02, 0.04, 0.06)}, "unit": {0.01: (0.02, 0.02, 0.02), 0.1: (0.5, 0.5, 0.5)}})
    text = page([Run.from_line(run.line) for run in made])
    assert "| FD | plain | he | **4.0 ± 2.0** | – | 0.01 |" in text
    assert "| FD | unit | he | **2.0 ± 0.0** | 50.0 ± 0.0 | 0.01 |" in text
    assert "**306 of 315 runs are missing.**" in text


def test_the_default_is_judged_at_one_rate_and_at_its_better_one() -> None:
    """By hand: plain has 4 % at 0.03; graded 5 % at 0.1, a quarter more, and 4.2 % at 0.03, which is within a tenth."""
    from benchmarks.training.designs import DESIGNS
    from benchmarks.training.report import page
    from benchmarks.training.runs import Run

    errors = {"plain": {0.01: 0.06, 0.03: 0.04, 0.1: 0.08}, "graded": {0.03: 0.042, 0.1: 0.05}}
    settings = [*DESIGNS["settle_wide"].settings(), *DESIGNS["settle_wide_graded"].settings()]
    made = [Run(s, errors[s.parametrisation][s.rate], None, 1, 0.0, "") for s in settings]
    text = page(made)
    assert "(a) **1 of 1**: FD, digits, width 2; (b) **0 of 1**. At 0.03 for all" in text
    assert "| +1.0 ± 0.0, **worse** | +0.2 ± 0.0 | +0.2 ± 0.0 | 10 |" in text
    # These seeds have two parametrisations, so that they are no case of the first table.
    assert "No case has all parametrisations yet." in text


def test_the_page_in_the_repository_is_that_of_its_lines() -> None:
    from benchmarks.training.report import isotropic, page
    from benchmarks.training.runs import read

    lines = ROOT / "docs" / "benchmarks" / "training.jsonl"
    assert lines.with_suffix(".md").read_text() == page(read(lines), read(isotropic(lines)))


def test_ordinary_filters_are_run_once_for_all_that_only_layers_know() -> None:
    from benchmarks.training.setting import UNCONSTRAINED, Design

    design = Design(task=("digits",), stencil=("fd", UNCONSTRAINED), rate=(0.01, 0.1), seed=(0,))
    assert [s.stencil for s in design.settings()] == ["fd"] * 8 + [UNCONSTRAINED] * 2


def test_tempered_filters_lie_between_unit_and_orthonormal() -> None:
    import torch

    from benchmarks.training.tempered import change, scales, tempered
    from pdobasis.layers.parametrise import parametrise
    from pdobasis.nn import PDOConv2d

    torch.manual_seed(0)
    layer = PDOConv2d("C8", "2xregular", "regular", 3, size=5, stencil="fd", dtype=torch.float64)
    for k, name in ((1.0, "orthonormal"), (0.0, "unit")):
        found, wanted = tempered(layer.basis, k).pairs[0], parametrise(layer.basis, name).pairs[0]
        np.testing.assert_allclose(found.to_coefficients, wanted.to_coefficients, atol=1e-12)
    before, start = layer.filter().detach(), layer.coefficients["regular", "regular"].detach()
    change(layer, "tempered-0.5", "he")
    torch.testing.assert_close(layer.filter(), before, rtol=1e-10, atol=1e-12)
    change(layer, "orthonormal", "halving")
    by_order = layer.coefficients["regular", "regular"].detach() / start
    pair = layer.basis.pairs[0]
    # Eight elements of order 0, 16, 24 and 32 of the others: together as much as before.
    factors = scales(Counter(pair.orders))
    assert sum(factors[n] ** 2 for n in pair.orders) == pytest.approx(len(pair.orders))
    np.testing.assert_allclose(by_order[0, 0].numpy(), [factors[n] for n in pair.orders], rtol=1e-6)


def test_spectral_filters_are_those_of_the_library_for_white_images() -> None:
    from benchmarks.training.tempered import change, covariance, spectral
    from pdobasis.layers.parametrise import ORTHONORMAL, parametrise
    from pdobasis.nn import PDOConv2d

    layer = PDOConv2d("C4", "regular", "regular", size=5, stencil="fd")
    before = layer.filter().detach().clone()
    for own, white in zip(spectral(layer.basis, 0).pairs, parametrise(layer.basis, ORTHONORMAL).pairs, strict=True):
        np.testing.assert_allclose(own.forth, white.forth, atol=1e-9)
    # the same filters; steps of norm 1 for images of the power |k|^-2
    change(layer, "spectral-2", "he")
    np.testing.assert_allclose(layer.filter().detach().numpy(), before.numpy(), atol=1e-5)
    (pair,) = spectral(layer.basis, 2).pairs
    atoms = layer.basis.atoms
    flat = (pair.forth.swapaxes(1, 2) @ (pair.packed.coefficients @ atoms.reshape(len(atoms), -1)).reshape(
        *pair.forth.shape[:2], -1
    )).reshape(*pair.forth.shape[:2], -1, 25)  # fmt: skip
    products = np.einsum("ceat,ts,cfas->cef", flat, covariance(5, 2), flat)
    np.testing.assert_allclose(products, np.broadcast_to(np.eye(products.shape[1]), products.shape), atol=1e-9)


@pytest.mark.parametrize("group", ["C8", "C16"])  # C16 in components
def test_turned_coordinates_are_orthonormal_and_keep_the_filters(group: str) -> None:
    import torch

    from benchmarks.training.tempered import change, roughness, turned
    from pdobasis.nn import PDOConv2d

    layer = PDOConv2d(group, "regular", "regular", 3, size=5, stencil="fd", dtype=torch.float64)
    pair, before = layer.basis.pairs[0], layer.filter().detach()
    atoms = layer.basis.atoms.reshape(len(layer.basis.atoms), -1)
    for name in ("principal", "falling"):
        (own,) = turned(layer.basis, name).pairs
        taps = own.elements @ atoms
        flat = taps.reshape(*taps.shape[:2], -1)
        white, rough = ((taps @ form).reshape(flat.shape) @ flat.swapaxes(1, 2) for form in (np.eye(25), roughness(5)))
        np.testing.assert_allclose(white, np.broadcast_to(np.eye(white.shape[1]), white.shape), atol=1e-9)
        change(layer, name, "he")
        torch.testing.assert_close(layer.filter().detach(), before, rtol=1e-10, atol=1e-12)
        # One band for each coordinate, from smooth to rough; from the highest order down no lower one is mixed in.
        values = np.diagonal(rough, axis1=1, axis2=2)
        is_diagonal = np.allclose(rough, values[:, :, None] * np.eye(rough.shape[1]), atol=1e-9)
        assert is_diagonal == (name == "principal")
        lowest = [
            min(n for n, t in zip(pair.orders, row, strict=True) if abs(t) > 1e-9) for row in own.to_coefficients.T
        ]
        assert (sorted(lowest) == sorted(pair.orders)) == (name == "falling")
        if name == "principal":
            assert (np.diff(values) > -1e-9).all()


def test_the_network_with_maxima_has_no_means_left() -> None:
    from torch import nn

    from benchmarks.training.networks import network
    from benchmarks.training.setting import MAXIMA, Setting
    from pdobasis.nn import GlobalPool

    means, maxima = (list(network(Setting(task=task, width=1 / 3))) for task in ("digits", MAXIMA))
    assert [type(part) for part in maxima if isinstance(part, (nn.AvgPool2d, nn.MaxPool2d))] == [nn.MaxPool2d] * 2
    assert [part.how for part in (*means, *maxima) if isinstance(part, GlobalPool)] == ["mean", "max"]
    assert len(means) == len(maxima)
