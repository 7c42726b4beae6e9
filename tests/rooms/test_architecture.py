"""docs/architecture.md tells the truth: rooms, name-plates, and the five walks, retraced with a profiler."""

from __future__ import annotations

import importlib
import inspect
import re
import shlex
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
WALKS = {name: re.findall(r"`(pdobasis[\w.]+)`", text) for name, text in re.findall(
    r"^\*\*(\w+)\*\* `[^`]+`\n: (.*?)(?=\n\n|\Z)", PAGE, flags=re.M | re.S)}  # fmt: skip
COMMANDS = dict(re.findall(r"^\*\*(\w+)\*\* `([^`]+)`", PAGE, flags=re.M))


def test_every_room_is_drawn_and_has_a_name_plate() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    house = next(c for c in contracts if c.get("exhaustive"))
    floors = [floor.split(" | ") for floor in house["layers"]]
    drawn = re.search(r"^pdobasis/\n(.*?)^```", PAGE, flags=re.M | re.S)
    assert drawn is not None
    listed = [line[:39].strip().split(" | ") for line in drawn.group(1).splitlines()]
    assert listed == floors
    for room in (r for floor in floors for r in floor if r != "errors"):
        plate = importlib.import_module(f"pdobasis.{room}").__doc__ or ""
        assert len(plate) > 80, f"the name-plate of {room} says too little"


def test_only_names_of_the_front_door_stand_outside_the_rooms() -> None:
    loose = {p.name for p in (ROOT / "pdobasis").glob("*.py")}
    assert loose == {"__init__.py", "__main__.py", "errors.py", "values.py", "version.py"}


@pytest.mark.parametrize("name", ["solve", "export", "verify", "layer", "table"])
def test_the_walks_are_retraced(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "verify":
        run(COMMANDS["export"])
    entered = modules_entered(lambda: run(COMMANDS[name]))
    steps = iter(entered)
    missing = [module for module in WALKS[name] if module not in steps]  # consumes: one after the other
    assert not missing


def run(command: str) -> None:
    if command.startswith("PDOConv2d"):
        nn = pytest.importorskip("pdobasis.nn")
        match = re.fullmatch(r'PDOConv2d\("(.*)", "(.*)", "(.*)", size=(\d)\)', command)
        assert match is not None
        nn.PDOConv2d(*match.groups()[:3], size=int(match.group(4)))
        return
    from pdobasis_cli import main

    result = CliRunner().invoke(main, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output


def modules_entered(action: Callable[[], None]) -> list[str]:
    """The modules of ours in the order in which functions of them are called; imports and class bodies do not count."""
    entered: list[str] = []

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        is_function = frame.f_code.co_flags & inspect.CO_OPTIMIZED
        if event == "call" and is_function and module.startswith("pdobasis") and entered[-1:] != [module]:
            entered.append(module)

    clear_caches()
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        action()
    finally:
        sys.setprofile(before)
    return entered


def clear_caches() -> None:
    """So that the walk does not end at something that is remembered."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pdobasis"):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()
