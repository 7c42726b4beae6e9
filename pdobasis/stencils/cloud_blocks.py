r"""Operators on clouds that do not fit into memory: matrices in blocks of rows, on disk.

Points are sorted into slabs along the longest axis, of about ``block`` points each, in two passes over the file. The
neighbours of a slab lie within the largest distance r at which its points find k others in the slab itself: a bound for
all true distances. So a block needs its own slab and what lies within r of it, and gives the same rows as the whole
cloud would. Blocks do not know of each other: processes, or the workers of a cluster, share them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SpecError
from pdobasis.stencils.axes import Sparse
from pdobasis.stencils.cloud import TIED, check_points, neighbourhoods
from pdobasis.stencils.cloud_matrices import CloudWeights, Operators, in_order
from pdobasis.stencils.options import plain

Array = NDArray[np.float64]

BLOCK = 1_000_000
CHUNK = 1_000_000
"""Points that are read at once while they are sorted."""
BINS = 65_536


@dataclass(frozen=True, slots=True)
class BlockedCloud:
    """Matrices in a folder, one file of rows for every block."""

    folder: Path

    @property
    def plan(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "plan.json").read_text())
        return found

    def __len__(self) -> int:
        """The number of blocks."""
        return len(self.plan["starts"]) - 1

    def blocks(self, number: int = 0) -> Iterator[tuple[NDArray[np.int64], Sparse]]:
        """(numbers of the targets, their rows of one operator: (c_out × targets, c_in × points)), block by block."""
        from scipy.sparse import csr_matrix

        plan = self.plan
        c_out, c_in = plan["shape"]
        for k in range(len(plan["starts"]) - 1):
            with np.load(_block_file(self.folder, k), allow_pickle=False) as file:
                targets = file["targets"]
                parts = tuple(
                    file[f"{name}{number}"] for name in ("data", "indices", "indptr")
                )
            shape = (c_out * len(targets), c_in * plan["points"])
            yield targets, csr_matrix(parts, shape=shape)

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
    cloud = _opened(points)
    dim = cloud.shape[1]
    if own.alphas and len(own.alphas[0]) != dim:
        raise SpecError(
            f"the points have {dim} coordinates and the operators {len(own.alphas[0])}"
        )
    weights = CloudWeights.of(method, own.order, dim, neighbours, options)
    if block <= 2 * weights.neighbours or len(cloud) <= 2 * weights.neighbours:
        raise SpecError(
            f"blocks, and the cloud, need more than twice as many points as the {weights.neighbours} neighbours; "
            f"got block={block} and {len(cloud)} points"
        )
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    axis, edges = _slabs(cloud, block)
    starts = _sort(cloud, place, axis, edges)
    np.savez(
        place / "operators.npz",
        coefficients=own.coefficients,
        alphas=np.array(own.alphas, dtype=np.int64).reshape(-1, dim),
    )
    plan = {
        "points": len(cloud),
        "dim": dim,
        "axis": axis,
        "starts": starts,
        "shape": list(own.coefficients.shape[1:3]),
        "operators": len(own.coefficients),
        "method": method,
        "neighbours": weights.neighbours,
        "options": {name: plain(value) for name, value in options.items()},
    }
    (place / "plan.json").write_text(json.dumps(plan))
    numbers = range(len(starts) - 1)
    if executor is None:
        for k in numbers:
            write_block(str(place), k)
    else:
        # An error in a worker is raised when its result is taken.
        list(executor.map(write_block, [str(place)] * len(numbers), numbers))
    return BlockedCloud(place)


def write_block(folder: str, number: int) -> None:
    """One file of rows; for any process that sees the folder."""
    place = Path(folder)
    plan = BlockedCloud(place).plan
    with np.load(place / "operators.npz", allow_pickle=False) as file:
        own = Operators(
            file["coefficients"], tuple(tuple(a) for a in file["alphas"].tolist())
        )
    weights = CloudWeights.of(
        plan["method"], own.order, plan["dim"], plan["neighbours"], plan["options"]
    )
    points = np.load(place / "points.npy", mmap_mode="r")
    order = np.load(place / "order.npy", mmap_mode="r")
    low, high = plan["starts"][number : number + 2]
    mine = np.array(points[low:high])
    near, numbers = _surroundings(points, plan, low, high, mine, weights.neighbours)
    found = in_order(neighbourhoods(near, mine, weights.neighbours))
    matrices, _ = weights.matrices(own, near, mine, found)
    out: dict[str, Any] = {"targets": np.array(order[low:high])}
    for k, made in enumerate(matrices):
        # Columns of the whole cloud, in its own numbering.
        component, local = np.divmod(made.matrix.indices, len(near))
        columns = (
            component * np.int64(plan["points"]) + np.asarray(order[numbers])[local]
        )
        out |= {
            f"data{k}": made.matrix.data,
            f"indices{k}": columns,
            f"indptr{k}": made.matrix.indptr,
        }
    np.savez(_block_file(place, number), **out)


def _surroundings(
    points: Array,
    plan: dict[str, Any],
    low: int,
    high: int,
    mine: Array,
    neighbours: int,
) -> tuple[Array, NDArray[np.int64]]:
    """All points that may be neighbours of a slab, and their places in the sorted file."""
    from scipy.spatial import cKDTree  # type: ignore[import-untyped, unused-ignore]

    axis, starts = plan["axis"], plan["starts"]
    reach = np.inf
    if len(mine) > neighbours:
        distances, _ = cKDTree(mine).query(mine, k=[neighbours + 1], workers=-1)
        reach = float(distances.max()) * (1 + 2 * TIED)
    bottom, top = mine[:, axis].min() - reach, mine[:, axis].max() + reach
    first, last = starts.index(low), starts.index(high)
    parts, numbers = [mine], [np.arange(low, high)]
    # Slab after slab outwards, as long as one lies within reach.
    for steps in (range(first - 1, -1, -1), range(last, len(starts) - 1)):
        for k in steps:
            other = np.array(points[starts[k] : starts[k + 1]])
            close = (other[:, axis] >= bottom) & (other[:, axis] <= top)
            parts.append(other[close])
            numbers.append(starts[k] + np.flatnonzero(close))
            if not close.all():
                break
    return np.concatenate(parts), np.concatenate(numbers)


def _slabs(cloud: Array, block: int) -> tuple[int, Array]:
    """The longest axis, and where to cut it so that slabs have about as many points as asked for."""
    low, high = np.full(cloud.shape[1], np.inf), np.full(cloud.shape[1], -np.inf)
    for part in _chunks(cloud):
        checked = check_points(part, "points")
        low = np.minimum(low, checked.min(axis=0))
        high = np.maximum(high, checked.max(axis=0))
    axis = int(np.argmax(high - low))
    counts = np.zeros(BINS, dtype=np.int64)
    bounds = (float(low[axis]), float(high[axis]))
    for part in _chunks(cloud):
        counts += np.histogram(part[:, axis], bins=BINS, range=bounds)[0]
    total = np.cumsum(counts)
    slabs = -(-len(cloud) // block)
    wanted = len(cloud) * np.arange(1, slabs) / slabs
    lines = np.linspace(*bounds, BINS + 1)[1:]
    return axis, np.unique(lines[np.searchsorted(total, wanted)])


def _sort(cloud: Array, place: Path, axis: int, edges: Array) -> list[int]:
    """Write points and their numbers slab by slab; returns where each begins."""
    count, dim = cloud.shape
    sizes = np.zeros(len(edges) + 1, dtype=np.int64)
    for part in _chunks(cloud):
        sizes += np.bincount(
            np.searchsorted(edges, part[:, axis]), minlength=len(sizes)
        )
    starts = np.concatenate([[0], np.cumsum(sizes)])
    points = np.lib.format.open_memmap(
        place / "points.npy", "w+", np.float64, (count, dim)
    )
    order = np.lib.format.open_memmap(place / "order.npy", "w+", np.int64, (count,))
    ends, at = starts[:-1].copy(), 0
    for part in _chunks(cloud):
        slab = np.searchsorted(edges, part[:, axis])
        for k in np.unique(slab):
            rows = np.flatnonzero(slab == k)
            target = slice(ends[k], ends[k] + len(rows))
            points[target], order[target] = part[rows], at + rows
            ends[k] += len(rows)
        at += len(part)
    points.flush()
    order.flush()
    # A slab without points has no block.
    return sorted({int(s) for s in starts})


def _chunks(cloud: Array) -> Iterator[Array]:
    for start in range(0, len(cloud), CHUNK):
        yield np.asarray(cloud[start : start + CHUNK], dtype=np.float64)


def _opened(points: Any) -> Array:
    """An array, or the name of a .npy file, which is not read into memory."""
    if isinstance(points, (str, Path)):
        try:
            points = np.load(points, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise SpecError(f"no points in {points}: {error}") from None
    if getattr(points, "ndim", None) != 2:
        points = check_points(points, "points")
    found: Array = points
    return found


def _block_file(place: Path, number: int) -> Path:
    return place / f"block-{number:05d}.npz"
