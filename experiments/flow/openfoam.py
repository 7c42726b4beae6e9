"""The same channels by OpenFOAM: writes a case, runs simpleFoam, reads the fields.

The grid is a block of square cells, of which those inside the obstacle are taken out (topoSet, subsetMesh): what is
left keeps its order, so that a field in a file is the list of fluid cells, row after row. Walls and obstacle do not let
slip; the inflow is a parabola of maximum 1, so that pressures are in units of its square.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.errors import ExperimentError, MissingDataError
from experiments.flow.channel import Channel
from experiments.flow.lattice import SPEED, parabola

Floats = NDArray[np.float64]
STEPS = 400
COMMANDS = (
    ("blockMesh",),
    ("topoSet",),
    ("subsetMesh", "fluid", "-patch", "obstacle", "-overwrite"),
    ("simpleFoam",),
)
SECONDS = 600
DEBIAN = "/usr/share/openfoam"
HEADER = "FoamFile {{ version 2.0; format ascii; class {kind}; object {name}; }}\n"


def by_openfoam(channels: Sequence[Channel], folder: Path) -> list[Floats]:
    """Velocity and pressure (3, rows, columns) of each, zero in solids."""
    out = []
    for k, one in enumerate(channels):
        case = folder / f"case_{k}"
        write_case(case, one.solid, one.viscosity / SPEED)
        out.append(run_case(case, one.solid))
    return out


def run_case(case: Path, solid: NDArray[np.bool_]) -> Floats:
    if shutil.which("simpleFoam") is None:
        raise MissingDataError("simpleFoam is not on the PATH: install OpenFOAM, or take the lattice solver")
    for command in COMMANDS:
        words = [*command, "-case", str(case)]
        # Debian's package sets no variable, and its programs look for their settings where this one points.
        around = {"WM_PROJECT_DIR": DEBIAN, **os.environ}
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False, env=around)
        if done.returncode:
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            raise ExperimentError(f"{command[0]} failed in {case}: {' '.join(last)}")
    return read_case(case, solid)


def read_case(case: Path, solid: NDArray[np.bool_]) -> Floats:
    """From the last time that was written."""
    times = [p for p in case.iterdir() if p.is_dir() and re.fullmatch(r"\d+(\.\d+)?", p.name) and float(p.name) > 0]
    if not times:
        raise ExperimentError(f"{case} has no results: simpleFoam has not written any")
    last = max(times, key=lambda p: float(p.name))
    fluid = ~solid
    count = int(fluid.sum())
    out = np.zeros((3, *solid.shape))
    out[0][fluid], out[1][fluid] = read_field((last / "U").read_text(), count)[:, :2].T
    out[2][fluid] = read_field((last / "p").read_text(), count)[:, 0]
    return out


def read_field(text: str, count: int) -> Floats:
    """The internal field (cells, components) of a file; one value for all cells is written once.

    >>> read_field("internalField uniform (1 0 0);", 2).tolist()
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    one = re.search(r"internalField\s+uniform\s+\(?([^;)]+)\)?\s*;", text)
    if one:
        value = np.array([float(word) for word in one.group(1).split()])
        return np.tile(value, (count, 1))
    many = re.search(r"internalField\s+nonuniform\s+List<\w+>\s*(\d+)\s*\((.*?)\n\)", text, flags=re.S)
    if many is None:
        raise ExperimentError("this file has no internalField: is it one of OpenFOAM's in ascii?")
    numbers = np.array([float(word) for word in re.sub(r"[()]", " ", many.group(2)).split()])
    if int(many.group(1)) != count or len(numbers) % count:
        raise ExperimentError(f"the field has {many.group(1)} cells, the channel {count} of fluid")
    return numbers.reshape(count, -1)


def write_case(case: Path, solid: NDArray[np.bool_], viscosity: float) -> None:
    """All files that the commands need; ``viscosity`` for an inflow of maximum 1 and cells of side 1."""
    rows, columns = solid.shape
    for name, kind, text in (
        ("system/blockMeshDict", "dictionary", _mesh(rows, columns)),
        ("system/topoSetDict", "dictionary", _cells(solid)),
        ("system/controlDict", "dictionary", _CONTROL),
        ("system/fvSchemes", "dictionary", _SCHEMES),
        ("system/fvSolution", "dictionary", _SOLUTION),
        ("constant/transportProperties", "dictionary", _fluid(viscosity)),
        ("constant/turbulenceProperties", "dictionary", "simulationType laminar;\n"),
        ("0/U", "volVectorField", _velocity(rows)),
        ("0/p", "volScalarField", _PRESSURE),
    ):  # fmt: skip
        path = case / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEADER.format(kind=kind, name=path.name) + text)


def _fluid(viscosity: float) -> str:
    return f"transportModel Newtonian;\nnu [0 2 -1 0 0 0 0] {viscosity:.9g};\n"


def _mesh(rows: int, columns: int) -> str:
    corners = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (columns, 0), (columns, rows), (0, rows))]
    vertices = " ".join(f"({x} {y} {z})" for x, y, z in corners)
    return f"""convertToMeters 1;
vertices ({vertices});
blocks (hex (0 1 2 3 4 5 6 7) ({columns} {rows} 1) simpleGrading (1 1 1));
edges ();
boundary
(
    inflow {{ type patch; faces ((0 4 7 3)); }}
    outflow {{ type patch; faces ((2 6 5 1)); }}
    walls {{ type wall; faces ((1 5 4 0) (3 7 6 2)); }}
    sides {{ type empty; faces ((0 3 2 1) (4 5 6 7)); }}
    obstacle {{ type wall; faces (); }}
);
mergePatchPairs ();
"""


def _cells(solid: NDArray[np.bool_]) -> str:
    # Cells are numbered row after row, as arrays are.
    labels = " ".join(map(str, np.flatnonzero(~solid.ravel())))
    chosen = f"source labelToCell; sourceInfo {{ value ({labels}); }}"
    return f"actions ({{ name fluid; type cellSet; action new; {chosen} }});\n"


def _velocity(rows: int) -> str:
    profile = "\n".join(f"({u:.9g} 0 0)" for u in parabola(rows))
    return f"""dimensions [0 1 -1 0 0 0 0];
internalField uniform (0.6 0 0);
boundaryField
{{
    inflow {{ type fixedValue; value nonuniform List<vector> {rows}
(
{profile}
)
; }}
    outflow {{ type zeroGradient; }}
    walls {{ type noSlip; }}
    obstacle {{ type noSlip; }}
    sides {{ type empty; }}
}}
"""


_PRESSURE = """dimensions [0 2 -2 0 0 0 0];
internalField uniform 0;
boundaryField
{
    inflow { type zeroGradient; }
    outflow { type fixedValue; value uniform 0; }
    walls { type zeroGradient; }
    obstacle { type zeroGradient; }
    sides { type empty; }
}
"""
_CONTROL = f"""application simpleFoam;
startFrom startTime;
startTime 0;
stopAt endTime;
endTime {STEPS};
deltaT 1;
writeControl timeStep;
writeInterval {STEPS};
purgeWrite 1;
writeFormat ascii;
writePrecision 9;
timeFormat general;
runTimeModifiable false;
"""
_SCHEMES = """ddtSchemes { default steadyState; }
gradSchemes { default Gauss linear; }
divSchemes { default none; div(phi,U) bounded Gauss linearUpwind grad(U); div((nuEff*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
"""
_SOLUTION = """solvers
{
    p { solver GAMG; smoother GaussSeidel; tolerance 1e-8; relTol 0.05; }
    U { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-9; relTol 0.05; }
}
SIMPLE { nNonOrthogonalCorrectors 0; residualControl { p 1e-6; U 1e-6; } }
relaxationFactors { equations { U 0.7; } fields { p 0.3; } }
"""
