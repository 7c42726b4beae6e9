"""How a group acts on x, as the proof sees it: by its matrices, whatever the group says of itself.

Solvers ask ``Group.on_space`` and ``Group.lie_on_space``. Were the proof to ask them too, a wrong answer would be
another question for both, and what is false would be certified. So the proof looks at the matrices that elements and
characters are counted with. Elements that act on fields alone, once there are any, have to be known here by themselves.
"""

from __future__ import annotations

from pdobasis.exact.array import ExactArray
from pdobasis.groups.group import Group


def on_space(group: Group) -> tuple[ExactArray, ...]:
    """The matrix by which every generator moves x."""
    return group.generators


def lie_on_space(group: Group) -> tuple[ExactArray, ...]:
    """The matrix by which every Lie generator moves x."""
    return group.lie
