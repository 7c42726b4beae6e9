"""A group of one's own from a YAML file.

name: my group            # optional
generators:               # finite part: names to matrices, or a list
  r: [[0, -1], [1, 0]]
lie:                      # continuous part: Lie-algebra matrices
  - [[0, -1], [1, 0]]
"""

from __future__ import annotations

import re
from pathlib import Path

from pdobasis.errors import GroupError, PdoBasisError, SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.group import DEFAULT_LIMIT, Group
from pdobasis.question.yaml_files import read_mapping, read_matrices

KEYS = ("name", "dim", "generators", "lie")


def load_group(path: Path, dim: int | None = None, limit: int = DEFAULT_LIMIT) -> Group:
    data = read_mapping(path, KEYS)
    name = str(data.get("name") or path.stem)[:72]
    if in_catalogue(name):
        name += " (own)"  # a name of the catalogue means the catalogue's group
    declared = data.get("dim", dim)
    generators = read_matrices(f"{path}: generators", data.get("generators"), "g")
    lie = read_matrices(f"{path}: lie", data.get("lie"), "X")
    return build_group(name, generators, lie, limit, declared, str(path))


def in_catalogue(name: str) -> bool:
    """Whether the name means a group by itself."""
    try:
        parse_group(name)
    except PdoBasisError:
        return False
    return True


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
    every = {**generators, **lie}
    if not every:
        raise SpecError(f"{where}: give at least one matrix under 'generators' or 'lie'")
    sizes = {m.shape[0] for m in every.values()}
    if len(sizes) > 1 or (dim is not None and sizes != {dim}):
        found = ", ".join(f"{k} is {m.shape[0]}x{m.shape[0]}" for k, m in every.items())
        raise GroupError(
            f"{where}: the matrices have to be of one size{f' ({dim})' if dim is not None else ''}: {found}"
        )
    for label, m in generators.items():
        if not re.fullmatch(r"[A-Za-z]\w{0,30}", label):
            raise SpecError(
                f"{where}: the generator name {label[:40]!r} should be a letter followed by letters or digits"
            )
        try:
            m.inverse()
        except GroupError:
            raise GroupError(f"{where}: generator {label} is singular, so it is in no group") from None
    group = Group(
        name, sizes.pop(), tuple(generators.values()), tuple(generators), tuple(lie.values()), custom=True, limit=limit
    )
    _require_finite_part(group)
    return group


def _require_finite_part(group: Group) -> None:
    """The finite generators have to close, with or without Lie generators."""
    from pdobasis.groups.closure import closure

    if group.generators:
        finite = Group(group.name, group.dim, group.generators, group.labels, limit=group.limit)
        closure(finite)
