"""Layers of truncated bases: the parameters of the paper's networks, fingerprints, files, equivariance."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import pdobasis
from pdobasis.layers.errors import LayerError

torch = pytest.importorskip("torch")

from pdobasis.errors import UnknownNameError  # noqa: E402
from pdobasis.files.formats import to_bytes  # noqa: E402
from pdobasis.files.stencil_file import contents  # noqa: E402
from pdobasis.nn import PDOConv2d, PDOConvTranspose2d, PDOPointConv, check_equivariance  # noqa: E402
from pdobasis.nn.models import regular_network  # noqa: E402
from pdobasis.stencils.gaussian import GaussOptions, as_deviation  # noqa: E402
from pdobasis.stencils.sampled import sample  # noqa: E402

FIELDS = {5: (16, 24, 32, 32, 48, 64), 3: (16, 24, 24, 32, 32, 48, 48, 64)}
MIXES = {5: (2, 4, 5, 5, 7, 9), 3: (2, 4, 4, 5, 5, 7, 7, 9)}
MIX = "5xregular + 2xquotient(C2) + 2xquotient(C4) + 4xtrivial"


def rest(numbers: tuple[int, ...], fields: int) -> int:
    """What is no convolution weight: a bias and two numbers of the batch norm for every field, and the head.

    The head: a maximum over the group, then linear 64 with batch norm, linear 10 with batch norm.
    """
    last = numbers[-1] * fields
    head = (last * 64 + 64) + 2 * 64 + (64 * 10 + 10) + 2 * 10
    return 3 * sum(numbers) * fields + head


def weights(numbers: tuple[int, ...], first: int, pair: int) -> int:
    return first * numbers[0] + pair * sum(a * b for a, b in pairwise(numbers))


@pytest.mark.parametrize(
    ("size", "options", "printed"),
    [
        (5, {"max_offset": 0}, 941_958),
        (3, {"max_offset": 0}, 837_022),
        (5, {"frame_order": 2, "frame_angle": "pi/8"}, 982_646),
        (5, {}, 1_091_206),
        (3, {}, 933_662),
    ],
)
def test_the_parameters_of_the_paper_s_networks(size: int, options: dict[str, Any], printed: int) -> None:
    order: dict[str, Any] = {"order": size // 2 + 1} if "frame_order" not in options else {}
    first = pdobasis.solve("C16", "trivial", "regular", **order, **options).dimension
    pair = pdobasis.solve("C16", "regular", "regular", **order, **options).dimension
    numbers = FIELDS[size]
    assert weights(numbers, first, pair) + rest(numbers, 1) == printed


@pytest.mark.parametrize(("size", "printed"), [(5, 951_072), (3, 877_151)])
def test_those_of_its_quotient_networks(size: int, printed: int) -> None:
    first = pdobasis.solve("C16", "trivial", MIX, order=size // 2 + 1, max_offset=0).dimension
    pair = pdobasis.solve("C16", MIX, MIX, order=size // 2 + 1, max_offset=0).dimension
    assert weights(MIXES[size], first, pair) + rest(MIXES[size], 13) == printed


@pytest.mark.parametrize(
    ("options", "pair", "first"), [({"max_offset": 0}, 138, 10), ({"frame_order": 2, "frame_angle": "pi/8"}, 144, 9)]
)
def test_the_network_itself(options: dict[str, Any], pair: int, first: int) -> None:
    """At an eighth of the widths; the formula above says the rest."""
    fields = (2, 3, 4, 4, 6, 8)
    network = regular_network("C16", size=5, fields=fields, stencil="fd", **options)
    assert sum(p.numel() for p in network.parameters()) == weights(fields, first, pair) + rest(fields, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "options", "printed"),
    [(5, {"max_offset": 0}, 941_958), (3, {"max_offset": 0}, 837_022), (5, {"frame_order": 2}, 982_646)],
)
def test_the_networks_in_full(size: int, options: dict[str, Any], printed: int) -> None:
    network = regular_network("C16", size=size, stencil="fd", **options)
    assert sum(p.numel() for p in network.parameters()) == printed


def test_a_layer_of_the_paper() -> None:
    layer = PDOConv2d("C16", "16xregular", "24xregular", order=3, size=5, stencil="fd", max_offset=0)
    assert sum(p.numel() for p in layer.weights.values()) == 16 * 24 * 138
    assert "truncated to max_offset 0" in repr(layer)


@pytest.mark.parametrize(
    "options",
    [
        {"max_offset": 0},
        {"frame_order": 1},
        {"frame_order": 1, "frame_angle": "pi/8"},
        {"basis_filter": lambda n, a, k: k == 0},
    ],
    ids=" ".join,
)
def test_layers_are_equivariant(options: dict[str, Any]) -> None:
    layer = PDOConv2d("D4", "2xregular", "regular + quotient(C2)", size=5, stencil="fd", dtype=torch.float64, **options)
    assert check_equivariance(layer).error < 1e-12


def test_fingerprints_know_the_truncation(tmp_path: Path) -> None:
    """Also where nothing is left out: scalars to scalars of order 1 are the same elements with and without."""
    complete = PDOConv2d("C4", "trivial", "trivial", order=1, size=3)
    kept = PDOConv2d("C4", "trivial", "trivial", order=1, size=3, max_offset=0)
    wider = PDOConv2d("C4", "trivial", "trivial", order=1, size=3, max_offset=1)
    prints = {bytes(layer.basis.fingerprint) for layer in (complete, kept, wider)}
    assert len(prints) == 3
    with pytest.raises(RuntimeError, match="another"):
        kept.load_state_dict(complete.state_dict())


def test_question_basis_and_file_make_one_layer(tmp_path: Path) -> None:
    basis = pdobasis.solve("C8", "regular", "vector", order=2, max_offset=0)
    basis.save(str(tmp_path / "b.json"))
    (tmp_path / "b.npz").write_bytes(to_bytes(contents(basis, sample(basis, "fd", 3)), "npz"))
    layers = [
        PDOConv2d("C8", "regular", "vector", order=2, size=3, stencil="fd", max_offset=0),
        PDOConv2d(basis, size=3, stencil="fd"),
        PDOConv2d(pdobasis.load(str(tmp_path / "b.json")), size=3, stencil="fd"),
        PDOConv2d.from_file(str(tmp_path / "b.npz")),
    ]
    assert len({bytes(layer.basis.fingerprint) for layer in layers}) == 1
    for other in layers[1:]:
        other.load_state_dict(layers[0].state_dict())
        assert torch.equal(other.filter(), layers[0].filter())


def test_points_and_transposed_layers() -> None:
    points = PDOPointConv("C8", "regular", "regular", order=2, max_offset=0)
    assert (
        sum(p.numel() for p in points.weights.values())
        == pdobasis.solve("C8", "regular", "regular", order=2, max_offset=0).dimension
    )
    transposed = PDOConvTranspose2d("C8", "regular", "regular", order=2, size=3, stencil="fd", max_offset=0)
    assert sum(p.numel() for p in transposed.weights.values()) == sum(p.numel() for p in points.weights.values())


def test_refusals() -> None:
    basis = pdobasis.solve("C8", "regular", "vector", order=2)
    with pytest.raises(LayerError, match="leave out max_offset"):
        PDOConv2d(basis, size=3, max_offset=0)
    with pytest.raises(UnknownNameError, match="did you mean max_offset"):
        PDOConv2d("C8", "regular", "vector", size=3, max_ofset=0)  # type: ignore[call-arg]
    with pytest.raises(LayerError, match="truncated to max_offset 0: use a higher order, or leave out less"):
        PDOConv2d("C8", "irrep(3)", "irrep(4)", order=2, size=3, max_offset=0)


def test_the_paper_s_sigma() -> None:
    """exp(-(r/s^2)^2) = exp(-r^2/2 sigma^2): 2 sigma^2 = s^4."""
    for paper, ours in ((1.0, 0.7071), (1.3, 1.1950)):
        sigma = as_deviation(GaussOptions(sigma_paper=paper)).sigma
        assert isinstance(sigma, float)
        assert round(sigma, 4) == ours
        assert abs(2 * sigma**2 - paper**4) < 1e-15 * paper**4 * 4
        one = PDOConv2d("C4", "trivial", "vector", size=5, sigma_paper=paper)
        other = PDOConv2d("C4", "trivial", "vector", size=5, sigma=sigma)
        assert one.basis.fingerprint == other.basis.fingerprint
    both = as_deviation(GaussOptions(sigma_paper=(1.0, 1.3)))
    assert both == GaussOptions(sigma=(1.0 / 2**0.5, 1.3**2 / 2**0.5))
    points = PDOPointConv("C4", "trivial", "vector", stencil="gauss", sigma_paper=1.0)
    assert points.options == {"sigma": 1 / 2**0.5}
