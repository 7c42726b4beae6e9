"""What a figure of stencils shows: one panel for each entry or vector of an element, and how it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.family import counted

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.files.stencil_file import StencilFile
    from pdobasis.question.field_type import FieldType
    from pdobasis.stencils.sampled import Sampled

Panel = tuple[str, NDArray[np.float64]]
"""A title and (*shape) for colours or (2, *shape) for arrows."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Stencils, the names of their elements as far as they have any, and how they were made."""

    sampled: Sampled
    names: Sequence[str]
    made: str


def of_file(file: StencilFile) -> Drawn:
    from pdobasis.files.words import what

    names = [str(meta.get("name", "")) for meta in file.meta["elements"]]
    return Drawn(file.sampled(), names, what(file))


def of_basis(basis: Basis, sampled: Sampled, show: int) -> Drawn:
    """Names are looked up for those that are shown."""
    names: list[str] = []
    # kernels are more than the elements of the basis, which have the names
    if sampled.elements == basis.dimension:
        names = [element.name or "" for element in basis.elements[:show]]
    return Drawn(sampled, names, made_text(sampled))


def made_text(sampled: Sampled) -> str:
    """Method, size and options: gauss 5×5, sigma=1.3."""
    text = f"{sampled.method} {'×'.join(map(str, sampled.grid.size))}"
    for name, value in sampled.options:
        values = value if isinstance(value, tuple) else (value,)
        # one number for each axis, mostly the same
        if len(set(map(str, values))) == 1:
            values = values[:1]
        words = ",".join(_short(v) for v in values)
        text += f", {name}={words}"
    return text


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(getattr(value, "name", value))


def is_vector(field_type: FieldType) -> bool:
    """Whether the field is one vector of the plane: rho(g) = g."""
    if field_type.size != 2 or len(field_type.distinct) != 1:
        return False
    rep = field_type.distinct[0]
    group = rep.group
    if group.dim != 2 or rep.size != 2:
        return False
    # a homomorphism is known by what it does to the generators
    generators = zip(rep.matrices(), group.generators, strict=True)
    lie = zip(rep.lie, group.lie, strict=True)
    return all(a.equals(b) for a, b in chain(generators, lie))


def panels_of(sampled: Sampled, element: int, entries: int) -> list[Panel]:
    """The entries of an element, vectors first: a column (or row) of two is one field of arrows."""
    stencil = sampled.stencils[element]
    c_out, c_in = stencil.shape[:2]
    shown = range(min(entries, entries_of(sampled)))
    arrows = arrows_of(sampled)
    if arrows == "out":
        return [(_entry_name(1, c_in, 0, i), stencil[:, i]) for i in shown]
    if arrows == "in":
        return [(_entry_name(c_out, 1, o, 0), stencil[o]) for o in shown]
    out: list[Panel] = []
    for k in shown:
        o, i = divmod(k, c_in)
        out += _planes(sampled, _entry_name(c_out, c_in, o, i), stencil[o, i])
    return out


def arrows_of(sampled: Sampled) -> str:
    """Which vectors are drawn as arrows: those that come "out", those that go "in", or none ("")."""
    if sampled.grid.dim != 2 or sampled.places is not None:
        return ""
    if is_vector(sampled.problem.out_type):
        return "out"
    if is_vector(sampled.problem.in_type):
        return "in"
    return ""


def entries_of(sampled: Sampled) -> int:
    """How many entries an element has to draw; a vector is one."""
    c_out, c_in = sampled.stencils.shape[1:3]
    every: int = {"out": c_in, "in": c_out, "": c_out * c_in}[arrows_of(sampled)]
    return every


def _planes(sampled: Sampled, name: str, entry: NDArray[np.float64]) -> list[Panel]:
    """One entry: itself in the plane, a panel for every x3 in space."""
    entry = np.atleast_2d(entry)
    planes = entry.reshape(-1, *entry.shape[-2:])
    if sampled.grid.dim != 3:
        return [(name, plane) for plane in planes]
    out = []
    for x, plane in zip(sampled.grid.axis_nodes(2), planes, strict=True):
        third = "x3" if sampled.grid.lattice is None else "n3"
        out.append((f"{name} {third} = {x}".strip(), plane))
    return out


def _entry_name(c_out: int, c_in: int, o: int, i: int) -> str:
    """The channels of an entry, counted from 1, as far as there are several."""
    if c_out == c_in == 1:
        return ""
    if c_out == 1:
        return f"in {i + 1}"
    if c_in == 1:
        return f"out {o + 1}"
    return f"{o + 1} ← {i + 1}"


def name_of(drawn: Drawn, element: int) -> str:
    sampled = drawn.sampled
    order = f"order {sampled.orders[element]}"
    # a kernel is an angular part times a ring
    if sampled.rings is not None:
        order = f"l = {sampled.orders[element]}, ring {sampled.rings[element]}"
    name = drawn.names[element] if element < len(drawn.names) else ""
    # kernels are more than the elements of the basis, which have the names
    if not name or sampled.rings is not None:
        return order
    return f"{name}\n{order}"


def left_out(sampled: Sampled, shown: int, entries: int) -> list[str]:
    """What a picture does not show, and the argument that shows it."""
    words = []
    if shown < sampled.elements:
        words.append(
            f"{shown} of {sampled.elements} elements (show={sampled.elements})"
        )
    every = entries_of(sampled)
    if entries < every:
        words.append(f"{entries} of {every} entries (entries={every})")
    return words


def title_of(drawn: Drawn, shown: int, entries: int) -> str:
    sampled = drawn.sampled
    problem = sampled.problem
    count = counted(shown, "element")
    if shown < sampled.elements:
        count = f"{shown} of {sampled.elements} elements"
    every = entries_of(sampled)
    if entries < every:
        count += f", {entries} of {every} entries"
    return f"{problem.group.name}: {problem.in_type} → {problem.out_type}, {drawn.made}\n{count}, x1 →, x2 ↑"
