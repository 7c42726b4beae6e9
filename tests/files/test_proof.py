"""Verify believes nothing: whoever changes a file and its checksum is found out by the mathematics."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.files import load_stencils
from pdobasis.files.formats import save
from pdobasis.files.stencil_file import StencilFile, checksum, contents
from pdobasis.files.stencil_proof import prove_again
from pdobasis.stencils.sampled import sample

DATA = Path(__file__).parent.parent / "data"


def forged(file: StencilFile, meta: dict[str, Any] | None = None, **arrays: np.ndarray) -> StencilFile:
    """The file with other contents and a checksum that fits them."""
    new = {**file.arrays, **arrays}
    changed = dict(meta or file.meta)
    changed["checksum"] = checksum(new, changed)
    return StencilFile(**new, meta=changed)


def test_an_honest_file_is_proved_bit_by_bit(d8: StencilFile) -> None:
    proof = prove_again(d8)
    assert proof.holds
    assert proof.difference == 0
    assert proof.how == "bit by bit"


def test_a_changed_coefficient_of_an_element_is_found(d8: StencilFile) -> None:
    meta = deepcopy(d8.meta)
    meta["elements"][1]["matrix"][0][0] = "2*d1"
    assert any("not equivariant" in f for f in prove_again(forged(d8, meta)).failures)


def test_a_missing_element_is_found(d8: StencilFile) -> None:
    meta = deepcopy(d8.meta)
    del meta["elements"][2]
    assert any("not complete" in f for f in prove_again(forged(d8, meta)).failures)


def test_a_changed_weight_is_found(d8: StencilFile) -> None:
    stencils = d8.stencils.copy()
    stencils[3, 0, 7, 2, 2] *= 1 + 1e-9
    assert any("sampled again" in f for f in prove_again(forged(d8, stencils=stencils)).failures)


def test_stencils_turned_by_a_quarter_are_found(d8: StencilFile) -> None:
    turned = np.ascontiguousarray(np.rot90(d8.stencils, axes=(-2, -1)))
    assert any("sampled again" in f for f in prove_again(forged(d8, stencils=turned)).failures)


def test_changed_coefficients_orders_and_parameters_are_found(d8: StencilFile) -> None:
    coefficients = d8.coefficients.copy()
    coefficients[0, 0, 0, 0] = np.nextafter(coefficients[0, 0, 0, 0], 2)
    assert any("coefficients" in f for f in prove_again(forged(d8, coefficients=coefficients)).failures)
    assert any("orders" in f for f in prove_again(forged(d8, orders=d8.orders + 1)).failures)
    meta = deepcopy(d8.meta)
    meta["discretization"]["options"]["sigma"] = 1.31
    assert any("sampled again" in f for f in prove_again(forged(d8, meta)).failures)


def test_a_certificate_that_claims_something_else_is_found(d8: StencilFile) -> None:
    meta = deepcopy(d8.meta)
    meta["certificate"]["counted"] = [1, 2, 4]
    assert any("certificate" in f for f in prove_again(forged(d8, meta)).failures)


@pytest.mark.parametrize("method", ["fd", "rbffd", "kernel"])
def test_every_method_is_sampled_again(method: str) -> None:
    basis = pdobasis.solve("D4", "vector", "regular", 2)
    assert prove_again(contents(basis, sample(basis, method, 5, layout="image", spacing="1/3"))).holds


def test_a_group_and_a_representation_of_ones_own_are_in_the_file(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("name: own\ngenerators:\n  r: [[0, -1], [1, 0]]\n")
    basis = pdobasis.solve(str(own), "vector", "regular", 1)
    save(contents(basis, sample(basis, "fd", 3)), tmp_path / "own.npz")
    own.unlink()
    assert prove_again(load_stencils(tmp_path / "own.npz")).holds


@pytest.mark.parametrize("name", ["version1.npz", "version1.json", "version1.safetensors"])
def test_the_files_of_version_1_are_still_read_and_proved(name: str) -> None:
    """Written by tests/data/make.py with the first release."""
    if name.endswith("safetensors"):
        pytest.importorskip("safetensors")
    found = load_stencils(DATA / name)
    assert found.meta["version"] == 1
    assert found.meta["group"] == "D4"
    assert found.stencils[0, 0, 0].tolist() == [[0, 0, 0], [-0.5, 0, 0.5], [0, 0, 0]]  # the gradient: ∂₁ along the row
    assert found.stencils[0, 1, 0].tolist() == [[0, -0.5, 0], [0, 0, 0], [0, 0.5, 0]]
    assert prove_again(found).holds
