"""The derivatives of fields that terms need, from arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pdobasis.errors import SpecError
from pdobasis.nonlinear.polynomials import Coordinate
from pdobasis.nonlinear.question import TermsQuestion
from pdobasis.stencils.on_arrays import Array, Derivative


def field_arrays(
    question: TermsQuestion, fields: Mapping[str, ArrayLike], space: int
) -> tuple[dict[tuple[int, int], Array], dict[tuple[int, int], Array], tuple[int, ...]]:
    """(components of fields, of their time derivatives, shape of space).

    A field is (components, *space), a scalar may be *space alone; ``u_t`` holds ∂_t u, and ``u_tt`` its derivative.
    Constants are numbers, one for each component.
    """
    known = {field.name: k for k, field in enumerate(question.fields)}
    values: dict[tuple[int, int], Array] = {}
    rates: dict[tuple[int, int], Array] = {}
    shape: tuple[int, ...] | None = None
    for name, given in fields.items():
        base, _, suffix = name.partition("_")
        order = len(suffix)
        if base not in known or suffix.strip("t"):
            names = ", ".join(known)
            raise SpecError(f"no field {name!r:.40} in these terms: they have {names}")
        k = known[base]
        field = question.fields[k]
        if np.iscomplexobj(given):
            raise SpecError(
                f"{name} is complex: give its real and imaginary parts as two fields"
            )
        array = np.asarray(given, dtype=np.float64)
        if field.constant:
            array = array.reshape(field.rep.size, *(1,) * space)
        elif field.rep.size == 1 and array.ndim == space:
            array = array[None]
        if array.ndim != space + 1 or array.shape[0] != field.rep.size:
            raise SpecError(
                f"{name} needs the shape ({field.rep.size}, {', '.join(['…'] * space)}), got {array.shape}"
            )
        if not field.constant:
            if shape is not None and array.shape[1:] != shape:
                raise SpecError(
                    f"{name} lies on a grid {array.shape[1:]}, other fields on {shape}: give all on one grid"
                )
            shape = array.shape[1:]
        for c in range(field.rep.size):
            if order:
                rates[k * 100 + order, c] = array[c]
            else:
                values[k, c] = array[c]
    if shape is None:
        raise SpecError("no field is given: fields={'u': array, …}")
    return values, rates, shape


def jets_of(
    needed: Sequence[Coordinate],
    values: Mapping[tuple[int, int], Array],
    rates: Mapping[tuple[int, int], Array],
    derivative: Derivative,
    names: Sequence[str],
) -> dict[Coordinate, Array]:
    """Every derivative that is needed, once."""
    out = {}
    for c in needed:
        source = values.get((c.field, c.component))
        missing = names[c.field]
        if c.time:
            source = rates.get((c.field * 100 + c.time, c.component))
            missing = f"{missing}_{'t' * c.time}"
        if source is None:
            raise SpecError(
                f"the terms need {missing}: give an array of this name among the fields"
            )
        out[c] = derivative(source, c.alpha) if any(c.alpha) else source
    return out
