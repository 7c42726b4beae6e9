"""RBF-FD on point clouds: one small system per target, solved in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.stencils.cloud import Neighbourhoods, check_points, gather, neighbourhoods
from pdobasis.stencils.errors import DegreeTooHighError, IllConditionedTargetError
from pdobasis.stencils.moments import unit_scale
from pdobasis.stencils.multi_index import MultiIndex, check_alphas, multi_indices
from pdobasis.stencils.rbf import RadialFunction, radial_function
from pdobasis.stencils.rbf_fd import (
    CONDITION_LIMIT,
    REMEDY,
    assemble,
    check_epsilon,
    resolve_degree,
)
from pdobasis.stencils.results import CloudStencils
from pdobasis.stencils.threads import in_threads

SAFETY = 100.0
SINGULAR = 1 / np.finfo(np.float64).eps
CHUNK_BYTES = 4 * 2**20


def rbf_fd_cloud(
    points: ArrayLike,
    targets: ArrayLike,
    alphas: Sequence[MultiIndex],
    *,
    neighbours: int | Neighbourhoods,
    phi: str | RadialFunction = "phs3",
    epsilon: float = 1.0,
    degree: int | None = None,
    max_condition: float = CONDITION_LIMIT,
    chunk_bytes: int = CHUNK_BYTES,
    workers: int | None = None,
) -> CloudStencils:
    """RBF-FD at every target from its nearest points, with polynomials up to ``degree`` as in `rbf_fd`.

    Each neighbourhood is scaled to unit size. Targets are handled in chunks whose matrices take about
    ``chunk_bytes`` (small enough for the processor's cache), so memory stays bounded beside the result
    itself; ``workers`` threads (None: one per processor) share the chunks, which does not change the result.

    >>> points = np.array([[-1.0], [0.0], [1.0]])
    >>> rbf_fd_cloud(points, [[0.0]], [(2,)], neighbours=3).weights.shape
    (1, 1, 3)

    Parameters
    ----------
    points : array_like
        (points, d).
    targets : array_like
        (targets, d): where derivatives are wanted.
    alphas : sequence of MultiIndex
        Of the derivatives.
    neighbours : int or Neighbourhoods
        How many nearest points, or those that were found.
    phi : str or RadialFunction, optional
        As `radial_function` takes it.
    epsilon : float, optional
        Shape parameter, of functions that have one.
    degree : int, optional
        Of the polynomials; the highest order asked for when nothing is said, -1 for none.
    max_condition : float, optional
        Systems beyond it are refused.
    chunk_bytes : int, optional
        What the matrices of a chunk take.
    workers : int, optional
        Threads.

    Returns
    -------
    CloudStencils
        Weights for each target.
    """
    cloud, places = check_points(points, "points"), check_points(targets, "targets")
    checked = check_alphas(alphas, cloud.shape[1])
    function = radial_function(phi)
    shape = check_epsilon(epsilon)
    top = resolve_degree(degree, checked)
    betas = multi_indices(cloud.shape[1], top)
    if not isinstance(neighbours, Neighbourhoods):
        _check_neighbours(neighbours, top, len(betas))
    near = neighbourhoods(cloud, places, neighbours)
    _check_neighbours(near.least, top, len(betas))
    orders = np.array([sum(alpha) for alpha in checked], dtype=np.int64)
    weights = np.zeros((len(places), len(checked), near.indices.shape[1]))
    condition = np.empty(len(places))

    # Chunks write to disjoint parts of the arrays, so threads need no lock and their order does not matter.
    def fill(part: tuple[int, NDArray[np.int64]]) -> None:
        count, rows = part
        nodes = gather(cloud, places[rows], near.indices[rows, :count])
        scale = unit_scale(nodes)
        matrix, right = assemble(
            function, nodes / scale[:, None, None], shape * scale, checked, betas
        )
        solution, condition[rows] = _solve(matrix, right, max_condition, rows)
        back = 1 / scale[:, None] ** orders
        weights[rows, :, :count] = (
            np.swapaxes(solution[:, :count], 1, 2) * back[:, :, None]
        )

    # Systems of one size are solved together.
    chunks = [
        (count, rows[part])
        for count, rows in near.alike()
        for part in _chunks(len(rows), (count + len(betas)) ** 2 * 8, chunk_bytes)
    ]
    in_threads(fill, chunks, workers)
    return CloudStencils(checked, near.indices, weights, condition)


def _solve(
    matrix: NDArray[np.float64],
    right: NDArray[np.float64],
    limit: float,
    targets: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""Solutions and estimated condition numbers.

    Two vectors p of random signs ride along as right sides. $|A|_F\, |A^{-1} p|$ is about $|A|_F |A^{-1}|_F$;
    it falls short of the condition number by a factor of 100 only if p is nearly orthogonal to one singular
    vector, for both with a probability below $10^{-4}$. Whatever comes within that factor of the limit gets
    its exact condition number.
    """
    columns = right.shape[2]
    # A fixed seed: the same cloud is accepted or refused on every run.
    signs = np.random.default_rng(0).choice((-1.0, 1.0), size=(right.shape[1], 2))
    wide = np.concatenate(
        [right, np.broadcast_to(signs, (*right.shape[:2], 2))], axis=2
    )
    try:
        solution = np.linalg.solve(matrix, wide)
    except np.linalg.LinAlgError:
        # One of the systems is singular, and NumPy does not say which: the worst, whatever number rounding gives it.
        condition = np.linalg.cond(matrix)
        condition[np.argmax(condition)] = np.inf
        _refuse(condition, min(limit, SINGULAR), targets)
        raise
    probes = solution[:, :, columns:]
    growth = np.einsum("bnp,bnp->bp", probes, probes).max(axis=1)
    estimate = np.sqrt(growth * np.einsum("bij,bij->b", matrix, matrix))
    # Not `>`, which would let NaN pass.
    close = np.flatnonzero(~(estimate <= limit / SAFETY))
    if len(close):
        estimate[close] = np.linalg.cond(matrix[close])
        _refuse(estimate, limit, targets)
    return solution[:, :, :columns], estimate


def _refuse(
    condition: NDArray[np.float64], limit: float, targets: NDArray[np.int64]
) -> None:
    bad = np.flatnonzero(~(condition <= limit))
    if len(bad):
        worst = int(bad[np.argmax(np.nan_to_num(condition[bad], nan=np.inf))])
        remedy = f"{REMEDY}; look for repeated or collinear points, use more neighbours, or lift max_condition"
        raise IllConditionedTargetError(
            int(targets[worst]), len(bad) - 1, float(condition[worst]), limit, remedy
        )


def _check_neighbours(neighbours: int, degree: int, needed: int) -> None:
    if neighbours < needed:
        remedy = f"use neighbours={2 * needed} (twice as many as polynomials is usual) or a lower degree"
        raise DegreeTooHighError(degree, neighbours, needed, "per target", remedy)


def _chunks(total: int, bytes_each: int, chunk_bytes: int) -> Iterator[slice]:
    step = max(1, chunk_bytes // bytes_each)
    for start in range(0, total, step):
        yield slice(start, min(start + step, total))
