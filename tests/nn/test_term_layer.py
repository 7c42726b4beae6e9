"""A learned combination of terms: equivariant whatever it learned, and it learns through time steps."""

from __future__ import annotations

import copy
import pickle

import torch

import pdobasis
from pdobasis.nn import TermLayer, rk4


def layer_and_field() -> tuple[TermLayer, torch.Tensor]:
    found = pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 2, max_total=2)
    torch.manual_seed(0)
    layer = TermLayer(found, spacing=0.5).double()
    with torch.no_grad():
        layer.weight.normal_()
    return layer, torch.randn(3, 2, 12, 12, dtype=torch.float64)


def test_a_quarter_turn_commutes_with_whatever_was_learned() -> None:
    layer, u = layer_and_field()

    def turned(v: torch.Tensor) -> torch.Tensor:
        # (u1, u2) to (-u2, u1) at the turned point, on a grid whose axes are x2, x1
        moved = torch.rot90(v, -1, dims=(-2, -1))
        moved = torch.roll(moved, 1, dims=-1)
        return torch.stack([-moved[..., 1, :, :], moved[..., 0, :, :]], dim=-3)

    assert torch.allclose(layer({"u": turned(u)}), turned(layer({"u": u})))


def test_calibration_keeps_the_map_and_evens_the_terms() -> None:
    layer, u = layer_and_field()
    before = layer({"u": u})
    layer.calibrate({"u": u})
    assert torch.allclose(layer({"u": u}), before)
    sizes = layer.function({"u": u}).flatten(1).square().mean(1).sqrt() / layer.scale
    assert torch.allclose(sizes, torch.ones_like(sizes))


def test_gradients_flow_through_steps() -> None:
    layer, u = layer_and_field()
    with torch.no_grad():
        layer.weight.mul_(0.01)

    def loss(weight: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            layer.weight.copy_(weight)
        v = u
        for _ in range(2):
            v = rk4(lambda w: layer({"u": w}), v, 0.05)
        return v.square().mean()

    start = layer.weight.detach().clone()
    value = loss(start)
    value.backward()  # type: ignore[no-untyped-call]
    assert layer.weight.grad is not None
    slope = layer.weight.grad.clone()
    way = torch.zeros_like(start)
    way[3] = 1e-5
    with torch.no_grad():
        measured = (loss(start + way) - loss(start - way)) / 2e-5
    assert torch.isclose(slope[3], measured, rtol=1e-5)


def test_terms_that_are_left_out_stay_out() -> None:
    layer, _ = layer_and_field()
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([1.0, 0.5, 0.01, 0.0, -0.3, 0.02], dtype=torch.float64))
    layer.keep(0.1)
    assert layer.equation() == "∂_t u_i = 1 u_i + 0.5 ∂_j ∂_j u_i - 0.3 u_j ∂_j u_i"
    with torch.no_grad():
        layer.weight.fill_(1.0)
    assert torch.count_nonzero(layer.coefficients) == 3


def test_layers_of_terms_are_written_down_and_say_what_they_are() -> None:
    """What is compiled from terms is made again: copies, pickles and whole models that are saved compute the same."""
    layer = TermLayer(pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 1), spacing=0.1)
    with torch.no_grad():
        layer.weight.copy_(torch.arange(4.0))
    field = {"u": torch.randn(2, 8, 8, generator=torch.Generator().manual_seed(0))}
    for again in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):  # noqa: S301
        assert torch.equal(again(field), layer(field))
    assert repr(layer) == "TermLayer(4 terms of O(2), u: vector -> vector, proved)"
