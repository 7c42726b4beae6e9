r"""Null spaces of systems that come in stages, one for each generator.

The solutions V of the first stage $A_1$ are few, and so the second stage is a
small system $A_2 V$, and so on: what commutes with a subgroup comes first, and
then what commutes with the whole group. Everything is done modulo primes, at
all places side by side, component by component; only the last result is lifted
to K, and checked there exactly.

Echelon forms compose: where W and V are in reduced row echelon form, so is W V.
For V has unit columns at its leading unknowns, so W V has there what W has; and
V vanishes before them, so W V starts where W leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pdobasis.exact.field import RATIONALS, join
from pdobasis.linear.small import small_null_space
from pdobasis.linear.sparse import Sparse

SMALL = 900
"""Entries of a system up to which Python's integers are faster."""


def null_space_in_stages(stages: Sequence[Sparse]) -> Sparse:
    """The solutions of all stages, as :func:`null_space` gives those of one.

    A few entries in Python's integers; else modulo one small prime, then two,
    then as many large ones as it takes; over Q where square roots only scale
    equations and unknowns.
    """
    fields = (stage.values.field for stage in stages)
    field = reduce(join, fields, RATIONALS)
    if sum(len(stage.rows) for stage in stages) <= SMALL:
        if field.is_rational:
            return small_null_space(stages)
        # loaded where a field is needed, as what follows is
        from pdobasis.linear.small_fields import packed_null_space

        found = packed_null_space(stages, field)
        if found is not None:
            return found
    # most questions end above: what the others need is loaded with the first of them
    from pdobasis.linear.lane_stages import by_lanes

    return by_lanes(stages, field)
