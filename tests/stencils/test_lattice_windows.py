"""Every method on windows of lattices: equivariance, moments by plain sums, kernels by their definition, refusals."""

from math import factorial, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from pdobasis_cli.commands import main

import pdobasis
from pdobasis import Lattice
from pdobasis.errors import PdoBasisError
from pdobasis.files import load_stencils
from pdobasis.measure import grid_equivariance
from pdobasis.stencils import Grid, GridError
from pdobasis.stencils.sampled import sample

OBLIQUE = Lattice([[1, 0], ["1/3", "5/4"]], "oblique")
HEXAGONAL_3D = Lattice([[1, 0, 0], ["1/2", "sqrt(3)/2", 0], [0, 0, "8/5"]], "hexagonal in space")
LATTICES: list[tuple[Any, str, int]] = [
    ("hexagonal", "D6", 11),
    ("hexagonal", "C6", 5),
    ("hexagonal", "D3", 5),
    ("hexagonal", "O(2)", 11),
    ("hexagonal", "D4", 3),
    (Lattice.rectangular(1, "2/3"), "O(2)", 3),
    (OBLIQUE, "O(2)", 1),
    ("bcc", "Oh", 47),
    ("fcc", "O(3)", 47),
    (HEXAGONAL_3D, "D6h", 23),
]
METHODS: list[tuple[str, dict[str, Any]]] = [
    ("fd", {"accuracy": 1}),
    ("rbffd", {}),
    ("gauss", {"normalize": "moments"}),
    ("gauss", {}),
    ("kernel", {}),
]


@pytest.mark.parametrize(("method", "options"), METHODS)
@pytest.mark.parametrize(("lattice", "group", "others"), LATTICES)
def test_every_shared_element_is_kept(
    lattice: Any, group: str, others: int, method: str, options: dict[str, Any]
) -> None:
    found = pdobasis.group(group)
    order = 2 if found.dim == 2 else 1
    basis = pdobasis.solve(found, "vector", "vector" if order == 2 else "trivial", order=order)
    size = 5 if found.dim == 2 else 3
    symmetries = grid_equivariance(sample(basis, method, size, lattice=lattice, **options))
    assert len(symmetries) == others
    assert all(s.holds for s in symmetries)


@pytest.mark.parametrize("method", ["fd", "rbffd", "gauss"])
@pytest.mark.parametrize(("lattice", "group"), [("hexagonal", "D6"), (OBLIQUE, "O(2)"), ("fcc", "Oh")])
def test_moments(lattice: Any, group: str, method: str) -> None:
    """On x^beta of degree up to the order a stencil gives what its operator gives: sums over nodes, written down here."""
    every: dict[str, dict[str, Any]] = {"fd": {"accuracy": 1}, "rbffd": {}, "gauss": {"normalize": "moments"}}
    options = every[method]
    basis = pdobasis.solve(pdobasis.group(group), "trivial", "vector", order=1)
    grid = Grid.regular(basis.problem.group.dim, 3, lattice=lattice)
    weights = basis.stencils(method, size=3, lattice=lattice, **options)
    frame = np.array([[float(v) for v in row] for row in _numbers(Lattice.read(lattice))])
    places = np.array([[float(v) for v in node] for node in grid.nodes()]) @ frame
    for element, coefficients in zip(np.asarray(weights), basis.coefficients(), strict=True):
        for beta in basis.monomials():
            power = np.prod(places ** np.array(beta), axis=1)
            given = (element.reshape(*element.shape[:2], -1) * power).sum(axis=-1)
            alpha = basis.monomials().index(beta)
            wanted = coefficients[..., alpha] * prod(map(factorial, beta))
            assert np.abs(given - wanted).max() < 1e-12


def _numbers(lattice: Lattice) -> list[list[float]]:
    """The vectors by Python's own square root."""
    out = []
    for row in lattice.texts:
        out.append([{"sqrt(3)/2": 3**0.5 / 2}.get(v) or _fraction(v) for v in row])
    return out


def _fraction(text: str) -> float:
    top, _, bottom = text.partition("/")
    return int(top) / int(bottom or 1)


def test_kernels_are_angular_parts_on_rings() -> None:
    """K(x) = Y(x/|x|) exp(-(|x| - r)²/2s²), computed here from cosines, at the nodes of a hexagon."""
    basis = pdobasis.solve("D6", "trivial", "vector", order=1)
    kernels = basis.on_lattice("hexagonal", "ball 2", "kernel", radii=[1.0, 2.0], widths=0.5)
    assert kernels.rings == (0, 1)
    assert len(kernels.nodes) == 19
    for kernel, radius in zip(kernels.weights, (1.0, 2.0), strict=True):
        for k, (a, b) in enumerate(kernels.nodes):
            x, y = a + b / 2, b * 3**0.5 / 2
            r, angle = np.hypot(x, y), np.arctan2(y, x)
            ring = np.exp(-((r - radius) ** 2) / (2 * 0.25)) * bool(r)
            assert np.allclose(kernel[:, 0, k], [np.cos(angle) * ring, np.sin(angle) * ring], atol=1e-14)


@pytest.mark.parametrize(("lattice", "group", "others"), LATTICES)
def test_kernels_are_proved_in_the_number_field(lattice: Any, group: str, others: int) -> None:
    basis = pdobasis.solve(pdobasis.group(group), "vector", "vector", order=2)
    found = basis.on_lattice(lattice, 3, "kernel")
    assert len(found.symmetries) == others + 1
    assert found.prove()
    assert max(d for _, d in found.defects()) < 1e-14


def test_a_wrong_angular_part_is_not_proved() -> None:
    from dataclasses import replace

    found = pdobasis.solve("D6", "trivial", "vector", order=1).on_lattice("hexagonal", 3, "kernel")
    assert found.exact is not None
    broken = found.exact.numerators.copy()
    broken[0, 0, 0, 0] += 1
    wrong = replace(found, exact=type(found.exact)(broken, found.exact.denominator, found.exact.field))
    assert not wrong.prove()


def test_the_same_weights_as_on_lattice() -> None:
    basis = pdobasis.solve("D6", "trivial", "trivial", order=2)
    nodes = basis.on_lattice("hexagonal", "ball 1")
    assert np.abs(np.asarray(basis.stencils("fd", size=3, lattice="hexagonal")) - nodes.arrays).max() < 1e-15
    again = basis.on_lattice("hexagonal", 3, "rbffd").arrays
    # the last bits are those of LAPACK, which has other ones on other processors
    most = 4 * np.finfo(float).eps * np.abs(again).max()
    assert np.abs(np.asarray(basis.stencils("rbffd", size=3, lattice="hexagonal")) - again).max() < most


@pytest.mark.parametrize("window", ["ball sqrt(3)", "nodes 0,0; 1,0; 0,1; -1,1; -1,0; 0,-1; 1,-1"])
@pytest.mark.parametrize(("method", "options"), METHODS)
def test_windows_have_weights_inside_alone(window: str, method: str, options: dict[str, Any]) -> None:
    basis = pdobasis.solve("D6", "trivial", "vector", order=1)
    weights = np.asarray(basis.stencils(method, size=5, lattice="hexagonal", window=window, **options))
    grid = Grid.regular(2, 5, lattice="hexagonal")
    inside = {"b": 3**0.5, "n": 1.0}[window[0]]
    outside = grid.distances().reshape(5, 5) > inside + 1e-9
    assert not weights[..., outside].any()
    assert weights.any()


@pytest.mark.parametrize("suffix", ["npz", "json", "safetensors", "pt"])
@pytest.mark.parametrize("method", ["fd", "kernel"])
def test_files_hold_the_lattice(tmp_path: Path, suffix: str, method: str) -> None:
    path = str(tmp_path / f"h.{suffix}")
    run = CliRunner().invoke
    question = ["--group", "D6", "--in", "trivial", "--out", "vector", "--order", "1"]
    lattice = ["--lattice", "1,0; 1/2,sqrt(3)/2", "--window", "ball sqrt(3)", "--size", "5"]
    done = run(main, ["export", *question, "--stencil", method, *lattice, "-o", path])
    assert done.exit_code == 0, done.output
    for command in ("verify", "show", "error"):
        assert run(main, [command, path]).exit_code == 0
    assert "n1 →" in run(main, ["show", path]).output
    assert run(main, ["plot", path, "-o", str(tmp_path / "h.png")]).exit_code == 0
    if suffix != "pt":
        file = load_stencils(path)
        assert file.meta["discretization"]["lattice"] == {
            "name": "lattice",
            "vectors": [["1", "0"], ["1/2", "sqrt(3)/2"]],
            "window": "ball sqrt(3)",
        }
        assert file.sampled().grid.lattice == Lattice.named("hexagonal")


def test_a_file_with_other_vectors_is_not_proved(tmp_path: Path) -> None:
    import json

    from pdobasis.files.stencil_file import checksum, contents

    basis = pdobasis.solve("D6", "trivial", "vector", order=1)
    file = contents(basis, sample(basis, "fd", 3, lattice="hexagonal"))
    meta = json.loads(file.meta_text)
    meta["discretization"]["lattice"]["vectors"][1] = ["1/2", "1"]
    meta["checksum"] = checksum(file.arrays, meta)
    from pdobasis.files.stencil_file import StencilFile
    from pdobasis.files.stencil_proof import prove_again

    assert prove_again(file).holds
    assert not prove_again(StencilFile(**file.arrays, meta=meta)).holds


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"lattice": "hexagon"}, "unknown lattice"),
        ({"lattice": "bcc"}, "dimension"),
        ({"lattice": "hexagonal", "size": 4}, "odd sizes"),
        ({"lattice": "hexagonal", "spacing": (1, 2)}, "one spacing"),
        ({"lattice": "hexagonal", "window": "cube"}, "window"),
        ({"lattice": "hexagonal", "window": "nodes 1,0; 0,a"}, "whole numbers"),
        ({"lattice": "hexagonal", "window": "nodes 1,0"}, "origin"),
        ({"lattice": "hexagonal", "in_offsets": [(0, 0)], "out_offsets": [(0, 0), (0, 0)]}, "lattice"),
        ({"lattice": 3}, "a lattice is"),
    ],
)
def test_refusals(options: dict[str, Any], said: str) -> None:
    basis = pdobasis.solve("D2", "trivial", "vector", order=1)
    with pytest.raises(PdoBasisError, match=said):
        basis.stencils("fd", **{"size": 3, **options})


def test_windows_of_other_methods_need_a_lattice() -> None:
    with pytest.raises(PdoBasisError, match="window"):
        pdobasis.solve("D4", "trivial", "vector", order=1).stencils("gauss", window="ball 1")
    with pytest.raises(GridError):
        Grid.regular(2, 3, window="closed")


def test_a_lattice_is_scaled_by_a_spacing() -> None:
    basis = pdobasis.solve("D6", "trivial", "trivial", order=2)
    fine = np.asarray(basis.stencils("fd", size=3, lattice="hexagonal", spacing=0.1))
    assert np.allclose(fine[1], 100 * np.asarray(basis.stencils("fd", size=3, lattice="hexagonal"))[1], rtol=1e-14)
