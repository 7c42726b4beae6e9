"""What a figure of stencils shows: one panel for each entry or vector of an element, and how it is called."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pdobasis.files.stencil_file import StencilFile
    from pdobasis.question.field_type import FieldType
    from pdobasis.stencils.sampled import Sampled

Panel = tuple[str, NDArray[np.float64]]
"""A title and (*shape) for colours or (2, *shape) for arrows."""


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
    if sampled.grid.dim == 2 and sampled.places is None:
        if is_vector(sampled.problem.out_type):
            columns = [(_entry_name(1, c_in, 0, i), stencil[:, i]) for i in range(c_in)]
            return columns[:entries]
        if is_vector(sampled.problem.in_type):
            rows = [(_entry_name(c_out, 1, o, 0), stencil[o]) for o in range(c_out)]
            return rows[:entries]
    out: list[Panel] = []
    for o, i in np.ndindex(c_out, c_in):
        name = _entry_name(c_out, c_in, o, i)
        out += _planes(sampled, name, stencil[o, i])
    # in space an entry has a panel for every x3
    each = 1
    if sampled.grid.dim >= 3:
        each = sampled.grid.size[-1]
    return out[: entries * each]


def _planes(sampled: Sampled, name: str, entry: NDArray[np.float64]) -> list[Panel]:
    """One entry: itself in the plane, a panel for every x3 in space."""
    entry = np.atleast_2d(entry)
    planes = entry.reshape(-1, *entry.shape[-2:])
    if sampled.grid.dim != 3:
        return [(name, plane) for plane in planes]
    out = []
    for x, plane in zip(sampled.grid.axis_nodes(2), planes, strict=True):
        out.append((f"{name} x3 = {x}".strip(), plane))
    return out


def _entry_name(c_out: int, c_in: int, o: int, i: int) -> str:
    """The channels of an entry, as far as there are several."""
    if c_out == c_in == 1:
        return ""
    if c_out == 1:
        return f"in {i}"
    if c_in == 1:
        return f"out {o}"
    return f"{o} ← {i}"


def name_of(file: StencilFile, sampled: Sampled, element: int) -> str:
    order = f"order {sampled.orders[element]}"
    # a kernel is an angular part times a ring
    if sampled.rings is not None:
        order = f"l = {sampled.orders[element]}, ring {sampled.rings[element]}"
    name = ""
    meta = file.meta["elements"]
    # kernels are more than the elements of the basis, which have the names
    if len(meta) == sampled.elements:
        name = str(meta[element].get("name", ""))
    if not name:
        return order
    return f"{name}\n{order}"


def title_of(file: StencilFile, sampled: Sampled, shown: int) -> str:
    from pdobasis.files.python_source import what

    problem = sampled.problem
    count = f"{shown} elements"
    if shown < sampled.elements:
        count = f"{shown} of {sampled.elements} elements"
    return f"{problem.group.name}: {problem.in_type} → {problem.out_type}, {what(file)}\n{count}, x1 →, x2 ↑"
