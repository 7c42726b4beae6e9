"""treverhines-rbf in its own environment: RBF-FD weights on point clouds."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
from rbf.pde.fd import weight_matrix

from benchmarks.peers.protocol import serve, timed


def cloud(targets: int, neighbours: int = 12) -> dict[str, Any]:
    """The same cloud, neighbours, radial function and polynomials as ours; both second derivatives."""
    points = np.random.default_rng(0).random((targets, 2))

    def run() -> Any:
        return weight_matrix(points, points, neighbours, [(2, 0), (0, 2)], phi="phs3", order=2, sum_terms=False)

    run()
    return {"seconds": timed(run)[0]}


if __name__ == "__main__":
    serve({"cloud": cloud}, {"treverhines-rbf": version("treverhines-rbf")})
