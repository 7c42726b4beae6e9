"""The other parts of a network: nonlinearities, normalisation, pooling, restriction, point clouds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.errors import PdoBasisError  # noqa: E402
from pdobasis.layers.elements import rho  # noqa: E402
from pdobasis.layers.threshold import half_threshold  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    FieldBatchNorm,
    GatedNonlinearity,
    GlobalPool,
    GroupPool,
    LayerError,
    NormNonlinearity,
    NormPool,
    NotEquivariantError,
    PDOConv2d,
    PDOPointConv,
    Pointwise,
    Restrict,
    check_equivariance,
    transform,
)
from pdobasis.nn.fields import transform_fibre  # noqa: E402

nn = torch.nn
D4 = group("D4")


def of(text: str, name: str = "D4") -> Any:
    return field_type(text, group(name))


PARTS = [
    lambda: Pointwise(of("regular + quotient(C2) + trivial")),
    lambda: NormNonlinearity(of("2xvector + irrep(1,0) + regular")),
    lambda: GatedNonlinearity(of("2xvector + det")),
    lambda: FieldBatchNorm(of("2xregular + vector + 3xtrivial")),
    lambda: GroupPool(of("2xregular + quotient(flip)")),
    lambda: NormPool(of("2xvector + regular")),
    lambda: GlobalPool(of("vector + regular")),
    lambda: GlobalPool(of("regular"), "max"),
]


@pytest.mark.parametrize("make", PARTS)
def test_parts_are_equivariant(make: Any) -> None:
    part = make().double()
    with torch.no_grad():
        for parameter in part.parameters():
            parameter.add_(torch.rand_like(parameter))
    assert check_equivariance(part, size=5).error <= 1e-13


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Pointwise(of("vector")), "vector of D4 is not one: use NormNonlinearity"),
    (lambda: GroupPool(of("det")), "use NormPool"),
    (lambda: GlobalPool(of("vector"), "max"), "mean"),
    (lambda: NormPool(of("vector", "GL(2)")), "does not preserve"),
    (lambda: FieldBatchNorm(of("sym(2, vector)", "C8")), "does not preserve"),
])  # fmt: skip
def test_what_does_not_commute_is_refused(make: Any, words: str) -> None:
    with pytest.raises(NotEquivariantError, match=words):
        make()


@pytest.mark.parametrize("size", [1, 2, 3, 8, 40])
def test_a_rectifier_of_lengths_starts_where_half_is_left(size: int) -> None:
    """Against the integral of (r - t)^2 over the density of the length of d normal numbers."""
    from scipy.integrate import quad
    from scipy.stats import chi

    t = half_threshold(size)
    left = quad(lambda r: (r - t) ** 2 * chi.pdf(r, size), t, t + 40, points=[math.sqrt(size) + 1], epsabs=1e-13)[0]
    assert left == pytest.approx(size / 2, abs=1e-10)


def test_a_norm_nonlinearity_starts_as_one() -> None:
    """It is not linear, and with the gain of ReLU it carries the variance of normal fields on."""
    torch.manual_seed(0)
    fields = of("2xvector + regular + det")
    part: Any = NormNonlinearity(fields)
    x = torch.randn(1000, fields.size, 3, 3)
    assert not torch.allclose(part(2 * x), 2 * part(x))
    for piece, y in zip(fields.slices, part(x).detach().split([2, 2, 8, 1], 1), strict=True):
        assert float(y.square().mean() / x[:, piece].square().mean()) == pytest.approx(0.5, abs=0.05)
    old = {"bias": torch.zeros(4)}
    part.load_state_dict(old)
    torch.testing.assert_close(part(x), x)
    part.reset_parameters()
    assert bool((part.bias < 0).all())


def network(dtype: Any = torch.float32) -> Any:
    first = PDOConv2d("D8", "trivial", "4xregular", order=2, size=3, padding=1)
    cut = Restrict(first.out_type, "C8")
    second = PDOConv2d("C8", cut.out_type, "3xregular", order=2, size=3, padding=1)
    third = PDOConv2d("C8", second.out_type, "2xvector + 2xtrivial + 4xtrivial", order=2, size=3, padding=1)
    gate = GatedNonlinearity(field_type("2xvector + 2xtrivial", group("C8")))
    return nn.Sequential(
        first, FieldBatchNorm(first.out_type), Pointwise(first.out_type), cut, second, Pointwise(second.out_type),
        third, gate, NormPool(gate.out_type), GlobalPool(NormPool(gate.out_type).out_type),
    ).to(dtype)  # fmt: skip


def test_a_network_with_restriction_is_invariant_under_the_subgroup() -> None:
    model = network(torch.float64)
    report = check_equivariance(model)
    assert len(report.errors) == 4
    assert report.error <= 1e-12
    assert "equivariant: relative error" in str(report)
    scalars = field_type("4xtrivial", D4)
    assert not check_equivariance(
        model, field_type("trivial", D4), scalars
    )  # reflections are gone behind the restriction


def test_a_network_learns() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(network(), nn.Linear(4, 1))
    optimiser = torch.optim.Adam(model.parameters(), 1e-2)
    x, y = torch.randn(8, 1, 9, 9), torch.randn(8, 1)
    losses = []
    for _ in range(15):
        optimiser.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("stencil", ["rbffd", "gauss"])
def test_points_turn_with_their_fields(stencil: str) -> None:
    """Exact for every element of the group, on any cloud."""
    options: Any = {"sigma": 0.2} if stencil == "gauss" else {}
    layer = PDOPointConv("D8", "vector + trivial", "regular + vector", 2, neighbours=16, stencil=stencil,
                         dtype=torch.float64, **options)  # fmt: skip
    points = np.random.default_rng(0).random((60, 2))
    x = torch.randn(2, 3, 60, dtype=torch.float64)
    y = layer(x, layer.jets(points))
    angle = math.pi / 4
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    for g in (turn, turn @ np.diag([1, -1]), np.diag([1, -1])):
        matrix_in = torch.block_diag(*(torch.tensor(rho(r, g)) for r, n in layer.in_type.terms for _ in range(n)))
        matrix_out = torch.block_diag(*(torch.tensor(rho(r, g)) for r, n in layer.out_type.terms for _ in range(n)))
        moved = layer(torch.einsum("ij,bjp->bip", matrix_in, x), layer.jets(points @ g.T))
        expected = torch.einsum("ij,bjp->bip", matrix_out, y)
        assert float(((moved - expected).abs().max() / y.abs().max()).detach()) < 1e-8


def test_divergence_on_points() -> None:
    layer = PDOPointConv("O(2)", "vector", "trivial", 1, neighbours=16, degree=2, bias=False, dtype=torch.float64)
    layer.coefficients = 1
    points = np.random.default_rng(1).random((50, 2))
    field = torch.tensor(np.stack([points[:, 0] ** 2, points[:, 0] * points[:, 1]]))[None]
    targets = points[:7] + 0.01
    found = layer(field, layer.jets(points, targets))
    torch.testing.assert_close(found[0, 0], torch.tensor(3 * targets[:, 0]), rtol=1e-9, atol=1e-9)


def test_points_start_with_unit_variance() -> None:
    torch.manual_seed(0)
    layer = PDOPointConv("C4", "8xregular", "8xregular", 2, neighbours=16)
    jets = layer.jets(np.random.default_rng(0).random((200, 2)))
    layer.reset_for(jets)
    assert 0.5 < float(layer(torch.randn(4, 32, 200), jets).detach().var()) < 2
    with pytest.raises(LayerError, match="points"):
        layer(torch.randn(4, 3, 200), jets)
    with pytest.raises(LayerError, match="sigma"):
        PDOPointConv("C4", "regular", "regular", stencil="gauss")


def wrong(value: object) -> Any:
    """A value of a type that is not permitted, on purpose."""
    return value


@pytest.mark.parametrize(("call", "words"), [
    (lambda: Pointwise(wrong("regular")), "needs a field type"),
    (lambda: FieldBatchNorm(wrong("regular")), "needs a field type"),
    (lambda: GatedNonlinearity(wrong("regular")), "needs a field type"),
    (lambda: Restrict(wrong("regular"), "C2"), "needs a field type"),
    (lambda: transform(torch.zeros(1, 8, 3, 3), 1, wrong("regular")), "needs a field type"),
    (lambda: transform(torch.zeros(1, 8, 3, 3), 1, of("regular"), wrong("img")), "unknown layout"),
    (lambda: GroupPool(of("regular"))(torch.zeros(1, 9, 3, 3)), r"\(batch, 8, ...\)"),
    (lambda: Pointwise(of("regular"))(torch.zeros(1, 7, 3, 3)), r"\(batch, 8, ...\)"),
    (lambda: GatedNonlinearity(of("regular"))(torch.zeros(1, 8, 3, 3)), r"\(batch, 9, ...\)"),
    (lambda: check_equivariance(nn.Conv2d(1, 1, 3), wrong("trivial"), wrong("trivial")), "needs a field type"),
    (lambda: check_equivariance(nn.Sequential(GlobalPool(of("regular")), nn.Linear(8, 10))), "10xtrivial"),
    (lambda: PDOPointConv("C4", "regular", "regular").jets(np.zeros((50, 3))), r"\(number, 2\)"),
    (lambda: PDOPointConv("C4", "regular", "regular", degre=2), "did you mean degree"),  # type: ignore[call-arg]
    (lambda: PDOPointConv("C4", "regular", "regular", neighbours=0), "neighbours has to be"),
])  # fmt: skip
def test_refusals(call: Any, words: str) -> None:
    with pytest.raises(PdoBasisError, match=words):
        call()


def test_import_of_pdobasis_does_not_load_torch() -> None:
    import subprocess
    import sys

    code = "import sys, pdobasis; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_batches_of_clouds_are_the_single_ones() -> None:
    """Clouds of different sizes, one of them a grid with ties: the same numbers as one by one."""
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    line = np.arange(6.0)
    grid = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    clouds = [random.random((40, 2)), grid, random.random((25, 2))]
    layer = PDOPointConv("C4", "vector", "regular + trivial", 2, neighbours=14, dtype=torch.float64)
    fields = [torch.randn(2, 2, len(c), dtype=torch.float64) for c in clouds]
    jets = layer.jets(clouds)
    together = jets.split(layer(torch.cat(fields, -1), jets))
    for x, cloud, y in zip(fields, clouds, together, strict=True):
        torch.testing.assert_close(layer(x, layer.jets(cloud)), y, rtol=1e-12, atol=1e-12)
    targets = [c[:5] + 0.01 for c in clouds]
    some = layer.jets(clouds, targets)
    assert layer(torch.cat(fields, -1), some).shape == (2, 5, 15)
    assert jets.to(torch.float32).sizes == (40, 36, 25)
    with pytest.raises(LayerError, match=r"expected fields \(batch, 2, 101 points\), got \(2, 2, 40\)"):
        layer(fields[0], jets)
    with pytest.raises(LayerError, match="3 clouds of points and 1 of targets"):
        layer.jets(clouds, targets[0])


def test_a_grid_as_a_cloud_is_equivariant() -> None:
    """Neighbours that are equally far are all taken, so a quarter turn of a 15x15 grid is exact."""
    torch.manual_seed(0)
    line = np.arange(15.0) - 7
    points = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    layer = PDOPointConv("C4", "vector", "regular", 2, neighbours=20, dtype=torch.float64)
    jets = layer.jets(points)
    layer.reset_for(jets)
    x = torch.randn(1, 2, 225, dtype=torch.float64)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    # Point k moves to the place of point order[k].
    order = [int(np.argmin(np.abs(points - p).sum(1))) for p in points @ turn.T]
    moved = torch.zeros_like(x)
    moved[..., order] = transform_fibre(x, turn, layer.in_type)
    expected = torch.zeros(1, 4, 225, dtype=torch.float64)
    expected[..., order] = transform_fibre(layer(x, jets).detach(), turn, layer.out_type)
    torch.testing.assert_close(layer(moved, jets).detach(), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_neighbours_by_torch_are_those_of_scipy(dim: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With ties and without, some targets at a time: the same sets of points."""
    from pdobasis.nn import neighbours
    from pdobasis.stencils.cloud import neighbourhoods

    monkeypatch.setattr(neighbours, "NUMBERS", 500)
    line = np.arange({1: 40, 2: 8, 3: 5}[dim]) / 3.0
    grid = np.stack(np.meshgrid(*[line] * dim), -1).reshape(-1, dim)
    scattered = np.random.default_rng(0).random((70, dim))
    for cloud, targets in ((grid, grid), (scattered, scattered), (grid, grid[:9] + 0.1), (scattered, grid)):
        for k in (1, 7, len(cloud)):
            ours = neighbours.nearest(torch.tensor(cloud), torch.tensor(targets), k)
            theirs = neighbourhoods(cloud, targets, k)
            assert ours.counts.tolist() == theirs.counts.tolist()
            for row, other, count in zip(ours.indices, theirs.indices, ours.counts, strict=True):
                assert set(row[:count]) == set(other[:count])
                assert set(row[count:]) <= {row[0]}


def test_jets_by_torch_are_those_by_scipy() -> None:
    line = np.arange(7.0)
    grid = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    clouds = [torch.rand(50, 2, dtype=torch.float64), torch.tensor(grid)]
    methods: list[tuple[str, dict[str, Any]]] = [("rbffd", {}), ("gauss", {"sigma": 0.7})]
    for stencil, options in methods:
        layer = PDOPointConv(
            "C4", "vector", "regular", 2, neighbours=14, stencil=stencil, dtype=torch.float64, **options
        )
        x = torch.randn(2, 2, 99, dtype=torch.float64)
        found = [layer(x, layer.jets(clouds, search=how)) for how in ("torch", "scipy")]
        torch.testing.assert_close(*found, rtol=1e-10, atol=1e-10)
    stacked = torch.rand(3, 20, 2, dtype=torch.float64)
    assert layer.jets(stacked).sizes == (20, 20, 20)
    with pytest.raises(PdoBasisError, match="scipy"):
        layer.jets(clouds, search="sciyp")
    with pytest.raises(LayerError, match=r"jets = layer.jets\(points\), got NoneType"):
        layer(x, None)
    with pytest.raises(LayerError, match="between 1 and the number of points 5"):
        layer.jets(torch.rand(5, 2), search="torch")
