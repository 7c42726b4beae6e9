"""Rows and tables as YAML: configs/TABLE.yaml says what its rows share, configs/TABLE/ROW.yaml the rest.

The parts data, network, training and tuning of a row are merged from four places, later ones winning: the table, the
table's section for the scale, the row, the row's section for the scale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from experiments.errors import ExperimentError
from experiments.settings.schema import built
from experiments.settings.values import SCALES, Config, Data, Network, Paper, Training, Tuning
from pdobasis.errors import UnknownNameError
from pdobasis.question.yaml_files import strict_loader

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
Plain = Mapping[str, Any]
PARTS: dict[str, type] = {"data": Data, "network": Network, "training": Training, "tuning": Tuning}


@dataclass(frozen=True, slots=True)
class Part:
    """What a file may say of a configuration, at all scales or at one."""

    data: Plain = field(default_factory=dict)
    network: Plain = field(default_factory=dict)
    training: Plain = field(default_factory=dict)
    tuning: Plain = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scales:
    full: Part = field(default_factory=Part)
    reduced: Part = field(default_factory=Part)
    smoke: Part = field(default_factory=Part)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the paper or of our own: ``columns`` head the labels, ``measure`` is the metric that is compared."""

    title: str
    columns: tuple[str, ...]
    task: str
    measure: str
    unit: str
    rows: tuple[str, ...]
    digits: int = 2
    seeds: int = 3
    about: str = ""
    data: Plain = field(default_factory=dict)
    network: Plain = field(default_factory=dict)
    training: Plain = field(default_factory=dict)
    tuning: Plain = field(default_factory=dict)
    scales: Scales = field(default_factory=Scales)


@dataclass(frozen=True, slots=True)
class Row:
    labels: tuple[str, ...]
    paper: Paper = field(default_factory=Paper)
    parameters: int | None = None
    note: str = ""
    data: Plain = field(default_factory=dict)
    network: Plain = field(default_factory=dict)
    training: Plain = field(default_factory=dict)
    tuning: Plain = field(default_factory=dict)
    scales: Scales = field(default_factory=Scales)


def tables(folder: Path = CONFIGS) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.yaml"))


def read_table(name: str, folder: Path = CONFIGS) -> Table:
    path = folder / f"{name}.yaml"
    if not path.exists():
        raise UnknownNameError("table", name, tables(folder), f"(known: {', '.join(tables(folder))})")
    return built(Table, _plain(path), path.name)


def read_config(path: Path, scale: str) -> Config:
    """A row at a scale, with what its table says."""
    if scale not in SCALES:
        raise UnknownNameError("scale", scale, SCALES, f"(one of {', '.join(SCALES)})")
    row = built(Row, _plain(path), path.name)
    table = read_table(path.parent.name, path.parent.parent)
    if len(row.labels) != len(table.columns):
        raise ExperimentError(f"{path.name}: labels are {', '.join(table.columns)}, got {list(row.labels)}")
    places = [table, getattr(table.scales, scale), row, getattr(row.scales, scale)]
    merged = {name: _merged([getattr(place, name) for place in places]) for name in PARTS}
    parts: dict[str, Any] = {name: built(kind, merged[name], f"{path.name}: {name}") for name, kind in PARTS.items()}
    return Config(
        table=path.parent.name,
        name=path.stem,
        scale=scale,
        labels=row.labels,
        task=table.task,
        paper=row.paper,
        parameters=row.parameters,
        note=row.note,
        **parts,
    )


def rows(table: str, scale: str, folder: Path = CONFIGS) -> list[Config]:
    """All rows, in the order of the table; a file that the table does not name is a mistake."""
    names = read_table(table, folder).rows
    there = {path.stem for path in (folder / table).glob("*.yaml")}
    if unknown := sorted(there ^ set(names)):
        raise ExperimentError(f"{table}.yaml and the files in {table}/ differ: {', '.join(unknown)}")
    return [read_config(folder / table / f"{name}.yaml", scale) for name in names]


def _plain(path: Path) -> object:
    try:
        # PyYAML alone keeps the last of two equal keys without a word
        return yaml.load(path.read_text(encoding="utf-8"), Loader=strict_loader())
    except OSError as error:
        raise ExperimentError(f"cannot read {path}: {error.strerror}") from None
    # numbers of thousands of digits, and dates that are none, are a ValueError as text that cannot be decoded is
    except (yaml.YAMLError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ExperimentError(f"{path} is no YAML: {reason}") from None


def _merged(places: list[Plain]) -> dict[str, Any]:
    """Later keys win; mappings inside are merged in the same way."""
    out: dict[str, Any] = {}
    for place in places:
        if not isinstance(place, Mapping):
            raise ExperimentError(f"expected keys and values, got {place!r}")
        for key, value in place.items():
            if isinstance(value, Mapping) and isinstance(out.get(key), Mapping):
                value = _merged([out[key], value])
            out[key] = value
    return out
