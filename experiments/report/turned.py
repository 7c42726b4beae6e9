"""Turns that training did not show: networks learn from upright digits and are tested on turned ones.

All but the ordinary one are invariant under quarter turns by construction, up to rounding. Under other turns a network
is as invariant as its stencils are round, and interpolation costs every one of them something.

Images have 30x30 points: of 28x28 the paper's network of 5x5 stencils makes 13x13, the last row and column of which
find no partner in maxima over 2x2 points, and are dropped; that is not invariant under any turn.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from experiments.data.augment import rotated
from experiments.data.samples import CACHE, Samples
from experiments.data.sets import samples
from experiments.settings.files import CONFIGS, read_config
from experiments.settings.values import Config
from experiments.training.fit import run, trained
from experiments.training.folder import Folder

METHODS: Mapping[str, str] = {
    "Vanilla CNN": "mnist_rot/vanilla_5x5",
    "Kernels": "mnist_rot/regular_kernels_5x5",
    "FD": "mnist_rot/regular_fd_5x5",
    "Gauss": "mnist_rot/regular_gauss_5x5",
    "Gauss, moments": "beyond/moments",
}
"""Rows of the tables: their network, training and rate are taken as they are."""
ANGLES = (90.0, 45.0, 22.5, 11.25)
"""In degrees: on the grid, in C16 but off the grid (twice), and halfway between two turns of C16."""
UPRIGHT, ANY = "upright", "any"
SIZE = 30
"""Becomes 28, 14, 7: all maxima are over whole blocks."""
AT_ONCE = 250


@dataclass(frozen=True, slots=True)
class Outcome:
    r"""``errors`` in percent, by how the digits were turned; ``changes`` are invariance errors of the outputs f,
    $\lVert f(gx) - f(x)\rVert / \lVert f(x)\rVert$ over all test digits x, by the angle of g in degrees."""

    method: str
    seed: int
    errors: Mapping[str, float]
    changes: Mapping[str, float]

    @property
    def plain(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "seed": self.seed,
            "errors": {name: round(value, 2) for name, value in self.errors.items()},
            "changes": {name: float(f"{value:.4g}") for name, value in self.changes.items()},
        }


def measured(seeds: int, scale: str = "reduced", source: str = "fetched", cache: Path = CACHE) -> Iterator[Outcome]:
    for seed in range(seeds):
        for method in METHODS:
            yield outcome(method, seed, upright(method, scale, source), cache)


def upright(method: str, scale: str, source: str = "fetched") -> Config:
    """The row of a method, learning from digits that are not turned."""
    row = read_config(CONFIGS / f"{METHODS[method]}.yaml", scale)
    return replace(row, data=replace(row.data, kind="mnist", source=source, size=SIZE, rotation=False))


def outcome(method: str, seed: int, config: Config, cache: Path = CACHE) -> Outcome:
    with tempfile.TemporaryDirectory() as name:
        run(config, seed, Folder(Path(name)), cache)
        model = trained(config, seed, Folder(Path(name)))
    return judged(method, seed, model, samples(config.data, seed, cache))


def judged(method: str, seed: int, model: nn.Module, data: Samples) -> Outcome:
    x, y = data.x_test, data.y_test
    # every digit by an angle of its own, the same for all networks
    angles = 2 * math.pi * torch.rand(len(x), generator=torch.Generator().manual_seed(0))
    plain, turned = answers(model, x), answers(model, rotated(x, angles))
    changes = {f"{angle:g}": _change(answers(model, by(x, angle)), plain) for angle in ANGLES}
    errors = {UPRIGHT: _wrong(plain, y), ANY: _wrong(turned, y)}
    return Outcome(method, seed, errors, changes | {ANY: _change(turned, plain)})


def by(x: Tensor, degrees: float) -> Tensor:
    """Quarter turns are exact, other turns interpolated."""
    if degrees % 90 == 0:
        return torch.rot90(x, int(degrees // 90), (2, 3))
    return rotated(x, torch.full((len(x),), math.radians(degrees)))


@torch.no_grad()
def answers(model: nn.Module, x: Tensor) -> Tensor:
    return torch.cat([model(x[start : start + AT_ONCE]) for start in range(0, len(x), AT_ONCE)])


def _change(turned: Tensor, plain: Tensor) -> float:
    return float((turned - plain).norm() / plain.norm())


def _wrong(out: Tensor, y: Tensor) -> float:
    return 100.0 * float((out.argmax(1) != y).double().mean())
