"""Networks that are carried over: to another resolution, to turned digits, and from e2cnn where that is installed."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from experiments.data.sets import samples
from experiments.errors import ExperimentError
from experiments.networks.peer import carried as carried_from
from experiments.networks.peer import is_there, peer
from experiments.report.resolution import COARSE, METHODS, OPERATORS, carried, network, outcome
from experiments.report.turned import METHODS as TURNED
from experiments.report.turned import by, upright
from experiments.report.turned import outcome as outcome_turned
from experiments.settings.values import Data, Layers, Network

MADE = Data("mnist_rot", source="made", train=32, test=10)


def test_a_smooth_image_has_the_same_features_at_half_the_spacing() -> None:
    """Finite differences of both grids approximate the same PDO, away from the border."""
    torch.manual_seed(0)
    model = network("FD").eval()
    fine = carried(model, "FD", spacing=0.5)
    axis = torch.arange(64) / 2
    x, y = torch.meshgrid(axis, axis, indexing="xy")
    image = (torch.sin(x / 6) * torch.cos(y / 8))[None, None]
    on_fine = fine[0](image)[..., 16:48:2, 16:48:2]
    on_coarse = model[0](image[..., ::2, ::2])[..., 8:24, 8:24]
    assert (on_fine - on_coarse).norm() < 0.05 * on_coarse.norm()


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_carried_to_the_finer_grid(method: str) -> None:
    data = samples(MADE, 0)
    errors = outcome(method, 0, data, epochs=1).errors
    assert all(0 <= error <= 100 for error in errors.values())
    assert {COARSE, OPERATORS} <= set(errors)


def test_a_spread_network_sees_the_points_that_the_coarse_one_saw() -> None:
    torch.manual_seed(0)
    model = network("FD").eval()
    spread = carried(model, "FD", dilation=2)
    image = torch.randn(1, 1, 28, 28)
    torch.testing.assert_close(spread[0](image)[..., ::2, ::2], model[0](image[..., ::2, ::2]))


def test_e2cnn_is_named_where_it_is_missing() -> None:
    network = Network("e2cnn", width=1 / 8, layers=Layers(stencil="fd", max_offset=0))
    if not is_there():
        with pytest.raises(ExperimentError, match="needs e2cnn"):
            peer(network)
        return
    from experiments.networks.digits import digits

    ours = digits(replace(network, kind="digits"), layout="image")
    theirs = peer(network)
    assert carried_from(theirs, ours) < 1e-5
    x = torch.randn(4, 1, 28, 28)
    torch.testing.assert_close(ours(x), theirs(x), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("method", ["Vanilla CNN", "FD"])
def test_quarter_turns_change_an_ordinary_network_alone(method: str) -> None:
    found = outcome_turned(method, 0, upright(method, "smoke", "made"))
    assert {"90", "45", "any"} <= set(found.changes)
    assert (found.changes["90"] < 1e-4) == (method == "FD")
    assert found.changes["45"] > 1e-3
    assert all(0 <= error <= 100 for error in found.errors.values())


def test_networks_of_turned_digits_learn_from_upright_ones() -> None:
    for method in TURNED:
        row = upright(method, "reduced")
        assert (row.data.kind, row.data.rotation, row.data.train) == ("mnist", False, 2000)


def test_half_a_quarter_turn_twice_is_a_quarter_turn() -> None:
    """Of a smooth image, up to interpolation; and in the same direction."""
    axis = torch.linspace(-1, 1, 29)
    x, y = torch.meshgrid(axis, axis, indexing="xy")
    image = torch.exp(-8 * ((x - 0.3) ** 2 + y**2))[None, None]
    twice, quarter = by(by(image, 45.0), 45.0), by(image, 90.0)
    assert (twice - quarter).norm() < 0.05 * quarter.norm()
