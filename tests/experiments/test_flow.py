"""Flows: the solver against known solutions, obstacles by hand, samples of the right meaning."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from experiments.data.flows import samples as kept
from experiments.errors import ExperimentError
from experiments.flow import lattice, openfoam
from experiments.flow.channel import Channel, channel, geometry, samples
from experiments.flow.obstacles import SHAPES, obstacle, signed_distance
from experiments.settings.values import Data
from experiments.training.tasks import task


def test_an_empty_channel_has_the_profile_of_poiseuille() -> None:
    r"""u = 4 y (1 - y), and the pressure falls by 8 nu u L / H^2 along the way."""
    rows, columns, viscosity = 16, 36, 0.06
    flow = lattice.solve(np.zeros((rows, columns), bool), viscosity)
    assert np.abs(flow.velocity[0, :, columns // 2] - lattice.parabola(rows)).max() < 0.012
    assert np.abs(flow.velocity[1, :, 5:-5]).max() < 1e-3
    fall = flow.pressure[:, 8].mean() - flow.pressure[:, 28].mean()
    # Sixteen nodes across: walls half way between nodes, and a density that varies by 2 %, cost 4 %.
    assert fall == pytest.approx(8 * viscosity * 20 / rows**2 / lattice.SPEED, rel=0.05)


def test_as_much_flows_out_as_in() -> None:
    solid = np.zeros((16, 40), bool)
    solid[6:10, 10:14] = True
    flow = lattice.solve(solid, 0.06)
    assert np.abs(flow.flux[1:-1] / flow.flux.mean() - 1).max() < 1e-3
    assert (flow.velocity[:, solid] == 0).all()
    assert flow.force[0] > 0, "it is pushed downstream"
    assert abs(flow.force[1]) < 0.01 * flow.force[0], "and not aside, in the middle of the channel"


def test_a_mirrored_channel_has_the_mirrored_flow() -> None:
    solid = np.zeros((12, 30), bool)
    solid[3:6, 8:11] = True
    both = lattice.solve_many(np.stack([solid, solid[::-1]]), [0.06, 0.06], steps=1200)
    assert np.allclose(both[0].velocity[0], both[1].velocity[0, ::-1], atol=1e-9)
    assert np.allclose(both[0].velocity[1], -both[1].velocity[1, ::-1], atol=1e-9)
    alone = lattice.solve(solid, 0.06, steps=1200)
    assert np.allclose(alone.velocity, both[0].velocity, atol=1e-12)


@pytest.mark.slow
def test_the_drag_of_a_cylinder_is_the_published_one() -> None:
    """Schäfer and Turek's channel 2D-1: a cylinder of 0.1 at 0.2 in 0.41, Reynolds number 20: 5.5795, lift 0.0106."""
    diameter = 10
    rows, columns = round(4.1 * diameter), round(12 * diameter)
    x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    solid = np.hypot(x - 2 * diameter, y - 2 * diameter) < diameter / 2
    mean = 2 / 3 * lattice.SPEED
    flow = lattice.solve(solid, mean * diameter / 20, steps=25_000, tolerance=2e-6)
    drag = 2 * flow.force[0] * lattice.SPEED**2 / (mean**2 * diameter)
    # Walls in steps, ten nodes across: 6.03 here, 5.88 with twenty.
    assert drag == pytest.approx(5.5795, rel=0.09)


def test_a_viscosity_that_the_grid_cannot_hold_is_refused() -> None:
    with pytest.raises(ExperimentError, match=r"viscosity of 0\.0010 is too low"):
        lattice.solve(np.zeros((8, 16), bool), 0.001)


@pytest.mark.parametrize("kind", SHAPES)
def test_obstacles_have_their_radius_and_an_inside(kind: str) -> None:
    corners = obstacle(kind, (10.0, 8.0), 3.0, np.random.default_rng(0))
    assert np.hypot(*(corners - [10.0, 8.0]).T).max() == pytest.approx(3.0)
    x, y = np.meshgrid(np.linspace(0, 20, 81), np.linspace(0, 16, 65))
    distance = signed_distance(corners, x, y)
    area = abs(np.sum(corners[:, 0] * np.roll(corners[:, 1], -1) - corners[:, 1] * np.roll(corners[:, 0], -1))) / 2
    assert (distance < 0).sum() * 0.25**2 == pytest.approx(area, rel=0.1)
    # Distances grow by at most one for each step of length one.
    assert np.abs(np.diff(distance, axis=1)).max() <= 0.25 + 1e-9


def test_a_sample_is_as_deepcfd_has_it() -> None:
    found = channel(0, 32)
    shape = geometry(32)
    assert found.inputs.shape == (3, shape.rows, shape.columns)
    assert set(np.unique(found.inputs[1])) == {0.0, 1.0, 2.0, 3.0, 4.0}
    assert ((found.inputs[0] < 0) == found.solid).all()
    assert np.array_equal(channel(0, 32).inputs, found.inputs), "the number settles it"
    assert not np.array_equal(channel(6, 32).inputs, found.inputs)
    with pytest.raises(ExperimentError, match="176, 32, 16"):
        geometry(28)


def test_samples_are_kept_and_tests_stay(tmp_path: Path) -> None:
    data = Data("flow", train=2, test=1, size=16)
    first = kept(data, 0, tmp_path)
    stamp = (tmp_path / "flows_16.npz").stat().st_mtime_ns
    second = kept(data, 1, tmp_path)
    assert (tmp_path / "flows_16.npz").stat().st_mtime_ns == stamp, "solved once"
    assert torch.equal(first.x_test, second.x_test)
    inputs, outputs = samples([0], 16)
    assert np.allclose(first.y_test[0], outputs[0], atol=1e-6)
    # Outside of the channel, which lies in the middle, there is nothing.
    assert (outputs[0][:, :4] == 0).all()
    assert (outputs[0][:, 4:12, :] != 0).any()
    assert inputs.shape == outputs.shape == (1, 3, 16, 16)


def test_the_loss_of_flows_by_hand() -> None:
    """Off by 1 everywhere, channels of mean square 4, 1 and 2: 1/4 + 1 + 1/2, and in percent for the measures."""
    y = torch.tensor([2.0, 1.0, 2.0**0.5]).view(1, 3, 1, 1).expand(2, 3, 4, 4)
    flow = task("flow")
    scale = flow.scale(y)
    assert float(flow.loss(y + 1, y, scale)) == pytest.approx(1.75)
    assert flow.measures(y + 1, y, scale)["mse"].tolist() == pytest.approx([175.0, 175.0])


SOLID = np.zeros((16, 48), bool)
SOLID[6:10, 10:14] = True


def test_a_case_of_openfoam_is_written_and_its_fields_are_read(tmp_path: Path) -> None:
    """Fields as simpleFoam writes them: only the cells of fluid, row after row."""
    solid = np.array([[False, True, False], [False, False, False]])
    openfoam.write_case(tmp_path, solid, 0.5)
    assert "value (0 2 3 4 5)" in (tmp_path / "system" / "topoSetDict").read_text()
    assert "(3 2 1)" in (tmp_path / "system" / "blockMeshDict").read_text()
    assert "nu [0 2 -1 0 0 0 0] 0.5;" in (tmp_path / "constant" / "transportProperties").read_text()
    with pytest.raises(ExperimentError, match="has no results"):
        openfoam.read_case(tmp_path, solid)
    for time in ("5", "20"):
        (tmp_path / time).mkdir()
        rows = "\n".join(f"({k} {float(time)} 0)" for k in range(5))
        (tmp_path / time / "U").write_text(f"internalField   nonuniform List<vector> \n5\n(\n{rows}\n)\n;\n")
        (tmp_path / time / "p").write_text("internalField   uniform 2.5;\n")
    found = openfoam.read_case(tmp_path, solid)
    assert found[0].tolist() == [[0, 0, 1], [2, 3, 4]]
    assert found[1].tolist() == [[20, 0, 20], [20, 20, 20]], "of the last time"
    assert found[2].tolist() == [[2.5, 0, 2.5], [2.5, 2.5, 2.5]]
    with pytest.raises(ExperimentError, match="the field has 5 cells, the channel 6 of fluid"):
        openfoam.read_case(tmp_path, np.zeros((2, 3), bool))
    with pytest.raises(ExperimentError, match="no internalField"):
        openfoam.read_field("nothing", 2)


@pytest.mark.skipif(shutil.which("simpleFoam") is None, reason="OpenFOAM is not installed")
def test_both_solvers_find_the_same_flow(tmp_path: Path) -> None:
    (first,) = openfoam.by_openfoam([Channel(np.zeros((3, 16, 48)), SOLID, 0.06)], tmp_path)
    second = lattice.solve(SOLID, 0.06)
    flux = first[0].sum(0)[20:]  # behind the obstacle
    assert np.abs(flux / flux.mean() - 1).max() < 1e-3
    assert np.linalg.norm(first[:2] - second.velocity) < 0.1 * np.linalg.norm(second.velocity)
