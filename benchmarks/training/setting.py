"""What a run depends on, and designs: sets of runs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product

DEFAULT = "default"
"""Of a stencil, a parametrisation or an initialisation: the layer is not told."""
UNCONSTRAINED = "unconstrained"
"""In place of a stencil: ordinary filters."""

MAXIMA = "digits-max"
"""The task of the digits for a network of PDOs with maxima in place of means."""

LOOKS = (10, 11)
"""Seeds of runs that were made to look for something, and are not among those that judge."""
OTHERS = (20, 21, 22)
"""Seeds of runs that repeat others."""
FRESH = (200, 201, 202, 203, 204, 205)
"""Seeds of the designs with other coordinates, which were written down when none of them had been seen."""
AGAIN = (400, 401, 402)
"""Seeds of the designs that judge the default once more, written down when none of them had been seen."""
LAST = tuple(range(600, 610))
"""Seeds that settle whether the default is nowhere worse than plain; written down when none of them had been seen."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One run. Two runs with equal settings give equal numbers.

    ``width`` multiplies the numbers of fields of the network, ``rate`` is the highest of the schedule, and the seed
    settles the images, the first weights and the order of the batches.
    """

    task: str = "digits"
    stencil: str = "fd"
    parametrisation: str = "plain"
    init: str = "he"
    rate: float = 0.01
    seed: int = 0
    size: int = 5
    spacing: float = 1.0
    width: float = 1.0
    images: int = 600
    batch: int = 32
    epochs: int = 10


@dataclass(frozen=True, slots=True)
class Design:
    """All combinations of the values on the axes; with ordinary filters what only layers of ours know is left out."""

    task: tuple[str, ...]
    stencil: tuple[str, ...]
    parametrisation: tuple[str, ...] = ("plain", "unit", "orthonormal", "graded")
    init: tuple[str, ...] = ("he",)
    rate: tuple[float, ...] = (0.003, 0.01, 0.03, 0.1, 0.3)
    seed: tuple[int, ...] = (0, 1, 2)
    size: tuple[int, ...] = (5,)
    spacing: tuple[float, ...] = (1.0,)
    width: tuple[float, ...] = (1.0,)
    images: tuple[int, ...] = (600,)
    batch: tuple[int, ...] = (32,)
    epochs: tuple[int, ...] = (10,)

    def settings(self) -> list[Setting]:
        axes = [getattr(self, f.name) for f in fields(self)]
        found = dict.fromkeys(_without_ours(Setting(*values)) for values in product(*axes))
        # Seed after seed: a sweep that is stopped has run everything about equally often.
        return sorted(found, key=lambda setting: setting.seed)


def _without_ours(setting: Setting) -> Setting:
    if setting.stencil != UNCONSTRAINED:
        return setting
    known = {f.name: getattr(setting, f.name) for f in fields(setting)}
    return Setting(**known | {"parametrisation": "–", "init": "–", "spacing": 1.0})
