r"""Operators on clouds that do not fit into memory: matrices in blocks of rows, on disk.

A block is a slab of the sorted cloud (`pdobasis.stencils.cloud_slabs`): with what lies around it, it gives the same
rows as the whole cloud would. Blocks do not know of each other: processes, or the workers of a cluster, share them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.bounds.watch import check
from pdobasis.errors import FileFormatError, PdoBasisError, SpecError
from pdobasis.exact.given import whole_number
from pdobasis.stencils.axes import Sparse
from pdobasis.stencils.cloud import neighbourhoods
from pdobasis.stencils.cloud_matrices import CloudWeights, Operators, in_order
from pdobasis.stencils.cloud_slabs import Slabs, Source, sort_into_slabs, surroundings
from pdobasis.stencils.errors import IllConditionedTargetError
from pdobasis.stencils.options import plain

Array = NDArray[np.float64]

BLOCK = 1_000_000
KEYS: dict[str, type | tuple[type, ...]] = {
    "points": int,
    "dim": int,
    "axis": int,
    "starts": list,
    "bounds": list,
    "shape": list,
    "operators": int,
    "method": str,
    "neighbours": int,
    "options": dict,
}
"""Of a plan, and what they hold."""


@dataclass(frozen=True, slots=True)
class BlockedCloud:
    """Matrices in a folder, one file of rows for every block."""

    folder: Path

    @property
    def plan(self) -> dict[str, Any]:
        """What was asked for, and where the slabs begin."""
        path = self.folder / "plan.json"
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise SpecError(
                f"no blocks in {self.folder}: {error.strerror} (plan.json)"
            ) from None
        except ValueError:
            raise FileFormatError(f"{path} is no plan of blocks") from None
        return _plan(path, text)

    def __len__(self) -> int:
        """The number of blocks."""
        return len(self.plan["starts"]) - 1

    @property
    def missing(self) -> list[int]:
        """The blocks that have not been written."""
        every = range(len(self))
        return [k for k in every if not _block_file(self.folder, k).exists()]

    def complete(self, executor: Executor | None = None) -> None:
        """Write the blocks that are missing: after an interruption, ``BlockedCloud(folder).complete()`` goes on."""
        numbers = self.missing
        if executor is None:
            for k in numbers:
                check()
                write_block(str(self.folder), k)
        else:
            # An error in a worker is raised when its result is taken.
            folders = [str(self.folder)] * len(numbers)
            list(executor.map(write_block, folders, numbers))

    def blocks(self, number: int = 0) -> Iterator[tuple[NDArray[np.int64], Sparse]]:
        """(numbers of the targets, their rows of one operator: (c_out × targets, c_in × points)), block by block."""
        operators = self.plan["operators"]
        if not 0 <= whole_number(number, "number") < operators:
            raise SpecError(
                f"there are {operators} operators, numbered from 0; got {number}"
            )
        if missing := self.missing:
            raise SpecError(
                f"{len(missing)} of {len(self)} blocks have not been written: complete() writes them"
            )
        for k in range(len(self)):
            yield self.block(k, number)

    def block(self, k: int, number: int = 0) -> tuple[NDArray[np.int64], Sparse]:
        """Block k of `blocks`."""
        from scipy.sparse import csr_matrix

        plan = self.plan
        c_out, c_in = plan["shape"]
        with _arrays(_block_file(self.folder, k)) as file:
            targets = file["targets"]
            parts = tuple(
                file[f"{name}{number}"] for name in ("data", "indices", "indptr")
            )
        shape = (c_out * len(targets), c_in * plan["points"])
        return targets, csr_matrix(parts, shape=shape)

    def condition(self, out: Any = None) -> Any:
        """An estimate of the condition number of every point's system, where the method has one."""
        plan = self.plan
        if out is None:
            out = np.full(plan["points"], np.nan)
        for k in range(len(self)):
            with _arrays(_block_file(self.folder, k)) as file:
                if "condition" in file:
                    out[file["targets"]] = file["condition"]
        return out

    def apply(self, field: ArrayLike, number: int = 0, out: Any = None) -> Any:
        """Operator ``number`` of a field (c_in, points); both may be arrays on disk."""
        plan = self.plan
        c_out, c_in = plan["shape"]
        array = np.asanyarray(field)
        if array.shape != (c_in, plan["points"]):
            raise SpecError(
                f"the matrices take fields of shape {(c_in, plan['points'])}, got {array.shape}"
            )
        if out is None:
            out = np.empty((c_out, plan["points"]))
        for targets, rows in self.blocks(number):
            # Only the columns that a block has are read.
            used, places = np.unique(rows.indices, return_inverse=True)
            values = array[used // plan["points"], used % plan["points"]]
            own = type(rows)(
                (rows.data, places, rows.indptr), shape=(rows.shape[0], len(used))
            )
            out[:, targets] = (own @ values).reshape(c_out, -1)
        return out


def write_blocks(
    operators: Operators,
    points: Any,
    folder: str | Path,
    neighbours: int | None,
    method: str,
    options: Mapping[str, Any],
    *,
    block: int = BLOCK,
    executor: Executor | None = None,
) -> BlockedCloud:
    """As `pdobasis.answer.basis.Basis.on_cloud_blocks` says."""
    own = operators.shrunk()
    cloud = Source.of(points)
    count, dim = cloud.shape
    if own.alphas and len(own.alphas[0]) != dim:
        raise SpecError(
            f"the points have {dim} coordinates and the operators {len(own.alphas[0])}"
        )
    weights = CloudWeights.of(method, own.order, dim, neighbours, options)
    if (
        whole_number(block, "block") <= 2 * weights.neighbours
        or count <= 2 * weights.neighbours
    ):
        raise SpecError(
            f"blocks, and the cloud, need more than twice as many points as the {weights.neighbours} neighbours; "
            f"got block={block} and {count} points"
        )
    place = _folder(folder)
    _start_over(place)
    slabs = sort_into_slabs(cloud, place, block)
    _write_arrays(
        place / "operators.npz",
        {
            "coefficients": own.coefficients,
            "alphas": np.array(own.alphas, dtype=np.int64).reshape(-1, dim),
        },
    )
    plan = {
        "points": count,
        "dim": dim,
        "axis": slabs.axis,
        "starts": slabs.starts,
        "bounds": slabs.bounds,
        "shape": list(own.coefficients.shape[1:3]),
        "operators": len(own.coefficients),
        "method": method,
        "neighbours": weights.neighbours,
        "options": {name: plain(value) for name, value in options.items()},
    }
    _write(place / "plan.json", json.dumps(plan).encode())
    found = BlockedCloud(place)
    found.complete(executor)
    return found


def write_block(folder: str, number: int) -> None:
    """One file of rows; for any process that sees the folder."""
    place = Path(folder)
    plan = BlockedCloud(place).plan
    with _arrays(place / "operators.npz") as file:
        own = Operators(
            file["coefficients"], tuple(tuple(a) for a in file["alphas"].tolist())
        )
    weights = CloudWeights.of(
        plan["method"], own.order, plan["dim"], plan["neighbours"], plan["options"]
    )
    slabs = Slabs(
        place, plan["axis"], tuple(plan["starts"]), tuple(map(tuple, plan["bounds"]))
    )
    mine = slabs.points(number)
    near, numbers = surroundings(slabs, number, weights.neighbours)
    found = in_order(neighbourhoods(near, mine, weights.neighbours))
    targets = slabs.order(number)
    try:
        matrices, condition = weights.matrices(own, near, mine, found)
    except IllConditionedTargetError as error:
        raise error.numbered(int(targets[error.target])) from None
    out: dict[str, Any] = {"targets": targets}
    if condition is not None:
        out["condition"] = condition
    for k, made in enumerate(matrices):
        out |= {
            f"data{k}": made.matrix.data,
            f"indices{k}": _columns(made.matrix.indices, numbers, plan),
            f"indptr{k}": made.matrix.indptr,
        }
    _write_arrays(_block_file(place, number), out)


def _columns(
    local: NDArray[Any], numbers: NDArray[np.int64], plan: dict[str, Any]
) -> NDArray[Any]:
    """Columns of the whole cloud, in its own numbering; short ones where they are enough, as SciPy takes them."""
    component, place = np.divmod(local, len(numbers))
    columns = component * np.int64(plan["points"]) + numbers[place]
    if plan["shape"][1] * plan["points"] < 2**31:
        return columns.astype(np.int32)
    return columns


def _folder(folder: str | Path) -> Path:
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpecError(
            f"no folder {folder} for the blocks: {error.strerror}"
        ) from None
    return place


def _start_over(place: Path) -> None:
    """Forget another cloud, or other options, that the folder may hold: the plan first, which is written last.

    Otherwise what an interruption leaves would be completed from the points of one cloud and the plan of the other.
    """
    (place / "plan.json").unlink(missing_ok=True)
    for stale in (*place.glob("block-*.npz"), *place.glob("block-*.part")):
        stale.unlink(missing_ok=True)


def _plan(path: Path, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    fits = isinstance(found, dict) and all(
        isinstance(found.get(name), kind) for name, kind in KEYS.items()
    )
    if not fits:
        raise FileFormatError(f"{path} is no plan of blocks")
    return dict(found)


@contextmanager
def _arrays(path: Path) -> Iterator[Any]:
    """Of an .npz file that was written here; what is damaged is refused by its name."""
    try:
        with ZipFile(path) as whole:
            # arrays are stored as they are, so that none is larger than its file
            stored = all(i.compress_type == ZIP_STORED for i in whole.infolist())
        if not stored:
            raise FileFormatError(f"{path} is no file of a cloud in blocks")
        with np.load(path, allow_pickle=False) as file:
            yield file
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, MemoryError) as error:
        if isinstance(error, PdoBasisError):
            raise
        raise FileFormatError(f"{path} cannot be read: {error}") from None


def _write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    def put(stream: BinaryIO) -> None:
        np.savez(stream, **arrays)

    _write(path, put)


def _write(path: Path, data: Any) -> None:
    """Whole or not at all: a block that stands there is complete."""
    from pdobasis.files.atomic import write_atomically

    write_atomically(path, data)


def _block_file(place: Path, number: int) -> Path:
    return place / f"block-{number:05d}.npz"
