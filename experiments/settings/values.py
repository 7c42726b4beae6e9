"""The parts of a configuration: data, network, training; and what the paper printed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

SCALES = ("full", "reduced", "smoke")
"""As in the paper, for a GPU; what two processors finish; what a test can wait for."""


@dataclass(frozen=True, slots=True)
class Data:
    """``source`` is "fetched" (or solved, for flows) or "made": random images, of which a test needs no better ones.

    The seed of a run chooses its ``train`` samples; the ``test`` samples are the same for all. ``validation`` samples
    follow those for training, and take the place of the test samples when rates are chosen.
    """

    kind: str
    source: str = "fetched"
    train: int = 12_000
    test: int = 50_000
    validation: int = 0
    size: int = 28
    rotation: bool = False
    quarter_turns: bool = False
    flip: bool = False
    crop: int = 0
    cutout: int = 0


@dataclass(frozen=True, slots=True)
class Layers:
    """How PDOs become filters: arguments of the layers; what is None is left to their defaults.

    ``stencil`` is a discretization, several joined by "+", or "conv": ordinary filters.
    """

    stencil: str = "gauss"
    order: int | None = None
    sigma: float | None = None
    sigma_paper: float | None = None
    normalize: str | None = None
    phi: str | None = None
    max_offset: int | None = None
    frame_order: int | None = None
    frame_angle: str | None = None
    spacing: float | None = None
    parametrisation: str | None = None
    init: str | None = None


@dataclass(frozen=True, slots=True)
class Network:
    """``kind`` names the builder, which knows what the other words mean to it; ``width`` multiplies all fields."""

    kind: str
    group: str = "C16"
    size: int = 5
    width: float = 1.0
    fields: str = "regular"
    counts: tuple[int, ...] = ()
    restriction: str | None = None
    groups: tuple[str, ...] = ()
    depth: int = 16
    dropout: float = 0.0
    norm: bool = True
    nonlinearity: str = "elu"
    layers: Layers = field(default_factory=Layers)


@dataclass(frozen=True, slots=True)
class Training:
    """The rate in epoch e is ``rate``, times ``warm_factor`` before ``warm_epochs``, times ``decay`` for each epoch
    from ``hold_epochs`` on, times ``step_factor`` for each of the ``milestones`` passed; with ``cycle`` it rises over
    the first 30 % of all steps and falls to zero, as cosines do.

    ``decayed`` says which weights decay: "all", or "convolutions" for those and the hidden linear layers.
    """

    epochs: int
    batch: int
    rate: float
    optimiser: str = "adam"
    momentum: float = 0.0
    nesterov: bool = False
    weight_decay: float = 0.0
    decayed: str = "all"
    warm_epochs: int = 0
    warm_factor: float = 1.0
    hold_epochs: int = 0
    decay: float = 1.0
    milestones: tuple[int, ...] = ()
    step_factor: float = 1.0
    cycle: bool = False
    evaluate_every: int = 0
    checkpoint_steps: int = 100


@dataclass(frozen=True, slots=True)
class Tuning:
    """How the rate of a row is chosen: for each of the ``rates`` a short run, judged on validation samples."""

    rates: tuple[float, ...] = ()
    train: int = 0
    validation: int = 0
    epochs: int = 1


@dataclass(frozen=True, slots=True)
class Paper:
    """As printed: ``error`` in the units of the table, ``parameters`` in its words."""

    error: float | None = None
    deviation: float | None = None
    parameters: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """All that a run depends on but its seed. ``name`` and ``table`` say where it stands; ``labels`` head its row."""

    table: str
    name: str
    scale: str
    labels: tuple[str, ...]
    task: str
    data: Data
    network: Network
    training: Training
    tuning: Tuning = field(default_factory=Tuning)
    paper: Paper = field(default_factory=Paper)
    parameters: int | None = None
    """Of the full network; a test counts them."""
    note: str = ""

    @property
    def recipe(self) -> Mapping[str, Any]:
        """What the numbers of a run depend on, as plain data: JSON and back gives the same."""
        parts = {"task": self.task, "data": asdict(self.data), "network": asdict(self.network)}
        plain: Mapping[str, Any] = json.loads(json.dumps(parts | {"training": asdict(self.training)}))
        return plain

    @property
    def digest(self) -> str:
        text = json.dumps(self.recipe, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]
