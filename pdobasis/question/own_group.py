"""A group of one's own from a YAML file.

name: my group            # optional
generators:               # finite part: names to matrices, or a list
  r: [[0, -1], [1, 0]]
lie:                      # continuous part: Lie-algebra matrices
  - [[0, -1], [1, 0]]
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pdobasis.errors import GroupError, PdoBasisError, SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import DEFAULT_LIMIT, require_closing
from pdobasis.groups.group import Group, require_invertible, require_label
from pdobasis.groups.infinite import almost_finite_order
from pdobasis.question.names import require_ascii
from pdobasis.question.yaml_files import read_mapping, read_matrices

KEYS = ("name", "dim", "generators", "lie")
MAX_NAME = 72


def load_group(
    path: Path,
    dim: int | None = None,
    limit: int = DEFAULT_LIMIT,
) -> Group:
    data = read_mapping(path, KEYS)
    # an empty name is none
    name = str(data.get("name") or "")[:MAX_NAME]
    if not name.strip():
        name = path.stem[:MAX_NAME]
    generators = read_matrices(f"{path}: generators", data.get("generators"), "g")
    lie = read_matrices(f"{path}: lie", data.get("lie"), "X")
    own_dim = data.get("dim", dim)
    group = build_group(name, generators, lie, limit, own_dim, str(path))
    return marked(group)


def build_group(
    name: str,
    generators: dict[str, ExactArray],
    lie: dict[str, ExactArray],
    limit: int = DEFAULT_LIMIT,
    dim: object = None,
    where: str = "",
) -> Group:
    """Check that the matrices make a group: one size, invertible, closing below the limit."""
    where = where or name
    require_ascii(name, f"{where}: name" if where != name else "the name of a group")
    every = {**generators, **lie}
    if not every:
        raise SpecError(
            f"{where}: give at least one matrix under 'generators' or 'lie'"
        )
    sizes = {m.shape[0] for m in every.values()}
    if dim is not None and type(dim) is not int:
        raise SpecError(f"{where}: dim has to be a whole number, got {dim!r:.40}")
    is_wanted = dim is None or sizes == {dim}
    if len(sizes) > 1 or not is_wanted:
        found = ", ".join(f"{k} is {m.shape[0]}x{m.shape[0]}" for k, m in every.items())
        wanted = ""
        if dim is not None:
            wanted = f" ({dim})"
        raise GroupError(
            f"{where}: the matrices have to be of one size{wanted}: {found}"
        )
    for label, m in generators.items():
        require_label(where, label)
        require_invertible(where, label, m)
    group = Group(
        name,
        sizes.pop(),
        tuple(generators.values()),
        tuple(generators),
        tuple(lie.values()),
    )
    # infinitely many elements cannot be listed, and what holds for generators holds for all
    if group.discrete.is_finite:
        require_closing(group.discrete, limit)
    else:
        _require_no_rounding(where, generators)
    return group


def _require_no_rounding(where: str, generators: dict[str, ExactArray]) -> None:
    """A rounded rotation has infinite order, and would be solved as what it is not."""
    for label, m in generators.items():
        order = almost_finite_order(m)
        if order is not None:
            raise GroupError(
                f"{where}: generator {label} is almost of order {order}: write its entries exactly, "
                "as sqrt(3)/2 or cos(2*pi/7)"
            )


def marked(group: Group) -> Group:
    """A name of the catalogue means the catalogue's group: another one that uses it is marked as one's own."""
    if is_catalogued(group) or not in_catalogue(group.name):
        return group
    return replace(group, name=f"{group.name} (own)")


def in_catalogue(name: str) -> bool:
    """Whether the name means a group by itself."""
    try:
        parse_group(name)
    except PdoBasisError:
        return False
    return True


def is_catalogued(group: Group) -> bool:
    """Whether the name alone gives the group back."""
    try:
        return parse_group(group.name, group.dim) == group
    except PdoBasisError:
        return False
