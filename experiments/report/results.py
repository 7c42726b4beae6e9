"""Finished runs as lines of JSON, one file a table: in the repository, tables and the page need nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments.settings.values import Config
from experiments.training.folder import Folder, Line
from pdobasis.files.atomic import write_atomically


def all_results(table: str, results: Path, runs: Path | None = None) -> list[Line]:
    """Those in the repository, and those of the folder of runs, which win."""
    found = {_key(line): line for line in read_results(results / f"{table}.jsonl")}
    if runs is not None:
        found |= {_key(line): line for line in finished(runs, table)}
    return [found[key] for key in sorted(found)]


def read_results(path: Path) -> list[Line]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def finished(runs: Path, table: str) -> Iterator[Line]:
    for path in sorted((runs / table).glob("*/result.json")):
        result = Folder(path.parent).result
        if result is not None:
            yield result


def collected(runs: Path, results: Path) -> Iterator[tuple[Path, int]]:
    """For every table in the folder of runs: its file in the repository, and how many runs are in it now."""
    results.mkdir(parents=True, exist_ok=True)
    for folder in sorted(path for path in runs.glob("*") if path.is_dir()):
        lines = all_results(folder.name, results, runs)
        path = results / f"{folder.name}.jsonl"
        write_atomically(path, "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines).encode())
        yield path, len(lines)


def of_config(lines: Sequence[Line], config: Config) -> list[Line]:
    """The runs of a row as it is configured now; those of another recipe are not its."""
    return [line for line in lines if line["row"] == config.name and line["digest"] == config.digest]


def _key(line: Line) -> tuple[str, str, int, str]:
    return line["row"], line["scale"], line["seed"], line["digest"]
