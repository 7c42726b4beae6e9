"""Writes e3nn.json: matrices D(g) of e3nn's irreps at a few rotations and reflections, l = 0 … 4.

Needs e3nn and torch; run by hand: ``python tests/oracles/make_e3nn.py``.
"""

from __future__ import annotations

import json
from pathlib import Path

import e3nn
import torch
from e3nn import o3

ROTATIONS = {
    "quarter about x1": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    "cyclic": [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
    "3-4-5 about x2": [[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]],
    "3-4-5 about x3": [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]],
    "inversion": [[-1, 0, 0], [0, -1, 0], [0, 0, -1]],
    "mirror": [[1, 0, 0], [0, 1, 0], [0, 0, -1]],
}


def main() -> None:
    torch.set_default_dtype(torch.float64)
    cases = []
    for name, rows in ROTATIONS.items():
        matrix = torch.tensor(rows, dtype=torch.float64)
        for degree in range(5):
            for parity in ("e", "o"):
                d = o3.Irrep(f"{degree}{parity}").D_from_matrix(matrix)
                cases.append({"name": name, "g": rows, "irrep": f"{degree}{parity}", "D": d.tolist()})
    data = {"e3nn": e3nn.__version__, "torch": torch.__version__, "cases": cases}
    (Path(__file__).parent / "e3nn.json").write_text(json.dumps(data) + "\n")


if __name__ == "__main__":
    main()
