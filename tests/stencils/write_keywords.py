"""Write pdobasis/stencils/keywords.py from the registry: ``python -m tests.stencils.write_keywords``.

Editors and type checkers read files, not registers. A discretization is one file with its options, and this command
writes what follows from it; `test_keywords` compares.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from pdobasis.stencils.discretization import Discretization
from pdobasis.stencils.options import Option
from pdobasis.stencils.registry import discretizations

PATH = Path(__file__).parents[2] / "pdobasis" / "stencils" / "keywords.py"

TOP = '''"""The options of stencils as keywords with types, for editors and type checkers.

Written from the registry of discretizations by ``python -m tests.stencils.write_keywords``: change the options there.
Those of a discretization of one's own, which is registered later, are taken in the same way and checked when the call
is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
{imports}

class GridKeywords(TypedDict, total=False):
    """Of the grid, whatever the method."""

    spacing: Number | Sequence[Number] | None
    """Between points.  [1]"""
    dilation: int | Sequence[int] | None
    """Take every so many points.  [1]"""
    offset: Number | Sequence[Number] | None
    """Of the points from the place of the derivative, in steps.  [0]"""
    layout: Layout | None
    """grid: coordinates grow with the index; image: x2 grows upwards.  [grid]"""
    lattice: Lattice | str | Sequence[Sequence[Any]] | None
    """On which the nodes lie, in steps along its vectors; window is then for every method.  [none]"""


class PlaceKeywords(TypedDict, total=False):
    """Of a staggered grid: one place in the cell for each component."""

    in_offsets: Sequence[Sequence[Any]] | None
    """Of the input.  [all at 0]"""
    out_offsets: Sequence[Sequence[Any]] | None
    """Of the output.  [all at 0]"""

'''

BOTTOM = '''

class SamplingKeywords(GridKeywords, MethodKeywords, total=False):
    """Of stencils on one grid."""


class StencilKeywords(SamplingKeywords, PlaceKeywords, total=False):
    """Of stencils on a grid, which may be staggered."""
'''

ALWAYS = {
    ("collections.abc", "Sequence"),
    ("pdobasis.stencils.grids", "Layout"),
    ("pdobasis.stencils.grids", "Number"),
    ("pdobasis.stencils.lattices", "Lattice"),
}


def source() -> str:
    """The module as it should be."""
    methods = discretizations()
    on_clouds = [m for m in methods if m.has_clouds]
    imports = sorted(ALWAYS | {home for m in methods for home in _homes(m)})
    by_module: dict[str, list[str]] = {}
    for module, name in imports:
        by_module.setdefault(module, []).append(name)
    # those of the standard library first, as ruff sorts them
    lines = [""]
    for module in sorted(by_module, key=lambda m: (m.startswith("pdobasis"), m)):
        if module.startswith("pdobasis") and "pdobasis" not in lines[-1]:
            lines.append("")
        lines.append(f"    from {module} import {', '.join(by_module[module])}")
    text = TOP.replace("{imports}", "\n".join(lines[1:]) + "\n")
    text += _keywords("MethodKeywords", "Of the methods; each takes its own.", methods)
    text += "\n" + _keywords("CloudKeywords", "Of the methods that work on points.", on_clouds)
    on_lattices = [m for m in methods if m.has_clouds or m.samples_kernels]
    told = "Of the methods that take nodes of a lattice as points, or sample kernels there."
    text += "\n" + _keywords("LatticeKeywords", told, on_lattices)
    return text + BOTTOM


def _keywords(name: str, told: str, methods: Iterable[Discretization[Any]]) -> str:
    types: dict[str, list[str]] = {}
    helps: dict[str, str] = {}
    for method in methods:
        own = {f.name: str(f.type) for f in fields(method.Options)}
        for option in method.options:
            # one that several methods have takes what any of them takes
            types.setdefault(option.name, []).append(own[option.name])
            helps.setdefault(option.name, _told(method.name, option))
    lines = ["", f"class {name}(TypedDict, total=False):", f'    """{told}"""', ""]
    for option_name, kinds in types.items():
        lines.append(f"    {option_name}: {_or_none(' | '.join(kinds))}")
        lines.append(f'    """{helps[option_name]}"""')
    return "\n".join(lines) + "\n"


def _told(method: str, option: Option) -> str:
    text = " ".join(option.help.split("  [")[0].split()) or "Where systems are refused."
    text = f"Of {method}: {text[0].lower()}{text[1:]}"
    if "  [" in option.help:
        text += "  [" + option.help.split("  [")[1]
    return text


def _or_none(annotation: str) -> str:
    """NOT_GIVEN is what stands in the dataclass; nobody types it."""
    parts = [part for part in annotation.split(" | ") if part not in ("NotGiven", "None")]
    return " | ".join([*dict.fromkeys(parts), "None"])


def _homes(method: Discretization[Any]) -> Iterable[tuple[str, str]]:
    """The module and the name of every type that is no builtin."""
    module = sys.modules[method.Options.__module__]
    for f in fields(method.Options):
        for word in re.findall(r"[A-Za-z_]\w*", _or_none(str(f.type))):
            value = getattr(module, word, None)
            if isinstance(value, type):
                yield value.__module__, word
            elif value is not None:
                yield module.__name__, word


if __name__ == "__main__":
    PATH.write_text(source(), encoding="utf-8")
