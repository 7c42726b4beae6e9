"""Recordings from files: .npz by NumPy, NetCDF and Zarr by xarray where it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from pdobasis.discovery.recording import Recording, recording
from pdobasis.errors import (
    FileFormatError,
    MissingExtraError,
    PdoBasisError,
    SpecError,
)
from pdobasis.files.plain_npz import read_plain
from pdobasis.question.regular_file import open_regular

TIMES = ("t", "time")
COMPONENTS = ("component", "components", "c")
DAMAGED = (
    OSError,
    ValueError,
    LookupError,
    ImportError,
    RuntimeError,
    TypeError,
    AttributeError,
    ArithmeticError,
    MemoryError,
)
"""What the libraries behind xarray raise on damaged files, when they are opened or when numbers are read."""
XARRAY = (".nc", ".nc4", ".cdf", ".h5", ".zarr")


def read_recording(
    path: str | Path,
    sizes: Mapping[str, int],
    constants: Mapping[str, int] | None = None,
) -> Recording:
    """The fields in ``sizes`` (name: number of components) of one file, with ``t``, ``x1``, ``x2``, …"""
    place = Path(path)
    if not place.exists():
        raise SpecError(f"there is no file {place}")
    if place.suffix == ".npz":
        arrays = _npz(place, {*sizes, *(constants or {})})
    elif place.suffix in XARRAY:
        arrays = _xarray(place, sizes, constants or {})
    else:
        raise SpecError(
            f"{place} is none of .npz, {', '.join(XARRAY)}: write the fields with numpy.savez(…, u=u, t=t, x1=x1)"
        )
    return recording(arrays, sizes, constants, place.name)


def dimension_of(path: str | Path, names: Iterable[str]) -> int:
    """The number of axes x1, x2, … of a file; two where it names none."""
    place = Path(path)
    if not place.exists():
        raise SpecError(f"there is no file {place}")
    if place.suffix == ".npz":
        found = set(_npz(place, set()))
    else:
        found = set(_xarray(place, dict.fromkeys(names, 1), {}))
    count = 0
    while f"x{count + 1}" in found:
        count += 1
    if count > 3:
        raise SpecError(f"{place.name} has {count} axes: name the group")
    return count or 2


def _npz(place: Path, names: set[str]) -> dict[str, Any]:
    def is_wanted(name: str) -> bool:
        return name in names or name == "t" or _is_axis(name)

    try:
        found, others = read_plain(place, is_wanted)
    except FileFormatError as error:
        raise FileFormatError(f"{place} cannot be read as .npz: {error}") from None
    missing = sorted(names - set(found))
    if missing:
        there = ", ".join([*found, *others]) or "nothing"
        raise SpecError(f"{place.name} has no array {missing[0]!r:.40}: it has {there}")
    return found


def _is_axis(name: str) -> bool:
    return name[:1] == "x" and name[1:].isdigit()


def _xarray(
    place: Path, sizes: Mapping[str, int], constants: Mapping[str, int]
) -> dict[str, Any]:
    if find_spec("xarray") is None:
        raise MissingExtraError("xarray", "discovery", f"reading {place.suffix} files")
    import xarray

    options: dict[str, Any] = {}
    try:
        if place.suffix == ".zarr":
            options = {"engine": "zarr", "consolidated": False}
        else:
            open_regular(place).close()  # a pipe would be waited for
        with xarray.open_dataset(place, **options) as data:
            return _of_dataset(data, place.name, sizes, constants)
    except PdoBasisError:
        raise
    except DAMAGED as error:
        said = (str(error) or type(error).__name__).splitlines()[0][:200]
        raise FileFormatError(f"{place} cannot be read by xarray: {said}") from None


def _of_dataset(
    data: Any, source: str, sizes: Mapping[str, int], constants: Mapping[str, int]
) -> dict[str, Any]:
    """Axes are known by their names: t, components, x1, x2, …"""
    out: dict[str, Any] = {}
    for name in (*sizes, *constants):
        if name not in data:
            there = ", ".join(map(str, data.variables))
            raise SpecError(f"{source} has no variable {name!r:.40}: it has {there}")
    for name in constants:
        out[name] = data[name].values
    for name in sizes:
        variable = data[name]
        dims = [str(d) for d in variable.dims]
        times = [d for d in dims if d in TIMES]
        axes = sorted((d for d in dims if _is_axis(d)), key=lambda d: -int(d[1:]))
        rest = [d for d in dims if d not in times and d not in axes]
        if len(times) != 1 or not axes or len(rest) > 1:
            raise SpecError(
                f"{source}: {name} has the dimensions {', '.join(dims)}; they are called t, component, …, x2, x1"
            )
        out[name] = variable.transpose(*times, *rest, *axes).values
        for d in (*times, *axes):
            if d in data.coords:
                out["t" if d in TIMES else d] = data[d].values
            elif d not in TIMES:
                out.setdefault(d, np.arange(data.sizes[d], dtype=np.float64))
    return out
