"""A representation of one's own from a YAML file: a matrix for each generator and Lie generator of the group.

generators:
  r: [[0, -1], [1, 0]]
lie:
  - [[0, -2], [2, 0]]
cover: false              # true: a representation of a covering group is meant, such as spin 1/2
"""

from __future__ import annotations

import re
from pathlib import Path

from pdobasis.errors import RepresentationError, SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.groups.group import Group
from pdobasis.question.names import require_ascii
from pdobasis.question.yaml_files import read_mapping, read_matrices
from pdobasis.representations.checks import require_representation
from pdobasis.representations.representation import Representation, from_matrices

KEYS = ("name", "size", "generators", "lie", "cover")
MAX_SIZE = 500


def load_representation(path: Path, group: Group) -> Representation:
    require_ascii(str(path), "a representation of one's own is called by its file")
    data = read_mapping(path, KEYS)
    generators = read_matrices(f"{path}: generators", data.get("generators"), "g")
    lie = read_matrices(f"{path}: lie", data.get("lie"), "X")
    cover = data.get("cover", False)
    return build_representation(str(path), group, generators, lie, cover)


def build_representation(
    spec: str,
    group: Group,
    generators: dict[str, ExactArray],
    lie: dict[str, ExactArray],
    cover: object = False,
) -> Representation:
    """Match the matrices with the group's generators and check that they are a representation (of a cover, if told)."""
    # a text such as "no" would count as true
    if not isinstance(cover, bool):
        raise SpecError(f"{spec}: cover has to be true or false, got {cover!r:.40}")
    on_generators = _matched(spec, generators, group.labels)
    if len(lie) != len(group.lie):
        raise RepresentationError(
            f"{spec}: {group.name} has {len(group.lie)} Lie generators, the file {len(lie)}"
        )
    on_lie = tuple(lie.values())
    sizes = {m.shape[0] for m in (*on_generators, *on_lie)}
    if len(sizes) != 1:
        raise RepresentationError(
            f"{spec}: the matrices have to be of one size, got {sorted(sizes) or 'none'}"
        )
    (size,) = sizes
    if size > MAX_SIZE:
        raise RepresentationError(
            f"{spec}: size {size}, at most {MAX_SIZE} from a file"
        )
    known = require_representation(group, spec, on_generators, on_lie, cover=cover)
    return from_matrices(
        group,
        spec,
        size,
        on_generators,
        on_lie,
        own=True,
        hypothesis=known,
    )


def _matched(
    spec: str,
    matrices: dict[str, ExactArray],
    labels: tuple[str, ...],
) -> tuple[ExactArray, ...]:
    """In the order of the group's generators."""
    # g1, g2, … are the names that a list got: then the order is all there is
    are_numbered = all(re.fullmatch(r"g\d+", name) for name in matrices)
    if are_numbered and len(matrices) == len(labels):
        return tuple(matrices.values())
    if set(matrices) != set(labels):
        raise SpecError(
            f"{spec}: expected one matrix for each generator ({', '.join(labels) or 'none'}), "
            f"got {', '.join(matrices) or 'none'}"
        )
    return tuple(matrices[label] for label in labels)
