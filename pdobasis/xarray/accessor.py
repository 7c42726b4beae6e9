"""Operators on labelled arrays.

Which coordinate is x1, x2, … is said by names, not by the order of axes, and steps are those of the coordinates: even
ones, falling ones, and uneven ones, whose weights are exact for every point.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.algebra.operator import Operator, operator
from pdobasis.errors import MissingExtraError, SpecError, WrongTypeError
from pdobasis.exact.scalars import float_of
from pdobasis.stencils.axes import ONE_SIDED, PERIODIC, Axis, axis_of

try:
    import xarray
except ImportError:
    raise MissingExtraError("xarray", "xarray", "pdobasis.xarray") from None

USUAL = (("x", "y", "z"), ("x1", "x2", "x3"))
"""Names of dimensions that are taken for x1, x2, x3 where none are given."""
BOUNDARIES = (ONE_SIDED, PERIODIC)
EVEN = 1e-9
"""Points that are this part of a step away from even ones are even."""
LONGEST, MOST = 60, 20
"""Letters of a name, and names, in a message."""


@xarray.register_dataarray_accessor("pdobasis")
class DataArrayOperators:
    """``array.pdobasis.apply("d1^2 + d2^2")``."""

    def __init__(self, array: xarray.DataArray) -> None:
        self._array = array

    def apply(
        self,
        op: Any,
        dims: Sequence[Hashable] | None = None,
        *,
        component: Hashable = "component",
        size: int = 3,
        boundary: str | Mapping[Hashable, str] = ONE_SIDED,
    ) -> xarray.DataArray:
        """An operator (Operator, element of a basis, or text) by finite differences of ``size`` points.

        ``dims`` are the dimensions of x1, x2, …; x, y, z or x1, x2, x3 where it is left out. Vectors have their
        components along ``component``. ``boundary`` is one-sided or periodic, or a mapping of dimensions to these.
        """
        chosen = operator(op)
        names = _dimensions(self._array, chosen.dim, dims)
        _require_name("component", component)
        _check_boundary(boundary, names)
        array = self._array
        if array.dtype.kind not in "biufc":
            raise SpecError(
                f"derivatives are of numbers, got an array of {array.dtype}"
            )
        if component not in array.dims:
            if chosen.shape[1] != 1:
                raise SpecError(
                    f"the operator takes {chosen.shape[1]} components: the array needs the dimension {_cut(component)}"
                )
            array = array.expand_dims({component: 1})
        if array.sizes[component] != chosen.shape[1]:
            raise SpecError(
                f"the operator takes {chosen.shape[1]} components, the array has {array.sizes[component]} along "
                f"{_cut(component)}"
            )
        if isinstance(size, bool) or not isinstance(size, Integral):
            raise WrongTypeError("size", "an odd number of points", size)
        axes = [_axis(array, name, int(size), boundary) for name in names]
        out = _applied(array, chosen, names, axes, component)
        scalar = chosen.shape[0] == 1 and component not in self._array.dims
        if scalar:
            return out.squeeze(component, drop=True).transpose(*self._array.dims)
        first = [component] * (component not in self._array.dims)
        return out.transpose(*first, *self._array.dims)


@xarray.register_dataset_accessor("pdobasis")
class DatasetOperators:
    """``data.pdobasis.apply("d1, d2", ["u", "v"], ["divergence"])``."""

    def __init__(self, data: xarray.Dataset) -> None:
        self._data = data

    def apply(
        self,
        op: Any,
        variables: Sequence[Hashable],
        out: Sequence[Hashable] | None = None,
        *,
        dims: Sequence[Hashable] | None = None,
        component: Hashable = "component",
        size: int = 3,
        boundary: str | Mapping[Hashable, str] = ONE_SIDED,
    ) -> xarray.Dataset:
        """An operator applied to variables as the components of one field; ``out`` names those of the result."""
        chosen = operator(op)
        variables = _names("variables", variables)
        missing = [name for name in variables if name not in self._data]
        if missing:
            raise SpecError(
                f"there is no variable {_cut(missing[0])}; there are {_list(self._data.data_vars)}"
            )
        if out is None:
            out = [f"out{k + 1}" for k in range(chosen.shape[0])]
        out = _names("out", out)
        # of equal names the last would be all that is left
        if len(set(out)) != len(out):
            raise SpecError(f"out= needs different names, got {_list(out)}")
        if len(out) != chosen.shape[0]:
            raise SpecError(
                f"the operator gives {chosen.shape[0]} components, out= names {len(out)}"
            )
        if not variables:
            raise SpecError(
                f"the operator takes {chosen.shape[1]} components, variables= names none"
            )
        parts = [self._data[name] for name in variables]
        field = xarray.concat(parts, dim=component, coords="minimal", compat="override")
        found = field.pdobasis.apply(
            chosen, dims, component=component, size=size, boundary=boundary
        )
        return xarray.Dataset(
            {name: found.isel({component: k}) for k, name in enumerate(out)}
        )


def _dimensions(
    array: xarray.DataArray, dim: int, dims: Sequence[Hashable] | None
) -> tuple[Hashable, ...]:
    if dims is None:
        for usual in USUAL:
            if set(usual[:dim]) <= set(array.dims):
                return usual[:dim]
        raise SpecError(
            f"which dimensions are x1 to x{dim}? Give dims=, some of {_list(array.dims)}"
        )
    dims = _names("dims", dims)
    if len(dims) != dim or len(set(dims)) != dim or not set(dims) <= set(array.dims):
        raise SpecError(
            f"dims= needs {dim} different dimensions (x1 first) of {_list(array.dims)}, got "
            f"{_list(dims)}"
        )
    return dims


def _names(argument: str, given: Any) -> tuple[Hashable, ...]:
    """A text is one name, not one for each of its letters."""
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Iterable):
        raise WrongTypeError(argument, "a list of names", given)
    found = tuple(given)
    for name in found:
        _require_name(argument, name)
    return found


def _require_name(argument: str, name: Any) -> None:
    if not isinstance(name, Hashable):
        raise WrongTypeError(argument, "a name", name)


def _cut(name: Hashable) -> str:
    """A name of a stranger's file: nothing that a terminal would obey, and not without end."""
    text = repr(name)
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 3] + "..."


def _word(name: Hashable) -> str:
    """As it is where that is harmless."""
    text = str(name)
    if text.isprintable() and len(text) <= LONGEST:
        return text
    return _cut(name)


def _list(names: Iterable[Hashable]) -> str:
    given = list(names)
    told = [_word(name) for name in given[:MOST]]
    if len(given) > MOST:
        told.append(f"{len(given) - MOST} more")
    return ", ".join(told) or "none"


def _axis(
    array: xarray.DataArray,
    name: Hashable,
    size: int,
    boundary: str | Mapping[Hashable, str],
) -> tuple[Axis, bool]:
    """The axis of a dimension in growing order, and whether the coordinate falls."""
    if isinstance(boundary, str):
        kind = boundary
    else:
        kind = boundary.get(name, ONE_SIDED)
    if kind not in BOUNDARIES:
        raise SpecError(
            f"boundary= is {' or '.join(BOUNDARIES)} (or a mapping of dimensions), got {kind!r:.40}"
        )
    points, coarse = _points(array, name)
    falls = bool(len(points) > 1 and points[-1] < points[0])
    if falls:
        points = points[::-1]
    if len(points) > 1 and not (np.diff(points) > 0).all():
        raise SpecError(
            f"the coordinate {_cut(name)} has to grow or to fall throughout"
        )
    count = len(points)
    if not count:
        raise SpecError(f"the coordinate {_cut(name)} has no points")
    step = (points[-1] - points[0]) / max(count - 1, 1)
    even = points[0] + step * np.arange(count)
    # Coordinates of single precision are even as far as they can be.
    spread = EVEN * step + 4 * coarse * np.abs(points).max(initial=0.0)
    if np.abs(points - even).max(initial=0.0) <= spread:
        # The decimal that is printed: 0.1 means 1/10.
        exact = Fraction(repr(float(f"{step:.12g}")))
        return Axis.uniform(count, exact, (kind, kind), size), falls
    if kind == PERIODIC:
        raise SpecError(
            f"the coordinate {_cut(name)} is uneven, so that its period is not known: use boundary='one-sided'"
        )
    return axis_of(points.tolist(), (kind, kind), size), falls


def _points(
    array: xarray.DataArray, name: Hashable
) -> tuple[NDArray[np.float64], float]:
    """The coordinate, and how finely its numbers are spaced."""
    if name not in array.coords:
        raise SpecError(
            f"the dimension {_cut(name)} has no coordinate, so that its steps are not known: use assign_coords"
        )
    values = array.coords[name].values
    if values.dtype.kind not in "iuf" or not np.isfinite(values).all():
        raise SpecError(
            f"the coordinate {_cut(name)} has to hold finite numbers, got {values.dtype}"
        )
    coarse = 0.0
    if values.dtype.kind == "f":
        coarse = float(np.finfo(values.dtype).eps)
    return values.astype(np.float64), coarse


def _applied(
    array: xarray.DataArray,
    chosen: Operator,
    names: Sequence[Hashable],
    axes: Sequence[tuple[Axis, bool]],
    component: Hashable,
) -> xarray.DataArray:
    matrices: dict[tuple[int, int], Any] = {}
    for p in chosen.cells.values():
        for alpha in p:
            for k, order in enumerate(alpha):
                if order and (k, order) not in matrices:
                    axis, falls = axes[k]
                    own = _derivative(axis, order, names[k])
                    if falls:  # both the points and the derivatives at them
                        own = own[::-1, ::-1]
                    matrices[k, order] = own

    def apply(values: NDArray[Any]) -> NDArray[Any]:
        # components first, then whatever else there is, then space
        field = np.moveaxis(values, -chosen.dim - 1, 0)
        kind = np.result_type(values, float)
        out = np.zeros((chosen.shape[0], *field.shape[1:]), kind)
        for (o, i), p in chosen.cells.items():
            for alpha, value in p.items():
                part = field[i]
                for k, order in enumerate(alpha):
                    if order:
                        part = _along(matrices[k, order], part, part.ndim - 1 - k)
                out[o] += float_of(value) * part
        return np.moveaxis(out, 0, -chosen.dim - 1)

    core = [component, *reversed(names)]
    found = xarray.apply_ufunc(
        apply,
        array.drop_vars([component], errors="ignore"),
        input_core_dims=[core],
        output_core_dims=[core],
        exclude_dims={component},
        dask="parallelized",
        output_dtypes=[np.result_type(array.dtype, float)],
        dask_gufunc_kwargs={
            "output_sizes": {component: chosen.shape[0]},
            "allow_rechunk": True,
        },
    )
    if not isinstance(found, xarray.DataArray):
        raise SpecError("xarray gave no DataArray back")
    # coordinates of core dimensions are kept by name
    return found.assign_coords({name: array.coords[name] for name in names})


def _derivative(axis: Axis, order: int, name: Hashable) -> Any:
    try:
        own = axis.derivative(order)
    except OverflowError:
        own = None
    if own is None or not np.isfinite(own.data).all():
        raise SpecError(
            f"the weights of derivatives of order {order} along {_cut(name)} are no finite numbers: its steps are too "
            "small, or too uneven; use other units"
        )
    return own


def _along(matrix: Any, values: NDArray[Any], axis: int) -> NDArray[Any]:
    first = np.moveaxis(values, axis, 0)
    flat = np.asarray(matrix @ first.reshape(first.shape[0], -1))
    return np.moveaxis(flat.reshape(first.shape), 0, axis)


def _check_boundary(boundary: Any, names: Sequence[Hashable]) -> None:
    if isinstance(boundary, str):
        return
    if not isinstance(boundary, Mapping):
        raise WrongTypeError(
            "boundary",
            f"{' or '.join(BOUNDARIES)}, or a mapping of dimensions",
            boundary,
        )
    for name in boundary:
        if name not in names:
            raise SpecError(
                f"boundary= names {_cut(name)}, which is none of the dimensions {_list(names)}"
            )
